// Put and get to ordinary memory of other processes: what is collected, and what carries the rest
// (choice.hpp). The system's calls need no gate; what needs the owner's help, or is kept, takes it.
#include <algorithm>
#include <mutex>
#include <utility>

#include "datatype/cursor.hpp"
#include "rma/asked.hpp"
#include "rma/attached.hpp"
#include "rma/copy_thread.hpp"
#include "rma/engine.hpp"
#include "rma/handed.hpp"
#include "rma/waiting.hpp"
#include "rma/ways.hpp"

namespace loadstone::rma {

using base::code;
using base::status;

transfer shape_of(const remote_data& where, bool get, std::int64_t from) {
  const std::int64_t bytes = where.bytes() - from;
  transfer what{get, bytes, 1, where.highest() - where.lowest()};
  if (where.type->in_one_block(where.count)) return what;
  const datatype::program* const program = where.type->compiled();
  if (program == nullptr) return what;
  datatype::cursor there(nullptr, where.count, *where.type, *program, from);
  what.blocks = std::max<std::int64_t>(1, bytes / there.next(bytes).length);
  return what;
}

namespace {

// The holes between blocks may be read only where they are memory of the window.
bool may_read_holes(const place& at, const remote_data& where) {
  if (at.to->attached == nullptr) return true;
  place all = at;
  const auto base = static_cast<std::int64_t>(at.address);
  return at.to->attached->find(base + where.lowest(), base + where.highest(), &all).ok() &&
         all.way == way::system;
}

// As copy_thread::move(). What it leaves is carried otherwise.
trouble by_thread(window& w, const place& at, const local_data& here, const remote_data& where, bool get,
                  double patience, std::int64_t* done) {
  const trouble t = w.engine().for_others().move(w, at, here, where, get, patience, done);
  const std::lock_guard hold(w.engine().endpoint().gate());
  w.engine().by_owner().learn_of_thread(*at.to, *done == where.bytes());
  return t;
}

}  // namespace

status window::put_ordinary(const place& at, const local_data& origin, const remote_data& where) {
  const std::int64_t all = where.bytes();
  const bool one_block = origin.type->in_one_block(origin.count) && where.type->in_one_block(where.count);
  for (std::int64_t done = 0; done < all;) {
    std::int64_t part = all;
    bool thread = false;
    double patience = 0;
    {
      const std::lock_guard hold(engine_.endpoint().gate());
      if (one_block && all <= collection::largest) {
        if (const trouble late =
                collect(*at.to, at.offset + where.lowest(), origin.type->block_at(origin.address), all);
            late.ok())
          return status::success();
        else if (late.what != wrong::no_memory)
          return late.why;
      }
      send_what_touches(at, where);
      owner_seen seen{};
      const decision by = engine_.by_owner().choose(*at.to, shape_of(where, false, done), &seen);
      if (by.by == carrier::handed)
        if (const trouble t = engine_.by_owner().move(*this, at, origin, where, false, by, seen, &done);
            !t.ok())
          return t.why;
      if (done == all) break;
      part = part_alone(all - done, by.calls);
      thread = by.alone == carrier::thread;
      patience = engine_.by_owner().patience_for_thread(by);
    }
    if (thread) {
      if (const trouble t = by_thread(*this, at, origin, where, false, patience, &done); !t.ok())
        return t.why;
      continue;
    }
    if (const status alone = system_put(*this, at, origin, where, done, done + part); !alone.ok())
      return alone;
    done += part;
  }
  return status::success();
}

status window::get_ordinary(const place& at, const local_data& result, const remote_data& where) {
  std::int64_t done = 0;
  owner_seen seen{};
  decision by{};
  {
    const std::lock_guard hold(engine_.endpoint().gate());
    send_what_touches(at, where);
    by = engine_.by_owner().choose(*at.to, shape_of(where, true), &seen);
    if (by.by == carrier::handed)
      if (const trouble t = engine_.by_owner().move(*this, at, result, where, true, by, seen, &done); !t.ok())
        return t.why;
  }
  const auto learn = [&] {
    if (seen.since == 0) return;
    const std::lock_guard hold(engine_.endpoint().gate());
    engine_.by_owner().learn(*at.to, by, seen);
  };
  if (done == where.bytes()) {
    learn();
    return status::success();
  }
  if (by.alone == carrier::thread) {
    const double patience = engine_.by_owner().patience_for_thread(by);
    if (const trouble t = by_thread(*this, at, result, where, true, patience, &done); !t.ok()) return t.why;
    if (done == where.bytes()) return status::success();
  }
  if (by.by != carrier::blocks && !where.type->in_one_block(where.count) && may_read_holes(at, where)) {
    // Where not all of it is memory, the blocks may be.
    const status got = system_get_spans(*this, at, result, where, done);
    if (got.kind != code::bad_address) return got;
  }
  const status got = system_get(*this, at, result, where, done);
  learn();
  return got;
}

// no_memory: it is not kept, and nothing has happened. `gone`: the target has died.
trouble window::collect(target& t, std::int64_t offset, const void* data, std::int64_t bytes) {
  if (t.collected == nullptr) {
    t.collected = engine_.take_collection();
    if (t.collected == nullptr) return {.what = wrong::no_memory};
    outstanding_.fetch_add(1, std::memory_order_relaxed);  // relaxed: as outstanding()
  }
  if (t.collected->add(offset, data, bytes)) return {};
  const trouble late = send_collected(t);
  if (late.what == wrong::gone) return late;
  keep(t, late);
  return collect(t, offset, data, bytes);
}

// What has failed comes out of the next flush, as nobody else is left to tell.
void window::keep(target& t, const trouble& failed) {
  if (failed.ok() || !t.failed.ok()) return;
  t.failed = failed;
  outstanding_.fetch_add(1, std::memory_order_relaxed);  // relaxed: as outstanding()
}

// The standard has no order for operations on one location in an epoch, but for accumulates. Who
// relies on one all the same finds the one in which they were called.
void window::send_what_touches(const place& at, const remote_data& where) {
  if (at.to->collected == nullptr ||
      !at.to->collected->touches(at.offset + where.lowest(), at.offset + where.highest()))
    return;
  keep(*at.to, send_collected(*at.to));
}

// Sends what is collected, and waits for what another thread sends at this moment.
trouble window::send_collected(target& t, bool comes) {
  deposit::endpoint& endpoint = engine_.endpoint();
  if (t.collected == nullptr) {
    wait::reason why{.peer = static_cast<std::int32_t>(t.process),
                     .tag = -1,
                     .communicator = wait::is_window | id_,
                     .detail = "another thread's puts"};
    if (t.sending != 0) endpoint.wait_until([&] { return t.sending == 0; }, why);
    return {};
  }
  std::unique_ptr<collection> all = std::move(t.collected);
  ++t.sending;
  const trouble result = send(t, *all, comes);
  --t.sending;
  outstanding_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: as above
  engine_.give_collection(std::move(all));
  return result;
}

trouble window::send(target& t, const collection& all, bool comes) {
  if (t.way.load(std::memory_order_relaxed) == way::system) {  // relaxed: as in locate()
    owner_seen seen{};
    seen.comes = comes;
    handed& owners = engine_.by_owner();
    const transfer what{false, all.bytes(), all.blocks(), 0};
    const decision by = owners.choose(t, what, &seen);
    if (trouble gone; by.by == carrier::handed && owners.put(*this, t, all, by, seen, &gone)) {
      owners.learn(t, by, seen);
      return gone;
    }
    const trouble result = system_put(*this, t, all);
    owners.learn(t, by, seen);
    if (result.why.kind != code::refused) return result;
    t.way.store(way::asked, std::memory_order_relaxed);  // relaxed: each finds out for itself
  }
  const std::byte* data = all.data().data();
  for (const asked_run& run : all.runs()) {
    if (trouble failed = engine_.by_message().put(*this, t, run, data); !failed.ok()) return failed;
    data += run.length * run.count;
  }
  return {};
}

}  // namespace loadstone::rma
