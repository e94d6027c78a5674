// What schedules need from the layer below: sending, receiving and waiting. In programs that is the
// p2p engine; in tests it is a simulated network, which completes messages in random order.
#pragma once

#include <cstdint>
#include <memory>

#include "p2p/engine.hpp"

namespace loadstone::coll {

class messenger {
 public:
  virtual ~messenger() = default;
  // Requests belong to the caller until free(); they may be complete on return.
  virtual p2p::request* send(p2p::scope& where, p2p::buffer data, std::int32_t peer, std::int32_t tag) = 0;
  virtual p2p::request* receive(p2p::scope& where, p2p::buffer data, std::int32_t peer, std::int32_t tag) = 0;
  virtual void free(p2p::request* r) = 0;
  virtual void cancel(p2p::request*) {}  // if it has not begun to move
  virtual void complete(p2p::request& r) = 0;
  virtual bool wait(p2p::request& r, const wait::reason& why) = 0;  // false: the job is being stopped
  // The caller waits for it from now on, and does nothing else meanwhile.
  virtual void wait_begins(p2p::request&) {}
  // Only for schedules in areas.
  virtual void poll_if_due() {}
  virtual bool wait_until(wait::condition, const wait::reason&) { return false; }
  // As those of p2p::engine.
  virtual void want_progress(bool) {}
  virtual bool leave_to_program(void (*)(void*), void*) { return false; }
};

std::unique_ptr<messenger> make_messenger(p2p::engine& p2p);

}  // namespace loadstone::coll
