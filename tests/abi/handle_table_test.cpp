// The handle table against an obvious oracle, and with readers beside a writer.
#include "mpi/handle_table.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace loadstone::mpi {
class datatype {};
class request {};
}  // namespace loadstone::mpi

using namespace loadstone::mpi;

namespace {

template <unsigned Bits>
using small_table = handle_table<datatype, MPI_Datatype, handle_kind::datatype, 0x200, 0x100, Bits>;

MPI_Datatype raw(std::intptr_t bits) {
  return reinterpret_cast<MPI_Datatype>(bits);
}

TEST(handle_table, the_first_dynamic_handles_lie_above_the_predefined_ones_and_fit_31_bits) {
  datatype_table types;
  request_table requests;
  std::vector<datatype> objects(3000);
  for (auto& o : objects) {
    const std::intptr_t bits = handle_bits(types.insert(&o));
    EXPECT_GT(bits, 0x1000);
    EXPECT_LE(bits, 0x7fffffff);
  }
  request r;
  const std::intptr_t bits = handle_bits(requests.insert(&r));
  EXPECT_GT(bits, 0x1000);
  EXPECT_LE(bits, 0x7fffffff);
  EXPECT_EQ(types.alive(), objects.size());
}

TEST(handle_table, predefined_handles_are_found_where_the_abi_has_them) {
  datatype_table types;
  datatype object;
  EXPECT_EQ(types.find(MPI_INT), nullptr);
  types.set_predefined(MPI_INT, &object);
  EXPECT_EQ(types.find(MPI_INT), &object);
  EXPECT_EQ(types.find(MPI_DATATYPE_NULL), nullptr);
  EXPECT_EQ(types.find(MPI_LONG), nullptr);
  EXPECT_TRUE(datatype_table::is_predefined(MPI_INT));
  types.remove(MPI_INT);  // ignored
  EXPECT_EQ(types.find(MPI_INT), &object);
}

TEST(handle_table, garbage_and_other_kinds_are_not_followed) {
  datatype_table types;
  request_table requests;
  datatype t;
  request r;
  const MPI_Datatype mine = types.insert(&t);
  const MPI_Request other = requests.insert(&r);
  EXPECT_EQ(types.find(raw(handle_bits(other))), nullptr);
  EXPECT_EQ(types.find(raw(handle_bits(mine) | std::intptr_t{1} << 40)), nullptr);
  EXPECT_EQ(types.find(raw(handle_bits(mine) + 1)), nullptr);
  EXPECT_EQ(types.find(raw(-1)), nullptr);
  EXPECT_EQ(types.find(raw(INTPTR_MIN)), nullptr);
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000000; ++i) {
    const auto bits = static_cast<std::intptr_t>(random() >> (i % 64));
    if (bits != handle_bits(mine)) {
      ASSERT_EQ(types.find(raw(bits)), nullptr) << bits;
    }
  }
}

TEST(handle_table, exhaustion_is_the_null_handle_and_passes) {
  small_table<10> table;
  datatype object;
  std::vector<MPI_Datatype> handles;
  for (std::size_t i = 0; i < table.capacity; ++i) handles.push_back(table.insert(&object));
  EXPECT_NE(handles.back(), MPI_DATATYPE_NULL);
  EXPECT_EQ(table.insert(&object), MPI_DATATYPE_NULL);
  table.remove(handles[17]);
  EXPECT_NE(table.insert(&object), MPI_DATATYPE_NULL);
  EXPECT_EQ(table.find(handles[17]), nullptr);
}

TEST(handle_table, four_million_requests_live_at_once) {
  EXPECT_GE(request_table::capacity, 4000000u);
}

TEST(handle_table, follows_the_oracle) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  small_table<12> table;
  std::vector<datatype> objects(64);
  std::map<std::intptr_t, datatype*> alive;
  std::vector<std::intptr_t> dead;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 2 == 0 || alive.empty()) {
      datatype* o = &objects[random() % objects.size()];
      const MPI_Datatype h = table.insert(o);
      if (h != MPI_DATATYPE_NULL) {
        EXPECT_TRUE(alive.emplace(handle_bits(h), o).second) << "a live handle was given out twice";
      }
    } else {
      auto victim = alive.begin();
      std::advance(victim, random() % alive.size());
      table.remove(raw(victim->first));
      table.remove(raw(victim->first));  // twice: ignored
      dead.push_back(victim->first);
      alive.erase(victim);
    }
    ASSERT_EQ(table.alive(), alive.size());
    if (step % 100 == 0) {
      for (const auto& [bits, o] : alive) ASSERT_EQ(table.find(raw(bits)), o);
      for (const std::intptr_t bits : dead) {
        if (!alive.contains(bits)) {
          ASSERT_EQ(table.find(raw(bits)), nullptr);
        }
      }
    }
  }
  std::size_t visited = 0;
  table.for_each([&](datatype&) { ++visited; });
  EXPECT_EQ(visited, alive.size());
}

TEST(handle_table, a_slot_used_again_has_another_handle) {
  datatype_table table;
  datatype a, b;
  const MPI_Datatype first = table.insert(&a);
  table.remove(first);
  const MPI_Datatype second = table.insert(&b);
  EXPECT_NE(first, second);
  EXPECT_EQ(table.find(first), nullptr);
  EXPECT_EQ(table.find(second), &b);
}

TEST(handle_table, a_stale_handle_stays_stale) {
  request_table table;
  request r, other;
  const MPI_Request stays = table.insert(&other), first = table.insert(&r);
  auto& place = table.place_of(first);
  constexpr int before = 77, after = 5000;  // renewals; with 5 low bits of generation many carries
  MPI_Request stale = first, now = first;
  for (int i = 0; i < after; ++i) {
    table.suspend(place);
    ASSERT_EQ(table.find(now), nullptr) << i;
    now = table.renew(place);
    ASSERT_EQ(table.find(now), &r) << i;
    ASSERT_EQ(table.find(first), nullptr) << i;
    if (i == before) stale = now;
    if (i > before) {
      ASSERT_EQ(table.find(stale), nullptr) << i;
    }
    ASSERT_EQ(table.find(stays), &other) << i;
  }
  std::size_t visited = 0;
  table.for_each([&](request&) { ++visited; });
  EXPECT_EQ(visited, 2u);
  table.suspend(place);
  visited = 0;
  table.for_each([&](request&) { ++visited; });
  EXPECT_EQ(visited, 1u);
}

TEST(handle_table, a_fortran_integer_stands_for_the_live_handle) {
  request_table table;
  request r;
  MPI_Request now = table.insert(&r);
  auto& place = table.place_of(now);
  for (int i = 0; i < 1000; ++i) {
    const int number = static_cast<int>(handle_bits(now));
    ASSERT_GT(number, 0x1000);
    ASSERT_EQ(table.whole(number), now) << i;
    table.suspend(place);
    ASSERT_EQ(table.find(table.whole(number)), nullptr) << i;
    now = table.renew(place);
    ASSERT_EQ(table.find(table.whole(number)), nullptr) << i;
  }
  for (int number : {0, -1, 0x180, 0x7fffffff, INT_MIN}) {
    EXPECT_EQ(table.whole(number), reinterpret_cast<MPI_Request>(std::intptr_t{number}));
    EXPECT_EQ(table.find(table.whole(number)), nullptr);
  }
  EXPECT_EQ(table.whole(0x180), MPI_REQUEST_NULL);
}

// Readers look up one handle that stays and many that come and go; what they find is right or nothing.
TEST(handle_table, readers_need_no_lock) {
  datatype_table table;
  datatype stays, moves;
  const MPI_Datatype fixed = table.insert(&stays);
  std::atomic<std::intptr_t> current{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop.load(std::memory_order_relaxed)) {
        if (table.find(fixed) != &stays) ++wrong;
        const datatype* seen = table.find(raw(current.load(std::memory_order_acquire)));
        if (seen != nullptr && seen != &moves) ++wrong;
      }
    });
  }
  std::vector<MPI_Datatype> held;
  for (int i = 0; i < 20000; ++i) {
    held.push_back(table.insert(&moves));
    current.store(handle_bits(held.back()), std::memory_order_release);
    if (held.size() > 5000 || i % 3 == 0) {
      table.remove(held.back());
      held.pop_back();
    }
  }
  stop = true;
  for (auto& r : readers) r.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
