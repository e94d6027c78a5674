// Waiting: poll, spin, sleep (design §5). With one thread the fast path is: condition, poll,
// condition.
#include <sched.h>
#include <time.h>

#include <new>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/cpus.hpp"
#include "base/fault.hpp"
#include "deposit/endpoint_state.hpp"
#include "wait/futex.hpp"

namespace loadstone::deposit {

using std::chrono::nanoseconds;
using wait::advice;

namespace {
constexpr nanoseconds as_long_as_allowed = std::chrono::hours(1);
constexpr std::uint64_t longest_expected_ns = 10'000'000;
// Each process says in a line of its own what its sleeps cost.
constexpr std::size_t most_asked = 32;
constexpr nanoseconds longest_of_threads = std::chrono::milliseconds(200);
constexpr std::uint32_t yields_at_first = 8;
constexpr std::uint32_t polls_before_yields = 256;
constexpr std::uint64_t long_wait_ns = 100'000'000;
constexpr std::uint32_t stop_check_every = 4096;  // polls
constexpr std::uint32_t polls_in_a_crowd = 4;     // before a yield
}  // namespace

bool endpoint::wait_until(wait::condition done, const wait::reason& why) {
  return state_->wait(done, why, as_long_as_allowed);
}

bool endpoint::yield_until(wait::condition done, wait::condition stay) {
  if (state_->gate.threads()) return false;
  wait::backoff& backoff = state_->backoff;
  std::uint32_t polls = 0;
  for (std::uint32_t n = 0; n < yields_at_first && backoff.may_yield(); ++n) {
    while (polls < polls_before_yields && stay()) {
      ++polls;
      wait::pause();
      if (done()) return true;
    }
    backoff.yield();
    if (!done()) continue;
    state_->spread();
    return true;
  }
  return false;
}

void endpoint::tested(bool found, std::uint64_t turn_ns) {
  endpoint_state& s = *state_;
  if (s.policy.yields == 0) [[likely]]
    return;
  wait::test_loop& tests = s.backoff.tests();
  if (found) return tests.found();
  const std::uint64_t now = base::now_ns();
  if (!tests.found_nothing(now, turn_ns)) return;
  if (s.gate.threads()) {
    const wait::gate::recess others(s.gate);
    sched_yield();
  } else {
    s.backoff.yield();
    s.spread();
  }
  tests.gave_away(now, base::now_ns());
}

// All of the job give their cores to each other: that goes as fast as the core with the most of
// them.
void endpoint_state::spread() {
  if (backoff.cores().may_look_around(job.header().world_size) && leave_core(true)) [[unlikely]]
    backoff.cores().moved();
}

wait::presence::place endpoint::words_access::place_of(std::uint32_t peer) const {
  return state_.backoff.place_of(state_.job.process(peer).presence);
}

void endpoint::words_access::give_way(std::uint32_t peer) {
  wait::backoff& backoff = state_.backoff;
  backoff.wait_for(&state_.job.process(peer).presence, state_.self > peer);
  backoff.cores().waited(place_of(peer) == wait::presence::place::same_core);
  if (backoff.cores().crowded()) [[unlikely]]
    state_.leave_core(false);
  backoff.yield();
}

bool endpoint_state::wait(wait::condition done, const wait::reason& why, nanoseconds longest) {
  if (done()) return true;
  if (gate.threads()) return wait_threaded(done, why, longest);
  if (policy.yields != 0) wait_for(why);
  if (!backoff.begun()) backoff.begin(routes->at_hand());  // watch() may have
  // One message at a time as long as they are what we wait for; everything else there may be to do,
  // less often.
  constexpr std::uint32_t full_poll_every = 8;
  nanoseconds nap = shortest_nap;
  std::uint32_t parts = expecting.parts;
  memory::wait_note note(entry);
  for (std::uint32_t polls = 1;; ++polls) {
    bool any = poll_front();
    look();
    if (done()) {
      backoff.end();
      return true;
    }
    if (any || polls % full_poll_every == 0) {
      if (poll() || any) {
        backoff.restart();
        if (done()) return true;
        continue;
      }
    }
    advice what = backoff.next();
    if (what == advice::poll_again && polls % stop_check_every != 0) [[likely]]
      continue;
    if (stopping()) return false;
    relieve();
    if (policy.how == wait::mode::spin) [[unlikely]]  // it never sleeps
      tell_of_long_wait(why);
    if (what == advice::yield) {
      // We and whom we wait for keep answering each other on one core, by a change of processes for
      // each message.
      if (backoff.cores().crowded()) [[unlikely]]
        leave_core(false);
      backoff.yield();
      polls |= full_poll_every - 1;  // others have run meanwhile: the next poll is a full one
    }
    if (what == advice::sleep && !polls_on(backoff, why, &parts) && !poll())
      sleep(nullptr, done, why, note, longest, &nap);
  }
}

// What is left in a queue keeps its sender from going on when there is no memory for more: perhaps
// to what we wait for.
void endpoint_state::relieve() {
  if (on_starved.tell == nullptr || in_handler) return;
  const auto source = routes->starved();
  if (source) [[unlikely]]
    on_starved.tell(on_starved.context, *source);
}

// The word of whom a wait is for is looked at while that has not come.
void endpoint_state::wait_for(const wait::reason& why) {
  const bool known = why.peer >= 0 && static_cast<std::uint32_t>(why.peer) < job.header().capacity;
  if (!known) return backoff.wait_for(nullptr, false);
  const auto peer = static_cast<std::uint32_t>(why.peer);
  backoff.wait_for(&job.process(peer).presence, self > peer);
}

// To the emptiest core: where numbers become more even by that, or away from those whom we keep
// yielding to, to where nobody else is awake, say. False: there is none.
bool endpoint_state::leave_core(bool evenly) try {
  wait::cores_of_all on(job.header().world_size);
  for (std::uint32_t p = 0; p < on.size(); ++p) {
    on[p] = wait::presence::core_of(job.process(p).presence);
    if (!evenly && p != self && routes->asleep(p)) on[p] |= wait::sleeps_there;
  }
  const auto core = wait::emptier_core(on, self, evenly ? 2 : 0, base::affinity_list());
  if (!core) return false;
  base::move_to_cpu_numbered(*core);
  backoff.arrive();  // before others look where we are
  return true;
} catch (const std::bad_alloc&) {
  return false;  // no memory to count with
}

// Is there a reason not to sleep yet, as `b` advises? `parts`: those that had come when this was
// asked last; if there are more now, the wait begins to poll anew.
bool endpoint_state::polls_on(wait::backoff& b, const wait::reason& why, std::uint32_t* parts) {
  if (std::exchange(*parts, expecting.parts) != expecting.parts) {
    b.restart();
    return true;
  }
  const std::uint64_t since = b.since();
  if (expecting.ns != 0) {
    expecting.until = std::max(expecting.until, since + expecting.ns);
    expecting.ns = 0;
  }
  const std::uint64_t expected = expecting.until > since ? expecting.until - since : 0;
  return b.polls_on(std::max(wait::policy::poll_ns(dearest_sleep(why)), expected));
}

// Of our own, and of whoever may have to be woken before our wait ends: if nobody is named, of
// those whom something was sent to. Who has not been woken yet says nothing.
std::uint32_t endpoint_state::dearest_sleep(const wait::reason& why) const {
  const auto known = [&](std::uint32_t process) {
    return wait::sleep_cost::known(job.process(process).sleep_cost);
  };
  std::uint32_t dearest = known(self);
  if (why.peer >= 0 && static_cast<std::uint32_t>(why.peer) < job.header().capacity) {
    dearest = std::max(dearest, known(static_cast<std::uint32_t>(why.peer)));
  } else if (policy.yields == 0) {
    const auto contacts = routes->contacts();
    for (const std::uint32_t p : contacts.last(std::min(contacts.size(), most_asked)))
      dearest = std::max(dearest, known(p));
  }
  return wait::sleep_cost::or_at_first(dearest);
}

void endpoint::words_access::note_progress() {
  ++state_.expecting.parts;
}

void endpoint::expect(std::uint64_t ns) {
  state_->expecting.ns = std::max(state_->expecting.ns, std::min(ns, longest_expected_ns));
}

// Around every sleep, under the gate: what hang reports say, figures and events. sleep(when it
// begins) says when it ended.
template <class Sleep>
void endpoint_state::asleep(const wait::reason& why, memory::wait_note& note, Sleep&& sleep) {
  note.sleeps(why);
  ++counts.sleeps;
  entry.sleeps.fetch_add(1, std::memory_order_relaxed);  // relaxed: a figure
  if (config.events != nullptr) config.events->raise(base::event_kind::asleep, why.peer, why.tag);
  const std::uint64_t went = base::now_ns(), slept = sleep(went) - went;
  counts.sleep_ns += slept;
  entry.sleep_ns.fetch_add(slept, std::memory_order_relaxed);  // relaxed: a figure
  if (config.events != nullptr)
    config.events->raise(base::event_kind::awake, static_cast<std::int64_t>(slept));
  note.wakes();
}

// Tests: waking up takes longer.
void endpoint_state::be_late() {
  lateness = lateness * 1664525 + 1013904223 + self;  // Numerical Recipes
  const std::uint32_t span = config.late_at_most_ns - config.late_at_least_ns + 1;
  const std::uint64_t until = base::now_ns() + config.late_at_least_ns + (lateness >> 8) % span;
  while (base::now_ns() < until) wait::pause();
}

// One sleep. Called with the gate held; with threads, it is released while asleep. `nap`: how long
// while there is work for a later poll, for which nobody rings; each time twice as long.
void endpoint_state::sleep(wait::gate::waiter* me, wait::condition done, const wait::reason& why,
                           memory::wait_note& note, nanoseconds longest, nanoseconds* nap) {
  if (!work.later.empty()) {
    longest = std::min(longest, *nap);
    *nap = std::min(2 * *nap, longest_nap);
  }
  // The bell's value first: a ring from here on ends the sleep (sync: bell; models/sleep.pml,
  // BELL_READ_LATE).
  std::uint32_t bell = routes->sleeper().bell().load(std::memory_order_acquire);
  std::optional<nanoseconds> limit = routes->arm();
  // The second poll, behind the sleep bit: whoever stores from here on finds it.
  look();
  if (limit && !done() && !stopping()) {
    asleep(why, note, [&](std::uint64_t went) {
      LOADSTONE_FAULT_POINT("asleep");
      if (me != nullptr) {
        me->asleep_on = &routes->sleeper().bell();
        gate.unlock();
      }
      backoff.leave();  // which says nothing where there are several threads
      // The last look may have asked somebody to wake us.
      if (routes->sleeper().settles()) limit = std::min<nanoseconds>(*limit, transport::settle_time);
      wait::sleep_on(routes->sleeper().bell(), bell, std::min(*limit, longest));
      if (config.late_at_most_ns != 0) [[unlikely]]
        be_late();
      const std::uint64_t awake = base::now_ns();
      backoff.arrive();
      if (me != nullptr) {
        gate.lock();
        me->asleep_on = nullptr;
      }
      slept_on_bell(went, awake);
      return awake;
    });
  }
  routes->sleeper().disarm();
  tell_of_long_wait(why);
}

// Under the gate.
void endpoint_state::tell_of_long_wait(const wait::reason& why) {
  if (on_long_wait.tell == nullptr) return;
  const std::uint64_t now = base::now_ns();
  if (why.since == 0) why.since = now;
  if (now - why.since >= long_wait_ns) on_long_wait.tell(on_long_wait.context, now);
}

// Several threads: whoever finds the draining role free takes it; the others sleep on their own
// bell until their condition holds or the role is theirs.
bool endpoint_state::wait_threaded(wait::condition done, const wait::reason& why, nanoseconds longest) {
  wait::gate::waiter me{.ready = done};
  gate.enlist(me);
  wait::backoff own(policy);
  if (policy.yields == 0) own.learn_from(backoff);
  nanoseconds nap = shortest_nap;
  bool finished = true;
  std::uint32_t parts = expecting.parts;
  bool stays_awake = policy.how != wait::mode::block;
  memory::wait_note note(entry);
  for (std::uint32_t polls = 1;; ++polls) {
    if (poll_for_program()) own.restart();
    if (done()) break;
    if (stopping()) {
      finished = false;
      break;
    }
    if (policy.how == wait::mode::spin && polls % stop_check_every == 0) [[unlikely]]
      tell_of_long_wait(why);
    if (gate.drain(me)) {
      background.step_back();
      advice what = own.next();
      if (what == advice::poll_again && crowded_by_threads() && polls % polls_in_a_crowd == 0)
        what = advice::yield;
      switch (what) {
        case advice::poll_again:
          gate.let_in();  // and wakes those that are ready
          break;
        case advice::yield:
          gate.unlock();
          own.yield();
          gate.lock();
          break;
        case advice::sleep:
          if (!polls_on(own, why, &parts)) sleep(&me, done, why, note, longest, &nap);
          break;
      }
      continue;
    }
    // Relaxed: whoever rings holds the gate, as we do.
    std::uint32_t bell = me.bell.load(std::memory_order_relaxed);
    me.asleep_on = &me.bell;
    if (stays_awake && gate.stay_awake(me, policy.most_awake())) {
      stays_awake = await_ring(me, bell);
      if (stays_awake) continue;
    }
    asleep(why, note, [&](std::uint64_t) {
      gate.unlock();
      // Who drains may sleep for longer than the words that we have asked for may.
      const nanoseconds most =
          routes->sleeper().settles() ? nanoseconds(transport::settle_time) : longest_of_threads;
      wait::sleep_on(me.bell, bell, std::min(most, longest));
      gate.lock();
      return base::now_ns();
    });
    me.asleep_on = nullptr;
  }
  gate.delist(me);
  own.end();
  if (policy.yields == 0) backoff.learn_from(own);
  return finished;
}

// With cores for several threads, who does not drain looks at its bell as long as a sleep on it
// costs, without the gate. Has it been rung? If not, it is still about to sleep (me.asleep_on).
bool endpoint_state::await_ring(wait::gate::waiter& me, std::uint32_t bell) {
  constexpr std::uint32_t pauses = 16;  // for each look at the clock
  // Relaxed: what the ring brought is read under the gate.
  const auto rung = [&] { return me.bell.load(std::memory_order_relaxed) != bell; };
  const bool crowded = crowded_by_threads();  // those that come later find it so themselves
  gate.unlock();
  const std::uint64_t begin = base::now_ns(), longest = wait::policy::poll_ns(sleep_cost.ns());
  for (std::uint64_t spent = 0; !rung() && spent < longest; spent = base::now_ns() - begin) {
    // Others may use the cores, too.
    if (crowded || spent >= policy.spin_ns) {
      sched_yield();
      continue;
    }
    for (std::uint32_t i = 0; i < pauses && !rung(); ++i) wait::pause();
  }
  gate.lock();
  gate.awake_no_more(me);
  return rung();
}

// The sender is between two copies and needs nothing of us: no polls, and short sleeps that nobody
// ends.
std::size_t endpoint_state::await_rest(std::uint32_t source, const std::atomic<std::uint32_t>& filled,
                                       std::size_t wanted) {
  const auto there = [&] {
    return std::size_t{filled.load(std::memory_order_acquire)};
  };  // sync: cell-filled, pair-line
  wait::backoff own(policy);
  own.restart();
  const wait::reason why{.peer = static_cast<std::int32_t>(source), .detail = "the rest of a message"};
  std::uint32_t parts = expecting.parts;
  memory::wait_note note(entry);
  for (;;) {
    const advice what = own.next();
    if (const std::size_t now = there(); now >= wanted) return now;
    if (what == advice::poll_again) continue;
    if (what == advice::yield) {
      own.yield();
      continue;
    }
    if (polls_on(own, why, &parts)) continue;
    // It may have written all of it before it died.
    if (abandoned(source)) return there() >= wanted ? wanted : 0;
    asleep(why, note, [](std::uint64_t) {
      const timespec nap{0, 50'000};
      nanosleep(&nap, nullptr);
      return base::now_ns();
    });
  }
}

void endpoint::wake(std::uint32_t peer) {
  state_->routes->wake(peer);
}

void endpoint::words_access::announce(std::uint32_t peer) {
  state_.routes->announce(peer);
}

void endpoint::words_access::came() {
  state_.routes->sleeper().came(1);
}

void endpoint::words_access::settle() {
  state_.routes->sleeper().settle();
}

bool endpoint::words_access::asleep(std::uint32_t peer) const {
  return state_.routes->asleep(peer);
}

}  // namespace loadstone::deposit
