// One end of a pair line (pair_line_layout.hpp): whose turn it is, writing, reading. Not shared:
// the gate.
//
// A process writes only when it *knows* that it has the turn, having read the other's last message
// there. So messages in a row never wait for the line: they go to a ring or the inbox, and sequence
// numbers keep the order. Sixteen bits of them are enough, because a sender with a queue of its own
// (the only way to have more messages outstanding than inbox and ring have slots) does not use the
// line. Model: models/pair_line.pml. Figures: docs/decisions/002.
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
    if (word >> pair_word::turn_shift != next()) [[likely]]
      return false;
    const pair_word w = pair_word::of(word);
    if (there(w) < w.payload_bytes) {
      if (whole) return false;
    } else {
      // The answer will be written here: ask for the line while the message is being read.
      prefetch_to_write(line_);
    }
    *seen = w;
    return true;
  }
  // One poll for one kind of message. What `due` says of the other end's next one, `word_of()` of
  // it but for where its payload is, and how long; `nothing` while the other end has not written.
  enum class sight : std::uint8_t { nothing, wanted, other };
  std::uint64_t word_of(const pair_word& due) const {
    pair_word next_one = due;
    next_one.turn = next();
    next_one.payload_bytes = 0;
    return next_one.packed();
  }
  sight poll_for(std::uint64_t wanted, std::size_t header_bytes, seen_message* message) {
    const std::uint64_t word = line_->word.load(std::memory_order_acquire);  // sync: pair-line
    const std::uint64_t differs = word ^ wanted;
    constexpr std::uint64_t of_payload =
        pair_word::payload_bits | pair_word::buffer_bit | pair_word::counted_bit;
    if ((differs & ~of_payload) != 0)
      return differs >> pair_word::turn_shift != 0 ? sight::nothing : sight::other;
    const std::size_t bytes = (differs & pair_word::payload_bits) >> pair_word::payload_shift;
    const bool counted = (differs & pair_word::counted_bit) != 0;
    if (!counted) prefetch_to_write(line_);  // as above
    *message = {line_->data, line_->data + header_bytes, bytes, nullptr};
    if ((differs & pair_word::buffer_bit) != 0) {
      ask_for_buffer();
      message->payload = payload(bytes);
      if (counted) message->filled = &far(header_bytes)->filled;
    }
    return sight::wanted;
  }
  // The buffer as the message there names it, seen from here.
  pair_buffer::name named(const pair_word& seen) const {
    const pair_far& there = *far(seen.header_bytes);
    return {there.where, there.capacity, there.buffer_is_mine == 0};
  }
  const pair_buffer& buffer() const { return buffer_; }
  // `told`: the other end knows it, too; else our next message there names it.
  void set_buffer(pair_buffer buffer, bool told) {
    buffer_ = std::move(buffer);
    told_ = told;
  }
  // Of a message of so many bytes in the buffer, which lies there until release().
  const std::byte* payload(std::size_t bytes) {
    last_bytes_ = bytes;
    if (bytes > pair_buffer::most_one_way) written_last_ = false;
    return buffer_.payload();  // whatever the line says: the copy begins before that is here
  }
  const std::atomic<std::uint32_t>& filled(std::size_t header_bytes) const {
    return far(header_bytes)->filled;
  }
  // The message that front() has shown, as a slot.
  void read(const pair_word& seen, slot* to) const {
    to->source = peer_;
    to->handler = seen.handler;
    to->kind = seen.kind;
    to->header_bytes = seen.header_bytes;
    to->payload_bytes = seen.payload_bytes;
    std::size_t here = seen.header_bytes;
    if (seen.in_buffer) {
      to->flags = slot_in_buffer | (there(seen) != seen.payload_bytes ? slot_overlapped : 0);
    } else if (seen.in_cell) {
      to->flags = slot_in_cell | far(here)->passed | (seen.counted ? slot_overlapped : 0);
      to->cell = far(here)->where;
    } else {
      to->flags = 0;
      here += seen.payload_bytes;
    }
    copy::small(to->data, line_->data, here);
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
    return word_for(m, sequence);
  }
  // One whose payload, or a part of it, is in a cell, or in the buffer as fill_buffer() has it. The
  // rest is announced with `filled`; with the last byte the message has come: as with the word, the
  // read of the sleep bit comes after that.
  [[nodiscard]] pair_word write(const outgoing& m, std::uint32_t sequence, const filling& payload) {
    copy::words(line_->data, m.header, m.header_bytes);
    pair_word w = word_for(m, sequence);
    w.counted = payload.there != m.payload_bytes;
    pair_far& says = *far(m.header_bytes);
    if (payload.cell != nullptr) {
      w.in_cell = true;
      says.where = payload.name;
      says.passed = payload.passed;
      return w;
    }
    w.in_buffer = true;
    if (w.counted)  // relaxed: the word publishes it
      says.filled.store(static_cast<std::uint32_t>(payload.there), std::memory_order_relaxed);
    if (!told_) [[unlikely]] {
      w.in_cell = true;
      says.where = buffer_.known_as().where;
      says.capacity = buffer_.known_as().capacity;
      says.buffer_is_mine = buffer_.known_as().owned ? 1 : 0;
      told_ = true;
    }
    if (m.payload_bytes > pair_buffer::most_one_way) written_last_ = true;
    return w;
  }
  void publish(const pair_word& w) {
    line_->word.store(w.packed(), std::memory_order_release);  // sync: pair-line
    turn_ = w.turn;
    mine_ = false;
    last_sequence_ = w.sequence;
    last_kind_ = w.kind;
  }
  // Where a payload is to lie there. The line, which the reader polls, is left alone meanwhile.
  filling fill_buffer(const outgoing& m) {
    filling f;
    f.at = buffer_.payload();
    f.filled = &far(m.header_bytes)->filled;
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
  pair_far* far(std::size_t header_bytes) const {
    return reinterpret_cast<pair_far*>(line_->data + (header_bytes + 7) / 8 * 8);
  }
  // How much of the payload, if it is not in a cell.
  std::uint32_t there(const pair_word& w) const {
    if (!w.in_buffer || !w.counted) return w.payload_bytes;
    return filled(w.header_bytes).load(std::memory_order_acquire);  // sync: pair-line
  }
  pair_word word_for(const outgoing& m, std::uint32_t sequence) const {
    return {next(),         static_cast<std::uint16_t>(sequence),        m.handler,
            m.header_bytes, static_cast<std::uint32_t>(m.payload_bytes), m.kind};
  }
  // As many lines of the buffer as their last message had there. Nothing here depends on what the
  // word says, so a poll that is foreseen to find one asks for them together with it.
  void ask_for_buffer() const {
    if (last_bytes_ > 1024) return;  // the copy itself looks ahead
    for (std::size_t at = 0; at < last_bytes_; at += 64) prefetch_to_read(buffer_.payload() + at);
  }
  std::uint8_t next() const { return static_cast<std::uint8_t>(turn_ + 1); }

  pair_line* line_;
  memory::pin pin_;
  std::uint32_t peer_;
  std::uint8_t turn_ = 0;  // of the last message, theirs or ours
  bool mine_;
  std::uint8_t last_kind_ = classes;  // of our last message here; none yet
  std::uint16_t last_sequence_ = 0;
  std::size_t last_bytes_ = 0;  // of their last message in the buffer
  bool written_last_ = false, told_ = true;
  pair_buffer buffer_;
};

static_assert(sending_end<pair_line_end> && receiving_end<pair_line_end> && may_be_refused<pair_line_end>);

}  // namespace loadstone::transport
