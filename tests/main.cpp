// A program of GoogleTest whose tests come from several files. --file=NAME runs those of NAME.cpp; the filter that the
// environment or the command line gives chooses among them.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view option = "--file=";

// Adds the tests of all other files to what the filter leaves out. How many are of this one.
int keep_only(std::string_view file) {
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  std::string& filter = GTEST_FLAG_GET(filter);
  filter += filter.find('-') == std::string::npos ? "-" : ":";
  int kept = 0;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const ::testing::TestInfo& test = *suite.GetTestInfo(k);
      if (std::filesystem::path(test.file()).stem() == file)
        ++kept;
      else
        filter.append(suite.name()).append(".").append(test.name()).append(":");
    }
  }
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.substr(0, option.size()) == option && keep_only(word.substr(option.size())) > 0) continue;
    std::fprintf(stderr, "%s: '%s' is no option, or names a file without tests\n", argv[0], argv[i]);
    return 2;
  }
  return RUN_ALL_TESTS();
}
