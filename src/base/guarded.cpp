#include "base/guarded.hpp"

#include <setjmp.h>
#include <signal.h>

#include <cstdint>

namespace loadstone::base {

constinit thread_local const void* noted = nullptr;

namespace {

__attribute__((tls_model("initial-exec"))) constinit thread_local jmp_buf* way_back = nullptr;

void on_fault(int number, siginfo_t* what, void*) {
  if (jmp_buf* const to = way_back; to != nullptr && what->si_code > 0) {
    way_back = nullptr;
    noted = what->si_addr;
    _longjmp(*to, 1);  // the signal is not blocked (SA_NODEFER)
  }
  // As if nobody had been here: by the same access again, or as it was sent.
  signal(number, SIG_DFL);
  if (what->si_code <= 0) raise(number);
}

bool is_ours(const struct sigaction& now) {
  return (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_fault;
}

// While this library is loaded.
struct handler {
  handler() {
    struct sigaction now {};
    if (sigaction(SIGSEGV, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
        now.sa_handler != SIG_DFL)
      return;
    struct sigaction ours {};
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &ours, nullptr);
  }
  ~handler() {
    struct sigaction now {};
    if (sigaction(SIGSEGV, nullptr, &now) == 0 && is_ours(now)) signal(SIGSEGV, SIG_DFL);
  }
};

}  // namespace

[[gnu::noinline]] bool guarded(void (*copy)(void*), void* context) {
  static const handler installed;
  jmp_buf back;
  jmp_buf* const outer = way_back;  // a copy that waits may be in the midst of another one
  if (_setjmp(back) != 0) {
    way_back = outer;
    return false;
  }
  way_back = &back;
  copy(context);
  way_back = outer;
  return true;
}

namespace {

// Only whether the byte is there, not what is in it: beside any access of its owners, and a write
// changes nothing. ThreadSanitizer, which sees no order between this and their stores, does not
// look here.
[[gnu::noinline, gnu::no_sanitize("thread")]] void touch(std::uintptr_t at, bool written) {
  auto* const byte = reinterpret_cast<std::uint8_t*>(at);
  const std::uint8_t value = __atomic_load_n(byte, __ATOMIC_RELAXED);
  if (!written) return;
  std::uint8_t same = value;
  __atomic_compare_exchange_n(byte, &same, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

}  // namespace

const void* first_missing(const void* at, std::size_t bytes, std::ptrdiff_t stride, std::size_t blocks,
                          bool written) {
  constexpr std::uintptr_t page = 4096;
  const auto first = reinterpret_cast<std::uintptr_t>(at);
  const bool all = guarded([&] {
    std::uintptr_t seen = 0;  // the page of the last byte; no block begins in page 0
    for (std::size_t i = 0, next = 1; i < blocks; i = next) {
      const std::uintptr_t begin = first + i * static_cast<std::uintptr_t>(stride), end = begin + bytes;
      // Blocks that end in the page of this one's end lie in pages that are looked at here.
      next = i + 1 + (stride > 0 ? (page - 1 - (end - 1) % page) / static_cast<std::uintptr_t>(stride) : 0);
      for (std::uintptr_t now = begin; now < end; now = (now / page + 1) * page) {
        if (now / page == seen) continue;
        seen = now / page;
        touch(now, written);
      }
    }
  });
  return all ? nullptr : take_missing();
}

const void* first_missing(const void* at, std::size_t bytes, bool written) {
  return first_missing(at, bytes, 0, 1, written);
}

}  // namespace loadstone::base
