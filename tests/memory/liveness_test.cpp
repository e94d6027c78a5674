#include "memory/liveness.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "memory/vm_access.hpp"

using namespace loadstone;

namespace {

// A process that claims entry 1, does as it is told, and says when. `flags`: as for unshare().
class other {
 public:
  other(memory::job& job, int flags, const std::function<void(memory::job&)>& then) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_ = fork();
    if (pid_ == 0) {
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (flags != 0 && unshare(flags) != 0) say(ends[1], 0);
      const pid_t inner = flags != 0 ? fork() : 0;
      if (inner == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        auto mine = memory::job::attach(fcntl(job.descriptor(), F_DUPFD_CLOEXEC, 3));
        close(job.descriptor());
        if (!mine.ok() || !(*mine)->claim(1).ok()) say(ends[1], 2);
        then(**mine);
        pid_t me = flags != 0 ? 1 : getpid();
        if (write(ends[1], &me, sizeof me) < 0) _exit(1);
        for (;;) pause();
      }
      waitpid(inner, nullptr, 0);
      _exit(0);
    }
    close(ends[1]);
    EXPECT_EQ(::read(ends[0], &said_, sizeof said_), static_cast<ssize_t>(sizeof said_));
    close(ends[0]);
  }
  ~other() { end(); }
  bool possible() const { return said_ != 0; }
  pid_t pid() const { return pid_; }
  void end() {
    if (pid_ <= 0) return;
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  // Until it is a zombie.
  void die() {
    kill(pid_, SIGKILL);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  }

 private:
  [[noreturn]] static void say(int to, pid_t what) {
    [[maybe_unused]] ssize_t n = write(to, &what, sizeof what);
    _exit(1);
  }
  pid_t pid_ = -1, said_ = 0;
};

void nothing(memory::job&) {}

class liveness : public testing::Test {
 protected:
  void SetUp() override {
    job = std::move(*memory::job::create({.world_size = 3, .launcher = getpid()}));
    ASSERT_TRUE(job->claim(0).ok());
  }
  // What a process without /proc has written of itself.
  void without_proc() { job->process(1).start_time = 0; }
  // A process that was killed goes a moment after kill() has returned.
  bool dies() {
    for (int i = 0; i < 20'000 && memory::is_alive(*job, 1); ++i) usleep(1000);
    return !memory::is_alive(*job, 1);
  }
  std::unique_ptr<memory::job> job;
};

TEST_F(liveness, a_process_lives_until_it_is_dead) {
  for (bool proc : {true, false}) {
    SetUp();
    EXPECT_TRUE(memory::is_alive(*job, 1)) << "nobody yet: may still come";
    other peer(*job, 0, nothing);
    if (!proc) without_proc();
    EXPECT_TRUE(memory::is_alive(*job, 0)) << "this process itself";
    EXPECT_TRUE(memory::is_alive(*job, 1));
    EXPECT_EQ(memory::pid_here(*job, 1), peer.pid());
    EXPECT_EQ(memory::pid_here(*job, 0), getpid());
    EXPECT_EQ(memory::launcher_here(*job), getpid());
    peer.die();
    EXPECT_FALSE(memory::is_alive(*job, 1)) << "a zombie";
    peer.end();
    EXPECT_FALSE(memory::is_alive(*job, 1));
    EXPECT_TRUE(memory::is_alive(*job, 2));
    EXPECT_EQ(memory::pid_here(*job, 2), 0);
  }
}

TEST_F(liveness, a_stopped_process_lives) {
  other peer(*job, 0, nothing);
  without_proc();
  kill(peer.pid(), SIGSTOP);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(peer.pid()), &info, WSTOPPED), 0);
  EXPECT_TRUE(memory::is_alive(*job, 1));
}

TEST_F(liveness, a_child_of_it_is_not_it) {
  // The child has the descriptor and the mappings; it goes on when its parent has died.
  other peer(*job, 0, [](memory::job&) {
    if (fork() == 0)
      for (;;) pause();
  });
  without_proc();
  EXPECT_TRUE(memory::is_alive(*job, 1));
  peer.die();
  EXPECT_FALSE(memory::is_alive(*job, 1));
}

TEST_F(liveness, a_child_that_ends_takes_nothing_with_it) {
  other peer(*job, 0, [](memory::job& mine) {
    const pid_t child = fork();
    if (child == 0) {
      close(mine.descriptor());
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  });
  without_proc();
  EXPECT_TRUE(memory::is_alive(*job, 1));
}

TEST_F(liveness, a_process_without_its_first_thread_lives) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto mine = memory::job::attach(fcntl(job->descriptor(), F_DUPFD_CLOEXEC, 3));
    close(job->descriptor());
    if (!mine.ok() || !(*mine)->claim(1).ok()) _exit(1);
    std::thread second([&] {
      while (memory::start_time_of(getpid()) != 0) usleep(100);  // until the first is a zombie
      if (write(ends[1], "", 1) != 1) _exit(1);
      for (;;) pause();
    });
    for (;;) syscall(SYS_exit, 0);  // of this thread alone
  }
  char told = 0;
  EXPECT_EQ(read(ends[0], &told, 1), 1);
  EXPECT_TRUE(memory::is_alive(*job, 1));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(memory::is_alive(*job, 1));
  close(ends[0]);
  close(ends[1]);
}

TEST_F(liveness, what_it_becomes_by_exec_is_not_it) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto mine = memory::job::attach(fcntl(job->descriptor(), F_DUPFD_CLOEXEC, 3));
    close(job->descriptor());
    if (!mine.ok() || !(*mine)->claim(1).ok()) _exit(1);
    dup2(ends[1], STDOUT_FILENO);
    execlp("sh", "sh", "-c", "echo; exec sleep 100", nullptr);
    _exit(1);
  }
  char line = 0;
  EXPECT_EQ(read(ends[0], &line, 1), 1);
  without_proc();
  EXPECT_FALSE(memory::is_alive(*job, 1));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(liveness, one_that_has_closed_all_descriptors_lives_as_far_as_it_is_seen) {
  other peer(*job, 0, [](memory::job& mine) { close(mine.descriptor()); });
  EXPECT_TRUE(memory::is_alive(*job, 1));
  EXPECT_EQ(memory::pid_here(*job, 1), peer.pid());
  peer.die();
  EXPECT_FALSE(memory::is_alive(*job, 1));
}

TEST_F(liveness, where_no_lock_is_to_be_had_mpiexec_has_the_say) {
  other peer(*job, 0, [](memory::job& mine) { close(mine.descriptor()); });
  without_proc();
  job->process(1).locked = 0;
  peer.die();
  EXPECT_TRUE(memory::is_alive(*job, 1));
  job->process(1).dead.store(1);
  EXPECT_FALSE(memory::is_alive(*job, 1));
}

TEST_F(liveness, in_a_namespace_of_its_own) {
  other peer(*job, CLONE_NEWPID, nothing);
  if (!peer.possible()) GTEST_SKIP() << "no right to make a PID namespace here";
  EXPECT_EQ(job->process(1).pid, 1);
  EXPECT_NE(job->process(1).apart, 0u);
  EXPECT_EQ(job->process(0).apart, 0u);
  EXPECT_TRUE(memory::is_alive(*job, 1)) << "whatever process 1 is here";
  const pid_t seen = memory::pid_here(*job, 1);
  EXPECT_GT(seen, 1);
  EXPECT_NE(seen, peer.pid()) << "that is its parent";
  memory::vm_access access(*job, 0), control(*job, 0);
  std::uint64_t word = 0;
  iovec here{&word, sizeof word}, there{reinterpret_cast<void*>(job->process(1).random_address), sizeof word};
  if (access.allowed(1)) {
    ASSERT_TRUE(access.read(1, &here, 1, &there, 1).ok());
    EXPECT_EQ(word, job->process(1).random_number);
  }
  kill(seen, SIGKILL);
  EXPECT_TRUE(dies()) << "process 1 lives here, and is another";
  EXPECT_EQ(memory::pid_here(*job, 1), 0);
}

TEST_F(liveness, a_process_outside_is_not_seen_from_within) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  other peer(*job, CLONE_NEWPID, [&](memory::job& mine) {
    memory::vm_access access(mine, 1);
    // The parent's memory is at the same place here, number and all: nothing but the process id tells.
    const bool right = memory::is_alive(mine, 0) && memory::pid_here(mine, 0) == 0 &&
                       memory::launcher_here(mine) == 0 && memory::pid_here(mine, 1) == getpid() &&
                       !access.allowed(0);
    const char said = right ? 'y' : 'n';
    if (write(ends[1], &said, 1) != 1) _exit(1);
  });
  if (!peer.possible()) GTEST_SKIP() << "no right to make a PID namespace here";
  char said = 0;
  ASSERT_EQ(read(ends[0], &said, 1), 1);
  EXPECT_EQ(said, 'y');
  close(ends[0]);
  close(ends[1]);
}

TEST_F(liveness, the_first_death_that_was_met_is_told) {
  memory::note_death(*job, 0);
  EXPECT_EQ(job->process(0).met_death.load(), 0u) << "its own";
  job->process(2).state.store(static_cast<std::uint32_t>(memory::process_state::finalized));
  memory::note_death(*job, 2);
  EXPECT_EQ(job->process(0).met_death.load(), 0u) << "one that owed nothing any more";
  memory::note_death(*job, 1);
  EXPECT_EQ(job->process(0).met_death.load(), 2u);
  job->process(2).state.store(static_cast<std::uint32_t>(memory::process_state::initialized));
  memory::note_death(*job, 2);
  EXPECT_EQ(job->process(0).met_death.load(), 2u);
}

}  // namespace
