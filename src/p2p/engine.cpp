#include "p2p/engine.hpp"

#include "base/fault.hpp"
#include "p2p/choice.hpp"
#include "p2p/pending_work.hpp"
#include "p2p/protocols/adverts.hpp"
#include "p2p/protocols/eager_inl.hpp"
#include "p2p/protocols/pipeline.hpp"
#include "p2p/protocols/rendezvous.hpp"
#include "p2p/protocols/self.hpp"
#include "p2p/protocols/shared_copy.hpp"
#include "p2p/receives.hpp"

namespace loadstone::p2p {

// --- opening ---

struct engine::parts {
  const limits config;
  matcher matching;
  const context shared;
  record_store records;
  peer_costs costs;
  requests live;
  pending_work work;
  unexpected_store unexpected;
  rendezvous offers;
  self_messages to_self;
  p2p::eager small;
  pipeline in_blocks;
  shared_copy copies;
  adverts told;
  choice choose;
  receives receive;

  // In the order of `protocol`.
  template <class F>
  void for_each_way(F&& f) const {
    f(small.short_sent), f(small.sent), f(to_self.sent), f(in_blocks.at_once), f(told.sent);
    f(in_blocks.pipelined), f(copies.direct), f(copies.direct_both), f(copies.pushed);
    f(copies.single_copy), f(copies.both_sides);
  }

  parts(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena, const limits& within)
      : config(within),
        matching(endpoint.self(), job.header().capacity),
        shared{endpoint, job,    arena,   config, matching,  records, live, work,   unexpected,
               costs,    offers, to_self, small,  in_blocks, copies,  told, choose, endpoint.self()},
        records(endpoint, arena),
        costs(endpoint, config, endpoint.self()),
        live(shared),
        work(shared),
        unexpected(shared),
        offers(shared),
        to_self(shared),
        small(shared),
        in_blocks(shared),
        copies(shared),
        told(shared),
        choose(shared),
        receive(shared) {
    endpoint.on_starved(
        [](void* context, std::uint32_t peer) { static_cast<unexpected_store*>(context)->relieve(peer); },
        &unexpected);
  }
  ~parts() { shared.endpoint.on_starved(nullptr, nullptr); }
};

engine::engine(std::unique_ptr<parts> made) : parts_(std::move(made)) {}
engine::~engine() = default;

base::result<std::unique_ptr<engine>> engine::open(deposit::endpoint& endpoint, memory::job& job,
                                                   memory::arena& arena, const engine_config& config) {
  const memory::job_header& h = job.header();
  return std::unique_ptr<engine>(
      new engine(std::make_unique<parts>(endpoint, job, arena,
                                         limits_of(config, {h.cpus, h.world_size, endpoint.gate().threads(),
                                                            endpoint.background().is_for_all()}))));
}

void engine::detach(scope& where) {
  parts_->unexpected.drop_all(where.context);
  parts_->matching.senders.close(where.context);
  for (std::uint32_t process : where.peers) {
    parts_->matching.senders.drop(where.context, process);
    parts_->told.forget(where.context, process);
  }
  where.sequence = nullptr;
}

// --- sends and receives ---

request* engine::send(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag, send_mode mode,
                      bool waits, request* spent, tried found) {
  message_request* r = parts_->live.make(request_kind::send, where, data, peer, tag, spent);
  r->waits = waits;
  r->process = where.peers[static_cast<std::size_t>(peer)];
  parts_->choose.send(r, mode, found);
  return r;
}

[[gnu::flatten]] tried engine::send_now(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag,
                                        send_mode mode) {
  // First: nothing has been done yet, and others may come in.
  if (parts_->work.poll_is_due()) [[unlikely]]
    parts_->work.poll();
  if (mode != send_mode::synchronous && parts_->small.send_short(where, data, peer, tag)) [[likely]]
    return tried::sent;
  return parts_->small.send_now(where, data, peer, tag, mode);
}

request* engine::receive(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, bool waits,
                         request* spent) {
  message_request* r = parts_->live.make(request_kind::receive, where, data, source, tag, spent);
  r->waits = waits;
  if (base::missing()) [[unlikely]] {  // its message has come, and not all of it could be read (receive_now)
    r->result.source = source;
    r->result.tag = tag;
    r->process = where.peers[static_cast<std::size_t>(source)];
    const bool unfinished = base::noted == base::unfinished;
    if (unfinished) base::noted = nullptr;
    parts_->live.finish(r, unfinished ? error_peer_aborted : error_buffer);
    return r;
  }
  parts_->receive.start(r, source);
  return r;
}

bool engine::receive_now(scope& where, const buffer& data, std::int32_t source, std::int32_t tag,
                         outcome* result) {
  return parts_->small.receive_now(where, data, source, tag, result);
}

bool engine::post(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, request* spent) {
  return parts_->receive.post(where, data, source, tag, static_cast<message_request*>(spent));
}

request* engine::receive(matched_message* message, buffer data, request* spent) {
  scope& where = *message->where;
  message_request* r =
      parts_->live.make(request_kind::receive, where, data, any_source, message->key.tag, spent);
  parts_->receive.from(r, message);
  --where.users;
  parts_->work.run();
  return r;
}

bool engine::receive_now(matched_message* message, const buffer& data, outcome* result) {
  scope& where = *message->where;
  if (!parts_->small.receive_kept(where, message, data, false, result)) return false;
  --where.users;
  return true;
}

void engine::send_wait(scope& where, buffer data, std::int32_t peer, std::int32_t tag, send_mode mode,
                       const wait::reason& why, outcome* result) {
  const tried found = send_now(where, data, peer, tag, mode);
  if (found == tried::sent) [[likely]] {
    *result = {};
    return;
  }
  request* r = send(where, data, peer, tag, mode, true, nullptr, found);
  parts_->work.run();
  const bool done = wait(*r, why);
  *result = r->result;
  if (!done) *result = {peer, tag, error_other};
  free(r);
}

[[gnu::always_inline]] inline void engine::finish_receive(request* r, const wait::reason& why,
                                                          outcome* result) {
  const bool done = wait(*r, why);
  if (!done) cancel(r);
  *result = r->result;
  if (!done) result->error = error_other;
  free(r);
}

void engine::receive_wait(scope& where, buffer data, std::int32_t source, std::int32_t tag,
                          const wait::reason& why, outcome* result) {
  if (!base::missing() && receive_now(where, data, source, tag, result)) return;
  finish_receive(receive(where, data, source, tag, true), why, result);
}

void engine::exchange_wait(scope& where, const buffer& sent, std::int32_t to, std::int32_t send_tag,
                           const buffer& received, std::int32_t from, std::int32_t receive_tag,
                           const wait::reason& why, outcome* of_send, outcome* of_receive) {
  request* const in = receive(where, received, from, receive_tag, true);
  send_wait(where, sent, to, send_tag, send_mode::standard, why, of_send);
  if (of_send->error == error_no_memory) cancel(in);  // what is to be received may be an answer
  finish_receive(in, why, of_receive);
}

// A receive can be cancelled until it matches. A send can be cancelled while somebody still has to
// answer it: its record decides, by compare-and-swap, between the receiver that matches and the
// sender that cancels; neither has to ask the other, and the status tells the truth. The envelope
// that stays behind is void: whoever meets it next throws it away.
void engine::cancel(request* base) {
  auto* r = static_cast<message_request*>(base);
  if (r->step == phase::posted) {
    // Otherwise a message is being deposited.
    if (r->own.at != nullptr && !parts_->live.withdraw(r)) return;
    const bool simple = r->simple;
    parts_->live.unpost(r);
    r->stays_simple(simple);
  } else if (r->step != phase::offered) {
    return;
  } else if (r->process == parts_->shared.self) {
    if (r->state.unreceived == nullptr) return;  // a matched probe has taken it
    parts_->unexpected.drop(r->state.unreceived);
  } else {
    // Where the receiver cannot map the record it cannot claim it either: the message may be
    // matched without our knowing.
    if (r->own.at == nullptr || !parts_->shared.endpoint.route_to(r->process).mapped) return;
    if (!record_store::withdraw(r)) return;
    LOADSTONE_FAULT_POINT("p2p.cancelled");
  }
  r->result.cancelled = true;
  parts_->live.finish(r);
}

void engine::free(request* r) {
  auto* m = static_cast<message_request*>(r);
  // relaxed: completion happens under the gate, which the caller holds
  if (m->complete.load(std::memory_order_relaxed))
    parts_->live.recycle(m);
  else
    m->detached = true, m->simple = false;
}

void engine::complete(request& r) {
  parts_->live.announce(&r);
}

// --- probes: both kinds search once, among unexpected messages, after a poll, and into refused
// senders' queues ---

bool engine::search(scope& where, std::int32_t source, std::int32_t tag, bool take, outcome* found,
                    matched_message** taken) {
  parts& p = *parts_;
  queue_search h{
      .key = {where.context,
              source == any_source ? any_process : where.peers[static_cast<std::size_t>(source)], tag},
      .take = take};
  const auto here = [&] {
    if (p.matching.unexpected.size() == 0) return false;
    h.taken = p.unexpected.find(h.key, take);
    if (h.taken == nullptr) return false;
    h.process = h.taken->key.process;
    h.tag = h.taken->key.tag;
    h.bytes = h.taken->bytes;
    return true;
  };
  if (!here()) {
    p.work.poll();
    if (!here()) {
      if (!p.matching.may_be_left(h.key)) return false;
      p.unexpected.search_for(&h);
      if (!h.found && !here()) return false;  // a search may also accept messages in the ordinary way
    }
  }
  *found = {rank_of(where, h.process), h.tag, 0, false, h.bytes};
  *taken = h.taken;
  return true;
}

bool engine::probe(scope& where, std::int32_t source, std::int32_t tag, outcome* found) {
  matched_message* left = nullptr;
  return search(where, source, tag, false, found, &left);
}

matched_message* engine::match(scope& where, std::int32_t source, std::int32_t tag, outcome* found) {
  matched_message* taken = nullptr;
  if (!search(where, source, tag, true, found, &taken)) return nullptr;
  LOADSTONE_FAULT_POINT("p2p.match_taken");
  taken->where = &where;
  ++where.users;
  if (taken->sender != nullptr) taken->sender->state.unreceived = nullptr;  // can no longer be cancelled
  return taken;
}

std::uint64_t engine::arrivals() const {
  return parts_->shared.endpoint.received() + parts_->to_self.sent.messages;
}

// --- waiting ---

bool engine::progress() {
  return parts_->work.poll();
}

bool engine::poll_is_due() {
  return parts_->work.poll_is_due();
}

bool engine::wait_until(wait::condition done, const wait::reason& why) {
  if (parts_->work.poll_is_due()) [[unlikely]]
    parts_->work.poll();
  return parts_->choose.wait_until(done, why);
}

bool engine::wait(request& r, const wait::reason& why) {
  if (parts_->work.poll_is_due()) [[unlikely]]
    parts_->work.poll();
  const auto complete = [&] { return r.complete.load(std::memory_order_acquire); };  // sync: request-complete
  if (complete()) return true;
  wait_begins(r);
  return parts_->choose.wait_until(complete, why);
}

bool engine::some_are_open() const {
  return !parts_->live.open().empty();
}

void engine::wait_begins(request& r) {
  if (some_are_open() && r.is_message()) parts_->choose.wait_begins(static_cast<message_request*>(&r));
}

void engine::want_progress(bool more) {
  if (parts_->shared.endpoint.background().is_for_all()) parts_->shared.endpoint.background().want(more);
}

bool engine::leave_to_program(void (*work)(void*), void* context) {
  return parts_->shared.endpoint.background().leave_to_program(work, context);
}

std::uint64_t engine::messages() const {
  std::uint64_t all = 0;
  parts_->for_each_way([&](const tally& t) { all += t.messages; });
  return all;
}

engine::statistics engine::counts() const {
  const parts& p = *parts_;
  statistics c{};
  std::size_t i = 0;
  p.for_each_way([&](const tally& t) {
    c.messages[i] = t.messages;
    c.bytes[i++] = t.bytes;
  });
  c.unexpected_length = p.matching.unexpected.size();
  c.posted_length = p.matching.posted.size();
  c.unexpected_bytes = p.unexpected.bytes();
  c.unexpected_bytes_peak = p.unexpected.peak();
  c.helped_bytes = p.copies.helped_bytes;
  c.remembered = p.matching.senders.size() + p.told.size();
  c.left_with_senders = p.matching.left();
  c.no_cell = p.small.no_cell;
  return c;
}

}  // namespace loadstone::p2p
