/* Sessions: before, beside and after the world model; process sets; communicators from groups. */
#include "check.h"

static int sum(MPI_Comm comm, int value) {
  int total;
  MPI_Allreduce(&value, &total, 1, MPI_INT, MPI_SUM, comm);
  return total;
}

static int use(MPI_Session session, const char* set, const char* tag) {
  MPI_Group group;
  MPI_Comm comm;
  int n;
  MPI_Group_from_session_pset(session, set, &group);
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &rank);
  if (sum(comm, 1) != n) n = -1;
  MPI_Comm_free(&comm);
  return n;
}

int main(int argc, char** argv) {
  const int expected = argc > 1 ? atoi(argv[1]) : 1;
  MPI_Session first, second;
  int n, flag;
  if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first) != MPI_SUCCESS) return 1;
  MPI_Initialized(&flag);
  if (flag) return 2;
  if (use(first, "mpi://WORLD", "a") != expected) return 3;
  if (use(first, "mpi://SELF", "b") != 1) return 4;
  if (use(first, "mpi://self", "lower") != 1) return 4; /* as programs written for MPICH name it */
  MPI_Session_get_num_psets(first, MPI_INFO_NULL, &n);
  if (n < 2) return 5;
  for (int i = 0; i < n; ++i) {
    char name[MPI_MAX_PSET_NAME_LEN];
    int length = 0, number;
    MPI_Session_get_nth_pset(first, MPI_INFO_NULL, i, &length, NULL);
    MPI_Session_get_nth_pset(first, MPI_INFO_NULL, i, &length, name);
    if ((int)strlen(name) + 1 != length) return 6;
    MPI_Info info;
    char value[32];
    length = sizeof value;
    MPI_Session_get_pset_info(first, name, &info);
    MPI_Info_get_string(info, "mpi_size", &length, value, &flag);
    number = flag ? atoi(value) : -1;
    if (number != (strcmp(name, "mpi://SELF") == 0 ? 1 : expected)) return 7;
    MPI_Info_free(&info);
  }

  MPI_Init(&argc, &argv); /* beside a session */
  start_world(argc, argv);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
  CHECK(sum(MPI_COMM_WORLD, 1) == size);
  CHECK(!on_loadstone() || use(second, "mpi://SHARED", "c") == size); /* "Process Sets": a set of our own */
  MPI_Group none;
  CHECK_FAILS(MPI_Group_from_session_pset(second, "mpi://NOWHERE", &none), MPI_ERR_ARG);

  /* Two halves meet without a parent. */
  if (size > 1) {
    MPI_Group world, low, high;
    MPI_Comm inter;
    const int half = size / 2;
    int range[1][3] = {{0, half - 1, 1}};
    MPI_Group_from_session_pset(second, "mpi://WORLD", &world);
    MPI_Group_range_incl(world, 1, range, &low);
    MPI_Group_range_excl(world, 1, range, &high);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int in_low = rank < half;
    MPI_Intercomm_create_from_groups(in_low ? low : high, 0, in_low ? high : low, 0, "halves", MPI_INFO_NULL,
                                     MPI_ERRORS_ARE_FATAL, &inter);
    MPI_Comm_remote_size(inter, &n);
    CHECK(n == (in_low ? size - half : half));
    CHECK(sum(inter, 1) == n);
    MPI_Comm_free(&inter);
    MPI_Group_free(&low);
    MPI_Group_free(&high);
    MPI_Group_free(&world);
  }
  MPI_Session_finalize(&first);
  CHECK(first == MPI_SESSION_NULL);
  MPI_Finalize();
  if (use(second, "mpi://WORLD", "d") != expected) return 8; /* outlives the world model */
  MPI_Session_finalize(&second);
  if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first) != MPI_SUCCESS) return 9;
  if (use(first, "mpi://WORLD", "e") != expected) return 10;
  MPI_Session_finalize(&first);
  return 0;
}
