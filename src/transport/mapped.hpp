// The transport between processes that map each other's memory, coherently: a router over lanes
// (lane.hpp). Also the way of a process to itself.
//
// To a peer: sending.hpp. From a peer, sequence numbers keep the order among lanes: the earliest
// message stands at the head of one of them. What is not due is left where it is; what comes by
// inbox or queue ahead of its turn makes us poll line and ring.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "transport/mapped_stores.hpp"
#include "transport/sending.hpp"

namespace loadstone::transport {

class mapped : sending {
 public:
  static base::result<std::unique_ptr<mapped>> open(const setup& with);

  static constexpr traits properties() { return {true, true}; }

  // --- sending ---
  using sending::send;
  using sending::send_at_once;
  using sending::send_otherwise;
  peer_table& peers() { return peers_; }

  // --- arriving; Take: some_taker ---
  // Handles a bounded number of messages; true if there were any.
  template <class Take>
  bool poll(Take&& take);
  // The same for one message only, if it is there.
  template <class Take>
  bool poll_front(Take&& take);
  // Offers what peers keep for us (user class), until *stop.
  template <class Take>
  void search(std::uint32_t source, Take&& take, const bool* stop);
  // Is a message in the inbox, or in a ring? Touches no line, which somebody may be writing into.
  bool at_hand() const { return inbox_.at_hand() || rings_.at_hand(); }

  // Is there a place where the next message of that peer can be looked for?
  bool may_watch(std::uint32_t peer) const {
    return peers_.line_from(peer) != nullptr || peers_.ring_from(peer) != nullptr;
  }
  // Precondition: may_watch(). In its line, as long as on() says so and nothing else may be to do;
  // begin() is called before. Or in its ring, once: what comes in a row is there already, or the
  // wait for it is one as any other; of two that send at the same time, one finds the line closed.
  // True: it was there, and take(seen_message) has taken it, who may say no.
  template <class Begin, class Take, class On>
  [[gnu::always_inline]] bool watch(const watched& what, Begin&& begin, Take&& take, On&& on) {
    pair_line_end* const line = peers_.line_from(what.peer);
    if (line != nullptr && watch_line(*line, what, begin, take, on)) return true;
    return peers_.ring_from(what.peer) != nullptr && look_into_ring(what, take);
  }

  // What the message says that a peer sends to our offer handler.
  void accept(std::uint32_t peer, const std::byte* message) {
    offer what;
    __builtin_memcpy(&what, message, sizeof what);
    what.ring != 0 ? rings_.accept(peer, {what.where}) : lines_.accept(peer, {what.where});
  }

  // --- flow control ---
  void refuse(bool yes) { awake_.refuse(yes); }
  std::optional<std::uint32_t> starved() { return queues_->starved(); }
  // For memory in our arena: gives up what only saves time, and asks those whom messages of ours
  // wait for in queues. False: there was nothing, and there is nobody.
  bool ask_for_memory() {
    const bool shed = bounce_.shed();
    return queues_->ask_for_memory([&](std::uint32_t peer) { wake(peer); }) || shed;
  }

  arrived_cells& arrived() { return arrived_; }
  arrived_cell* payload_of(slot& s, std::uint32_t source) {
    if ((s.flags & slot_in_buffer) == 0) return arrived_.open(source, s);
    pair_line_end& line = *peers_.line_from(source);
    return arrived_.open(source, s, line.payload(s.payload_bytes), &line.filled(s.header_bytes));
  }
  mapped_stores& stores() { return stores_; }

  // --- sleeping ---
  // Sets the sleep bit. The caller checks once more everything that is not a message (its
  // condition), then sleeps on the bell, whose value it has read *before*.
  std::optional<std::chrono::nanoseconds> arm();
  void wake(std::uint32_t peer);
  // The same, of one that looks for what was stored whenever it attends, and before it sleeps.
  void announce(std::uint32_t index) {
    if (peer* const p = peers_.reach(index); p != nullptr) [[likely]]
      awake_.announce(*p->at);
  }
  // Would a message have to ring? As it was a moment ago, if its memory is mapped already; else
  // false.
  bool asleep(std::uint32_t peer) const;
  attention& sleeper() { return awake_; }
  // From here on as if it had been opened with several threads. What there is of rings stays.
  void admit_threads() {
    rings_.make_no_more();
    awake_.admit_threads();
  }

  figures counts() const {
    figures f = counts_;
    f.voided = inbox_.voided();
    return f;
  }

 private:
  explicit mapped(const setup& with);

  template <class Begin, class Take, class On>
  [[gnu::always_inline]] bool watch_line(pair_line_end& line, const watched& what, Begin&& begin, Take&& take,
                                         On&& on) {
    using sight = pair_line_end::sight;
    const std::uint64_t wanted = line.word_of({0, static_cast<std::uint16_t>(what.due), what.handler,
                                               static_cast<std::uint8_t>(what.header_bytes), 0, user_class});
    begin();
    do {
      seen_message message;
      const sight seen = line.poll_for(wanted, what.header_bytes, &message);
      if (seen == sight::wanted) {
        if (!take(message)) return false;
        line.release();
        awake_.came(1);
        return true;
      }
      if (seen == sight::other || at_hand() || inbox_.gap() || queues_->may_have_work() ||
          lines_.others_at_hand(line))
        return false;
    } while (on());
    return false;
  }
  template <class Take>
  [[gnu::always_inline]] bool look_into_ring(const watched& what, Take&& take) {
    ring_receiver& ring = *peers_.ring_from(what.peer);
    slot* const m = ring.front();
    if (m == nullptr || m->handler != what.handler || m->kind != user_class || m->flags != 0 ||
        m->header_bytes != what.header_bytes || m->sequence != what.due)
      return false;
    if (!take(seen_message{m->data, m->data + what.header_bytes, m->payload_bytes, nullptr})) return false;
    ring.release(*m);
    awake_.came(1);
    heard_ = what.peer;
    return true;
  }
  void heard(std::uint32_t source) {  // by inbox or queue
    heard_ = source;
    if (rings_.heard(source)) [[unlikely]]
      propose(rings_, source, 1);
  }
  // A message that came by inbox or queue: what its sender has put into its line, or into its ring,
  // before it comes first.
  template <class Take>
  bool take_in_order(slot& s, std::uint32_t source, bool fresh, bool queued, Take& take) {
    if (fresh && s.sequence != take.due(source, s.kind)) [[unlikely]]
      while (s.sequence != take.due(source, s.kind) && catch_up(source, take)) {
      }
    return take(s, source, fresh, queued);
  }
  template <class Take>
  [[gnu::noinline]] bool catch_up(std::uint32_t source, Take& take) {
    peer* p = peers_.known(source);
    if (p == nullptr) return false;
    return (p->line != nullptr && took(lines_.take_from(*p->line, take))) ||
           (p->ring_from != nullptr && took(rings_.take_from(*p->ring_from, take)));
  }
  // From a line or a ring: one message? Or one that is not due, so that an earlier one is missing.
  bool took(lane_state state) {
    if (state == lane_state::taken) awake_.came(1);
    if (state == lane_state::not_due) [[unlikely]]
      inbox_.suspect_gap();
    return state == lane_state::taken;
  }
  // Before queues: what came by inbox until their senders began with them.
  template <class Take>
  void begin_with_queues(Take& take) {
    queues_->collect();
    queues_->observe();
    inbox_.take_past_gaps(in_order(take, true));
  }
  // What the inbox gives its messages to. `past_gaps`: these say nothing of who sends in a row.
  template <class Take>
  auto in_order(Take& take, bool past_gaps = false) {
    return [this, &take, past_gaps](slot& s, std::uint32_t source, bool fresh, bool queued) {
      if (!past_gaps) heard(source);
      return take_in_order(s, source, fresh, queued, take);
    };
  }
  // Up to `most` messages of each ring.
  template <class Take>
  bool poll_rings(std::uint32_t most, Take& take) {
    if (rings_.empty()) return false;
    const std::uint32_t handled = rings_.take_some(most, take, &heard_);
    if (rings_.not_due()) [[unlikely]]
      inbox_.suspect_gap();
    if (handled == 0) return false;
    awake_.came(handled);
    return true;
  }

  inbox_lane inbox_;
  arrived_cells arrived_;
  mapped_stores stores_;
};

template <class Take>
bool mapped::poll_front(Take&& take) {
  return took(lines_.take_one(take)) || poll_rings(1, take) ||
         inbox_.take_one(in_order(take)) == lane_state::taken;
}

template <class Take>
bool mapped::poll(Take&& take) {
  constexpr std::uint32_t at_once = 64;
  const bool in_front = took(lines_.take_one(take)) | poll_rings(at_once, take);
  const std::uint32_t handled = inbox_.take_some(at_once, in_order(take));
  if (handled == at_once) return true;
  bool any = in_front || handled != 0;
  if (!any && inbox_.poll_past_gaps()) [[unlikely]]
    any = inbox_.take_past_gaps(in_order(take, true));
  // Seen now or at the next poll; collect() synchronises, and arm() polls in order.
  if (queues_->may_have_work()) [[unlikely]] {
    begin_with_queues(take);
    any |= queues_->pull([&](slot& s, std::uint32_t source, bool fresh) {
      if (fresh) heard(source);
      return take_in_order(s, source, fresh, s.kind == user_class, take);
    });
  }
  return any;
}

template <class Take>
void mapped::search(std::uint32_t source, Take&& take, const bool* stop) {
  if (!queues_->exist() && !queues_->announced()) return;
  begin_with_queues(take);
  queues_->search(
      source, user_class,
      [&](slot& s, std::uint32_t from, bool fresh) { return take_in_order(s, from, fresh, true, take); },
      stop);
}

static_assert(transport<mapped>);

}  // namespace loadstone::transport
