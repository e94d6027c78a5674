#include "transport/sending.hpp"

namespace loadstone::transport {

sending::sending(const setup& with)
    : peers_(with.job, with.memory),
      lines_(peers_, with.memory, with.pair_lines, with.line_after, with.cell_bytes_limit / 2),
      rings_(peers_, with.memory, with.threads ? 0 : with.pair_lines, with.pair_lines, with.ring_after),
      awake_(with.may_attend, with.threads),
      bounce_(with.memory, with.cell_bytes_limit, with.pair_lines != 0 ? with.cell_bytes_limit : 0,
              with.past_caches),
      self_(with.memory.self()),
      offer_handler_(with.offer_handler),
      patience_(with.patience) {}

send_result sending::send_otherwise(std::uint32_t index, const outgoing& m) {
  peer* p = peers_.reach(index);
  if (p == nullptr) [[unlikely]]
    return index < peers_.size() && peers_.alive(index) ? send_result::not_ready : send_result::gone;
  out_queue* const q = queues_->open_queue(index, m.kind);
  if (q != nullptr && !patience_.wait(*p, m.kind, *q, [q] { return q->empty(); })) [[unlikely]]
    return send_queued(*p, index, m, {});
  if (!m.fits_slot() && line_lane::is_open(*p, m.kind) && write_in_buffer(*p, m)) return send_result::sent;
  filling payload;
  if (!m.fits_slot() && !(payload = bounce_.begin(index, m, attention::takes_parts(*p->at))))
    return send_result::no_cell;
  if (line_lane::is_open(*p, m.kind)) {
    const std::uint32_t sequence = p->sequence[m.kind]++;
    p->line->publish(payload ? p->line->write(m, sequence, payload) : p->line->write(m, sequence));
    line_written(*p);
    if (payload) bounce_.finish(m, payload);
    count(payload);
    return send_result::sent;
  }
  place to = claim(*p, m.kind);
  if (to.at == nullptr) [[unlikely]]
    to = claim_in_time(*p, m.kind);
  if (to.at == nullptr) [[unlikely]]
    return send_queued(*p, index, m, payload);
  write_slot(*to.at, m, self_, p->sequence[m.kind]++, payload.name, payload.flags(m));
  publish(*p, to);
  if (payload) bounce_.finish(m, payload);
  count(payload);
  if (heard_ == index) {
    heard_ = nobody;
    // Not before this message: the proposal may go into a queue, and then this one would pass it.
    if (lines_.answered(*p)) propose(lines_, index, 0);
  }
  return send_result::sent;
}

sending::place sending::claim_in_time(peer& p, std::uint8_t kind) {
  place to{nullptr, false};
  const auto claimed = [&] { return (to = claim(p, kind)).at != nullptr; };
  if (p.ring != nullptr ? patience_.wait(p, kind, *p.ring, claimed)
                        : patience_.wait(p, kind, p.inbox, claimed))
    return to;
  if (p.ring == nullptr || !attention::takes(*p.at, kind)) return to;
  return {p.inbox.claim(own_->intent), false};
}

// `payload`: what is in a cell already, if anything.
send_result sending::send_queued(peer& p, std::uint32_t index, const outgoing& m, filling payload) {
  if (peers_.known_dead(index)) {
    if (payload) bounce_.drop(index, payload);
    return send_result::gone;
  }
  out_queue* q = queues_->any_queue(index, m.kind);
  if (q == nullptr || q->claim() == nullptr) {
    if (payload) bounce_.drop(index, payload);
    if (!m.fits_slot()) return send_result::no_cell;
    return peers_.alive(index) ? send_result::no_memory : send_result::gone;
  }
  if (!m.fits_slot() && !payload && !(payload = bounce_.begin(index, m, false))) return send_result::no_cell;
  if (payload) bounce_.finish(m, payload);
  write_slot(*q->claim(), m, self_, p.sequence[m.kind]++, payload.name,
             static_cast<std::uint8_t>(payload.passed | (payload.there == unreadable ? slot_overlapped : 0)));
  q->publish();
  ++counts_.queued_sent;
  if (payload) count(payload);
  // The front may have been unmapped by what happened since (a cache of one entry): take it again.
  if (peer* now = peers_.reach(index); now != nullptr) {
    queues_->announce(*now->at, m.kind);
    awake_.wake(*now->at);
  }
  return send_result::sent;
}

bool sending::write_in_buffer(peer& p, const outgoing& m) {
  if (!lines_.may_fill(*p.line, m, p.sequence[m.kind])) return false;
  filling payload = p.line->fill_buffer(m);
  payload.fill(m, m.overlap && attention::takes_parts(*p.at));
  p.line->publish(p.line->write(m, p.sequence[m.kind]++, payload));
  line_written(p);
  if (payload.there != m.payload_bytes) {
    payload.finish(m);
    awake_.announce(*p.at);  // it may want all of it at once
  }
  ++counts_.inline_sent;
  return true;
}

}  // namespace loadstone::transport
