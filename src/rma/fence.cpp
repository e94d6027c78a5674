// The barrier of a fence: by flags, or by counters where there are more members than cores. All
// members decide alike.
#include <fmt/format.h>

#include <algorithm>

#include "base/fault.hpp"
#include "rma/counter_barrier.hpp"
#include "rma/synchronisation.hpp"
#include "rma/waiting.hpp"

namespace loadstone::rma {

// Whoever cannot map member 0 is one of a group that does not map the others (transport::choice):
// these see it as well.
bool synchronisation::counts_fences() const {
  const std::uint32_t cores = job_.header().cpus;
  return cores != 0 && processes_.size() > cores &&
         std::all_of(processes_.begin(), processes_.end(),
                     [&](std::uint32_t process) { return endpoint_.route_to(process).mapped; });
}

bool synchronisation::barrier(const wait::reason& why) {
  LOADSTONE_FAULT_POINT("rma.fence");
  const std::uint64_t number = barrier_.begin();
  if (number == 1) counts_fences_ = counts_fences();
  return counts_fences_ ? barrier_of_counters(number, why) : barrier_of_flags(number, why);
}

// By flags, which come to each member's own record: with counters the others may still be looking
// at those of member 0 when that is past the barrier.
bool synchronisation::last_barrier(const wait::reason& why) {
  return barrier_of_flags(barrier_.begin(), why);
}

namespace {

constexpr std::size_t flag_at(std::uint32_t round) {
  return offsetof(window_record, fence.flags) + sizeof(std::uint64_t) * round;
}

}  // namespace

bool synchronisation::barrier_of_flags(std::uint64_t number, const wait::reason& caller) {
  for (std::uint32_t round = 0; round < barrier_.rounds(); ++round) {
    if (pass_round(round, number, caller)) continue;
    while (++round < barrier_.rounds())
      if (partner* const to = find(barrier_.to(round))) tell_given_up(*to, flag_at(round));
    return false;
  }
  return true;
}

bool synchronisation::pass_round(std::uint32_t round, std::uint64_t number, const wait::reason& caller) {
  partner* const to = find(barrier_.to(round));
  if (to == nullptr || !tell(*to, flag_at(round), number)) return false;
  LOADSTONE_FAULT_POINT("rma.told");
  if (barrier_.arrived(round)) return !barrier_.is_broken(round);
  const std::uint32_t awaited = processes_[static_cast<std::size_t>(barrier_.from(round))];
  char detail[wait::longest_detail + 1] = "";
  wait::reason why = caller;
  why.peer = static_cast<std::int32_t>(awaited);
  why.detail = "fence";
  const auto over = [&] {
    if (barrier_.arrived(round)) return true;
    // Words take longer than a short wait.
    if (why.since != 0 && *detail == 0) {
      *fmt::format_to_n(detail, wait::longest_detail, "fence, round {} of {}", round + 1, barrier_.rounds())
           .out = 0;
      why.detail = detail;
    }
    return false;
  };
  return wait_for_epoch(endpoint_, why, over, [&] { return has_died(awaited); }) &&
         !barrier_.is_broken(round);
}

bool synchronisation::barrier_of_counters(std::uint64_t number, const wait::reason& caller) {
  const partner* const first = find(0);
  if (first == nullptr || first->record == nullptr) return false;
  auto& words = first->record->fence;
  const std::uint64_t members = processes_.size();
  if (counter_barrier::arrive(words.arrived, words.released, members, number)) {
    for (const std::uint32_t process : processes_)
      if (process != endpoint_.self()) endpoint_.wake(process);
    return true;
  }
  wait::reason why = caller;
  char detail[wait::longest_detail + 1];
  std::uint64_t counted = 0;  // we are there
  const auto count = [&] {
    // Relaxed: a number for people to read.
    const std::uint64_t here = words.arrived.load(std::memory_order_relaxed) - members * (number - 1);
    if (here == counted) return;  // who is polling should have no words to write
    counted = here;
    *fmt::format_to_n(detail, wait::longest_detail, "fence, {} of {} are there", here, members).out = 0;
    why.detail = detail;
  };
  why.peer = -1;
  why.detail = "fence";
  return wait_for_epoch(
      endpoint_, why,
      [&] {
        if (counter_barrier::is_over(words.released, number)) return true;
        if (why.since != 0) count();
        return false;
      },
      [&] { return some_member_has_died(); });
}

}  // namespace loadstone::rma
