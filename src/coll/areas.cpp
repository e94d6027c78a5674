#include "coll/areas.hpp"

#include <algorithm>

#include "base/fault.hpp"
#include "coll/schedule.hpp"
#include "wait/flag_barrier.hpp"

namespace loadstone::coll {

// --- the line

void schedule_line::join(schedule& s) {
  line_.push_back(&s);
  if (line_.size() == 1 && !running_) s.advance();
}

bool schedule_line::leave(schedule& s) {
  const auto at = std::find(line_.begin(), line_.end(), &s);
  const bool first = at == line_.begin();
  line_.erase(at);
  return first && !line_.empty() && !running_;
}

void schedule_line::go_on() {
  running_ = true;
  while (!line_.empty()) {
    schedule* const next = line_.front();
    next->advance();
    if (!line_.empty() && line_.front() == next) break;
  }
  running_ = false;
}

// --- one operation

void areas::begin(std::uint32_t number, bool counted, const signature& does) {
  begun_ = true;
  // The counter of a communicator has 31 bits for each of its sequences.
  number_ += counted ? ((number - static_cast<std::uint32_t>(number_)) & 0x7fffffffu) : 1u;
  does_ = static_cast<std::uint16_t>(static_cast<unsigned>(does.what) << 12 | (does.algorithm & 15u) << 8 |
                                     (static_cast<unsigned>(does.root) & 255u));
  heard_ = 0;
}

void areas::finish(bool used_slots) {
  begun_ = false;
  looking_ = looking::nothing;
  if (used_slots) told_finished(number_);
}

void areas::told_finished(std::uint64_t number) {
  if (told_ >= number) return;
  told_ = number;
  // Sequentially consistent, both: either we see that it is wanted, or who wants it sees it
  // (sync: area-finished).
  own_->finished.store(number, std::memory_order_seq_cst);
  if (own_->wanted.load(std::memory_order_seq_cst) == 0) [[likely]]
    return;
  own_->wanted.store(0, std::memory_order_relaxed);  // relaxed: who still wants it says so again
  wake_all();
}

void areas::wake_all() {
  for (std::int32_t r = 0; r < size(); ++r)
    if (r != rank_) wake(r);
}

bool areas::is_past(std::int32_t rank, std::uint64_t number) {
  member& m = members_[static_cast<std::size_t>(rank)];
  if (m.past >= number) return true;
  m.past = std::max(m.past, m.at->finished.load(std::memory_order_acquire));  // sync: area-finished
  if (m.past >= number) return true;
  m.at->wanted.store(1, std::memory_order_seq_cst);
  m.past = std::max(m.past, m.at->finished.load(std::memory_order_seq_cst));  // sync: area-finished
  return m.past >= number;
}

bool areas::ready() {
  const std::uint64_t used = used_[number_ % 2];
  if (past_all_ >= used) [[likely]]
    return true;
  // Of counters: all have come since.
  const std::uint64_t gone =
      members_[0].at->released.load(std::memory_order_acquire) >> 16;  // sync: area-released
  if (gone > used) return past_all_ = gone - 1, true;
  const member_set& readers = readers_[number_ % 2];
  for (std::int32_t r = 0; r < size(); ++r)
    if (r != rank_ && readers.has(r) && !is_past(r, used)) return wait_for(looking::slot, r);
  if (readers == member_set::all()) past_all_ = used;
  return true;
}

// Who waits says that it is past all before, as others may wait for that.
bool areas::wait_for(looking what, std::int32_t index) {
  looking_ = what;
  looking_at_ = index;
  told_finished(number_ - 1);
  return false;
}

void areas::publish(std::int32_t to) {
  used_[number_ % 2] = number_;
  readers_[number_ % 2] = member_set::all();
  // The data comes with it (sync: area-published).
  own_slot().published.store(mark(), std::memory_order_release);
  LOADSTONE_FAULT_POINT("coll.published");
  if (to == all) {
    wake_all();
  } else if (to != nobody) {
    wake(to);
  }
}

bool areas::published_is(std::int32_t by) {
  member& m = members_[static_cast<std::size_t>(by)];
  if (m.at->slot(number_).published.load(std::memory_order_acquire) != mark())  // sync: area-published
    return wait_for(looking::one, by);
  m.past = std::max(m.past, number_ - 1);
  return true;
}

bool areas::published_is_below(std::int32_t below) {
  for (; heard_ < below; ++heard_)
    if (heard_ != rank_ && !published_is(heard_)) {
      looking_ = looking::many;
      looking_at_ = below;
      return false;
    }
  return true;
}

bool areas::all_published_is() {
  if (!published_is_below(size())) return false;
  past_all_ = number_ - 1;
  return true;
}

void areas::tell(std::uint32_t round) {
  const wait::flag_barrier geometry(own_->flags, rank_, size());
  const std::int32_t to = geometry.to(round);
  members_[static_cast<std::size_t>(to)].at->flags[round].store(
      mark(), std::memory_order_release);  // sync: flag-barrier
  LOADSTONE_FAULT_POINT("coll.told");
  wake(to);
}

// A writer that is ahead has heard of us, so of a later number no more is asked.
bool areas::told_is(std::uint32_t round) {
  const std::uint64_t flag = own_->flags[round].load(std::memory_order_acquire);  // sync: flag-barrier
  if (flag == mark() || flag >> 16 > number_) return true;
  return wait_for(looking::flag, static_cast<std::int32_t>(round));
}

// Whoever finds a later operation there, or another one, has not come to what all others do: it
// waits, asks, and is told (disagreement.hpp).
bool areas::arrive() {
  std::atomic<std::uint64_t>& arrived = members_[0].at->arrived[number_ % 2].word;
  const std::uint64_t empty = (number_ & 0xffffffffu) << 32 | std::uint64_t{does_} << 16;
  std::uint64_t seen = arrived.load(std::memory_order_relaxed);  // relaxed: the exchange decides
  for (;;) {
    const bool same = seen >> 16 == empty >> 16;
    if (!same && static_cast<std::int32_t>((seen >> 32) - (empty >> 32)) >= 0) return false;
    const std::uint64_t next = (same ? seen : empty) + 1;
    // Acquire and release: what all did before comes to the last one (sync: area-arrived).
    if (arrived.compare_exchange_weak(seen, next, std::memory_order_acq_rel, std::memory_order_relaxed)) {
      used_[number_ % 2] = number_;
      readers_[number_ % 2] = member_set::all();
      LOADSTONE_FAULT_POINT("coll.arrived");
      return (next & 0xffffu) == members_.size();
    }
  }
}

void areas::let_go(std::int32_t whom) {
  members_[0].at->released.store(mark(), std::memory_order_release);  // sync: area-released
  past_all_ = number_ - 1;
  LOADSTONE_FAULT_POINT("coll.released");
  if (whom == all) {
    wake_all();
  } else if (whom != nobody && whom != rank_) {
    wake(whom);
  }
}

bool areas::let_go_is() {
  if (members_[0].at->released.load(std::memory_order_acquire) != mark())  // sync: area-released
    return wait_for(looking::release, 0);
  past_all_ = number_ - 1;
  return true;
}

// --- along the levels of the machine

void areas::pass(bool back) {
  const std::size_t which = number_ % 2;
  if (used_[which] != number_) readers_[which] = {};
  used_[which] = number_;
  if (back) past_all_ = number_ - 1;  // all have come, as the root has heard
  // The data comes with it (sync: area-published).
  own_slot().published.store(back ? mark_back() : mark(), std::memory_order_release);
}

void areas::read_by(std::int32_t rank) {
  readers_[number_ % 2].add(rank);
  wake(rank);
}

bool areas::passed_is(std::int32_t by, bool back) {
  member& m = members_[static_cast<std::size_t>(by)];
  const std::uint64_t seen =
      m.at->slot(number_).published.load(std::memory_order_acquire);  // sync: area-published
  if (seen != (back ? mark_back() : mark())) return wait_for(looking::tree, by);
  m.past = std::max(m.past, number_ - 1);
  if (back) past_all_ = number_ - 1;
  return true;
}

// --- who is missing

bool areas::is_missing(std::int32_t rank) const {
  const auto has_published = [&](std::int32_t r) {
    return members_[static_cast<std::size_t>(r)].at->slot(number_).published.load(
               std::memory_order_relaxed) == mark();  // relaxed: whether to ask, no more
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

std::uint64_t areas::counted() const {
  // Relaxed: for people to read, and for whether to yield again.
  return members_[0].at->arrived[number_ % 2].word.load(std::memory_order_relaxed) & 0xffffu;
}

}  // namespace loadstone::coll
