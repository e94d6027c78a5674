#include "transport/mapped.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace loadstone::transport {

using base::code;
using base::status;

mapped::mapped(const setup& with)
    : self_(with.memory.self()),
      peers_(with.job, with.memory),
      lines_(peers_, with.memory, with.pair_lines, with.line_after, with.cell_limit / 2, with.threads),
      rings_(peers_, with.memory, with.threads ? 0 : with.pair_lines, with.pair_lines, with.ring_after),
      inbox_(with.job, with.memory),
      bounce_(with.memory, with.cell_limit, with.pair_lines != 0 ? with.cell_limit / 2 : 0, with.past_caches),
      attention_(with.may_attend),
      arrived_(with.memory, &bounce_.passed()),
      stores_(with.memory),
      offer_handler_(with.offer_handler),
      patience_(with.patience) {}

base::result<std::unique_ptr<mapped>> mapped::open(const setup& with) try {
  std::uint32_t slots = with.inbox_slots;
  if (!std::has_single_bit(slots) || slots < 2 || slots > max_inbox_slots)
    return status{code::invalid, 0, "the number of inbox slots must be a power of two from 2 to 512"};
  if (with.job.header().capacity > max_processes)
    return status{code::invalid, 0, "more processes than the mapped transport can address"};
  auto made = std::unique_ptr<mapped>(new mapped(with));
  auto* at = with.memory.arena().pointer(memory::front_of(with.memory.self()));
  auto* f = static_cast<front*>(at);  // fresh job memory is zero; peers may be looking at `ready` already
  made->own_ = f;
  f->transport = with.transport.word();
  f->slots = slots;
  f->first_position = with.first_position & ~flag_bits;
  f->intent.inbox.store(no_inbox, std::memory_order_relaxed);  // relaxed: published by `ready`
  made->peers_.set_own(f);
  made->attention_.set_own(f);
  made->inbox_.open(*f, with.first_position);
  made->overflow_ = std::make_unique<overflow>(with.memory, *f, with.job.header().capacity);
  f->ready.store(front_magic, std::memory_order_release);  // sync: front-ready
  LOADSTONE_FAULT_POINT("front.ready");
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, 0, "no memory to describe the transport"};
}

// --- sending ---

send_result mapped::send_otherwise(std::uint32_t index, const outgoing& m) {
  peer* p = peers_.reach(index);
  if (p == nullptr) [[unlikely]]
    return index < peers_.size() && peers_.alive(index) ? send_result::not_ready : send_result::gone;
  p->in_a_row = 0;
  out_queue* const q = overflow_->open_queue(index, m.kind);
  if (q != nullptr && !patience_.wait(*p, m.kind, *q, [q] { return q->empty(); })) [[unlikely]]
    return send_queued(*p, index, m, {});
  if (!m.fits_slot() && line_lane::is_open(*p, m.kind) && write_in_buffer(*p, m)) return send_result::sent;
  filling payload;
  if (!m.fits_slot() && !(payload = bounce_.begin(index, m, false))) return send_result::no_cell;
  if (line_lane::is_open(*p, m.kind)) {
    const std::uint32_t sequence = p->sequence[m.kind]++;
    payload ? p->line->write(m, sequence, payload) : p->line->write(m, sequence);
    line_written(*p);
    if (payload) bounce_.finish(m, payload);
    count(payload);
    return send_result::sent;
  }
  const place to = claim_in_time(*p, m.kind);
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

mapped::place mapped::claim_in_time(peer& p, std::uint8_t kind) {
  place to{nullptr, false};
  const auto claimed = [&] { return (to = claim(p, kind)).at != nullptr; };
  if (claimed() || (p.ring != nullptr ? patience_.wait(p, kind, *p.ring, claimed)
                                      : patience_.wait(p, kind, p.inbox, claimed)))
    return to;
  if (p.ring == nullptr || !attention::takes(*p.at, kind)) return to;
  return {p.inbox.claim(own_->intent), false};
}

// `payload`: what is in a cell already, if anything.
send_result mapped::send_queued(peer& p, std::uint32_t index, const outgoing& m, filling payload) {
  if (peers_.known_dead(index)) {
    if (payload) bounce_.drop(index, payload);
    return send_result::gone;
  }
  out_queue* q = overflow_->any_queue(index, m.kind);
  if (q == nullptr || q->reserve() == nullptr) {
    if (payload) bounce_.drop(index, payload);
    if (!m.fits_slot()) return send_result::no_cell;
    return peers_.alive(index) ? send_result::no_memory : send_result::gone;
  }
  if (!m.fits_slot() && !payload && !(payload = bounce_.begin(index, m, true))) return send_result::no_cell;
  if (payload) bounce_.finish(m, payload);
  write_slot(*q->reserve(), m, self_, p.sequence[m.kind]++, payload.name,
             static_cast<std::uint8_t>(payload.passed | (payload.there == unreadable ? slot_overlapped : 0)));
  q->append();
  ++counts_.queued_sent;
  if (payload) count(payload);
  // The front may have been unmapped by what happened since (a cache of one entry): take it again.
  if (peer* now = peers_.reach(index); now != nullptr) {
    overflow_->announce(*now->at, m.kind);
    attention_.wake(*now->at);
  }
  return send_result::sent;
}

bool mapped::write_in_buffer(peer& p, const outgoing& m) {
  filling payload = lines_.begin(*p.line, m, p.sequence[m.kind]);
  if (!payload) return false;
  p.line->write_in_buffer(m, p.sequence[m.kind]++, payload);
  line_written(p);
  if (payload.there != m.payload_bytes) {
    payload.finish(m);
    attention_.announce(*p.at);  // it may want all of it at once
  }
  ++counts_.inline_sent;
  return true;
}

// --- sleeping ---

void mapped::wake(std::uint32_t index) {
  // The caller's plain store comes before the read of the sleep bit.
  if (peer* p = peers_.reach(index); p != nullptr) attention_.announce_to_sleeper(*p->at);
}

bool mapped::asleep(std::uint32_t index) {
  const peer* const p = peers_.reach(index);
  return p != nullptr && attention::asleep(*p->at);
}

std::optional<std::chrono::nanoseconds> mapped::arm() {
  if (overflow_->work()) return std::nullopt;
  const bool settling = attention_.give_up();  // before the bit, and before lines and rings are polled
  if (!inbox_.set_sleep_bit()) return std::nullopt;
  if (lines_.arrived() || rings_.arrived() || overflow_->announced()) return std::nullopt;
  const auto longest = inbox_.longest_sleep();
  return longest && settling ? std::min<std::chrono::nanoseconds>(*longest, settle_time) : longest;
}

}  // namespace loadstone::transport
