/* One-sided operations of 8 bytes in an allocated window, whose instructions are counted (short_operations.py).
 *
 *   mpiexec -n 2 short_operations TIMES      so many of each, by rank 0 on rank 1
 */
#include "windows.h"

enum { target = 1 };

static void operations(MPI_Win win, int times) {
  const double one = 1;
  long word = 0, got = -1;
  double sum = -1;
  for (int i = 0; i < times; ++i) {
    const long next = i + 1;
    MPI_Put(&next, 1, MPI_LONG, target, 0, 1, MPI_LONG, win);
    MPI_Win_flush(target, win);
    MPI_Get(&got, 1, MPI_LONG, target, 0, 1, MPI_LONG, win);
    MPI_Win_flush_local(target, win);
    CHECK(got == next);
    MPI_Fetch_and_op(&next, &word, MPI_LONG, target, 1, MPI_SUM, win);
    MPI_Win_flush_all(win);
    CHECK(word == (long)i * (i + 1) / 2);
    const long old = i;
    MPI_Compare_and_swap(&next, &old, &got, MPI_LONG, target, 2, win);
    CHECK(got == i);
    MPI_Accumulate(&one, 1, MPI_DOUBLE, target, 3, 1, MPI_DOUBLE, MPI_SUM, win);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, &sum, 1, MPI_DOUBLE, target, 3, 1, MPI_DOUBLE, MPI_NO_OP,
                       win);
    CHECK(sum == i + 1);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(argc == 2 && size == 2);
  const int times = atoi(argv[1]);
  MPI_Win win;
  void* const memory = make_window(allocated, 4 * sizeof(long), sizeof(long), MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank != target) operations(win, times);
  MPI_Win_unlock_all(win);
  free_window(allocated, memory, &win);
  MPI_Finalize();
  return 0;
}
