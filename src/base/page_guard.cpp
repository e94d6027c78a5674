#include "base/page_guard.hpp"

#include <setjmp.h>
#include <signal.h>

namespace loadstone::base {
namespace {

struct guard {
  jmp_buf back;
  std::uintptr_t from, to;
};
__attribute__((tls_model("initial-exec"))) constinit thread_local guard* current = nullptr;

struct sigaction before {};  // what was there; written before the handler is set

// As the system would have called it, but for the stack: the handler that was there before.
void pass_on(int number, siginfo_t* what, void* context) {
  const bool full = (before.sa_flags & SA_SIGINFO) != 0;
  if (!full && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)) {
    // By the same access again, or as it was sent.
    signal(number, before.sa_handler);
    if (what->si_code <= 0) raise(number);
    return;
  }
  sigset_t mask = before.sa_mask, now;
  if ((before.sa_flags & SA_NODEFER) == 0) sigaddset(&mask, number);
  pthread_sigmask(SIG_BLOCK, &mask, &now);
  const auto handler = before;
  if ((before.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) signal(number, SIG_DFL);
  if (full)
    handler.sa_sigaction(number, what, context);
  else
    handler.sa_handler(number);
  pthread_sigmask(SIG_SETMASK, &now, nullptr);
}

void on_bus_fault(int number, siginfo_t* what, void* context) {
  guard* const g = current;
  const auto at = reinterpret_cast<std::uintptr_t>(what->si_addr);
  if (g == nullptr || what->si_code <= 0 || at < g->from || at >= g->to) {
    pass_on(number, what, context);
    return;
  }
  current = nullptr;
  _longjmp(g->back, 1);  // the signal is not blocked (SA_NODEFER)
}

bool is_bus_handler(const struct sigaction& now) {
  return (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_bus_fault;
}

// While this library is loaded.
struct bus_handler {
  bus_handler() {
    if (sigaction(SIGBUS, nullptr, &before) != 0) return;
    struct sigaction ours {};
    ours.sa_sigaction = on_bus_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGBUS, &ours, nullptr);
  }
  ~bus_handler() {
    struct sigaction now {};
    if (sigaction(SIGBUS, nullptr, &now) == 0 && is_bus_handler(now)) sigaction(SIGBUS, &before, nullptr);
  }
};

bool in_force() {
  static const bus_handler installed;
  struct sigaction now {};
  sigset_t blocked;
  return sigaction(SIGBUS, nullptr, &now) == 0 && is_bus_handler(now) &&
         pthread_sigmask(SIG_SETMASK, nullptr, &blocked) == 0 && sigismember(&blocked, SIGBUS) == 0;
}

}  // namespace

[[gnu::noinline]] stored store_guarded(const void* at, std::size_t bytes, void (*store)(void*),
                                       void* context) {
  if (!in_force()) return stored::nothing;
  guard mine;
  mine.from = reinterpret_cast<std::uintptr_t>(at);
  mine.to = mine.from + bytes;
  if (_setjmp(mine.back) != 0) return stored::ended;
  current = &mine;
  store(context);
  current = nullptr;
  return stored::all;
}

}  // namespace loadstone::base
