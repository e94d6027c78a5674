#include "base/page_guard.hpp"

#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <thread>

namespace loadstone::base {
namespace {

// Three pages of a file that has the first one only.
class page_guard : public ::testing::Test {
 protected:
  static constexpr std::size_t page = 4096;
  void SetUp() override {
    file = memfd_create("page_guard", 0);
    ASSERT_EQ(ftruncate(file, page), 0);
    at = static_cast<std::byte*>(mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ASSERT_NE(at, MAP_FAILED);
  }
  void TearDown() override {
    munmap(at, 3 * page);
    close(file);
  }
  int file = -1;
  std::byte* at = nullptr;
};

TEST_F(page_guard, ends_where_a_page_is_gone) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(store_guarded(at, page, [&] { std::memset(at, 1, page); }), stored::all);
    bool behind = false;
    const stored how = store_guarded(at, 3 * page, [&] {
      std::memset(at, 2, 3 * page);
      behind = true;
    });
    EXPECT_EQ(how, stored::ended);
    EXPECT_FALSE(behind);
  }
  std::thread([&] {
    EXPECT_EQ(store_guarded(at, 3 * page, [&] { at[page] = std::byte{1}; }), stored::ended);
  }).join();
}

TEST_F(page_guard, is_none_where_the_signal_is_not_ours) {
  EXPECT_EQ(store_guarded(at, page, [&] { at[0] = std::byte{1}; }), stored::all);  // there is a handler now
  bool called = false;
  const auto store = [&] { called = true; };
  sigset_t bus;
  sigemptyset(&bus);
  sigaddset(&bus, SIGBUS);
  pthread_sigmask(SIG_BLOCK, &bus, nullptr);
  EXPECT_EQ(store_guarded(at, page, store), stored::nothing);
  pthread_sigmask(SIG_UNBLOCK, &bus, nullptr);
  struct sigaction theirs {
  }, ours{};
  theirs.sa_handler = SIG_DFL;
  sigaction(SIGBUS, &theirs, &ours);
  EXPECT_EQ(store_guarded(at, page, store), stored::nothing);
  sigaction(SIGBUS, &ours, nullptr);
  EXPECT_FALSE(called);
  EXPECT_EQ(store_guarded(at, page, store), stored::all);
  EXPECT_TRUE(called);
}

// Each in a process of its own, in which nothing has been stored before.
class page_guard_death : public page_guard {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer has a handler of its own, which ends the process in its way";
#endif
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    page_guard::SetUp();
  }
};

TEST_F(page_guard_death, any_other_fault_ends_the_process) {
  const auto store = [&](std::size_t where) {
    return store_guarded(at, page, [&] { at[where] = std::byte{1}; });
  };
  EXPECT_EXIT(store(page), ::testing::KilledBySignal(SIGBUS), "");  // beside what is guarded
  EXPECT_EXIT((store(0), at[page] = std::byte{1}), ::testing::KilledBySignal(SIGBUS), "");
  EXPECT_EXIT((store(0), raise(SIGBUS)), ::testing::KilledBySignal(SIGBUS), "");
}

// A process whose program had a handler before: it sees its own faults, and none of ours.
TEST_F(page_guard_death, a_handler_that_was_there_gets_its_own) {
  EXPECT_EXIT(
      {
        struct sigaction theirs {};
        theirs.sa_flags = SA_SIGINFO;
        theirs.sa_sigaction = [](int, siginfo_t* what, void*) {
          sigset_t blocked;
          pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
          const bool right = sigismember(&blocked, SIGBUS) == 1 && what->si_addr != nullptr;
          _exit(right ? 7 : 8);
        };
        sigaction(SIGBUS, &theirs, nullptr);
        if (store_guarded(at, 3 * page, [&] { std::memset(at, 1, 3 * page); }) != stored::ended) _exit(9);
        at[page] = std::byte{1};
      },
      ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace loadstone::base
