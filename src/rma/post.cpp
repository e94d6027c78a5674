// Post, start, complete, wait: by counters in the records of those who wait for them. Whoever is
// told of something is told by a store or an addition, and woken; nothing answers.
//
//   post      counts in the slot that the poster has in each origin's record: origins may start
//             with some of those that posted, so they are kept apart
//   start     waits for one post more of each target than it has used before
//   complete  counts in each target's record
//   wait      waits until that is the sum of all origins ever posted to
//
// An origin cannot complete an epoch that has not been posted, and a target posts again only when
// the last exposure is over: so a sum tells as much as a counter for each origin.
//
// Cost: a line for each partner, and a system call for each one that sleeps. Model:
// models/rma_post.pml.
#include <fmt/format.h>

#include "base/fault.hpp"
#include "rma/synchronisation.hpp"
#include "rma/waiting.hpp"

namespace loadstone::rma {

// Once an exposure has been lost, nobody knows what the sum of completions will be.
bool synchronisation::post(std::span<const std::int32_t> ranks) {
  if (exposure_lost_) return false;
  const std::size_t at = sizeof(window_record) + static_cast<std::size_t>(rank_) * sizeof(member_slot) +
                         offsetof(member_slot, posted);
  exposed_ = nullptr;
  origin_seemed_dead_ = false;
  next_death_check_ = 0;
  for (const std::int32_t rank : ranks) {
    partner* const origin = find(rank);
    if (origin == nullptr) return lose_exposure();
    ++awaited_completions_;
    origin->next_exposed = exposed_;
    exposed_ = origin;
    if (!tell_awake(*origin, at, ++origin->posts)) return lose_exposure();
    LOADSTONE_FAULT_POINT("rma.posted");
  }
  for (const partner* origin = exposed_; origin != nullptr; origin = origin->next_exposed) wake(*origin);
  return true;
}

bool synchronisation::start(std::span<const std::int32_t> ranks, const wait::reason& caller) {
  std::size_t started = 0;
  if (wait_for_posts(ranks, caller, &started)) return true;
  for (const std::int32_t rank : ranks.first(started)) --find(rank)->starts;
  return false;
}

bool synchronisation::wait_for_posts(std::span<const std::int32_t> ranks, const wait::reason& caller,
                                     std::size_t* started) {
  wait::reason why = caller;
  why.detail = "post";
  for (const std::int32_t rank : ranks) {
    partner* const target = find(rank);
    if (target == nullptr) return false;
    const std::uint64_t number = ++target->starts;
    ++*started;
    const std::atomic<std::uint64_t>& posted = own_.slots()[rank].posted;
    why.peer = static_cast<std::int32_t>(target->process);
    why.since = 0;
    if (!wait_for_epoch(
            endpoint_, why,
            [&] { return posted.load(std::memory_order_acquire) >= number; },  // sync: rma-post
            [&] { return has_died(target->process); }))
      return false;
  }
  return true;
}

// All that can be told are told, also where one has died: the others wait for nothing else.
bool synchronisation::complete(std::span<const std::int32_t> ranks) {
  bool all_well = true;
  for (const std::int32_t rank : ranks) {
    partner* const target = find(rank);
    all_well &= target != nullptr && count(*target, offsetof(window_record, exposure.completed));
    LOADSTONE_FAULT_POINT("rma.completed");
  }
  return all_well;
}

bool synchronisation::exposure_is_over() const {
  return own_.exposure.completed.load(std::memory_order_acquire) >=
         awaited_completions_;  // sync: rma-complete
}

bool synchronisation::some_origin_has_died() const {
  for (const partner* origin = exposed_; origin != nullptr; origin = origin->next_exposed)
    if (has_died(origin->process)) return true;
  return false;
}

bool synchronisation::exposure_is_lost() {
  const std::uint64_t now = base::now_ns();
  if (next_death_check_ == 0) next_death_check_ = now + death_check_every_ns;
  if (now < next_death_check_) return false;
  next_death_check_ = now + death_check_every_ns;
  if (!origin_seemed_dead_) {
    // It may have completed before. Its message is taken in by the time we are asked again.
    origin_seemed_dead_ = some_origin_has_died();
    return false;
  }
  exposure_lost_ = !exposure_is_over();
  return exposure_lost_;
}

bool synchronisation::lose_exposure() {
  exposure_lost_ = true;
  return false;
}

bool synchronisation::wait_exposure(const wait::reason& caller) {
  if (exposure_is_over()) return true;
  wait::reason why = caller;
  char detail[32];
  std::uint64_t missing = 0;
  const auto name = [&] {
    // Relaxed: a number for people to read.
    const std::uint64_t now = awaited_completions_ - own_.exposure.completed.load(std::memory_order_relaxed);
    if (now == missing) return;  // who is polling should have no words to write
    missing = now;
    *fmt::format_to_n(detail, sizeof detail - 1, "{} {} missing", missing,
                      missing == 1 ? "completion" : "completions")
         .out = 0;
    why.detail = detail;
  };
  const bool one = exposed_ != nullptr && exposed_->next_exposed == nullptr;
  why.peer = one ? static_cast<std::int32_t>(exposed_->process) : -1;
  why.detail = "completions missing";
  exposure_lost_ = !wait_for_epoch(
      endpoint_, why,
      [&] {
        if (exposure_is_over()) return true;
        if (why.since != 0) name();
        return false;
      },
      [&] { return some_origin_has_died(); });
  return !exposure_lost_;
}

}  // namespace loadstone::rma
