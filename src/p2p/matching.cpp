// Posting and arrival: which receive gets which message.
//
// A receive looks among unexpected messages first, is then posted, and then looks into the queues of refused
// senders. A message looks among posted receives first, then becomes unexpected (or stays in its sender's
// queue). Both look for the oldest.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/fault.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

void engine::state::send(message_request* r, send_mode mode) {
  if (r->process == self) return send_to_self(r, mode);
  const bool synchronous = mode == send_mode::synchronous;
  if (is_eager(r->data, r->bytes, r->process)) {
    if (synchronous && !insist_on_record(r)) return finish(r, error_no_memory);
    switch (
        send_eager(*r->where, r->data, r->bytes, r->peer, r->process, r->tag, synchronous ? r : nullptr)) {
      case deposit::outcome::gone:
        give_record(r);
        return finish(r, error_peer_aborted);
      case deposit::outcome::sent:
        if (!synchronous) return finish(r, 0);
        r->step = phase::offered;
        return hold(r);
      case deposit::outcome::again:
        break;
    }
  } else if (!synchronous && streams_at_once(r) && stream_at_once(r) == deposit::outcome::sent) {
    return finish(r, 0);
  }
  if (!use_advert(r)) offer_message(r);
}

// Gives an unexpected message to a receive that is about to be posted, if there is one for it.
bool engine::state::receive_unexpected(message_request* r, const match_key& key) {
  while (arrival* a = unexpected.find(key)) {
    if (!a->answered || claim(a->key.process, a->record, a->generation)) {
      take_unexpected(a);
      receive_from(r, a);
      run_work();
      return true;
    }
    drop(a);  // cancelled by its sender
  }
  return false;
}

// Posts a receive that others are told of, or whose message may stand in a queue.
void engine::state::post_and_look(message_request* r, const match_key& key, channel* from) {
  // Its owner computes meanwhile, or the message is too long for both ends to copy through cells.
  const bool apart = !r->waits || r->bytes > static_cast<std::int64_t>(config.stream_limit);
  const bool advertised = r->bytes >= least_advertised && apart && posted.may_advertise(key);
  posted.append(r, from);
  if (may_keep(key)) {
    looking_for = r;
    look_into_queues(key);
  } else if (advertised) {
    advertise(r, key);
  }
  // A large message would only say where it is. What the sender can fill alone does not need us.
  if (r->bytes > static_cast<std::int64_t>(config.eager_limit) && r->step == phase::posted &&
      r->advert == nullptr)
    need(r);
}

// In the shape of send_short(): looks at everything that could stand in the way before it changes anything.
inline bool engine::state::post(scope& where, const buffer& data, std::int32_t source, std::int32_t tag,
                                message_request* r) {
  const std::int64_t bytes = data.type->size() * data.count;
  if (!r->plain || source < 0 || tag < 0 || where.sequence == nullptr || bytes > quiet_limit ||
      !data.type->contiguous() || !data.type->predefined() || unexpected.size() != 0 || !keepers.empty())
      [[unlikely]]
    return false;
  const scope::sequences::member& sender = where.sequence->of(source);
  if (sender.from == nullptr || !posted.append_next(r, *sender.from, tag)) [[unlikely]]
    return false;
  // relaxed: nobody else knows this request yet
  r->complete.store(false, std::memory_order_relaxed);
  r->holds = true;
  ++where.users;
  r->where = &where;
  r->data = message_data::contiguous(data);
  r->bytes = bytes;
  r->process = sender.process;
  r->peer = source;
  r->tag = tag;
  return true;
}

bool engine::post(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, request* spent) {
  return state_->post(where, data, source, tag, static_cast<message_request*>(spent));
}

inline void engine::state::receive(message_request* r, std::int32_t source) {
  channel* from = nullptr;
  r->process = any_process;
  if (source != any_source) [[likely]] {
    scope::sequences::member& sender = sequences_of(*r->where).of(source);
    r->process = sender.process;
    if (sender.from == nullptr) [[unlikely]]
      sender.from = &incoming.at(r->where->context, sender.process);
    from = sender.from;
  }
  const match_key key{r->where->context, r->process, r->tag};
  if (unexpected.size() != 0 && receive_unexpected(r, key)) return;
  hold(r);
  if (r->bytes <= quiet_limit && keepers.empty()) [[likely]] {
    r->plain = !r->waits && r->data.predefined() && r->data.one_block();
    posted.append(r, from);
  } else {
    post_and_look(r, key, from);
  }
}

request* engine::receive(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, bool waits,
                         request* spent) {
  message_request* r = state_->new_request(request_kind::receive, where, data, source, tag, spent);
  r->waits = waits;
  state_->receive(r, source);
  return r;
}

void engine::state::receive_from(message_request* r, arrival* a) {
  LOADSTONE_FAULT_POINT("unexpected.matched");
  set_source(r, a->key.process, a->key.tag, a->bytes);
  switch (a->kind) {
    case arrival::form::kept:
      if (must_follow(r, a->bytes, a->token)) return follow(r, a);
      [[fallthrough]];
    case arrival::form::held:
    case arrival::form::heap:
      deliver(r, a->payload, a->bytes, a->token);
      return conclude(r, a);
    case arrival::form::self:
      receive_from_self(r, a->sender);
      break;
    case arrival::form::rendezvous:
      hold(r);
      r->offered = a->offered;
      r->record = a->record;
      r->generation = a->generation;
      start_transfer(r);
      break;
  }
  recycle(a);
}

// A message that was kept has been received.
void engine::state::conclude(message_request* r, arrival* a) {
  if (a->answered) send_done(a->key.process, a->record, a->generation, 0);
  finish(r);
  recycle(a);
}

namespace {

// Bytes [at, until) of a message, to where they belong.
void copy_part(message_request* r, const std::byte* from, std::int64_t at, std::int64_t until) {
  const auto bytes = static_cast<std::size_t>(until - at);
  if (!r->data.one_block())
    r->data.unpack(at, until - at, from);
  else
    copy::out_of_cell(r->data.block() + at, from, bytes, static_cast<std::size_t>(r->result.bytes));
}

// Whether a sender is alive is asked of the system: one look in vain in so many.
constexpr std::uint32_t death_check_every = 256;

}  // namespace

// Bytes [first, first + n) of a message, which may be being written at this moment. False: its sender has died
// over it.
bool engine::state::copy_as_it_comes(message_request* r, std::int64_t first, const std::byte* payload,
                                     std::int64_t n, void* token) {
  for (std::int64_t at = 0, there = 0; at < n; at = there) {
    // One byte more, or everything: the rest may have come while we copied. Without a token it is all there.
    there = token == nullptr ? n
                             : std::min(n, static_cast<std::int64_t>(
                                               endpoint.arrived(token, static_cast<std::size_t>(at) + 1)));
    if (there == 0) return false;
    copy_part(r, payload + at, first + at, first + there);
  }
  return true;
}

void engine::state::deliver_from_cell(message_request* r, const std::byte* payload, std::int64_t n,
                                      void* token) {
  if (!copy_as_it_comes(r, 0, payload, n, token)) r->result.error = error_peer_aborted;
}

// `a` has been matched; from here on it is looked at in run_work(), at each poll, until all of it has come.
void engine::state::follow(message_request* r, arrival* a) {
  if (!r->holds) hold(r);
  r->message = a;
  r->step = phase::following;
  expect_copy(a->key.process, a->bytes);
  schedule(r);
}

void engine::state::copy_written(message_request* r) {
  arrival* a = r->message;
  const std::int64_t wanted = std::min(a->bytes, r->bytes);
  const auto written = [&] {
    return std::min(wanted, static_cast<std::int64_t>(endpoint.written(a->token)));
  };
  std::int64_t there = written();
  bool lost = false;
  if (there == r->moved && ++r->looks % death_check_every == 0 && endpoint.abandoned(a->token)) {
    there = written();  // it may have written all of it before it died
    lost = there < wanted;
  }
  copy_part(r, a->payload + r->moved, r->moved, there);
  r->moved = there;
  if (lost) r->result.error = error_peer_aborted;
  if (there < wanted && !lost)
    followed.push_back(r);
  else
    conclude(r, a);
}

// Decides with one compare-and-swap in the sender's record whether the message is received or has been
// cancelled. Where the peer's memory cannot be reached, or is there no more, nothing that waits for an answer
// is ever cancelled, and the claim succeeds.
bool engine::state::claim(std::uint32_t process, packed_address record, std::uint32_t generation) {
  const memory::address where = p2p::unpack(process, record);
  const memory::pin mapped = endpoint.map(where.region);
  if (!mapped) return true;
  auto* shared = reinterpret_cast<rendezvous_record*>(mapped.at(where.offset));
  std::uint64_t expected = state_word(generation, record_pending);
  // sync: record-claim — acquire pairs with the sender's release of a fresh record; release with the sender's
  // acquire on cancel
  return shared->state.compare_exchange_strong(expected, state_word(generation, record_matched),
                                               std::memory_order_acq_rel, std::memory_order_acquire);
}

bool engine::state::cancelled(std::uint32_t process, packed_address record, std::uint32_t generation) {
  const memory::address where = p2p::unpack(process, record);
  const memory::pin mapped = endpoint.map(where.region);
  if (!mapped) return false;
  // sync: record-claim
  const std::uint64_t word =
      reinterpret_cast<rendezvous_record*>(mapped.at(where.offset))->state.load(std::memory_order_acquire);
  return word != state_word(generation, record_pending);
}

void engine::state::check_order(stream& s, const match_key& key, std::uint32_t sequence, bool ahead) {
  const std::uint32_t due = s.next();
  if (!(ahead ? s.taken(sequence) : s.arrived(sequence))) [[unlikely]] {
    char what[200];
    std::snprintf(what, sizeof what,
                  "message %u of process %u in context %llx, tag %d, came%s at process %u where %u was due",
                  sequence, key.process, static_cast<unsigned long long>(key.context), key.tag,
                  ahead ? " out of its sender's queue" : "", self, due);
    broken(what);
  }
  if (s.fetch(sequence)) [[unlikely]]
    kept.remove(key);
}

// Nobody will receive it. It answers nothing: whoever waits for an answer has cancelled its message, or errs.
deposit::verdict engine::state::drop_late(const match_key& key, std::uint32_t sequence,
                                          const deposit::incoming& message) {
  if (must_wait_for(message)) return deposit::verdict::left;
  if (incoming.fetch_late(key.context, key.process, sequence)) kept.remove(key);
  return deposit::verdict::consumed;
}

// An unexpected message that nobody will receive.
void engine::state::drop(arrival* a) {
  take_unexpected(a);
  recycle(a);
}

void engine::state::send_control(std::uint32_t process, std::uint8_t handler, const void* header,
                                 std::size_t bytes) {
  // Never `again`: it fits a slot. A dead peer needs no answer.
  (void)endpoint.send_active(process, handler, deposit::traffic::control, header, bytes, nullptr, 0);
}

void engine::state::send_done(std::uint32_t process, packed_address record, std::uint32_t generation,
                              std::int32_t error) {
  const done_header header{record, generation, error};
  send_control(process, deposit::handler_p2p_done, &header, sizeof header);
  LOADSTONE_FAULT_POINT("p2p.done_sent");
}

}  // namespace loadstone::p2p
