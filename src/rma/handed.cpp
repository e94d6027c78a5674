#include "rma/handed.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <new>

#include "base/clock.hpp"
#include "base/fault.hpp"
#include "base/trials.hpp"
#include "copy/copy.hpp"
#include "deposit/handler_ids.hpp"
#include "rma/asked.hpp"
#include "rma/asked_request.hpp"
#include "rma/copy_thread.hpp"
#include "rma/handed_pieces.hpp"
#include "rma/waiting.hpp"
#include "rma/ways.hpp"
#include "wait/pause.hpp"

namespace loadstone::rma {

using where = wait::presence::place;

namespace {

constexpr std::size_t least_chosen = 4096;  // bytes of a piece that may be stored past the caches
// At an offer; and once it has been claimed. A look in vain takes a pause, and what it takes to
// bring a line that its owner writes.
constexpr std::uint32_t looks_beside = 32;  // of an owner that runs on another core, before others get ours
constexpr std::uint32_t looks_per_poll = 4, looks_per_clock = 8, most_looks_at_work = 64, pauses_per_look = 4;
// What is timed, and how often: a clock is read twice, which takes 50 ns.
constexpr std::int64_t most_learnt = collection::largest;
constexpr std::uint32_t transfers_per_clock = 8, least_trial = 64;
constexpr std::uint32_t most_missed = 8;  // of a copying thread, in a row: what is counted
constexpr std::uint64_t not_typical = 3;  // offers: memory is mapped for the first

}  // namespace

hand_end::~hand_end() {
  if (place == nullptr) return;
  // Acquire, both: the owner's look is over (sync: rma-notice), and it has nothing claimed, as it
  // may if the job is being stopped (sync: rma-hand).
  const bool looks = place->notice().load(std::memory_order_acquire) != hand_notice::none;
  const bool works = std::any_of(std::begin(place->slots), std::end(place->slots), [](const hand_slot& s) {
    return state_of(s.state.load(std::memory_order_acquire)) == hand_state::claimed;
  });
  if (!looks && !works) arena.release(place);
}

handed::handed(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena, asked& windows, rule by,
               const costs& prices)
    : endpoint_(endpoint),
      job_(job),
      arena_(arena),
      windows_(windows),
      rule_(by),
      costs_(prices),
      rooms_(arena) {
  const memory::job_header& header = job.header();
  crowded_ = header.cpus != 0 && header.world_size > header.cpus;
  const std::lock_guard hold(endpoint.gate());
  endpoint.set_handler(
      deposit::handler_rma_handed,
      [](void* self, deposit::incoming& m, bool) {
        hand_call call;
        std::memcpy(&call, m.header(), sizeof call);
        static_cast<handed*>(self)->serve(m.source(), call);
        return deposit::verdict::consumed;
      },
      this);
}

// --- the origin ---

// One that has not come is left alone for some transfers.
bool handed::thread_serves(target& t) const {
  if (rule_ == rule::never || rule_ == rule::always || !copy_thread::serves(t.desk.at)) return false;
  if (t.desk.passes == 0) return true;
  --t.desk.passes;
  return false;
}

void handed::learn_of_thread(target& t, bool came) {
  t.desk.missed = came ? 0 : std::min(t.desk.missed + 1, most_missed);
  t.desk.passes = came ? 0 : 1u << t.desk.missed;
}

decision handed::choose(target& t, const transfer& what, owner_seen* seen) {
  hand_end* const e = t.hand.get();
  const bool possible = rule_ != rule::never && rule_ != rule::thread && t.record != nullptr &&
                        (e == nullptr || (!e->busy && !e->useless));
  // Relaxed: a hint. What is offered is told of by exchanges.
  const bool noticed = e == nullptr || e->place == nullptr ||
                       e->place->notice().load(std::memory_order_relaxed) != hand_notice::called;
  *seen = {.may_help = possible && noticed,
           .crowded = crowded_,
           .beside = crowded_ && endpoint_.words().place_of(t.process) == where::beside,
           .comes = seen->comes,
           .threads = endpoint_.gate().threads(),
           .thread = thread_serves(t)};
  if (rule_ == rule::thread && seen->thread)
    return {carrier::thread, 0, always_ns, carrier::thread, always_ns};
  if (possible && rule_ == rule::always) return always(what, *seen);
  if (seen->may_help) seen->asleep = endpoint_.words().asleep(t.process);
  const bool is_learnt = !what.changes && what.blocks == 1 && what.bytes <= most_learnt;
  costs c = costs_;
  if (is_learnt) {
    // What a fence waits for is no cost of the hand-over.
    if (!seen->comes && !seen->asleep && transfers_++ % transfers_per_clock == 0)
      seen->since = base::now_ns();
    if (call_.known()) c.call = call_.value();
    if (e != nullptr && e->taken.known() && !seen->comes) c.hand_over = e->taken.value();
  }
  decision d = carry(what, *seen, c);
  if (d.by == carrier::handed || d.by == carrier::shared || !seen->may_help) return d;
  if (is_learnt ? crowded_ || !call_.known() : !what.changes || !seen->asleep) return d;
  if (seen->asleep) {
    // It is woken when as much has been spent without it, and stays awake while more comes.
    spent_ns_ += d.ns;
    if (spent_ns_ < by_owner(what, *seen, c)) return d;
    spent_ns_ = 0;
    seen->since = 0;
  } else {
    // Owners come to be in calls, and go: it is tried now and then.
    if (e != nullptr && ++passed_over_ < base::trial_every(least_trial, by_owner(what, *seen, c) / d.ns))
      return d;
    passed_over_ = 0;
    seen->since = base::now_ns();
  }
  d.by = carrier::handed;
  return d;
}

// Tests: each way that there is, long accumulates by turns.
decision handed::always(const transfer& what, const owner_seen& seen) {
  const bool shared = what.plain && what.bytes >= least_shared &&
                      (++transfers_ % 2 == 0 || (seen.threads && what.bytes > most_under_gate));
  return {shared ? carrier::shared : carrier::handed, 0, always_ns, carrier::blocks, always_ns};
}

void handed::learn(const target& t, const decision& d, const owner_seen& seen) {
  if (seen.since == 0) return;
  const auto took = static_cast<double>(base::now_ns() - seen.since);
  // (What a fence waits for is no cost of the hand-over.)
  if (d.by != carrier::handed)
    call_.saw(took);
  else if (!seen.comes && t.hand != nullptr && t.hand->number > not_typical)
    t.hand->taken.saw(took);
}

// Null: there is no memory for it.
hand_end* handed::end_of(target& t) try {
  if (t.hand == nullptr)
    t.hand = std::make_unique<hand_end>(
        arena_, wait::first_poll(crowded_ ? 0 : pauses_per_look * wait::turns_of_a_pause(), !crowded_));
  hand_end& e = *t.hand;
  if (e.place == nullptr) {
    auto block = arena_.allocate(sizeof(hand_place) + hand_small_bytes, memory::isolation);
    if (!block) return nullptr;
    std::memset(*block, 0, sizeof(hand_place));
    e.place = static_cast<hand_place*>(*block);
    e.where = arena_.address_of(e.place);
  }
  return &e;
} catch (const std::bad_alloc&) {
  return nullptr;
}

// Into a room: its lines are in the cache of whoever has read them, or of nobody (rooms.hpp).
void handed::store(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes < least_chosen) {
    copy::ordinary(to, from, bytes);
    return;
  }
  const copy::store_choice::plan plan = stores_.next();
  const std::uint64_t begin = plan.timed ? base::now_ns() : 0;
  if (plan.way == copy::store_way::past)
    copy::past_caches(to, from, bytes);
  else
    copy::into_cell(to, from, bytes, bytes);
  if (plan.timed) stores_.took(plan.way, bytes, base::now_ns() - begin);
}

// The piece is written. Its owner is told, unless it has still to hear of an earlier one.
void handed::offer(window& w, target& t, std::uint32_t slot, memory::address where, std::uint32_t runs,
                   const piece_kind& what, std::uint32_t data, std::uint32_t fetched) {
  hand_end& e = *t.hand;
  hand_slot& s = e.place->slots[slot];
  if (runs != 0) s.room = where;
  s.data = data;
  s.fetched = what.fetches ? fetched : 0;
  s.runs = static_cast<std::uint16_t>(runs);
  s.kind = what.kind;
  s.op = static_cast<std::uint8_t>(what.op);
  s.value = static_cast<std::uint8_t>(what.of.value);
  s.index = static_cast<std::uint8_t>(what.of.index);
  e.offered[slot] = hand_word(++e.number, hand_state::offered);
  // Read before the owner can have the line, which would have to come back for it. That it leaves
  // meanwhile is seen by who waits. (Relaxed: so nothing depends on it.)
  const bool here = e.place->notice().load(std::memory_order_relaxed) == hand_notice::here;
  s.state.store(e.offered[slot], std::memory_order_release);  // sync: rma-hand
  LOADSTONE_FAULT_POINT("rma.offered");
  if (!here || e.untold) call(w, t);
}

// Either the owner's exchange comes later, and it finds what is offered; or there has to be a
// message.
void handed::call(const window& w, target& t) {
  hand_end& e = *t.hand;
  if (e.place->notice().exchange(hand_notice::called, std::memory_order_acq_rel) !=
          hand_notice::called ||  // sync: rma-notice
      e.untold)
    tell(w, t);
}

void handed::tell(const window& w, target& t) {
  const hand_call call{w.id(), t.hand->where};
  t.hand->untold =
      !endpoint_.attempt_active(t.process, deposit::handler_rma_handed, deposit::traffic::control, &call,
                                sizeof call, nullptr, nullptr, 0);
}

// False: the owner is at it, or has done it.
bool handed::take_back(hand_slot& s, std::uint64_t number) const {
  std::uint64_t offered = hand_word(number, hand_state::offered);
  return s.state.compare_exchange_strong(offered, hand_word(number, hand_state::free),
                                         std::memory_order_acq_rel,
                                         std::memory_order_acquire);  // sync: rma-hand
}

handed::end handed::await(window& w, target& t, std::uint32_t slot, double patience,
                          wait::first_poll* first) {
  std::atomic<std::uint64_t>& state = t.hand->place->slots[slot].state;
  std::atomic<hand_notice>& notice = t.hand->place->notice();
  const std::uint64_t offered = t.hand->offered[slot], number = number_of(offered);
  if (patience <= 0 && take_back(t.hand->place->slots[slot], number)) return end::back;
  if (first != nullptr) wait::pass(first->begin());
  std::uint64_t word = state.load(std::memory_order_acquire);  // sync: rma-hand
  std::uint64_t deadline = 0;
  std::uint32_t looks = 0;
  // Relaxed, the notice: what is seen late is seen at a later look. Who has claimed is through
  // soon, and each look takes the line from it.
  const std::uint64_t claimed = hand_word(number, hand_state::claimed);
  while (word == offered || (word == claimed && looks < most_looks_at_work)) {
    ++looks;
    if (word == offered) {
      if (notice.load(std::memory_order_relaxed) == hand_notice::none) call(w, t);  // it has left
      if (looks % looks_per_poll == 0) endpoint_.poll();  // it may wait for us in the same way
      if (crowded_ && (first == nullptr || looks % looks_beside == 0 ||
                       endpoint_.words().place_of(t.process) == where::same_core))
        endpoint_.words().give_way(t.process);
      if (looks % looks_per_clock == 0) {
        const std::uint64_t now = base::now_ns();
        if (deadline == 0) deadline = now + static_cast<std::uint64_t>(patience);
        if (job_.process(t.process).dead.load(std::memory_order_acquire) != 0)  // sync: process-dead
          deadline = now;
        if (now >= deadline && take_back(t.hand->place->slots[slot], number)) {
          // One that stays and does not come has lost its core: it has to take notice first.
          if (notice.load(std::memory_order_relaxed) == hand_notice::here) call(w, t);
          return end::back;
        }
      }
    }
    wait::pause();
    word = state.load(std::memory_order_acquire);  // sync: rma-hand
  }
  if (first != nullptr) first->end(looks);
  const auto over = [&] {
    return state.load(std::memory_order_acquire) != claimed;  // sync: rma-hand
  };
  if (!over()) {
    wait::reason why{.peer = static_cast<std::int32_t>(t.process),
                     .tag = -1,
                     .communicator = wait::is_window | w.id(),
                     .detail = "the owner's copy"};
    if (!wait_for_members(endpoint_, why, over, [&] { return has_died(endpoint_, job_, t.process); }))
      return end::gone;
  }
  const hand_state how = state_of(state.load(std::memory_order_acquire));  // sync: rma-hand
  if (how == hand_state::useless) t.hand->useless = true;
  return how == hand_state::done ? end::done : how == hand_state::declined ? end::declined : end::back;
}

trouble owner_gone() {
  return trouble::of({base::code::gone, 0, "the target has died, or the job is being stopped"});
}

trouble handed::move(window& w, const place& at, const local_data& here, const remote_data& there, bool get,
                     const decision& d, const owner_seen& seen, std::int64_t* done) {
  const datatype::program* const program = there.type->compiled();
  if (program == nullptr || end_of(*at.to) == nullptr || !is_there(&here, get)) return {};
  if (get && there.bytes() <= near_block::largest && there.type->in_one_block(there.count))
    return get_near(w, at, here, there, d, seen, done);
  in_pieces pieces(*this, w, at, there,
                   {.origin = get ? nullptr : &here,
                    .result = get ? &here : nullptr,
                    .kind = get ? hand_kind::get : hand_kind::put},
                   *program, *done);
  const double waits = patience_of(d, seen);
  // What comes behind one that was missed, and is done all the same, is done once more.
  bool missed = false;
  for (;;) {
    in_pieces::piece p;
    const end how = pieces.next(missed ? 0 : waits, !missed, &p);
    if (how == end::none) return {};
    if (how == end::gone) return owner_gone();
    missed = missed || how != end::done;
    if (!missed) *done = p.position + p.bytes;
  }
}

trouble handed::get_near(window& w, const place& at, const local_data& result, const remote_data& where,
                         const decision& d, const owner_seen& seen, std::int64_t* done) {
  hand_end& e = *at.to->hand;
  near_block& one = e.place->slots[0].block;
  one.offset = at.offset + where.lowest();
  e.busy = true;
  offer(w, *at.to, 0, {}, 0, {hand_kind::get}, static_cast<std::uint32_t>(where.bytes()));
  const end how = await(w, *at.to, 0, patience_of(d, seen), &e.first);
  e.busy = false;
  if (how == end::gone) return owner_gone();
  if (how != end::done) return {};
  datatype::unpack(result.address, result.count, *result.type, 0, where.bytes(), one.data);
  *done = where.bytes();
  return {};
}

bool handed::put(window& w, target& t, const collection& all, const decision& d, const owner_seen& seen,
                 trouble* failed) {
  static_assert(collection::most_runs * sizeof(asked_run) + collection::most_bytes <= hand_small_bytes);
  const hand_end* const e = end_of(t);
  if (e == nullptr) return false;
  t.hand->busy = true;
  const bool near = all.blocks() == 1 && all.bytes() <= near_block::largest;
  if (near) {
    near_block& one = e->place->slots[0].block;
    one.offset = all.runs().front().offset;
    std::memcpy(one.data, all.data().data(), all.data().size());
    offer(w, t, 0, {}, 0, {}, static_cast<std::uint32_t>(all.bytes()));
  } else {
    const auto runs = static_cast<std::uint32_t>(all.runs().size());
    std::memcpy(e->place->room, all.runs().data(), all.runs().size_bytes());
    std::memcpy(e->place->room + behind_runs(runs), all.data().data(), all.data().size());
    offer(w, t, 0, {e->where.region, e->where.offset + offsetof(hand_place, room)}, runs, {},
          behind_runs(runs));
  }
  const end how = await(w, t, 0, patience_of(d, seen), near ? &t.hand->first : nullptr);
  t.hand->busy = false;
  if (how == end::gone) *failed = owner_gone();
  return how == end::done || how == end::gone;
}

bool handed::retire(window& w, const wait::reason& caller) {
  for (std::int32_t rank = 0; rank < w.size(); ++rank) {
    target* const t = w.known(rank);
    if (t == nullptr || t->hand == nullptr || t->hand->place == nullptr) continue;
    hand_end& e = *t->hand;
    wait::reason why = caller;
    why.peer = static_cast<std::int32_t>(t->process);
    const auto over = [&] {
      if (e.untold) tell(w, *t);
      return e.place->notice().load(std::memory_order_acquire) == hand_notice::none;  // sync: rma-notice
    };
    if (!wait_for_members(endpoint_, why, over, [&] { return has_died(endpoint_, job_, t->process); }))
      return false;
  }
  return true;
}

}  // namespace loadstone::rma
