// Ranks as threads of this process, each with threads of its own that call MPI: every thread is bound to its
// rank, as a thread of a process is to that process.
#pragma once

#include <gtest/gtest.h>

#include <barrier>
#include <memory>
#include <thread>
#include <vector>

#include "memory/job.hpp"
#include "mpi.h"
#include "mpi/process.hpp"

namespace loadstone::testing {

// Runs body() in one thread for each of n ranks, between MPI_Init_thread and MPI_Finalize.
template <class Body>
void run_ranks(std::uint32_t n, Body body) {
  memory::job_config config;
  config.world_size = n;
  auto made = memory::job::create(config);
  ASSERT_TRUE(made.ok()) << made.error().what;
  std::vector<std::unique_ptr<memory::job>> views;
  for (std::uint32_t i = 0; i < n; ++i) {
    auto view = (*made)->second_view();
    ASSERT_TRUE(view.ok()) << view.error().what;
    views.push_back(std::move(*view));
  }
  std::barrier meeting(static_cast<std::ptrdiff_t>(n));
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < n; ++i) {
    threads.emplace_back([&, i] {
      auto self = std::make_unique<mpi::process>(std::move(views[i]), i);
      mpi::process::bind_to_thread(self.get());
      int provided = 0, rank = -1, size = 0;
      EXPECT_EQ(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided), MPI_SUCCESS);
      EXPECT_EQ(provided, MPI_THREAD_MULTIPLE);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      MPI_Comm_size(MPI_COMM_WORLD, &size);
      EXPECT_EQ(rank, static_cast<int>(i));
      EXPECT_EQ(size, static_cast<int>(n));
      body();
      EXPECT_EQ(MPI_Finalize(), MPI_SUCCESS);
      meeting.arrive_and_wait();  // peers may still look into what this rank has in job memory
      mpi::process::bind_to_thread(nullptr);
      self.reset();
    });
  }
  for (std::thread& t : threads) t.join();
}

// Runs work(thread number) in `count` threads of the rank that calls.
template <class Work>
void run_threads(int count, Work work) {
  mpi::process* self = &mpi::process::current();
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) {
    threads.emplace_back([=] {
      mpi::process::bind_to_thread(self);
      work(t);
    });
  }
  for (std::thread& t : threads) t.join();
}

}  // namespace loadstone::testing
