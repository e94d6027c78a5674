// Classes, codes and strings: the predefined ones against the ABI, the user's own against the rules of MPI
// §9.5.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "mpi/errors.hpp"

using namespace loadstone::mpi;

namespace {

TEST(error_registry, every_class_of_the_table_has_its_name_and_a_text_of_its_own) {
  std::ifstream table(LOADSTONE_ABI_FOLDER "/constants.tsv");
  std::set<std::string> texts;
  int classes = 0;
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    std::string name, type, value;
    std::getline(fields, name, '\t');
    std::getline(fields, type, '\t');
    std::getline(fields, value, '\t');
    if (name != "MPI_SUCCESS" && name.rfind("MPI_ERR_", 0) != 0 && name.rfind("MPI_T_ERR_", 0) != 0) continue;
    ++classes;
    const int number = std::stoi(value);
    EXPECT_EQ(class_name(number), name);
    EXPECT_TRUE(texts.insert(std::string(class_text(number))).second) << name;
    error_registry errors;
    EXPECT_TRUE(errors.exists(number));
    EXPECT_EQ(errors.class_of(number), number);
    EXPECT_EQ(errors.text(number).rfind(name, 0), 0u);
    EXPECT_FALSE(errors.set_text(number, "mine"));
    EXPECT_NE(errors.remove_class(number), error_registry::removal::done);
  }
  EXPECT_EQ(classes, 82);
}

TEST(error_registry, classes_and_codes_of_the_user) {
  error_registry errors;
  EXPECT_EQ(errors.last_used(), MPI_ERR_LASTCODE);
  const int mine = errors.add_class();
  EXPECT_GT(mine, MPI_ERR_LASTCODE);
  EXPECT_EQ(errors.last_used(), mine);
  EXPECT_EQ(errors.class_of(mine), mine);
  EXPECT_EQ(errors.text(mine), "");  // no string yet
  const int code = errors.add_code(mine), of_mpi = errors.add_code(MPI_ERR_IO);
  EXPECT_EQ(errors.class_of(code), mine);
  EXPECT_EQ(errors.class_of(of_mpi), MPI_ERR_IO);
  EXPECT_EQ(errors.last_used(), of_mpi);
  EXPECT_EQ(*errors.last_used_address(), of_mpi);
  EXPECT_TRUE(errors.set_text(code, "too hot"));
  EXPECT_EQ(errors.text(code), "too hot");
  EXPECT_FALSE(errors.exists(of_mpi + 1));
  EXPECT_EQ(errors.class_of(of_mpi + 1), MPI_ERR_UNKNOWN);
  EXPECT_FALSE(errors.set_text(of_mpi + 1, "x"));
}

TEST(error_registry, removal_goes_from_the_string_to_the_class) {
  using removal = error_registry::removal;
  error_registry errors;
  const int mine = errors.add_class(), code = errors.add_code(mine);
  errors.set_text(code, "too hot");
  EXPECT_EQ(errors.remove_class(mine), removal::in_use);
  EXPECT_EQ(errors.remove_code(code), removal::in_use);
  EXPECT_EQ(errors.remove_code(mine), removal::unknown);  // a class is not a code here
  EXPECT_EQ(errors.remove_class(code), removal::unknown);
  EXPECT_EQ(errors.remove_text(code), removal::done);
  EXPECT_EQ(errors.remove_text(code), removal::unknown);
  EXPECT_EQ(errors.remove_code(code), removal::done);
  EXPECT_EQ(errors.remove_class(mine), removal::done);
  EXPECT_FALSE(errors.exists(mine));
  EXPECT_EQ(errors.remove_class(mine), removal::unknown);
  const int next = errors.add_class();
  EXPECT_NE(next, code);  // numbers are not used twice
}

}  // namespace
