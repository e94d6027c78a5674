// One thread that does, in order, what may not be done where it came up: a completion handler that
// blocks, for instance. It is started with the first work, sleeps without a timer when there is
// none, and ends with its owner.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

namespace loadstone::io {

class service_thread {
 public:
  service_thread() = default;
  ~service_thread();  // what was given before is done first; not from the thread itself
  service_thread(const service_thread&) = delete;
  service_thread& operator=(const service_thread&) = delete;

  // Any thread, this one included. Work runs one after the other, oldest first, with no lock of
  // ours held. False: no thread could be started, and the work is not taken.
  [[nodiscard]] bool give(void (*work)(void*), void* context);
  bool started() const { return thread_.joinable(); }  // under the caller's own order with give()
  // Everything given before this call has been done. Not from the thread itself.
  void drain();

 private:
  struct job {
    void (*work)(void*) = nullptr;
    void* context = nullptr;
  };
  void run();

  std::mutex lock_;
  std::deque<job> queue_;  // under the lock
  bool ending_ = false;    // under the lock
  // Changes whenever work or the end has come; what the idle thread sleeps on (sync: service-bell).
  std::atomic<std::uint32_t> bell_{0};
  // Jobs done; what drain() sleeps on (sync: service-done). It wraps.
  std::atomic<std::uint32_t> done_{0};
  std::uint32_t given_ = 0;  // under the lock
  std::thread thread_;
};

}  // namespace loadstone::io
