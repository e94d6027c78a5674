// Which bytes of a window of a file a member's data is for, as it tells an aggregator: runs of
// equal blocks at equal distances, in few bytes each. So a strided view takes some bytes however
// many blocks it has, and an irregular one at most a few for each block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/view.hpp"

namespace loadstone::io {

// A run is: distance from the end of the one before, length of a block, count of blocks, and, if
// there are several, the distance from the end of one to the next.
class piece_writer {
 public:
  explicit piece_writer(std::vector<std::byte>& out) : out_(out) {}
  void add(std::int64_t offset, std::int64_t length, std::int64_t count, std::int64_t stride) {
    put(offset - end_);
    put(length);
    put(count);
    if (count > 1) put(stride - length);
    end_ = offset + (count - 1) * stride + length;
  }
  void start(std::int64_t window) { end_ = window; }

 private:
  // Seven bits a byte, the lowest first; all but the last have the highest bit set.
  void put(std::int64_t n) {
    auto left = static_cast<std::uint64_t>(n);
    for (; left >= 0x80; left >>= 7) out_.push_back(static_cast<std::byte>(left | 0x80));
    out_.push_back(static_cast<std::byte>(left));
  }
  std::vector<std::byte>& out_;
  std::int64_t end_ = 0;
};

// Calls each(offset, length, count, stride), offsets counted from the beginning of the window,
// until it returns false.
template <class Each>
void read_pieces(const std::byte* in, std::int64_t bytes, Each&& each) {
  const std::byte* const end = in + bytes;
  const auto get = [&in] {
    std::uint64_t n = 0;
    for (int shift = 0;; shift += 7) {
      const auto b = static_cast<std::uint64_t>(*in++);
      n |= (b & 0x7f) << shift;
      if (b < 0x80) return static_cast<std::int64_t>(n);
    }
  };
  for (std::int64_t at = 0; in < end;) {
    const std::int64_t offset = at + get(), length = get(), count = get();
    const std::int64_t stride = count > 1 ? get() + length : 0;
    if (!each(offset, length, count, stride)) return;
    at = offset + (count - 1) * stride + length;
  }
}

}  // namespace loadstone::io
