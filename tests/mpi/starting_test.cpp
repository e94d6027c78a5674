// What MPI says when the library cannot start.
#include <string>

#include "mpi/ranks.hpp"

using namespace loadstone;

namespace {

std::string why_not(int expected_class) {
  MPI_Session session = MPI_SESSION_NULL;
  const int error = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  EXPECT_EQ(session, MPI_SESSION_NULL);
  int error_class = MPI_SUCCESS, length = 0;
  MPI_Error_class(error, &error_class);
  EXPECT_EQ(error_class, expected_class);
  char text[MPI_MAX_ERROR_STRING] = "";
  MPI_Error_string(error, text, &length);
  return text;
}

TEST(starting, is_not_tried_again) {
  memory::job_config config;
  config.world_size = 2;
  auto made = memory::job::create(config);
  ASSERT_TRUE(made.ok()) << made.error().what;
  auto taken = std::move(*(*made)->second_view());
  ASSERT_TRUE(taken->claim(1).ok());
  mpi::process self(std::move(*made), 1);
  mpi::process::bind_to_thread(&self);
  const char* const reason = "another process has taken this rank's place in the job";
  const std::string first = why_not(MPI_ERR_OTHER);
  EXPECT_NE(first.find(std::string("could not start: ") + reason), std::string::npos) << first;
  for (int i = 0; i < 2; ++i) {
    const std::string again = why_not(MPI_ERR_OTHER);
    EXPECT_NE(again.find(std::string("could not start before: ") + reason), std::string::npos) << again;
  }
  mpi::process::bind_to_thread(nullptr);
}

}  // namespace
