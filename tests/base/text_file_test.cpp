#include "base/text_file.hpp"

#include <gtest/gtest.h>

#include "base/cpus.hpp"

using namespace loadstone::base;

TEST(text_file, reads_what_is_there_and_nothing_else) {
  EXPECT_NE(read_text_file("/proc/self/status").find("Pid:"), std::string::npos);
  EXPECT_EQ(read_text_file("/nonexistent/file"), "");
  EXPECT_EQ(read_text_file("/proc"), "");
}

TEST(text_file, finds_numbers_at_the_start_of_lines) {
  std::string text = "total 7\ninactive_file 12\ntotal_inactive_file 99\noom 3\noom_kill 5\n";
  EXPECT_EQ(number_after(text, "inactive_file"), 12);
  EXPECT_EQ(number_after(text, "oom_kill"), 5);
  EXPECT_EQ(number_after(text, "absent"), -1);
  EXPECT_EQ(number_after("", "x"), -1);
  EXPECT_EQ(number_after("x", "x"), -1);
}

TEST(cpus, at_least_one) {
  EXPECT_GE(usable_cpus(), 1u);
}
