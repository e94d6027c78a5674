#include "io/service_thread.hpp"

#include <system_error>

#include "base/signals.hpp"
#include "wait/futex.hpp"

namespace loadstone::io {

namespace {
constexpr std::chrono::nanoseconds no_limit = std::chrono::hours(24);
}

service_thread::~service_thread() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard guard(lock_);
    ending_ = true;
  }
  wait::ring(bell_);  // sync: service-bell
  thread_.join();
}

bool service_thread::give(void (*work)(void*), void* context) {
  const std::lock_guard guard(lock_);
  if (!thread_.joinable()) {
    const base::signals_blocked by_it;
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
    }
    if (!thread_.joinable()) return false;
  }
  queue_.push_back({work, context});
  ++given_;
  wait::ring(bell_);  // sync: service-bell
  return true;
}

void service_thread::run() {
  for (;;) {
    // Acquire: before the queue is read, so that what is given after that read changes it
    // (sync: service-bell).
    const std::uint32_t bell = bell_.load(std::memory_order_acquire);
    job next;
    bool ending;
    {
      const std::lock_guard guard(lock_);
      ending = ending_;
      if (!queue_.empty()) {
        next = queue_.front();
        queue_.pop_front();
      }
    }
    if (next.work != nullptr) {
      next.work(next.context);
      wait::ring(done_);  // sync: service-done
    } else if (ending) {
      return;
    } else {
      wait::sleep_on(bell_, bell, no_limit);
    }
  }
}

void service_thread::drain() {
  std::uint32_t until;
  {
    const std::lock_guard guard(lock_);
    until = given_;
  }
  for (;;) {
    const std::uint32_t done = done_.load(std::memory_order_acquire);  // sync: service-done
    if (static_cast<std::int32_t>(done - until) >= 0) return;
    wait::sleep_on(done_, done, no_limit);
  }
}

}  // namespace loadstone::io
