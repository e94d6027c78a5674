// Eager messages around every boundary of cells and parts, copied out while they are copied in: every pair of
// ranks in both directions at once, with wildcards among given sources, expected and unexpected, truncated,
// and layout to layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "datatype/builder.hpp"
#include "p2p/error_class.hpp"
#include "p2p/ranks.hpp"

namespace loadstone::testing::overlap_test {
namespace {

constexpr std::size_t lengths[] = {0,      80,     81,     2047,   2048,   2049,   4095,  4096,
                                   4097,   8191,   8192,   8193,   9999,   6145,   8255,  16'383,
                                   16'384, 16'385, 32'768, 32'769, 65'535, 65'536, 65'537};
constexpr int kinds = static_cast<int>(std::size(lengths));

ranks_config overlapping() {
  ranks_config c;
  c.rank.endpoint.overlap = 1;
  return c;
}

std::uint64_t name_of(int from, int to, int tag) {
  return static_cast<std::uint64_t>((from * 16 + to) * 1000 + tag);
}

// Each rank sends one message of every length to every rank, the tag saying which; receives name source and
// tag, or one of them, or neither, in an order of their own, some before and some after the messages are there.
void exchange(rank& r, int n, int round) {
  p2p::scope w = world_of(static_cast<std::uint32_t>(n), r.self),
             s = world_of(static_cast<std::uint32_t>(n), r.self, 0x200);
  const int me = static_cast<int>(r.self);
  std::mt19937 random(static_cast<std::uint32_t>(round * 64 + me));
  struct expected {
    std::vector<std::byte> buffer;
    p2p::request* request;
    bool wild;
  };
  std::vector<expected> receives;
  std::vector<std::vector<std::byte>> sent;
  std::vector<p2p::request*> sends;
  auto post = [&](int from, int tag, bool wild) {
    expected e{std::vector<std::byte>(65'537 + 8, std::byte{0xee}), nullptr, wild};
    e.request = start_receive(r, w, bytes_of(e.buffer.data(), 65'537), wild ? any_source : from,
                              wild ? any_tag : tag);
    receives.push_back(std::move(e));
  };
  // Given sources and tags first: what they do not take the wildcards get, all of the same length class.
  std::vector<std::pair<int, int>> order;
  for (int from = 0; from < n; ++from)
    for (int tag = 0; tag < kinds; ++tag) order.emplace_back(from, tag);
  std::shuffle(order.begin(), order.end(), random);
  const std::size_t before = order.size() / 2, wild = order.size() / 8;
  for (std::size_t i = 0; i < before; ++i) post(order[i].first, order[i].second, false);
  meet(r, s);
  for (int to = 0; to < n; ++to) {
    for (int tag = 0; tag < kinds; ++tag) {
      sent.push_back(painted(lengths[tag], name_of(me, to, tag)));
      sends.push_back(start_send(r, w, bytes_of(sent.back().data(), sent.back().size()), to, tag));
    }
  }
  for (std::size_t i = before; i < order.size() - wild; ++i) post(order[i].first, order[i].second, false);
  for (std::size_t i = 0; i < wild; ++i) post(0, 0, true);
  std::set<std::pair<int, int>> seen;
  for (expected& e : receives) {
    const outcome o = finish(r, e.request);
    ASSERT_EQ(o.error, 0);
    ASSERT_TRUE(seen.emplace(o.source, o.tag).second) << "twice: from " << o.source << ", tag " << o.tag;
    ASSERT_EQ(o.bytes, static_cast<std::int64_t>(lengths[o.tag]));
    const auto right = painted(lengths[o.tag], name_of(o.source, me, o.tag));
    ASSERT_TRUE(std::equal(right.begin(), right.end(), e.buffer.begin()))
        << "from " << o.source << ", tag " << o.tag;
    for (std::size_t i = right.size(); i < e.buffer.size(); ++i) ASSERT_EQ(e.buffer[i], std::byte{0xee});
  }
  for (p2p::request* q : sends) EXPECT_EQ(finish(r, q).error, 0);
  meet(r, s);
}

TEST(overlap, every_length_among_any_number_of_ranks) {
  for (std::uint32_t n : {1u, 2u, 3u, 7u}) {
    run_processes(n, [n](rank& r) { exchange(r, static_cast<int>(n), 1); }, overlapping());
  }
  run_ranks(3, [](rank& r) { exchange(r, 3, 2); }, overlapping());
}

TEST(overlap, with_a_tiny_inbox_and_few_cells) {
  auto c = overlapping();
  c.rank.endpoint.inbox_slots = 2;
  c.rank.endpoint.cell_bytes_limit = 200 * 1024;
  run_processes(3, [](rank& r) { exchange(r, 3, 3); }, c);
}

// A receive that is too short gives the cell back while its sender still writes.
TEST(overlap, truncated_messages_between_others) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        for (int i = 0; i < 400; ++i) {
          const std::size_t n = lengths[i % kinds];
          const auto data = painted(n, static_cast<std::uint64_t>(i));
          if (r.self == 0) {
            EXPECT_EQ(send(r, w, bytes_of(data.data(), n), 1, 0).error, 0);
          } else {
            const std::size_t room = i % 3 == 0 ? n / 9 : n;
            std::vector<std::byte> got(n + 1, std::byte{0xee});
            const outcome o = receive(r, w, bytes_of(got.data(), room), 0, 0);
            EXPECT_EQ(o.error, room < n ? p2p::error_truncate : 0);
            ASSERT_TRUE(
                std::equal(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(room), got.begin()))
                << i;
            ASSERT_EQ(got[room], std::byte{0xee});
          }
        }
        meet(r, s);
      },
      overlapping());
}

TEST(overlap, layout_to_layout) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        for (std::int64_t block : {1, 24, 700}) {
          const std::int64_t count = 60'000 / block, stride = block + 3;
          auto made = datatype::builder::hvector(count, block, stride, byte_type());
          ASSERT_TRUE(made.ok() && (*made)->commit().ok());
          const auto data = painted(static_cast<std::size_t>(block * count), 5);
          for (int i = 0; i < 20; ++i) {
            std::vector<std::byte> memory(static_cast<std::size_t>(stride * count), std::byte{0xee});
            if (r.self == 0) {
              for (std::size_t k = 0; k < data.size(); ++k)
                memory[k / static_cast<std::size_t>(block) * static_cast<std::size_t>(stride) +
                       k % static_cast<std::size_t>(block)] = data[k];
              EXPECT_EQ(send(r, w, {memory.data(), 1, *made}, 1, 0).error, 0);
            } else {
              EXPECT_EQ(receive(r, w, {memory.data(), 1, *made}, 0, 0).error, 0);
              for (std::size_t k = 0; k < data.size(); ++k)
                ASSERT_EQ(memory[k / static_cast<std::size_t>(block) * static_cast<std::size_t>(stride) +
                                 k % static_cast<std::size_t>(block)],
                          data[k]);
            }
          }
          (*made)->release();
        }
        meet(r, s);
      },
      overlapping());
}

}  // namespace
}  // namespace loadstone::testing::overlap_test
