#include "mpi/activity.hpp"

namespace loadstone::mpi {

void activity::attach(memory::process_entry& entry) {
  last_call_ = &entry.last_call;
  polls_ = &entry.polls;
  moved_ = &entry.moved;
}

void activity::detach() {
  last_call_ = &call_before_start_;
  polls_ = &polls_before_start_;
  moved_ = &moved_before_start_;
}

bool activity::note_poll(std::uint64_t messages) {
  const auto moved = static_cast<std::uint32_t>(completed_.load(std::memory_order_relaxed) + messages);
  const bool any = moved != moved_->load(std::memory_order_relaxed);
  moved_->store(moved, std::memory_order_relaxed);
  polls_->store(polls_->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return any;
}

}  // namespace loadstone::mpi
