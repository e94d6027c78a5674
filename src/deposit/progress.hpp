// The progress thread (progress.cpp).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace loadstone::deposit {

struct endpoint_state;

// Work for later, by a thread that polls.
struct deferred {
  void (*work)(void*);
  void* context;
};

// A thread of our own that polls while none of the program's waits here, as long as it is wanted.
// It is started when that is so for the first time, sleeps like any waiter, and polls for a bounded
// time. All that poll() does it may do at any time the gate is free; what only threads of the
// program may do, it leaves to them.
class progress_thread {
 public:
  explicit progress_thread(endpoint_state& s);
  ~progress_thread() { allow(false); }
  progress_thread(const progress_thread&) = delete;
  progress_thread& operator=(const progress_thread&) = delete;

  bool is_for_all() const { return for_all_; }  // is there to be one for all that wants it? Never changes
  // There is to be one all the same, from here on: for what others ask of this process and nobody
  // else can do. If this process had one thread, the gate and all below it are real from now on
  // (wait/gate.hpp). Under the gate, also in a handler.
  void admit();
  // Something stands still unless somebody polls; `more` false: one thing less. Only if there is to
  // be one.
  void want(bool more);
  bool is_this_thread() const { return std::this_thread::get_id() == thread_.get_id(); }
  // On it: leaves the work to the next poll of a thread of the program (as defer()). False: this is
  // such a thread, do it.
  bool leave_to_program(void (*work)(void*), void* context);
  // Ends the thread; there is none until it is allowed again. The gate is not held.
  void allow(bool yes);

  // --- by the endpoint. It takes no part in the draining role: it polls when nobody has that.
  // A thread of the program polls from here on: nobody has to ring for us.
  void step_back() {
    if (armed_) [[unlikely]]
      disarm();
  }
  bool has_left_work() const { return !left_.empty(); }
  void run_left_work();

 private:
  static void stand_by(void* self);
  void start();
  void run();
  bool doze(bool ours, std::chrono::nanoseconds longest);
  void wake();
  void disarm();

  endpoint_state& state_;
  const bool for_all_;  // by configuration
  bool exists_;         // or it was admitted since
  bool allowed_;
  bool ending_ = false;
  bool awake_ = false;    // it will poll before it sleeps
  bool armed_ = false;    // it is asleep, and the sleep bit is set for it
  bool parked_ = false;   // it is asleep, and nobody wants it: on a bell of its own
  bool knows_ = false;    // it is asleep for a short time, for there is deferred work
  bool patient_ = false;  // it was woken for work that the program has left: who left it may soon be back
  std::uint32_t wanted_ = 0;
  std::vector<deferred> left_;
  std::atomic<std::uint32_t> bell_{0};
  std::thread thread_;
};

}  // namespace loadstone::deposit
