// A region that loses and repeats lines: without checks it is seen, with checks everything arrives intact.
// The conformance suite runs over such a region, too; here is what it does not look at.
#include <cstring>
#include <numeric>

#include "deposit/ranks.hpp"

namespace loadstone::test {
namespace {

deposit::endpoint_config lossy(bool integrity, std::uint32_t per_million = 10'000) {
  deposit::endpoint_config config;
  config.transport.rule = transport::choice::rule_kind::poor;
  config.transport.integrity = integrity;
  config.transport.lost = per_million;
  config.inbox_slots = 8;
  return config;
}

// Rank 0 gets the address of an area of rank 1's; both then run `what`.
void with_area(const deposit::endpoint_config& config, std::size_t bytes,
               const std::function<void(node&, address, std::byte*)>& what) {
  address there{};
  std::byte* area = nullptr;
  run_threads(2, config, {}, [&](node& n) {
    std::lock_guard hold(n.endpoint->gate());
    if (n.self == 1) {
      auto block = n.arena->allocate(bytes, 64);
      ASSERT_TRUE(block);
      area = static_cast<std::byte*>(*block);
      std::memset(area, 0, bytes);
      there = n.arena->address_of(area);
    }
    n.barrier();
    what(n, there, area);
    n.barrier();
  });
}

constexpr std::size_t lines = 4096, area_bytes = lines * 64;

// Wrong lines in the area after a put and a fence, round after round.
std::size_t wrong_after_puts(const deposit::endpoint_config& config, std::uint64_t* damaged) {
  std::size_t wrong = 0;
  with_area(config, area_bytes, [&](node& n, address there, std::byte* area) {
    std::vector<std::byte> data(area_bytes);
    for (int round = 1; round <= 3; ++round) {
      std::fill(data.begin(), data.end(), static_cast<std::byte>(round));
      if (n.self == 0) {
        ASSERT_TRUE(n.endpoint->deposits().put(there, data.data(), data.size()).ok());
        ASSERT_TRUE(n.endpoint->deposits().fence(1).ok());
        *damaged = n.endpoint->counts().damaged;
      }
      n.barrier();
      if (n.self == 1)
        for (std::size_t at = 0; at < area_bytes; at += 64)
          wrong += std::memcmp(area + at, data.data() + at, 64) != 0 ? 1 : 0;
      n.barrier();
    }
  });
  return wrong;
}

// The messages themselves must arrive for this test to end, so without checks their region is a good one.
TEST(integrity, a_loss_is_seen_without_checks) {
  std::uint64_t damaged = 0;
  std::size_t wrong = 0;
  // Few lines are lost here, so that no message is; the seed is fixed.
  for (std::uint64_t seed = 1; seed < 20 && wrong == 0; ++seed) {
    auto config = lossy(false, 300);
    config.transport.delay_seed = seed;
    wrong = wrong_after_puts(config, &damaged);
  }
  EXPECT_GT(wrong, 0u);
  EXPECT_EQ(damaged, 0u) << "nobody looks";
}

TEST(integrity, puts_arrive) {
  std::uint64_t damaged = 0;
  EXPECT_EQ(wrong_after_puts(lossy(true), &damaged), 0u);
  EXPECT_GT(damaged, 0u) << "nothing was lost: the test shows nothing";
}

TEST(integrity, checks_without_losses_find_nothing) {
  std::uint64_t damaged = 0;
  EXPECT_EQ(wrong_after_puts(lossy(true, 0), &damaged), 0u);
  EXPECT_EQ(damaged, 0u);
}

// The last of several puts to the same bytes is what the fence insists on.
TEST(integrity, puts_that_overlap) {
  with_area(lossy(true), area_bytes, [](node& n, address there, std::byte* area) {
    std::vector<std::byte> image(4096);
    for (std::uint32_t round = 0; round < 200; ++round) {
      for (std::uint32_t i = 0; i < 8; ++i) {
        const std::size_t at = (round * 37 + i * 501) % 3500, bytes = 1 + (round * 13 + i * 91) % 590;
        std::vector<std::byte> data(bytes, static_cast<std::byte>(round + i));
        std::copy(data.begin(), data.end(), image.begin() + static_cast<std::ptrdiff_t>(at));
        address where = there;
        where.offset += at;
        if (n.self == 0) {
          ASSERT_TRUE(n.endpoint->deposits().put(where, data.data(), bytes).ok());
        }
      }
      if (n.self == 0) {
        ASSERT_TRUE(n.endpoint->deposits().fence_all().ok());
      }
      n.barrier();
      if (n.self == 1) {
        ASSERT_TRUE(std::equal(image.begin(), image.end(), area)) << round;
      }
      n.barrier();
    }
  });
}

TEST(integrity, gets_bring_what_is_there) {
  with_area(lossy(true), area_bytes, [](node& n, address there, std::byte* area) {
    std::vector<std::byte> expected(area_bytes), got(area_bytes);
    for (int round = 1; round <= 5; ++round) {
      for (std::size_t i = 0; i < area_bytes; ++i)
        expected[i] = static_cast<std::byte>(i / 64 + i + 17u * static_cast<unsigned>(round));
      if (n.self == 1) std::copy(expected.begin(), expected.end(), area);
      n.barrier();
      if (n.self == 0) {
        ASSERT_TRUE(n.endpoint->deposits().get(got.data(), there, area_bytes).ok());
        ASSERT_EQ(got, expected);
        EXPECT_GT(n.endpoint->counts().damaged, 0u);
      }
      n.barrier();
    }
  });
}

// How a receiver comes to know of a queue, when much is lost. Mostly of one message, so that no later notice
// makes up for a damaged one.
TEST(integrity, queues_begin) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const std::uint32_t messages = seed % 10 == 0 ? 40 : 1;
    auto config = lossy(true, 300'000);
    config.transport.delay_seed = seed;
    run_threads(2, config, {}, [&](node& n) {
      std::lock_guard hold(n.endpoint->gate());
      std::uint32_t next = 0;
      n.endpoint->set_handler(
          41,
          [](void* context, incoming& m, bool) {
            std::uint32_t number;
            std::memcpy(&number, m.header(), sizeof number);
            EXPECT_EQ(number, (*static_cast<std::uint32_t*>(context))++);
            return verdict::consumed;
          },
          &next);
      n.endpoint->set_handler(42, [](void*, incoming&, bool) { return verdict::consumed; }, nullptr);
      n.endpoint->refuse_user_traffic(true);
      n.barrier();
      for (std::uint32_t i = 0; i < messages; ++i)
        for (const traffic kind : {traffic::user, traffic::control})
          if (kind == traffic::user || i % 2 != 0) {
            ASSERT_EQ(n.endpoint->send_active(1 - n.self, kind == traffic::user ? 41 : 42, kind, &i, sizeof i,
                                              nullptr, 0),
                      outcome::sent);
          }
      ASSERT_TRUE(n.wait([&] { return next == messages; }, "messages"));
      n.barrier();
    });
  }
}

// A message whose lines are lost is got by its receiver alone: its sender does something else, outside the
// library. And a sender whose messages have all left finds its cells again.
TEST(integrity, the_sender_need_not_help) {
  std::atomic<std::uint32_t> arrived{0};
  std::uint64_t repeated = 0;
  run_threads(2, lossy(true, 50'000), {}, [&](node& n) {
    std::lock_guard hold(n.endpoint->gate());
    constexpr std::uint32_t rounds = 300, burst = 5;
    n.endpoint->set_handler(
        41,
        [](void* context, incoming& m, bool) {
          std::uint32_t number;
          std::memcpy(&number, m.header(), sizeof number);
          for (std::size_t i = 0; i < m.payload_bytes(); ++i)
            EXPECT_EQ(m.payload()[i], static_cast<std::byte>(number + i)) << number << ' ' << i;
          EXPECT_FALSE(m.can_keep());
          static_cast<std::atomic<std::uint32_t>*>(context)->fetch_add(1);
          return verdict::consumed;
        },
        &arrived);
    n.barrier();
    for (std::uint32_t sent = 0; sent < rounds * burst;) {
      if (n.self == 1) {
        sent += burst;
        ASSERT_TRUE(n.wait([&] { return arrived.load() >= sent; }, "messages"));
        continue;
      }
      for (std::uint32_t i = 0; i < burst; ++i, ++sent) {
        std::vector<std::byte> data(sent % 3 == 0 ? 3000 : sent % 80);
        for (std::size_t k = 0; k < data.size(); ++k) data[k] = static_cast<std::byte>(sent + k);
        ASSERT_EQ(n.endpoint->send_active(1, 41, traffic::user, &sent, sizeof sent, data.data(), data.size()),
                  outcome::sent);
      }
      while (arrived.load() < sent) std::this_thread::yield();
    }
    n.barrier();
    if (n.self == 1) repeated = n.endpoint->counts().repeated;
  });
  EXPECT_GT(repeated, 100u);
}

}  // namespace
}  // namespace loadstone::test
