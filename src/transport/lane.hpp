// A lane carries messages to one receiver. All lanes of the mapped transport have the same two
// ends, with the same words:
//
//   sending end     claim → write → publish   a claim that fails changes nothing: the message
//                                             takes another lane. After one that succeeds nothing
//                                             may fail
//   receiving end   front → take → release    the oldest message, as its sender wrote them
//   either          refuse                    instead of the first message: it will not be used
//
//   lane            who writes            what orders its messages    files
//   line            two, by turns         turns                       pair_line, line_lane
//   ring            one                   numbers                     ring, ring_lane
//   inbox           everybody             tickets, compare-and-swap   inbox, inbox_lane
//   overflow queue  one, in its arena     numbers; any may be taken   out_queue, in_queue, overflow
//
// Which lane a message takes, and the order among lanes, is the router's business (mapped.hpp).
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>

#include "transport/prefetch.hpp"
#include "transport/slot_layout.hpp"

namespace loadstone::transport {

struct outgoing;
struct pair_word;

// So many messages a reader takes from a ring or a queue at most before their sender can see it.
// One that waits for a full lane, or for an empty queue, gives up when it has seen nothing for some
// microseconds (patience.hpp): with 64, what its reader did with them took longer.
inline constexpr std::uint32_t told_after = 16;

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

// One end of one lane. Claim: null or false if the lane does not take a message now. Whoever writes
// and reads slots does so with write_slot() and in place; a pair line is no slot.
template <class E, class... Own>
concept sending_end = requires(E end, const outgoing& m, std::uint32_t sequence, Own&... own) {
  { end.claim(own...) };
  requires requires {
    { end.claim(own...) } -> std::same_as<slot*>;
    end.publish();
  } || requires { end.publish(end.write(m, sequence)); };
};
template <class E>
concept receiving_end = requires(E end, pair_word* seen, slot* copy, bool whole) {
  requires requires {
    { end.front() } -> std::same_as<slot*>;
    end.release(*end.front());
  } || requires {
    { end.front(seen, whole) } -> std::same_as<bool>;
    end.read(*seen, copy);
    end.release();
  };
};
// Of a lane that one end makes and the other may not want.
template <class E>
concept may_be_refused = requires(E end) { end.refuse(); };

// One message that its receiver waits for, looked at where messages of that sender come: in the
// pair line of the two, or in the ring that the sender has for what it sends in a row. No handler
// is called, and no other lane is touched (mapped.hpp, watch()).
struct watched {
  std::uint32_t peer;
  std::uint8_t handler;  // it is watched for if it is for this handler,
  std::size_t header_bytes;
  std::uint32_t due;  // with this sequence number
};
// Where it lies until it is taken.
struct seen_message {
  const std::byte *header, *payload;
  std::size_t payload_bytes;
  const std::atomic<std::uint32_t>* filled;  // null: all of the payload is there
  std::size_t there() const {
    if (filled == nullptr) return payload_bytes;
    const std::uint32_t bytes = filled->load(std::memory_order_acquire);  // sync: pair-line
    if (bytes >= payload_bytes) prefetch_to_write(filled);                // the answer will be written there
    return bytes;
  }
};

// The receiving ends of all lanes of one kind that lead to a process: the next message, for a
// taker.
template <class L>
concept lane = requires(L l, some_taker take) {
  { l.take_one(take) } -> std::same_as<lane_state>;
  { l.arrived() } -> std::same_as<bool>;  // is there a message? In order with the sleep bit
};

}  // namespace loadstone::transport
