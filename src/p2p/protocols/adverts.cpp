#include "p2p/protocols/adverts.hpp"

#include <algorithm>

#include "base/fault.hpp"
#include "p2p/pending_work.hpp"
#include "p2p/protocols/rendezvous.hpp"
#include "p2p/protocols/shared_copy.hpp"

namespace loadstone::p2p {

adverts::adverts(const context& c) : context(c) {
  listen<&adverts::on_advert>(endpoint, deposit::handler_p2p_advert, this);
  listen<&adverts::on_taken>(endpoint, deposit::handler_p2p_taken, this);
}

// --- receiver ---

void adverts::advertise(message_request* r, const match_key& key) {
  if (key.process == any_process || key.tag == any_tag || key.process == self) return;
  if (r->step != phase::posted || !r->data.one_block() || !endpoint.ready(key.process)) return;
  advert_body body{};
  body.mapped = arena.find(r->data.block(), static_cast<std::size_t>(r->bytes), &body.target) ? 1 : 0;
  if (body.mapped == 0 && !endpoint.user().reaches(key.process)) return;
  if (!records.take(r)) return;  // no memory: it is received like any other
  r->known_to_sender = true;
  r->state.fetch = {-1, none_given_back, false};
  body.receiver = reinterpret_cast<std::uint64_t>(r);
  body.address = reinterpret_cast<std::uint64_t>(r->data.block());
  body.bytes = r->bytes;
  const advert_header header{key.context,       matching.senders.at(key.context, key.process).order.next(),
                             key.tag,           records.address_of(r),
                             r->own.generation, 0};
  // If the peer is dead, nobody will use it.
  (void)send_control(key.process, deposit::handler_p2p_advert, header, &body, sizeof body);
  LOADSTONE_FAULT_POINT("advert.sent");
}

// The envelope of a message that is being deposited, or was.
deposit::verdict adverts::on_taken(deposit::incoming& message, bool queued) {
  const auto& header = header_of<answered_envelope>(message);
  taken_body body;
  __builtin_memcpy(&body, message.payload(), sizeof body);
  const match_key key{header.message.context, message.source(), header.message.tag()};
  const std::uint32_t sequence = header.message.sequence();
  // The last of its data can come before it, and the communicator be freed then.
  channel* const from = matching.channel_of_arrival(key, sequence);
  if (from == nullptr) [[unlikely]]
    return offers.drop_late(key, sequence, message);
  matching.check_order(*from, key, sequence, queued);
  rendezvous_record* record = records.at(body.advert);
  // relaxed: the sender's claim came before this message
  if (record->state.load(std::memory_order_relaxed) != state_word(body.advert_generation, record_matched))
    return deposit::verdict::consumed;  // it is over already
  auto* r = reinterpret_cast<message_request*>(record->request);
  live.unpost(r);
  live.set_source(r, key.process, key.tag, body.offered.bytes);
  r->takes(body.offered, header.record, header.generation);
  copies.start_deposited(r, body.alone != 0);
  unexpected.matched(r);
  return deposit::verdict::consumed;
}

// --- sender ---

deposit::verdict adverts::on_advert(deposit::incoming& message, bool) {
  advert a;
  __builtin_memcpy(&a.about, message.header(), sizeof a.about);
  __builtin_memcpy(&a.where, message.payload(), sizeof a.where);
  const std::uint32_t peer = message.source();
  const key k{a.about.context, peer};
  // Of a receive that is over, or will be without us: we have sent all we shall send there.
  const auto found = known_.find(k);
  if (found == known_.end() && matching.senders.closed(k.context)) [[unlikely]]
    return deposit::verdict::consumed;
  of_peer& known = found != known_.end() ? found->second : known_[k];
  known.list.push_back(a);
  known.taken_in = a.about.sequence;
  if (known.list.size() >= known.prune_at) {
    std::erase_if(known.list, [&](const advert& old) { return over(peer, old); });
    known.prune_at = std::max<std::size_t>(16, 2 * known.list.size());
  }
  return deposit::verdict::consumed;
}

// Claims the oldest pending advert of the message's tag, if it is long enough: too long a message
// goes the usual way, which tells of the truncation.
bool adverts::claim(const message_request* r, of_peer& known, advert* claimed) {
  for (auto a = known.list.begin(); a != known.list.end();) {
    if (a->about.tag != r->tag) {
      ++a;
      continue;
    }
    // One that cannot be asked for is not passed over: what comes behind it is not ours.
    const record_store::mapped there = records.map(r->process, a->about.record);
    if (there.at == nullptr) return false;
    if (a->where.bytes < r->bytes && !over(r->process, *a)) return false;
    *claimed = *a;
    a = known.list.erase(a);
    if (claimed->where.bytes >= r->bytes && record_store::claim(there, claimed->about.generation))
      return true;
  }
  return false;
}

bool adverts::start(message_request* r, std::uint32_t wish) {
  if (r->bytes < config.least_advertised || !r->data.one_block()) return false;
  work.take_in();  // the advert may have just come
  if (!knows(r)) return false;
  if (r->own.at == nullptr && !records.take(r)) return false;
  record_store::wish(r, wish);
  offers.describe(r);
  taken_body body{r->offered, 0, 0, 0};
  advert used{};
  bool claimed = false;
  // Claim, number and envelope in one turn: no message of another thread comes between.
  const deposit::outcome left = work.in_turn([&] {
    scope::sequences::member& to = sequences_of(*r->where).of(r->peer);
    const auto mine = known_.find({r->where->context, r->process});
    if (mine == known_.end()) return deposit::outcome::sent;
    // Not while a message may be under way that was not deposited.
    if (static_cast<std::int32_t>(to.ordinary - mine->second.taken_in) > 0) return deposit::outcome::sent;
    claimed = claim(r, mine->second, &used);
    if (!claimed) return deposit::outcome::sent;
    LOADSTONE_FAULT_POINT("advert.claimed");
    body.advert = used.about.record;
    body.advert_generation = used.about.generation;
    body.alone =
        config.both_sides == 0 && (used.where.mapped != 0 || endpoint.user().reaches(r->process)) ? 1 : 0;
    const answered_envelope header = offers.envelope_of(r, to);
    const auto o = endpoint.send_active(r->process, deposit::handler_p2p_taken, deposit::traffic::user,
                                        &header, sizeof header, &body, sizeof body);
    if (o == deposit::outcome::sent) ++to.sent;
    return o;
  });
  if (!claimed) return false;
  live.hold_open(r);
  // relaxed: only we would change it, to cancel, and that is too late now
  r->own.at->state.store(state_word(r->own.generation, record_matched), std::memory_order_relaxed);
  if (left != deposit::outcome::sent) {
    live.finish(r, error_peer_aborted);
    return true;
  }
  sent.count(r->bytes);
  r->theirs = {used.about.record, used.about.generation};
  r->until = r->bytes;
  r->state.help = {used.where.target, used.where.address, used.where.receiver, used.where.mapped != 0,
                   body.alone != 0};
  copies.fill(r);
  // If the receiver is in the library it copies, too, and a non-blocking send may leave it all to
  // it. Alone we begin at once.
  if (body.alone == 0) {
    live.need(r);
    work.schedule_next_poll(r);
  } else {
    work.schedule(r);
    work.run();
  }
  return true;
}

}  // namespace loadstone::p2p
