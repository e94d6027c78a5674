/* Buffered sends: what the standard says about room; flush and detach; buffers of communicators, automatic
 * ones. */
#include "check.h"

enum { N = 20, LENGTH = 500 };

static void exchange(MPI_Comm comm, int kind) {
  static int out[LENGTH], in[LENGTH];
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < N; ++i) {
    for (int k = 0; k < LENGTH; ++k) out[k] = rank + i * 7 + k + kind;
    if (i % 2 == 0) {
      MPI_Bsend(out, LENGTH, MPI_INT, right, i, comm);
    } else {
      MPI_Request request;
      MPI_Ibsend(out, LENGTH, MPI_INT, right, i, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
  memset(out, 0, sizeof out); /* the messages have their own copies */
  for (int i = N - 1; i >= 0; --i) {
    MPI_Recv(in, LENGTH, MPI_INT, left, i, comm, MPI_STATUS_IGNORE);
    for (int k = 0; k < LENGTH; ++k) CHECK(in[k] == left + i * 7 + k + kind);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  int one;
  MPI_Pack_size(LENGTH, MPI_INT, MPI_COMM_WORLD, &one);
  const int room = N * (one + MPI_BSEND_OVERHEAD);
  char *space = malloc((size_t)room), *other = malloc((size_t)room);
  void* given;
  int bytes;
  for (int round = 0; round < 3; ++round) {
    MPI_Buffer_attach(space, room);
    exchange(MPI_COMM_WORLD, 0);
    if (round == 1) MPI_Buffer_flush();
    if (round == 2) {
      MPI_Request request;
      MPI_Buffer_iflush(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    exchange(MPI_COMM_WORLD, 1);
    MPI_Buffer_detach(&given, &bytes);
    CHECK(given == space && bytes == room);
  }
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_attach_buffer(comm, other, room);
  exchange(comm, 2);
  MPI_Comm_flush_buffer(comm);
  MPI_Comm_detach_buffer(comm, &given, &bytes);
  CHECK(given == other && bytes == room);

  MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0);
  exchange(comm, 3);
  MPI_Comm_detach_buffer(comm, &given, &bytes);
  CHECK(given == MPI_BUFFER_AUTOMATIC);

  /* No room, and no buffer at all. */
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  static int data[LENGTH];
  CHECK_FAILS(MPI_Bsend(data, LENGTH, MPI_INT, rank, 0, comm), MPI_ERR_BUFFER);
  /* Section 3.6, "Buffer Allocation and Usage": any size that is not negative may be attached; MPICH 5.0.2 refuses less
   * than MPI_BSEND_OVERHEAD. */
  if (on_loadstone()) {
    MPI_Buffer_attach(space, 64);
    CHECK_FAILS(MPI_Bsend(data, LENGTH, MPI_INT, rank, 0, comm), MPI_ERR_BUFFER);
    MPI_Buffer_detach(&given, &bytes);
  }
  MPI_Comm_free(&comm);
  free(space);
  free(other);
  MPI_Finalize();
  return 0;
}
