#include "memory/name_table.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

using namespace loadstone::memory;

namespace {

template <class Request>
Request about(const std::string& service, const std::string& port) {
  Request r{};
  std::strcpy(r.service, service.c_str());
  std::strcpy(r.port, port.c_str());
  return r;
}

name_outcome publish(name_table& t, std::uint32_t from, const std::string& service, const std::string& port) {
  return t.serve(from, about<publish_name>(service, port)).outcome;
}

name_outcome withdraw(name_table& t, const std::string& service, const std::string& port) {
  return t.serve(0, about<unpublish_name>(service, port)).outcome;
}

std::string find(name_table& t, const std::string& service) {
  lookup_name r{};
  std::strcpy(r.service, service.c_str());
  const lookup_name::answer answer = t.serve(0, r);
  return answer.outcome == name_outcome::done ? answer.port : "-";
}

TEST(name_table, keeps_a_port_for_a_service) {
  name_table t;
  EXPECT_EQ(find(t, "a"), "-");
  EXPECT_EQ(publish(t, 1, "a", "port 1"), name_outcome::done);
  EXPECT_EQ(publish(t, 2, "b", ""), name_outcome::done);
  EXPECT_EQ(find(t, "a"), "port 1");
  EXPECT_EQ(find(t, "b"), "");
  EXPECT_EQ(publish(t, 2, "a", "port 2"), name_outcome::taken);
  EXPECT_EQ(find(t, "a"), "port 1");
}

TEST(name_table, withdraws_the_pair_that_was_published) {
  name_table t;
  EXPECT_EQ(withdraw(t, "a", "p"), name_outcome::unknown);
  publish(t, 1, "a", "p");
  EXPECT_EQ(withdraw(t, "a", "q"), name_outcome::unknown);
  EXPECT_EQ(find(t, "a"), "p");
  EXPECT_EQ(withdraw(t, "a", "p"), name_outcome::done);
  EXPECT_EQ(withdraw(t, "a", "p"), name_outcome::unknown);
  EXPECT_EQ(publish(t, 2, "a", "q"), name_outcome::done);
  EXPECT_EQ(find(t, "a"), "q");
}

TEST(name_table, forgets_what_a_process_has_published) {
  name_table t;
  publish(t, 1, "a", "p");
  publish(t, 2, "b", "q");
  publish(t, 1, "c", "r");
  t.forget(1);
  EXPECT_EQ(t.size(), 1u);
  EXPECT_EQ(find(t, "b"), "q");
}

TEST(name_table, has_an_end) {
  name_table t(2);
  publish(t, 1, "a", "p");
  publish(t, 1, "b", "p");
  EXPECT_EQ(publish(t, 1, "c", "p"), name_outcome::full);
  EXPECT_EQ(publish(t, 1, "a", "p"), name_outcome::taken);
  EXPECT_EQ(t.size(), 2u);
}

TEST(name_table, takes_the_longest_and_nothing_that_has_no_end) {
  name_table t;
  const std::string longest(name_bytes - 1, 'x');
  EXPECT_EQ(publish(t, 1, longest, longest), name_outcome::done);
  EXPECT_EQ(find(t, longest), longest);
  publish_name wild{};
  std::memset(wild.service, 'x', name_bytes);
  EXPECT_EQ(t.serve(1, wild).outcome, name_outcome::garbled);
  std::memset(&wild, 0, sizeof wild);
  std::memset(wild.port, 'x', name_bytes);
  EXPECT_EQ(t.serve(1, wild).outcome, name_outcome::garbled);
  lookup_name lost{};
  std::memset(lost.service, 'x', name_bytes);
  EXPECT_EQ(t.serve(1, lost).outcome, name_outcome::garbled);
  unpublish_name never{};
  std::memset(never.port, 'x', name_bytes);
  EXPECT_EQ(t.serve(1, never).outcome, name_outcome::garbled);
  EXPECT_EQ(t.size(), 1u);
}

}  // namespace
