#include "memory/launch_environment.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "memory/in_child.hpp"

using namespace loadstone;
using test::in_child;

namespace {

void set_announcement(memory::job& job, std::uint32_t rank) {
  auto text = memory::announce(job, rank);
  setenv("LOADSTONE_RANK", text.rank.c_str(), 1);
  setenv("LOADSTONE_JOB_FD", text.job_fd.c_str(), 1);
  setenv("LOADSTONE_JOB", text.job.c_str(), 1);
}

class launch_environment : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name :
         {"LOADSTONE_RANK", "LOADSTONE_JOB_FD", "LOADSTONE_JOB", "LOADSTONE_SINGLETON", "PMI_RANK",
          "PMI_SIZE", "PMI_FD", "PMIX_RANK", "PMIX_NAMESPACE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS",
          "SLURM_PROCID", "SLURM_STEP_ID", "SLURM_STEP_NUM_TASKS"})
      unsetenv(name);
    job = std::move(*memory::job::create({.world_size = 2}));
  }
  std::unique_ptr<memory::job> job;
};

TEST_F(launch_environment, without_a_launcher_a_process_is_a_job_of_one) {
  auto found = memory::find_job();
  ASSERT_NE(found.view, nullptr) << found.error;
  EXPECT_FALSE(found.launched);
  EXPECT_EQ(found.view->header().world_size, 1u);
  EXPECT_EQ(found.view->self(), 0u);
}

TEST_F(launch_environment, an_announced_place_is_taken_and_the_announcement_vanishes) {
  EXPECT_EQ(in_child([&] {
              set_announcement(*job, 1);
              auto found = memory::find_job();
              if (found.view == nullptr || !found.launched || found.self != 1) return 1;
              if (getenv("LOADSTONE_RANK") || getenv("LOADSTONE_JOB_FD") || getenv("LOADSTONE_JOB")) return 2;
              if (!(fcntl(found.view->descriptor(), F_GETFD) & FD_CLOEXEC)) return 3;
              auto second = memory::find_job();  // what a program started by this rank would find
              return second.view != nullptr && !second.launched ? 0 : 4;
            }),
            0);
  EXPECT_NE(job->process(1).pid, 0);
}

TEST_F(launch_environment, a_place_is_never_taken_twice) {
  auto take = [&] {
    set_announcement(*job, 1);
    auto found = memory::find_job();
    return found.view != nullptr ? 0 : found.error.find("was taken by process") != std::string::npos ? 7 : 8;
  };
  EXPECT_EQ(in_child(take), 0);
  EXPECT_EQ(in_child(take), 7) << "a sibling of the first";
}

TEST_F(launch_environment, a_closed_descriptor_is_found_through_the_launcher) {
  set_announcement(*job, 0);
  EXPECT_EQ(in_child([&] {
              close(job->descriptor());
              auto found = memory::find_job();
              return found.launched && found.self == 0 ? 0 : 1;
            }),
            0);
}

TEST_F(launch_environment, a_child_of_a_rank_with_a_copied_environment_is_alone) {
  EXPECT_EQ(in_child([&] {
              set_announcement(*job, 1);
              auto found = memory::find_job();
              if (!found.launched) return 1;
              set_announcement(*job, 1);  // as a program does that keeps its own copy, as Python's os.environ
              setenv("LOADSTONE_JOB", memory::announce(*job, 1).job.c_str(), 1);
              return in_child([&] {
                auto second = memory::find_job();
                return second.view != nullptr && !second.launched ? 0 : 2;
              });
            }),
            0);
}

TEST_F(launch_environment, left_over_variables_of_a_dead_launcher_mean_alone) {
  pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  setenv("LOADSTONE_RANK", "1", 1);
  setenv("LOADSTONE_JOB_FD", "77", 1);
  // What can be told of a launcher by its number depends on whose numbers they are.
  const std::string announced = memory::announce(*job, 1).job, here = announced.substr(announced.rfind(':'));
  const std::string left = std::to_string(gone) + ":5:1234";
  setenv("LOADSTONE_JOB", (left + here).c_str(), 1);
  auto found = memory::find_job();
  ASSERT_NE(found.view, nullptr) << found.error;
  EXPECT_FALSE(found.launched);
  for (const std::string& elsewhere : {here + "1", std::string(":0"), std::string()}) {
    setenv("LOADSTONE_RANK", "1", 1);
    setenv("LOADSTONE_JOB_FD", "77", 1);
    setenv("LOADSTONE_JOB", (left + elsewhere).c_str(), 1);
    found = memory::find_job();
    EXPECT_EQ(found.view, nullptr) << elsewhere;
    EXPECT_NE(found.error.find("does not see mpiexec"), std::string::npos) << found.error;
    for (const char* name : {"LOADSTONE_RANK", "LOADSTONE_JOB_FD", "LOADSTONE_JOB"}) unsetenv(name);
  }
}

using variables = std::vector<std::pair<const char*, const char*>>;

// Is a process with these variables refused? Then `named` is one that the sentence must have.
void expect_refused(const variables& set, const char* named) {
  for (const auto& [name, value] : set) setenv(name, value, 1);
  auto found = memory::find_job();
  EXPECT_EQ(found.view == nullptr, named != nullptr) << set.front().first << ": " << found.error;
  if (named != nullptr) {
    EXPECT_NE(found.error.find(named), std::string::npos) << found.error;
    setenv("LOADSTONE_SINGLETON", "1", 1);
    EXPECT_NE(memory::find_job().view, nullptr) << named;
    unsetenv("LOADSTONE_SINGLETON");
  }
  for (const auto& [name, value] : set) unsetenv(name);
}

TEST_F(launch_environment, foreign_launchers_are_named_and_refused) {
  expect_refused({{"PMI_RANK", "0"}}, "PMI_RANK=0");
  expect_refused({{"PMI_SIZE", "2"}}, "PMI_SIZE=2");
  expect_refused({{"PMIX_RANK", "0"}}, "PMIX_RANK=0");
  expect_refused({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"PMI_FD", "7"}}, "PMI_RANK=1");
  expect_refused({{"PMIX_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}, "PMIX_RANK=1");
}

TEST_F(launch_environment, one_rank_of_a_foreign_launcher_is_a_job_of_one) {
  expect_refused({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}, {"PMI_FD", "7"}}, nullptr);
  expect_refused({{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "prterun-1"}, {"OMPI_COMM_WORLD_SIZE", "1"}},
                 nullptr);
  expect_refused({{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "slurm.pmix.7.0"}, {"SLURM_STEP_NUM_TASKS", "1"}},
                 nullptr);
  // Started by another launcher in a step of one task: that step says nothing of it.
  expect_refused({{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "prterun-1"}, {"SLURM_STEP_NUM_TASKS", "1"}},
                 "PMIX_RANK=0");
}

// The variables as Slurm 22.05 sets them.
TEST_F(launch_environment, a_task_of_a_step_of_slurm_is_refused_and_what_a_batch_script_starts_is_not) {
  expect_refused(
      {{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_NTASKS", "2"}, {"SLURM_PROCID", "0"}},
      "SLURM_STEP_NUM_TASKS=2");
  expect_refused({{"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS", "3"}, {"SLURM_PROCID", "2"}}, "SLURM_NTASKS=3");
  expect_refused({{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_NTASKS", "1"}}, nullptr);
  expect_refused({{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}}, nullptr);  // a batch script
  expect_refused({{"SLURM_NTASKS", "4"}}, nullptr);                         // salloc
  expect_refused({{"SLURM_STEP_ID", "4294967290"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_NTASKS", "3"}},
                 nullptr);  // salloc's own step
}

TEST_F(launch_environment, an_arena_limit_that_is_no_number_is_none) {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"3000000", 3000000}, {"64M", 0}, {"0x40", 0}, {"-3", 0}, {"", 0}, {"much", 0}, {" 3", 0}};
  for (const auto& [text, bytes] : cases) EXPECT_EQ(memory::arena_limit_of(text), bytes) << text;
}

}  // namespace
