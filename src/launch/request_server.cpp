#include "launch/request_server.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <system_error>

#include "base/signals.hpp"
#include "wait/futex.hpp"

namespace loadstone::launch {

namespace {

constexpr std::chrono::nanoseconds no_limit = std::chrono::hours(24);

template <class Request, class Server>
void answer(memory::request_desk& desk, Server& server, const memory::request_desk::request& r) {
  Request request;
  if (r.read(&request))
    desk.answer(r, server.serve(r.from, request));
  else
    desk.refuse(r);
}

}  // namespace

request_server::request_server(memory::job& job, io_service& files)
    : desk_(job), files_(files), ready_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (ready_ < 0) return;
  const base::signals_blocked by_it;  // they are the loop's
  try {
    sleeper_ = std::thread([this] { wake_loop(); });
  } catch (const std::system_error&) {
    close(ready_);
    ready_ = -1;
  }
}

request_server::~request_server() {
  if (!sleeper_.joinable()) return;
  ending_.store(true, std::memory_order_relaxed);  // relaxed: published by the ring
  wait::ring(desk_.called());                      // sync: bell
  sleeper_.join();
  close(ready_);
}

// The first check finds what has come before this thread began.
void request_server::wake_loop() {
  for (;;) {
    const std::uint32_t called = desk_.called().load(std::memory_order_acquire);  // sync: bell
    if (ending_.load(std::memory_order_relaxed)) return;  // relaxed: behind the acquire above
    eventfd_write(ready_, 1);
    wait::sleep_on(desk_.called(), called, no_limit);
  }
}

void request_server::serve() {
  eventfd_t calls;
  if (ready_ >= 0)
    eventfd_read(ready_, &calls);  // before the check: who calls from here on is seen next time
  desk_.serve([this](const memory::request_desk::request& r) {
    switch (r.kind) {
      case memory::request_kind::publish_name:
        return answer<memory::publish_name>(desk_, names_, r);
      case memory::request_kind::lookup_name:
        return answer<memory::lookup_name>(desk_, names_, r);
      case memory::request_kind::unpublish_name:
        return answer<memory::unpublish_name>(desk_, names_, r);
      case memory::request_kind::buffer_file:
        return answer<memory::buffer_file>(desk_, files_, r);
      case memory::request_kind::release_file:
        return answer<memory::release_file>(desk_, files_, r);
      default:
        desk_.refuse(r);
    }
  });
}

void request_server::rank_ended(std::uint32_t rank) {
  desk_.forget(rank);
  names_.forget(rank);
}

}  // namespace loadstone::launch
