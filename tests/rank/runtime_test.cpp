#include "rank/runtime.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "model/kept_machine.hpp"
#include "model/protocols.hpp"
#include "rank/settings.hpp"

using namespace loadstone;
using memory::process_state;

namespace {

const wait::reason why{.detail = "a test"};

std::unique_ptr<memory::job> make_job(std::uint32_t ranks, std::int32_t launcher = 0) {
  memory::job_config config;
  config.world_size = ranks;
  config.launcher = launcher;
  config.arena_span = 64 << 20;
  return std::move(*memory::job::create(config));
}

process_state state_of(runtime& r) {
  return static_cast<process_state>(r.entry().state.load());
}

memory::publish_name pair(const char* service, const char* port) {
  memory::publish_name p{};
  std::strcpy(p.service, service);
  std::strcpy(p.port, port);
  return p;
}

TEST(runtime, there_is_one_in_a_process) {
  EXPECT_EQ(&runtime::of_process(), &runtime::of_process());
}

TEST(runtime, the_first_opens_and_the_last_closes) {
  runtime r(make_job(1), 0);
  EXPECT_EQ(r.attach(), "");
  EXPECT_EQ(r.attach(), "") << "whoever comes second";
  EXPECT_EQ(state_of(r), process_state::free);
  EXPECT_FALSE(r.opened());
  ASSERT_TRUE(r.open({.threads = true}).ok());
  rank* const core = &r.core();
  EXPECT_EQ(state_of(r), process_state::initialized);
  ASSERT_TRUE(r.open({.threads = false}).ok());
  EXPECT_EQ(&r.core(), core) << "the same for all";
  EXPECT_TRUE(r.threads()) << "the first has decided";
  r.close();
  EXPECT_EQ(state_of(r), process_state::initialized) << "one still owes its end";
  r.close();
  EXPECT_EQ(state_of(r), process_state::finalized);
  EXPECT_TRUE(r.opened()) << "the core stays: peers may read what was sent";
  ASSERT_TRUE(r.open({}).ok());
  EXPECT_EQ(&r.core(), core);
  EXPECT_EQ(state_of(r), process_state::initialized) << "and may be opened again";
  r.close();
  EXPECT_EQ(state_of(r), process_state::finalized);
}

TEST(runtime, is_opened_by_many_threads_at_once) {
  runtime r(make_job(1), 0);
  std::vector<std::thread> users;
  for (int i = 0; i < 8; ++i)
    users.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        EXPECT_EQ(r.attach(), "");
        ASSERT_TRUE(r.open({.threads = true}).ok());
        EXPECT_EQ(state_of(r), process_state::initialized);
        r.close();
      }
    });
  for (std::thread& user : users) user.join();
  EXPECT_EQ(state_of(r), process_state::finalized);
}

TEST(runtime, says_why_it_cannot_open) {
  auto job = make_job(2);
  auto other = std::move(*job->second_view());
  ASSERT_TRUE(other->claim(1).ok());
  runtime r(std::move(job), 1);
  const base::status opened = r.open({});
  EXPECT_EQ(opened.kind, base::code::stranger);
  EXPECT_FALSE(r.opened());
}

TEST(runtime, that_could_not_open_does_not_become_a_job_of_one) {
  auto job = make_job(2);
  auto other = std::move(*job->second_view());
  ASSERT_TRUE(other->claim(1).ok());
  runtime r(std::move(job), 1);
  EXPECT_TRUE(r.failure().ok());
  const base::status first = r.open({});
  ASSERT_FALSE(first.ok());
  EXPECT_EQ(r.failure().kind, first.kind);
  EXPECT_EQ(r.attach(), std::string("the library could not start before: ") + first.what);
  const base::status again = r.open({});
  EXPECT_EQ(again.kind, first.kind);
  EXPECT_FALSE(r.opened());
}

TEST(runtime, two_in_one_job_talk) {
  auto job = make_job(2);
  auto view = std::move(*job->second_view());
  runtime first(std::move(job), 0), second(std::move(view), 1);
  ASSERT_TRUE(first.open({.threads = true}).ok());
  ASSERT_TRUE(second.open({.threads = true}).ok());
  EXPECT_EQ(first.job().header().world_size, 2u);
  EXPECT_EQ(second.self(), 1u);
  EXPECT_NE(&first.core(), &second.core());
  first.close();
  second.close();
}

TEST(runtime, turns_identities_into_peer_numbers) {
  auto job = make_job(2);
  auto view = std::move(*job->second_view());
  runtime first(std::move(job), 0), second(std::move(view), 1), stranger(make_job(2), 0);
  EXPECT_EQ(first.id_of(1), second.id_of(1)) << "all of a job give a process the same identity";
  EXPECT_NE(first.id_of(0), first.id_of(1));
  EXPECT_EQ(*first.peer_of(second.id_of(1)), 1u);
  EXPECT_EQ(*second.peer_of(first.id_of(0)), 0u);

  EXPECT_NE(first.id_of(0), stranger.id_of(0)) << "the same index, another job";
  const auto apart = first.peer_of(stranger.id_of(0));
  EXPECT_EQ(apart.error().kind, base::code::apart);
  EXPECT_NE(std::string(apart.error().what).find("another job"), std::string::npos) << apart.error().what;
  EXPECT_EQ(first.peer_of(first.id_of(2)).error().kind, base::code::invalid) << "its table has two entries";
}

// The engine's limits are not seen from outside; what a message takes is.
TEST(runtime, takes_its_limits_from_the_machine_that_is_kept) {
  std::string folder = "/tmp/loadstone_runtime_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  model::machine quick = model::built_in();  // its kernel copies as quickly as a core can at all
  quick.vm = quick.vm_together = {};
  for (const std::int64_t n : {64, 1024, 65536, 1 << 24}) {
    const double least = 0.0005 + 0.000'004 * static_cast<double>(n);
    quick.vm.add(n, least), quick.vm_together.add(n, least);
  }
  ASSERT_TRUE(model::keep_machine(quick, kept_machine_file()));
  const auto sent_eager = [] {
    auto job = make_job(2);
    auto view = std::move(*job->second_view());
    runtime first(std::move(job), 0), second(std::move(view), 1);
    EXPECT_TRUE(first.open({.threads = true}).ok() && second.open({.threads = true}).ok());
    p2p::scope there;
    there.context = 8;
    there.rank = 0;
    there.peers = {0, 1};
    std::vector<std::byte> data(40'000);
    const auto* byte = datatype::predefined_type(datatype::basic::byte);
    p2p::engine& engine = *first.core().p2p;
    {
      const std::lock_guard guard(first.core().endpoint->gate());
      engine.send(there, {data.data(), static_cast<std::int64_t>(data.size()), byte}, 1, 5,
                  p2p::send_mode::standard);
    }
    const std::uint64_t eager = engine.counts().messages[p2p::engine::eager];
    first.close();
    second.close();
    return eager;
  };
  EXPECT_EQ(sent_eager(), 0u) << "longer than a page: it asks";
  std::filesystem::remove_all(folder);
  EXPECT_EQ(sent_eager(), 1u) << "no machine is kept";
  unsetenv("XDG_CACHE_HOME");
}

TEST(runtime, without_a_launcher_names_are_its_own) {
  auto job = make_job(2);
  auto view = std::move(*job->second_view());
  runtime first(std::move(job), 0), second(std::move(view), 1);
  memory::lookup_name look{};
  std::strcpy(look.service, "s");
  EXPECT_EQ(first.ask(look, why)->outcome, memory::name_outcome::unknown);
  EXPECT_EQ(first.ask(pair("s", "p"), why)->outcome, memory::name_outcome::done);
  EXPECT_STREQ(first.ask(look, why)->port, "p");
  EXPECT_EQ(second.ask(look, why)->outcome, memory::name_outcome::unknown);
}

TEST(runtime, asks_the_launcher_where_there_is_one) {
  auto job = make_job(1, getpid());
  auto view = std::move(*job->second_view());
  memory::request_desk desk(*view);
  memory::name_table names;
  runtime r(std::move(job), 0);
  ASSERT_TRUE(r.open({}).ok());
  std::thread asker([&] { EXPECT_EQ(r.ask(pair("s", "p"), why)->outcome, memory::name_outcome::done); });
  while (names.size() == 0) {
    desk.serve([&](const memory::request_desk::request& q) {
      memory::publish_name asked;
      ASSERT_TRUE(q.read(&asked));
      EXPECT_TRUE(desk.answer(q, names.serve(q.from, asked)));
    });
    std::this_thread::yield();
  }
  asker.join();
  r.close();
}

}  // namespace
