#include "mpi/event_queue.hpp"

#include <utility>

#include "mpi/tool.hpp"

namespace loadstone::mpi {
namespace {

// How many MPI calls this thread is in: a callback of the program that calls MPI does so inside
// another call, which may hold locks.
thread_local int depth = 0;

}  // namespace

void event_queue::enter() {
  ++depth;
}

void event_queue::leave() {
  deliver_early();
  --depth;
}

void event_queue::deliver_early() {
  if (depth == 1) deliver_events(*this);
}

void event_queue::use(bool registered) {
  if (registered && ring_.empty()) ring_.resize(capacity);
  registered_ = registered;
  update_use();
}

void event_queue::update_use() {
  // Relaxed: see in_use.
  in_use_.store(registered_ || count_ > 0, std::memory_order_relaxed);
}

bool event_queue::put(const std::shared_ptr<event_registration>& to, const event_instance& event) {
  if (count_ == ring_.size()) return false;
  ring_[(first_ + count_++) % ring_.size()] = {to, event};
  return true;
}

std::optional<std::size_t> event_queue::begin() {
  if (delivering_ || count_ == 0) return std::nullopt;
  delivering_ = true;
  return count_;
}

void event_queue::end() {
  delivering_ = false;
  update_use();
}

event_queue::entry event_queue::take() {
  entry taken = std::move(ring_[first_]);
  first_ = (first_ + 1) % ring_.size();
  --count_;
  return taken;
}

}  // namespace loadstone::mpi
