// What mpiexec sees of what this process does: the function called last, and whether it polls in
// vain. The words lie in job memory once there is a job. All relaxed: they are numbers for people
// to read, and nothing is read behind them.
#pragma once

#include <atomic>
#include <cstdint>

#include "memory/job_layout.hpp"
#include "mpi/generated/names.hpp"

namespace loadstone::mpi {

class activity {
 public:
  void attach(memory::process_entry& entry);
  void detach();  // there is no job after all

  // Named by mpiexec if this rank dies: one store to a line that only this process writes.
  void note_call(function f) { last_call_->store(static_cast<std::uint32_t>(f), std::memory_order_relaxed); }
  function last_call() const { return static_cast<function>(last_call_->load(std::memory_order_relaxed)); }
  // Something has come to its end that is no message of the core's count. Threads that count at a
  // time may count once.
  void note_completed() {
    completed_.store(completed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // A call has looked for something, and polled: mpiexec tells who polls in vain from who computes
  // or talks. `messages` is the core's count. Under the gate.
  void note_poll(std::uint64_t messages);

 private:
  std::atomic<std::uint32_t> call_before_start_{0}, polls_before_start_{0}, moved_before_start_{0};
  std::atomic<std::uint32_t> completed_{0};  // published by note_poll()
  std::atomic<std::uint32_t>* last_call_ = &call_before_start_;
  std::atomic<std::uint32_t>* polls_ = &polls_before_start_;
  std::atomic<std::uint32_t>* moved_ = &moved_before_start_;
};

}  // namespace loadstone::mpi
