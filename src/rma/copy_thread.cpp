#include "rma/copy_thread.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <system_error>

#include "base/clock.hpp"
#include "base/cpus.hpp"
#include "base/fault.hpp"
#include "base/signals.hpp"
#include "copy/strided.hpp"
#include "datatype/cursor.hpp"
#include "memory/wait_note.hpp"
#include "rma/accumulate_ways.hpp"
#include "rma/asked_request.hpp"
#include "rma/engine.hpp"
#include "rma/handed.hpp"
#include "rma/ranges.hpp"
#include "rma/runs.hpp"
#include "rma/waiting.hpp"
#include "rma/ways.hpp"
#include "rma/window.hpp"
#include "wait/futex.hpp"

namespace loadstone::rma {

using datatype::op_kind;

namespace {

constexpr std::chrono::hours no_limit{24};
constexpr std::uint64_t poll_every_ns = 1'000'000;  // an origin that sleeps

}  // namespace

// --- the owner ---

copy_thread::~copy_thread() {
  stop();
  if (desk_ != nullptr) engine_.arena().release(desk_);
}

void copy_thread::stop() {
  if (!thread_.joinable()) return;
  desk_->open.store(0, std::memory_order_relaxed);  // relaxed: a hint
  ending_.store(true, std::memory_order_relaxed);   // relaxed: the bell tells of it (sync: bell)
  wait::ring(desk_->bell);
  thread_.join();
}

bool copy_thread::prepare(memory::address* desk) {
  if (desk_ == nullptr) {
    auto block = engine_.arena().allocate(sizeof(copy_desk), memory::isolation);
    if (!block) return false;
    std::memset(*block, 0, offsetof(copy_desk, runs));
    desk_ = static_cast<copy_desk*>(*block);
    where_ = engine_.arena().address_of(desk_);
  }
  *desk = where_;
  return true;
}

void copy_thread::add(window& w) {
  {
    const std::lock_guard hold(windows_lock_);
    windows_.emplace(w.id(), &w);
  }
  if (thread_.joinable()) return;
  const base::signals_blocked by_it;
  ending_.store(false, std::memory_order_relaxed);  // relaxed: nobody else runs
  try {
    thread_ = std::thread([this] { run(); });
    desk_->open.store(1, std::memory_order_relaxed);  // relaxed: a hint
  } catch (const std::system_error&) {                // none is to be had: others do without
  }
}

void copy_thread::remove(const window& w) {
  const std::lock_guard hold(windows_lock_);
  if (const auto found = windows_.find(w.id()); found != windows_.end() && found->second == &w)
    windows_.erase(found);
}

void copy_thread::run() {
  base::set_fault_process(engine_.self());
  // The program computes on the core that its rank is bound to.
  if (const std::int32_t launcher = engine_.job().header().launcher; launcher != 0)
    base::share_cpus_of(launcher);
  for (;;) {
    // Before the state: a ring from here on ends the sleep (sync: bell).
    const std::uint32_t value = desk_->bell.load(std::memory_order_acquire);
    if (ending_.load(std::memory_order_relaxed)) return;           // relaxed: behind the bell
    desk_word word{desk_->state.load(std::memory_order_relaxed)};  // relaxed: the exchange acquires
    // Fails if it was taken back.
    if (word.state() != desk_state::posted ||
        !desk_->state.compare_exchange_strong(word.bits, word.as(desk_state::working).bits,
                                              std::memory_order_acquire,
                                              std::memory_order_relaxed)) {  // sync: rma-desk
      wait::sleep_on(desk_->bell, value, no_limit);
      continue;
    }
    LOADSTONE_FAULT_POINT("rma.desk");
    desk_->state.store(word.as(carry_out(desk_->request)).bits, std::memory_order_release);  // sync: rma-desk
    wait::ring(desk_->answered);
  }
}

desk_state copy_thread::carry_out(const desk_request& what) {
  const std::lock_guard hold(windows_lock_);
  const auto found = windows_.find(what.window);
  if (found == windows_.end()) return desk_state::declined;
  window& w = *found->second;
  const bool written = what.kind != desk_kind::get;
  for (std::uint32_t i = 0; i < what.runs; ++i)
    if (!w.check_own(desk_->runs[i], written).ok()) return desk_state::declined;
  std::byte *data = desk_->data, *before = what.fetched != 0 ? data + what.fetched : nullptr;
  std::optional<element> each;
  if (what.kind == desk_kind::change)
    each.emplace(datatype::named_kind{static_cast<datatype::basic>(what.value),
                                      static_cast<datatype::basic>(what.index)});
  for (std::uint32_t i = 0; i < what.runs; ++i) {
    const asked_run& run = desk_->runs[i];
    std::byte* const here = asked_place(w.memory(), run.offset);
    const auto length = static_cast<std::size_t>(run.length);
    if (each) {
      each->apply(static_cast<op_kind>(what.op), here, run.stride, data, before, run.count);
      data += each->size() * run.count;
      if (before != nullptr) before += each->size() * run.count;
      continue;
    }
    if (written)
      copy::strided(here, run.stride, data, run.length, length, run.count);
    else
      copy::strided(data, run.length, here, run.stride, length, run.count);
    data += run.length * run.count;
  }
  return desk_state::done;
}

// --- an origin ---

struct copy_thread::turn {
  turn(const window& w, const target& of, double ns)
      : desk(*of.desk.at),
        owner(of.process),
        patience(static_cast<std::uint64_t>(ns)),
        deadline(base::now_ns() + patience),
        why{.peer = static_cast<std::int32_t>(of.process),
            .tag = -1,
            .communicator = wait::is_window | w.id(),
            .detail = "copying thread"} {}

  copy_desk& desk;
  const std::uint32_t owner;
  const std::uint64_t patience;  // for the desk, and once more for the thread to begin
  std::uint64_t deadline;
  const wait::reason why;
  desk_word mine{};
};

bool copy_thread::has_died(std::uint32_t process) {
  const std::lock_guard hold(engine_.endpoint().gate());
  return rma::has_died(engine_.endpoint(), engine_.job(), process);
}

// One sleep of an origin, until somebody rings. In between it answers messages: whoever waits for
// that may be the one that it waits for.
void copy_thread::sleep(const turn& t, memory::wait_note& note, std::uint32_t seen, std::uint64_t ns) {
  note.sleeps(t.why);
  wait::sleep_on(t.desk.answered, seen, std::chrono::nanoseconds(std::min(ns, poll_every_ns)));
  note.wakes();
  if (t.desk.answered.load(std::memory_order_relaxed) != seen) return;  // relaxed: the caller looks again
  const std::lock_guard hold(engine_.endpoint().gate());
  engine_.endpoint().poll();
}

// False: others have it until the deadline.
bool copy_thread::take(turn& t) {
  copy_desk& desk = t.desk;
  bool counted = false, taken = false;
  memory::wait_note note(engine_.job().process(engine_.self()));
  std::optional<std::uint32_t> gone;  // who had it: nobody else may have seen that it has died
  const auto is_dead = [this](std::uint32_t process) {
    return engine_.job().process(process).dead.load(std::memory_order_acquire) != 0;  // sync: process-dead
  };
  for (;;) {
    const std::uint32_t value =
        desk.answered.load(std::memory_order_acquire);           // before the look (sync: bell)
    desk_word word{desk.state.load(std::memory_order_seq_cst)};  // sync: rma-desk
    const bool is_free =
        word.state() == desk_state::free ||
        (word.state() != desk_state::working && (word.process() == gone || is_dead(word.process())));
    t.mine = desk_word::of(word.number() + 1, engine_.self(), desk_state::filling);
    if (is_free) {
      taken = desk.state.compare_exchange_strong(word.bits, t.mine.bits, std::memory_order_acquire,
                                                 std::memory_order_relaxed);  // sync: rma-desk
      if (taken) break;
      continue;
    }
    const std::uint64_t now = base::now_ns();
    if (is_dead(t.owner)) break;
    if (now >= t.deadline) {
      if (word.state() == desk_state::working || !has_died(word.process())) break;
      gone = word.process();
      continue;
    }
    if (!counted) {
      // Whoever gives it back sees that we wait, or we see that it is free (sync: rma-desk).
      desk.waiting.fetch_add(1, std::memory_order_seq_cst);
      counted = true;
      continue;
    }
    sleep(t, note, value, t.deadline - now);
  }
  if (counted) desk.waiting.fetch_sub(1, std::memory_order_relaxed);  // relaxed: at worst one ring in vain
  return taken;
}

void copy_thread::give_back(const turn& t) {
  // Sequentially consistent against who counts himself and looks again (sync: rma-desk).
  t.desk.state.store(t.mine.as(desk_state::free).bits, std::memory_order_seq_cst);
  if (t.desk.waiting.load(std::memory_order_seq_cst) != 0) wait::ring(t.desk.answered);
}

copy_thread::end copy_thread::await(const turn& t, desk_word posted) {
  copy_desk& desk = t.desk;
  memory::wait_note note(engine_.job().process(engine_.self()));
  std::uint64_t next_check = base::now_ns() + death_check_every_ns;
  for (;;) {
    const std::uint32_t value = desk.answered.load(std::memory_order_acquire);  // sync: bell
    desk_word word{desk.state.load(std::memory_order_acquire)};                 // sync: rma-desk
    if (word.state() == desk_state::done) return end::done;
    if (word.state() == desk_state::declined) return end::declined;
    const std::uint64_t now = base::now_ns();
    std::uint64_t limit = poll_every_ns;
    if (word.state() == desk_state::posted) {
      if (now >= t.deadline) {
        if (desk.state.compare_exchange_strong(word.bits, posted.as(desk_state::filling).bits,
                                               std::memory_order_acquire,
                                               std::memory_order_relaxed))  // sync: rma-desk
          return end::missed;
        continue;
      }
      limit = std::min(limit, t.deadline - now);
    }
    if (now >= next_check) {
      if (has_died(t.owner)) return end::gone;
      next_check = now + death_check_every_ns;
    }
    sleep(t, note, value, limit);
  }
}

copy_thread::end copy_thread::post(turn& t) {
  t.deadline = base::now_ns() + t.patience;
  const desk_word posted = t.mine.as(desk_state::posted);
  t.desk.state.store(posted.bits, std::memory_order_release);  // sync: rma-desk
  LOADSTONE_FAULT_POINT("rma.desk.posted");
  wait::ring(t.desk.bell);
  return await(t, posted);
}

trouble copy_thread::move(window& w, const place& at, const local_data& here, const remote_data& there,
                          bool get, double patience, std::int64_t* done) {
  const datatype::program* const program = there.type->compiled();
  copy_desk* const desk = at.to->desk.at;
  if (program == nullptr || desk == nullptr || !is_there(&here, get)) return {};
  datatype::cursor blocks(reinterpret_cast<void*>(at.offset), there.count, *there.type, *program, *done);
  while (*done < there.bytes()) {
    turn mine(w, *at.to, patience);
    if (!take(mine)) return {};
    const std::int64_t all = std::min(there.bytes() - *done, copy_desk::most_bytes);
    std::uint32_t runs = 0;
    std::int64_t bytes = 0;
    while (runs < copy_desk::most_runs && bytes < all) {
      const datatype::run r = blocks.next(all - bytes);
      desk->runs[runs++] = {static_cast<std::int64_t>(r.address), r.length, r.count, r.stride};
      bytes += r.length * r.count;
    }
    if (!get) datatype::pack(here.address, here.count, *here.type, *done, bytes, desk->data);
    desk->request = {.window = w.id(), .runs = runs, .kind = get ? desk_kind::get : desk_kind::put};
    const end how = post(mine);
    if (how == end::gone) return owner_gone();
    if (how == end::done && get)
      datatype::unpack(here.address, here.count, *here.type, *done, bytes, desk->data);
    give_back(mine);
    if (how != end::done) return {};
    *done += bytes;
  }
  return {};
}

trouble copy_thread::change(window& w, const place& at, const local_data* origin, const local_data* result,
                            const remote_data& where, op_kind op, double patience, unchanged* rest) {
  copy_desk* const desk = at.to->desk.at;
  if (where.type->compiled() == nullptr || desk == nullptr || !is_there(origin, false) ||
      !is_there(result, true))
    return {};
  const datatype::named_kind of = where.type->single_named();
  const element each(of);
  element_runs elements(each, reinterpret_cast<void*>(at.offset), where.count, *where.type, rest->from);
  range_hold hold(w, *at.to);
  while (rest->from < rest->to) {
    turn mine(w, *at.to, patience);
    if (!take(mine)) return {};
    const std::int64_t all =
        std::min(rest->to - rest->from, copy_desk::most_changed / each.size() * each.size());
    std::uint32_t runs = 0;
    std::int64_t bytes = 0;
    range_set ranges = 0;
    while (runs < copy_desk::most_runs && bytes < all) {
      const element_run r = elements.next((all - bytes) / each.size());
      const auto from = reinterpret_cast<std::int64_t>(r.at);
      desk->runs[runs++] = {from, each.span(), r.count, r.step};
      bytes += r.count * each.size();
      const std::int64_t way = (r.count - 1) * r.step;
      ranges |= ranges_of(at.to->base + static_cast<std::uint64_t>(from + std::min<std::int64_t>(way, 0)),
                          static_cast<std::uint64_t>((way < 0 ? -way : way) + each.span()));
    }
    if (origin != nullptr)
      datatype::pack(origin->address, origin->count, *origin->type, rest->from, bytes, desk->data);
    desk->request = {.window = w.id(),
                     .runs = runs,
                     .kind = desk_kind::change,
                     .op = static_cast<std::uint8_t>(op),
                     .value = static_cast<std::uint8_t>(of.value),
                     .index = static_cast<std::uint8_t>(of.index),
                     .fetched = result != nullptr ? static_cast<std::uint32_t>(copy_desk::most_changed) : 0};
    if (!hold.take(ranges)) {
      give_back(mine);
      return locks_lost(hold);
    }
    const end how = post(mine);
    if (how == end::gone) return owner_gone();
    hold.release();
    if (how == end::done && result != nullptr)
      datatype::unpack(result->address, result->count, *result->type, rest->from, bytes,
                       desk->data + copy_desk::most_changed);
    give_back(mine);
    if (how != end::done) return {};
    rest->from += bytes;
  }
  return {};
}

}  // namespace loadstone::rma
