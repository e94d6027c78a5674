/* MPI_THREAD_MULTIPLE: threads that send, receive, probe, wait and reduce at once. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 4, ROUNDS = 200 };
static MPI_Comm comms[THREADS];

static void* work(void* argument) {
  const int me = (int)(long)argument, right = (rank + 1) % size, left = (rank + size - 1) % size;
  int out[300], in[300];
  for (int round = 0; round < ROUNDS; ++round) {
    const int n = round % 300;
    MPI_Request requests[2];
    MPI_Status status;
    for (int i = 0; i <= n && i < 300; ++i) out[i] = rank * 100000 + me * 1000 + round + i, in[i] = -1;
    switch (round % 4) {
      case 0: /* the same communicator, a tag of one's own */
        MPI_Sendrecv(out, n, MPI_INT, right, me, in, n, MPI_INT, left, me, MPI_COMM_WORLD, &status);
        break;
      case 1:
        MPI_Irecv(in, n, MPI_INT, left, me, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, n, MPI_INT, right, me, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        break;
      case 2: {
        MPI_Message message;
        MPI_Isend(out, n, MPI_INT, right, me, MPI_COMM_WORLD, &requests[1]);
        MPI_Mprobe(left, me, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(in, n, MPI_INT, &message, &status);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        break;
      }
      default: {
        int total, value = rank + round;
        MPI_Allreduce(&value, &total, 1, MPI_INT, MPI_SUM, comms[me]);
        CHECK(total == size * (size - 1) / 2 + size * round);
        continue;
      }
    }
    for (int i = 0; i < n; ++i) CHECK(in[i] == left * 100000 + me * 1000 + round + i);
  }
  MPI_Comm dup;
  for (int i = 0; i < 10; ++i) {
    MPI_Comm_dup(comms[me], &dup);
    MPI_Barrier(dup);
    MPI_Comm_free(&dup);
  }
  int main_thread;
  MPI_Is_thread_main(&main_thread);
  CHECK(!main_thread);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, flag;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  start_world(argc, argv);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Query_thread(&provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Is_thread_main(&flag);
  CHECK(flag);
  for (int i = 0; i < THREADS; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; ++i) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return 0;
}
