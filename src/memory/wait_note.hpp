// A thread that is about to sleep says here what it waits for, and mpiexec reads it for hang
// reports (--timeout, SIGUSR1). A wait is many sleeps: from the first one to its end it is seen,
// also while the thread looks whether it is over, and may have lost its core.
//
//   memory::wait_note note(job.process(self));  // for the whole wait; its end takes it back
//   note.sleeps(why);                           // before each sleep
//   note.wakes();                               // behind it
//
// Costs some ten stores, and one for each further sleep; nothing on a path that does not sleep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/job_layout.hpp"
#include "wait/record.hpp"

namespace loadstone::memory {

class wait_note {
 public:
  explicit wait_note(process_entry& entry) : entry_(entry) {}
  ~wait_note() {
    if (record_ != nullptr) give_back();
  }
  wait_note(const wait_note&) = delete;
  wait_note& operator=(const wait_note&) = delete;

  void sleeps(const wait::reason& why);
  void wakes();

 private:
  bool take();
  void give_back();

  process_entry& entry_;
  wait_record* record_ = nullptr;  // nullptr: none yet, or more threads wait than there are records
  std::uint32_t number_ = 0;
};

// What one thread of `entry` waits for, as read by somebody else.
struct seen_wait {
  std::uint32_t call;
  std::int32_t peer, tag;
  std::uint64_t communicator;  // as in wait::reason
  std::uint64_t waited_ns;     // since it went to sleep in this wait for the first time
  std::string detail;
  bool awake = false;  // between two sleeps: it may go on
};
std::vector<seen_wait> waits_of(const process_entry& entry);

}  // namespace loadstone::memory
