// What goes wrong outside: process_vm_* refused, at first or in the midst; memory that cannot be read or
// written; peers that die.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <atomic>
#include <climits>
#include <cstring>
#include <fstream>
#include <string>

#include "datatype/builder.hpp"
#include "deposit/handler_ids.hpp"
#include "p2p/error_class.hpp"
#include "p2p/ranks.hpp"
#include "p2p/wire_layout.hpp"

namespace loadstone::testing::errors_test {
namespace {

using p2p::engine;

// From now on this thread's process_vm_readv fails with `error`, if it is asked for fewer blocks than that.
void refuse_process_vm(int error, unsigned below = UINT_MAX) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_process_vm_readv, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[4])),  // the lower half
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, below, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (static_cast<unsigned>(error) & SECCOMP_RET_DATA)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{6, filter};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

constexpr std::size_t large = (9 << 20) + 5;

TEST(errors, process_vm_refused_from_the_start_or_later) {
  for (bool later : {false, true}) {
    run_processes(2, [&](rank& r) {
      p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
      const auto data = painted(large, 1);
      if (r.self == 0) {
        for (int i = 0; i < 3; ++i) EXPECT_EQ(send(r, w, bytes_of(data.data(), large), 1, 0).error, 0);
      } else {
        if (!later) refuse_process_vm(EPERM);
        for (int i = 0; i < 3; ++i) {
          std::vector<std::byte> got(large);
          if (later && i == 1) refuse_process_vm(EPERM);
          EXPECT_EQ(receive(r, w, bytes_of(got.data(), large), 0, 0).error, 0);
          EXPECT_EQ(got, data);
        }
        // Refused later: whether the receiver had to copy at all from then on depends on how quick the sender
        // was.
        const engine::statistics by = r.p2p->counts();
        const auto single = by.messages[engine::single_copy] + by.messages[engine::both_sides];
        EXPECT_EQ(single + by.messages[engine::pipelined], 3u);
        if (!later) {
          EXPECT_EQ(single, 0u);
        }
      }
      meet(r, s);
    });
  }
}

// The sender's blocks are copied by the kernel, 4 MiB at a time, until it is refused: the sender then pushes them all
// into the receiver's arena.
TEST(errors, a_push_follows_where_a_copy_was_refused) {
  run_processes(2, [&](rank& r) {
    if (!r.endpoint->user().reaches(1 - r.self)) return;
    p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
    constexpr std::int64_t block = 16 << 10, blocks = 700, at_a_time = (4 << 20) / block;
    constexpr auto bytes = static_cast<std::size_t>(block * blocks);
    const auto data = painted(bytes, 1);
    if (r.self == 0) {
      auto made = datatype::builder::vector(blocks, block, 2 * block, byte_type());
      ASSERT_TRUE(made.ok());
      ASSERT_TRUE((*made)->commit().ok());
      std::vector<std::byte> spread(2 * bytes);
      for (std::size_t i = 0; i < blocks; ++i)
        std::memcpy(&spread[i * 2 * block], &data[i * block], static_cast<std::size_t>(block));
      EXPECT_EQ(send(r, w, {spread.data(), 1, *made}, 1, 0).error, 0);
      EXPECT_EQ(r.p2p->counts().helped_bytes, bytes);
      (*made)->release();
    } else {
      auto* const got = static_cast<std::byte*>(*r.arena->allocate(bytes, 64));
      refuse_process_vm(EPERM, at_a_time);  // the last part has fewer blocks
      EXPECT_EQ(finish(r, start_receive(r, w, bytes_of(got, bytes), 0, 0)).error, 0);
      EXPECT_EQ(std::memcmp(got, data.data(), bytes), 0);
    }
    meet(r, s);
  });
}

// An address that only looks like memory: both sides end with an error, nobody hangs, and the next message is
// well.
TEST(errors, unreadable_and_unwritable_memory_is_an_error_of_that_message_on_both_sides) {
  ranks_config by_kernel;
  by_kernel.rank.p2p.pipeline_limit = 0;  // what this process copies itself it dies of
  const auto body = [&](rank& r) {
    p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
    auto* hole =
        static_cast<std::byte*>(mmap(nullptr, 2 * large, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(hole, MAP_FAILED);
    const std::size_t good_part = 5 << 20;  // readable up to there
    auto* partly =
        static_cast<std::byte*>(mmap(nullptr, 2 * large, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_EQ(mprotect(partly, good_part, PROT_READ | PROT_WRITE), 0);
    auto data = painted(large, 1);
    for (std::byte* bad : {hole, partly}) {
      for (int who : {0, 1}) {
        for (bool posted_first : {true, false}) {
          std::byte* mine = static_cast<int>(r.self) == who ? bad : data.data();
          p2p::request* q = nullptr;
          if (r.self == 0) {
            if (posted_first) meet(r, s);
            q = start_send(r, w, bytes_of(mine, large), 1, 6);
            if (!posted_first) meet(r, s);
          } else {
            if (posted_first) q = start_receive(r, w, bytes_of(mine, large), 0, 6);
            meet(r, s);
            if (!posted_first) q = start_receive(r, w, bytes_of(mine, large), 0, 6);
          }
          const outcome failed = finish(r, q);
          EXPECT_EQ(failed.error, p2p::error_buffer);
          EXPECT_EQ(failed.source, static_cast<int>(1 - r.self));
          EXPECT_EQ(failed.tag, 6);
          const outcome next = r.self == 0 ? send(r, w, bytes_of(data.data(), 20), 1, 1)
                                           : receive(r, w, bytes_of(data.data(), 20), 0, 1);
          EXPECT_EQ(next.error, 0);
        }
      }
    }
    meet(r, s);
  };
  run_processes(2, body, by_kernel);
}

TEST(errors, sends_to_a_dead_process_end_with_an_error) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        int peer_pid = 0;
        if (r.self == 0) {
          receive(r, w, {&peer_pid, 1, &int_type()}, 1, 0);
          const auto data = painted(large, 1);
          p2p::request* q = start_send(r, w, bytes_of(data.data(), large), 1, 5);
          receive(r, w, bytes_of(nullptr, 0), 1, 1);
          // It kills itself now; its end is known when the test has reaped it or it is a zombie.
          while (true) {
            std::string path = "/proc/" + std::to_string(peer_pid) + "/stat", text;
            std::ifstream in(path);
            if (!std::getline(in, text) || text.find(") Z") != std::string::npos) break;
            sched_yield();
          }
          (void)q;                          // its receive will never come: the launcher would end the job
          r.job->process(1).dead.store(1);  // what the launcher says
          // The first few may still find room in its inbox; then the end is noticed, and no send hangs.
          int sent = 0;
          while (sent < 100000 && send(r, w, bytes_of(data.data(), 16), 1, 0).error == 0) ++sent;
          const outcome last = send(r, w, bytes_of(data.data(), 16), 1, 7);
          EXPECT_EQ(last.error, p2p::error_peer_aborted) << sent;
          EXPECT_EQ(last.source, 1);
          EXPECT_EQ(last.tag, 7);
        } else {
          peer_pid = getpid();
          send(r, w, {&peer_pid, 1, &int_type()}, 0, 0);
          send(r, w, bytes_of(nullptr, 0), 0, 1);
          kill(getpid(), SIGKILL);
        }
      },
      {}, 1);
}

// Its data is to be had from memory that is gone, or only from itself. `told`: the launcher has seen it
// die; otherwise there is none, as here.
void receive_of_a_dead_sender(const char* vm, bool told) {
  setenv("LOADSTONE_VM", vm, 1);
  auto* shared = shared_page::create(1);
  run_processes(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self);
        if (r.self == 0) {
          std::vector<std::byte> data(large);
          p2p::request* q = start_send(r, w, bytes_of(data.data(), large), 1, 5);
          (void)q;
          shared->words[0].store(static_cast<std::uint64_t>(getpid()));
          kill(getpid(), SIGKILL);
        } else {
          outcome found;
          while (!with_gate(r, [&](p2p::engine& e) { return e.probe(w, 0, 5, &found); })) {
          }
          EXPECT_EQ(found.bytes, static_cast<std::int64_t>(large));
          while (shared->words[0].load() == 0) sched_yield();
          const std::string path = "/proc/" + std::to_string(shared->words[0].load()) + "/stat";
          while (true) {
            std::string text;
            std::ifstream in(path);
            if (!std::getline(in, text) || text.find(") Z") != std::string::npos) break;
            sched_yield();
          }
          if (told) r.job->process(0).dead.store(1);
          std::vector<std::byte> got(large);
          const outcome o = receive(r, w, bytes_of(got.data(), large), 0, 5);
          EXPECT_EQ(o.error, p2p::error_peer_aborted);
          EXPECT_EQ(w.users, 0u);
        }
      },
      {}, 0);
  munmap(shared, sizeof *shared);
  unsetenv("LOADSTONE_VM");
}

TEST(errors, a_sender_that_dies_with_its_message_unread_is_an_error_of_the_receive) {
  receive_of_a_dead_sender("1", true);
  receive_of_a_dead_sender("1", false);
}
TEST(errors, a_sender_that_dies_and_would_have_to_send_it_is_an_error_of_the_receive) {
  receive_of_a_dead_sender("0", true);
  receive_of_a_dead_sender("0", false);
}

// A sender has filled the receive, has said so, and is dead before that is read: the message is there. It is played, and its
// end seen at any poll of many: at one of 32 it is asked for.
TEST(errors, a_sender_that_dies_when_it_has_sent_all_is_no_error) {
  struct {
    p2p::advert_header about;
    p2p::advert_body where;
    std::atomic<int> adverts{0}, pushes{0}, pushed{0};
  } shared;
  constexpr int times = 200;
  constexpr std::size_t n = 300'000;
  ranks_config c;
  c.rank.p2p.both_sides = 0;
  run_ranks(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        meet(r, s);
        if (r.self == 0) {
          r.endpoint->set_handler(
              deposit::handler_p2p_advert,
              [](void* context, deposit::incoming& m, bool) {
                auto& to = *static_cast<decltype(shared)*>(context);
                std::memcpy(&to.about, m.header(), sizeof to.about);
                std::memcpy(&to.where, m.payload(), sizeof to.where);
                ++to.adverts;
                return deposit::verdict::consumed;
              },
              &shared);
          for (int i = 1; i <= times; ++i) {
            while (shared.adverts < i) with_gate(r, [](p2p::engine& e) { e.progress(); });
            const std::lock_guard guard(r.endpoint->gate());
            const memory::address at = shared.about.record.in(1);
            const memory::pin theirs = r.endpoint->map(at.region);
            ASSERT_TRUE(theirs);
            reinterpret_cast<p2p::rendezvous_record*>(theirs.at(at.offset))
                ->state.store(p2p::state_word(shared.about.generation, p2p::record_matched));
            p2p::taken_body body{};
            body.offered.bytes = static_cast<std::int64_t>(n);
            body.offered.arena_offset = p2p::not_in_arena;
            body.advert = shared.about.record;
            body.advert_generation = shared.about.generation;
            body.alone = 1;
            const p2p::answered_envelope header{
                p2p::envelope::of(w.context, static_cast<std::uint32_t>(i - 1), 5), 0, 1, 0};
            (void)r.endpoint->send_active(1, deposit::handler_p2p_taken, deposit::traffic::user, &header,
                                          sizeof header, &body, sizeof body);
            while (shared.pushes < i) usleep(10);
            const p2p::pushed_header done{shared.where.receiver, 0, static_cast<std::int64_t>(n)};
            (void)r.endpoint->send_active(1, deposit::handler_p2p_pushed, deposit::traffic::control, &done,
                                          sizeof done, nullptr, 0);
            shared.pushed = i;
          }
        } else {
          // Runs at the end of each poll, before anybody is asked whether he lives.
          struct stage {
            rank& r;
            decltype(shared)& with;
            int polls = 0, dies_at = INT_MAX;
            static void turn(void* self) {
              auto& t = *static_cast<stage*>(self);
              if (++t.polls == t.dies_at) {
                const int i = ++t.with.pushes;
                while (t.with.pushed < i) usleep(10);
                t.r.job->process(0).dead.store(1);
              }
              t.r.endpoint->defer(turn, self);
            }
          } stage{r, shared};
          with_gate(r, [&](p2p::engine&) { r.endpoint->defer(stage::turn, &stage); });
          for (int i = 0; i < times; ++i) {
            std::vector<std::byte> got(n);
            p2p::request* q = start_receive(r, w, bytes_of(got.data(), n), 0, 5);
            // Its envelope is there by then.
            stage.polls = 0;
            stage.dies_at = 100 + i % 32;
            while (!q->complete) {
              with_gate(r, [](p2p::engine& e) { e.progress(); });
              usleep(10);
            }
            EXPECT_EQ(finish(r, q).error, 0) << "dead at poll " << stage.dies_at;
            r.job->process(0).dead.store(0);
          }
        }
        meet(r, s);
      },
      c);
}

}  // namespace
}  // namespace loadstone::testing::errors_test
