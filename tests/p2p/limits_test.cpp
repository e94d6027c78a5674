#include "p2p/limits.hpp"

#include <gtest/gtest.h>

#include "model/protocols.hpp"
#include "p2p/arrival.hpp"
#include "p2p/copy_costs.hpp"

namespace loadstone::p2p::limits_test {
namespace {

constexpr surroundings enough{.cores = 4, .processes = 4}, crowded{.cores = 2, .processes = 4};
template <class Change>
engine_config with(Change change) {
  engine_config c;
  change(c);
  return c;
}
engine_config eager_up_to(std::size_t bytes) {
  return with([=](engine_config& c) { c.eager_limit = bytes; });
}
engine_config both_sides(std::size_t how) {
  return with([=](engine_config& c) { c.both_sides = how; });
}
constexpr auto inline_bytes = static_cast<std::int64_t>(inline_payload);

TEST(limits, as_delivered_with_a_core_for_each) {
  const limits l = limits_of({}, enough);
  EXPECT_EQ(l.eager_limit, 65536u);
  EXPECT_EQ(l.direct_limit, 16384u);
  EXPECT_EQ(l.both_sides, 1u);
  EXPECT_EQ(l.pipeline_limit, 1u << 30);
  EXPECT_EQ(l.short_message, inline_bytes);
  EXPECT_EQ(l.untold, 65536);
  EXPECT_EQ(l.by_turns, 16384);
  EXPECT_EQ(l.at_once, 256 * 1024);
}

TEST(limits, of_a_machine_that_nobody_has_counted_the_same) {
  const limits l = limits_of({}, {.cores = 0, .processes = 1000});
  EXPECT_EQ(l.both_sides, 1u);
  EXPECT_EQ(l.at_once, 256 * 1024);
}

TEST(limits, more_processes_than_cores) {
  const limits l = limits_of({}, crowded);
  EXPECT_EQ(l.both_sides, 0u);
  EXPECT_EQ(l.pipeline_limit, 0u);
  EXPECT_EQ(l.direct_limit, l.eager_limit) << "an answer takes a change of processes";
  EXPECT_EQ(l.by_turns, 65536);
  EXPECT_EQ(l.at_once, 0);
  EXPECT_EQ(limits_of(both_sides(1), crowded).both_sides, 1u) << "who says so gets it";
  EXPECT_EQ(limits_of(both_sides(0), enough).both_sides, 0u);
}

TEST(limits, threads_and_a_progress_thread) {
  surroundings here = enough;
  here.threads = true;
  EXPECT_EQ(limits_of({}, here).pipeline_limit, 0u);
  EXPECT_EQ(limits_of({}, here).direct_limit, 16384u);
  here.progress_thread = true;
  EXPECT_EQ(limits_of({}, here).direct_limit, 65536u);
}

TEST(limits, a_lower_eager_limit_makes_senders_wait) {
  const limits l = limits_of(eager_up_to(40), enough);
  EXPECT_EQ(l.short_message, 40);
  EXPECT_EQ(l.untold, 40);
  EXPECT_EQ(l.by_turns, 40);
  EXPECT_EQ(l.at_once, 0);
  EXPECT_EQ(l.direct_limit, 40u);
  EXPECT_EQ(limits_of(eager_up_to(65535), enough).at_once, 0);
  EXPECT_EQ(limits_of(eager_up_to(0), enough).short_message, 0);
}

TEST(limits, what_cannot_be_is_put_right) {
  const limits much =
      limits_of(with([](engine_config& c) { c.eager_limit = c.pipeline_block = 1u << 30; }), enough);
  EXPECT_EQ(much.eager_limit, deposit::max_message);
  EXPECT_EQ(much.pipeline_block, deposit::max_message);
  EXPECT_EQ(much.untold, much.at_once - 1) << "a longer receive is advertised whatever the eager limit";
  const limits little = limits_of(with([](engine_config& c) { c.pipeline_block = 0; }), enough);
  EXPECT_EQ(little.pipeline_block, 1u);
  EXPECT_EQ(little.at_once, 1);
  EXPECT_EQ(limits_of(with([](engine_config& c) { c.direct_limit = 0; }), enough).by_turns, 8192)
      << "short ones are sent before anybody looks";
}

// What is delivered is what the model derives from the machine that is built in.
TEST(limits, delivered_as_the_model_derives_them) {
  const model::thresholds delivered, t = model::thresholds_of(model::built_in());
  EXPECT_EQ(delivered.eager, t.eager);
  EXPECT_EQ(delivered.direct, t.direct);
  EXPECT_EQ(delivered.pipeline, t.pipeline);
}

TEST(limits, of_another_machine) {
  engine_config c;
  c.machine = {.eager = 32768, .direct = 8192, .pipeline = 1 << 20};
  const limits l = limits_of(c, enough);
  EXPECT_EQ(l.eager_limit, 32768u);
  EXPECT_EQ(l.direct_limit, 8192u);
  EXPECT_EQ(l.pipeline_limit, 1u << 20);
  EXPECT_EQ(l.untold, 32768);
  EXPECT_EQ(l.at_once, 256 * 1024) << "nobody has lowered the eager limit";
  EXPECT_EQ(limits_of(c, crowded).least_advertised, 32769);
  c.eager_limit = 65536;
  EXPECT_EQ(limits_of(c, enough).eager_limit, 65536u) << "what is set holds on any machine";
  EXPECT_EQ(limits_of(c, enough).at_once, 256 * 1024);
  c.eager_limit = 32767;
  EXPECT_EQ(limits_of(c, enough).at_once, 0) << "less than the machine's: senders shall wait";
  c.eager_limit = 0;
  c.pipeline_limit = 0;
  EXPECT_EQ(limits_of(c, enough).eager_limit, 0u);
  EXPECT_EQ(limits_of(c, enough).pipeline_limit, 0u);
}

}  // namespace
}  // namespace loadstone::p2p::limits_test
