// The progress thread: requests that need this process go on while the program computes.
//
// Condition: something outstanding that wants it (want); and config.progress, or something
//            that wants it whatever the configuration says (admit).
// Control:   hybrid (Worringer, 7.3): while a thread of the program waits here, that one polls, and
//            this thread stays asleep on the bell. When the last one leaves, it sets the sleep bit
//            on this thread's behalf: the next message rings. What it then finds it handles, polls
//            on for about as long as a wake-up takes (7.1.2), and sets the bit itself.
// Cost:      where it is not wanted: one test where the gate opens. Where it is: setting and
//            clearing the bit at each wait, and the wake-ups.
// Model:     models/progress.pml.
#include <algorithm>
#include <system_error>
#include <utility>

#include "base/cpus.hpp"
#include "base/fault.hpp"
#include "base/signals.hpp"
#include "deposit/endpoint_state.hpp"
#include "wait/futex.hpp"

namespace loadstone::deposit {

using std::chrono::nanoseconds;

namespace {

constexpr nanoseconds no_limit = std::chrono::hours(24);
// Whoever rings may die before it does.
constexpr nanoseconds longest_sleep = std::chrono::milliseconds(200);
// Work that the program has left may be done by another process, or by the program, which comes
// back: where cores are few, being in between would make everybody wait for us.
constexpr nanoseconds patience = std::chrono::microseconds(500);

wait::policy bounded(wait::policy p) {
  const bool enough_cores = p.yields == 0;
  p.how = enough_cores && p.how != wait::mode::block ? wait::mode::adaptive : wait::mode::block;
  p.spin_ns = 0;  // only as long as a sleep costs
  return p;
}

bool spare_core(const memory::job_header& job) {
  return (job.cpus != 0 ? job.cpus : base::usable_cpus()) > job.world_size;
}

}  // namespace

progress_thread::progress_thread(endpoint_state& s)
    : state_(s),
      for_all_(s.gate.threads() && (s.config.progress == endpoint_config::progress_kind::on ||
                                    (s.config.progress == endpoint_config::progress_kind::automatic &&
                                     spare_core(s.job.header())))),
      exists_(for_all_),
      allowed_(exists_) {
  s.gate.set_deputy(stand_by, this);
}

// Locks first, and then what several threads do differently. The thread itself is started where the
// gate opens, so nobody has seen them open before.
void progress_thread::admit() {
  if (exists_) return;
  exists_ = allowed_ = true;
  if (state_.gate.threads()) return;
  state_.gate.admit_threads();
  state_.memory.mappings().admit_threads();
  state_.routes->admit_threads();
}

void progress_thread::want(bool more) {
  wanted_ += more ? 1 : -1;
  state_.gate.want_deputy(allowed_ && wanted_ != 0);
}

// The gate opens, nobody waits, and something wants us.
void progress_thread::stand_by(void* self) {
  auto& p = *static_cast<progress_thread*>(self);
  if (p.awake_) return;
  if (!p.thread_.joinable()) return p.start();
  if (!p.state_.work.any && !p.parked_) {
    if (p.armed_) return;
    // Anything but an ordinary sleep it arranges by itself.
    const auto limit = p.state_.routes->arm();
    p.armed_ = true;
    if (limit && *limit >= longest_sleep) return;
  } else if (p.knows_) {
    return;
  }
  p.patient_ = p.state_.work.any;
  p.wake();
}

void progress_thread::wake() {
  awake_ = true;
  wait::ring(parked_ ? bell_ : state_.routes->sleeper().bell());
}

void progress_thread::disarm() {
  armed_ = false;
  state_.routes->sleeper().disarm();
}

void progress_thread::start() {
  const base::signals_blocked by_it;
  try {
    thread_ = std::thread([this] { run(); });
    awake_ = true;
  } catch (const std::system_error&) {  // there is none to be had: everything goes on in calls, as without it
    allowed_ = false;
    state_.gate.want_deputy(false);
  }
}

void progress_thread::run() {
  base::set_fault_process(state_.self);
  // The program computes on the core that its rank is bound to.
  if (const std::int32_t launcher = state_.job.header().launcher; launcher != 0)
    base::share_cpus_of(launcher);
  wait::gate& gate = state_.gate;
  wait::backoff own(bounded(state_.policy));
  nanoseconds nap = shortest_nap;
  gate.lock();
  while (!ending_) {
    if (wanted_ == 0 || gate.drained()) {
      doze(false, longest_sleep);
      own.restart();
      continue;
    }
    if (state_.poll()) {
      own.restart();
      nap = shortest_nap;
    }
    if (wanted_ == 0) continue;
    if (own.next() != wait::advice::sleep || own.polls_on(state_.sleep_cost.ns())) {
      gate.unlock();
      gate.lock();
      continue;
    }
    // One that ends by itself has brought nothing to poll on for.
    if (doze(true, state_.work.any ? nap : longest_sleep)) own.restart();
    nap = std::min(2 * nap, longest_nap);
  }
  gate.unlock();
}

// `ours`: nobody else polls, so the next message has to ring. Otherwise whoever leaves last sees to
// it that it does; and where nobody wants us, we are not on the bell at all. False: it ended by
// itself.
bool progress_thread::doze(bool ours, nanoseconds longest) {
  parked_ = wanted_ == 0;
  auto& bell = parked_ ? bell_ : state_.routes->sleeper().bell();
  // Before the bit: a ring from here on ends the sleep (sync: bell).
  const std::uint32_t value = bell.load(std::memory_order_acquire);
  nanoseconds limit = parked_ ? no_limit : longest;
  if (ours) {
    const auto allowed = state_.routes->arm();
    if (!allowed) return true;
    armed_ = true;
    limit = std::min(limit, *allowed);
  }
  knows_ = ours && state_.work.any;
  awake_ = false;
  state_.gate.unlock();
  const std::uint64_t went = base::now_ns();
  wait::sleep_on(bell, value, limit);
  const std::uint64_t awake = base::now_ns();
  state_.gate.lock();
  if (!parked_) state_.slept_on_bell(went, awake);
  awake_ = true;
  const bool rung = bell.load(std::memory_order_relaxed) != value;  // relaxed: what it brought is looked for
  parked_ = knows_ = false;
  step_back();
  if (!std::exchange(patient_, false)) return rung;
  state_.gate.unlock();
  std::this_thread::sleep_for(patience);
  state_.gate.lock();
  return rung;
}

void progress_thread::allow(bool yes) {
  if (!exists_) return;
  {
    const std::lock_guard guard(state_.gate);
    allowed_ = yes;
    state_.gate.want_deputy(allowed_ && wanted_ != 0);
    if (yes || !thread_.joinable()) return;
    ending_ = true;
    wake();
  }
  thread_.join();
  thread_ = {};
  ending_ = awake_ = false;
}

bool progress_thread::leave_to_program(void (*work)(void*), void* context) {
  if (!is_this_thread()) return false;
  left_.push_back({work, context});
  return true;
}

void progress_thread::run_left_work() {
  if (is_this_thread()) return;
  std::vector<deferred> now;
  now.swap(left_);
  for (deferred& d : now) d.work(d.context);
}

}  // namespace loadstone::deposit
