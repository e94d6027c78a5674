// The table of settings: what is read, what it does, and what is said of mistakes.
#include "rank/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "model/kept_machine.hpp"
#include "model/protocols.hpp"
#include "p2p/limits.hpp"

namespace loadstone {
namespace {

using ::testing::HasSubstr;

variables of(std::vector<std::string_view> environment) {
  return variables_of(environment);
}
rank::config configured(std::vector<std::string_view> environment) {
  return config_of(of(std::move(environment)));
}
std::string complaints(std::vector<std::string_view> environment) {
  return complaints_about(of(std::move(environment)));
}

TEST(settings, each_has_a_name_of_its_own_and_a_default_of_use) {
  std::set<std::string> names;
  for (const setting& s : settings()) {
    EXPECT_TRUE(names.insert(s.name).second) << s.name;
    EXPECT_EQ(useless(s, s.initial), "") << s.name;
    EXPECT_FALSE(s.description.empty()) << s.name;
    EXPECT_EQ(s.description.find('\n'), std::string::npos) << s.name;
    EXPECT_EQ(s.name.starts_with("LOADSTONE_"), s.who != setting_user::test) << s.name;
    EXPECT_EQ(s.kind == setting_kind::word, !s.words.empty()) << s.name;
    EXPECT_LE(s.least, s.most) << s.name;
    EXPECT_EQ(find_setting(s.name), &s);
  }
  EXPECT_GE(names.size(), 25u);
  EXPECT_EQ(find_setting("LOADSTONE_NOTHING"), nullptr);
}

// Every setting that the library reads: another value than the default changes what it is for.
TEST(settings, each_does_what_it_says) {
  using deposit::endpoint_config;
  EXPECT_EQ(configured({"LOADSTONE_EAGER_LIMIT=77"}).p2p.eager_limit, 77u);
  EXPECT_EQ(configured({"LOADSTONE_UNEXPECTED=77"}).p2p.unexpected_limit, 77u);
  EXPECT_EQ(configured({"LOADSTONE_TEST=direct_limit=77"}).p2p.direct_limit, 77u);
  EXPECT_EQ(configured({"LOADSTONE_TEST=pipeline_block=77"}).p2p.pipeline_block, 77u);
  EXPECT_EQ(configured({"LOADSTONE_TEST=pipeline_limit=0"}).p2p.pipeline_limit, 0u);
  EXPECT_EQ(configured({"LOADSTONE_TEST=both_sides=0"}).p2p.both_sides, 0u);
  EXPECT_EQ(configured({"LOADSTONE_TEST=both_sides=1"}).p2p.both_sides, 1u);
  EXPECT_EQ(configured({"LOADSTONE_TEST=both_sides=automatic"}).p2p.both_sides,
            p2p::engine_config::automatic);
  EXPECT_TRUE(configured({"LOADSTONE_TEST=machine=kept"}).kept_machine);
  EXPECT_FALSE(configured({"LOADSTONE_TEST=machine=built_in"}).kept_machine);
  EXPECT_EQ(configured({"LOADSTONE_TEST=overlap=0"}).endpoint.overlap, 0u);
  EXPECT_EQ(configured({"LOADSTONE_TEST=overlap=1"}).endpoint.overlap, 1u);
  EXPECT_EQ(configured({"LOADSTONE_TEST=inbox_slots=8"}).endpoint.inbox_slots, 8u);
  EXPECT_EQ(configured({}).rma.help, rma::engine_config::owners::automatic);
  EXPECT_EQ(configured({"LOADSTONE_TEST=rma_owners=0"}).rma.help, rma::engine_config::owners::never);
  EXPECT_EQ(configured({"LOADSTONE_TEST=rma_owners=1"}).rma.help, rma::engine_config::owners::always);
  EXPECT_EQ(configured({"LOADSTONE_TEST=rma_owners=thread"}).rma.help, rma::engine_config::owners::thread);
  EXPECT_EQ(configured({"LOADSTONE_TEST=pair_lines=3"}).endpoint.pair_lines, 3u);
  EXPECT_EQ(configured({"LOADSTONE_TEST=cells=77"}).endpoint.cell_bytes_limit, 77u);
  EXPECT_EQ(configured({"LOADSTONE_TEST=mappings=3"}).mappings.max_entries, 3u);
  using rule = transport::choice::rule_kind;
  EXPECT_EQ(configured({"LOADSTONE_TEST=transport=poor"}).endpoint.transport.rule, rule::poor);
  EXPECT_EQ(configured({"LOADSTONE_TEST=transport=mixed"}).endpoint.transport.rule, rule::mixed);
  EXPECT_TRUE(configured({"LOADSTONE_TEST=integrity=1"}).endpoint.transport.integrity);
  EXPECT_EQ(configured({"LOADSTONE_TEST=poor_loses=77"}).endpoint.transport.lost, 77u);
  EXPECT_FALSE(configured({"LOADSTONE_VM=0"}).endpoint.vm);
  EXPECT_EQ(configured({"LOADSTONE_WAIT=block"}).endpoint.waiting, wait::mode::block);
  EXPECT_EQ(configured({"LOADSTONE_WAIT=spin"}).endpoint.waiting, wait::mode::spin);
  EXPECT_EQ(configured({"LOADSTONE_PROGRESS=on"}).endpoint.progress, endpoint_config::progress_kind::on);
  EXPECT_EQ(configured({"LOADSTONE_PROGRESS=auto"}).endpoint.progress,
            endpoint_config::progress_kind::automatic);
  EXPECT_EQ(configured({"LOADSTONE_COLL_bcast=chain"}).coll.get("bcast"), "chain");
  EXPECT_EQ(configured({"LOADSTONE_COLL_reduce_scatter=by_root"}).coll.get("reduce_scatter"), "by_root");
}

// With nothing set, and with every default said, a rank is as its layers deliver it.
TEST(settings, defaults_are_those_of_the_layers) {
  std::vector<std::string> words;
  for (const setting& s : settings())
    words.push_back((s.who == setting_user::test ? "LOADSTONE_TEST=" : "") + s.name + '=' + s.initial);
  const std::vector<std::string_view> views(words.begin(), words.end());
  EXPECT_EQ(complaints_about(variables_of(views)), "");
  const rank::config delivered;
  for (const rank::config& c : {config_of({}), config_of(variables_of(views))}) {
    EXPECT_EQ(c.endpoint.vm, delivered.endpoint.vm);
    EXPECT_EQ(c.p2p.eager_limit, delivered.p2p.eager_limit);
    EXPECT_EQ(c.p2p.direct_limit, delivered.p2p.direct_limit);
    EXPECT_EQ(c.p2p.unexpected_limit, delivered.p2p.unexpected_limit);
    EXPECT_EQ(c.p2p.pipeline_block, delivered.p2p.pipeline_block);
    EXPECT_EQ(c.p2p.pipeline_limit, delivered.p2p.pipeline_limit);
    EXPECT_EQ(c.p2p.both_sides, delivered.p2p.both_sides);
    EXPECT_EQ(c.kept_machine, delivered.kept_machine);
    EXPECT_EQ(c.mappings.max_entries, delivered.mappings.max_entries);
    EXPECT_EQ(c.endpoint.overlap, delivered.endpoint.overlap);
    EXPECT_EQ(c.endpoint.inbox_slots, delivered.endpoint.inbox_slots);
    EXPECT_EQ(c.endpoint.pair_lines, delivered.endpoint.pair_lines);
    EXPECT_EQ(c.endpoint.cell_bytes_limit, delivered.endpoint.cell_bytes_limit);
    EXPECT_EQ(c.endpoint.waiting, delivered.endpoint.waiting);
    EXPECT_EQ(c.endpoint.progress, delivered.endpoint.progress);
    EXPECT_EQ(c.endpoint.transport.rule, delivered.endpoint.transport.rule);
    EXPECT_EQ(c.endpoint.transport.integrity, delivered.endpoint.transport.integrity);
    EXPECT_EQ(c.endpoint.transport.lost, delivered.endpoint.transport.lost);
    EXPECT_EQ(c.coll.get("allreduce"), "auto");
  }
}

TEST(settings, several_parameters_of_tests) {
  const rank::config c =
      configured({"HOME=/", "LOADSTONE_TEST=both_sides=0,pipeline_limit=5,cells=4096", "X"});
  EXPECT_EQ(c.p2p.both_sides, 0u);
  EXPECT_EQ(c.p2p.pipeline_limit, 5u);
  EXPECT_EQ(c.endpoint.cell_bytes_limit, 4096u);
  EXPECT_EQ(complaints({"LOADSTONE_TEST=both_sides=0,pipeline_limit=5,"}), "");
  EXPECT_EQ(complaints({"LOADSTONE_TEST="}), "");
}

TEST(settings, values_of_no_use_are_told_and_change_nothing) {
  const auto refused = [](const char* word, const char* why) {
    EXPECT_THAT(complaints({word}), HasSubstr(why)) << word;
    const rank::config c = configured({word}), delivered;
    EXPECT_EQ(c.p2p.eager_limit, delivered.p2p.eager_limit) << word;
    EXPECT_EQ(c.endpoint.inbox_slots, delivered.endpoint.inbox_slots) << word;
    EXPECT_EQ(c.endpoint.pair_lines, delivered.endpoint.pair_lines) << word;
    EXPECT_EQ(c.endpoint.transport.lost, delivered.endpoint.transport.lost) << word;
    EXPECT_EQ(c.mappings.max_entries, delivered.mappings.max_entries) << word;
    EXPECT_EQ(c.endpoint.waiting, delivered.endpoint.waiting) << word;
  };
  for (const char* word : {"LOADSTONE_EAGER_LIMIT=64k", "LOADSTONE_EAGER_LIMIT=-1",
                           "LOADSTONE_EAGER_LIMIT= 5", "LOADSTONE_EAGER_LIMIT=99999999999999999999"})
    refused(word, ": expected a number of bytes without a unit\n");
  refused("LOADSTONE_TEST=inbox_slots=100", "inbox_slots=100: expected a power of two");
  refused("LOADSTONE_TEST=inbox_slots=1", "at least 2");
  refused("LOADSTONE_TEST=inbox_slots=4294967296", "at most 512");
  refused("LOADSTONE_TEST=pair_lines=1025", "expected a number, at most 1024");
  refused("LOADSTONE_TEST=poor_loses=500001", "at most 500000");
  refused("LOADSTONE_TEST=mappings=0", "at least 1");
  refused("LOADSTONE_WAIT=patiently", "expected one of adaptive spin block");
  EXPECT_EQ(complaints({"LOADSTONE_EAGER_LIMIT="}), "") << "empty is as good as not set";
}

TEST(settings, names_that_nothing_reads_are_told) {
  EXPECT_EQ(complaints({"LOADSTONE_EAGER_LIMT=5"}),
            "LOADSTONE_EAGER_LIMT: nothing reads a variable of this name\n");
  EXPECT_EQ(complaints({"LOADSTONE_COLL_alltoallw=linear"}),
            "LOADSTONE_COLL_alltoallw: there is no choice of algorithms for it\n");
  EXPECT_EQ(complaints({"LOADSTONE_BOTH_SIDES=0"}),
            "LOADSTONE_BOTH_SIDES: nothing reads it; for tests and trials: LOADSTONE_TEST=both_sides=…\n");
  EXPECT_EQ(complaints({"LOADSTONE_TEST=speed=high"}), "LOADSTONE_TEST: there is no parameter speed\n");
  EXPECT_EQ(complaints({"LOADSTONE_RANK=1", "LOADSTONE_CC=gcc", "LOADSTONE_TEST_SEED=5", "LOADSTONE_SEED=5",
                        "LOADSTONE_TOPOLOGY=core:4 pu:1", "LOADSTONE_ARENA_LIMIT=4096"}),
            "");
}

// --- the machine that is kept for this host ---

class kept_machine : public ::testing::Test {
 protected:
  kept_machine() {
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    before_ = std::getenv("XDG_CACHE_HOME") != nullptr ? std::getenv("XDG_CACHE_HOME") : "";
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~kept_machine() override {
    if (before_.empty())
      unsetenv("XDG_CACHE_HOME");
    else
      setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  // Its kernel copies at once: nothing that is longer than a page should go through cells.
  static model::machine quick_kernel() {
    model::machine m = model::built_in();
    m.vm = m.vm_together = {};
    for (const std::int64_t n : {64, 1 << 24}) {
      const double time = static_cast<double>(n) / 3e5;  // 300 GB/s
      m.vm.add(n, time), m.vm_together.add(n, time);
    }
    return m;
  }
  std::string folder_ = "/tmp/loadstone_settings_XXXXXX", before_;
};

TEST_F(kept_machine, its_limits_hold_where_nothing_is_set) {
  ASSERT_TRUE(model::keep_machine(quick_kernel(), kept_machine_file()));
  EXPECT_THAT(kept_machine_file(), HasSubstr(folder_));
  const model::thresholds expected = model::thresholds_of(quick_kernel()), built_in;
  ASSERT_NE(expected.eager, built_in.eager);
  rank::config c = configured({"LOADSTONE_TEST=pipeline_limit=77"});
  ASSERT_TRUE(machine_of(&c).has_value());
  const p2p::limits l = p2p::limits_of(c.p2p, {.cores = 4, .processes = 4});
  EXPECT_EQ(static_cast<std::int64_t>(l.eager_limit), expected.eager);
  EXPECT_EQ(static_cast<std::int64_t>(l.direct_limit), expected.direct);
  EXPECT_EQ(l.pipeline_limit, 77u) << "that is set";
}

TEST_F(kept_machine, is_not_used_where_it_is_not_wanted_or_not_there) {
  const auto eager = [](std::vector<std::string_view> words) {
    rank::config c = configured(std::move(words));
    (void)machine_of(&c);
    return c.p2p.machine.eager;
  };
  const std::int64_t built_in = model::thresholds{}.eager;
  EXPECT_EQ(eager({}), built_in) << "there is none";
  ASSERT_TRUE(model::keep_machine(quick_kernel(), kept_machine_file()));
  EXPECT_NE(eager({}), built_in);
  EXPECT_EQ(eager({"LOADSTONE_TEST=machine=built_in"}), built_in);
  std::ofstream(kept_machine_file(), std::ios::app) << "more";
  EXPECT_NE(eager({}), built_in) << "what follows the end is nothing";
  std::string text = model::write(quick_kernel(), "another processor");
  std::ofstream(kept_machine_file()) << text;
  EXPECT_EQ(eager({}), built_in) << "of another machine";
  text = model::write(quick_kernel(), model::about_this_machine());
  std::ofstream(kept_machine_file()) << text.substr(0, text.size() / 2);
  EXPECT_EQ(eager({}), built_in) << "cut off";
}

}  // namespace
}  // namespace loadstone
