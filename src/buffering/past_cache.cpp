#include "buffering/past_cache.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/magic.h>
#include <sys/vfs.h>

namespace loadstone::buffering {

namespace {

constexpr long xfs = 0x58465342;  // <linux/magic.h> does not have it
constexpr std::uint64_t worth_noting = 1 << 20;

}  // namespace

// File systems of several hosts have caches of their own, and those in memory have no device.
bool past_cache::gains_at(int descriptor) {
  struct statfs system {};
  return fstatfs(descriptor, &system) == 0 && (system.f_type == EXT4_SUPER_MAGIC || system.f_type == xfs);
}

int past_cache::open(int descriptor) {
  if (!gains_at(descriptor)) return -1;
  return ::open(fmt::format("/proc/self/fd/{}", descriptor).c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC);
}

bool past_cache::choose(bool in_a_hurry) const {
  return !in_a_hurry || (past_.known() && cached_.known() && past_.value() < cached_.value());
}

void past_cache::note(std::uint64_t past, std::uint64_t cached, std::uint64_t ns) {
  if (past >= worth_noting && cached < past / 16) past_.saw(base::per_byte(ns, past));
  if (cached >= worth_noting && past == 0) cached_.saw(base::per_byte(ns, cached));
}

}  // namespace loadstone::buffering
