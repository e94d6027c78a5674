// Epochs of windows: the sequences that the standard allows (MPI §12.5), those that it forbids, and random
// walks beside a model that only knows sets.
#include "mpi/epochs.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

using loadstone::mpi::epochs;

namespace {

constexpr int members = 4, self = 1, nobody = -3;

void lock(epochs& e, int rank, bool exclusive = false) {
  ASSERT_EQ(e.lock(rank), nullptr);
  e.end_lock(rank, exclusive);
}
void unlock(epochs& e, int rank) {
  ASSERT_EQ(e.unlock(rank), nullptr);
  e.end_unlock(rank);
}
void fence(epochs& e, bool no_succeed = false) {
  ASSERT_EQ(e.fence(false), nullptr);
  e.end_fence(no_succeed);
}
void lock_all(epochs& e) {
  ASSERT_EQ(e.lock_all(), nullptr);
  e.end_lock_all();
}
void unlock_all(epochs& e) {
  ASSERT_EQ(e.unlock_all(), nullptr);
  e.end_unlock_all();
}
void start(epochs& e, std::vector<std::int32_t> targets) {
  ASSERT_EQ(e.start(std::move(targets)), nullptr);
  e.end_start();
}
void complete(epochs& e) {
  ASSERT_EQ(e.complete(), nullptr);
  e.end_complete();
}
bool says(const char* objection, const char* what) {
  return objection != nullptr && std::string(objection).find(what) != std::string::npos;
}

TEST(epochs, at_first_nothing_is_open) {
  epochs e(members, self);
  for (int rank = 0; rank < members; ++rank) {
    EXPECT_FALSE(e.allows(rank));
    EXPECT_TRUE(says(e.operate(rank), "no access epoch"));
    EXPECT_NE(e.operate_by_request(rank), nullptr);
    EXPECT_NE(e.flush(rank), nullptr);
    EXPECT_NE(e.unlock(rank), nullptr);
  }
  EXPECT_NE(e.complete(), nullptr);
  EXPECT_NE(e.wait(), nullptr);
  EXPECT_NE(e.unlock_all(), nullptr);
  EXPECT_NE(e.flush_all(), nullptr);
  EXPECT_EQ(e.free(), nullptr);
}

TEST(epochs, a_fence_opens_an_epoch_only_if_operations_follow) {
  epochs e(members, self);
  fence(e);
  EXPECT_FALSE(e.allows(0));
  EXPECT_EQ(e.free(), nullptr);
  EXPECT_EQ(e.operate(0), nullptr);
  for (int rank = 0; rank < members; ++rank) EXPECT_TRUE(e.allows(rank));
  EXPECT_TRUE(says(e.lock(0), "last fence"));
  EXPECT_NE(e.lock_all(), nullptr);
  EXPECT_NE(e.start({0}), nullptr);
  EXPECT_NE(e.free(), nullptr);
  EXPECT_NE(e.operate_by_request(0), nullptr);
  EXPECT_NE(e.flush(0), nullptr);
  EXPECT_TRUE(says(e.fence(true), "NOPRECEDE"));
  fence(e, true);
  EXPECT_FALSE(e.allows(0));
  EXPECT_NE(e.operate(0), nullptr);
}

// It would have begun at the fence, and so not be disjoint from the other one.
TEST(epochs, no_epoch_of_a_fence_is_around_another_one) {
  epochs e(members, self);
  const auto operate_fails = [&] { return says(e.operate(0), "another access epoch has ended since"); };
  fence(e);
  lock(e, 0);
  unlock(e, 0);
  EXPECT_TRUE(operate_fails());
  fence(e);
  start(e, {2});
  complete(e);
  EXPECT_TRUE(operate_fails());
  fence(e);
  lock_all(e);
  unlock_all(e);
  EXPECT_TRUE(operate_fails());
  fence(e);
  EXPECT_NE(e.unlock(0), nullptr);  // what is refused changes nothing
  EXPECT_NE(e.complete(), nullptr);
  EXPECT_EQ(e.operate(0), nullptr);
}

TEST(epochs, a_lock_opens_its_target_from_when_it_is_held) {
  epochs e(members, self);
  ASSERT_EQ(e.lock(2), nullptr);
  EXPECT_FALSE(e.allows(2));
  EXPECT_NE(e.operate(2), nullptr);
  EXPECT_TRUE(says(e.lock(2), "already"));  // another thread
  e.end_lock(2, true);
  EXPECT_TRUE(e.allows(2));
  EXPECT_EQ(e.operate_by_request(2), nullptr);
  EXPECT_FALSE(e.allows(0));
  EXPECT_TRUE(says(e.operate(0), "not locked"));
  EXPECT_TRUE(says(e.flush(0), "not locked"));
  lock(e, 0);
  EXPECT_NE(e.describe().find("0 (shared), 2 (exclusive)"), std::string::npos) << e.describe();
  EXPECT_NE(e.lock_all(), nullptr);
  EXPECT_NE(e.unlock_all(), nullptr);
  EXPECT_NE(e.fence(false), nullptr);
  unlock(e, 2);
  EXPECT_FALSE(e.allows(2));
  EXPECT_NE(e.start({1}), nullptr);
  unlock(e, 0);
  EXPECT_EQ(e.free(), nullptr);
}

TEST(epochs, an_unlock_that_waits_has_closed_the_target) {
  epochs e(members, self);
  lock(e, 3);
  ASSERT_EQ(e.unlock(3), nullptr);
  EXPECT_FALSE(e.allows(3));
  EXPECT_NE(e.unlock(3), nullptr);
  EXPECT_NE(e.lock(3), nullptr);
  e.end_unlock(3);
  lock(e, 3);
}

TEST(epochs, lock_all_is_an_epoch_of_its_own) {
  epochs e(members, self);
  ASSERT_EQ(e.lock_all(), nullptr);
  EXPECT_FALSE(e.allows(0));
  e.end_lock_all();
  for (int rank = 0; rank < members; ++rank) EXPECT_TRUE(e.allows(rank));
  EXPECT_NE(e.lock(0), nullptr);
  EXPECT_TRUE(says(e.unlock(0), "lock_all"));
  EXPECT_EQ(e.flush_all(), nullptr);
  unlock_all(e);
  EXPECT_EQ(e.free(), nullptr);
}

TEST(epochs, start_opens_its_group_and_nothing_else) {
  epochs e(members, self);
  start(e, {0, 3});
  EXPECT_TRUE(e.allows(0) && e.allows(3));
  EXPECT_FALSE(e.allows(1) || e.allows(2));
  EXPECT_TRUE(says(e.operate(2), "not in the group"));
  EXPECT_NE(e.start({1}), nullptr);
  EXPECT_NE(e.lock(1), nullptr);
  EXPECT_NE(e.fence(false), nullptr);
  EXPECT_NE(e.flush(0), nullptr);
  ASSERT_EQ(e.complete(), nullptr);
  EXPECT_EQ(e.started().size(), 2u);
  EXPECT_FALSE(e.allows(0));
  e.end_complete();
  EXPECT_EQ(e.free(), nullptr);
  start(e, {});
  EXPECT_NE(e.operate(0), nullptr);
  complete(e);
}

TEST(epochs, exposure_goes_beside_access_but_not_beside_a_lock_of_ones_own_window) {
  epochs e(members, self);
  ASSERT_EQ(e.post(2), nullptr);
  EXPECT_NE(e.post(1), nullptr);
  start(e, {0});
  complete(e);
  lock(e, 0);
  unlock(e, 0);
  EXPECT_TRUE(says(e.lock(self), "exposed"));
  EXPECT_TRUE(says(e.lock_all(), "exposed"));
  EXPECT_NE(e.free(), nullptr);
  EXPECT_EQ(e.wait(), nullptr);
  e.end_wait();
  EXPECT_NE(e.wait(), nullptr);
  lock(e, self);
  EXPECT_NE(e.post(1), nullptr);
  unlock(e, self);
  lock_all(e);
  EXPECT_NE(e.post(1), nullptr);
  unlock_all(e);
  EXPECT_EQ(e.post(1), nullptr);
}

// MPI_PROC_NULL, which may be locked several times. A start that has failed leaves nothing open.
TEST(epochs, nobody_is_a_target_in_every_access_epoch) {
  epochs e(members, self);
  EXPECT_TRUE(says(e.operate(nobody), "no access epoch"));
  EXPECT_NE(e.flush(nobody), nullptr);
  lock(e, nobody, true);
  lock(e, nobody);
  EXPECT_NE(e.describe().find("targets MPI_PROC_NULL"), std::string::npos) << e.describe();
  EXPECT_EQ(e.operate(nobody), nullptr);
  EXPECT_TRUE(says(e.operate(0), "not locked"));
  unlock(e, nobody);
  EXPECT_EQ(e.operate_by_request(nobody), nullptr);
  unlock(e, nobody);
  EXPECT_NE(e.unlock(nobody), nullptr);
  EXPECT_EQ(e.free(), nullptr);
  ASSERT_EQ(e.start({0, 2}), nullptr);
  e.abandon_start();
  EXPECT_FALSE(e.allows(0) || e.allows(2));
  EXPECT_EQ(e.describe(), "The present access epoch: none");
  EXPECT_NE(e.complete(), nullptr);
  EXPECT_EQ(e.free(), nullptr);
}

// The model: what is locked, started and posted, and whether a fence is open or used.
TEST(epochs, random_walks_agree_with_a_model_of_sets) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    epochs e(members, self);
    std::multiset<int> locked;
    std::set<int> started;
    bool all = false, in_start = false, fenced = false, used = false, posted = false;
    const auto access = [&] { return !locked.empty() || all || in_start || used; };
    for (int step = 0; step < 300; ++step) {
      const int drawn = static_cast<int>(random() % (members + 1)), rank = drawn < members ? drawn : nobody;
      switch (random() % 10) {
        case 0:
          ASSERT_EQ(e.fence(false) == nullptr, locked.empty() && !all && !in_start);
          if (locked.empty() && !all && !in_start) {
            fenced = random() % 2 != 0;
            used = false;
            e.end_fence(!fenced);
          }
          break;
        case 1: {
          const bool may = !all && !in_start && !used && (rank == nobody || locked.count(rank) == 0) &&
                           !(rank == self && posted);
          ASSERT_EQ(e.lock(rank) == nullptr, may);
          if (may) e.end_lock(rank, random() % 2 != 0), locked.insert(rank), fenced = false;
          break;
        }
        case 2:
          ASSERT_EQ(e.unlock(rank) == nullptr, locked.count(rank) != 0);
          if (const auto it = locked.find(rank); it != locked.end()) locked.erase(it), e.end_unlock(rank);
          break;
        case 3: {
          const bool may = !access() && !posted;
          ASSERT_EQ(e.lock_all() == nullptr, may);
          if (may) e.end_lock_all(), all = true, fenced = false;
          break;
        }
        case 4:
          ASSERT_EQ(e.unlock_all() == nullptr, all);
          if (all) e.end_unlock_all(), all = false;
          break;
        case 5: {
          const bool may = !access();
          const std::vector<std::int32_t> targets(rank == nobody ? 0 : 1, rank);
          ASSERT_EQ(e.start(targets) == nullptr, may);
          if (may) fenced = false;
          if (may && random() % 4 == 0)
            e.abandon_start();
          else if (may)
            e.end_start(), started = {targets.begin(), targets.end()}, in_start = true;
          break;
        }
        case 6:
          ASSERT_EQ(e.complete() == nullptr, in_start);
          if (in_start) e.end_complete(), started.clear(), in_start = false;
          break;
        case 7: {
          const bool may = !posted && !all && locked.count(self) == 0;
          ASSERT_EQ(e.post(1) == nullptr, may);
          posted |= may;
          break;
        }
        case 8:
          ASSERT_EQ(e.wait() == nullptr, posted);
          if (posted) e.end_wait(), posted = false;
          break;
        default: {
          const bool open = rank == nobody ? access() : locked.count(rank) + started.count(rank) != 0;
          const bool may = all || used || open || (fenced && !access());
          ASSERT_EQ(e.operate(rank) == nullptr, may);
          if (may && fenced && !access()) used = true;
          break;
        }
      }
      for (int r = 0; r < members; ++r)
        ASSERT_EQ(e.allows(r), all || used || locked.count(r) + started.count(r) != 0);
      ASSERT_EQ(e.free() == nullptr, !access() && !posted);
      const bool passive = all || (rank == nobody ? !locked.empty() : locked.count(rank) != 0);
      ASSERT_EQ(e.flush(rank) == nullptr, passive);
      ASSERT_EQ(e.flush_all() == nullptr, all || !locked.empty());
      ASSERT_EQ(e.operate_by_request(rank) == nullptr, passive);
    }
  }
}

}  // namespace
