/* Partitioned communication: equal and different partitions on the two sides, short and long, many rounds, other
 * datatypes, PROC_NULL, senders that are ahead, between two groups. Usage: partitioned RANKS [threads] */
#include <pthread.h>
#include <unistd.h>

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

struct waiting {
  MPI_Request request;
  double until;
};

static void* wait_until_over(void* waiting) {
  struct waiting* const w = waiting;
  MPI_Wait(&w->request, MPI_STATUS_IGNORE);
  w->until = MPI_Wtime();
  return NULL;
}

/* A thread that sleeps until this process itself sends, or receives, is woken by that; it does not sleep on. */
static void woken_by_another_thread(int receives) {
  enum { TRIALS = 5 };
  int out[2] = {0, 0}, in[2];
  double least = 1;
  struct waiting w;
  MPI_Request send, receive;
  MPI_Psend_init(out, 2, 1, MPI_INT, rank, 17, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Precv_init(in, 2, 1, MPI_INT, rank, 17, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  for (int i = 0; i < TRIALS; ++i) {
    pthread_t other;
    out[0] = out[1] = i;
    MPI_Start(&send);
    if (receives) {
      MPI_Start(&receive);
    } else { /* it is two rounds ahead of its receiver, for which it waits */
      MPI_Pready_range(0, 1, send);
      MPI_Wait(&send, MPI_STATUS_IGNORE);
      MPI_Start(&send);
      MPI_Pready_range(0, 1, send);
    }
    w.request = receives ? receive : send;
    CHECK(pthread_create(&other, NULL, wait_until_over, &w) == 0);
    usleep(50000);
    const double now = MPI_Wtime();
    if (receives)
      MPI_Pready_range(0, 1, send);
    else
      MPI_Start(&receive);
    usleep(100000);
    pthread_join(other, NULL);
    if (w.until - now < least) least = w.until - now;
    if (receives) {
      MPI_Wait(&send, MPI_STATUS_IGNORE);
    } else {
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
      MPI_Start(&receive);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
    }
    CHECK(in[0] == i && in[1] == i);
  }
  CHECK(!on_loadstone() || least < 0.03); /* a sleep lasts longer if nobody ends it */
  MPI_Request_free(&send);
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

/* A partition that is ready arrives though its sender marks no other one until it has been told of that (4.2.2: the
 * operation for the specified partition is complete). Other libraries may wait for all. */
static void one_at_a_time(int each) {
  enum { PARTS = 3 };
  if (!on_loadstone() || size % 2 != 0) return;
  int *data = calloc((size_t)(PARTS * each), sizeof(int)), flag = 0;
  const int peer = rank ^ 1;
  MPI_Request request;
  if (rank % 2 == 0)
    MPI_Psend_init(data, PARTS, each, MPI_INT, peer, 10, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else
    MPI_Precv_init(data, PARTS, each, MPI_INT, peer, 10, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int round = 0; round < 4; ++round) {
    MPI_Start(&request);
    for (int i = 0; i < PARTS; ++i) {
      const int part = (i + round) % PARTS, next = (part + 1) % PARTS;
      if (rank % 2 == 0) {
        for (int j = 0; j < each; ++j) data[part * each + j] = round + part + j;
        MPI_Pready(part, request);
        MPI_Recv(NULL, 0, MPI_INT, peer, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        for (flag = 0; !flag;) MPI_Parrived(request, part, &flag);
        for (int j = 0; j < each; ++j) CHECK(data[part * each + j] == round + part + j);
        if (i + 1 < PARTS) MPI_Parrived(request, next, &flag);
        CHECK(i + 1 == PARTS || !flag);
        MPI_Send(NULL, 0, MPI_INT, peer, 11, MPI_COMM_WORLD);
      }
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  free(data);
}

/* Senders are ahead, by as much as the library lets them be, and free their operation before all is received, and make
 * others; receivers are late, and wait asleep. */
static void ahead(int parts, int each) {
  enum { ROUNDS = 12, MORE = 8 };
  const int peer = rank ^ 1, n = parts * each;
  if (peer >= size) return;
  int *data = malloc((size_t)n * sizeof(int)), flag = 0;
  MPI_Request request, more[MORE];
  if (rank % 2 == 0) {
    MPI_Psend_init(data, parts, each, MPI_INT, peer, 12, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < ROUNDS; ++round) {
      if (round == ROUNDS / 2) usleep(3000); /* here it is the receiver that waits */
      for (int i = 0; i < n; ++i) data[i] = 1000 * round + i;
      MPI_Start(&request);
      MPI_Pready_range(0, parts - 1, request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      for (int i = 0; i < n; ++i) data[i] = -1; /* it is the program's again */
    }
    MPI_Request_free(&request);
    for (int i = 0; i < MORE; ++i)
      MPI_Psend_init(data, parts, each, MPI_INT, peer, 13, MPI_COMM_WORLD, MPI_INFO_NULL, &more[i]);
  } else {
    MPI_Precv_init(data, 1, n, MPI_INT, peer, 12, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < ROUNDS; ++round) {
      if (round % 4 == 1 || round + 1 == ROUNDS) usleep(3000);
      for (int i = 0; i < n; ++i) data[i] = -2;
      MPI_Start(&request);
      for (flag = round % 3; !flag;) MPI_Parrived(request, 0, &flag);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      for (int i = 0; i < n; ++i) CHECK(data[i] == 1000 * round + i);
    }
    MPI_Request_free(&request);
    for (int i = 0; i < MORE; ++i)
      MPI_Precv_init(data, 1, n, MPI_INT, peer, 13, MPI_COMM_WORLD, MPI_INFO_NULL, &more[i]);
  }
  for (int i = 0; i < MORE; ++i) MPI_Request_free(&more[i]);
  free(data);
}

/* With gaps on either side, which stay as they are, to every other element or from it. */
static void with_gaps(int parts, int each, int from_gaps, int to_gaps) {
  const int n = parts * each, right = (rank + 1) % size, left = (rank + size - 1) % size;
  int *out = malloc((size_t)n * 2 * sizeof(int)), *in = malloc((size_t)n * 2 * sizeof(int));
  MPI_Datatype spread, element;
  MPI_Type_vector(each, 1, 2, MPI_INT, &spread);
  MPI_Type_create_resized(spread, 0, (MPI_Aint)(2 * (size_t)each * sizeof(int)), &element);
  MPI_Type_commit(&element);
  MPI_Request requests[2];
  for (int i = 0; i < 2 * n; ++i) out[i] = rank + i, in[i] = -3;
  MPI_Precv_init(in, parts, to_gaps ? 1 : each, to_gaps ? element : MPI_INT, left, 14, MPI_COMM_WORLD,
                 MPI_INFO_NULL, &requests[0]);
  MPI_Psend_init(out, parts, from_gaps ? 1 : each, from_gaps ? element : MPI_INT, right, 14, MPI_COMM_WORLD,
                 MPI_INFO_NULL, &requests[1]);
  MPI_Startall(2, requests);
  for (int i = parts - 1; i >= 0; --i) MPI_Pready(i, requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2 * n; ++i) {
    const int which = to_gaps ? i / 2 : i, gap = to_gaps ? i % 2 : i >= n;
    CHECK(in[i] == (gap ? -3 : left + which * (from_gaps ? 2 : 1)));
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Type_free(&element);
  MPI_Type_free(&spread);
  free(out), free(in);
}

/* The receiver has less memory than is sent, an error of the program: no byte beyond it is written. */
static void too_long(int parts, int each, int there) {
  if (!on_loadstone()) return;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int *out = calloc((size_t)(parts * each), sizeof(int)), *in = malloc((size_t)(there + 1) * sizeof(int));
  MPI_Request send, receive;
  in[there] = 77;
  MPI_Psend_init(out, parts, each, MPI_INT, 0, 1, comm, MPI_INFO_NULL, &send);
  MPI_Precv_init(in, 1, there, MPI_INT, 0, 1, comm, MPI_INFO_NULL, &receive);
  MPI_Start(&receive);
  MPI_Start(&send);
  MPI_Pready_range(0, parts - 1, send);
  CHECK_FAILS(MPI_Wait(&receive, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  CHECK(in[0] == 0 && in[there] == 77);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
  MPI_Comm_free(&comm);
  free(out), free(in);
}

/* From each rank of one group to the one of the same number of the other. */
static void between_groups(int each) {
  if (size < 2) return;
  const int half = size / 2, low = rank < half, me = low ? rank : rank - half;
  MPI_Comm local, inter;
  MPI_Comm_split(MPI_COMM_WORLD, low, rank, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, low ? half : 0, 15, &inter);
  if (me < half) {
    int *out = malloc((size_t)(2 * each) * sizeof(int)), *in = malloc((size_t)(2 * each) * sizeof(int));
    MPI_Request requests[2];
    MPI_Psend_init(out, 2, each, MPI_INT, me, 16, inter, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 2, each, MPI_INT, me, 16, inter, MPI_INFO_NULL, &requests[1]);
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 2 * each; ++i) out[i] = 100 * rank + round + i;
      MPI_Startall(2, requests);
      MPI_Pready_list(2, (const int[]){1, 0}, requests[0]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      for (int i = 0; i < 2 * each; ++i) CHECK(in[i] == 100 * (low ? rank + half : rank - half) + round + i);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    free(out), free(in);
  }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
}

/* The receiver's elements are bigger than the sender's partitions, of 3 units each. */
static void elements_bigger_than_partitions(int unit) {
  const int n = 24 * unit, right = (rank + 1) % size, left = (rank + size - 1) % size;
  int *out = malloc((size_t)n * sizeof(int)), *in = malloc((size_t)n * sizeof(int));
  MPI_Datatype eight;
  MPI_Type_contiguous(8 * unit, MPI_INT, &eight);
  MPI_Type_commit(&eight);
  MPI_Request send, receive;
  for (int i = 0; i < n; ++i) out[i] = rank + i, in[i] = -1;
  MPI_Precv_init(in, 3, 1, eight, left, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  MPI_Start(&receive); /* before the sender has said what its partitions are */
  MPI_Psend_init(out, 8, 3 * unit, MPI_INT, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Start(&send);
  MPI_Pready_list(8, (const int[]){0, 1, 2, 3, 4, 5, 6, 7}, send);
  MPI_Status status;
  int elements;
  MPI_Wait(&receive, &status);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Get_elements(&status, eight, &elements);
  CHECK(status.MPI_SOURCE == left && status.MPI_TAG == 5 && elements == n);
  for (int i = 0; i < n; ++i) CHECK(in[i] == left + i);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
  MPI_Type_free(&eight);
  free(out), free(in);
}

/* The sender has left MPI before its receiver begins. */
static void leave_at_once(void) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int out[4] = {rank, rank + 1, rank + 2, rank + 3}, in[4] = {-1, -1, -1, -1}, count;
  MPI_Request send, receive;
  MPI_Status status;
  if (size % 2 != 0) return;
  MPI_Psend_init(out, 4, 1, MPI_INT, right, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Start(&send);
  MPI_Pready_range(0, 3, send);
  if (rank % 2 == 1) usleep(300000);
  MPI_Precv_init(in, 2, 2, MPI_INT, left, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  MPI_Start(&receive);
  MPI_Wait(&receive, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 4);
  for (int i = 0; i < 4; ++i) CHECK(in[i] == left + i);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  start_world(argc, argv);
  if (argc > 2) {
    CHECK(provided == MPI_THREAD_MULTIPLE);
    woken_by_another_thread(1);
    if (on_loadstone()) woken_by_another_thread(0); /* others need not let the sender be ahead */
  }
  round_trip(1, 100, 1, 100);
  round_trip(8, 10, 8, 10);
  round_trip(12, 100, 5, 240);
  round_trip(3, 5000, 10, 1500);
  round_trip(7, 36, 9, 28); /* every partition overlaps others of the other side */
  round_trip(7, 3600, 9, 2800);
  round_trip(200, 1, 50, 4);
  /* About the longest of what lies in a tray, all of it and one partition, and what is just too long for that. */
  round_trip(1, 1023, 1023, 1);
  round_trip(1, 1024, 1024, 1);
  round_trip(15, 1000, 5, 3000);
  round_trip(17, 1000, 10, 1700);
  for (int each = 1; each <= 8000; each *= 20) {
    one_at_a_time(each);
    ahead(5, each);
    for (int gaps = 0; gaps < 4; ++gaps) with_gaps(3, each, gaps & 1, gaps >> 1);
    too_long(4, each + 1, 2 * each + 1);
    between_groups(each);
  }

  elements_bigger_than_partitions(1);
  elements_bigger_than_partitions(700);
  nobody();
  empty(0, 0);
  empty(0, 3);
  empty(3, 0);
  empty(2, 3);
  freed_before_they_meet();
  to_itself();
  leave_at_once();
  MPI_Finalize();
  return 0;
}
