/* More ranks than cores that test instead of waiting, in each form there is: who finds nothing lets others run. If not, a
 * message costs a time slice of each, in which it could test ten thousand times and more.
 * usage: testing RANKS [multiple] */
#define _GNU_SOURCE
#include <sched.h>

#include "check.h"

enum { rounds = 300, most_tests = 10000 };

static long tests;
static int left, right, got;
static MPI_Win shared, atomic;
static volatile int *mine, *neighbours;

/* Have both completed? */

static int test(MPI_Request r[2]) {
  int done = 0;
  MPI_Test(&r[r[0] == MPI_REQUEST_NULL], &done, MPI_STATUS_IGNORE);
  return done && r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL;
}

static int testall(MPI_Request r[2]) {
  int done = 0;
  MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE);
  return done;
}

static int testany(MPI_Request r[2]) {
  int done = 0, which = 0;
  MPI_Testany(2, r, &which, &done, MPI_STATUS_IGNORE);
  return done && which == MPI_UNDEFINED;
}

static int testsome(MPI_Request r[2]) {
  int count = 0, which[2];
  MPI_Testsome(2, r, &count, which, MPI_STATUSES_IGNORE);
  return count == MPI_UNDEFINED;
}

static int get_status(MPI_Request r[2]) {
  int done = 0;
  MPI_Request_get_status(r[0], &done, MPI_STATUS_IGNORE);
  if (done) MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return done;
}

static int iprobe(MPI_Request r[2]) {
  int there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  if (!there) return 0;
  MPI_Recv(&got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  return 1;
}

static int improbe(MPI_Request r[2]) {
  int there = 0;
  MPI_Message message;
  MPI_Improbe(left, 0, MPI_COMM_WORLD, &there, &message, MPI_STATUS_IGNORE);
  if (!there) return 0;
  MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  return 1;
}

static void pass_on(int round, int (*done)(MPI_Request[2])) {
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (done != iprobe && done != improbe) MPI_Irecv(&got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&round, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &r[1]);
  do ++tests;
  while (!done(r));
  CHECK(got == round);
}

static void reduce(int round) {
  int done = 0;
  MPI_Request request;
  MPI_Iallreduce(&round, &got, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
  for (; !done; ++tests) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  CHECK(got == round);
}

/* The next three wait for their neighbour's store. One in 64 such calls looks around. */

static void synchronize(int round) {
  long calls = 0;
  *mine = round;
  for (MPI_Win_sync(shared); *neighbours < round; ++calls) MPI_Win_sync(shared);
  tests += calls / 64;
}

static void fetch(int round) {
  long calls = 0;
  MPI_Accumulate(&round, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_REPLACE, atomic);
  MPI_Win_flush(right, atomic);
  for (int there = 0; there < round; ++calls) {
    MPI_Fetch_and_op(NULL, &there, MPI_INT, rank, 0, MPI_NO_OP, atomic);
    MPI_Win_flush(rank, atomic);
  }
  tests += calls / 64;
}

/* After fetch(), so with larger numbers. */
static void get_by_request(int round) {
  const int value = rounds + round;
  long calls = 0;
  MPI_Request request;
  MPI_Accumulate(&value, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_REPLACE, atomic);
  MPI_Win_flush(right, atomic);
  for (int there = 0; there < value; ++calls) {
    MPI_Rget(&there, 1, MPI_INT, rank, 0, 1, MPI_INT, atomic, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  tests += calls; /* before it looked around, there were tens of thousands in a round */
}

int main(int argc, char** argv) {
  const int wanted = argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  int provided, unit;
  MPI_Init_thread(&argc, &argv, wanted, &provided);
  start_world(argc, argv);
  CHECK(provided == wanted);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  int* base;
  MPI_Aint bytes;
  MPI_Win_allocate_shared(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &shared);
  *base = 0;
  mine = base;
  MPI_Win_shared_query(shared, left, &bytes, &unit, &base);
  neighbours = base;
  MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &atomic);
  *base = 0;
  MPI_Win_lock_all(0, shared);
  MPI_Win_lock_all(0, atomic);

  static const struct {
    const char* name;
    int (*done)(MPI_Request[2]);
    void (*round)(int);
  } forms[] = {{"MPI_Test", test, NULL},
               {"MPI_Testall", testall, NULL},
               {"MPI_Testany", testany, NULL},
               {"MPI_Testsome", testsome, NULL},
               {"MPI_Request_get_status", get_status, NULL},
               {"MPI_Iprobe", iprobe, NULL},
               {"MPI_Improbe", improbe, NULL},
               {"MPI_Test of a collective", NULL, reduce},
               {"MPI_Win_sync", NULL, synchronize},
               {"MPI_Win_flush", NULL, fetch},
               {"MPI_Rget", NULL, get_by_request}};
  cpu_set_t cores;
  CHECK(sched_getaffinity(0, sizeof cores, &cores) == 0);
  for (size_t f = 0; f < sizeof forms / sizeof *forms; ++f) {
    MPI_Barrier(MPI_COMM_WORLD);
    tests = 0;
    for (int i = 1; i <= rounds; ++i) forms[f].done != NULL ? pass_on(i, forms[f].done) : forms[f].round(i);
    long all = 0;
    MPI_Allreduce(&tests, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    all /= (long)size * rounds;
    if (rank == 0) printf("%s: %ld tests of a rank in a round\n", forms[f].name, all);
    CHECK(CPU_COUNT(&cores) >= size || all < most_tests);
  }
  MPI_Win_unlock_all(atomic);
  MPI_Win_unlock_all(shared);
  MPI_Win_free(&atomic);
  MPI_Win_free(&shared);
  MPI_Finalize();
  return 0;
}
