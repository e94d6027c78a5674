// The transport between processes that map each other's memory, coherently: an inbox per process, queues of
// the sender's own when it is full, cells for payload. Also the way of a process to itself.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.hpp"
#include "memory/job.hpp"
#include "transport/arrived_cell.hpp"
#include "transport/cell_stores.hpp"
#include "transport/inbox.hpp"
#include "transport/outgoing.hpp"
#include "transport/overflow.hpp"
#include "transport/pair_line.hpp"
#include "transport/stream_ring.hpp"

namespace loadstone::transport {

class mapped {
 public:
  struct setup {
    memory::job& job;
    std::uint32_t self;
    memory::arena& arena;
    memory::mappings& mappings;
    std::uint32_t inbox_slots;
    std::size_t cell_limit;
    std::uint64_t first_position = 0;  // tests start near the wrap
    std::uint32_t pair_lines = 16;     // at most so many; 0: none
    std::uint32_t line_after = 8;      // answers to a peer before a line is proposed to it
    bool past_caches = false;          // tests: cells are always filled that way
    std::uint32_t stream_after = 16;   // messages in a row before their sender gets a ring for them
    std::uint8_t offer_handler = 0;    // of the message that offers a pair line or a ring: calls accept()
    bool threads = false;     // a payload in a long room is handled when all of it is there; no rings
    bool may_attend = false;  // whether stores to us need no fence while we are awake
  };
  static base::result<std::unique_ptr<mapped>> open(const setup& with);
  ~mapped();

  static constexpr traits properties() { return {true, true, true, true, true, false}; }

  send_result send(std::uint32_t index, const outgoing& m) {
    return send_at_once(index, m) ? send_result::sent : send_otherwise(index, m);
  }
  // The same for what goes into the pair line, if it is our turn there, or into a free slot of the inbox; false, and
  // nothing done, otherwise. In line: a short message is hardly more than this.
  [[gnu::always_inline]] bool send_at_once(std::uint32_t index, const outgoing& m) {
    peer* p = peers_[index].get();
    if (p == nullptr || p->at == nullptr || overflow_->open_queue(index, m.kind) != nullptr) [[unlikely]]
      return false;
    p->in_a_row = 0;
    if (line_is_open(*p, m.kind)) return write_by_turns(*p, m);
    if (!m.fits_slot() || heard_ == index) return false;
    const place to = claim(*p, m.kind);
    if (to.at == nullptr) return false;
    write_slot(*to.at, m, self_, p->sequence[m.kind]++, 0);
    publish(*p, to);
    ++counts_.inline_sent;
    return true;
  }
  bool alive(std::uint32_t peer);  // slow: asks the system
  bool attach(std::uint32_t peer) { return reach(peer) != nullptr; }

  // take(slot&, source, fresh, queued) → consumed; take.due(source, kind) → sequence of the next message.
  // Handles a bounded number of messages; true if there were any.
  template <class Take>
  bool poll(Take&& take);
  // The same for one message only, if it is there: does not look at the next slot, whose line would have to
  // travel.
  template <class Take>
  bool poll_front(Take&& take) {
    if (poll_lines(take) || poll_streams(1, take)) return true;
    slot* s = inbox_.front();
    if (s == nullptr) return false;
    heard(s->source);
    take_in_order(*s, s->source, true, false, take);
    inbox_.pop();
    return true;
  }
  // Is a message in the inbox, or in a ring? Touches no pair line, which somebody may be writing into.
  bool at_hand() const { return inbox_.front() != nullptr || (!streams_.empty() && stream_at_hand()); }
  // The pair line, if it is the peer's turn to write there; null otherwise.
  pair_line_end* line_from(std::uint32_t index) {
    peer* p = peers_[index].get();
    return p != nullptr && p->line != nullptr && !p->line->has_turn() ? p->line : nullptr;
  }
  // Of the message in the long room that has arrived there; until took(). Null: it cannot be reached.
  const std::byte* room_payload(pair_line_end& line) {
    if (line.named() != line.room().known_as() && !take_room(line)) [[unlikely]]
      return nullptr;
    return line.room().at(line.begin());
  }
  // May there be something to do beside what comes through this line?
  bool more_than(const pair_line_end& line) const {
    // Relaxed: a hint, as in poll().
    if (at_hand() || gap_ || overflow_->work() || own_->rung.load(std::memory_order_relaxed) != 0)
      return true;
    return lines_.size() > 1 && others_at_hand(line);
  }
  // Of a pair line (`stream` is 0), or of a ring for what we send it in a row (1); `where` is a local_address in its arena.
  struct offer {
    std::uint64_t where, stream;
  };
  void accept(std::uint32_t peer, const offer& what) {
    what.stream != 0 ? accept_stream(peer, {what.where}) : accept_line(peer, {what.where});
  }
  // Offers what peers keep for us (user class), until *stop.
  template <class Take>
  void look(std::uint32_t source, Take&& take, const bool* stop);
  void refuse(bool yes) {
    inbox_.refuse(yes);
    refuses_ = yes;
    say_attention();
  }
  // Messages have come through a line or a ring: after some, we attend.
  void came(std::uint32_t messages = 1) {
    if (came_ >= attend_after) [[likely]]
      return;
    came_ += messages;
    if (came_ >= attend_after) attend();
  }
  std::optional<std::uint32_t> starved() { return overflow_->starved(); }
  // For memory in our arena, which those have whom messages of ours wait for in queues. False: there is nobody to ask.
  bool ask_for_memory() {
    return overflow_->ask_for_memory([&](std::uint32_t peer) { wake(peer); });
  }
  bool queues_exist() const {
    return overflow_->exist() || own_->rung.load(std::memory_order_relaxed) != 0;
  }  // relaxed: a hint

  arrived_cells& arrived() { return arrived_; }
  peer_memory& memory() { return memory_; }

  // --- sleeping (models/sleep.pml) ---
  std::atomic<std::uint32_t>& bell() { return own_->bell; }
  // When somebody rang last. Relaxed: whoever has seen the bell move (sync: bell) sees at least that ring's.
  std::uint64_t rang_at() const { return own_->rang_at.load(std::memory_order_relaxed); }
  // Sets the sleep bit. Nothing: there is something to look at. Otherwise: the longest sleep allowed; the
  // caller looks once more at everything that is not a message (its condition), then sleeps on the bell,
  // whose value it has read *before*.
  std::optional<std::chrono::nanoseconds> arm();
  void disarm();
  void wake(std::uint32_t peer);
  std::uint64_t rings() const { return rings_; }

  struct figures {
    std::uint64_t inline_sent = 0, cells_sent = 0, queued_sent = 0, voided = 0;
    std::uint64_t line_sent = 0;    // of the first two: through a pair line
    std::uint64_t stream_sent = 0;  // and through a ring
  };
  const figures& counts() const { return counts_; }

 private:
  struct peer {
    front* at = nullptr;  // null: not mapped now
    memory::pin pin;
    bool known = false;  // `inbox` has been set up
    inbox::producer inbox;
    std::uint32_t sequence[classes] = {};
    pair_line_end* line = nullptr;
    std::uint32_t answers = 0;   // how often a message to it has followed one from it
    std::uint32_t in_a_row = 0;  // messages from it by inbox or queue, none to it in between
    std::unique_ptr<stream_sender> stream;
    stream_receiver* stream_from = nullptr;
    bool wants_no_stream = false;  // has refused one
  };
  // Where a message goes that is not written by turns.
  struct place {
    slot* at;
    bool in_stream;
  };
  static constexpr std::uint32_t nobody = 0xffffffff;
  static constexpr std::uint32_t attend_after = 16;  // messages since the last sleep

  explicit mapped(const setup& with);
  peer* reach(std::uint32_t index) {
    peer* p = peers_[index].get();
    return p != nullptr && p->at != nullptr ? p : reach_slow(index);
  }
  peer* reach_slow(std::uint32_t index);
  send_result send_otherwise(std::uint32_t index, const outgoing& m);
  void enter_queue(peer& p, out_queue& q, std::uint32_t index, const outgoing& m, std::uint64_t cell);
  send_result send_queued(peer& p, out_queue& q, std::uint32_t index, const outgoing& m);
  // A cell with the first `bytes` of the payload; null: none is free.
  cell_header* fill_cell(const outgoing& m, std::size_t bytes, store_way way = store_way::through);
  static std::size_t first_part(const outgoing& m) {
    return m.overlap ? part_of(m.payload_bytes) : m.payload_bytes;
  }
  // From byte `from` on.
  void fill_rest(const outgoing& m, cell_header& c, std::size_t from, cell_stores::plan plan);
  // Only a payload in one piece is copied here, and only one that is followed is worth the choice.
  cell_stores::plan plan_of(const outgoing& m) {
    return m.overlap && m.fill == nullptr ? stores_.next() : cell_stores::plan{store_way::through, false};
  }
  std::uint64_t name_of(cell_header* c) {
    return c == nullptr ? 0 : local_address::of(memory_.arena().address_of(c)).bits;
  }
  // Of the ring or the inbox; a null `at`: neither takes it. After that nothing may fail until publish().
  place claim(peer& p, std::uint8_t kind) {
    if (p.stream != nullptr && takes(p, kind) && p.stream->has_room()) return {&p.stream->next(), true};
    if (p.inbox.claim(own_->intent, kind == user_class) != inbox::claim_result::claimed)
      return {nullptr, false};
    return {&p.inbox.claimed(), false};
  }
  void publish(peer& p, const place& to) {
    if (to.in_stream) {
      p.stream->publish();
      ++counts_.stream_sent;
      announce(*p.at);
    } else if (p.inbox.publish()) [[unlikely]] {
      wake_owner(*p.at);
    }
  }
  // Relaxed: the refusal of user messages is a wish.
  static bool takes(const peer& p, std::uint8_t kind) {
    return kind != user_class || (p.at->inbox.attention.load(std::memory_order_relaxed) & refuses) == 0;
  }
  // After a store into a line or a ring of its.
  void announce(front& f) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    // Relaxed, and perhaps before the store can be seen: front_layout.hpp (sync: attention).
    if ((f.inbox.attention.load(std::memory_order_relaxed) & attends) == 0) [[unlikely]]
      announce_to_sleeper(f);
  }
  void announce_to_sleeper(front& f);
  void wake_owner(front& f) {
    // Sequentially consistent, after the store it announces: either we see the sleep bit, or its setter sees
    // that store.
    if ((f.inbox.tail.load(std::memory_order_seq_cst) & sleep_bit) != 0) [[unlikely]]
      ring_owner(f);
  }
  void ring_owner(front& f);

  // Precondition: line_is_open(). `cell`: as pair_line_end::write().
  void write_line(peer& p, const outgoing& m, std::uint64_t cell, bool overlapped) {
    p.line->write(m, p.sequence[m.kind]++, cell, overlapped);
    LOADSTONE_FAULT_POINT("line.written");
    announce(*p.at);
    ++counts_.line_sent;
  }
  // The same with the payload in the long room. False: it is too long for that, or there is no memory.
  bool write_in_long_room(peer& p, const outgoing& m);
  bool write_by_turns(peer& p, const outgoing& m) {
    if (pair_line_end::fits(m)) {
      write_line(p, m, 0, false);
    } else {
      const outgoing copy = m;  // in memory; `m` itself, which nobody else knows, may stay in registers
      if (!write_in_long_room(p, copy)) return false;
    }
    ++counts_.inline_sent;
    return true;
  }
  bool line_is_open(const peer& p, std::uint8_t kind) const {
    return p.line != nullptr && p.line->has_turn() && takes(p, kind);
  }
  bool others_at_hand(const pair_line_end& line) const;
  void propose_line(std::uint32_t index);
  // A long room of ours instead of what there was. False: no memory.
  bool make_room(pair_line_end& line, std::size_t bytes);
  // The one that the peer names. False: it cannot be reached.
  bool take_room(pair_line_end& line);
  void change_room(pair_line_end& line, pair_room room);
  bool may_have_lines();
  template <class Take>
  bool poll_lines(Take& take) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {  // a line that is refused goes while we look
      pair_word seen;
      if (lines_[i]->arrived(&seen, whole_rooms_) && read_line(*lines_[i], seen, take)) return true;
    }
    return false;
  }
  template <class Take>
  bool read_line(pair_line_end& line, const pair_word& seen, Take& take);
  void accept_line(std::uint32_t index, local_address where);
  bool send_offer(std::uint32_t index, const offer& what);

  // Up to `most` of each ring; of one ring, if it is one. Were there any?
  template <class Take>
  bool poll_streams(std::uint32_t most, Take& take) {
    bool any = false;
    for (std::size_t i = 0; i < streams_.size(); ++i) {  // a ring that is refused goes while we look
      stream_receiver& in = *streams_[i];
      std::uint32_t handled = 0;
      while (handled < most && read_stream(in, take)) ++handled;
      if (handled == 0) continue;
      heard_ = in.source();
      came(handled);
      any = true;
      if (most == 1) break;
    }
    return any;
  }
  // Its next message, if that is there and due.
  template <class Take>
  [[gnu::always_inline]] bool read_stream(stream_receiver& in, Take& take);
  bool stream_at_hand() const;
  void heard(std::uint32_t source) {  // by inbox or queue
    heard_ = source;
    std::unique_ptr<peer>& p = peers_[source];
    if (p == nullptr) [[unlikely]]
      p = std::make_unique<peer>();
    if (++p->in_a_row == stream_after_) [[unlikely]]
      offer_stream(source);
  }
  void offer_stream(std::uint32_t index);
  void accept_stream(std::uint32_t index, local_address where);
  void drop_stream(stream_receiver& in);

  // Everything that comes by other ways goes through here: what its sender has put into the pair line, or into its
  // ring, before it comes first.
  template <class Take>
  bool take_in_order(slot& s, std::uint32_t source, bool fresh, bool queued, Take& take) {
    if (fresh && (!lines_.empty() || !streams_.empty()))
      while (s.sequence != take.due(source, s.kind)) [[unlikely]]
        if (!catch_up(source, take)) break;
    return take(s, source, fresh, queued);
  }
  template <class Take>
  [[gnu::noinline]] bool catch_up(std::uint32_t source, Take& take) {
    peer* p = peers_[source].get();
    if (p == nullptr) return false;
    pair_word seen;
    if (p->line != nullptr && p->line->arrived(&seen, whole_rooms_) && read_line(*p->line, seen, take))
      return true;
    return p->stream_from != nullptr && read_stream(*p->stream_from, take);
  }

  void say_attention() {
    own_->inbox.attention.store((attends_ ? attends : 0u) | (refuses_ ? refuses : 0u),
                                std::memory_order_release);  // sync: attention
  }
  void attend();
  bool give_up_attending();

  template <class Take>
  bool drain_past(Take& take);
  void collect();             // reads the bitmaps
  void check_first_holder();  // voids the first slot if whoever claimed it is dead

  memory::job& job_;
  const std::uint32_t self_;
  peer_memory memory_;
  front* own_ = nullptr;
  inbox::consumer inbox_;
  std::uint32_t idle_ = 0;  // polls in vain
  bool gap_ = false;        // an unpublished slot stands in front
  std::uint32_t gap_sleeps_ = 0;
  std::vector<std::unique_ptr<peer>> peers_;
  std::vector<std::uint32_t> kept_;  // peers whose front stays mapped, oldest first
  std::size_t keep_ = 0;
  std::unique_ptr<overflow> overflow_;
  cells cells_;
  cell_stores stores_;
  arrived_cells arrived_;
  figures counts_;
  std::uint64_t rings_ = 0;

  std::vector<std::unique_ptr<pair_line_end>> lines_;
  std::uint32_t proposed_ = 0;  // of them, by us: in our arena
  const std::uint32_t max_lines_, line_after_;
  const std::uint8_t offer_handler_;
  const bool whole_rooms_, may_attend_;
  std::size_t room_limit_, rooms_ = 0;  // bytes of long rooms in our arena: at most, and now
  // Source of the last message from inbox, queue or ring, until we have written to it.
  std::uint32_t heard_ = nobody;

  std::vector<std::unique_ptr<stream_receiver>> streams_;
  const std::uint32_t stream_after_;
  std::uint32_t max_streams_, streams_out_ = 0;  // to be made here; accepted from others

  bool attends_ = false, refuses_ = false;
  std::uint32_t came_ = 0;
  bool settling_ = false;  // we gave up attending a moment ago, at
  std::uint64_t gave_up_at_ = 0;
};

template <class Take>
bool mapped::read_line(pair_line_end& line, const pair_word& seen, Take& take) {
  if (seen.handler == line_refused) [[unlikely]] {
    peers_[line.peer()]->line = nullptr;
    std::erase_if(lines_, [&](const auto& l) { return l.get() == &line; });
    return false;
  }
  std::uint32_t due = take.due(line.peer(), seen.kind);
  if (static_cast<std::uint16_t>(due) != seen.sequence) [[unlikely]] {
    gap_ = true;  // earlier ones are in the inbox, perhaps behind an unpublished slot
    return false;
  }
  slot image;
  line.read(seen, &image);
  if (seen.in_long_room()) image.cell = reinterpret_cast<std::uintptr_t>(room_payload(line));
  image.sequence = due;
  // What is sent while the message is taken goes through the inbox if it would let its room be written again.
  if (!seen.in_room) [[likely]]
    line.took();
  came();
  if (!take(image, line.peer(), true, false)) return false;  // not wanted before all of it has come
  if (seen.in_room) line.took();
  return true;
}

template <class Take>
inline bool mapped::read_stream(stream_receiver& in, Take& take) {
  slot* s = in.front();
  if (s == nullptr) return false;
  if (s->handler == stream_refused) [[unlikely]] {
    drop_stream(in);
    return false;
  }
  if (s->sequence != take.due(in.source(), s->kind)) [[unlikely]] {
    gap_ = true;  // as in read_line(); or in the pair line
    return false;
  }
  take(*s, in.source(), true, false);
  in.pop(*s);
  return true;
}

template <class Take>
bool mapped::poll(Take&& take) {
  constexpr std::uint32_t at_once = 64;
  constexpr std::uint32_t look_past_every =
      64;  // polls in vain: it reads the tail word, which senders fight for
  const bool in_front = poll_lines(take) | poll_streams(at_once, take);
  std::uint32_t handled = 0;
  for (slot* s = inbox_.first(); inbox_.published(s); s = inbox_.first()) {
    heard(s->source);
    take_in_order(*s, s->source, true, false, take);
    inbox_.pop(s);
    if (++handled == at_once) return true;
  }
  bool any = in_front || handled != 0;
  if (!any && (gap_ || ++idle_ % look_past_every == 0)) [[unlikely]]
    any = drain_past(take);
  // Relaxed: seen now or at the next poll; collect() synchronises, and arm() looks in order.
  if (own_->rung.load(std::memory_order_relaxed) != 0 || overflow_->work()) [[unlikely]] {
    collect();
    overflow_->observe();
    drain_past(take);
    any |= overflow_->pull(
        [&](slot& s, std::uint32_t source, bool fresh) {
          if (fresh) heard(source);
          return take_in_order(s, source, fresh, s.kind == user_class, take);
        },
        [&](std::uint32_t source) { wake(source); });
  }
  return any;
}

template <class Take>
bool mapped::drain_past(Take& take) {
  // So many that everything published by now is among them: find() gives the oldest first.
  std::uint32_t most = own_->slots;
  bool any = false;
  slot* s = nullptr;
  while (most != 0 && (s = inbox_.find()) != nullptr) {
    --most;
    any = true;
    take_in_order(*s, s->source, true, false, take);
    inbox_.take(s);
  }
  gap_ = s == nullptr && inbox_.pending();
  if (gap_ && !any && ++idle_ % 4096 == 0) check_first_holder();
  return any;
}

template <class Take>
void mapped::look(std::uint32_t source, Take&& take, const bool* stop) {
  if (!queues_exist()) return;
  collect();
  overflow_->observe();
  drain_past(take);
  overflow_->look(
      source, user_class,
      [&](slot& s, std::uint32_t from, bool fresh) { return take_in_order(s, from, fresh, true, take); },
      [&](std::uint32_t from) { wake(from); }, stop);
}

}  // namespace loadstone::transport
