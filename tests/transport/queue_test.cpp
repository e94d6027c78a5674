// A sender's own queue, both ends, across blocks, with takes from the middle; and cells.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "transport/cells.hpp"
#include "transport/front_layout.hpp"
#include "transport/in_queue.hpp"
#include "transport/out_queue.hpp"

namespace loadstone::transport {
namespace {

struct two {
  std::unique_ptr<memory::job> job;
  std::unique_ptr<memory::arena> sender, receiver;
  std::unique_ptr<memory::mappings> sender_maps, receiver_maps;

  explicit two(std::uint64_t arena_limit = 0) {
    memory::job_config config;
    config.world_size = 2;
    config.arena_limit = arena_limit;
    job = std::move(*memory::job::create(config));
    sender = std::move(*memory::arena::open(*job, 0));
    receiver = std::move(*memory::arena::open(*job, 1));
    memory::mappings_config one;
    one.max_entries = 1;
    sender_maps = std::make_unique<memory::mappings>(*job, 0, one);
    receiver_maps = std::make_unique<memory::mappings>(*job, 1, one);
  }
};

struct ends {
  two t;
  std::atomic<std::uint64_t> list{0};
  std::unique_ptr<out_queue> out;
  peer_memory memory;
  in_queue in;

  explicit ends(std::uint64_t arena_limit = 0) : t(arena_limit), memory(1, *t.receiver, *t.receiver_maps) {
    out = std::move(*out_queue::create(*t.sender, list, 1, user_class));
    local_address header{list.load()};
    auto* h = static_cast<queue_header*>(t.sender->pointer(header.in(0)));
    in = in_queue(0, user_class, header, {h->first_block});
  }
  bool append(std::uint32_t number) {
    slot* s = out->claim();
    if (s == nullptr) return false;
    s->sequence = number;
    out->publish();
    return true;
  }
};

TEST(queue, in_order_across_blocks) {
  ends e;
  std::uint32_t next = 0, sent = 0;
  for (int burst : {1, 30, 31, 32, 62, 63, 500, 1, 31}) {
    EXPECT_TRUE(e.out->empty());
    for (int i = 0; i < burst; ++i) ASSERT_TRUE(e.append(sent++));
    EXPECT_FALSE(e.out->empty());
    ASSERT_TRUE(e.in.observe(e.memory));
    while (e.in.fresh())
      e.in.pull(e.memory, 7, [&](slot& s, bool fresh) {
        EXPECT_TRUE(fresh);
        EXPECT_EQ(s.sequence, next++);
        return true;
      });
    EXPECT_EQ(next, sent);
    EXPECT_FALSE(e.in.holds());
  }
}

TEST(queue, memory_is_used_again) {
  ends e;
  std::size_t before = 0;
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    ASSERT_TRUE(e.append(i));
    if (i % 50 != 49) continue;
    e.in.observe(e.memory);
    e.in.pull(e.memory, 1000, [&](slot& s, bool) { return s.sequence == next++; });
    if (i == 1999) before = e.t.sender->reserved_bytes();
  }
  EXPECT_EQ(next, 20'000u);
  EXPECT_EQ(e.t.sender->reserved_bytes(), before);
}

TEST(queue, takes_from_the_middle_against_an_oracle) {
  std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  ends e;
  std::set<std::uint32_t> waiting;
  std::uint32_t sent = 0, offered = 0;
  for (int round = 0; round < 2000; ++round) {
    for (std::uint64_t n = random() % 20; n != 0; --n) {
      waiting.insert(sent);
      ASSERT_TRUE(e.append(sent++));
    }
    e.in.observe(e.memory);
    if (random() % 2 == 0) {
      e.in.pull(e.memory, random() % 40, [&](slot& s, bool fresh) {
        EXPECT_TRUE(fresh);
        EXPECT_EQ(s.sequence, offered++);
        if (random() % 3 == 0) return false;
        waiting.erase(s.sequence);
        return true;
      });
    } else {
      bool stop = false;
      auto expected = waiting.begin();
      std::uint32_t until = static_cast<std::uint32_t>(random() % (sent + 1));
      e.in.search(
          e.memory,
          [&](slot& s, bool fresh) {
            EXPECT_EQ(s.sequence, *expected) << "oldest first, each that is still there";
            EXPECT_EQ(fresh, s.sequence == offered);
            if (fresh) ++offered;
            std::uint32_t number = *expected++;
            if (number >= until) stop = true;
            if (random() % 2 == 0) return false;
            waiting.erase(number);
            return true;
          },
          &stop);
    }
    EXPECT_EQ(e.in.holds(), !waiting.empty());
    EXPECT_EQ(e.out->empty(), waiting.empty());
  }
}

// The sender uses a block again as soon as what is in it is consumed, while a look from the oldest entry on is still on its way.
TEST(queue, a_search_against_a_sender_that_goes_on) {
  ends e;
  constexpr std::uint32_t most = 300'000, ahead = 40;
  std::atomic<std::uint32_t> taken_so_far{0};
  std::atomic<bool> good{true};
  std::thread sender([&] {
    for (std::uint32_t i = 0; i < most && good; ++i) {
      while (good && i - taken_so_far.load() > ahead) std::this_thread::yield();
      if (!e.append(i + 1)) good = false;
    }
  });
  std::vector<bool> taken(most + 1);
  std::mt19937 random(3);
  std::uint32_t count = 0;
  const auto take = [&](std::uint32_t one_of) {
    return [&, one_of](slot& s, bool) {
      if (random() % one_of != 0) return false;
      if (s.sequence == 0 || s.sequence > most || taken[s.sequence]) {
        good = false;
        return true;
      }
      taken[s.sequence] = true;
      taken_so_far.store(++count);
      return true;
    };
  };
  while (count < most && good) {
    const std::uint32_t before = count;
    (void)e.in.observe(e.memory);
    e.in.pull(e.memory, 64, take(2));
    const bool never = false;
    e.in.search(e.memory, take(random() % 4 + 1), &never);
    if (count == before) std::this_thread::yield();
  }
  sender.join();
  EXPECT_TRUE(good);
  EXPECT_EQ(count, most);
}

TEST(queue, a_sender_out_of_memory_is_seen) {
  ends e(1 << 20);
  std::uint32_t sent = 0;
  while (e.append(sent)) ++sent;
  EXPECT_GT(sent, 1000u);
  EXPECT_FALSE(e.in.wanted(e.memory));
  e.out->want();
  EXPECT_EQ(e.out->claim(), nullptr);
  EXPECT_TRUE(e.in.wanted(e.memory));
  e.in.observe(e.memory);
  e.in.pull(e.memory, 2, [](slot&, bool) { return true; });
  EXPECT_FALSE(e.in.wanted(e.memory)) << "until it asks again";
  e.in.pull(e.memory, 100, [](slot&, bool) { return true; });
  EXPECT_NE(e.out->claim(), nullptr);
}

TEST(cells, round_robin_limit_and_wish) {
  two t;
  cells c(*t.sender, 64 * 1024);
  std::vector<cell_header*> used;
  while (cell_header* one = c.take(4096)) used.push_back(one);
  EXPECT_EQ(used.size(), 16u);
  EXPECT_EQ(c.allocated_bytes(), 64u * 1024);
  EXPECT_EQ(used[3]->state.load(), cell_wanted) << "whoever returns one must wake us";
  EXPECT_TRUE(give_back(*used[3]));
  EXPECT_EQ(c.take(4096), used[3]);
  EXPECT_EQ(c.take(4096), nullptr);
  for (cell_header* one : used) give_back(*one);
  // All idle: the next ones go around, and are not the one given back last.
  std::set<cell_header*> distinct;
  for (int i = 0; i < 16; ++i) {
    cell_header* one = c.take(4096);
    ASSERT_NE(one, nullptr);
    distinct.insert(one);
    EXPECT_FALSE(give_back(*one));
  }
  EXPECT_EQ(distinct.size(), 16u);
  // Another size finds room by giving idle ones up.
  EXPECT_NE(c.take(60'000), nullptr);
  EXPECT_LE(c.allocated_bytes(), 64u * 1024);
  EXPECT_EQ(c.take(70'000), nullptr);
}

// One cell after another, each given back before the next is taken; how many different ones there were.
std::size_t go_round(cells& c, std::size_t bytes, int times) {
  std::set<cell_header*> distinct;
  for (int i = 0; i < times; ++i) {
    cell_header* one = c.take(bytes);
    if (one == nullptr) return 0;
    distinct.insert(one);
    give_back(*one);
  }
  return distinct.size();
}

// The longest are for few: each size takes half of the limit at most, and others' idle cells stay when it may not
// grow.
TEST(cells, the_longest_leave_half) {
  for (const std::size_t bytes : {2 * cells::usual, cells::largest}) {
    two t;
    constexpr std::size_t limit = 1 << 20;
    cells all(*t.sender, limit);
    std::vector<cell_header*> usual, longest;
    for (int i = 0; i < 4; ++i) usual.push_back(all.take(cells::usual));
    for (cell_header* c : usual) ASSERT_NE(c, nullptr);
    EXPECT_TRUE(all.fresh());
    for (cell_header* c : usual) give_back(*c);
    while (cell_header* c = all.take(bytes / 2 + 1)) longest.push_back(c);
    EXPECT_EQ(longest.size(), limit / 2 / bytes);
    for (cell_header* c : longest) EXPECT_EQ(c->capacity, bytes);
    EXPECT_EQ(all.allocated_bytes(), 4 * cells::usual + limit / 2);
    EXPECT_EQ(all.take(cells::largest + 1), nullptr);
    for (cell_header* c : longest) give_back(*c);
    EXPECT_NE(all.take(bytes), nullptr);
    EXPECT_FALSE(all.fresh());
  }
}

// So each gets a ring as long as the caches, not one of which it uses half.
TEST(cells, the_longest_in_steady_use_get_a_long_ring_of_their_length) {
  for (const std::size_t bytes : {2 * cells::usual, cells::largest}) {
    two t;
    cells c(*t.sender, 4 << 20);
    go_round(c, bytes, 64);
    EXPECT_EQ(go_round(c, bytes, 64), (2u << 20) / bytes);
  }
}

TEST(cells, no_ring_is_longer_than_the_caches) {
  constexpr std::size_t caches = 1 << 20;
  for (const std::size_t bytes : {std::size_t{8192}, cells::usual, cells::largest}) {
    two t;
    cells c(*t.sender, 4 << 20, caches);
    go_round(c, bytes, 1000);
    EXPECT_EQ(go_round(c, bytes, 1000), caches / bytes) << bytes;
  }
  // More are made where more are on their way.
  two t;
  cells c(*t.sender, 4 << 20, caches);
  for (std::size_t i = 0; i < 2 * caches / cells::largest; ++i)
    EXPECT_NE(c.take(cells::largest), nullptr) << i;
}

TEST(cells, a_size_in_steady_use_gets_a_long_ring) {
  two t;
  cells c(*t.sender, 1 << 20);
  EXPECT_EQ(go_round(c, 8192, 30), 8u) << "used rarely";
  EXPECT_EQ(go_round(c, 1000, 1000), 8u) << "short ones stay in the innermost caches";
  EXPECT_EQ(go_round(c, 8192, 1000), 64u) << "half of the limit";
  EXPECT_EQ(go_round(c, 16'384, 1000), 32u) << "beside another";
  EXPECT_LE(c.allocated_bytes(), 1u << 20);
  // Sizes that are not used any more make room.
  EXPECT_EQ(go_round(c, 65'536, 1000), 8u);
  EXPECT_LE(c.allocated_bytes(), 1u << 20);
}

TEST(cells, idle_ones_go_where_memory_is_short) {
  two t;
  cells c(*t.sender, 1 << 20);
  std::vector<cell_header*> used;
  for (const std::size_t bytes : {1000, 8192, 8192, 65'536}) used.push_back(c.take(bytes));
  EXPECT_FALSE(c.shed()) << "all are in use";
  for (std::size_t i = 1; i < used.size(); ++i) give_back(*used[i]);
  EXPECT_TRUE(c.shed());
  EXPECT_EQ(c.allocated_bytes(), used[0]->capacity);
  EXPECT_FALSE(c.shed());
  EXPECT_EQ(go_round(c, 8192, 30), 8u) << "as before";
}

TEST(cells, sizes_in_use_do_not_take_from_each_other_for_ever) {
  two t;
  cells c(*t.sender, 1 << 20);
  constexpr std::size_t sizes[] = {2048, 4096, 8192, 16'384, 32'768};
  for (int i = 0; i < 20'000; ++i) give_back(*c.take(sizes[i % 5]));
  std::set<cell_header*> known;
  for (int i = 0; i < 5000; ++i) {
    cell_header* one = c.take(sizes[i % 5]);
    known.insert(one);
    give_back(*one);
  }
  for (int i = 0; i < 5000; ++i) {
    cell_header* one = c.take(sizes[i % 5]);
    EXPECT_TRUE(known.contains(one)) << i;
    give_back(*one);
  }
  EXPECT_LE(c.allocated_bytes(), 1u << 20);
}

}  // namespace
}  // namespace loadstone::transport
