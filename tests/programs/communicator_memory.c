/* What a communicator takes: 1000 of them, each of which has done one MPI_Allreduce of 8 bytes, take less than 64 KiB for
 * each and rank; the same where each has done ten, and so has areas.
 */
#include "../../bench/pss.h"
#include "check.h"

enum { communicators = 1000, most_kib = 64 };

static double job_kib(void) {
  double all = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double kib = pss_kib();
  CHECK(kib > 0);
  MPI_Allreduce(&kib, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static void use(MPI_Comm comm, int times) {
  for (int i = 0; i < times; i++) {
    const long mine = rank + i;
    long sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm);
    CHECK(sum == (long)size * (size - 1) / 2 + (long)size * i);
  }
}

static void measure(int times) {
  static MPI_Comm all[communicators];
  use(MPI_COMM_WORLD, 10);
  const double before = job_kib();
  for (int i = 0; i < communicators; i++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
    use(all[i], times);
  }
  const double each = (job_kib() - before) / (communicators * (double)size);
  if (rank == 0) printf("each used %d times: %.1f KiB for a communicator and rank\n", times, each);
  CHECK(!on_loadstone() || each < most_kib);
  for (int i = 0; i < communicators; i++) MPI_Comm_free(&all[i]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  measure(1);
  measure(10);
  MPI_Finalize();
  return 0;
}
