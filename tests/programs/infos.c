/* Info objects, before and after MPI too; hints of communicators; MPI_INFO_ENV. */
#include "check.h"

int main(int argc, char** argv) {
  MPI_Info info, copy, env;
  int flag, n, length;
  char value[MPI_MAX_INFO_VAL], key[MPI_MAX_INFO_KEY];
  MPI_Info_create(&info);
  MPI_Info_set(info, "early", "yes");
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Info_set(info, "b", "2");
  MPI_Info_set(info, "a", "1");
  MPI_Info_set(info, "b", "two");
  MPI_Info_get_nkeys(info, &n);
  CHECK(n == 3);
  MPI_Info_get_nthkey(info, 1, key);
  CHECK(strcmp(key, "b") == 0);
  length = (int)sizeof value;
  MPI_Info_get_string(info, "b", &length, value, &flag);
  CHECK(flag && strcmp(value, "two") == 0 && length == 4);
  length = 2;
  MPI_Info_get_string(info, "b", &length, value, &flag);
  CHECK(flag && strcmp(value, "t") == 0 && length == 4);
  length = 0;
  MPI_Info_get_string(info, "b", &length, NULL, &flag);
  CHECK(flag && length == 4);
  MPI_Info_get_string(info, "missing", &length, value, &flag);
  CHECK(!flag);
  MPI_Info_get_valuelen(info, "b", &length, &flag);
  CHECK(flag && length == 3);
  MPI_Info_dup(info, &copy);
  MPI_Info_delete(info, "b");
  MPI_Info_get_nkeys(info, &n);
  CHECK(n == 2);
  MPI_Info_get_nkeys(copy, &n);
  CHECK(n == 3);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK_FAILS(MPI_Info_delete(info, "b"), MPI_ERR_INFO_NOKEY);
  char longest[MPI_MAX_INFO_KEY + 10];
  memset(longest, 'k', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  CHECK_FAILS(MPI_Info_set(info, longest, "v"), MPI_ERR_INFO_KEY);
  CHECK_FAILS(MPI_Info_get_nthkey(info, 2, key), MPI_ERR_ARG);

  MPI_Comm comm, second;
  MPI_Info used;
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, copy, &comm);
  MPI_Comm_get_info(comm, &used);
  length = (int)sizeof value;
  MPI_Info_get_string(used, "b", &length, value, &flag);
  /* "Communicator Info": hints that the library does not know may be left out. */
  CHECK((flag && strcmp(value, "two") == 0) || !on_loadstone());
  MPI_Info_free(&used);
  /* "Communicator Info": since MPI-4.0 duplicates do not inherit hints; a user's key would not come from
   * anywhere else. */
  for (int way = 0; way < 4; ++way) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (way == 0) MPI_Comm_dup(comm, &second);
    if (way == 1) MPI_Comm_idup(comm, &second, &request);
    if (way == 2) MPI_Comm_dup_with_info(comm, info, &second);
    if (way == 3) MPI_Comm_idup_with_info(comm, info, &second, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_get_info(second, &used);
    MPI_Info_get_string(used, "b", &length, value, &flag);
    CHECK(!flag);
    length = (int)sizeof value;
    MPI_Info_get_string(used, "early", &length, value, &flag);
    CHECK(!on_loadstone() || flag == (way >= 2));
    MPI_Info_free(&used);
    MPI_Comm_free(&second);
  }

  /* Assertions are true or false; what is not understood is ignored. */
  MPI_Info asserted;
  static const char* const asserts[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                                        "mpi_assert_exact_length", "mpi_assert_allow_overtaking"};
  MPI_Info_create(&asserted);
  for (int i = 0; i < 4; ++i) MPI_Info_set(asserted, asserts[i], i == 2 ? "perhaps" : "true");
  MPI_Comm_set_info(comm, asserted);
  MPI_Comm_get_info(comm, &used);
  for (int i = 0; i < 4; ++i) {
    length = (int)sizeof value;
    MPI_Info_get_string(used, asserts[i], &length, value, &flag);
    /* "Communicator Info": which hints it takes, and what it makes of "perhaps", is the library's choice. */
    CHECK(!on_loadstone() || (i == 2 ? !flag : flag && strcmp(value, "true") == 0));
  }
  MPI_Info_free(&used);
  MPI_Info_free(&asserted);
  for (int i = 0; i < 3; ++i) { /* whatever is promised, and kept: messages of one sender come in order */
    int out = i, in = -1, rank_, size_;
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    MPI_Sendrecv(&out, 1, MPI_INT, (rank_ + 1) % size_, 3, &in, 1, MPI_INT, (rank_ + size_ - 1) % size_, 3,
                 comm, MPI_STATUS_IGNORE);
    CHECK(in == i);
  }
  MPI_Comm_free(&comm);

  /* "Memory Allocation Info": each object says which kinds it supports, as MPI_INFO_ENV does, or has been told. */
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
  MPI_Info_create(&asserted);
  MPI_Info_set(asserted, "mpi_assert_memory_alloc_kinds", "system");
  MPI_Comm_set_info(comm, asserted);
  for (int i = 0; i < 3; ++i) {
    if (i == 1) MPI_Comm_get_info(MPI_COMM_WORLD, &used);
    if (i == 2) MPI_Comm_get_info(comm, &used);
    length = (int)sizeof value;
    MPI_Info_get_string(i == 0 ? MPI_INFO_ENV : used, "mpi_memory_alloc_kinds", &length, value, &flag);
    CHECK(!on_loadstone() || (flag && strcmp(value, i == 2 ? "system" : "mpi,system") == 0));
    if (i != 0) MPI_Info_free(&used);
  }
  MPI_Info_free(&asserted);
  MPI_Comm_free(&comm);
  length = (int)sizeof value;
  MPI_Info_get_string(MPI_INFO_ENV, "command", &length, value, &flag);
  CHECK(flag && strstr(value, "infos") != NULL);
  length = (int)sizeof value;
  MPI_Info_get_string(MPI_INFO_ENV, "maxprocs", &length, value, &flag);
  CHECK((flag && atoi(value) == size) || !on_loadstone()); /* "Starting MPI Processes": no key is required */
  MPI_Info_create_env(argc, argv, &env);
  length = (int)sizeof value;
  MPI_Info_get_string(env, "command", &length, value, &flag);
  CHECK(flag && strcmp(value, argv[0]) == 0);
  MPI_Info_free(&env);
  MPI_Info_free(&copy);
  CHECK(copy == MPI_INFO_NULL);
  MPI_Finalize();
  MPI_Info_set(info, "late", "too");
  MPI_Info_free(&info);
  return 0;
}
