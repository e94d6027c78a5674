// All lines that this process uses by turns with peers (pair_line.hpp), and the memory of the long
// rooms behind them. A line is proposed by the process with the lower number, once the two have
// answered each other some times; the other one accepts or refuses it.
//
// Cost: a line in the proposer's arena, and two mappings that stay pinned, one for the line and one
// for its long room.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "transport/lane.hpp"
#include "transport/peer_table.hpp"

namespace loadstone::transport {

class line_lane {
 public:
  // `most`: lines; `after`: answers to a peer before one is proposed; `room_limit`: bytes of long
  // rooms in our arena; `whole_rooms`: a message in a long room has arrived when all of it is
  // there.
  line_lane(peer_table& peers, peer_memory& memory, std::uint32_t most, std::uint32_t after,
            std::size_t room_limit, bool whole_rooms)
      : peers_(peers),
        memory_(memory),
        most_(most),
        after_(after),
        whole_rooms_(whole_rooms),
        room_limit_(room_limit) {}

  bool empty() const { return lines_.empty(); }
  bool arrived() const {
    pair_word seen;
    return std::any_of(lines_.begin(), lines_.end(),
                       [&](const auto& line) { return line->arrived(&seen, true); });
  }
  // Has a message come through any but this one?
  bool others_at_hand(const pair_line_end& line) const { return lines_.size() > 1 && other_at_hand(line); }

  template <class Take>
  lane_state take_one(Take&& take) {
    lane_state state = lane_state::empty;
    for (std::size_t i = 0; i < lines_.size() && state != lane_state::taken;
         ++i) {  // a line that is refused goes while we look
      pair_word seen;
      if (!lines_[i]->arrived(&seen, whole_rooms_)) continue;
      const lane_state now = read(*lines_[i], seen, take);
      if (now != lane_state::empty) state = now;
    }
    return state;
  }
  // The next one through that line.
  template <class Take>
  lane_state take_from(pair_line_end& line, Take& take) {
    pair_word seen;
    return line.arrived(&seen, whole_rooms_) ? read(line, seen, take) : lane_state::empty;
  }

  // Of the message in the long room that has arrived there, until it is released. Null: it cannot
  // be reached.
  const std::byte* room_payload(pair_line_end& line) {
    if (line.named() != line.room().known_as() && !take_room(line)) [[unlikely]]
      return nullptr;
    return line.room().at(line.begin());
  }
  // A long room of so many bytes, if need be one of ours instead of what there was. False: no
  // memory.
  bool room_for(pair_line_end& line, std::size_t bytes) {
    return line.room().holds(bytes) || make_room(line, bytes);
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
  bool other_at_hand(const pair_line_end& line) const;
  bool make_room(pair_line_end& line, std::size_t bytes);
  bool take_room(pair_line_end& line);
  void change_room(pair_line_end& line, pair_room room);
  bool may_have_more();
  void drop(pair_line_end& line);

  peer_table& peers_;
  peer_memory& memory_;
  std::vector<std::unique_ptr<pair_line_end>> lines_;
  std::uint32_t proposed_ = 0;  // of them, by us: in our arena
  const std::uint32_t most_, after_;
  const bool whole_rooms_;
  std::size_t room_limit_, rooms_ = 0;  // bytes of long rooms in our arena: at most, and now
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
  slot image;
  line.read(seen, &image);
  if (seen.in_long_room()) image.cell = reinterpret_cast<std::uintptr_t>(room_payload(line));
  image.sequence = due;
  // What is sent while the message is taken goes through the inbox if it would let its room be
  // written again.
  if (!seen.in_room) [[likely]]
    line.release();
  if (!take(image, line.peer(), true, false))
    return lane_state::empty;  // not wanted before all of it is there
  if (seen.in_room) line.release();
  return lane_state::taken;
}

static_assert(lane<line_lane>);

}  // namespace loadstone::transport
