#include <algorithm>
#include <bit>
#include <utility>

#include "base/fault.hpp"
#include "coll/areas_inl.hpp"
#include "coll/schedule.hpp"
#include "wait/flag_barrier.hpp"
#include "wait/pause.hpp"

namespace loadstone::coll {

// --- the line

void schedule_line::join(schedule& s) {
  schedule** end = &first_;
  while (*end != nullptr) end = &(*end)->there_.behind;
  *end = &s;
  if (first_ == &s && !running_) s.advance();
}

bool schedule_line::leave(schedule& s) {
  schedule** at = &first_;
  while (*at != &s) at = &(*at)->there_.behind;
  *at = std::exchange(s.there_.behind, nullptr);
  return at == &first_ && first_ != nullptr && !running_;
}

void schedule_line::go_on() {
  running_ = true;
  while (first_ != nullptr) {
    schedule* const next = first_;
    next->advance();
    if (first_ == next) break;
  }
  running_ = false;
}

// --- one operation

bool areas::is_past(std::int32_t rank, std::uint64_t number) {
  // It is as many operations behind as there are slots: to look at once again and again would only
  // take its line away. A moment later it has finished more than one, if it is not asleep.
  constexpr int a_moment = 8;  // pauses: 0.1 to 0.4 µs
  member& m = members_[static_cast<std::size_t>(rank)];
  const auto looks = [&] {
    m.past = std::max(m.past, m.at->finished.load(std::memory_order_acquire));  // sync: area-finished
    return m.past >= number;
  };
  if (m.past >= number || looks()) return true;
  // Who finishes reads this word without a fence behind what it has finished.
  const bool first = looking_ != looking::slot || looking_at_ != rank;
  if (first) {
    for (int i = 0; i < a_moment; ++i) wait::pause();
    if (looks()) return true;
  }
  // Relaxed: whether we have said so already. What others say does not count: it may be newer than
  // the last look of who finishes.
  std::atomic<std::uint64_t>& wanted = m.at->wanted[rank_ / 64];
  const std::uint64_t us = std::uint64_t{1} << rank_ % 64;
  if (first || (wanted.load(std::memory_order_relaxed) & us) == 0) {
    wanted.fetch_or(us, std::memory_order_seq_cst);
    memory_.endpoint().words().settle();
  }
  m.past = std::max(m.past, m.at->finished.load(std::memory_order_seq_cst));  // sync: area-finished
  return m.past >= number;
}

bool areas::all_are_past(const use& u) {
  const std::uint64_t used = u.number;
  if (used == number_) return true;  // we have written it for this operation
  // Of counters: all have come since.
  const std::uint64_t gone =
      members_[0].at->released.load(std::memory_order_acquire) >> 16;  // sync: area-released
  if (gone > used) return past_all_ = gone - 1, true;
  std::uint64_t least = number_ - 1;
  for (std::int32_t r = 0; r < size(); ++r) {
    if (r == rank_ || !u.readers.has(r)) continue;
    if (!is_past(r, used)) return wait_for(looking::slot, r);
    least = std::min(least, members_[static_cast<std::size_t>(r)].past);
  }
  if (u.readers == member_set::all()) past_all_ = least;
  return true;
}

bool areas::half_is_ready() {
  auto& h = halves_[number_ % 2];
  // If another one has been written in its slot since, all were past it then.
  if (const use& u = uses_[h.slot]; u.number == h.number && !past(u)) return false;
  h = {number_, slot_};
  return true;
}

void areas::tell_those_who_want() {
  // What we have finished can be seen before (sync: area-finished); who still wants more says so
  // again.
  for (std::atomic<std::uint64_t>& word : own_->wanted) word.exchange(0, std::memory_order_seq_cst);
  announce(all);
}

void areas::announce(std::int32_t whom) {
  if (whom == all) {
    for (std::int32_t r = 0; r < size(); ++r)
      if (r != rank_) memory_.endpoint().words().announce(process_of(r));
  } else if (whom != nobody && whom != rank_) {
    memory_.endpoint().words().announce(process_of(whom));
  }
}

void areas::wake_all() {
  for (std::int32_t r = 0; r < size(); ++r)
    if (r != rank_) wake(r);
}

// Whoever finds a later operation there, or another one, has not come to what all others do: it
// waits, asks, and is told (disagreement.hpp).
bool areas::arrive() {
  std::atomic<std::uint64_t>& arrived = area_of(0).arrived[slot_];
  const std::uint64_t empty = (number_ & 0xffffffffu) << 32 | (mark_ & 0xffffu) << 16;
  std::uint64_t seen = arrived.load(std::memory_order_relaxed);  // relaxed: the exchange decides
  for (;;) {
    const bool same = seen >> 16 == empty >> 16;
    if (!same && static_cast<std::int32_t>((seen >> 32) - (empty >> 32)) >= 0) return false;
    const std::uint64_t next = (same ? seen : empty) + arrivals_.of(rank_);
    // Acquire and release: what all did before comes to the last one (sync: area-arrived).
    if (arrived.compare_exchange_weak(seen, next, std::memory_order_acq_rel, std::memory_order_relaxed)) {
      note_use(member_set::all());
      LOADSTONE_FAULT_POINT("coll.arrived");
      return arrivals_.count(next) == size();
    }
  }
}

void areas::let_go(std::int32_t whom) {
  members_[0].at->released.store(mark(), std::memory_order_release);  // sync: area-released
  past_all_ = number_ - 1;
  LOADSTONE_FAULT_POINT("coll.released");
  announce(whom);
}

bool areas::let_go_is() {
  if (members_[0].at->released.load(std::memory_order_acquire) != mark())  // sync: area-released
    return wait_for(looking::release, 0);
  past_all_ = number_ - 1;
  return true;
}

// --- along the levels of the machine

void areas::pass(bool back) {
  if (uses_[slot_].number != number_) note_use({});
  if (back) past_all_ = number_ - 1;  // all have come, as the root has heard
  // The data comes with it (sync: area-published).
  slot_of(rank_).published.store(back ? mark_back() : mark(), std::memory_order_release);
}

void areas::read_by(std::int32_t rank) {
  uses_[slot_].readers.add(rank);
  announce(rank);
}

bool areas::passed_is(std::int32_t by, bool back) {
  member& m = members_[static_cast<std::size_t>(by)];
  const std::uint64_t seen = slot_of(by).published.load(std::memory_order_acquire);  // sync: area-published
  if (seen != (back ? mark_back() : mark())) return wait_for(looking::tree, by);
  m.past = std::max(m.past, number_ - 1);
  if (back) past_all_ = number_ - 1;
  return true;
}

// --- who is missing

bool areas::is_missing(std::int32_t rank) const {
  const auto has_published = [&](std::int32_t r) {
    return slot_of(r).published.load(std::memory_order_relaxed) ==
           mark();  // relaxed: whether to ask, no more
  };
  switch (looking_) {
    case looking::nothing:
      return false;
    case looking::slot:
      return rank == looking_at_;
    case looking::one:
      return rank == looking_at_;
    case looking::many:
      return rank < looking_at_ && !has_published(rank);
    case looking::flag:
      return rank ==
             wait::flag_barrier(own_->flags, rank_, size()).from(static_cast<std::uint32_t>(looking_at_));
    case looking::release:
      return true;  // any of them
    case looking::work:
      return awaited_.has(rank);
    case looking::tree:  // whom we wait for may wait for others
      return members_[static_cast<std::size_t>(rank)].at->finished.load(std::memory_order_acquire) <
             number_;  // sync: area-finished
  }
  return false;
}

// Relaxed: for whether to yield.
bool areas::waits_for_other_cores() {
  if (looking_ == looking::one)
    return memory_.endpoint().words().place_of(process_of(looking_at_)) == wait::presence::place::beside;
  return looking_ == looking::release &&
         arrivals_.all_on_our_core(area_of(0).arrived[slot_].load(std::memory_order_relaxed), rank_,
                                   [this](std::int32_t r) { return shares_core(r); });
}

}  // namespace loadstone::coll
