// One end of a pair line (pair_line_layout.hpp): whose turn it is, writing, reading. Not shared:
// the gate.
//
// A process writes only when it *knows* that it has the turn, having read the other's last message
// there. So a stream in one direction never waits for the line: it goes to a ring or the inbox. The
// order of a stream that uses both is kept by its sequence numbers: the receiver leaves a message
// of the line until it is due, and looks into the line when the inbox is ahead of what is due.
// Sixteen bits of the number are enough, because a sender with a queue of its own (the only way to
// have more messages outstanding than inbox and ring have slots) does not use the line.
//
// Source: trials of one line used in both directions (0.10 µs) against a line each way (0.17 – 0.27
// µs). Model: models/pair_line.pml.
#pragma once

#include <cstring>

#include "memory/mappings.hpp"
#include "transport/outgoing.hpp"
#include "transport/pair_line_layout.hpp"
#include "transport/pair_room.hpp"
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

  // Has the other end written? Touches nothing while the turn is ours. `whole`: all of it, too.
  bool arrived(pair_word* seen, bool whole) const {
    if (mine_) return false;
    std::uint64_t word = line_->word.load(std::memory_order_acquire);  // sync: pair-line
    if (word >> 48 != next()) [[likely]]
      return false;
    const bool in_long_room = (word & pair_word::long_room_bits) == pair_word::long_room_bits;
    const bool filled = !in_long_room || far()->filled.load(std::memory_order_acquire) ==
                                             far()->payload_bytes;  // sync: pair-line
    if (whole && !filled) return false;
    // The answer will be written here: ask for the line while the message is being read.
    if (filled) prefetch_to_write(line_);
    *seen = pair_word::of(word);
    return true;
  }
  // One look for one kind of message. What `due` says of the other end's next one, `word_of()` of
  // it but for where its payload is, and how long; `nothing` while the other end has not written.
  enum class sight : std::uint8_t { nothing, wanted, wanted_in_long_room, other };
  struct found {
    const std::byte *header, *payload;  // null payload: it is in the long room
    std::size_t payload_bytes;
  };
  std::uint64_t word_of(const pair_word& due) const {
    pair_word next_one = due;
    next_one.turn = next();
    next_one.payload_bytes = 0;
    return next_one.packed();
  }
  sight look_for(std::uint64_t wanted, std::size_t header_bytes, found* message) {
    const std::uint64_t word = line_->word.load(std::memory_order_acquire);  // sync: pair-line
    const std::uint64_t differs = word ^ wanted;
    if ((differs & ~(pair_word::payload_bits | pair_word::room_bit)) == 0) {
      prefetch_to_write(line_);  // as above
      const std::size_t bytes = (differs & pair_word::payload_bits) >> pair_word::payload_shift;
      if ((differs & pair_word::room_bit) != 0) {
        ask_for_room();
        last_of_room_ = bytes - 1;
        *message = {line_->data, line_->room, bytes};
      } else {
        *message = {line_->data, line_->data + header_bytes, bytes};
      }
      return sight::wanted;
    }
    if (differs >> 48 != 0) return sight::nothing;
    if (differs != pair_word::long_room_bits) return sight::other;
    *message = {far()->header, nullptr, far()->payload_bytes};
    return sight::wanted_in_long_room;
  }
  // Of a message in the long room: how much of its payload is there.
  const std::atomic<std::uint32_t>& filled() const { return far()->filled; }
  std::size_t there() const {
    const std::uint32_t bytes = filled().load(std::memory_order_acquire);  // sync: pair-line
    if (bytes == far()->payload_bytes) prefetch_to_write(line_);           // as above
    return bytes;
  }
  std::size_t begin() const { return far()->begin; }
  // The long room as the message there names it, seen from here.
  pair_room::name named() const { return {far()->where, far()->room_size, far()->room_is_mine == 0}; }
  const pair_room& room() const { return room_; }
  void set_room(pair_room room) { room_ = std::move(room); }
  // The message that arrived() has shown, as a slot, but for where the payload in a long room is.
  // What lies in a room stays there until release().
  void read(const pair_word& seen, slot* to) const {
    to->source = peer_;
    to->handler = seen.handler;
    to->kind = seen.kind;
    to->header_bytes = seen.header_bytes;
    if (seen.in_cell) [[unlikely]] {
      to->flags = seen.in_room      ? slot_in_room
                  : seen.overlapped ? slot_in_cell | slot_overlapped
                                    : slot_in_cell;
      if (seen.in_room && there() != far()->payload_bytes) to->flags |= slot_overlapped;
      to->cell = far()->where;
      to->payload_bytes = far()->payload_bytes;
      copy::small(to->data, far()->header, seen.header_bytes);
    } else {
      to->payload_bytes = seen.payload_bytes;
      to->flags = seen.in_room ? slot_in_room : std::uint8_t{0};
      to->cell = seen.in_room ? reinterpret_cast<std::uintptr_t>(line_->room) : 0;
      copy::small(to->data, line_->data,
                  std::size_t{seen.header_bytes} + (seen.in_room ? 0u : seen.payload_bytes));
    }
  }
  // The message that has arrived has been read: the turn is ours.
  void release() {
    turn_ = next();
    mine_ = true;
  }

  // Is the message short enough for the line and its room?
  static bool fits(const outgoing& m) { return m.fits_slot() || m.payload_bytes <= room_bytes; }
  // Precondition: the turn is ours. `cell` holds the payload already (overlapped: a part), or is
  // none: it fits. The caller announces it.
  void write(const outgoing& m, std::uint32_t sequence, std::uint64_t cell, bool overlapped) {
    pair_word w{next(),    static_cast<std::uint16_t>(sequence),
                m.handler, m.header_bytes,
                0,         m.kind,
                cell != 0, overlapped,
                false};
    if (cell != 0) {
      write_far(m, cell);
    } else {
      w.payload_bytes = static_cast<std::uint16_t>(m.payload_bytes);
      if (!m.fits_slot()) {
        w.in_room = true;
        m.put_payload(line_->room);
      }
      copy::words(line_->data, m.header, m.header_bytes);
      if (!w.in_room) m.put_inline(line_->data + m.header_bytes);
    }
    finish(w);
  }
  // The same for a payload of which the first `bytes` are in the long room, from `begin` on. The
  // rest is announced by fill(); with the last byte the message has come: as with the word, the
  // look at the sleep bit comes after that.
  void write_in_long_room(const outgoing& m, std::uint32_t sequence, std::size_t begin, std::size_t bytes) {
    write_far(m, room_.known_as().where);
    far()->room_size = room_.known_as().size;
    far()->room_is_mine = room_.known_as().owned ? 1 : 0;
    far()->begin = static_cast<std::uint16_t>(begin);
    far()->filled.store(static_cast<std::uint32_t>(bytes),
                        std::memory_order_relaxed);  // the word publishes it
    finish({next(), static_cast<std::uint16_t>(sequence), m.handler, m.header_bytes, 0, m.kind, true, false,
            true});
  }
  void fill(std::size_t bytes) {
    far()->filled.store(static_cast<std::uint32_t>(bytes), std::memory_order_release);  // sync: pair-line
  }
  static bool fits_long_room(const outgoing& m) {
    return m.payload_bytes <= pair_room::largest && m.header_bytes <= far_header_bytes;
  }
  // Was our last message of that kind, before the one with this number, written here?
  bool follows(std::uint8_t kind, std::uint32_t sequence) const {
    return kind == last_kind_ &&
           static_cast<std::uint16_t>(last_sequence_ + 1) == static_cast<std::uint16_t>(sequence);
  }
  // Instead of the first message: this line will not be used.
  void refuse() { finish({next(), 0, line_refused, 0, 0, 0, false, false, false}); }

  pair_line* line() const { return line_; }

 private:
  pair_far* far() const { return reinterpret_cast<pair_far*>(line_->data); }
  void write_far(const outgoing& m, std::uint64_t where) {
    far()->where = where;
    far()->payload_bytes = static_cast<std::uint32_t>(m.payload_bytes);
    copy::words(far()->header, m.header, m.header_bytes);
  }
  // As many lines of the room as their last message there had. A look that is foreseen to find one
  // (wait/first_look.hpp) asks for them together with the word, for nothing here depends on what
  // the word says; the copy needs its length, and would come one travel of a line later.
  void ask_for_room() const {
    if (last_of_room_ >= 1024) return;  // the copy itself looks ahead
    for (std::size_t at = 0; at <= last_of_room_; at += 64) prefetch_to_read(line_->room + at);
  }
  std::uint16_t next() const { return static_cast<std::uint16_t>(turn_ + 1); }
  void finish(const pair_word& w) {
    line_->word.store(w.packed(), std::memory_order_release);  // sync: pair-line
    turn_ = w.turn;
    mine_ = false;
    last_sequence_ = w.sequence;
    last_kind_ = w.kind;
  }

  pair_line* line_;
  memory::pin pin_;
  std::uint32_t peer_;
  std::uint16_t turn_ = 0;  // of the last message, theirs or ours
  bool mine_;
  std::uint8_t last_kind_ = classes;  // of our last message here; none yet
  std::uint16_t last_sequence_ = 0;
  std::size_t last_of_room_ = 0;  // the last byte of their last message in the room behind the line
  pair_room room_;
};

}  // namespace loadstone::transport
