/* Partitioned communication: equal and different partitions on the two sides, many rounds, other datatypes,
 * PROC_NULL. */
#include "check.h"

static void round_trip(int out_parts, int out_count, int in_parts, int in_count) {
  const int n = out_parts * out_count, right = (rank + 1) % size, left = (rank + size - 1) % size;
  CHECK(n == in_parts * in_count);
  int *out = malloc((size_t)n * sizeof(int)), *in = malloc((size_t)n * sizeof(int)), flag;
  MPI_Request requests[2];
  MPI_Psend_init(out, out_parts, out_count, MPI_INT, right, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(in, in_parts, in_count, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int round = 0; round < 5; ++round) {
    memset(in, 0xff, (size_t)n * sizeof(int));
    MPI_Startall(2, requests);
    for (int p = out_parts - 1; p >= 0; --p) {
      for (int i = 0; i < out_count; ++i)
        out[p * out_count + i] = rank * 1000 + round * 10 + p * out_count + i;
      if (p % 2 == 0)
        MPI_Pready(p, requests[0]);
      else
        MPI_Pready_range(p, p, requests[0]);
    }
    for (int p = 0; p < in_parts; ++p) {
      flag = 0;
      while (!flag) MPI_Parrived(requests[1], p, &flag);
      for (int i = 0; i < in_count; ++i)
        CHECK(in[p * in_count + i] == left * 1000 + round * 10 + p * in_count + i);
    }
    /* Of the receive: whose message it was, its tag, and all that came. */
    MPI_Status statuses[2];
    int count;
    MPI_Waitall(2, requests, statuses);
    MPI_Get_count(&statuses[1], MPI_INT, &count);
    CHECK(statuses[1].MPI_SOURCE == left && statuses[1].MPI_TAG == 4 && count == n);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  free(out), free(in);
}

/* Section 3.11, "Null MPI Processes": MPI_PROC_NULL is allowed wherever a call takes a source or a destination. MPICH 5.0.2
 * crashes (SIGSEGV) in MPI_Psend_init and in MPI_Precv_init with it, called alone, on one rank. */
static void nobody(void) {
  int data[2] = {7, 7}, flag = 0;
  MPI_Request request;
  if (!on_loadstone()) return;
  MPI_Precv_init(data, 2, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Parrived(request, 1, &flag);
  CHECK(flag);
  MPI_Status status;
  MPI_Wait(&request, &status);
  CHECK(data[0] == 7 && data[1] == 7);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  MPI_Request_free(&request);
  MPI_Psend_init(data, 2, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Pready_range(0, 1, request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}

static void neighbours_speak(void) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < 3; ++i) {
    int in = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 6, &in, 1, MPI_INT, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in == left);
  }
}

/* Operations that are freed without having been started, by the receiver before it knows of the
 * sender's: they match each other all the same, and nothing else suffers. */
static void freed_before_they_meet(void) {
  enum { N = 4 };
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int out[N], in[N];
  MPI_Request receive, send;
  neighbours_speak();
  for (int i = 0; i < 20; ++i) {
    MPI_Precv_init(in, 2, N / 2, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    MPI_Request_free(&receive);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 20; ++i) {
    MPI_Psend_init(out, 2, N / 2, MPI_INT, right, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Request_free(&send);
  }
  neighbours_speak();
  for (int i = 0; i < N; ++i) out[i] = 100 * rank + i, in[i] = -1;
  MPI_Psend_init(out, 2, N / 2, MPI_INT, right, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Precv_init(in, 1, N, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  MPI_Start(&receive);
  MPI_Start(&send);
  MPI_Pready_range(0, 1, send);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i) CHECK(in[i] == 100 * left + i);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
}

/* To this process itself: what has left is there, though the sender's operation is freed. */
static void to_itself(void) {
  int out[2] = {rank, rank + 1}, in[2] = {-1, -1}, gone = 0;
  MPI_Request send, receive;
  MPI_Psend_init(out, 2, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Precv_init(in, 2, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  MPI_Start(&send);
  MPI_Pready_range(0, 1, send);
  MPI_Test(&send, &gone, MPI_STATUS_IGNORE);
  if (gone) MPI_Request_free(&send);
  MPI_Start(&receive);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  CHECK(in[0] == rank && in[1] == rank + 1);
  if (!gone) {
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
  }
  MPI_Request_free(&receive);
}

/* Nothing is sent: no partitions on one side or on both, or some that are empty. */
static void empty(int out_parts, int in_parts) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int data[1] = {7}, arrived = 0, elements = -1;
  MPI_Request requests[2];
  MPI_Precv_init(data, in_parts, 0, MPI_INT, left, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Psend_init(data, out_parts, 0, MPI_INT, right, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int round = 0; round < 3; ++round) {
    MPI_Status statuses[2];
    MPI_Startall(2, requests);
    if (out_parts > 0) MPI_Pready_range(0, out_parts - 1, requests[1]);
    while (in_parts > 0 && !arrived) MPI_Parrived(requests[0], in_parts - 1, &arrived);
    MPI_Waitall(2, requests, statuses);
    MPI_Get_count(&statuses[0], MPI_INT, &elements);
    CHECK(statuses[0].MPI_SOURCE == left && statuses[0].MPI_TAG == 9 && elements == 0 && data[0] == 7);
    arrived = 0;
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  round_trip(1, 100, 1, 100);
  round_trip(8, 10, 8, 10);
  round_trip(12, 100, 5, 240);
  round_trip(3, 5000, 10, 1500);

  /* The receiver's elements are bigger than the sender's partitions. */
  enum { N = 24 };
  int out[N], in[N];
  MPI_Datatype eight;
  MPI_Type_contiguous(8, MPI_INT, &eight);
  MPI_Type_commit(&eight);
  MPI_Request send, receive;
  for (int i = 0; i < N; ++i) out[i] = rank + i, in[i] = -1;
  MPI_Precv_init(in, 3, 1, eight, (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  MPI_Start(&receive); /* before the sender has said what its partitions are */
  MPI_Psend_init(out, 8, 3, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Start(&send);
  MPI_Pready_list(8, (const int[]){0, 1, 2, 3, 4, 5, 6, 7}, send);
  MPI_Status status;
  int elements;
  MPI_Wait(&receive, &status);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Get_elements(&status, eight, &elements);
  CHECK(status.MPI_SOURCE == (rank + size - 1) % size && status.MPI_TAG == 5 && elements == N);
  for (int i = 0; i < N; ++i) CHECK(in[i] == (rank + size - 1) % size + i);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
  MPI_Type_free(&eight);

  nobody();
  empty(0, 0);
  empty(0, 3);
  empty(3, 0);
  empty(2, 3);
  freed_before_they_meet();
  to_itself();
  MPI_Finalize();
  return 0;
}
