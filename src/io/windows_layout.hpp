// What an aggregator of collective access has in job memory, for one sequence of accesses of the
// members of a file. There are two windows, used by turns.
//
//   0 fronts[2] | 256 shares[2][members] | bits[2] | data[2]
//
// `bits` (coverage.hpp) and `data` are isolated; data begins at a page. A member writes its own
// share and its own bytes of data and bits, or reads data; the owner writes the fronts, and data
// that is to be read. They take turns by barriers of all members: nothing here is waited for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/round_up.hpp"
#include "io/coverage.hpp"
#include "io/pieces.hpp"
#include "memory/job_layout.hpp"

namespace loadstone::io {

inline constexpr int most_pieces = 15;

struct alignas(memory::isolation) window_front {
  std::int64_t end;  // of reads: up to which byte of the window there is data
};
static_assert(sizeof(window_front) == 128);

// What one member has given for a window.
struct alignas(memory::isolation) window_share {
  std::int64_t bytes;
  std::int32_t count;   // of `which`
  std::int32_t marked;  // more of them than there is room for: they are in the bits
  pieces which[most_pieces];
};
static_assert(offsetof(window_share, which) == 16 && sizeof(window_share) == 512);

// The same as seen by a process that maps it.
class windows_of {
 public:
  windows_of() = default;
  windows_of(std::byte* base, int members, std::int64_t bytes)
      : base_(base), members_(members), bytes_(bytes) {}
  static std::size_t size(int members, std::int64_t bytes) {
    return data_at(members, bytes) + 2 * static_cast<std::size_t>(bytes);
  }
  window_front& front(int parity) const { return reinterpret_cast<window_front*>(base_)[parity]; }
  window_share& share(int parity, int member) const {
    return reinterpret_cast<window_share*>(base_ + shares_at)[parity * members_ + member];
  }
  coverage bits(int parity, std::int64_t bytes) const {
    return {reinterpret_cast<coverage::word*>(base_ + bits_at(members_) +
                                              static_cast<std::size_t>(parity) * bits_size(bytes_)),
            bytes};
  }
  std::byte* data(int parity) const {
    return base_ + data_at(members_, bytes_) +
           static_cast<std::size_t>(parity) * static_cast<std::size_t>(bytes_);
  }

 private:
  static constexpr std::size_t shares_at = 2 * sizeof(window_front);
  static std::size_t bits_at(int members) {
    return shares_at + 2 * static_cast<std::size_t>(members) * sizeof(window_share);
  }
  static std::size_t bits_size(std::int64_t bytes) {
    return base::round_up(static_cast<std::size_t>(coverage::bytes_for(bytes)), memory::isolation);
  }
  static std::size_t data_at(int members, std::int64_t bytes) {
    return base::round_up(bits_at(members) + 2 * bits_size(bytes), 4096);
  }
  std::byte* base_ = nullptr;
  int members_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace loadstone::io
