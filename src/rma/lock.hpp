// The passive lock of one member's part of a window: readers and writers, and a queue.
//
// Cost, if nobody else wants it: one compare-and-swap, and one subtraction to give it back, of one
// word in one line. What has to be waited for is in the same word.
//
// Who finds it taken queues up: it stores who was last into its slot and itself into the word, by
// one compare-and-swap. Only the first of the queue looks at the word; the others look at their
// slots. Whoever gives the lock back wakes the first. Newcomers may take a free lock past the queue
// (a lock that is handed over costs a change of processes each time), until it is reserved for the
// first: by itself, once it has been that for `patience_ns` and finds it taken; and by whoever
// gives it back past waiters for the `most_passes`th time, as the first may be without a core. Then
// it is the next to have it. So of n that wait, each waits for n of these spans and n turns.
//
// Who has locks of others already may join readers all the same (`joins`). For whom it is reserved
// waits for these readers, who may be waiting for one of his: two that lock their targets in
// different order, and two writers, one for each, would wait for ever. Nobody of a ring of waiters
// queues up behind a reader: of such a ring each would have queued up after the one behind him.
//
// The queue is linked from its end, which needs no second step that could be missing. Who leaves
// the front looks for the next from the end, and leaves notes on the way (member_slot::behind), so
// that each is looked at twice at the most. Source: the words of queue-based locks that are linked
// backwards, as in Rust's std::sys::sync::rwlock::queue; barging until a bound as in Go's
// sync.Mutex. Model: models/rma_lock.pml.
//
// Whoever does it on behalf of a process that has the word not mapped does the same, and gives its
// own number as the one to wake.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.hpp"
#include "rma/lock_layout.hpp"
#include "rma/record_layout.hpp"

namespace loadstone::rma {

inline constexpr std::uint64_t patience_ns = 200'000;
inline constexpr std::uint32_t most_passes = 2048;
inline constexpr std::uint64_t given_way_ns =
    1'000'000;  // to whom it is reserved for, by who may join readers

// `process` is who has it, and is named in the word. False: it is taken, or reserved.
bool try_lock(window_record& r, std::uint32_t process, bool exclusive, bool joins = false);
// The process that has to be woken because of it, after that.
std::optional<std::uint32_t> give_back(window_record& r, std::uint32_t process, bool exclusive);
// From here on nobody takes it past who waits for it.
void reserve_for_first(window_record& r);
// Somebody it hangs on has died: whoever wants it finds that out.
void mark_broken(window_record& r);

// May who joins readers take it, and nobody else who comes now?
bool is_reserved_from_readers(const window_record& r);

// Whom a waiter waits for: who has it exclusively, so many readers, or who is the next to have it.
struct lock_holder {
  std::optional<std::uint32_t> process;  // readers are not named
  std::uint32_t readers = 0;
  friend bool operator==(const lock_holder&, const lock_holder&) = default;
};

// Who has the lock, where that stands against such a holder.
std::optional<lock_holder> holder_against(const window_record& r, bool exclusive);

// A place in the queue. It is left by taking the lock, or never: then that member must not come
// again.
class lock_waiter {
 public:
  using clock = std::uint64_t (*)();  // ns
  // `rank` has no other place in this queue.
  lock_waiter(window_record& r, std::int32_t rank, std::uint32_t holder, std::uint32_t to_wake,
              bool exclusive, bool joins = false, clock c = base::now_ns);

  enum class answer : std::uint8_t { not_yet, taken, broken };
  // Tries to take it. Once it is not `not_yet`, the answer remains.
  answer look();
  // The reader behind us, who may have it as well; to be woken once it is taken.
  std::optional<std::uint32_t> next_reader() const { return next_reader_; }
  lock_holder holder() const;
  std::optional<std::uint32_t> in_front() const;  // the process that waits in front of us

 private:
  member_slot& slot_of(std::uint32_t member) const { return record_.slots()[member - 1]; }
  std::uint32_t process_of(std::uint32_t member) const {
    // Relaxed: stored before it came into the queue, which we know of by the word (sync: rma-lock).
    return slot_of(member).process.load(std::memory_order_relaxed) & ~wants_shared;
  }
  bool is_first();
  bool take(lock_state s);
  std::uint32_t behind_us(lock_state s);

  window_record& record_;
  const std::uint32_t us_;  // 1 + rank
  const std::uint64_t held_;
  const bool exclusive_;
  clock clock_;
  answer answer_ = answer::not_yet;
  bool first_ = false;
  std::uint64_t first_since_ = 0;
  std::uint32_t looks_ = 0;
  std::optional<std::uint32_t> next_reader_;
};

}  // namespace loadstone::rma
