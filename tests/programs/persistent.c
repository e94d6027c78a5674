/* Persistent messages of every mode, started one by one and all at once, many rounds; persistent collectives.
 */
#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  enum { N = 4, LENGTH = 3000 };
  static int out[N][LENGTH], in[N][LENGTH];
  MPI_Request requests[2 * N];
  char* space = malloc(N * (LENGTH * sizeof(int) + MPI_BSEND_OVERHEAD));
  MPI_Buffer_attach(space, N * (LENGTH * (int)sizeof(int) + MPI_BSEND_OVERHEAD));
  for (int i = 0; i < N; ++i)
    MPI_Recv_init(in[i], LENGTH, MPI_INT, i == 0 ? MPI_ANY_SOURCE : left, i, MPI_COMM_WORLD, &requests[i]);
  MPI_Send_init(out[0], LENGTH, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[N]);
  MPI_Ssend_init(out[1], LENGTH, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[N + 1]);
  MPI_Rsend_init(out[2], LENGTH, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[N + 2]);
  MPI_Bsend_init(out[3], LENGTH, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[N + 3]);
  MPI_Status status, statuses[2 * N];
  int flag = 0;
  MPI_Wait(&requests[0], &status); /* inactive: at once, empty */
  CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE && requests[0] != MPI_REQUEST_NULL);
  MPI_Test(&requests[0], &flag, &status);
  CHECK(flag);
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < LENGTH; ++k) out[i][k] = rank * 10000 + round * 10 + i + k;
    MPI_Startall(N, requests);
    MPI_Barrier(MPI_COMM_WORLD); /* the receives of ready sends are posted */
    for (int i = 0; i < N; ++i) MPI_Start(&requests[N + i]);
    MPI_Waitall(2 * N, requests, statuses);
    for (int i = 0; i < N; ++i) {
      CHECK(statuses[i].MPI_SOURCE == left && statuses[i].MPI_TAG == i);
      for (int k = 0; k < LENGTH; ++k) CHECK(in[i][k] == left * 10000 + round * 10 + i + k);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < 2 * N; ++i) {
    CHECK(requests[i] != MPI_REQUEST_NULL);
    MPI_Request_free(&requests[i]);
  }
  void* given;
  int bytes;
  MPI_Buffer_detach(&given, &bytes);
  CHECK(given == space);
  free(space);

  MPI_Request none, sum, spread;
  int value, total, root_value;
  MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &none);
  MPI_Start(&none);
  MPI_Wait(&none, &status);
  /* Section 3.11, "Null MPI Processes": a receive from MPI_PROC_NULL says so; MPICH 5.0.2 leaves the status empty. */
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL || !on_loadstone());
  MPI_Request_free(&none);

  MPI_Allreduce_init(&value, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum);
  MPI_Bcast_init(&root_value, 1, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &spread);
  for (int round = 0; round < 10; ++round) {
    value = rank + round;
    root_value = rank == size - 1 ? round * 3 : -1;
    MPI_Start(&spread);
    MPI_Start(&sum);
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
    MPI_Wait(&spread, MPI_STATUS_IGNORE);
    CHECK(total == size * (size - 1) / 2 + size * round && root_value == round * 3);
  }
  MPI_Request_free(&sum);
  MPI_Request_free(&spread);
  MPI_Finalize();
  return 0;
}
