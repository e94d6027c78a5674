#include "launch/request_server.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <cstring>
#include <thread>

using namespace loadstone;
using launch::request_server;

namespace {

const wait::reason why{.detail = "a test"};

bool readable(int descriptor, int wait_ms) {
  pollfd look{descriptor, POLLIN, 0};
  return poll(&look, 1, wait_ms) == 1;
}

struct launched {
  launched() {
    memory::job_config config;
    config.world_size = 2;
    config.launcher = getpid();
    job = std::move(*memory::job::create(config));
    EXPECT_TRUE(job->claim(1).ok());
  }
  std::unique_ptr<memory::job> job;
};

memory::publish_name pair(const char* service, const char* port) {
  memory::publish_name p{};
  std::strcpy(p.service, service);
  std::strcpy(p.port, port);
  return p;
}

// What a loop does with it, until the request has its answer.
template <class Request>
typename Request::answer through_the_loop(launched& l, request_server& server, const Request& r) {
  typename Request::answer got{};
  std::atomic<bool> over{false};
  std::thread asker([&] {
    auto answer = memory::ask(*l.job, r, why);
    EXPECT_TRUE(answer.ok()) << answer.error().what;
    if (answer) got = *answer;
    over = true;
  });
  while (!over)
    if (readable(server.descriptor(), 5)) server.serve();
  asker.join();
  return got;
}

TEST(request_server, is_woken_by_a_request_and_rests_otherwise) {
  launched l;
  launch::io_service files(*l.job, {});
  request_server server(*l.job, files);
  ASSERT_GE(server.descriptor(), 0);
  ASSERT_TRUE(readable(server.descriptor(), 60'000)) << "its first look, for what came before it";
  server.serve();
  EXPECT_FALSE(readable(server.descriptor(), 50));
  EXPECT_EQ(through_the_loop(l, server, pair("s", "p")).outcome, memory::name_outcome::done);
  memory::lookup_name look{};
  std::strcpy(look.service, "s");
  EXPECT_STREQ(through_the_loop(l, server, look).port, "p");
}

TEST(request_server, answers_what_was_asked_before_it_was_there) {
  launched l;
  std::thread asker([&] { EXPECT_TRUE(memory::ask(*l.job, pair("s", "p"), why).ok()); });
  while (l.job->requests().called.load() == 0) std::this_thread::yield();
  launch::io_service files(*l.job, {});
  request_server server(*l.job, files);
  ASSERT_TRUE(readable(server.descriptor(), 60'000));
  server.serve();
  asker.join();
}

TEST(request_server, what_a_rank_published_ends_with_it) {
  launched l;
  launch::io_service files(*l.job, {});
  request_server server(*l.job, files);
  through_the_loop(l, server, pair("s", "p"));
  EXPECT_EQ(through_the_loop(l, server, pair("s", "q")).outcome, memory::name_outcome::taken);
  server.rank_ended(0);
  EXPECT_EQ(through_the_loop(l, server, pair("s", "q")).outcome, memory::name_outcome::taken);
  server.rank_ended(1);
  EXPECT_EQ(through_the_loop(l, server, pair("s", "q")).outcome, memory::name_outcome::done);
}

TEST(request_server, ends_without_a_request) {
  launched l;
  launch::io_service files(*l.job, {});
  for (int i = 0; i < 100; ++i) request_server server(*l.job, files);
}

}  // namespace
