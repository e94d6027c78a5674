#include "coll/missing.hpp"

#include <fmt/format.h>

namespace loadstone::coll {

// Relaxed: for people to read, and for whether to yield or to take somebody for dead: who has
// finished had come before, and what it did there is not read.
std::uint64_t missing_members::arrived() const {
  return a_.area_of(0).arrived[a_.slot_].load(std::memory_order_relaxed);
}

std::uint64_t missing_members::near() const {
  switch (a_.looking_) {
    case areas::looking::many:
      return static_cast<std::uint64_t>(a_.heard_);
    case areas::looking::work:
      return static_cast<std::uint64_t>(a_.size() - a_.awaited_.count());
    case areas::looking::release:
      return static_cast<std::uint64_t>(a_.arrivals_.count(arrived()));
    default:
      return 0;
  }
}

std::int32_t missing_members::first() const {
  std::int32_t found = areas::nobody;
  if (a_.looking_ == areas::looking::release) return areas::nobody;
  if (a_.looking_ == areas::looking::tree) return a_.looking_at_;
  each([&](std::int32_t r) {
    if (found == areas::nobody) found = r;
  });
  return found;
}

std::uint64_t missing_members::described() const {
  const auto number = [this]() -> std::uint64_t {
    if (a_.looking_ == areas::looking::release) return near();
    return static_cast<std::uint32_t>(a_.looking_ == areas::looking::slot ? a_.looking_at_ : first());
  };
  return static_cast<std::uint64_t>(a_.looking_) << 32 | number();
}

bool missing_members::may_have_left(std::int32_t rank) const {
  if (a_.looking_ != areas::looking::release) return false;
  const std::uint64_t ours = (a_.number_ & 0xffffffffu) << 16 | (a_.mark_ & 0xffffu);
  const std::uint64_t there = arrived();
  return there >> 16 == ours && a_.arrivals_.may_have(there, rank) &&
         a_.members_[static_cast<std::size_t>(rank)].at->finished.load(std::memory_order_acquire) >=
             a_.number_;  // sync: area-finished
}

void missing_members::describe(char* text, std::size_t bytes) const {
  const auto number = static_cast<std::int32_t>(described());
  char* end = text;
  switch (a_.looking_) {
    case areas::looking::nothing:
      end = fmt::format_to_n(text, bytes - 1, "collective by messages").out;
      break;
    case areas::looking::release:
      end = fmt::format_to_n(text, bytes - 1, "{} of {} are there", number, a_.size()).out;
      break;
    case areas::looking::slot:
      end = fmt::format_to_n(text, bytes - 1, "collective before, rank {}", number).out;
      break;
    default:
      end = fmt::format_to_n(text, bytes - 1, "collective, rank {}", number).out;
  }
  *end = 0;
}

}  // namespace loadstone::coll
