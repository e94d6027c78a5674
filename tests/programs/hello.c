/* The smallest program; a ring, so that everybody has spoken with somebody. */
#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  int token = -1;
  if (rank == 0) {
    token = 42;
    MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
  }
  MPI_Status status;
  MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &status);
  CHECK(token == 42 && status.MPI_SOURCE == (rank + size - 1) % size && status.MPI_TAG == 7);
  if (rank != 0) MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
