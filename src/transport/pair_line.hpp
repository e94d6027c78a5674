// One end of a pair line (pair_line_layout.hpp): whose turn it is, writing, reading. Not shared: the gate.
//
// A process writes only when it *knows* that it has the turn, having read the other's last message there. So
// a stream in one direction never waits for the line: it goes to the inbox. The order of a stream that uses
// both is kept by its sequence numbers: the receiver leaves a message of the line until it is due, and looks
// into the line when the inbox is ahead of what is due. Sixteen bits of the number are enough, because a
// sender with a queue of its own (the only way to have more messages outstanding than an inbox has slots)
// does not use the line.
//
// Source: trials of one line used in both directions (0.10 µs) against a line each way (0.17 – 0.27 µs).
// Model: models/pair_line.pml.
#pragma once

#include <cstring>

#include "memory/mappings.hpp"
#include "transport/outgoing.hpp"
#include "transport/pair_line_layout.hpp"
#include "transport/prefetch.hpp"

namespace loadstone::transport {

class pair_line_end {
 public:
  // `accepted`: this end has the first turn.
  pair_line_end(std::uint32_t peer, pair_line* line, memory::pin pin, bool accepted)
      : line_(line), pin_(std::move(pin)), peer_(peer), mine_(accepted) {}

  std::uint32_t peer() const { return peer_; }
  bool has_turn() const { return mine_; }

  // Has the other end written? Touches nothing while the turn is ours. `order`: acquire, or more.
  bool arrived(pair_word* seen, std::memory_order order = std::memory_order_acquire) const {
    if (mine_) return false;
    std::uint64_t word = line_->word.load(order);  // sync: pair-line
    if (word >> 48 != next()) [[likely]]
      return false;
    // The answer will be written here: ask for the line while the message is being read.
    prefetch_to_write(line_);
    *seen = pair_word::of(word);
    return true;
  }
  // One look for one kind of message. What `due` says of the other end's next one, `word_of()` of it but for where
  // its payload is, and how long; `nothing` while the other end has not written.
  enum class sight : std::uint8_t { nothing, wanted, other };
  struct found {
    const std::byte *header, *payload;
    std::size_t payload_bytes;
  };
  std::uint64_t word_of(const pair_word& due) const {
    pair_word next_one = due;
    next_one.turn = next();
    next_one.payload_bytes = 0;
    return next_one.packed();
  }
  sight look_for(std::uint64_t wanted, std::size_t header_bytes, found* message) const {
    const std::uint64_t word = line_->word.load(std::memory_order_acquire);  // sync: pair-line
    const std::uint64_t differs = word ^ wanted;
    if ((differs & ~(pair_word::payload_bits | pair_word::room_bit)) == 0) {
      prefetch_to_write(line_);  // as above
      const bool in_room = (differs & pair_word::room_bit) != 0;
      *message = {line_->data, in_room ? room_of(next()) : line_->data + header_bytes,
                  (differs & pair_word::payload_bits) >> pair_word::payload_shift};
      return sight::wanted;
    }
    return differs >> 48 == 0 ? sight::other : sight::nothing;
  }
  // The message that arrived() has shown, as a slot. What lies in the room stays there until took().
  void read(const pair_word& seen, slot* to) const {
    to->source = peer_;
    to->handler = seen.handler;
    to->kind = seen.kind;
    to->header_bytes = seen.header_bytes;
    if (seen.in_cell) [[unlikely]] {
      to->flags = seen.overlapped ? slot_in_cell | slot_overlapped : slot_in_cell;
      std::memcpy(&to->cell, line_->data, 8);
      std::memcpy(&to->payload_bytes, line_->data + 8, 4);
      copy_small(to->data, line_->data + 16, seen.header_bytes);
    } else {
      to->payload_bytes = seen.payload_bytes;
      to->flags = seen.in_room ? slot_in_room : std::uint8_t{0};
      to->cell = seen.in_room ? reinterpret_cast<std::uintptr_t>(room_of(next())) : 0;
      copy_small(to->data, line_->data,
                 std::size_t{seen.header_bytes} + (seen.in_room ? 0u : seen.payload_bytes));
    }
  }
  // The message that has arrived has been read: the turn is ours.
  void took() {
    turn_ = next();
    mine_ = true;
  }

  // Is the message short enough for the line and its room?
  static bool fits(const outgoing& m) { return m.fits_slot() || m.payload_bytes <= room_bytes; }
  // Precondition: the turn is ours. `cell` holds the payload already (overlapped: a part), or is none: it fits. The
  // store of the word is sequentially consistent: the look at the receiver's sleep bit comes after it.
  void write(const outgoing& m, std::uint32_t sequence, std::uint64_t cell, bool overlapped) {
    pair_word w{next(),    static_cast<std::uint16_t>(sequence),
                m.handler, m.header_bytes,
                0,         m.kind,
                cell != 0, overlapped,
                false};
    if (cell != 0) {
      auto bytes = static_cast<std::uint32_t>(m.payload_bytes);
      std::memcpy(line_->data, &cell, 8);
      std::memcpy(line_->data + 8, &bytes, 4);
      copy_header(line_->data + 16, m.header, m.header_bytes);
    } else {
      w.payload_bytes = static_cast<std::uint16_t>(m.payload_bytes);
      if (!m.fits_slot()) {
        w.in_room = true;
        m.put_payload(room_of(w.turn));
      }
      copy_header(line_->data, m.header, m.header_bytes);
      if (!w.in_room) m.put_inline(line_->data + m.header_bytes);
    }
    finish(w);
  }
  // Instead of the first message: this line will not be used.
  void refuse() { finish({next(), 0, line_refused, 0, 0, 0, false, false, false}); }

  pair_line* line() const { return line_; }

 private:
  std::byte* room_of(std::uint16_t turn) const { return line_->room[turn & 1]; }
  std::uint16_t next() const { return static_cast<std::uint16_t>(turn_ + 1); }
  void finish(const pair_word& w) {
    line_->word.exchange(w.packed(), std::memory_order_seq_cst);  // sync: pair-line
    turn_ = w.turn;
    mine_ = false;
  }

  pair_line* line_;
  memory::pin pin_;
  std::uint32_t peer_;
  std::uint16_t turn_ = 0;  // of the last message, theirs or ours
  bool mine_;
};

}  // namespace loadstone::transport
