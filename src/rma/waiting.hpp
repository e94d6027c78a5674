// A wait for other members that ends, too, when one of them has died.
#pragma once

#include <cstdint>

#include "base/clock.hpp"
#include "deposit/endpoint.hpp"
#include "memory/liveness.hpp"

namespace loadstone::rma {

inline constexpr std::uint64_t death_check_every_ns = 100'000'000;
inline constexpr std::uint32_t looks_without_clock = 4096;

// Another process of the job. Asks the system, and tells everybody.
inline bool has_died(const deposit::endpoint& endpoint, memory::job& job, std::uint32_t process) {
  if (process == endpoint.self() || memory::is_alive(job, process)) return false;
  memory::note_death(job, process);
  return true;
}

// Waits until done() holds. gone() asks the system, now and then once it has slept: has somebody
// died without whom it cannot? Both are called under the gate, perhaps by another thread, and
// done() again after it has held. `why` may change meanwhile. False: they have, or the job is being
// stopped.
template <class Done, class Gone>
bool wait_for_members(deposit::endpoint& endpoint, wait::reason& why, Done&& done, Gone&& gone) {
  struct waiting {
    Done& done;
    Gone& gone;
    wait::reason& why;
    std::uint32_t looks = 0;
    std::uint64_t next_check = 0;
    bool seemed_gone = false, is_gone = false;

    bool over() {
      if (done()) return true;
      // Who never sleeps asks now and then, too.
      if (why.since == 0 && ++looks % looks_without_clock != 0) [[likely]]
        return false;
      const std::uint64_t now = base::now_ns();
      if (next_check == 0) next_check = now + death_check_every_ns;
      if (is_gone || now < next_check) return is_gone;
      next_check = now + death_check_every_ns;
      if (!gone()) return false;
      // What it did before may be here, or in a message that the next poll takes in.
      is_gone = seemed_gone && !done();
      seemed_gone = true;
      next_check = now;
      return is_gone;
    }
  } w{done, gone, why};
  return endpoint.wait_until([&] { return w.over(); }, why) && !w.is_gone;
}

// The same for what others store in an epoch that all are in: with fewer cores than processes gives
// the core away first, as they need it. (Polls, which look for messages, come after that.)
template <class Done, class Gone>
bool wait_for_epoch(deposit::endpoint& endpoint, wait::reason& why, Done&& done, Gone&& gone) {
  if (done() || endpoint.yield_until(done)) return true;
  return wait_for_members(endpoint, why, done, gone);
}

}  // namespace loadstone::rma
