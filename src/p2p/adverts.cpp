// Adverts: a large receive is made known to its sender when it is posted, so that a sender that comes later
// moves the data by itself while the receiver computes (design principle: whoever comes second does the
// work).
//
// Condition: the receive names its source and tag, is contiguous, large, and its memory can be written by the
//            sender; no receive that could compete (wildcards included) was posted before it without one.
// Order:     an advert says how many messages of this (sender, communicator) the receiver had taken in. The
//            sender uses the oldest advert that is pending, and only if every message it has sent since the
//            newest of these numbers was deposited, too: then none is under way that the receive should have
//            matched. It claims an advert by compare-and-swap in the receiver's record; the receiver withdraws
//            it by the same word when it matches or cancels locally. The envelope follows in the stream of
//            user messages with its number, so that later messages stay behind it (models/adverts.pml).
// Copies:    1, by whoever is in the library; by both sides when both are (both_sides.cpp). A non-blocking
//            send that finds an advert leaves the copy for its next call.
// Cost:      one control message for each such receive.
#include <algorithm>

#include "base/fault.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

// --- receiver ---

void engine::state::advertise(message_request* r, const match_key& key) {
  if (key.process == any_process || key.tag == any_tag || key.process == self) return;
  if (r->step != phase::posted || !r->data.one_block() || !endpoint.ready(key.process)) return;
  advert_body body{};
  body.mapped = arena.find(r->data.block(), static_cast<std::size_t>(r->bytes), &body.target) ? 1 : 0;
  if (body.mapped == 0 && !endpoint.user().reaches(key.process)) return;
  r->advert = new_record(r, &r->advert_generation);
  if (r->advert == nullptr) return;  // no memory: it is received like any other
  body.receiver = reinterpret_cast<std::uint64_t>(r);
  body.address = reinterpret_cast<std::uint64_t>(r->data.block());
  body.bytes = r->bytes;
  const advert_header header{key.context,
                             incoming.at(key.context, key.process).order.next(),
                             key.tag,
                             pack(arena.address_of(r->advert)),
                             r->advert_generation,
                             0};
  // If the peer is dead, nobody will use it.
  (void)endpoint.send_active(key.process, deposit::handler_p2p_advert, deposit::traffic::control, &header,
                             sizeof header, &body, sizeof body);
  LOADSTONE_FAULT_POINT("advert.sent");
}

bool engine::state::withdraw(message_request* r) {
  if (r->advert == nullptr) [[likely]]
    return true;
  std::uint64_t expected = state_word(r->advert_generation, record_pending);
  // sync: record-claim
  if (!r->advert->state.compare_exchange_strong(expected, state_word(r->advert_generation, record_cancelled),
                                                std::memory_order_acq_rel, std::memory_order_acquire)) {
    return false;
  }
  LOADSTONE_FAULT_POINT("advert.withdrawn");
  free_record(r->advert, r->advert_generation);
  r->advert = nullptr;
  return true;
}

// The envelope of a message that is being deposited, or was.
deposit::verdict engine::state::on_taken(void* self, deposit::incoming& message, bool queued) {
  state& s = *static_cast<state*>(self);
  const auto& header = *reinterpret_cast<const answered_envelope*>(message.header());
  taken_body body;
  __builtin_memcpy(&body, message.payload(), sizeof body);
  const match_key key{header.message.context, message.source(), header.message.tag()};
  // The last of its data can come before it, and the communicator be freed then.
  channel* const from = s.channel_of(key, header.message.sequence());
  if (from == nullptr) [[unlikely]]
    return s.drop_late(key, header.message.sequence(), message);
  s.check_order(*from, key, header.message.sequence(), queued);
  rendezvous_record* record = s.record_at(body.advert);
  // relaxed: the sender's claim came before this message
  if (record->state.load(std::memory_order_relaxed) != state_word(body.advert_generation, record_matched))
    return deposit::verdict::consumed;  // it is over already
  auto* r = reinterpret_cast<message_request*>(record->request);
  s.posted.remove(r);
  s.set_source(r, key.process, key.tag, body.offered.bytes);
  r->offered = body.offered;
  r->record = header.record;
  r->generation = header.generation;
  r->moved = r->until = shared_total(r);
  r->step = phase::sharing;
  s.count(body.offered.arena_offset != not_in_arena ? direct : single_copy, r->until);
  // A block that was given back may have come first.
  if (body.alone == 0 || r->given_back >= 0)
    s.schedule(r);
  else
    s.expect_copy(r->process, r->until);
  if (r == s.looking_for) s.endpoint.stop_looking();
  return deposit::verdict::consumed;
}

// --- sender ---

deposit::verdict engine::state::on_advert(void* self, deposit::incoming& message, bool) {
  state& s = *static_cast<state*>(self);
  known_advert a;
  __builtin_memcpy(&a.about, message.header(), sizeof a.about);
  __builtin_memcpy(&a.where, message.payload(), sizeof a.where);
  const std::uint32_t peer = message.source();
  const advert_key key{a.about.context, peer};
  // Of a receive that is over, or will be without us: we have sent all we shall send there.
  const auto found = s.adverts.find(key);
  if (found == s.adverts.end() && s.incoming.closed(key.context)) [[unlikely]]
    return deposit::verdict::consumed;
  peer_adverts& known = found != s.adverts.end() ? found->second : s.adverts[key];
  known.list.push_back(a);
  known.taken_in = a.about.sequence;
  if (known.list.size() >= known.prune_at) {
    std::erase_if(known.list, [&](const known_advert& old) { return s.over(peer, old); });
    known.prune_at = std::max<std::size_t>(16, 2 * known.list.size());
  }
  return deposit::verdict::consumed;
}

// The receive has been matched or cancelled by its owner.
bool engine::state::over(std::uint32_t peer, const known_advert& a) {
  return cancelled(peer, a.about.record, a.about.generation);
}

// Claims the oldest pending advert of the message's tag, if it is long enough: too long a message goes the
// usual way, which tells of the truncation.
bool engine::state::claim_advert(const message_request* r, peer_adverts& known, known_advert* claimed) {
  for (auto a = known.list.begin(); a != known.list.end();) {
    if (a->about.tag != r->tag) {
      ++a;
      continue;
    }
    // One that cannot be asked for is not passed over: what comes behind it is not ours.
    if (!endpoint.map(p2p::unpack(r->process, a->about.record).region)) return false;
    if (a->where.bytes < r->bytes && !over(r->process, *a)) return false;
    *claimed = *a;
    a = known.list.erase(a);
    if (claimed->where.bytes >= r->bytes &&
        claim(r->process, claimed->about.record, claimed->about.generation)) {
      return true;
    }
  }
  return false;
}

bool engine::state::use_advert(message_request* r) {
  if (r->bytes < least_advertised || !r->data.one_block()) return false;
  if (!running) endpoint.poll();  // the advert may have just come
  if (adverts.empty()) return false;
  const advert_key key{r->where->context, r->process};
  if (adverts.find(key) == adverts.end()) return false;
  if (r->own == nullptr && take_record(r) == nullptr) return false;
  taken_body body{};
  make_offer(r, &body.offered);
  r->offered = body.offered;
  known_advert used{};
  bool claimed = false;
  // Claim, number and envelope in one turn: no message of another thread comes between.
  const deposit::outcome sent = in_turn([&] {
    scope::sequences::member& to = sequences_of(*r->where).of(r->peer);
    const auto of_peer = adverts.find(key);
    if (of_peer == adverts.end()) return deposit::outcome::sent;
    // Not while a message may be under way that was not deposited.
    if (static_cast<std::int32_t>(to.plain - of_peer->second.taken_in) > 0) return deposit::outcome::sent;
    claimed = claim_advert(r, of_peer->second, &used);
    if (of_peer->second.list.empty()) adverts.erase(of_peer);
    if (!claimed) return deposit::outcome::sent;
    LOADSTONE_FAULT_POINT("advert.claimed");
    body.advert = used.about.record;
    body.advert_generation = used.about.generation;
    body.alone =
        config.both_sides == 0 && (used.where.mapped != 0 || endpoint.user().reaches(r->process)) ? 1 : 0;
    const answered_envelope header{envelope::of(r->where->context, to.sent, r->tag), r->record, r->generation,
                                   0};
    const auto o = endpoint.send_active(r->process, deposit::handler_p2p_taken, deposit::traffic::user,
                                        &header, sizeof header, &body, sizeof body);
    if (o == deposit::outcome::sent) ++to.sent;
    return o;
  });
  if (!claimed) return false;
  hold(r);
  // relaxed: only we would change it, to cancel, and that is too late now
  r->own->state.store(state_word(r->generation, record_matched), std::memory_order_relaxed);
  if (sent != deposit::outcome::sent) {
    give_record(r);
    finish(r, error_peer_aborted);
    return true;
  }
  ++counts.deposited;
  r->peer_advert = used.about.record;
  r->advert_generation = used.about.generation;
  r->peer_token = used.where.receiver;
  r->peer_buffer = used.where.address;
  r->target = used.where.target;
  r->target_mapped = used.where.mapped != 0;
  r->until = r->bytes;
  r->step = phase::helping;
  schedule(r);
  // If the receiver is in the library it copies, too, and a non-blocking send may leave it all to it. Alone we
  // begin at once.
  if (body.alone == 0) {
    need(r);
    defer();
  } else {
    run_work();
  }
  return true;
}

}  // namespace loadstone::p2p
