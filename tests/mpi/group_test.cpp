// Groups whose processes are of two jobs. As jobs cannot be connected yet, the identities of the
// other job's processes are made here.
#include "mpi/group.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "mpi/ranks.hpp"

using namespace loadstone;
using mpi::process_list;

namespace {

memory::process_id here(std::uint32_t index) {
  return mpi::process::current().runtime().id_of(index);
}

memory::process_id elsewhere(std::uint32_t index) {
  return {.job = here(0).job + 1, .index = index};
}

MPI_Group group_of(process_list list) {
  return mpi::new_group(mpi::process::current(), std::make_shared<const process_list>(std::move(list)),
                        nullptr);
}

process_list content(MPI_Group handle) {
  return *mpi::process::current().handles.groups.find(handle)->list();
}

int compared(MPI_Group a, MPI_Group b) {
  int result = -1;
  EXPECT_EQ(MPI_Group_compare(a, b, &result), MPI_SUCCESS);
  return result;
}

// What the body makes belongs to this rank alone.
template <class Body>
void on_one_rank(Body body) {
  loadstone::testing::run_ranks(1, body);
}

TEST(groups_of_two_jobs, with_the_same_indices_are_different) {
  on_one_rank([] {
    MPI_Group ours = group_of({here(0), here(1)}), same = group_of({here(0), here(1)});
    MPI_Group turned = group_of({here(1), here(0)}), theirs = group_of({elsewhere(0), elsewhere(1)});
    MPI_Group mixed = group_of({here(0), elsewhere(1)}), mixed_turned = group_of({elsewhere(1), here(0)});
    EXPECT_EQ(compared(ours, same), MPI_IDENT);
    EXPECT_EQ(compared(ours, turned), MPI_SIMILAR);
    EXPECT_EQ(compared(ours, theirs), MPI_UNEQUAL);
    EXPECT_EQ(compared(ours, mixed), MPI_UNEQUAL);
    EXPECT_EQ(compared(mixed, mixed_turned), MPI_SIMILAR);
    for (MPI_Group* g : {&ours, &same, &turned, &theirs, &mixed, &mixed_turned}) MPI_Group_free(g);
  });
}

TEST(groups_of_two_jobs, are_joined_and_cut_by_identity) {
  on_one_rank([] {
    MPI_Group ours = group_of({here(0), here(1)}), mixed = group_of({elsewhere(0), here(1), elsewhere(1)});
    MPI_Group result;
    ASSERT_EQ(MPI_Group_union(ours, mixed, &result), MPI_SUCCESS);
    EXPECT_EQ(content(result), (process_list{here(0), here(1), elsewhere(0), elsewhere(1)}));
    MPI_Group_free(&result);
    ASSERT_EQ(MPI_Group_intersection(mixed, ours, &result), MPI_SUCCESS);
    EXPECT_EQ(content(result), process_list{here(1)});
    MPI_Group_free(&result);
    ASSERT_EQ(MPI_Group_difference(mixed, ours, &result), MPI_SUCCESS);
    EXPECT_EQ(content(result), (process_list{elsewhere(0), elsewhere(1)}));
    MPI_Group_free(&result);
    const int last[] = {2, 0};
    ASSERT_EQ(MPI_Group_incl(mixed, 2, last, &result), MPI_SUCCESS);
    EXPECT_EQ(content(result), (process_list{elsewhere(1), elsewhere(0)}));
    MPI_Group_free(&result);
    MPI_Group_free(&ours);
    MPI_Group_free(&mixed);
  });
}

TEST(groups_of_two_jobs, have_ranks_by_identity) {
  on_one_rank([] {
    MPI_Group ours = group_of({here(1), here(0)}), mixed = group_of({elsewhere(0), elsewhere(1), here(0)});
    const int ranks[] = {0, 1, MPI_PROC_NULL};
    int translated[3], rank = -1;
    ASSERT_EQ(MPI_Group_translate_ranks(ours, 3, ranks, mixed, translated), MPI_SUCCESS);
    EXPECT_EQ(translated[0], MPI_UNDEFINED) << "index 1 of the other job is somebody else";
    EXPECT_EQ(translated[1], 2);
    EXPECT_EQ(translated[2], MPI_PROC_NULL);
    MPI_Group_rank(mixed, &rank);
    EXPECT_EQ(rank, 2);
    MPI_Group theirs = group_of({elsewhere(0)});
    MPI_Group_rank(theirs, &rank);
    EXPECT_EQ(rank, MPI_UNDEFINED);
    for (MPI_Group* g : {&ours, &mixed, &theirs}) MPI_Group_free(g);
  });
}

// The text of the error that the last call raised; empty: it succeeded.
std::string text_of(int code) {
  if (code == MPI_SUCCESS) return {};
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

int class_of(int code) {
  int result = -1;
  MPI_Error_class(code, &result);
  return result;
}

TEST(groups_of_two_jobs, make_no_communicator_while_the_jobs_are_not_connected) {
  loadstone::testing::run_ranks(2, [] {
    MPI_Group mixed = group_of({here(0), here(1), elsewhere(0)});
    MPI_Comm made = MPI_COMM_WORLD;
    const int code = MPI_Comm_create_from_group(mixed, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    EXPECT_EQ(class_of(code), MPI_ERR_GROUP);
    EXPECT_EQ(made, MPI_COMM_NULL);
    const std::string text = text_of(code);
    EXPECT_NE(text.find("rank 2 of a group, " + memory::name_of(elsewhere(0))), std::string::npos) << text;
    EXPECT_NE(text.find("another job, to which this process is not connected"), std::string::npos) << text;

    MPI_Group ours = group_of({here(0), here(1)}), theirs = group_of({elsewhere(0)});
    int rank;
    MPI_Group_rank(ours, &rank);
    if (rank == 0) {
      const int inter = MPI_Intercomm_create_from_groups(ours, 0, theirs, 0, "tag", MPI_INFO_NULL,
                                                         MPI_ERRORS_RETURN, &made);
      EXPECT_EQ(class_of(inter), MPI_ERR_GROUP) << text_of(inter);
    }
    for (MPI_Group* g : {&mixed, &ours, &theirs}) MPI_Group_free(g);
  });
}

TEST(groups_of_two_jobs, are_no_part_of_a_communicator_of_one) {
  loadstone::testing::run_ranks(2, [] {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Group theirs = group_of({elsewhere(0), elsewhere(1)});
    MPI_Comm made;
    const int code = MPI_Comm_create(MPI_COMM_WORLD, theirs, &made);
    EXPECT_EQ(class_of(code), MPI_ERR_GROUP);
    EXPECT_NE(text_of(code).find(memory::name_of(elsewhere(0))), std::string::npos) << text_of(code);
    MPI_Group_free(&theirs);
    MPI_Barrier(MPI_COMM_WORLD);
  });
}

TEST(groups_of_one_job, reach_all_their_processes) {
  loadstone::testing::run_ranks(3, [] {
    mpi::process& p = mpi::process::current();
    MPI_Group turned = group_of({here(2), here(0), here(1)});
    MPI_Comm made;
    ASSERT_EQ(MPI_Comm_create_from_group(turned, "turned", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made),
              MPI_SUCCESS);
    mpi::communicator& comm = *p.handles.comms.find(made);
    EXPECT_EQ(comm.peers(), (std::vector<std::uint32_t>{2, 0, 1}));
    EXPECT_EQ(comm.rank(), static_cast<int>((p.self() + 1) % 3));
    EXPECT_FALSE(comm.across_jobs());
    int sum = 0;
    const int rank = comm.rank();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made);
    EXPECT_EQ(sum, 3);
    MPI_Comm_free(&made);
    MPI_Group_free(&turned);
  });
}

TEST(communicators_across_jobs, know_that_they_are) {
  on_one_rank([] {
    mpi::process& p = mpi::process::current();
    const auto made = [&](process_list list, process_list remote) {
      const auto group = [](process_list l) {
        mpi::peer_group g{std::make_shared<const process_list>(std::move(l)), {}};
        for (std::size_t i = 0; i < g.list->size(); ++i) g.peers.push_back(static_cast<std::uint32_t>(i));
        return g;
      };
      return std::make_unique<mpi::communicator>(
          p, 99, group(std::move(list)), remote.empty() ? mpi::peer_group{} : group(std::move(remote)));
    };
    EXPECT_FALSE(made({here(0)}, {})->across_jobs());
    EXPECT_TRUE(made({here(0), elsewhere(0)}, {})->across_jobs());
    const auto inter = made({here(0)}, {elsewhere(0)});
    EXPECT_TRUE(inter->across_jobs());
    EXPECT_EQ(inter->rank(), 0);
    EXPECT_NE(inter->decides(), made({here(0)}, {{.job = here(0).job - 1, .index = 0}})->decides());
  });
}

TEST(communicators_across_jobs, have_ids_of_their_own) {
  using mpi::traffic_kind;
  const memory::process_id a{.job = 5, .index = 1}, b{.job = 6, .index = 1};
  constexpr std::uint64_t no_id = ~std::uint64_t{0} >> 3;
  std::set<std::uint64_t> contexts;
  std::size_t n = 0;
  for (std::uint32_t counter = 0; counter < 1000; ++counter) {
    for (const std::uint64_t id :
         {mpi::communicator_id(1, counter), mpi::communicator_id_across_jobs(a, counter),
          mpi::communicator_id_across_jobs(b, counter)}) {
      EXPECT_LT(id, no_id) << "three bits are left for the kind of traffic";
      contexts.insert(mpi::context_of(id, traffic_kind::messages));
      contexts.insert(mpi::context_of(id, traffic_kind::partitioned));
      n += 2;
    }
  }
  EXPECT_EQ(contexts.size(), n);
  EXPECT_GT(mpi::communicator_id_across_jobs(a, 0), mpi::communicator_id((1u << 20) - 1, UINT32_MAX))
      << "the larger of two ids is one across jobs if either is";
}

TEST(communicators_across_jobs, are_proposed_such_ids) {
  on_one_rank([] {
    mpi::process& p = mpi::process::current();
    EXPECT_EQ(p.communicators.new_id(false) >> 60, 0u);
    EXPECT_EQ(p.communicators.new_id(true) >> 60, 1u);
    EXPECT_NE(p.communicators.new_id(true), p.communicators.new_id(true));
  });
}

}  // namespace
