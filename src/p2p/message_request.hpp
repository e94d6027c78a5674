// A send or receive under way. Pooled; protected by the gate.
#pragma once

#include <cstdint>

#include "p2p/engine.hpp"
#include "p2p/matching/posted.hpp"
#include "p2p/message_data.hpp"
#include "p2p/request.hpp"
#include "p2p/wire_layout.hpp"

namespace loadstone::p2p {

struct arrival;
class way;

enum class phase : std::uint8_t {
  idle,
  posted,   // receive: waits for a message
  offered,  // send: waits for an answer
  moving,   // its way moves the data, and says when it is through
  finished,
};

// `seemed_dead`: its peer, at the last poll; `being_copied`: by a thread that has let others in;
// `is_timed`: how long it takes is being measured (peer_costs.hpp);
// `by_kernel`: send, not through cells, as they cost more, or none was left (choice.hpp).
enum tie : std::uint8_t {
  wants_progress = 1,
  is_watched = 2,
  may_wait_later = 4,
  seemed_dead = 8,
  being_copied = 16,
  is_later = 32,
  is_timed = 64,
  by_kernel = 128
};

// Our record, and what hangs on it (record_store.hpp).
struct own_record {
  rendezvous_record* at;
  void* block_list;  // send: list of blocks in our arena
  std::uint32_t generation;
};
// The peer's.
struct peer_record {
  local_address at;
  std::uint32_t generation;
};

// What only the way that moves the data knows; it writes all of it when it begins.
struct pipeline_progress {           // sender
  std::int64_t acknowledged, asked;  // what the other side has said it took; highest byte asked about
  std::uint64_t receiver;            // its request
};
struct helping {              // sender
  memory::address target;     // where to, if target_mapped
  std::uint64_t peer_buffer;  // the receive buffer in its process
  std::uint64_t receiver;     // its request
  bool target_mapped;
  bool alone;  // an advert's receiver waits until all is there
};
inline constexpr std::int64_t none_given_back = -1;
struct fetching {           // receiver: shared copy, pipeline
  std::int64_t asked_from;  // where what was asked for through cells begins; -1: not yet
  std::int64_t given_back;  // a block the sender could not copy; none_given_back, or no_block
  bool by_wish;             // through cells, as its sender is in the library
};

struct alignas(64) message_request final : request, posted_receive {
  message_request() : request(request_kind::send) {}

  message_request* next_free = nullptr;

  scope* where = nullptr;
  message_data data;
  std::int64_t bytes = 0;     // of a send, packed; of a receive: what its buffer holds
  std::uint32_t process = 0;  // peer's; any_process for a wildcard receive that has not matched
  std::int32_t peer = 0;      // rank in `where`, or any_source
  std::int32_t tag = 0;
  phase step = phase::idle;
  bool detached = false;   // freed by its owner before completion
  bool scheduled = false;  // stands in the list of work
  bool holds = false;      // counts in where->users and holds a reference of the type
  // Receive: all it takes is that a short message is copied into the buffer. After that: nothing
  // but that was done with it, and what reset() clears is as it was.
  bool simple = false;
  std::uint8_t ties = 0;  // tie: who has to be told when it is complete
  bool waits = false;     // its owner is in the library until it is complete
  way* by = nullptr;      // who does its next step
  own_record own{};       // send: to be answered; receive: what its sender may claim

  // A short message touches nothing from here on. What ways of large messages share:
  offer offered{};                    // send: by us; receive: to us
  peer_record theirs{};               // of the sender; send: of the advert that it fills, or none
  std::int64_t moved = 0, until = 0;  // packed bytes that are still to come, or to be sent
  std::uint32_t since = 0;            // ns: it gives the other end time to wait, too (choice.hpp); 0: not yet
  std::uint8_t barred = 0;            // receive: ways that the system has refused in the midst (choice.hpp)
  union {
    pipeline_progress blocks;
    helping help;
    fetching fetch;
    arrival* unreceived{};  // send to self; null: somebody has received it
  } state;

  void reset(request_kind of) {
    kind = of;
    // relaxed: nobody else knows this object yet
    complete.store(false, std::memory_order_relaxed);
    result = {};
    on_complete = nullptr;
    context = nullptr;
    known_to_sender = false;
    step = phase::idle;
    detached = scheduled = holds = simple = waits = false;
    ties = 0;
    by = nullptr;
    own.at = nullptr;
  }
  // Of a receive that was simple when it was unposted, and to which nothing was done that post()
  // does not undo.
  void stays_simple(bool was) { simple = was && on_complete == nullptr && result.error == 0; }
  // Matched by it.
  void takes(const offer& o, local_address record, std::uint32_t generation) {
    offered = o;
    theirs = {record, generation};
    since = 0;
    barred = 0;
  }
  // Of a matched receive: what is moved of the message.
  std::int64_t total() const { return offered.bytes < bytes ? offered.bytes : bytes; }
};

inline message_request* request_of(posted_receive* r) {
  return static_cast<message_request*>(r);
}

}  // namespace loadstone::p2p
