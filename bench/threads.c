/* OpenMP sweeps over a slab of a plane; halos to both neighbours, a barrier and a sum each step. Without -fopenmp: the same with one
 * thread. Usage: threads [steps] [points a side] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 300, n = argc > 2 ? atoi(argv[2]) : 1024;
  int rank, size, threads = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel reduction(+ : threads)
  threads = 1;
  const int rows = n / size;
  double *a = calloc((size_t)(rows + 2) * n, sizeof *a), *b = calloc((size_t)(rows + 2) * n, sizeof *b),
         total = 0;
  for (int i = 0; i < (rows + 2) * n; ++i) a[i] = b[i] = i % 7;
  const int up = rank == 0 ? MPI_PROC_NULL : rank - 1, down = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int s = 0; s < steps; ++s) {
    MPI_Request r[4];
    MPI_Irecv(a, n, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(a + (size_t)(rows + 1) * n, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(a + n, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(a + (size_t)rows * n, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    double sum = 0;
    for (int pass = 0; pass < 4; ++pass) { /* several regions a step, as programs have */
#pragma omp parallel for reduction(+ : sum)
      for (int y = 1; y <= rows; ++y)
        for (int x = 1; x < n - 1; ++x) {
          const double v =
              0.25 * (a[(y - 1) * n + x] + a[(y + 1) * n + x] + a[y * n + x - 1] + a[y * n + x + 1]);
          b[y * n + x] = v;
          sum += v;
        }
      double* t = a;
      a = b;
      b = t;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  const double time = MPI_Wtime() - start;
  if (rank == 0) printf("%d ranks of %d threads: %.2f s (%g)\n", size, threads, time, total);
  MPI_Finalize();
  return 0;
}
