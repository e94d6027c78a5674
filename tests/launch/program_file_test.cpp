// What the file of a program says of itself, and which libraries belong to an MPI.
#include "launch/program_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <random>

#include "launch/foreign_mpi.hpp"

namespace loadstone::launch {
namespace {

TEST(program_file, names_the_libraries_it_is_linked_with) {
  const std::vector<std::string> libraries = read_linkage("/proc/self/exe").libraries;
  const bool c = std::find(libraries.begin(), libraries.end(), "libc.so.6") != libraries.end();
  EXPECT_TRUE(c) << libraries.size();
  EXPECT_TRUE(read_linkage(__FILE__).libraries.empty());
  EXPECT_TRUE(read_linkage("/nowhere").libraries.empty());
  EXPECT_TRUE(read_linkage("/").libraries.empty());
}

TEST(program_file, of_whatever_form_is_read_within_its_bounds) {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::string all((std::istreambuf_iterator<char>(self)), {});
  all.resize(std::min<std::size_t>(all.size(), 1 << 20));
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const std::string name = testing::TempDir() + "program_" + std::to_string(getpid());
  for (int i = 0; i < 200; ++i) {
    std::string text = all.substr(0, i % 3 == 0 ? 2048 + random() % 4096 : all.size());
    for (unsigned k = 0; k < 20; ++k) text[16 + random() % 2032] = static_cast<char>(random());
    std::ofstream(name, std::ios::binary) << text;
    static_cast<void>(read_linkage(name));
  }
  unlink(name.c_str());
}

TEST(foreign_mpi, libraries) {
  for (const char* name :
       {"libmpi.so", "libmpi.so.40", "libmpi.so.12.3.1", "libmpich.so.12", "libmpi_mpifh.so.40",
        "libmpi_cxx.so.40", "libmpicxx.so.12", "libmpifort.so.12", "libmpi_abi.so.1"})
    EXPECT_TRUE(is_mpi_library(name)) << name;
  for (const char* name :
       {"libmpir.so.23", "libmpi", "libmpi.a", "libmpi4.so", "libmp.so.3", "mpi.so", "libmpifr.so"})
    EXPECT_FALSE(is_mpi_library(name)) << name;
}

TEST(foreign_mpi, maps) {
  const std::string theirs = "7f00-7f01 r-xp 00000000 08:01 12      /opt/a b/lib/libmpi.so.40.30.1\n";
  const std::string ours = "7f02-7f03 r-xp 00000000 08:01 13      /opt/l/lib/libloadstone.so.0.1.0\n";
  const std::string other =
      "7f04-7f05 rw-p 00000000 00:00 0 \n7f06-7f07 r-xp 00000000 08:01 14 /lib/libc.so.6\n";
  EXPECT_EQ(mpi_in_maps(other + theirs), "/opt/a b/lib/libmpi.so.40.30.1");
  EXPECT_EQ(mpi_in_maps(other + ours), "");
  EXPECT_EQ(mpi_in_maps(theirs + ours), "") << "a program may load both; it can call ours";
  EXPECT_EQ(mpi_in_maps(""), "");
}

}  // namespace
}  // namespace loadstone::launch
