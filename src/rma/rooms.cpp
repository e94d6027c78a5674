#include "rma/rooms.hpp"

#include <unistd.h>

#include <algorithm>
#include <new>

#include "base/round_up.hpp"

namespace loadstone::rma {

namespace {

constexpr std::size_t least_ring = 2 << 20, most_ring = 8 << 20, lines = 64;
constexpr std::size_t least_long = 4096;  // what is shorter stays in our cache

std::size_t ring_bytes() {
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return std::clamp(cache > 0 ? 2 * static_cast<std::size_t>(cache) : 0, least_ring, most_ring);
}

}  // namespace

rooms::~rooms() {
  if (ring_ != nullptr) arena_.release(ring_);
}

bool rooms::is_used(std::size_t begin, std::size_t end, std::size_t* behind) const {
  for (const room& r : used_)
    if (begin < r.end && r.begin < end) {
      *behind = r.end;
      return true;
    }
  return false;
}

rooms::room rooms::take(std::size_t most) try {
  most = base::round_up(most, lines);
  for (std::size_t wanted = ring_bytes(); ring_ == nullptr; wanted /= 2) {
    if (wanted < 4 * most) return {};
    auto block = arena_.allocate(wanted, memory::isolation);
    if (!block) continue;
    ring_ = static_cast<std::byte*>(*block);
    where_ = arena_.address_of(ring_);
    bytes_ = wanted;
  }
  used_.reserve(used_.size() + 1);
  bool wrapped = false;
  while (true) {
    if (next_ + most > bytes_) {
      if (wrapped) return {};
      wrapped = true;
      next_ = 0;
    }
    std::size_t behind = 0;
    if (!is_used(next_, next_ + most, &behind)) break;
    next_ = behind;
  }
  room r{ring_ + next_, {where_.region, where_.offset + next_}, next_, next_ + most};
  next_ += most;
  used_.push_back(r);
  return r;
} catch (const std::bad_alloc&) {
  return {};
}

void rooms::cut(room* last, std::size_t bytes) {
  if (next_ != last->end) return;
  room& kept = used_.back();
  kept.end = last->end = last->begin + base::round_up(bytes, lines);
  next_ = bytes < least_long ? last->begin : last->end;
}

void rooms::give(const room& r) {
  if (r.memory == nullptr) return;
  std::erase_if(used_, [&](const room& u) { return u.begin == r.begin; });
}

}  // namespace loadstone::rma
