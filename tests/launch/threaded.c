// Says in how many threads OpenMP goes through a parallel region, and where this rank may run.
#define _GNU_SOURCE
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, threads = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel reduction(+ : threads)
  threads = 1;
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  printf("rank %d of %d: %d threads, %d processors\n", rank, size, threads, CPU_COUNT(&mask));
  MPI_Finalize();
  return 0;
}
