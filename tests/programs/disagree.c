/* Ranks that call different collectives in the same place, or one with different roots or counts, or with different
 * algorithms (argument `settings`: they differ from rank to rank), or one blocking and the other not: wrong, but nobody
 * waits for ever. Whoever cannot go on is told who does what, whether it waits or tests; and the communicator goes on with
 * its next collective, but for the last of these. Argument `abort`: with the error handler that programs have, the job
 * ends. */
#include <unistd.h>

#include "check.h"

enum { MANY = 1 << 18 };
static MPI_Comm comm, all_of_them;
static int in[MANY], out[MANY];
static const char* expected[2]; /* both in the text of an error */

static int bcast_from(int root, MPI_Request* r) {
  return r ? MPI_Ibcast(out, 4, MPI_INT, root, comm, r) : MPI_Bcast(out, 4, MPI_INT, root, comm);
}
static int allreduce_of(int count, MPI_Request* r) {
  return r ? MPI_Iallreduce(in, out, count, MPI_INT, MPI_SUM, comm, r)
           : MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm);
}
static int barrier(MPI_Request* r) {
  return r ? MPI_Ibarrier(comm, r) : MPI_Barrier(comm);
}

static int roots(MPI_Request* r) {
  expected[0] = "bcast with root 0";
  expected[1] = "bcast with root 1";
  return bcast_from(rank == 0, r);
}
static int calls(MPI_Request* r) {
  expected[0] = "bcast";
  expected[1] = "allreduce";
  return rank == 0 ? bcast_from(1, r) : allreduce_of(4, r);
}
static int last_alone(MPI_Request* r) {
  expected[0] = "barrier";
  expected[1] = "allreduce";
  return rank == size - 1 ? barrier(r) : allreduce_of(4, r);
}
static int counts(MPI_Request* r) {
  expected[0] = expected[1] = "allreduce by algorithm";
  return allreduce_of(rank == 0 ? MANY : 1, r);
}
static int settings(MPI_Request* r) {
  expected[0] = "allreduce by algorithm doubling";
  expected[1] = "allreduce by algorithm by_root";
  return allreduce_of(4, r);
}

/* Of all ranks, without an allreduce: its settings differ. */
static int sum_of(int value) {
  int sum = -1;
  CHECK(MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
  return sum;
}

static void must_be_told(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int class, length;
  if (code != MPI_SUCCESS) {
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_OTHER);
    MPI_Error_string(code, text, &length);
    CHECK(strstr(text, "rank "));
    CHECK(strstr(text, expected[0]) && strstr(text, expected[1]));
  }
  CHECK(sum_of(code != MPI_SUCCESS) > 0);
}

static void blocking(int (*call)(MPI_Request*)) {
  must_be_told(call(NULL));
}

/* While others of the same communicator are under way. */
static void waited_for(int (*call)(MPI_Request*)) {
  MPI_Request r, before;
  CHECK(MPI_Ibarrier(comm, &before) == MPI_SUCCESS);
  CHECK(call(&r) == MPI_SUCCESS);
  const int code = MPI_Wait(&r, MPI_STATUS_IGNORE);
  CHECK(r == MPI_REQUEST_NULL);
  CHECK(MPI_Wait(&before, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  must_be_told(code);
}

/* By who never waits, but tests. */
static void tested_for(int (*call)(MPI_Request*)) {
  MPI_Request r;
  int code, done = 0;
  CHECK(call(&r) == MPI_SUCCESS);
  while ((code = MPI_Test(&r, &done, MPI_STATUS_IGNORE)) == MPI_SUCCESS && !done) {
  }
  CHECK(r == MPI_REQUEST_NULL);
  must_be_told(code);
}

/* Between two groups: rank 0, and all others. */
static int roots_between(MPI_Request* r) {
  const int root = rank == 0 ? MPI_PROC_NULL : 0;
  expected[0] = "bcast with root 0";
  expected[1] = "of the other group in bcast with root MPI_PROC_NULL";
  return bcast_from(root, r);
}
static int calls_between(MPI_Request* r) {
  expected[0] = "barrier";
  expected[1] = "of the other group in ";
  return rank == 0 ? barrier(r) : allreduce_of(4, r);
}
static void between_groups(void) {
  MPI_Comm group;
  MPI_Comm_split(all_of_them, rank != 0, rank, &group);
  MPI_Intercomm_create(group, 0, all_of_them, rank == 0, 0, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  blocking(roots_between);
  tested_for(calls_between);
  int one = 1, sum = 0; /* and it goes on */
  CHECK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS &&
        sum == (rank == 0 ? size - 1 : 1));
  MPI_Comm_free(&comm);
  MPI_Comm_free(&group);
  comm = all_of_them;
}

/* Persistent ones among themselves, and beside one that is not. */
static void persistent(int everywhere) {
  MPI_Request r;
  expected[0] = "persistent bcast with root 0";
  expected[1] = everywhere ? "persistent bcast with root 1" : "in bcast with root 0";
  if (rank == 0 || everywhere) {
    const int root = everywhere && rank == 0 ? 1 : 0;
    CHECK(MPI_Bcast_init(out, 4, MPI_INT, root, comm, MPI_INFO_NULL, &r) == MPI_SUCCESS);
    CHECK(MPI_Start(&r) == MPI_SUCCESS);
  } else {
    CHECK(bcast_from(0, &r) == MPI_SUCCESS);
  }
  const int code = MPI_Wait(&r, MPI_STATUS_IGNORE);
  if (r != MPI_REQUEST_NULL) MPI_Request_free(&r);
  must_be_told(code);
}

/* One form at rank 0, and the other at all others; then whatever comes next there. */
static void forms_of(int waits_at_once) {
  MPI_Request r;
  int code;
  MPI_Comm_dup(all_of_them, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  CHECK(allreduce_of(4, NULL) == MPI_SUCCESS && barrier(NULL) == MPI_SUCCESS && barrier(NULL) == MPI_SUCCESS);
  expected[0] = "non-blocking allreduce";
  expected[1] = " in blocking allreduce";
  if (rank == 0) {
    CHECK(allreduce_of(4, &r) == MPI_SUCCESS);
    if (!waits_at_once) usleep(300000);
    code = MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else {
    code = allreduce_of(4, NULL);
  }
  must_be_told(code);
  expected[0] = expected[1] = "in barrier";
  must_be_told(barrier(NULL));
  MPI_Comm_free(&comm);
  comm = all_of_them;
}

/* The next collective of the same communicator is as if nothing had been. */
static void goes_on(void) {
  int one = 1, sum = 0;
  (void)calls(NULL);
  CHECK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && sum == size);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  CHECK(size >= 2);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  all_of_them = comm;
  if (argc > 2 && strcmp(argv[2], "abort") == 0) rank == 0 ? bcast_from(1, NULL) : barrier(NULL);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (argc > 2) {
    blocking(settings);
    waited_for(settings);
  } else {
    int (*const all[])(MPI_Request*) = {roots, calls, last_alone, counts};
    for (int i = 0; i < 4; ++i) {
      blocking(all[i]);
      waited_for(all[i]);
    }
    tested_for(calls);
    between_groups();
    persistent(1);
    persistent(0);
    forms_of(1);
    forms_of(0);
    goes_on();
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
