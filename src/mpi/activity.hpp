// What mpiexec sees of this process: the function that was called last, and whether its polls find
// anything. The words are in job memory once there is a job. All accesses are relaxed: the numbers
// are only shown and compared, and nothing else is read because of them.
#pragma once

#include <atomic>
#include <cstdint>

#include "memory/job_layout.hpp"
#include "mpi/generated/names.hpp"

namespace loadstone::mpi {

class activity {
 public:
  void attach(memory::process_entry& entry);
  void detach();  // the job cannot be used after all

  // Notes the function that is called: mpiexec names it if this rank dies. One store to a line that
  // only this process writes.
  void note_call(function f) { last_call_->store(static_cast<std::uint32_t>(f), std::memory_order_relaxed); }
  function last_call() const { return static_cast<function>(last_call_->load(std::memory_order_relaxed)); }
  // Counts a completion that is not a message, and so not in the engine's counts. Two threads at
  // once may count one.
  void note_completed() {
    completed_.store(completed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // Counts a poll by a call that tests or probes. By these counts mpiexec tells a rank whose polls
  // are all empty from one that computes or communicates. `messages`: the engine's count of
  // messages. Under the gate. Has any come, or anything else completed, since the last one?
  bool note_poll(std::uint64_t messages);

 private:
  std::atomic<std::uint32_t> call_before_start_{0}, polls_before_start_{0}, moved_before_start_{0};
  std::atomic<std::uint32_t> completed_{0};  // published by note_poll()
  std::atomic<std::uint32_t>* last_call_ = &call_before_start_;
  std::atomic<std::uint32_t>* polls_ = &polls_before_start_;
  std::atomic<std::uint32_t>* moved_ = &moved_before_start_;
};

}  // namespace loadstone::mpi
