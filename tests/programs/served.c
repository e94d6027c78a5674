/* What a rank has started, and computes while, is done by those who wait for it: the result comes to its memory without
 * another call, and without a progress thread. Persistent and non-blocking, in buffers, which is what the choice takes
 * where that is worth it (coll/choices). */
#include <time.h>

#include "check.h"

enum { numbers = 1 << 17, rounds = 6 };
static double given[numbers], got[numbers];
static volatile int* through; /* of each rank, in memory that all map */
typedef enum { allreduce, bcast_from_it, bcast_to_it, cases } which;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int root_of(which what) {
  return what == bcast_from_it ? 0 : size - 1;
}
static int gives(which what) {
  return what == allreduce || rank == root_of(what);
}

static void prepare(which what, MPI_Request* request, int persistent) {
  double* data = gives(what) ? given : got;
  if (what == allreduce && persistent)
    MPI_Allreduce_init(given, got, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request);
  else if (what == allreduce)
    MPI_Iallreduce(given, got, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request);
  else if (persistent)
    MPI_Bcast_init(data, numbers, MPI_DOUBLE, root_of(what), MPI_COMM_WORLD, MPI_INFO_NULL, request);
  else
    MPI_Ibcast(data, numbers, MPI_DOUBLE, root_of(what), MPI_COMM_WORLD, request);
}

static int is_there(double expected) {
  for (int i = 0; i < numbers; i++)
    if (got[i] != expected) return 0;
  return 1;
}

/* The others are through with it, which they tell by memory. Half a minute only bounds a defect. */
static int others_are_through(int number) {
  const double end = seconds() + 30;
  for (int r = 1; r < size; r++)
    while (through[r] != number)
      if (seconds() > end) return 0;
  return 1;
}

static void once(which what, int persistent) {
  static int number = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (persistent) prepare(what, &request, 1);
  for (int round = 0; round < rounds; round++) {
    const double one = 1 + round, expected = what == allreduce ? one * size : one;
    for (int i = 0; i < numbers; i++) given[i] = one, got[i] = 0;
    number++;
    MPI_Barrier(MPI_COMM_WORLD);
    if (persistent)
      MPI_Start(&request);
    else
      prepare(what, &request, 0);
    /* Rank 0 calls nothing until the others are through. The first ones are done by messages. */
    if (rank == 0 && round >= 3 && on_loadstone()) {
      CHECK(others_are_through(number));
      CHECK(what == bcast_from_it || is_there(expected));
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    through[rank] = number;
    CHECK((what != allreduce && gives(what)) || is_there(expected));
  }
  if (persistent) MPI_Request_free(&request);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Win window;
  MPI_Aint bytes;
  int unit;
  void* base;
  MPI_Win_allocate_shared(rank == 0 ? (MPI_Aint)sizeof *through * size : 0, sizeof *through, MPI_INFO_NULL,
                          MPI_COMM_WORLD, &base, &window);
  MPI_Win_shared_query(window, 0, &bytes, &unit, &base);
  through = base;
  through[rank] = 0;
  for (int persistent = 0; persistent < 2; persistent++)
    for (int what = 0; what < cases; what++) once((which)what, persistent);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
