/* Where the areas of many communicators would take all memory of the job (LOADSTONE_ARENA_LIMIT), messages
 * still get what they need: broadcasts that fit a slot and longer ones, non-blocking and persistent
 * collectives. */
#include "check.h"

enum { communicators = 250, longest = 1024 };

static void use(MPI_Comm comm, int which) {
  long data[longest], sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int root = (which + i) % size, count = i % 2 == 0 ? 4 : longest;
    for (int k = 0; k < count; ++k) data[k] = rank == root ? which + i + k : -1;
    MPI_Bcast(data, count, MPI_LONG, root, comm);
    for (int k = 0; k < count; ++k) CHECK(data[k] == which + i + k);
    const long mine = rank + which;
    MPI_Request request;
    MPI_Iallreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == (long)size * which + (long)size * (size - 1) / 2);
  }
}

int main(int argc, char** argv) {
  static MPI_Comm all[communicators];
  static MPI_Request kept[communicators];
  static long mine[communicators], sums[communicators];
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  for (int i = 0; i < communicators; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
    use(all[i], i);
  }
  for (int i = 0; i < communicators; ++i) {
    mine[i] = i;
    MPI_Allreduce_init(&mine[i], &sums[i], 1, MPI_LONG, MPI_SUM, all[i], MPI_INFO_NULL, &kept[i]);
  }
  for (int again = 0; again < 2; ++again) {
    MPI_Startall(communicators, kept);
    MPI_Waitall(communicators, kept, MPI_STATUSES_IGNORE);
    for (int i = 0; i < communicators; ++i) CHECK(sums[i] == (long)size * i);
  }
  for (int i = 0; i < communicators; ++i) {
    MPI_Request_free(&kept[i]);
    use(all[i], i);
    MPI_Comm_free(&all[i]);
  }
  MPI_Finalize();
  return 0;
}
