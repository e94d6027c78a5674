// What each collective in areas does at least once (areas.hpp), in line: with 8 bytes, calls took a
// tenth of the time.
#pragma once

#include <algorithm>

#include "base/fault.hpp"
#include "coll/areas.hpp"
#include "transport/prefetch.hpp"
#include "wait/flag_barrier.hpp"

namespace loadstone::coll {

inline void areas::begin(std::uint32_t number, bool counted, const signature& does) {
  begun_ = true;
  // The counter of a communicator has 31 bits for each of its sequences.
  be_operation(number_ + (counted ? ((number - static_cast<std::uint32_t>(number_)) & 0x7fffffffu) : 1u),
               does.one_sided());
  mark_ = number_ << 16 | static_cast<unsigned>(does.what) << 12 | (does.algorithm & 15u) << 8 |
          (static_cast<unsigned>(does.root) & 255u);
  heard_ = 0;
}

inline void areas::finish(bool used_slots) {
  begun_ = false;
  looking_ = looking::nothing;
  memory_.endpoint().words().came();
  if (used_slots) told_finished(number_);
}

inline void areas::told_finished(std::uint64_t number) {
  if (told_ >= number) return;
  told_ = number;
  own_->finished.store(number, std::memory_order_release);  // sync: area-finished
  std::atomic_signal_fence(std::memory_order_seq_cst);
  // Relaxed, and perhaps before that store can be seen: who wants it looks again after a time that
  // is enough for it (front_layout.hpp; sync: attention).
  if ((own_->wanted[0].load(std::memory_order_relaxed) | own_->wanted[1].load(std::memory_order_relaxed)) !=
      0) [[unlikely]]
    tell_those_who_want();
}

// Who waits says that it is past all before, as others may wait for that.
inline bool areas::wait_for(looking what, std::int32_t index) {
  looking_ = what;
  looking_at_ = index;
  told_finished(number_ - 1);
  return false;
}

inline bool areas::ready(std::uint64_t bytes) {
  return past(uses_[slot_]) && (bytes <= area_slot::most_behind || half_is_ready());
}

inline void areas::publish(std::int32_t to) {
  note_use(member_set::all());
  // The data comes with it (sync: area-published).
  slot_of(rank_).published.store(mark(), std::memory_order_release);
  LOADSTONE_FAULT_POINT("coll.published");
  announce(to);
}

inline bool areas::published_is(std::int32_t by) {
  member& m = members_[static_cast<std::size_t>(by)];
  if (slot_of(by).published.load(std::memory_order_acquire) != mark())  // sync: area-published
    return wait_for(looking::one, by);
  m.past = std::max(m.past, number_ - 1);
  // A member that gives something may be ahead: what it gives next is there by the time we look.
  if (one_sided_) transport::prefetch_to_read(next_slot_of(by));
  return true;
}

inline bool areas::published_is_below(std::int32_t below) {
  for (; heard_ < below; ++heard_)
    if (heard_ != rank_ && !published_is(heard_)) {
      looking_ = looking::many;
      looking_at_ = below;
      return false;
    }
  return true;
}

inline bool areas::all_published_is() {
  if (!published_is_below(size())) return false;
  past_all_ = number_ - 1;
  return true;
}

inline void areas::tell(std::uint32_t round) {
  const wait::flag_barrier geometry(own_->flags, rank_, size());
  const std::int32_t to = geometry.to(round);
  members_[static_cast<std::size_t>(to)].at->flags[round].store(
      mark(), std::memory_order_release);  // sync: flag-barrier
  LOADSTONE_FAULT_POINT("coll.told");
  announce(to);
}

// A writer that is ahead has heard of us, so of a later number no more is asked.
inline bool areas::told_is(std::uint32_t round) {
  const std::uint64_t flag = own_->flags[round].load(std::memory_order_acquire);  // sync: flag-barrier
  if (flag == mark() || flag >> 16 > number_) return true;
  return wait_for(looking::flag, static_cast<std::int32_t>(round));
}

}  // namespace loadstone::coll
