#include "memory/vm_access.hpp"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "memory/in_child.hpp"

using namespace loadstone;
using base::code;
using test::in_child;

namespace {

// A peer in another process: claims entry 1 and stays until it is ended. Inherited memory has the same
// addresses there.
class peer {
 public:
  explicit peer(memory::job& job) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      auto mine = memory::job::attach(job.descriptor());
      char ok = mine.ok() && (*mine)->claim(1).ok() ? 1 : 0;
      memory::vm_access access(**mine, 1);
      if (write(ends[1], &ok, 1) != 1) _exit(1);
      for (;;) pause();
    }
    char ok = 0;
    EXPECT_EQ(read(ends[0], &ok, 1), 1);
    EXPECT_EQ(ok, 1);
    close(ends[0]);
    close(ends[1]);
  }
  ~peer() { end(); }
  void end() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    pid_ = -1;
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

class vm_access : public testing::Test {
 protected:
  void SetUp() override {
    job = std::move(*memory::job::create({.world_size = 2}));
    ASSERT_TRUE(job->claim(0).ok());
    std::iota(shared.begin(), shared.end(), 0);
  }
  base::result<std::size_t> read(memory::vm_access& access, void* to, const void* from, std::size_t bytes) {
    iovec here{to, bytes}, there{const_cast<void*>(from), bytes};
    return access.read(1, &here, 1, &there, 1);
  }
  std::unique_ptr<memory::job> job;
  std::vector<std::uint32_t> shared = std::vector<std::uint32_t>(100'000);  // copied into the peer by fork
};

TEST_F(vm_access, reads_and_writes_a_peer) {
  peer other(*job);
  memory::vm_access access(*job, 0);
  if (!access.allowed(1)) GTEST_SKIP() << "process_vm_readv is refused on this machine";
  std::vector<std::uint32_t> got(shared.size());
  auto n = read(access, got.data(), shared.data(), shared.size() * 4);
  ASSERT_TRUE(n.ok()) << n.error().what;
  EXPECT_EQ(*n, shared.size() * 4);
  EXPECT_EQ(got, shared);
  std::uint32_t mark = 4711;
  iovec here{&mark, 4}, there{&shared[17], 4};
  ASSERT_TRUE(access.write(1, &here, 1, &there, 1).ok());
  EXPECT_EQ(shared[17], 17u) << "ours is a copy";
  ASSERT_TRUE(read(access, got.data(), &shared[17], 4).ok());
  EXPECT_EQ(got[0], 4711u);
}

TEST_F(vm_access, lists_longer_than_the_system_takes_and_empty_buffers) {
  peer other(*job);
  memory::vm_access access(*job, 0);
  if (!access.allowed(1)) GTEST_SKIP() << "process_vm_readv is refused on this machine";
  std::vector<std::uint32_t> got(shared.size());
  std::vector<iovec> here, there;
  for (std::size_t i = 0; i < 5000; ++i) {
    here.push_back({&got[i * 3], i % 7 == 0 ? 0u : 12u});
    there.push_back({&shared[i * 3], i % 7 == 0 ? 0u : 12u});
  }
  auto n = access.read(1, here.data(), here.size(), there.data(), there.size());
  ASSERT_TRUE(n.ok()) << n.error().what;
  std::size_t expected = 0;
  for (std::size_t i = 0; i < 5000; ++i) {
    if (i % 7 == 0) continue;
    expected += 12;
    for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(got[i * 3 + k], shared[i * 3 + k]);
  }
  EXPECT_EQ(*n, expected);
  EXPECT_EQ(*access.read(1, nullptr, 0, there.data(), there.size()), 0u);
}

TEST_F(vm_access, differently_cut_lists_meet) {
  peer other(*job);
  memory::vm_access access(*job, 0);
  if (!access.allowed(1)) GTEST_SKIP() << "process_vm_readv is refused on this machine";
  std::vector<std::uint32_t> got(30'000);
  std::vector<iovec> here, there{{shared.data(), 120'000}};
  for (std::size_t at = 0; at < 30'000; at += 10) here.push_back({&got[at], 40});
  ASSERT_EQ(*access.read(1, here.data(), here.size(), there.data(), 1), 120'000u);
  EXPECT_TRUE(std::equal(got.begin(), got.end(), shared.begin()));
}

TEST_F(vm_access, a_bad_address_is_an_error_of_that_request_only) {
  peer other(*job);
  memory::vm_access access(*job, 0);
  if (!access.allowed(1)) GTEST_SKIP() << "process_vm_readv is refused on this machine";
  std::uint32_t word = 0;
  EXPECT_EQ(read(access, &word, reinterpret_cast<void*>(16), 4).error().kind, code::bad_address);
  // Half good, half bad: not a short success.
  auto* pages =
      static_cast<char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  munmap(pages + 4096, 4096);
  std::vector<char> big(8192);
  iovec here{big.data(), 8192}, there{shared.data(), 8192};
  here.iov_base = pages;  // our side is bad this time
  EXPECT_EQ(access.read(1, &here, 1, &there, 1).error().kind, code::bad_address);
  EXPECT_TRUE(access.allowed(1));
  EXPECT_TRUE(read(access, &word, &shared[5], 4).ok());
  EXPECT_EQ(word, 5u);
}

TEST_F(vm_access, a_dead_peer_is_gone) {
  peer other(*job);
  memory::vm_access access(*job, 0);
  if (!access.allowed(1)) GTEST_SKIP() << "process_vm_readv is refused on this machine";
  other.end();
  std::uint32_t word = 0;
  EXPECT_EQ(read(access, &word, &shared[5], 4).error().kind, code::gone);
}

TEST_F(vm_access, a_stranger_with_the_same_process_id_is_not_touched) {
  peer other(*job);
  bool possible = memory::vm_access(*job, 0).allowed(1);
  // The entry says that the number lies elsewhere, as after a process id was reused: what is read there does
  // not match.
  job->process(1).random_number ^= 1;
  memory::vm_access forged(*job, 0);
  EXPECT_FALSE(forged.allowed(1));
  std::uint32_t word = 0;
  EXPECT_EQ(read(forged, &word, &shared[5], 4).error().kind, code::refused);
  job->process(1).random_number ^= 1;
  EXPECT_FALSE(forged.allowed(1)) << "decided once per pair";
  job->process(1).pid = getppid();  // as in a namespace, whose numbers are not ours: the kernel is asked
  EXPECT_EQ(memory::vm_access(*job, 0).allowed(1), possible);
  job->process(1).locked = 0;  // it cannot be: then this is a process that exists, but is another
  memory::vm_access again(*job, 0);
  EXPECT_FALSE(again.allowed(1));
  job->process(1).pid = other.pid();
  memory::vm_access right(*job, 0);
  EXPECT_EQ(right.allowed(1), possible);
}

TEST_F(vm_access, nobody_there_yet_is_not_a_decision) {
  memory::vm_access access(*job, 0);
  EXPECT_FALSE(access.allowed(1));
  EXPECT_FALSE(access.allowed(99));
  peer other(*job);
  memory::vm_access later(*job, 0);
  EXPECT_EQ(access.allowed(1), later.allowed(1));
}

TEST_F(vm_access, the_user_can_turn_it_off) {
  peer other(*job);
  memory::vm_access access(*job, 0, false);
  EXPECT_FALSE(access.allowed(1));
}

// Makes process_vm_readv fail with EPERM from now on, in this process.
bool refuse_process_vm() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_F(vm_access, refused_by_a_seccomp_filter) {
  peer other(*job);
  EXPECT_EQ(in_child([&] {
              if (!refuse_process_vm()) return 77;
              memory::vm_access access(*job, 0);
              return access.allowed(1) ? 1 : 0;
            }),
            0);
}

TEST_F(vm_access, a_later_refusal_turns_it_off_for_that_pair) {
  peer other(*job);
  {
    memory::vm_access probe(*job, 0);
    if (!probe.allowed(1)) GTEST_SKIP() << "process_vm_readv is refused on this machine";
  }
  EXPECT_EQ(in_child([&] {
              memory::vm_access access(*job, 0);
              std::uint32_t word = 0;
              if (!access.allowed(1) || !read(access, &word, &shared[5], 4).ok()) return 1;
              if (!refuse_process_vm()) return 77;
              if (read(access, &word, &shared[5], 4).error().kind != code::refused) return 2;
              return access.allowed(1) ? 3 : 0;
            }),
            0);
}

}  // namespace
