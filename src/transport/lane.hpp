// A lane carries messages to one receiver. All lanes of the mapped transport have the same two
// ends, with the same words:
//
//   sending end     claim → write → publish   a claim that fails changes nothing: the message
//                                             takes another lane. After one that succeeds nothing
//                                             may fail
//   receiving end   front → take → release    the oldest message, as its sender wrote them
//   either          refuse                    instead of the first message: it will not be used
//
//   lane            who writes            what orders its messages     files
//   line            two, by turns         turns                        pair_line, line_lane
//   ring            one                   numbers                      ring, ring_lane
//   inbox           everybody             tickets, compare-and-swap    inbox, inbox_lane
//   overflow queue  one, in its arena     numbers; any may be taken    out_queue, in_queue, overflow
//
// Which lane a message takes, and the order among lanes, is the router's business (mapped.hpp).
#pragma once

#include <concepts>
#include <cstdint>

#include "transport/slot_layout.hpp"

namespace loadstone::transport {

// What a lane had when it was asked for its next message.
enum class lane_state : std::uint8_t {
  empty,
  taken,    // one message, which has been released
  not_due,  // there is one, but an earlier one of its sender is in another lane
};

// What arrived messages are given to: take(slot&, source, fresh, queued) → consumed; due(source,
// kind) → sequence of the next message.
struct some_taker {
  bool operator()(slot&, std::uint32_t source, bool fresh, bool queued);
  std::uint32_t due(std::uint32_t source, std::uint8_t kind) const;
};

// The receiving end of all lanes of one kind that lead to a process.
template <class L>
concept lane = requires(L l, some_taker take) {
  { l.take_one(take) } -> std::same_as<lane_state>;
  { l.arrived() } -> std::same_as<bool>;  // is there a message? In order with the sleep bit
};

}  // namespace loadstone::transport
