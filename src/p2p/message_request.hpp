// A send or receive under way. Pooled; protected by the gate.
#pragma once

#include <cstdint>

#include "p2p/bins.hpp"
#include "p2p/engine.hpp"
#include "p2p/message_data.hpp"
#include "p2p/request.hpp"
#include "p2p/wire_layout.hpp"

namespace loadstone::p2p {

struct arrival;

// What the next step of a request is; run_work() acts on it.
enum class phase : std::uint8_t {
  idle,
  posted,     // receive: waits for a message
  matched,    // receive: a rendezvous has been matched, the transfer has to be started
  incoming,   // receive: the sender moves the data (pipelined or pushed)
  offered,    // send: waits for an answer
  clearing,   // send: cleared, blocks have to be sent
  following,  // receive: matched, and its payload is still being written
  sharing,    // receive: both sides copy
  helping,    // send: asked to copy a part
  pushing,    // send: asked to pack straight into the receiver's memory
  finished,
};

struct alignas(64) message_request final : request {
  message_request() : request(request_kind::send) {}

  bin_link<message_request> links[1];  // posted receives
  message_request* next_free = nullptr;

  scope* where = nullptr;
  message_data data;
  std::int64_t bytes = 0;     // of a send, packed; of a receive: what its buffer holds
  std::uint64_t order = 0;    // of posting: decides between specific and wildcard receives
  std::uint32_t process = 0;  // peer's; any_process for a wildcard receive that has not matched
  std::int32_t peer = 0;      // rank in `where`, or any_source
  std::int32_t tag = 0;
  phase step = phase::idle;
  bool detached = false;   // freed by its owner before completion
  bool scheduled = false;  // stands in the engine's work list
  bool holds = false;      // counts in where->users and holds a reference of the type
  // Receive: all it takes is that a short message is copied into the buffer. After that: nothing but that was done
  // with it, and what reset() clears is as it was.
  bool plain = false;

  bool answered = false;  // of a rendezvous: the sender waits for `done`
  bool needs_us = false;  // counts among what wants the progress thread
  bool waits = false;     // its owner is in the library until it is complete
  bool parts = false;     // send, clearing: the receiver follows while a block is written

  // What reset() clears stands together: a few wide stores.
  // Of a rendezvous. Send: our record.
  rendezvous_record* own = nullptr;
  rendezvous_record* advert = nullptr;  // receive: which its sender may claim
  packed_address peer_advert = 0;       // send: the advert it is deposited into
  void* block_list = nullptr;           // send: list of blocks in our arena
  // Send to self: as nobody has received it yet. Receive, following: what is being received.
  arrival* message = nullptr;
  // Of a transfer in blocks: packed bytes [from, until), `moved` of the next one; what the other side has
  // said it took.
  std::int64_t moved = 0, until = 0, acknowledged = 0;
  std::int64_t asked = 0;        // send: highest byte for which an ack has been asked
  std::int64_t given_back = -1;  // receive, sharing: a block the sender could not copy

  // A short message touches nothing from here on.
  packed_address record = 0;
  std::uint32_t generation = 0;
  std::uint32_t advert_generation = 0;  // send: of peer_advert
  offer offered{};                      // send: by us; receive: to us
  std::uint64_t peer_token = 0;
  memory::address target{};       // send, pushing or helping: where to, if target_mapped
  std::uint64_t peer_buffer = 0;  // send, helping: the receive buffer in its process
  bool target_mapped = false;
  std::uint32_t looks = 0;  // receive, following: in vain

  void reset(request_kind of) {
    kind = of;
    // relaxed: nobody else knows this object yet
    complete.store(false, std::memory_order_relaxed);
    result = {};
    on_complete = nullptr;
    context = nullptr;
    step = phase::idle;
    detached = scheduled = holds = plain = answered = needs_us = waits = parts = false;
    own = nullptr;
    advert = nullptr;
    peer_advert = 0;
    block_list = nullptr;
    message = nullptr;
    moved = until = acknowledged = asked = 0;
    given_back = -1;
  }
};

}  // namespace loadstone::p2p
