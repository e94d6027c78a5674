#include "p2p/choice.hpp"

#include "p2p/pending_work.hpp"
#include "p2p/protocols/adverts.hpp"
#include "p2p/protocols/eager.hpp"
#include "p2p/protocols/pipeline.hpp"
#include "p2p/protocols/rendezvous.hpp"
#include "p2p/protocols/self.hpp"
#include "p2p/protocols/shared_copy.hpp"

namespace loadstone::p2p {

namespace {

// For so many ns one end waits for the other to begin: six calls of MPI_Isend, and a tenth of what
// the kernel's copy takes.
constexpr std::uint32_t moment = 4000;

}  // namespace

// --- sender ---

void choice::send(message_request* r, send_mode mode, tried found) {
  if (base::missing()) [[unlikely]]  // it has just left so (eager::send_now)
    return live.finish(r, error_buffer);
  if (r->process == self) return to_self.send(r, mode);
  const bool synchronous = mode == send_mode::synchronous;
  if (found == tried::nothing && small.possible(r->data, r->bytes, r->process)) {
    if (small.start(r, synchronous)) return;
  } else if (found != tried::no_cell && !synchronous && may_leave_at_once(r)) {
    if (in_blocks.start_at_once(r)) return;
    r->ties |= tie::by_kernel;  // no cell is left
  }
  const std::uint32_t wish = r->waits ? wish_of(r) : std::uint32_t{pipeline_nothing};
  if (!told.start(r, wish)) offers.start(r, wish);
}

// May it leave as one block, which nobody answers? (A sender that does not wait copies only what is
// too short for an advert: the rest it may hide behind a computation.)
bool choice::may_leave_at_once(const message_request* r) const {
  if (r->bytes > config.at_once) return false;
  if (r->bytes == config.at_once) {
    if (!r->waits) return false;
    work.take_in();  // an advert may be there that nobody has looked at
    if (told.knows(r)) return false;
  }
  memory::address where;
  return !r->data.one_block() || !arena.find(r->data.block(), static_cast<std::size_t>(r->bytes), &where);
}

// What a sender that waits wishes for its message. The costs are asked once for each: they count
// the messages, and might answer otherwise.
std::uint32_t choice::wish_of(message_request* r) {
  if (r->bytes > static_cast<std::int64_t>(config.pipeline_limit) || (r->ties & tie::by_kernel) != 0)
    return pipeline_waits;
  if (!costs.either(r->process, r->bytes)) return pipeline_all;
  if (costs.choose(r->process, r->bytes) == copy_costs::way::cells) return pipeline_all;
  r->ties |= tie::by_kernel;
  return pipeline_waits;
}

// --- the waits begin ---

void choice::wait_begins(message_request* r) {
  if (!live.begins_to_wait(r)) return;
  if (r->kind == request_kind::receive)
    copies.wait_begins(r);
  else
    record_store::wish(
        r, record_store::wish_of(r) == pipeline_nothing ? wish_of(r) : std::uint32_t{pipeline_all});
  if (r->step == phase::moving) costs.begins(r);
}

// --- beside what is open ---

bool choice::wait_beside_open(wait::condition done, const wait::reason& why) {
  if (done()) return true;
  come_in();
  ++waiting_;
  const bool on = endpoint.wait_until(done, why);
  --waiting_;
  return on && endpoint.wait_until([this] { return waiting_ != 0 || may_go(); }, why);
}

void choice::come_in() {
  for (message_request* r : live.open()) {
    if (r->waits) continue;
    if (r->kind == request_kind::send) {
      if (r->offered.arena_offset != not_in_arena) continue;
      if (record_store::wish_of(r) == pipeline_nothing && wish_of(r) != pipeline_all) continue;
      record_store::wish(r, pipeline_for_now);
    }
    r->waits = true;
    if (r->step == phase::moving) costs.begins(r);
  }
}

// Does the peer wait in the library until it is through, and need us?
bool choice::goes_by_cells(const message_request* r) const {
  if (r->kind == request_kind::send) return !record_store::goes_away(r);
  return r->step == phase::moving && r->by != this && r->moved < r->until && r->state.fetch.by_wish;
}

bool choice::may_go() {
  bool may = true;
  for (message_request* r : live.open()) {
    if (!r->waits) continue;
    if (goes_by_cells(r)) {
      may = false;
      continue;
    }
    r->waits = false;
    costs.spoil(r);
  }
  return may;
}

bool choice::gives_time(message_request* r) {
  const auto ns = static_cast<std::uint32_t>(base::now_ns()) | 1u;
  if (r->since == 0) r->since = ns;
  return ns - r->since <= moment;
}

choice::part choice::through_cells(message_request* r) {
  memory::address ours;
  transfer t = describe(r, &ours);
  t.bytes = r->total();
  const part cells = cells_of(t, config);
  if (cells != part::later) follow(r, t.wish);
  return cells;
}

void choice::follow(message_request* r, std::uint32_t wish) {
  if (!r->waits || (wish != pipeline_all && wish != pipeline_waits) ||
      r->offered.arena_offset != not_in_arena || !costs.either(r->process, r->offered.bytes))
    return;
  const auto by = wish == pipeline_all ? copy_costs::way::cells : copy_costs::way::kernel;
  costs.follow(r->process, r->offered.bytes, by);
  costs.begins(r, by);
}

bool choice::leaves_it(message_request* r, bool receiver_waits) const {
  const std::uint32_t wish = record_store::wish_of(r);
  return r->waits && (wish == pipeline_all || wish == pipeline_for_now) &&
         r->offered.arena_offset == not_in_arena && (receiver_waits || gives_time(r));
}

// --- receiver ---

choice::part choice::cells_of(const transfer& t, const limits& config) {
  if (!t.waits || t.theirs_in_arena || t.ours_in_arena ||
      t.bytes > static_cast<std::int64_t>(config.pipeline_limit))
    return part::nothing;
  switch (t.wish) {
    case pipeline_all:
      return part::all;
    case pipeline_nothing:
      return t.patient ? part::later : part::nothing;
    default:
      return part::nothing;
  }
}

choice::of_receiver choice::of(const transfer& t, const limits& config, std::uint8_t barred) {
  const auto open = [&](of_receiver w) { return (barred & 1u << w) == 0; };
  const part cells = cells_of(t, config);
  if (cells == part::all && open(pipelined_by_wish)) return pipelined_by_wish;
  if (cells == part::later) return not_yet;
  const bool may_push = shared_copy::may_push(t) && open(push);
  if (shared_copy::may_share(t, config) && open(both_sides))
    return may_push && shared_copy::rather_pushes(t) ? push : both_sides;
  if (shared_copy::may_be_direct(t) && open(direct)) return direct;
  if (shared_copy::may_be_by_kernel(t) && open(single_copy)) return single_copy;
  return may_push ? push : pipelined_at_last;
}

transfer choice::describe(message_request* r, memory::address* ours) const {
  const offer& o = r->offered;
  const bool one_block = r->data.one_block();
  const std::uint32_t wish = records.wish_of(r->process, r->theirs.at);
  transfer t{
      .bytes = r->until - r->moved,
      .wish = wish,
      .waits = r->waits,
      .patient = false,
      .mapped = endpoint.route_to(r->process).mapped,
      .kernel = endpoint.user().reaches(r->process),
      .theirs_in_arena = o.arena_offset != not_in_arena,
      .theirs_named = o.address != 0,
      .theirs_one_block = o.blocks == 0,
      .ours_in_arena = one_block && arena.find(r->data.block(), static_cast<std::size_t>(r->until), ours),
      .ours_one_block = one_block};
  if (wish == pipeline_for_now || wish == pipeline_away) {
    t.wish = pipeline_all;
    if (wish == pipeline_away || cells_of(t, config) != part::all ||
        !records.keep_there(r->process, r->theirs.at, r->theirs.generation))
      t.wish = pipeline_nothing;
  }
  t.patient = t.waits && t.wish == pipeline_nothing && gives_time(r);
  return t;
}

void choice::matched(message_request* r) {
  r->step = phase::moving;
  r->by = this;
  costs.begins(r);
  work.schedule(r);
}

void choice::move(message_request* r) {
  live.rest(r);
  r->state.fetch = {-1, none_given_back, false};
  r->moved = 0;
  r->until = r->total();
  r->step = phase::moving;
  if (r->until == 0) return offers.end_receive(r, 0);
  move_on(r);
}

void choice::move_on(message_request* r) {
  memory::address ours;
  const transfer t = describe(r, &ours);
  follow(r, t.wish);
  switch (of(t, config, r->barred)) {
    case both_sides:
      return copies.start_both(r, t.ours_in_arena ? &ours : nullptr);
    case direct:
      return copies.start_direct(r);
    case single_copy:
      return copies.start_by_kernel(r);
    case push:
      return copies.start_push(r, ours);
    case not_yet:
      r->by = this;
      return work.schedule_next_poll(r);
    case pipelined_by_wish:
      r->state.fetch.by_wish = true;
      break;
    case pipelined_at_last:
      break;
  }
  in_blocks.start(r);
}

// --- foretold ---

namespace {

// What a receiver does with an offer of one block.
first_way by_receiver(const limits& l, std::int64_t bytes, const model::reach& r) {
  const std::uint32_t wish = !r.waits                                               ? pipeline_nothing
                             : bytes <= static_cast<std::int64_t>(l.pipeline_limit) ? pipeline_all
                                                                                    : pipeline_waits;
  const transfer t{.bytes = bytes,
                   .wish = wish,
                   .waits = r.waits,
                   .patient = false,
                   .mapped = true,
                   .kernel = r.kernel,
                   .theirs_in_arena = r.source_mapped,
                   .theirs_named = true,
                   .theirs_one_block = true,
                   .ours_in_arena = r.target_mapped,
                   .ours_one_block = true};
  using enum model::way;
  switch (choice::of(t, l, 0)) {
    case choice::pipelined_by_wish:
      return {pipelined, "both ends wait: cells, as long as they are measured to be quicker than the kernel"};
    case choice::both_sides:
      if (r.source_mapped && r.target_mapped)
        return {direct_both, "each can map the other's buffer, and has a core"};
      return {both_sides,
              r.source_mapped == r.target_mapped
                  ? "the kernel copies, and each has a core"
                  : "one maps the other's buffer, the other asks the kernel, and each has a core"};
    case choice::direct:
      return {direct, "the receiver can map the sender's buffer"};
    case choice::single_copy:
      return {single_copy, "the receiver copies with process_vm_readv"};
    case choice::push:
      return {push, "the sender can map the receiver's buffer"};
    case choice::pipelined_at_last:
    case choice::not_yet:  // only who is patient waits
      break;
  }
  return {pipelined, "the one way that is always possible"};
}

}  // namespace

first_way first_way_of(const limits& l, std::int64_t bytes, const model::reach& r) {
  using enum model::way;
  if (bytes <= l.short_message) return {short_message, "it fits a slot with its envelope"};
  if (bytes <= static_cast<std::int64_t>(l.direct_limit))
    return {eager, "up to direct_limit no message asks"};
  if (!r.source_mapped && bytes <= static_cast<std::int64_t>(l.eager_limit))
    return {eager, "up to the eager limit it need not ask"};
  if (!r.source_mapped && (bytes < l.at_once || (bytes == l.at_once && r.waits && !r.told)))
    return {at_once, "it is one block, which leaves through cells without asking"};
  if (r.told && bytes >= l.least_advertised && (r.target_mapped || r.kernel))
    return {advert, "the sender has been told of the receive, and fills it while the receiver computes"};
  return by_receiver(l, bytes, r);
}

}  // namespace loadstone::p2p
