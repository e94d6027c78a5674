#include "buffering/file_writes.hpp"

#include <limits.h>

#include <algorithm>
#include <cerrno>

#include "base/fault.hpp"

namespace loadstone::buffering {

namespace {

#ifdef LOADSTONE_FAULTS
constexpr std::size_t at_once = 1;  // so that there is a moment at which half is written
#else
constexpr std::size_t at_once = IOV_MAX;
#endif

class system_writes final : public file_writes {
 public:
  std::string_view name() const override { return "pwrite"; }
  void write(std::span<file_write> all) override {
    for (file_write& w : all) finish_write(w);
  }
};

}  // namespace

void finish_write(file_write& w) {
  std::size_t first = 0;
  std::uint64_t skip = w.done;
  while (w.done < w.bytes) {
    for (; first < w.parts.size() && skip >= w.parts[first].iov_len; ++first) skip -= w.parts[first].iov_len;
    w.parts[first].iov_base = static_cast<std::byte*>(w.parts[first].iov_base) + skip;
    w.parts[first].iov_len -= skip;
    const auto count = static_cast<int>(std::min<std::size_t>(w.parts.size() - first, at_once));
    const ssize_t n =
        pwritev(w.descriptor, w.parts.data() + first, count, static_cast<off_t>(w.offset + w.done));
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
      skip = 0;
      continue;
    }
    // O_DIRECT: a write that came short may leave a rest that it does not take.
    if (n <= 0 && w.otherwise >= 0) {
      w.descriptor = w.otherwise;
      w.otherwise = -1;
      skip = 0;
      continue;
    }
    if (n <= 0) {
      w.number = n < 0 ? errno : ENOSPC;
      return;
    }
    LOADSTONE_FAULT_POINT("io.half_written");
    w.done += static_cast<std::uint64_t>(n);
    skip = static_cast<std::uint64_t>(n);
  }
}

std::unique_ptr<file_writes> make_system_writes() {
  return std::make_unique<system_writes>();
}

std::unique_ptr<file_writes> choose_writes(std::string_view wanted) {
  std::unique_ptr<file_writes> chosen;
  if (wanted != "pwrite") chosen = make_ring_writes();
  return chosen != nullptr ? std::move(chosen) : make_system_writes();
}

}  // namespace loadstone::buffering
