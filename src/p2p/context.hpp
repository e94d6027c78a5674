// What the parts of the engine share: no state of its own, but where everything is. Each part has a
// copy, for one load less to what it needs.
#pragma once

#include <cstdint>

#include "deposit/endpoint.hpp"
#include "deposit/handler_ids.hpp"
#include "p2p/limits.hpp"

namespace loadstone::p2p {

class matcher;
class record_store;
class requests;
class pending_work;
class unexpected_store;
class peer_costs;
// The ways.
class rendezvous;
class self_messages;
class eager;
class pipeline;
class shared_copy;
class adverts;
class choice;

struct context {
  deposit::endpoint& endpoint;
  memory::job& job;
  memory::arena& arena;
  const limits& config;
  matcher& matching;
  record_store& records;
  requests& live;
  pending_work& work;
  unexpected_store& unexpected;
  peer_costs& costs;
  rendezvous& offers;
  self_messages& to_self;
  eager& small;
  pipeline& in_blocks;
  shared_copy& copies;
  adverts& told;
  choice& choose;
  std::uint32_t self;

  // Handlers as members: `handle` of `part`, which is what the endpoint is given as context.
  template <auto Handle, class Part>
  static void listen(deposit::endpoint& endpoint, deposit::handler_id id, Part* part,
                     deposit::reading how = deposit::reading::whole) {
    endpoint.set_handler(
        id,
        [](void* p, deposit::incoming& message, bool queued) {
          return (static_cast<Part*>(p)->*Handle)(message, queued);
        },
        part, how);
  }
  // Of what belongs to a transfer. Where that was given up, it names a request that is no more
  // (requests::lost).
  template <auto Handle, class Header, class Part>
  static void listen_to(deposit::endpoint& endpoint, deposit::handler_id id, Part* part,
                        deposit::reading how = deposit::reading::whole) {
    endpoint.set_handler(
        id,
        [](void* p, deposit::incoming& message, bool) {
          auto* const to = static_cast<Part*>(p);
          if (!to->live.lost(message.source())) [[likely]]
            (to->*Handle)(*reinterpret_cast<const Header*>(message.header()), message);
          return deposit::verdict::consumed;
        },
        part, how);
  }
  // Never `again`: it fits a slot. Who needs no answer need not look whether the peer is `gone`.
  template <class Header>
  deposit::outcome send_control(std::uint32_t process, std::uint8_t handler, const Header& header,
                                const void* payload = nullptr, std::size_t bytes = 0) const {
    return endpoint.send_active(process, handler, deposit::traffic::control, &header, sizeof header, payload,
                                bytes);
  }
};

template <class Header>
const Header& header_of(const deposit::incoming& message) {
  return *reinterpret_cast<const Header*>(message.header());
}

// What one way has moved.
struct tally {
  std::uint64_t messages = 0, bytes = 0;
  void count(std::int64_t n) {
    ++messages;
    bytes += static_cast<std::uint64_t>(n);
  }
  void take_back(std::int64_t n) {  // it goes another way
    --messages;
    bytes -= static_cast<std::uint64_t>(n);
  }
};

struct message_request;

// Who does the next step of a request, outside handlers: one of the ways to move its data, or who
// chooses among them.
class way {
 public:
  virtual void step(message_request* r) = 0;
  // The range that another way moved for this one is there.
  virtual void range_moved(message_request*) {}

 protected:
  ~way() = default;
};

}  // namespace loadstone::p2p
