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

void activity::note_poll(std::uint64_t messages) {
  const std::uint64_t moved = completed_.load(std::memory_order_relaxed) + messages;
  moved_->store(static_cast<std::uint32_t>(moved), std::memory_order_relaxed);
  polls_->store(polls_->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace loadstone::mpi
