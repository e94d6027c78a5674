// What guards against lost and repeated lines, and what makes them: seals, stores that go astray, what is
// kept until a fence.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "transport/poor/delayed_stores.hpp"
#include "transport/poor/sealed.hpp"
#include "transport/poor/unfenced.hpp"

namespace loadstone::transport {
namespace {

void write(slot& s, std::size_t header, std::size_t payload, bool in_cell) {
  s.source = 3;
  s.sequence = 77;
  s.handler = 8;
  s.kind = user_class;
  s.header_bytes = static_cast<std::uint8_t>(header);
  s.payload_bytes = static_cast<std::uint32_t>(payload);
  if (in_cell) {
    s.flags = slot_in_cell;
    s.cell = 0x12345;
  }
  for (std::size_t i = 0; i < slot_data_bytes; ++i) s.data[i] = static_cast<std::byte>(i * 7 + 1);
  if (in_cell) set_cell_check(s, 0xfeed);
}

TEST(sealed, every_bit_that_matters_counts) {
  struct shape {
    std::size_t header, payload;
    bool in_cell;
  };
  for (const shape& of :
       {shape{0, 0, false}, shape{32, 64, false}, shape{24, 8, false}, shape{32, 60'000, true}}) {
    slot s{};
    write(s, of.header, of.payload, of.in_cell);
    seal(s, 40, 41);
    ASSERT_TRUE(claims_to_be(s, 41) && intact(s, 40));
    EXPECT_FALSE(claims_to_be(s, 45)) << "another position";
    EXPECT_FALSE(intact(s, 40 + (std::uint64_t{1} << 32))) << "the same low half";
    auto* bytes = reinterpret_cast<std::byte*>(&s);
    const std::size_t used = of.header + (of.in_cell ? 0 : of.payload);
    for (std::size_t i = 0; i < sizeof s; ++i) {
      const std::size_t in_data = i - offsetof(slot, data);
      const bool matters =
          i < offsetof(slot, data) || in_data < used || (of.in_cell && in_data >= cell_check_at);
      for (int bit = 0; bit < 8; ++bit) {
        bytes[i] ^= static_cast<std::byte>(1 << bit);
        EXPECT_EQ(claims_to_be(s, 41) && intact(s, 40), !matters) << "byte " << i << ", bit " << bit;
        bytes[i] ^= static_cast<std::byte>(1 << bit);
      }
    }
  }
}

TEST(sealed, a_line_of_an_older_message_is_seen) {
  slot old{}, s{};
  write(old, 16, 80, false);
  write(s, 16, 80, false);
  old.sequence = 61;
  s.data[90] = std::byte{0};
  seal(old, 40 - 64, 41 - 64);
  seal(s, 40, 41);
  for (const std::size_t line : {std::size_t{0}, line_bytes}) {
    slot mixed{};
    std::memcpy(reinterpret_cast<std::byte*>(&mixed), reinterpret_cast<std::byte*>(&s), sizeof s);
    std::memcpy(reinterpret_cast<std::byte*>(&mixed) + line, reinterpret_cast<std::byte*>(&old) + line,
                line_bytes);
    EXPECT_FALSE(claims_to_be(mixed, 41) && intact(mixed, 40)) << line;
  }
}

struct pair_of_processes {
  std::unique_ptr<memory::job> job;
  std::unique_ptr<memory::arena> mine, theirs;
  std::unique_ptr<memory::mappings> maps;
  std::unique_ptr<peer_memory> memory;
  std::byte* target = nullptr;
  memory::address where{};
  static constexpr std::size_t bytes = 64 * 1024;

  pair_of_processes() {
    memory::job_config config;
    config.world_size = 2;
    job = std::move(*memory::job::create(config));
    mine = std::move(*memory::arena::open(*job, 0));
    theirs = std::move(*memory::arena::open(*job, 1));
    maps = std::make_unique<memory::mappings>(*job, 0, memory::mappings_config{});
    memory = std::make_unique<peer_memory>(0, *mine, *maps);
    target = static_cast<std::byte*>(*theirs->allocate(bytes, 64));
    std::memset(target, 0, bytes);
    where = theirs->address_of(target);
  }
  // How many lines are not what was stored last.
  std::size_t wrong_after(std::uint32_t per_million, std::uint64_t seed) {
    line_faults faults(per_million, seed);
    std::vector<std::byte> data(bytes);
    for (int round = 1; round <= 3; ++round) {
      delayed_stores stores(*memory, seed, faults);
      std::fill(data.begin(), data.end(), static_cast<std::byte>(round));
      EXPECT_TRUE(stores.store(where, data.data(), bytes).ok());
      stores.flush(1);
    }
    std::size_t wrong = 0;
    for (std::size_t at = 0; at < bytes; at += line_bytes)
      wrong += std::memcmp(target + at, data.data() + at, line_bytes) != 0 ? 1 : 0;
    return wrong;
  }
};

TEST(line_faults, none_unless_asked_for) {
  pair_of_processes p;
  EXPECT_EQ(p.wrong_after(0, 1), 0u);
}

TEST(line_faults, some_lines_are_lost_the_same_ones_for_a_seed) {
  std::size_t first = 0;
  for (int again = 0; again < 2; ++again) {
    pair_of_processes p;
    const std::size_t wrong = p.wrong_after(100'000, 42);
    EXPECT_GT(wrong, 40u);  // of 1024, about 100
    EXPECT_LT(wrong, 250u);
    if (again != 0) {
      EXPECT_EQ(wrong, first);
    }
    first = wrong;
  }
}

// Of rounds of stores to the same place, an early one comes again after a later one.
TEST(line_faults, old_lines_come_again_until_a_flush) {
  using repeats = delayed_stores::repeats;
  for (const repeats how : {repeats::until_flush, repeats::always}) {
    pair_of_processes p;
    line_faults faults(200'000, 7);
    delayed_stores stores(*p.memory, 7, faults, how);
    int older = 0;
    for (std::uint64_t round = 1; round <= 2000; ++round) {
      std::uint64_t before;
      std::memcpy(&before, p.target, sizeof before);
      ASSERT_TRUE(stores.store(p.where, &round, sizeof round).ok());
      stores.flush(1);
      std::uint64_t now;
      std::memcpy(&now, p.target, sizeof now);
      older += now < before ? 1 : 0;
    }
    if (how == repeats::always)
      EXPECT_GT(older, 10);
    else
      EXPECT_EQ(older, 0) << "a fence promises that nothing is under way any more";
  }
}

TEST(unfenced, is_what_was_stored_last) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 50; ++round) {
    unfenced u;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::byte> oracle;  // by process and offset
    for (int i = 0; i < 40; ++i) {
      const std::uint32_t process = static_cast<std::uint32_t>(random() % 3);
      const std::uint64_t at = random() % 1000;
      std::vector<std::byte> data(random() % 300);
      for (std::size_t k = 0; k < data.size(); ++k) {
        data[k] = static_cast<std::byte>(random());
        oracle[{process, at + k}] = data[k];
      }
      u.note({{process, 5, 1}, at}, data.data(), data.size());
    }
    u.forget(2);
    std::erase_if(oracle, [](const auto& known) { return known.first.first == 2; });
    std::set<std::pair<std::uint32_t, std::uint64_t>> seen_bytes;
    for (std::uint32_t process = 0; process < 3; ++process) {
      // A line is shown until all of it is said to be there, and not again.
      for (bool done = false; !done;) {
        done = u.settle(process, [&](memory::address where, const std::byte* data, std::size_t bytes) {
          EXPECT_EQ(where.region, (memory::region_id{process, 5, 1}));
          const bool there = random() % 3 != 0;
          for (std::size_t k = 0; k < bytes; ++k) {
            const auto known = oracle.find({process, where.offset + k});
            EXPECT_TRUE(known != oracle.end() && known->second == data[k]);
            seen_bytes.insert({process, where.offset + k});
          }
          return there;
        });
      }
    }
    EXPECT_EQ(seen_bytes.size(), oracle.size());
    EXPECT_TRUE(u.none());
  }
}

}  // namespace
}  // namespace loadstone::transport
