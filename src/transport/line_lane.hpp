// All lines that this process uses by turns with peers (pair_line.hpp), and the buffers of these
// pairs. A line is proposed by the process with the lower number, once the two have answered each
// other some times; the other one accepts or refuses it. Cost: a line in the proposer's arena, and
// two mappings that stay pinned.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "transport/attention.hpp"
#include "transport/lane.hpp"
#include "transport/peer_table.hpp"

namespace loadstone::transport {

class line_lane {
 public:
  // `most`: lines; `after`: answers to a peer before one is proposed; `buffer_limit`: bytes of
  // buffers in our arena.
  line_lane(peer_table& peers, peer_memory& memory, std::uint32_t most, std::uint32_t after,
            std::size_t buffer_limit)
      : peers_(peers), memory_(memory), most_(most), after_(after), buffer_limit_(buffer_limit) {}

  bool empty() const { return lines_.empty(); }
  // To that peer, for messages of this class: there is a line, and it is our turn.
  static bool is_open(const peer& p, std::uint8_t kind) {
    return p.line != nullptr && p.line->claim() && attention::takes(*p.at, kind);
  }
  bool arrived() const {
    pair_word seen;
    return std::any_of(lines_.begin(), lines_.end(),
                       [&](const auto& line) { return line->front(&seen, true); });
  }
  // Has a message come through any but this one?
  bool others_at_hand(const pair_line_end& line) const {
    pair_word seen;
    return lines_.size() > 1 && std::any_of(lines_.begin(), lines_.end(), [&](const auto& other) {
             return other.get() != &line && other->front(&seen, false);
           });
  }

  template <class Take>
  lane_state take_one(Take&& take) {
    lane_state state = lane_state::empty;
    for (std::size_t i = 0; i < lines_.size() && state != lane_state::taken;
         ++i) {  // a line that is refused goes while we look
      pair_word seen;
      if (!lines_[i]->front(&seen, false)) continue;
      const lane_state now = read(*lines_[i], seen, take);
      if (now != lane_state::empty) state = now;
    }
    return state;
  }
  // The next one through that line.
  template <class Take>
  lane_state take_from(pair_line_end& line, Take& take) {
    pair_word seen;
    return line.front(&seen, false) ? read(line, seen, take) : lane_state::empty;
  }

  // May the payload go into the buffer? If need be, into one of ours. Precondition: the turn is
  // ours.
  bool may_fill(pair_line_end& line, const outgoing& m, std::uint32_t sequence) {
    return may_take_turns(line, m, sequence) && buffer_for(line, m.payload_bytes);
  }
  // Precondition: the turn is ours. False: no memory.
  bool buffer_for(pair_line_end& line, std::size_t bytes) {
    return line.buffer().holds(bytes) || make_buffer(line, pair_buffer::capacity_for(bytes));
  }

  // A message to that peer has followed one from it. True: a line should be proposed to it.
  bool answered(peer& p) { return ++p.answers == after_; }
  // A line with that peer, to be proposed as this local_address; and if the proposal does not
  // leave, withdraw().
  std::optional<std::uint64_t> make_for(std::uint32_t index);
  void withdraw(std::uint32_t index);
  void accept(std::uint32_t index, local_address where);

 private:
  template <class Take>
  lane_state read(pair_line_end& line, const pair_word& seen, Take& take);
  // Where both send before they receive only every other message finds its turn: all long ones go
  // through cells then. So do those of one direction, if they are answered by short ones only.
  static bool may_take_turns(const pair_line_end& line, const outgoing& m, std::uint32_t sequence) {
    return m.header_bytes <= far_header_bytes && m.payload_bytes <= last_buffer_capacity &&
           (m.payload_bytes <= pair_buffer::most_at_any_turn || line.follows(m.kind, sequence)) &&
           (m.payload_bytes <= pair_buffer::most_one_way || !line.written_last());
  }
  bool make_buffer(pair_line_end& line, std::size_t capacity);
  void take_buffer(pair_line_end& line, const pair_buffer::name& name);
  void change_buffer(pair_line_end& line, pair_buffer buffer, bool told);
  bool may_have_more();
  void drop(pair_line_end& line);

  peer_table& peers_;
  peer_memory& memory_;
  std::vector<std::unique_ptr<pair_line_end>> lines_;
  std::uint32_t proposed_ = 0;  // of them, by us: in our arena
  const std::uint32_t most_, after_;
  std::size_t buffer_limit_, buffers_ = 0;  // bytes of them in our arena: at most, and now
};

template <class Take>
inline lane_state line_lane::read(pair_line_end& line, const pair_word& seen, Take& take) {
  if (seen.handler == line_refused) [[unlikely]] {
    drop(line);
    return lane_state::empty;
  }
  const std::uint32_t due = take.due(line.peer(), seen.kind);
  if (static_cast<std::uint16_t>(due) != seen.sequence) [[unlikely]]
    return lane_state::not_due;
  if (seen.names_buffer() && line.named(seen) != line.buffer().known_as()) [[unlikely]]
    take_buffer(line, line.named(seen));
  slot image;
  line.read(seen, &image);
  image.sequence = due;
  // What is sent while the message is taken goes through the inbox if it would let the buffer be
  // written again.
  if (!seen.in_buffer) [[likely]]
    line.release();
  if (!take(image, line.peer(), true, false))
    return lane_state::empty;  // not wanted before all of it is there
  if (seen.in_buffer) line.release();
  return lane_state::taken;
}

static_assert(lane<line_lane>);

}  // namespace loadstone::transport
