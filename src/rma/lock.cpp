#include "rma/lock.hpp"

namespace loadstone::rma {

namespace {

// All that changes the word is a read-modify-write operation: so whoever reads it with acquire sees
// what each of them had stored before with release (sync: rma-lock), the slots of the queue among
// it.
bool change(window_record& r, lock_state& from, lock_state to) {
  return r.lock.state.compare_exchange_weak(from.word, to.word, std::memory_order_acq_rel,
                                            std::memory_order_acquire);  // sync: rma-lock
}

lock_state look_at(const window_record& r) {
  return {r.lock.state.load(std::memory_order_acquire)};  // sync: rma-lock
}

constexpr std::uint32_t look_at_word_every = 64;  // looks of who is not the first

}  // namespace

bool try_lock(window_record& r, std::uint32_t process, bool exclusive, bool joins) {
  const std::uint64_t held = lock_state::held_by(process, exclusive);
  lock_state s;  // most often nobody has it: no look before
  while (s.open_to(exclusive, joins) && !s.broken())
    if (change(r, s, {s.word + held})) return true;
  return false;
}

std::optional<std::uint32_t> give_back(window_record& r, std::uint32_t process, bool exclusive) {
  // Release: who takes it sees what we did under it (sync: rma-lock). Sequentially consistent, for
  // the look at the sleep bit of whom we wake.
  const lock_state before{r.lock.state.fetch_sub(lock_state::held_by(process, exclusive))};
  if (before.first() == 0) [[likely]]
    return std::nullopt;
  // Relaxed: stored before it came into the queue, which the word told us of (sync: rma-lock).
  return r.slots()[before.first() - 1].process.load(std::memory_order_relaxed) & ~wants_shared;
}

void reserve_for_first(window_record& r) {
  // Perhaps for nobody any more: then the next one queues up, alone, and takes it. Relaxed: nothing
  // comes with it.
  r.lock.state.fetch_or(lock_state::reserved_bit, std::memory_order_relaxed);
}

void mark_broken(window_record& r) {
  r.lock.state.fetch_or(lock_state::broken_bit, std::memory_order_relaxed);  // nothing comes with it
}

bool is_reserved_from_readers(const window_record& r) {
  const lock_state s = look_at(r);
  return s.open_to(false, true) && !s.open_to(false, false) && !s.broken();
}

std::optional<lock_holder> holder_against(const window_record& r, bool exclusive) {
  const lock_state s = look_at(r);
  if (s.writer() != 0) return lock_holder{s.writer() - 1, 0};
  if (exclusive && s.readers() != 0) return lock_holder{std::nullopt, s.readers()};
  return std::nullopt;
}

lock_waiter::lock_waiter(window_record& r, std::int32_t rank, std::uint32_t holder, std::uint32_t to_wake,
                         bool exclusive, bool joins, clock c)
    : record_(r),
      us_(static_cast<std::uint32_t>(rank) + 1),
      held_(lock_state::held_by(holder, exclusive)),
      exclusive_(exclusive),
      clock_(c) {
  member_slot& mine = slot_of(us_);
  // Relaxed, all of it: the word tells of it (sync: rma-lock).
  mine.process.store(to_wake | (exclusive ? 0 : wants_shared), std::memory_order_relaxed);
  mine.behind.store(0, std::memory_order_relaxed);
  for (lock_state s = look_at(r);;) {
    if (s.broken()) {
      answer_ = answer::broken;
      return;
    }
    if (s.open_to(exclusive_, joins)) {  // given back meanwhile, or to be joined
      if (!change(r, s, {s.word + held_})) continue;
      answer_ = answer::taken;
      return;
    }
    mine.before.store(static_cast<std::uint16_t>(s.last()), std::memory_order_relaxed);
    if (change(r, s, s.with_queue(s.first() == 0 ? us_ : s.first(), us_))) break;
  }
}

lock_waiter::answer lock_waiter::look() {
  ++looks_;
  if (answer_ != answer::not_yet) return answer_;
  if (!is_first()) {
    if (looks_ % look_at_word_every == 0 && look_at(record_).broken()) answer_ = answer::broken;
    return answer_;
  }
  for (lock_state s = look_at(record_); answer_ == answer::not_yet;) {
    if (s.broken()) {
      answer_ = answer::broken;
    } else if (s.allows(exclusive_)) {
      if (take(s)) answer_ = answer::taken;
      s = look_at(record_);
    } else if (s.reserved() || clock_() - first_since_ < patience_ns) {
      break;
    } else if (change(record_, s, {s.word | lock_state::reserved_bit})) {
      break;
    }
  }
  return answer_;
}

bool lock_waiter::is_first() {
  if (first_) return true;
  // Acquire: the notes on who is behind us (sync: rma-lock-front).
  if (slot_of(us_).before.load(std::memory_order_acquire) != 0) return false;
  first_ = true;
  first_since_ = clock_();
  return true;
}

bool lock_waiter::take(lock_state s) {
  const std::uint32_t next = behind_us(s);
  lock_state taken{(s.word & ~lock_state::reserved_bit) + held_};
  taken = taken.with_queue(next, next == 0 ? 0 : s.last());
  if (!change(record_, s, taken)) return false;
  if (next != 0) {
    member_slot& its = slot_of(next);
    its.before.store(0, std::memory_order_release);  // sync: rma-lock-front
    // Relaxed: stored before it came into the queue (sync: rma-lock).
    const std::uint32_t process = its.process.load(std::memory_order_relaxed);
    if (!exclusive_ && (process & wants_shared) != 0) next_reader_ = process & ~wants_shared;
  }
  return true;
}

// Relaxed, all of it: slots of the queue that the word told us of (sync: rma-lock), and notes that
// came to us with the front (sync: rma-lock-front).
std::uint32_t lock_waiter::behind_us(lock_state s) {
  if (s.last() == us_) return 0;
  if (const std::uint32_t known = slot_of(us_).behind.load(std::memory_order_relaxed); known != 0)
    return known;
  std::uint32_t at = s.last();
  for (;;) {
    const std::uint32_t before = slot_of(at).before.load(std::memory_order_relaxed);
    slot_of(before).behind.store(static_cast<std::uint16_t>(at), std::memory_order_relaxed);
    if (before == us_) return at;
    at = before;
  }
}

lock_holder lock_waiter::holder() const {
  const lock_state s = look_at(record_);
  if (s.writer() != 0) return {s.writer() - 1, 0};
  if (s.readers() != 0) return {std::nullopt, s.readers()};
  return {s.first() != 0 ? std::optional(process_of(s.first())) : std::nullopt, 0};
}

std::optional<std::uint32_t> lock_waiter::in_front() const {
  // Relaxed: who that is, or was a moment ago.
  const std::uint32_t before = slot_of(us_).before.load(std::memory_order_relaxed);
  return before == 0 ? std::nullopt : std::optional(process_of(before));
}

}  // namespace loadstone::rma
