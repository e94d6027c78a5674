// One end of a pair line (pair_line_layout.hpp): whose turn it is, writing, reading. Not shared:
// the gate.
//
// A process writes only when it *knows* that it has the turn, having read the other's last message
// there. So messages in a row never wait for the line: they go to a ring or the inbox. The order of
// what uses both is kept by sequence numbers: the receiver leaves a message of the line until it is
// due, and polls the line when the inbox is ahead of what is due.
// Sixteen bits of the number are enough, because a sender with a queue of its own (the only way to
// have more messages outstanding than inbox and ring have slots) does not use the line.
//
// Source: trials of one line used in both directions (0.10 µs) against a line each way (0.17 – 0.27
// µs). Model: models/pair_line.pml.
#pragma once

#include <cstring>

#include "memory/mappings.hpp"
#include "transport/filling.hpp"
#include "transport/lane.hpp"
#include "transport/pair_buffer.hpp"
#include "transport/pair_line_layout.hpp"
#include "transport/peer_memory.hpp"
#include "transport/prefetch.hpp"

namespace loadstone::transport {

class pair_line_end {
 public:
  // `accepted`: this end has the first turn.
  pair_line_end(std::uint32_t peer, pair_line* line, memory::pin pin, bool accepted)
      : line_(line), pin_(std::move(pin)), peer_(peer), mine_(accepted) {}

  std::uint32_t peer() const { return peer_; }
  bool has_turn() const { return mine_; }
  bool claim() const { return mine_; }

  // Has the other end written? Touches nothing while the turn is ours. `whole`: all of it, too.
  bool front(pair_word* seen, bool whole) const {
    if (mine_) return false;
    std::uint64_t word = line_->word.load(std::memory_order_acquire);  // sync: pair-line
    if (word >> 48 != next()) [[likely]]
      return false;
    const bool filled = (word & pair_word::buffer_bit) == 0 || there() >= far()->payload_bytes;
    if (whole && !filled) return false;
    // The answer will be written here: ask for the line while the message is being read.
    if (filled) prefetch_to_write(line_);
    *seen = pair_word::of(word);
    return true;
  }
  // One poll for one kind of message. What `due` says of the other end's next one, `word_of()` of
  // it but for where its payload is, and how long; `nothing` while the other end has not written.
  enum class sight : std::uint8_t { nothing, wanted, wanted_in_buffer, other };
  std::uint64_t word_of(const pair_word& due) const {
    pair_word next_one = due;
    next_one.turn = next();
    next_one.payload_bytes = 0;
    return next_one.packed();
  }
  sight poll_for(std::uint64_t wanted, std::size_t header_bytes, seen_message* message) const {
    const std::uint64_t word = line_->word.load(std::memory_order_acquire);  // sync: pair-line
    const std::uint64_t differs = word ^ wanted;
    if ((differs & ~pair_word::payload_bits) == 0) {
      prefetch_to_write(line_);  // as above
      *message = {line_->data, line_->data + header_bytes, differs >> pair_word::payload_shift};
      return sight::wanted;
    }
    if (differs >> 48 != 0) return sight::nothing;
    if (differs != pair_word::buffer_bit) return sight::other;
    ask_for_buffer();
    there();
    *message = {far()->header, nullptr, far()->payload_bytes};
    return sight::wanted_in_buffer;
  }
  // Of a message in the buffer: how much of its payload is there.
  const std::atomic<std::uint32_t>& filled() const { return far()->filled; }
  std::size_t there() const {
    const std::uint32_t bytes = filled().load(std::memory_order_acquire);  // sync: pair-line
    if (bytes >= far()->payload_bytes) prefetch_to_write(line_);           // as above
    return bytes;
  }
  // The buffer as the message there names it, seen from here.
  pair_buffer::name named() const { return {far()->where, far()->capacity, far()->buffer_is_mine == 0}; }
  const pair_buffer& buffer() const { return buffer_; }
  void set_buffer(pair_buffer buffer) { buffer_ = std::move(buffer); }
  // Precondition: it is the one named.
  const std::byte* payload() {
    last_bytes_ = far()->payload_bytes;
    if (last_bytes_ > pair_buffer::most_one_way) written_last_ = false;
    return buffer_.payload();  // whatever the line says: the copy begins before that is here
  }
  // The message that front() has shown, as a slot. What lies in the buffer stays there until
  // release().
  void read(const pair_word& seen, slot* to) const {
    to->source = peer_;
    to->handler = seen.handler;
    to->kind = seen.kind;
    to->header_bytes = seen.header_bytes;
    if (seen.in_cell || seen.in_buffer) [[unlikely]] {
      const bool coming = seen.in_buffer ? there() != far()->payload_bytes : seen.overlapped;
      to->flags = static_cast<std::uint8_t>((seen.in_buffer ? slot_in_buffer : slot_in_cell | far()->passed) |
                                            (coming ? slot_overlapped : 0));
      to->cell = far()->where;
      to->payload_bytes = far()->payload_bytes;
      copy::small(to->data, far()->header, seen.header_bytes);
    } else {
      to->payload_bytes = seen.payload_bytes;
      to->flags = 0;
      copy::small(to->data, line_->data, std::size_t{seen.header_bytes} + seen.payload_bytes);
    }
  }
  // The message that has arrived has been read: the turn is ours.
  void release() {
    turn_ = next();
    mine_ = true;
  }

  // Of all that write: the turn is ours, and publish() has what they return; the caller announces
  // it. A message that fits a slot:
  [[nodiscard]] pair_word write(const outgoing& m, std::uint32_t sequence) {
    copy::words(line_->data, m.header, m.header_bytes);
    m.put_inline(line_->data + m.header_bytes);
    return {next(),         static_cast<std::uint16_t>(sequence),        m.handler,
            m.header_bytes, static_cast<std::uint16_t>(m.payload_bytes), m.kind};
  }
  // One whose payload, or a part of it, is in a cell:
  [[nodiscard]] pair_word write(const outgoing& m, std::uint32_t sequence, const filling& payload) {
    write_far(m, payload.name);
    far()->passed = payload.passed;
    return {next(), static_cast<std::uint16_t>(sequence),     m.handler, m.header_bytes, 0, m.kind,
            true,   (payload.flags(m) & slot_overlapped) != 0};
  }
  // Or in the buffer, as fill_buffer() has it. The rest is announced with `filled`; with the last
  // byte the message has come: as with the word, the read of the sleep bit comes
  // after that.
  [[nodiscard]] pair_word write_in_buffer(const outgoing& m, std::uint32_t sequence, const filling& payload) {
    write_far(m, buffer_.known_as().where);
    far()->buffer_is_mine = buffer_.known_as().owned ? 1 : 0;
    far()->capacity = buffer_.known_as().capacity;
    if (m.payload_bytes > pair_buffer::most_one_way) written_last_ = true;
    far()->filled.store(static_cast<std::uint32_t>(payload.there),
                        std::memory_order_relaxed);  // the word publishes it
    return {next(), static_cast<std::uint16_t>(sequence), m.handler, m.header_bytes, 0, m.kind, false, false,
            true};
  }
  void publish(const pair_word& w) {
    line_->word.store(w.packed(), std::memory_order_release);  // sync: pair-line
    turn_ = w.turn;
    mine_ = false;
    last_sequence_ = w.sequence;
    last_kind_ = w.kind;
  }
  // Where a payload is to lie there. The line, which the reader polls, is left alone meanwhile.
  filling fill_buffer() {
    filling f;
    f.at = buffer_.payload();
    f.filled = &far()->filled;
    f.way = copy::store_way::by_turns;
    return f;
  }
  // Was our last message of that kind, before the one with this number, written here?
  bool follows(std::uint8_t kind, std::uint32_t sequence) const {
    return kind == last_kind_ &&
           static_cast<std::uint16_t>(last_sequence_ + 1) == static_cast<std::uint16_t>(sequence);
  }
  // Was the last payload beyond most_one_way that the buffer had ours?
  bool written_last() const { return written_last_; }
  // Instead of the first message: this line will not be used.
  void refuse() { publish({next(), 0, line_refused, 0, 0, 0}); }

  pair_line* line() const { return line_; }

 private:
  pair_far* far() const { return reinterpret_cast<pair_far*>(line_->data); }
  void write_far(const outgoing& m, std::uint64_t where) {
    far()->where = where;
    far()->payload_bytes = static_cast<std::uint32_t>(m.payload_bytes);
    copy::words(far()->header, m.header, m.header_bytes);
  }
  // As many lines of the buffer as their last message had there. A poll that is foreseen to find
  // one (wait/first_poll.hpp) asks for them together with the word, for nothing here depends on
  // what the word says; the copy needs place and length, and would come one travel of a line later.
  void ask_for_buffer() const {
    if (last_bytes_ > 1024) return;  // the copy itself looks ahead
    for (std::size_t at = 0; at < last_bytes_; at += 64) prefetch_to_read(buffer_.payload() + at);
  }
  std::uint16_t next() const { return static_cast<std::uint16_t>(turn_ + 1); }

  pair_line* line_;
  memory::pin pin_;
  std::uint32_t peer_;
  std::uint16_t turn_ = 0;  // of the last message, theirs or ours
  bool mine_;
  std::uint8_t last_kind_ = classes;  // of our last message here; none yet
  std::uint16_t last_sequence_ = 0;
  std::size_t last_bytes_ = 0;  // of their last message in the buffer
  bool written_last_ = false;
  pair_buffer buffer_;
};

static_assert(sending_end<pair_line_end> && receiving_end<pair_line_end> && may_be_refused<pair_line_end>);

// Of a message in the buffer of the pair: its payload, which may still be being written.
class coming_payload {
 public:
  coming_payload(const pair_line_end& line, const std::byte* at) : line_(line), at_(at) {}
  const std::byte* at() const { return at_; }  // null: it cannot be reached
  std::size_t there() const { return line_.there(); }
  const std::atomic<std::uint32_t>& filled() const { return line_.filled(); }

 private:
  const pair_line_end& line_;
  const std::byte* const at_;
};

}  // namespace loadstone::transport
