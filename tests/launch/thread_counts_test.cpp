// What ranks are told of threads, and how it is found out whether a program starts any.
#include "launch/thread_counts.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/text_file.hpp"
#include "launch/elf.hpp"

namespace loadstone::launch {

namespace {

variable_lookup having(std::map<std::string, std::string> set) {
  return [set = std::move(set)](const char* name) -> const char* {
    const auto found = set.find(name);
    return found == set.end() ? nullptr : found->second.c_str();
  };
}

TEST(thread_counts, are_told_where_the_mask_does_not_say_them) {
  const variables one = {{"OMP_NUM_THREADS", "1"}, {"OMP_WAIT_POLICY", "passive"}};
  EXPECT_EQ(thread_variables(having({}), 1, 2, true), one);
  EXPECT_EQ(thread_variables(having({}), 4, 8, false), (variables{{"OMP_NUM_THREADS", "4"}}));
  EXPECT_EQ(thread_variables(having({}), 4, 4, false), variables{});
}

TEST(thread_counts, are_the_users_if_any_of_them_is_set) {
  for (const char* name :
       {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS",
        "BLIS_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "KMP_HW_SUBSET"}) {
    EXPECT_EQ(thread_variables(having({{name, "1"}}), 1, 2, false), variables{}) << name;
    EXPECT_EQ(thread_variables(having({{name, "1"}}), 1, 2, true),
              (variables{{"OMP_WAIT_POLICY", "passive"}}))
        << name;
    EXPECT_EQ(threads_set_by_user(having({{name, "1"}})), std::string(name) + "=1");
  }
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"})
    EXPECT_EQ(thread_variables(having({{name, "1"}}), 1, 2, true), (variables{{"OMP_NUM_THREADS", "1"}}))
        << name;
  EXPECT_EQ(thread_variables(having({{"OMP_NUM_THREADS", "8"}}), 4, 4, false),
            (variables{{"OMP_WAIT_POLICY", "passive"}}))
      << "more threads than it has cores";
}

TEST(thread_counts, that_the_runtimes_ignore_are_replaced) {
  for (const char* odd : {"", "0", "x", "-3", ",2"}) {
    for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}) {
      const variable_lookup set = having({{name, odd}});
      EXPECT_EQ(thread_variables(set, 1, 2, false), (variables{{"OMP_NUM_THREADS", "1"}}))
          << name << "=" << odd;
      EXPECT_EQ(threads_set_by_user(set), "") << name << "=" << odd;
    }
  }
  const variable_lookup both = having({{"OMP_NUM_THREADS", "0"}, {"MKL_NUM_THREADS", "2"}});
  EXPECT_EQ(thread_variables(both, 2, 4, false), variables{}) << "the other one counts";
  EXPECT_EQ(threads_set_by_user(having({{"OMP_THREAD_LIMIT", ""}})), "OMP_THREAD_LIMIT=");
}

TEST(thread_counts, that_the_user_wishes) {
  EXPECT_EQ(wished_threads(having({})), 0U);
  EXPECT_EQ(wished_threads(having({{"OMP_NUM_THREADS", "4,2"}})), 4U);
  EXPECT_EQ(wished_threads(having({{"OMP_NUM_THREADS", "2"}, {"MKL_NUM_THREADS", "3"}})), 3U);
  for (const char* odd : {"", "x", "-3", "0"})
    EXPECT_EQ(wished_threads(having({{"OMP_NUM_THREADS", odd}})), 0U) << odd;
}

TEST(thread_counts, what_is_given_with_x_is_the_users) {
  setenv("OMP_NUM_THREADS", "5", 1);
  application program;
  EXPECT_EQ(wished_threads(environment_of(program)), 5U);
  program.environment = {{"OMP_NUM_THREADS", "3"}, {"OMP_NUM_THREADS", "2"}};
  EXPECT_EQ(wished_threads(environment_of(program)), 2U) << "the last one holds";
  program.environment.clear();
  program.inherited.all = false;
  EXPECT_EQ(wished_threads(environment_of(program)), 0U) << "not handed on";
  unsetenv("OMP_NUM_THREADS");
}

threading of(const std::string& program) {
  return threading_of(program, [](const char* name) -> const char* { return std::getenv(name); });
}

TEST(program_threads, of_programs_made_for_this) {
#ifndef SANITIZED  // a sanitizer's runtime starts threads
  EXPECT_EQ(of(MPI_PROGRAM), threading::none);
#endif
  EXPECT_EQ(of(MPI_PROGRAM_WITH_THREADS), threading::some);
  EXPECT_EQ(of("/bin/sh"), threading::unknown) << "no MPI in it: it may start anything";
  EXPECT_EQ(of("/etc/passwd"), threading::unknown) << "not machine code";
  EXPECT_EQ(of("no-such-program"), threading::unknown);
  EXPECT_EQ(of(""), threading::unknown);
}

TEST(program_threads, of_a_program_whose_library_is_not_found) {
  const std::string copy = testing::TempDir() + "alone_" + std::to_string(getpid());
  std::string bytes = base::read_text_file(MPI_PROGRAM);
  const std::size_t name = bytes.find("libmpi_abi.so");
  ASSERT_NE(name, bytes.npos);
  bytes.replace(name, 13, "libmpi_xyz.so");  // an MPI of somebody else, nowhere to be found
  std::ofstream(copy, std::ios::binary) << bytes;
  EXPECT_EQ(of(copy), threading::unknown);
  std::filesystem::remove(copy);
}

TEST(elf, damaged_files_are_read_to_no_harm) {
  const std::string copy = testing::TempDir() + "damaged_" + std::to_string(getpid());
  const std::string whole = base::read_text_file(MPI_PROGRAM);
  ASSERT_TRUE(read_dynamic(MPI_PROGRAM).has_value());
  std::uint64_t seed = 42;
  const auto next = [&seed] { return seed = seed * 6364136223846793005u + 1442695040888963407u, seed >> 33; };
  for (int round = 0; round < 400; ++round) {
    std::string bytes = whole;
    if (round % 2 == 0) bytes.resize(next() % (round % 4 == 0 ? 4096 : bytes.size()));
    for (int i = 0; i < 8 && !bytes.empty(); ++i)
      bytes[next() % (i < 4 ? std::min<std::size_t>(bytes.size(), 1024) : bytes.size())] =
          static_cast<char>(next());
    std::ofstream(copy, std::ios::binary | std::ios::trunc) << bytes;
    if (const auto found = read_dynamic(copy)) {
      EXPECT_LE(found->names.size(), bytes.size());
      static_cast<void>(found->mentions("pthread_create"));
    }
  }
  std::filesystem::remove(copy);
}

TEST(elf, the_loaders_cache) {
  const std::string cache = base::read_text_file("/etc/ld.so.cache");
  if (cache.empty()) GTEST_SKIP() << "this system has none";
  EXPECT_TRUE(in_loader_cache(cache, "libc.so.6").starts_with('/'));
  EXPECT_EQ(in_loader_cache(cache, "libnothing-of-the-kind.so"), "");
  for (std::size_t n = 0; n < 400; ++n) static_cast<void>(in_loader_cache(cache.substr(0, n), "libc.so.6"));
  EXPECT_EQ(in_loader_cache("ld.so-1.7.0", "libc.so.6"), "");
}

}  // namespace

}  // namespace loadstone::launch
