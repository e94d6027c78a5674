// The sending end of the mapped transport: which lane a message takes (lane.hpp). The line, if it
// is our turn there; else the ring, if there is one; else the inbox; and when these are full, or
// user messages are refused, a queue of our own, which then takes everything of that class until it
// is empty.
#pragma once

#include <memory>

#include "transport/attention.hpp"
#include "transport/bounce.hpp"
#include "transport/inbox_lane.hpp"
#include "transport/line_lane.hpp"
#include "transport/overflow.hpp"
#include "transport/patience.hpp"
#include "transport/ring_lane.hpp"
#include "transport/transport.hpp"

namespace loadstone::transport {

inline constexpr std::uint32_t nobody = 0xffffffff;

class sending {
 public:
  send_result send(std::uint32_t index, const outgoing& m) {
    return send_at_once(index, m) ? send_result::sent : send_otherwise(index, m);
  }
  // The same, in line, for what goes into the line, if it is our turn there, or into a free slot of
  // ring or inbox. What fits no slot goes the other way from here. False: nothing has been done.
  [[gnu::always_inline]] bool send_at_once(std::uint32_t index, const outgoing& m) {
    peer* p = peers_.known(index);
    if (p == nullptr || p->at == nullptr || queues_->open_queue(index, m.kind) != nullptr) [[unlikely]]
      return false;
    if (line_lane::is_open(*p, m.kind)) {
      if (!m.fits_slot()) return write_in_buffer(*p, outgoing{m});  // `m` itself may stay in registers
      p->line->publish(p->line->write(m, p->sequence[m.kind]++));
      line_written(*p);
      ++counts_.inline_sent;
      return true;
    }
    if (!m.fits_slot()) return send_otherwise(index, outgoing{m}) == send_result::sent;
    if (heard_ == index) return false;
    const place to = claim(*p, m.kind);
    if (to.at == nullptr) return false;
    write_slot(*to.at, m, self_, p->sequence[m.kind]++, 0);
    publish(*p, to);
    ++counts_.inline_sent;
    return true;
  }
  send_result send_otherwise(std::uint32_t index, const outgoing& m);  // the rest of send()

  // Of a line (`ring` is 0), or of a ring for what we send it beside that (1); `where` is a
  // local_address in its arena.
  struct offer {
    std::uint64_t where, ring;
  };
  static_assert(offsetof(offer, ring) == 8 && sizeof(offer) == 16);
  // A line to a peer that answers, or a ring to one that sends much beside it.
  template <class Lane>
  void propose(Lane& lane, std::uint32_t index, std::uint64_t ring) {
    const auto where = lane.make_for(index);
    if (!where) return;
    const offer what{*where, ring};
    const send_result sent =
        send(index, {offer_handler_, control_class, sizeof what, &what, nullptr, nullptr, 0});
    if (sent != send_result::sent) lane.withdraw(index);
  }

 protected:
  explicit sending(const setup& with);

  // What both ends use: the receiving one is in mapped.hpp.
  front* own_ = nullptr;
  peer_table peers_;
  line_lane lines_;
  ring_lane rings_;
  std::unique_ptr<overflow> queues_;
  attention awake_;
  bounce_buffers bounce_;
  figures counts_;
  // Source of the last message from inbox, queue or ring, until we have written to it.
  std::uint32_t heard_ = nobody;

 private:
  // Where a message goes that is not written by turns.
  struct place {
    slot* at;
    bool in_ring;
  };

  send_result send_queued(peer& p, std::uint32_t index, const outgoing& m, filling payload);
  void count(const filling& payload) {
    ++(payload ? counts_.cells_sent : counts_.inline_sent);
    if (payload.passed != 0) ++counts_.cells_passed;
  }
  // Of the ring, or of the inbox if there is none; a null `at`: it does not take it. After that
  // nothing may fail until publish().
  place claim(peer& p, std::uint8_t kind) {
    const bool taken = attention::takes(*p.at, kind);
    if (p.ring != nullptr) return {taken ? p.ring->claim() : nullptr, true};
    return {taken ? p.inbox.claim(own_->intent) : nullptr, false};
  }
  [[gnu::noinline]] place claim_in_time(peer& p, std::uint8_t kind);
  void publish(peer& p, const place& to) {
    if (to.in_ring) {
      p.ring->publish();
      ++counts_.ring_sent;
      awake_.announce(*p.at);
    } else if (p.inbox.publish()) [[unlikely]] {
      awake_.wake(*p.at);
    }
  }
  void line_written(peer& p) {
    LOADSTONE_FAULT_POINT("line.written");
    awake_.announce(*p.at);
    ++counts_.line_sent;
  }
  // By turns, with a payload in the buffer of the pair. False, and nothing done: it does not go
  // there. Precondition: the line is open.
  bool write_in_buffer(peer& p, const outgoing& m);

  const std::uint32_t self_;
  const std::uint8_t offer_handler_;
  patience patience_;
};

}  // namespace loadstone::transport
