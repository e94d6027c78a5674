#include "heap/block_store.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

using namespace loadstone::heap;

namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

// Spans of a file, as the arena has them; limits as a test wants them.
struct fake_source {
  // Its length from the start: threads make spans side by side.
  static constexpr std::int64_t file_bytes = std::int64_t{1} << 40;
  int file = memfd_create("heap-test", MFD_CLOEXEC);
  std::atomic<std::int64_t> end{0}, charged{0}, most{INT64_MAX};
  std::atomic<int> spans{0};
  std::size_t largest = SIZE_MAX;

  fake_source() { EXPECT_EQ(ftruncate(file, file_bytes), 0); }
  ~fake_source() { close(file); }
  source table() {
    return {source_version,
            0,
            this,
            [](void* c, std::size_t bytes, span* made) { return of(c).grow(bytes, made); },
            [](void* c, std::size_t bytes) { return of(c).charge(static_cast<std::int64_t>(bytes)); },
            [](void* c, std::size_t bytes) { of(c).charged -= static_cast<std::int64_t>(bytes); }};
  }
  std::size_t pages() const {  // bytes that are memory
    struct stat s {};
    fstat(file, &s);
    return static_cast<std::size_t>(s.st_blocks) * 512;
  }

 private:
  static fake_source& of(void* c) { return *static_cast<fake_source*>(c); }
  bool grow(std::size_t bytes, span* made) {
    if (bytes > largest) return false;
    const std::int64_t place = end.fetch_add(static_cast<std::int64_t>(bytes));
    if (place + static_cast<std::int64_t>(bytes) > file_bytes) return false;
    void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, place);
    if (base == MAP_FAILED) return false;
    ++spans;
    *made = {base, bytes, file, place};
    return true;
  }
  bool charge(std::int64_t bytes) {
    if ((charged += bytes) <= most) return true;
    charged -= bytes;
    return false;
  }
};

struct block_store_test : testing::Test {
  fake_source from;
  std::unique_ptr<block_store> store = std::make_unique<block_store>();
  void attach() {
    const source s = from.table();
    ASSERT_TRUE(store->attach(s));
  }
  char* take(std::size_t bytes, std::size_t alignment = 16, bool zero = false) {
    return static_cast<char*>(store->allocate(bytes, alignment, zero));
  }
};

bool all_are(const char* block, std::size_t bytes, char value) {
  return std::all_of(block, block + bytes, [=](char c) { return c == value; });
}

TEST_F(block_store_test, nothing_is_kept_for_later_once_the_source_is_gone) {
  attach();
  char *lives = take(MiB), *freed = take(20 * MiB);
  std::memset(lives, 1, MiB);
  std::memset(freed, 2, 20 * MiB);
  store->release(freed);
  EXPECT_EQ(store->dirty_bytes(), 20 * MiB);
  EXPECT_GE(from.pages(), 21 * MiB);
  store->detach(&from);
  EXPECT_EQ(store->dirty_bytes(), 0u);
  EXPECT_EQ(from.pages(), MiB);
  EXPECT_TRUE(all_are(lives, MiB, 1));
}

TEST_F(block_store_test, alignments_have_a_bound) {
  attach();
  EXPECT_NE(take(MiB, block_store::most_alignment), nullptr);
  const int before = from.spans;
  EXPECT_EQ(take(MiB, 2 * block_store::most_alignment), nullptr);
  EXPECT_EQ(from.spans, before);
}

TEST_F(block_store_test, a_block_grows_in_place_where_more_has_to_be_charged) {
  attach();
  char* p = take(MiB);
  const std::int64_t charged = from.charged;
  EXPECT_TRUE(store->resize(p, 40 * MiB));  // more than one step, within the span
  EXPECT_GT(from.charged, charged);
  from.most = from.charged.load();
  EXPECT_FALSE(store->resize(p, 62 * MiB));
  EXPECT_EQ(store->live_bytes(), 40 * MiB);
}

TEST_F(block_store_test, without_a_source_there_is_nothing) {
  EXPECT_EQ(take(MiB), nullptr);
  attach();
  EXPECT_NE(take(MiB), nullptr);
  source other = from.table();
  EXPECT_FALSE(store->attach(other));  // one at a time
  store->detach(&from);
  EXPECT_EQ(take(MiB), nullptr);
  other.version = source_version + 1;
  EXPECT_FALSE(store->attach(other));
}

TEST_F(block_store_test, nothing_is_memory_before_it_is_touched) {
  attach();
  char* block = take(512 * MiB);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(from.pages(), 0u);
  block[300 * MiB] = 1;
  EXPECT_LE(from.pages(), 2 * MiB);  // a page, or a huge one
}

TEST_F(block_store_test, freed_memory_is_used_again_and_bounded) {
  attach();
  char* first = take(64 * MiB);
  std::memset(first, 1, 64 * MiB);
  for (int i = 0; i < 5; ++i) {
    store->release(first);
    EXPECT_EQ(from.pages(), 64 * MiB);  // kept: no page faults the next time
    ASSERT_EQ(take(64 * MiB), first);
    EXPECT_EQ(first[5 * MiB], 1);
  }
  std::vector<char*> more;
  for (int i = 0; i < 8; ++i) {
    more.push_back(take(64 * MiB));
    ASSERT_NE(more.back(), nullptr);
    std::memset(more.back(), 2, 64 * MiB);
  }
  for (char* block : more) store->release(block);
  EXPECT_LE(store->dirty_bytes(), block_store::kept_at_least);
  EXPECT_EQ(from.pages(), 64 * MiB + store->dirty_bytes());
  EXPECT_LE(from.charged,
            static_cast<std::int64_t>(64 * MiB + block_store::kept_at_least + 4 * block_store::charge_step));
  EXPECT_TRUE(all_are(first, 64 * MiB, 1));
}

TEST_F(block_store_test, zeros_are_zeros) {
  attach();
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    const std::size_t bytes = 32 * 1024 + random() % MiB;
    char* block = take(bytes, 16, true);
    ASSERT_TRUE(all_are(block, bytes, 0)) << i;
    char* other = take(bytes / 2 + 1);
    std::memset(block, 1, store->usable(block));
    std::memset(other, 1, store->usable(other));
    store->release(i % 2 ? block : other);
  }
}

TEST_F(block_store_test, alignments) {
  attach();
  for (std::size_t alignment = 16; alignment <= 64 * MiB; alignment *= 2) {
    for (std::size_t bytes : {std::size_t{40'000}, MiB + 1, 3 * MiB}) {
      char* block = take(bytes, alignment);
      ASSERT_NE(block, nullptr) << alignment;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u);
      EXPECT_GE(store->usable(block), bytes);
      block[0] = block[bytes - 1] = 1;
    }
  }
}

TEST_F(block_store_test, limits_are_obeyed_and_what_is_given_back_counts) {
  attach();
  from.most = static_cast<std::int64_t>(40 * MiB);
  char* one = take(30 * MiB);
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(take(30 * MiB), nullptr);
  EXPECT_NE(take(5 * MiB), nullptr);
  store->release(one);
  EXPECT_NE(take(30 * MiB), nullptr);
  EXPECT_LE(from.charged, from.most);
}

TEST_F(block_store_test, a_span_as_large_as_needed_when_there_is_no_larger) {
  attach();
  from.largest = 5 * MiB;
  char* block = take(5 * MiB);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(take(6 * MiB), nullptr);
  EXPECT_NE(take(5 * MiB), nullptr);
  EXPECT_EQ(from.spans, 2);
}

TEST_F(block_store_test, sizes_change_in_place) {
  attach();
  char* block = take(4 * MiB);
  std::memset(block, 3, 4 * MiB);
  EXPECT_TRUE(store->resize(block, 8 * MiB));
  EXPECT_GE(store->usable(block), 8 * MiB);
  EXPECT_TRUE(all_are(block, 4 * MiB, 3));
  EXPECT_TRUE(store->resize(block, MiB));
  EXPECT_EQ(store->usable(block), MiB);
  char* next = take(MiB);
  EXPECT_EQ(next, block + MiB);
  EXPECT_FALSE(store->resize(block, 2 * MiB));  // there is somebody behind
  EXPECT_TRUE(all_are(block, MiB, 3));
}

// Against a plain record of what lives where.
TEST_F(block_store_test, random_blocks_keep_their_bytes_in_four_threads) {
  attach();
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  struct kept {
    char* at;
    std::size_t bytes;
    char mark;
  };
  std::atomic<int> wrong{0};
  auto work = [&](std::uint32_t who) {
    std::mt19937 random(seed + who);
    std::vector<kept> all;
    auto ends_are_ours = [&](const kept& k) {
      return k.at[0] == k.mark && k.at[k.bytes / 2] == k.mark && k.at[k.bytes - 1] == k.mark;
    };
    for (int step = 0; step < 10'000; ++step) {
      if (all.size() < 30 || random() % 2) {
        const std::size_t bytes = 32 * 1024 + (random() % 8 ? random() % 100'000 : random() % (3 * MiB));
        char* block = take(bytes, 16 << random() % 12, random() % 4 == 0);
        if (block == nullptr) continue;
        const char mark = static_cast<char>(random() | 1);
        block[0] = block[bytes / 2] = block[bytes - 1] = mark;
        all.push_back({block, bytes, mark});
      } else {
        kept& k = all[random() % all.size()];
        if (!ends_are_ours(k)) ++wrong;
        if (random() % 3 == 0 && store->resize(k.at, k.bytes + random() % 100'000)) continue;
        store->release(k.at);
        k = all.back();
        all.pop_back();
      }
    }
    for (const kept& k : all) {
      if (!ends_are_ours(k)) ++wrong;
      store->release(k.at);
    }
  };
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(store->live_bytes(), 0u);
  EXPECT_LE(store->dirty_bytes(), block_store::kept_at_least);
  const int spans = from.spans;
  EXPECT_NE(take(60 * MiB), nullptr);
  EXPECT_EQ(from.spans, spans) << "free memory has not grown together";
}

int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(block_store_test, a_child_has_a_copy) {
  attach();
  char* block = take(32 * MiB);
  char* gone = take(MiB);
  for (std::size_t i = 0; i < 8 * MiB; ++i) block[i] = static_cast<char>(i * 31 >> 8);
  std::memset(gone, 9, MiB);
  store->release(gone);
  const std::size_t before = from.pages();
  store->before_fork();
  const pid_t child = fork();
  if (child == 0) {
    if (!store->after_fork_in_child()) _exit(1);
    for (std::size_t i = 0; i < 8 * MiB; ++i)
      if (block[i] != static_cast<char>(i * 31 >> 8)) _exit(2);
    std::memset(block, 1, 32 * MiB);
    if (take(MiB) != nullptr) _exit(3);  // it is no rank
    store->release(block);               // gives its own memory back, and nothing of ours
    _exit(store->usable(block) == 0 ? 4 : 0);
  }
  store->after_fork_in_parent();
  EXPECT_EQ(status_of(child), 0);
  for (std::size_t i = 0; i < 8 * MiB; ++i) ASSERT_EQ(block[i], static_cast<char>(i * 31 >> 8)) << i;
  EXPECT_EQ(from.pages(), before);  // copying has not made holes memory
  EXPECT_NE(take(MiB), nullptr);
}

TEST_F(block_store_test, nobody_waits_for_a_fork) {
  attach();
  char* gone = take(MiB);
  char* block = take(4 * MiB);
  char* stays = take(MiB);
  std::memset(block, 3, 4 * MiB);
  std::memset(gone, 4, MiB);
  store->before_fork();
  std::thread([&] {
    EXPECT_EQ(take(MiB), nullptr);
    EXPECT_FALSE(store->resize(block, 2 * MiB));
    EXPECT_EQ(store->usable(block), 4 * MiB);
    store->release(block);
    store->release(gone);
  }).join();
  EXPECT_TRUE(all_are(block, 4 * MiB, 3) && all_are(gone, MiB, 4));
  const pid_t child = fork();
  if (child == 0) {
    if (!store->after_fork_in_child()) _exit(1);
    if (!all_are(block, 4 * MiB, 3)) _exit(2);
    store->release(stays);
    _exit(0);
  }
  store->after_fork_in_parent();
  EXPECT_EQ(status_of(child), 0);
  EXPECT_EQ(store->live_bytes(), MiB);
  EXPECT_EQ(store->dirty_bytes(), 5 * MiB);
  EXPECT_EQ(take(5 * MiB), gone) << "what was freed meanwhile is one free run";
}

TEST_F(block_store_test, blocks_outlive_the_source) {
  attach();
  char* block = take(MiB);
  std::memset(block, 5, MiB);
  store->detach(&from);
  close(std::exchange(from.file, memfd_create("other", MFD_CLOEXEC)));
  EXPECT_TRUE(store->holds(block));
  EXPECT_TRUE(all_are(block, MiB, 5));
  store->release(block);
  EXPECT_EQ(store->dirty_bytes(), 0u);  // nobody will want it again
}

}  // namespace
