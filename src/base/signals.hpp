// Threads of our own start with the program's signals blocked: those are for its own threads.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace loadstone::base {

// While it lives, a thread that is started begins with all signals blocked, but for faults of its
// own: it may copy from and to memory that is not there (guarded.hpp).
class signals_blocked {
 public:
  signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace loadstone::base
