// A thread that is about to sleep says here what it waits for, and mpiexec reads it for hang
// reports (--timeout, SIGUSR1).
//
//   memory::wait_note note(job.process(self), why);  // before the sleep; its end takes it back
//
// Costs some ten stores; never on a path that does not sleep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/job_layout.hpp"
#include "wait/record.hpp"

namespace loadstone::memory {

class wait_note {
 public:
  wait_note(process_entry& entry, const wait::reason& why);
  ~wait_note();
  wait_note(const wait_note&) = delete;
  wait_note& operator=(const wait_note&) = delete;

 private:
  wait_record* record_ = nullptr;  // nullptr: more threads wait than there are records
};

// What one thread of `entry` waits for, as read by somebody else.
struct seen_wait {
  std::uint32_t call;
  std::int32_t peer, tag;
  std::uint64_t communicator;  // as in wait::reason
  std::uint64_t waited_ns;     // since it went to sleep in this wait for the first time
  std::string detail;
};
std::vector<seen_wait> waits_of(const process_entry& entry);

}  // namespace loadstone::memory
