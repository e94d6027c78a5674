// Ordinary memory: puts that are collected, and data that its owner copies, by each carrier, between
// the calls of each kind of synchronisation, to targets that wait in a call or compute.
#include <fmt/format.h>
#include <sys/mman.h>

#include <chrono>
#include <random>
#include <thread>

#include "base/nothing_guarded.hpp"
#include "datatype/held.hpp"
#include "memory/liveness.hpp"
#include "memory/wait_note.hpp"
#include "model/machine.hpp"
#include "rma/accumulate.hpp"
#include "rma/choice.hpp"
#include "rma/collected.hpp"
#include "rma/copy_desk_layout.hpp"
#include "rma/deaths.hpp"
#include "rma/handed.hpp"
#include "rma/handed_layout.hpp"
#include "rma/sync.hpp"
#include "rma/windows.hpp"
#include "wait/futex.hpp"

namespace loadstone::test::ordinary_test {
namespace {

using datatype::basic;
using datatype::builder;
using datatype::held;
using datatype::named;
using rma::flavor;
using owners = rma::engine_config::owners;

struct setting {
  const char* name;
  owners help;
  std::uint32_t collections;
  std::uint32_t ranks;
  bool processes, threads, computes;
};

std::ostream& operator<<(std::ostream& out, const setting& s) {
  return out << s.name;
}

constexpr std::int64_t area = 96 * 1024;  // of each origin, in the window of rank 0

// What is in memory of a window, at any time. It is no race that a sanitizer should know of.
[[gnu::no_sanitize("thread")]] std::int64_t seen_at(const std::byte* place) {
  return *reinterpret_cast<const volatile std::int64_t*>(place);
}

class ordinary : public ::testing::TestWithParam<setting> {
 protected:
  void run(const body& what) {
    const setting& s = GetParam();
    deposit::endpoint_config config;
    config.threads = s.threads;
    config.progress = s.threads ? deposit::endpoint_config::progress_kind::on
                                : deposit::endpoint_config::progress_kind::off;
    (s.processes ? run_processes : run_threads)(s.ranks, config, {}, what, {});
  }
};

template <class Call>
void gated(member& m, Call&& call) {
  const std::lock_guard hold(m.gate());
  EXPECT_TRUE(call());
}

// One operation: bytes of a piece of the origin's area, in blocks with gaps or in one.
struct operation {
  std::int64_t at, block, count;
  std::int64_t bytes() const { return block * count; }
  std::int64_t span() const { return (2 * count - 1) * block; }
};

std::vector<operation> operations_of(std::mt19937_64& random) {
  static constexpr std::int64_t blocks[] = {1, 4, 8, 8, 8, 24, 64, 700, 1024, 1025, 5000};
  std::vector<operation> all;
  const bool few = random() % 4 == 0;
  for (std::int64_t at = 0; all.size() < (few ? 3u : 200u);) {
    operation o{at, blocks[random() % std::size(blocks)], 1};
    if (random() % 8 == 0) o.count = 2 + static_cast<std::int64_t>(random() % 40);
    if (few && o.block > 64 && random() % 2 == 0) o.block *= 9;
    if (at + o.span() > area) break;
    at += o.span() + (random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % 50));
    all.push_back(o);
  }
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

std::byte value_of(std::uint64_t round, std::int64_t i) {
  return static_cast<std::byte>((round * 31 + static_cast<std::uint64_t>(i)) * 2654435761u >> 11);
}

enum class kind { flush, flush_all, unlock, unlock_all, fence, complete, kinds };

TEST_P(ordinary, epochs_end_when_all_is_there) {
  const setting& s = GetParam();
  const std::uint64_t seed = std::random_device{}();
  run([&](node& n) {
    member me(n, {.help = s.help, .collections = s.collections});
    const auto self = static_cast<std::int32_t>(me.self());
    const std::int64_t bytes = self == 0 ? area * s.ranks : 0;
    std::vector<std::byte> memory(static_cast<std::size_t>(bytes) + 1), shadow = memory;
    auto window = me.make({.kind = flavor::created, .base = memory.data(), .bytes = bytes});
    auto done = me.make({.kind = flavor::allocated, .bytes = 8, .unit = 8});
    std::memset(done->memory(), 0, 8);
    me.barrier();
    const std::vector<std::int32_t> targets = {0};
    std::vector<std::int32_t> origins;
    for (std::int32_t r = 1; r < static_cast<std::int32_t>(s.ranks); ++r) origins.push_back(r);
    for (std::uint64_t round = 1; round <= 90; ++round) {
      const auto how = static_cast<kind>(round % static_cast<std::uint64_t>(kind::kinds));
      const bool collective = how == kind::fence || how == kind::complete;
      SCOPED_TRACE(fmt::format("seed {}, round {}, rank {}", seed, round, self));
      if (self != 0) {
        std::mt19937_64 random(seed + 1000 * round + static_cast<std::uint64_t>(self));
        if (how == kind::fence) gated(me, [&] { return rma::fence(*window, {}); });
        if (how == kind::complete) gated(me, [&] { return rma::start(*window, targets, {}); });
        if (how == kind::unlock) gated(me, [&] { return rma::lock(*window, 0, round % 4 == 0, false, {}); });
        if (how == kind::flush || how == kind::flush_all || how == kind::unlock_all)
          gated(me, [&] { return rma::lock_all(*window, false, {}); });
        for (const operation& o : operations_of(random)) {
          const std::int64_t at = self * area + o.at;
          std::vector<std::byte> data(static_cast<std::size_t>(o.bytes()));
          for (std::int64_t i = 0; i < o.bytes(); ++i)
            data[static_cast<std::size_t>(i)] = value_of(round, at + i);
          const held layout = builder::hvector(o.count, o.block, 2 * o.block, named(basic::byte));
          ASSERT_TRUE(layout->commit().ok());
          EXPECT_TRUE(
              window->put(0, {data.data(), o.bytes(), &named(basic::byte)}, {at, 1, layout.get()}).ok());
          std::memset(data.data(), 0xee, data.size());  // it may be used again
        }
        if (how == kind::flush || how == kind::flush_all) {
          gated(me, [&] { return how == kind::flush ? window->flush(0).ok() : window->flush_all().ok(); });
          EXPECT_FALSE(window->outstanding());
          // And back: by whatever carries gets.
          std::mt19937_64 again(seed + 1000 * round + static_cast<std::uint64_t>(self));
          for (const operation& o : operations_of(again)) {
            const std::int64_t at = self * area + o.at;
            std::vector<std::byte> data(static_cast<std::size_t>(o.bytes()));
            const held layout = builder::hvector(o.count, o.block, 2 * o.block, named(basic::byte));
            ASSERT_TRUE(layout->commit().ok());
            EXPECT_TRUE(
                window->get(0, {data.data(), o.bytes(), &named(basic::byte)}, {at, 1, layout.get()}).ok());
            std::int64_t wrong = 0;
            for (std::int64_t i = 0; i < o.bytes(); ++i)
              wrong += data[static_cast<std::size_t>(i)] != value_of(round, at + i);
            EXPECT_EQ(wrong, 0) << o.count << " blocks of " << o.block;
          }
        }
        if (how == kind::unlock) gated(me, [&] { return rma::unlock(*window, 0); });
        if (how == kind::flush || how == kind::flush_all || how == kind::unlock_all)
          gated(me, [&] { return rma::unlock_all(*window); });
        if (how == kind::complete) gated(me, [&] { return rma::complete(*window, targets); });
        if (how == kind::fence) gated(me, [&] { return rma::fence(*window, {}); });
        const std::int64_t one = 1;
        std::int64_t old = 0;
        EXPECT_TRUE(
            rma::fetch_and_op(*done, 0, &one, &old, named(basic::int64), 0, *datatype::predefined_op(0x21))
                .ok());
      } else {
        if (how == kind::fence) {
          gated(me, [&] { return rma::fence(*window, {}); });
          gated(me, [&] { return rma::fence(*window, {}); });
        }
        if (how == kind::complete) {
          gated(me, [&] { return rma::post(*window, origins); });
          gated(me, [&] { return rma::wait_exposure(*window, {}); });
        }
        if (s.computes && !collective) {  // no call before all is there
          const auto all = static_cast<std::int64_t>(round * origins.size());
          for (int i = 0; i < 60000 && seen_at(done->memory()) != all; ++i)
            std::this_thread::sleep_for(std::chrono::microseconds(500));
          EXPECT_EQ(seen_at(done->memory()), all);
        }
        me.barrier();  // it waits in it for the others, or they for it
        for (std::int32_t r = 1; r < static_cast<std::int32_t>(s.ranks); ++r) {
          std::mt19937_64 random(seed + 1000 * round + static_cast<std::uint64_t>(r));
          for (const operation& o : operations_of(random))
            for (std::int64_t i = 0; i < o.bytes(); ++i) {
              const std::int64_t at = r * area + o.at;
              shadow[static_cast<std::size_t>(at + i / o.block * 2 * o.block + i % o.block)] =
                  value_of(round, at + i);
            }
        }
        EXPECT_TRUE(memory == shadow);
      }
      if (self != 0) me.barrier();
      me.barrier();
    }
    gated(me, [&] { return rma::leave(*window, {}); });
    me.free(std::move(done));
    me.free(std::move(window));
  });
}

INSTANTIATE_TEST_SUITE_P(
    each, ordinary,
    ::testing::Values(setting{"calls", owners::never, 256, 2, true, false, false},
                      setting{"calls_at_once", owners::never, 0, 3, true, false, true},
                      setting{"chosen", owners::automatic, 256, 2, true, false, false},
                      setting{"chosen_crowd", owners::automatic, 256, 4, true, false, false},
                      setting{"chosen_computes", owners::automatic, 256, 3, true, false, true},
                      setting{"chosen_threads", owners::automatic, 256, 2, true, true, true},
                      setting{"few_collections", owners::automatic, 1, 3, false, false, false},
                      setting{"handed", owners::always, 256, 2, true, false, false},
                      setting{"handed_at_once", owners::always, 0, 3, true, false, false},
                      setting{"handed_ranks_are_threads", owners::always, 256, 2, false, false, false},
                      setting{"handed_threads", owners::always, 256, 3, true, true, true},
                      setting{"thread", owners::thread, 256, 2, true, false, false},
                      setting{"thread_computes", owners::thread, 0, 4, true, false, true},
                      setting{"thread_ranks_are_threads", owners::thread, 256, 3, false, false, true}),
    [](const auto& p) { return p.param.name; });

// --- what cannot be stored ---

// The window of rank 0 has a page in its middle that is not there. What is put beside it arrives, and
// the call that completes says what does not.
TEST(ordinary_memory, a_put_that_fails_is_told_by_the_flush) {
  constexpr std::int64_t page = 4096;
  run_processes(2, {}, {}, [](node& n) {
    member me(n, {.help = owners::never});
    auto* const memory = static_cast<std::byte*>(
        mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(memory, MAP_FAILED);
    if (me.self() == 0) {
      ASSERT_EQ(mprotect(memory + page, page, PROT_NONE), 0);
    }
    auto window = me.make({.kind = flavor::created, .base = memory, .bytes = 3 * page});
    const datatype::type& byte = named(basic::byte);
    if (me.self() == 1) {
      std::int64_t value = 7;
      const auto put = [&](std::int64_t at) { return window->put(0, {&value, 8, &byte}, {at, 8, &byte}); };
      EXPECT_TRUE(put(16).ok());
      EXPECT_TRUE(put(page + 40).ok());
      EXPECT_TRUE(put(2 * page + 8).ok());
      EXPECT_TRUE(window->outstanding());
      rma::trouble failed;
      gated(me, [&] { return rma::fence(*window, {}, &failed); });
      EXPECT_EQ(failed.what, rma::wrong::missing);
      EXPECT_EQ(failed.why.kind, base::code::bad_address);
      EXPECT_EQ(failed.from, page + 40);
      EXPECT_EQ(failed.to, page + 48);
      EXPECT_FALSE(window->outstanding());
      // So many that they are sent before the flush: it tells all the same.
      for (std::int64_t i = 0; i < 400; ++i) EXPECT_TRUE(put(i == 3 ? page + 8 : 64 + 16 * (i % 200)).ok());
      {
        const std::lock_guard hold(me.gate());
        const rma::trouble later = window->flush(0);
        EXPECT_EQ(later.why.kind, base::code::bad_address);
        EXPECT_EQ(later.from, page + 8);
        EXPECT_TRUE(window->flush(0).ok());
      }
      // Holes may be missing, blocks may not.
      const held around = builder::hvector(2, 64, 2 * page, byte);
      ASSERT_TRUE(around->commit().ok());
      std::byte got[128];
      EXPECT_TRUE(window->get(0, {got, 128, &byte}, {0, 1, around.get()}).ok());
      EXPECT_EQ(got[16], std::byte{7});
      EXPECT_EQ(got[72], std::byte{7});
      EXPECT_EQ(window->get(0, {got, 64, &byte}, {page, 64, &byte}).why.kind, base::code::bad_address);
    } else {
      gated(me, [&] { return rma::fence(*window, {}); });
      EXPECT_EQ(memory[16], std::byte{7});
      EXPECT_EQ(memory[2 * page + 8], std::byte{7});
    }
    me.barrier();
    me.free(std::move(window));
    munmap(memory, 3 * page);
  });
}

// --- an owner that comes late ---

// Blocks that take the system's calls long. Their owner comes into a call when it has seen the first
// one, and is handed the rest. (Tried again where this process lost its core in the midst of it.)
TEST(ordinary_memory, an_owner_that_comes_late_is_handed_the_rest) {
  constexpr std::int64_t blocks = 256 * 1024;
  static constexpr int most_tries = 100, abi_sum = 0x21;
  run_processes(2, {}, {}, [](node& n) {
    member me(n);
    std::vector<std::int64_t> memory(me.self() == 0 ? 2 * blocks : 0);
    auto window = me.make({.kind = flavor::created,
                           .base = memory.data(),
                           .bytes = static_cast<std::int64_t>(8 * memory.size()),
                           .unit = 8});
    if (me.self() == 1) {  // its copying thread would be quicker
      const std::lock_guard hold(me.gate());
      base::status why;
      window->reach(0, &why)->desk.at = nullptr;
    }
    const datatype::type& word = named(basic::int64);
    const held apart = builder::vector(blocks, 1, 2, word);
    ASSERT_TRUE(apart->commit().ok());
    std::vector<std::int64_t> data(blocks, 1);
    const datatype::op* const sum = datatype::predefined_op(abi_sum);
    for (const bool adds : {false, true}) {
      bool handed = false;
      for (int tries = 1; !handed; ++tries) {
        ASSERT_LE(tries, most_tries);
        if (me.self() == 0) std::fill(memory.begin(), memory.end(), 0);
        me.barrier();
        if (me.self() == 1) {
          const rma::local_data here{data.data(), blocks, &word};
          const rma::target* const to = window->known(0);
          const std::uint64_t before = to == nullptr || to->hand == nullptr ? 0 : to->hand->number;
          EXPECT_TRUE((adds ? rma::accumulate(*window, 0, here, nullptr, {0, 1, apart.get()}, *sum)
                            : window->put(0, here, {0, 1, apart.get()}))
                          .ok());
          // Those that nobody came for were two. The last word is in a gap.
          handed = window->known(0)->hand->number > before + 2 * rma::hand_slots;
          std::int64_t outcome = handed ? 1 : 0;
          EXPECT_TRUE(window->put(0, {&outcome, 1, &word}, {2 * blocks - 1, 1, &word}).ok());
          gated(me, [&] { return window->flush(0).ok(); });
        } else {
          while (seen_at(reinterpret_cast<const std::byte*>(memory.data())) == 0) std::this_thread::yield();
        }
        me.barrier();
        if (me.self() == 0) {
          handed = std::exchange(memory.back(), 0) != 0;
          for (std::int64_t i = 0; i < 2 * blocks; ++i)
            ASSERT_EQ(memory[static_cast<std::size_t>(i)], i % 2 == 0 ? 1 : 0) << i;
        }
      }
    }
    me.free(std::move(window));
  });
}

// --- an owner's copying thread ---

// The call goes by the copying thread of rank 0. Where other programs have all cores the thread may
// come too late for some: so a call that may be made again is made until one was in time.
template <class Call>
void by_the_copying_thread(const rma::window& window, Call&& call) {
  static constexpr int most_calls = 100;
  const auto state = [&] {
    const rma::target* const to = window.known(0);
    return to == nullptr || to->desk.at == nullptr ? 0 : to->desk.at->state.load();
  };
  for (int calls = 1; calls <= most_calls; ++calls) {
    const auto before = state();
    EXPECT_TRUE(call().ok());
    rma::desk_use& desk = window.known(0)->desk;
    if (desk.missed == 0) {
      EXPECT_NE(state(), before) << "the thread was not asked";
      return;
    }
    desk.passes = 0;  // the next call asks it too
  }
  ADD_FAILURE() << "the thread came to none of " << most_calls << " calls";
}

// Rank 0 makes no call until all is there. What has many blocks goes by its thread, in pieces of the
// desk's size, and back; several origins take turns, and one that dies with the desk does not keep
// it.
TEST(ordinary_memory, an_owner_that_computes_has_a_thread_that_copies) {
  constexpr std::int64_t blocks = 40'000;  // of 40 bytes: more than there is room for at once
  run_processes(3, {}, {}, [](node& n) {
    member me(n);
    const auto self = static_cast<std::int64_t>(me.self());
    const std::int64_t part = 80 * blocks + 8;
    std::vector<std::byte> memory(me.self() == 0 ? static_cast<std::size_t>(3 * part) : 0);
    auto window = me.make(
        {.kind = flavor::created, .base = memory.data(), .bytes = static_cast<std::int64_t>(memory.size())});
    const datatype::type &byte = named(basic::byte), &word = named(basic::int64);
    const held apart = builder::hvector(blocks, 40, 80, byte);
    ASSERT_TRUE(apart->commit().ok());
    const auto tell = [&](std::int64_t what) {
      EXPECT_TRUE(window->put(0, {&what, 1, &word}, {self * part + 80 * blocks, 1, &word}).ok());
      gated(me, [&] { return window->flush(0).ok(); });
    };
    const auto told_by = [&](std::int64_t r) { return seen_at(memory.data() + r * part + 80 * blocks); };
    if (me.self() != 0) {
      std::vector<std::byte> data(static_cast<std::size_t>(40 * blocks)), back(data.size());
      for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = value_of(9, self + static_cast<std::int64_t>(i));
      const rma::local_data here{data.data(), 40 * blocks, &byte}, there{back.data(), 40 * blocks, &byte};
      by_the_copying_thread(*window, [&] { return window->put(0, here, {self * part, 1, apart.get()}); });
      rma::target* const to = window->known(0);
      ASSERT_NE(to->desk.at, nullptr);
      const rma::desk_word word_of_desk{to->desk.at->state.load()};
      EXPECT_GE(word_of_desk.number(), 2u);
      EXPECT_TRUE(window->get(0, there, {self * part, 1, apart.get()}).ok());
      EXPECT_TRUE(back == data);
      // Both add to the words between the blocks of rank 0's own part.
      const held gaps = builder::hvector(blocks, 1, 80, word);
      ASSERT_TRUE(gaps->commit().ok());
      std::vector<std::int64_t> ones(blocks, self), was(blocks, -1);
      const datatype::op* const sum = datatype::predefined_op(0x21);
      const rma::local_data add{ones.data(), blocks, &word}, before{was.data(), blocks, &word};
      EXPECT_TRUE(rma::accumulate(*window, 0, add, nullptr, {40, 1, gaps.get()}, *sum).ok());
      EXPECT_TRUE(rma::accumulate(*window, 0, add, &before, {40, 1, gaps.get()}, *sum).ok());
      for (const std::int64_t w : was)
        EXPECT_TRUE(w >= self && (w - self) % (3 - self) == 0 && w <= 6 - self) << w;
      std::vector<std::int64_t> zeros(blocks);
      const rma::local_data nothing{zeros.data(), blocks, &word};
      by_the_copying_thread(
          *window, [&] { return rma::accumulate(*window, 0, nothing, nullptr, {40, 1, gaps.get()}, *sum); });
      tell(1);
    } else {
      while (told_by(1) != 1 || told_by(2) != 1) std::this_thread::yield();
      for (std::int64_t r = 1; r < 3; ++r) {
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < 40 * blocks; ++i)
          wrong += memory[static_cast<std::size_t>(r * part + i / 40 * 80 + i % 40)] != value_of(9, r + i);
        EXPECT_EQ(wrong, 0);
      }
      for (std::int64_t i = 0; i < blocks; ++i) EXPECT_EQ(seen_at(memory.data() + 40 + 80 * i), 6);
    }
    me.barrier();
    // The desk is somebody's who has died, in each state that it can be left in.
    if (me.self() == 0) {
      while (told_by(1) != 2) std::this_thread::yield();
    } else if (me.self() == 1) {
      rma::copy_desk& desk = *window->known(0)->desk.at;
      for (const auto left : {rma::desk_state::filling, rma::desk_state::posted, rma::desk_state::done}) {
        n.job->process(2).dead.store(1);
        desk.state.store(rma::desk_word::of(1u << 20, 2, left).bits);
        std::vector<std::byte> data(static_cast<std::size_t>(40 * blocks), static_cast<std::byte>(left));
        by_the_copying_thread(
            *window, [&] { return window->put(0, {data.data(), 40 * blocks, &byte}, {0, 1, apart.get()}); });
        n.job->process(2).dead.store(0);
      }
      tell(2);
    }
    me.barrier();
    me.free(std::move(window));
  });
}

// Who waits at a desk says so, and answers messages: rank 2 has it, and gives it back once rank 1 has
// heard of that.
TEST(ordinary_memory, who_waits_for_the_copying_thread_answers_others) {
  constexpr std::int64_t blocks = 100;
  static constexpr deposit::handler_id handler = 43;
  run_processes(3, {}, {}, [](node& n) {
    struct waiter {
      rma::copy_desk* desk = nullptr;
    } waiting;
    n.endpoint->set_handler(
        handler,
        [](void* self, incoming&, bool) {
          rma::copy_desk& desk = *static_cast<waiter*>(self)->desk;
          desk.state.store(0);
          wait::ring(desk.answered);
          return verdict::consumed;
        },
        &waiting);
    member me(n, {.help = owners::thread});
    std::vector<std::byte> memory(me.self() == 0 ? 16 * blocks : 0);
    auto window = me.make(
        {.kind = flavor::created, .base = memory.data(), .bytes = static_cast<std::int64_t>(memory.size())});
    const datatype::type& byte = named(basic::byte);
    const held apart = builder::hvector(blocks, 8, 16, byte);
    ASSERT_TRUE(apart->commit().ok());
    base::status why;
    if (me.self() != 0) {
      const std::lock_guard hold(me.gate());
      waiting.desk = window->reach(0, &why)->desk.at;
      ASSERT_NE(waiting.desk, nullptr);
    }
    if (me.self() == 2) waiting.desk->state.store(rma::desk_word::of(1, 2, rma::desk_state::filling).bits);
    me.barrier();
    if (me.self() == 1) {
      std::vector<std::byte> data(8 * blocks, std::byte{7});
      by_the_copying_thread(
          *window, [&] { return window->put(0, {data.data(), 8 * blocks, &byte}, {0, 1, apart.get()}); });
    } else if (me.self() == 2) {
      const auto says = [&] {
        const auto waits = memory::waits_of(n.job->process(1));
        return waits.size() == 1 && waits[0].detail == "copying thread" && waits[0].peer == 0 &&
               waits[0].communicator == (wait::is_window | window->id());
      };
      const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      bool said = false;
      while (!(said = says()) && std::chrono::steady_clock::now() < until) std::this_thread::yield();
      EXPECT_TRUE(said);
      const std::lock_guard hold(me.gate());
      EXPECT_EQ(n.endpoint->send_active(1, handler, traffic::control, nullptr, 0, nullptr, 0), outcome::sent);
    }
    me.barrier();
    for (std::size_t i = 0; i < memory.size(); ++i)
      EXPECT_EQ(memory[i], i % 16 < 8 ? std::byte{7} : std::byte{0});
    me.free(std::move(window));
  });
}

// Nobody has told of a death: who finds the desk taken asks, before it does without.
TEST(ordinary_memory, a_desk_of_a_dead_origin_is_taken_without_a_launcher) {
  constexpr std::int64_t blocks = 40'000;
  run_with_a_death(3, {}, {}, [](node& n) {
    member& me = *new member(n);
    auto& memory = *new std::vector<std::byte>(me.self() == 0 ? 16 * blocks + 8 : 0);
    rma::window& window = *me.make({.kind = flavor::created,
                                    .base = memory.data(),
                                    .bytes = static_cast<std::int64_t>(memory.size())})
                               .release();
    base::status why;
    if (me.self() == 0) {
      while (seen_at(memory.data() + 16 * blocks) == 0) std::this_thread::yield();
      return;
    }
    rma::copy_desk* desk;
    {
      const std::lock_guard hold(me.gate());
      desk = window.reach(0, &why)->desk.at;
    }
    ASSERT_NE(desk, nullptr);
    if (me.self() == 2) {
      desk->state.store(rma::desk_word::of(1, 2, rma::desk_state::filling).bits);
      raise(SIGKILL);
    }
    while (desk->state.load() == 0 || memory::is_alive(*n.job, 2)) std::this_thread::yield();
    const datatype::type &byte = named(basic::byte), &word = named(basic::int64);
    const held apart = builder::hvector(blocks, 8, 16, byte);
    ASSERT_TRUE(apart->commit().ok());
    std::vector<std::byte> data(8 * blocks, std::byte{7});
    by_the_copying_thread(
        window, [&] { return window.put(0, {data.data(), 8 * blocks, &byte}, {0, 1, apart.get()}); });
    EXPECT_GT(rma::desk_word{desk->state.load()}.number(), 1u);
    std::int64_t one = 1;
    EXPECT_TRUE(window.put(0, {&one, 1, &word}, {16 * blocks, 1, &word}).ok());
    gated(me, [&] { return window.flush(0).ok(); });
  });
}

// Memory of the window that is not there: the thread declines, and the origin is told by whatever
// carries it instead.
TEST(ordinary_memory, the_copying_thread_leaves_what_is_not_there) {
  if (test::nothing_guarded) GTEST_SKIP() << test::why_not_guarded;
  constexpr std::int64_t page = 4096;
  run_processes(2, {}, {}, [](node& n) {
    member me(n, {.help = owners::thread});
    auto* const memory = static_cast<std::byte*>(
        mmap(nullptr, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(memory, MAP_FAILED);
    if (me.self() == 0) {
      ASSERT_EQ(mprotect(memory + 2 * page, page, PROT_NONE), 0);
    }
    auto window = me.make({.kind = flavor::created, .base = memory, .bytes = 4 * page});
    const datatype::type& byte = named(basic::byte);
    const held apart = builder::hvector(4 * page / 64, 32, 64, byte);
    ASSERT_TRUE(apart->commit().ok());
    if (me.self() == 1) {
      std::vector<std::byte> data(2 * page);
      const rma::local_data here{data.data(), 2 * page, &byte};
      EXPECT_EQ(window->put(0, here, {0, 1, apart.get()}).what, rma::wrong::missing);
      EXPECT_EQ(window->get(0, here, {0, 1, apart.get()}).what, rma::wrong::missing);
      EXPECT_GT(window->known(0)->desk.missed, 0u);
    }
    me.barrier();
    me.free(std::move(window));
    munmap(memory, 4 * page);
  });
}

// --- a collection alone ---

TEST(collection, keeps_puts_in_order_and_few_runs_of_them) {
  rma::collection c;
  std::vector<std::byte> oracle(4096), done(4096);
  std::mt19937_64 random(17);
  for (int round = 0; round < 300; ++round) {
    c.clear();
    const bool regular = round % 3 == 0;
    for (std::int64_t i = 0;; ++i) {
      const std::int64_t bytes = regular ? 8 : 1 + static_cast<std::int64_t>(random() % 40);
      const std::int64_t at =
          regular ? i * (round % 2 == 0 ? 8 : 24) % 3600 : static_cast<std::int64_t>(random() % 3900);
      std::byte data[40];
      for (std::byte& b : data) b = static_cast<std::byte>(random());
      if (!c.add(at, data, bytes)) break;
      std::memcpy(oracle.data() + at, data, static_cast<std::size_t>(bytes));
      EXPECT_TRUE(c.touches(at, at + 1) && c.touches(at - 5, at + bytes + 5));
    }
    EXPECT_FALSE(c.touches(4000, 5000) || c.touches(-9, 0));
    EXPECT_EQ(c.bytes(), static_cast<std::int64_t>(c.data().size()));
    const std::byte* from = c.data().data();
    std::int64_t blocks = 0;
    for (const rma::asked_run& r : c.runs())
      for (std::int64_t i = 0; i < r.count; ++i, ++blocks, from += r.length)
        std::memcpy(done.data() + r.offset + i * r.stride, from, static_cast<std::size_t>(r.length));
    EXPECT_EQ(blocks, c.blocks());
    EXPECT_EQ(from, c.data().data() + c.bytes());
    EXPECT_TRUE(done == oracle) << round;
    if (regular) {
      EXPECT_LE(c.runs().size(), 8u);
    }
  }
}

// --- shared work ---

TEST(blocks, are_whole_elements_and_all_there_is) {
  for (const std::int64_t element : {1, 8, 12, 16, 20, 32})
    for (const std::int64_t count : {1, 2, 3, 1000, 4096, 6001, 100000}) {
      const rma::block_cut cut = rma::block_cut::of(element * count, element);
      EXPECT_EQ(cut.begin(0), 0);
      EXPECT_EQ(cut.begin(cut.count()), element * count);
      for (std::uint32_t b = 0; b < cut.count(); ++b) {
        const std::int64_t bytes = cut.begin(b + 1) - cut.begin(b);
        EXPECT_TRUE(bytes > 0 && bytes <= rma::block_cut::longest && bytes % element == 0) << b;
      }
      EXPECT_EQ(cut.count() == 1, count == 1);
    }
}

// --- the choice ---

TEST(choice, takes_what_costs_least) {
  using rma::carrier;
  const rma::owner_seen waits{true, false, false}, sleeps{true, true, false}, computes{false, false, false},
      crowd{true, false, true};
  const rma::transfer word{false, 8, 1, 8}, block{true, 4 << 20, 1, 4 << 20}, epoch{false, 512, 64, 4096},
      strided{false, 1 << 20, 4096, 2 << 20}, dense{true, 1 << 20, 4096, 2 << 20},
      sparse{true, 800, 100, 100 << 20};
  for (const rma::transfer& t : {word, block, epoch, strided, dense, sparse}) {
    EXPECT_EQ(rma::carry(t, waits).by, t.blocks == 1 ? carrier::blocks : carrier::handed);
    EXPECT_NE(rma::carry(t, computes).by, carrier::handed);
    EXPECT_NE(rma::carry(t, crowd).by, carrier::handed);
  }
  rma::owner_seen beside = crowd;
  beside.beside = true;
  EXPECT_EQ(rma::carry(strided, beside).by, carrier::handed);
  EXPECT_LT(rma::patience({}, beside), rma::patience({}, crowd));
  EXPECT_EQ(rma::carry(word, sleeps).by, carrier::blocks);
  EXPECT_EQ(rma::carry(strided, sleeps).by, carrier::handed);
  EXPECT_EQ(rma::carry(dense, computes).by, carrier::span);
  EXPECT_EQ(rma::carry(sparse, computes).by, carrier::blocks);
  // Or, if the owner computes, its copying thread: where a look-up of each block is dearer.
  rma::owner_seen thread = computes, waits_too = waits;
  thread.thread = waits_too.thread = true;
  EXPECT_EQ(rma::carry(strided, thread).by, carrier::thread);
  EXPECT_EQ(rma::carry(block, thread).by, carrier::blocks);
  EXPECT_EQ(rma::carry(epoch, thread).by, carrier::blocks);
  EXPECT_EQ(rma::carry(strided, waits_too).by, carrier::handed);
  EXPECT_EQ(rma::carry(strided, waits_too).alone, carrier::thread);
  EXPECT_EQ(rma::carry(strided, waits_too).calls, rma::by_blocks(strided, {}));
  // Accumulates: a call to read, and one to write.
  rma::transfer add = word, sums = block;
  add.changes = sums.changes = true;
  EXPECT_EQ(rma::carry(add, waits).by, carrier::handed);
  EXPECT_EQ(rma::carry(add, crowd).by, carrier::handed);
  EXPECT_EQ(rma::carry(add, sleeps).by, carrier::blocks);
  EXPECT_EQ(rma::carry(add, computes).by, carrier::blocks);
  // Both ends, where the kernel copies as quickly as two processes do by way of others' memory.
  EXPECT_EQ(rma::carry(sums, waits).by, carrier::handed);
  sums.plain = true;
  EXPECT_EQ(rma::carry(sums, waits).by, carrier::shared);
  EXPECT_EQ(rma::carry(sums, sleeps).by, carrier::shared);
  EXPECT_NE(rma::carry(sums, crowd).by, carrier::shared);
  EXPECT_EQ(rma::carry(sums, computes).by, carrier::blocks);
  EXPECT_EQ(rma::carry(sums, waits, {.call = 1500, .kernel = 13, .copy = 23}).by, carrier::handed);
  EXPECT_EQ(rma::carry(add, waits).by, carrier::handed);
  // The owner adds while pieces are copied in, so its time comes on top nowhere.
  for (const model::machine& here : model::built_in_machines())
    for (const std::int64_t bytes : {64 << 10, 1 << 20}) {
      const rma::transfer sum{false, bytes, 1, bytes, true, true};
      EXPECT_EQ(rma::carry(sum, waits, rma::costs_of(here)).by, carrier::handed) << here.fold;
    }
  const rma::costs slow_sum{.copy = 20, .fold = 2};
  EXPECT_NEAR(rma::by_owner(sums, waits, slow_sum), static_cast<double>(sums.bytes) / slow_sum.fold, 3000);
  // While other threads wait no long block is handed over.
  rma::owner_seen threads = waits;
  threads.threads = true;
  EXPECT_EQ(rma::carry(sums, threads, {.call = 1500, .kernel = 13, .copy = 23}).by, carrier::shared);
  // A wait in vain costs at most half of what it would have taken, and no less than an answer takes.
  const rma::decision d = rma::carry(epoch, waits);
  EXPECT_LE(rma::patience(d, waits), d.otherwise / 2);
  EXPECT_GE(rma::patience(d, waits), d.ns);
  // A word goes by its owner where a call takes three times as long. Who has to come is waited for.
  const rma::costs dear{.call = 1500};
  EXPECT_EQ(rma::carry(word, waits, dear).by, carrier::handed);
  EXPECT_EQ(rma::carry(word, computes, dear).by, carrier::blocks);
  rma::owner_seen comes = waits;
  comes.comes = true;
  EXPECT_EQ(rma::patience(d, comes), dear.meeting);
  EXPECT_GT(rma::patience(d, comes), rma::patience(d, waits));
}

}  // namespace
}  // namespace loadstone::test::ordinary_test
