// A job of one process whose keeper is a thread of it: what a buffered storage needs around it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

#include "io/buffered_storage.hpp"
#include "launch/io_service.hpp"
#include "memory/arena.hpp"
#include "memory/requests.hpp"
#include "wait/futex.hpp"

namespace loadstone::io {

class buffering_job {
 public:
  explicit buffering_job(const buffering::config& wanted) {
    memory::job_config config;
    config.launcher = getpid();
    keepers_ = std::move(*memory::job::create(config));
    ours_ = std::move(*keepers_->second_view());
    EXPECT_TRUE(ours_->claim(0).ok());
    arena_ = std::move(*memory::arena::open(*ours_, 0));
    keeper_ = std::thread([this] { keep(); });
    storage_ = make_buffered_storage(*ours_, *arena_, wanted);
  }
  ~buffering_job() {
    storage_.reset();
    over_.store(true);
    wait::ring(keepers_->requests().called);
    keeper_.join();
  }
  buffering_job(const buffering_job&) = delete;
  buffering_job& operator=(const buffering_job&) = delete;

  io::storage& storage() { return *storage_; }
  memory::job& job() { return *ours_; }
  pid_t io_process() { return ours_->io().servers[0].pid.load(); }  // 0: none yet

 private:
  void keep() {
    launch::io_service files(*keepers_, {});
    memory::request_desk desk(*keepers_);
    const auto answer = [&]<class Request>(const memory::request_desk::request& r, Request asked) {
      if (r.read(&asked)) desk.answer(r, files.serve(r.from, asked));
    };
    while (!over_.load()) {
      const std::uint32_t called = desk.called().load(std::memory_order_acquire);  // sync: bell
      files.see_ends();
      desk.serve([&](const memory::request_desk::request& r) {
        if (r.kind == memory::request_kind::buffer_file) answer(r, memory::buffer_file{});
        if (r.kind == memory::request_kind::release_file) answer(r, memory::release_file{});
      });
      if (!over_.load()) wait::sleep_on(desk.called(), called, std::chrono::milliseconds(50));
    }
    files.begin_drain();
    while (files.is_busy()) usleep(1000);
    EXPECT_EQ(files.lost(), "");
  }

  std::unique_ptr<memory::job> keepers_, ours_;
  std::unique_ptr<memory::arena> arena_;
  std::unique_ptr<io::storage> storage_;
  std::atomic<bool> over_{false};
  std::thread keeper_;
};

}  // namespace loadstone::io
