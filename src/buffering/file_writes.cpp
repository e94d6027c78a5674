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

void file_write::wrote(std::uint64_t more) {
  done += more;
  for (; first < parts.size() && more >= parts[first].iov_len; ++first) more -= parts[first].iov_len;
  if (more == 0) return;
  parts[first].iov_base = static_cast<std::byte*>(parts[first].iov_base) + more;
  parts[first].iov_len -= more;
}

void finish_write(file_write& w) {
  while (w.done < w.bytes) {
    const auto count = static_cast<int>(std::min<std::size_t>(w.parts.size() - w.first, at_once));
    const ssize_t n =
        pwritev(w.descriptor, w.parts.data() + w.first, count, static_cast<off_t>(w.offset + w.done));
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) {
      w.number = n < 0 ? errno : ENOSPC;
      return;
    }
    LOADSTONE_FAULT_POINT("io.half_written");
    w.wrote(static_cast<std::uint64_t>(n));
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
