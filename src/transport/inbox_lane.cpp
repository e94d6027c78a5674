#include "transport/inbox_lane.hpp"

#include "base/cpus.hpp"
#include "base/fault.hpp"
#include "memory/liveness.hpp"

namespace loadstone::transport {

namespace {
// Every sleep ends some time: a peer may be stopped or die between its read of the sleep bit and
// the bell.
constexpr auto usual_limit = std::chrono::milliseconds(200);
}  // namespace

void inbox_lane::open(front& own, std::uint64_t first_position) {
  lines_ = &own.inbox;
  slots_ = own.slots;
  inbox::prepare(own.inbox, slots_of(&own), own.slots, first_position);
  inbox_ = inbox::consumer(&own.inbox, slots_of(&own), own.slots, first_position,
                           base::slow_to_take_shared_lines());
}

bool inbox_lane::set_sleep_bit() {
  auto& word = lines_->tail;
  std::uint64_t tail = word.load(std::memory_order_relaxed);  // relaxed: the CAS checks it
  do {
    if ((tail & ~flag_bits) != inbox_.head() && inbox_.find() != nullptr) {
      gap_ = true;
      return false;
    }
  } while (!word.compare_exchange_weak(tail, tail | sleep_bit, std::memory_order_seq_cst,
                                       std::memory_order_relaxed));
  // What we poll from here on, others store before they read this bit. Without the fence
  // those polls could come before the bit can be seen, acquire or not (models/weak_sleep.pml).
  std::atomic_thread_fence(std::memory_order_seq_cst);
  gap_before_sleep_ = (tail & ~flag_bits) != inbox_.head();
  LOADSTONE_FAULT_POINT("asleep.armed");
  return true;
}

std::optional<std::chrono::nanoseconds> inbox_lane::longest_sleep() {
  if (!gap_before_sleep_) {
    gap_sleeps_ = 0;
    return usual_limit;
  }
  // Claimed and not published; that claimer did not see the bit and will not ring. It is between
  // two stores, or stopped, or dead.
  gap_ = true;
  if (inbox_.find() != nullptr) return std::nullopt;
  if (gap_sleeps_ < 8) ++gap_sleeps_;
  if (gap_sleeps_ > 4) check_first_holder();
  return std::chrono::microseconds(50) * (1 << gap_sleeps_);  // up to 13 ms
}

void inbox_lane::check_first_holder() {
  std::uint64_t position = inbox_.head();
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    memory::process_entry& entry = job_.process(p);
    if (entry.arena_open.load(std::memory_order_acquire) == 0) continue;  // sync: arena-open
    auto got = memory_.reach(memory::front_of(p));
    if (!got) return;  // it may be the holder
    auto& intent = reinterpret_cast<front*>(got->at)->intent;
    // Acquire: if the holder has gone on to another slot, this one is published, and seen below
    // (sync: inbox-intent).
    if (intent.inbox.load(std::memory_order_acquire) != memory_.self()) continue;
    if (intent.position.load(std::memory_order_acquire) != position) continue;
    if (memory::is_alive(job_, p)) return;
  }
  if (inbox_.front() != nullptr || !inbox_.pending()) return;
  inbox_.void_first();
  ++voided_;
}

}  // namespace loadstone::transport
