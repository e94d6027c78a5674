// Waiting: look, spin, sleep (design §5). With one thread the fast path is: condition, poll, condition.
#include <time.h>

#include <new>
#include <optional>

#include "base/clock.hpp"
#include "base/cpus.hpp"
#include "base/fault.hpp"
#include "deposit/another_core.hpp"
#include "deposit/endpoint_state.hpp"
#include "wait/futex.hpp"

namespace loadstone::deposit {

using std::chrono::nanoseconds;
using wait::advice;

namespace {
constexpr nanoseconds as_long_as_allowed = std::chrono::hours(1);
}  // namespace

bool endpoint::wait_until(predicate done, void* context, const wait::reason& why) {
  state& s = *state_;
  return s.gate.threads() ? s.wait_threaded(done, context, why, as_long_as_allowed)
                          : s.wait(done, context, why, as_long_as_allowed);
}

bool endpoint::state::wait(predicate done, void* context, const wait::reason& why, nanoseconds longest) {
  if (done(context)) return true;
  if (gate.threads()) return wait_threaded(done, context, why, longest);
  if (policy.yields != 0) wait_for(why);
  if (!backoff.begun()) backoff.begin(mapped != nullptr && mapped->at_hand());  // watch_line() may have
  // One message at a time as long as they are what we wait for; everything else there may be to do, less
  // often.
  constexpr std::uint32_t full_poll_every = 8, stop_check_every = 4096;
  for (std::uint32_t looks = 1;; ++looks) {
    bool any = poll_front();
    if (done(context)) {
      backoff.end();
      return true;
    }
    if (any || looks % full_poll_every == 0) {
      if (poll() || any) {
        backoff.restart();
        if (done(context)) return true;
        continue;
      }
    }
    advice what = backoff.next();
    if (what == advice::look_again && looks % stop_check_every != 0) [[likely]]
      continue;
    if (stopping()) return false;
    relieve();
    if (what == advice::yield) {
      if (backoff.crowded()) [[unlikely]]
        leave_core();
      backoff.yield();
      looks |= full_poll_every - 1;  // others have run meanwhile: the next look is a full one
    }
    if (what == advice::sleep) {
      if (poll()) continue;
      sleep(nullptr, done, context, why, longest);
    }
  }
}

// What is left in a queue keeps its sender from going on when there is no memory for more: perhaps to what we wait for.
void endpoint::state::relieve() {
  if (starved == nullptr || in_handler) return;
  const auto source = with([](auto& way) { return way.starved(); });
  if (source) [[unlikely]]
    starved(starved_context, *source);
}

// The word of whom a wait is for is looked at while that has not come.
void endpoint::state::wait_for(const wait::reason& why) {
  const bool known = why.peer >= 0 && static_cast<std::uint32_t>(why.peer) < job.header().capacity;
  if (!known) return backoff.wait_for(nullptr, false);
  const auto peer = static_cast<std::uint32_t>(why.peer);
  backoff.wait_for(&job.process(peer).presence, self > peer);
}

// We and whom we wait for keep answering each other on one core, by a change of processes for each message.
void endpoint::state::leave_core() try {
  const auto presence_of = [&](std::uint32_t process) -> const wait::presence_word& {
    return job.process(process).presence;
  };
  const auto core = another_core(presence_of, job.header().world_size, self);
  if (core) base::move_to_cpu_numbered(*core);
} catch (const std::bad_alloc&) {
  // no memory to count with: it stays
}

// Around every sleep, under the gate: figures and events.
std::uint64_t endpoint::state::fell_asleep(const wait::reason& why) {
  ++counts.sleeps;
  entry.sleeps.fetch_add(1, std::memory_order_relaxed);  // relaxed: a figure
  if (config.events != nullptr) config.events->raise(base::event_kind::asleep, why.peer, why.tag);
  return base::now_ns();
}

void endpoint::state::woke_up(std::uint64_t went) {
  const std::uint64_t asleep = base::now_ns() - went;
  counts.sleep_ns += asleep;
  entry.sleep_ns.fetch_add(asleep, std::memory_order_relaxed);  // relaxed: a figure
  if (config.events != nullptr)
    config.events->raise(base::event_kind::awake, static_cast<std::int64_t>(asleep));
}

// One sleep. Called with the gate held; with threads, it is released while asleep.
void endpoint::state::sleep(wait::gate::waiter* me, predicate done, void* context, const wait::reason& why,
                            nanoseconds longest) {
  with([&](auto& way) {
    // The bell's value first: a ring from here on ends the sleep (sync: bell; models/sleep.pml,
    // BELL_READ_LATE).
    std::uint32_t bell = way.bell().load(std::memory_order_acquire);
    std::optional<nanoseconds> limit = way.arm();
    // The second look, behind the sleep bit: whoever stores from here on finds it.
    if (limit && !done(context) && !stopping()) {
      memory::wait_note note(entry, why);
      const std::uint64_t went = fell_asleep(why);
      LOADSTONE_FAULT_POINT("asleep");
      if (me != nullptr) {
        me->asleep_on = &way.bell();
        gate.unlock();
      }
      backoff.leave();  // which says nothing where there are several threads
      wait::sleep_on(way.bell(), bell, std::min(*limit, longest));
      backoff.arrive();
      if (me != nullptr) {
        gate.lock();
        me->asleep_on = nullptr;
      }
      woke_up(went);
    }
    way.disarm();
  });
}

// Several threads: whoever finds the draining role free takes it; the others sleep on their own bell until
// their condition holds or the role is theirs.
bool endpoint::state::wait_threaded(predicate done, void* context, const wait::reason& why,
                                    nanoseconds longest) {
  if (done(context)) return true;
  wait::gate::waiter me;
  me.ready = done;
  me.context = context;
  gate.enlist(me);
  wait::backoff own(policy);
  own.restart();
  // While work defers itself, for whose sake nobody rings: as short as what is missing usually takes, or as
  // long as it has been missing.
  nanoseconds nap = shortest_nap;
  bool finished = true;
  for (;;) {
    if (poll_for_program()) own.restart();
    if (done(context)) break;
    if (stopping()) {
      finished = false;
      break;
    }
    if (gate.drain(me)) {
      background.step_back();
      switch (own.next()) {
        case advice::look_again:
          gate.unlock();  // wakes those that are ready, and lets others in
          gate.lock();
          break;
        case advice::yield:
          gate.unlock();
          own.yield();
          gate.lock();
          break;
        case advice::sleep:
          sleep(&me, done, context, why, later.empty() ? longest : std::min(longest, nap));
          if (!later.empty()) nap = std::min(2 * nap, longest_nap);
          break;
      }
      continue;
    }
    // Relaxed: whoever rings holds the gate, as we do.
    std::uint32_t bell = me.bell.load(std::memory_order_relaxed);
    me.asleep_on = &me.bell;
    {
      memory::wait_note note(entry, why);
      const std::uint64_t went = fell_asleep(why);
      gate.unlock();
      wait::sleep_on(me.bell, bell, std::min<nanoseconds>(std::chrono::milliseconds(200), longest));
      gate.lock();
      woke_up(went);
    }
    me.asleep_on = nullptr;
  }
  gate.delist(me);
  return finished;
}

// The sender is between two copies and needs nothing of us: no polls, and short sleeps that nobody ends.
std::size_t endpoint::state::await_rest(std::uint32_t source, const std::atomic<std::uint32_t>& filled,
                                        std::size_t wanted) {
  const auto there = [&] {
    return std::size_t{filled.load(std::memory_order_acquire)};
  };  // sync: cell-filled, pair-line
  wait::backoff own(policy);
  own.restart();
  const wait::reason why{.peer = static_cast<std::int32_t>(source), .detail = "the rest of a message"};
  for (;;) {
    const advice what = own.next();
    if (const std::size_t now = there(); now >= wanted) return now;
    if (what == advice::look_again) continue;
    if (what == advice::yield) {
      own.yield();
      continue;
    }
    // It may have written all of it before it died.
    if (abandoned(source)) return there() >= wanted ? wanted : 0;
    memory::wait_note note(entry, why);
    const std::uint64_t went = fell_asleep(why);
    const timespec nap{0, 50'000};
    nanosleep(&nap, nullptr);
    woke_up(went);
  }
}

void endpoint::wake(std::uint32_t peer) {
  state_->with([&](auto& way) { way.wake(peer); });
}

namespace {
struct counter_wait {
  std::atomic_ref<std::uint64_t> word;
  std::uint64_t at_least;
};
}  // namespace

bool endpoint::wait_counter(counter mine, std::uint64_t at_least, const wait::reason& why) {
  auto got = state_->memory.reach(mine.where);
  if (!got) return false;
  counter_wait w{std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(got->at)), at_least};
  return wait_until(
      [](void* context) {
        auto& w = *static_cast<counter_wait*>(context);
        return w.word.load(std::memory_order_acquire) >= w.at_least;  // sync: counter
      },
      &w, why);
}

}  // namespace loadstone::deposit
