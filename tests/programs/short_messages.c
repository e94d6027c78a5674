/* Short messages whose instructions are counted (short_messages.py): no call waits, so the counts repeat.
 *
 *   mpiexec -n 2 short_messages FILE ROUNDS      FILE: 64 bytes, zero; the ranks tell each other there, beside MPI, how
 *                                                far they are
 */
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "check.h"

enum { window = 64 };

static atomic_int* progress;
static int stage;

static void wait_for(int wanted) {
  while (atomic_load(progress) < wanted) sched_yield();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(argc == 3 && size == 2);
  const int file = open(argv[1], O_RDWR);
  CHECK(file >= 0);
  progress = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(progress != MAP_FAILED);
  const int rounds = atoi(argv[2]);
  long values[window];
  MPI_Request requests[window];
  for (int i = 0; i < rounds; i++) {
    /* Posted first, then sent, then waited for. */
    if (rank == 1) {
      for (int w = 0; w < window; w++) MPI_Irecv(&values[w], 1, MPI_LONG, 0, 1, MPI_COMM_WORLD, &requests[w]);
      atomic_store(progress, ++stage);
      wait_for(++stage);
      MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
      for (int w = 0; w < window; w++) CHECK(values[w] == i + w);
    } else {
      for (int w = 0; w < window; w++) values[w] = i + w;
      wait_for(++stage);
      for (int w = 0; w < window; w++) MPI_Isend(&values[w], 1, MPI_LONG, 1, 1, MPI_COMM_WORLD, &requests[w]);
      MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
      atomic_store(progress, ++stage);
    }
    /* Sent first; each receive finds its message in the inbox. */
    if (rank == 0) {
      for (int w = 0; w < window; w++) MPI_Send(&values[w], 1, MPI_LONG, 1, 2, MPI_COMM_WORLD);
      atomic_store(progress, ++stage);
      wait_for(++stage);
    } else {
      wait_for(++stage);
      for (int w = 0; w < window; w++) {
        MPI_Recv(&values[w], 1, MPI_LONG, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(values[w] == i + w);
      }
      atomic_store(progress, ++stage);
    }
    /* By turns, each sent before its receive is posted. (Ready sends, so that they are counted apart.) */
    for (int w = 0; w < 2 * window; w++) {
      if (rank == w % 2) {
        MPI_Rsend(&values[w / 2], 1, MPI_LONG, 1 - rank, 3, MPI_COMM_WORLD);
        atomic_store(progress, ++stage);
      } else {
        wait_for(++stage);
        MPI_Recv(&values[w / 2], 1, MPI_LONG, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(values[w / 2] == i + w / 2);
      }
    }
  }
  MPI_Finalize();
  return 0;
}
