/* Blocking messages: modes, sizes from nothing to megabytes, wildcards, order, truncation, PROC_NULL, self.
 */
#include "check.h"

static const int lengths[] = {0, 1, 7, 40, 96, 97, 512, 1000, 4096, 16384, 16385, 65536, 300001, 2000003};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static void fill(unsigned char* data, int n, int seed) {
  for (int i = 0; i < n; ++i) data[i] = (unsigned char)(i * 31 + seed);
}
static int filled(const unsigned char* data, int n, int seed) {
  for (int i = 0; i < n; ++i)
    if (data[i] != (unsigned char)(i * 31 + seed)) return 0;
  return 1;
}

/* Everybody to his right neighbour, in every mode and length; the receive is posted before a ready send. */
static void ring(void) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  unsigned char *out = malloc(2000003), *in = malloc(2000003);
  for (int mode = 0; mode < 4; ++mode) {
    for (int i = 0; i < LENGTHS; ++i) {
      const int n = lengths[i], tag = mode * 100 + i;
      MPI_Request request;
      MPI_Status status;
      int count;
      fill(out, n, rank + tag);
      memset(in, 0xee, (size_t)n);
      MPI_Irecv(in, n, MPI_UNSIGNED_CHAR, left, tag, MPI_COMM_WORLD, &request);
      if (mode == 1) MPI_Barrier(MPI_COMM_WORLD);
      if (mode == 0) {
        MPI_Request sent;
        MPI_Isend(out, n, MPI_UNSIGNED_CHAR, right, tag, MPI_COMM_WORLD, &sent);
        MPI_Wait(&request, &status);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
      } else if (mode == 1) {
        MPI_Rsend(out, n, MPI_UNSIGNED_CHAR, right, tag, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
      } else if (mode == 2) {
        MPI_Request sent;
        MPI_Issend(out, n, MPI_UNSIGNED_CHAR, right, tag, MPI_COMM_WORLD, &sent);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        MPI_Wait(&request, &status);
      } else {
        /* Either the receive is cancelled, or the neighbour's message was already here. */
        int cancelled;
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (!cancelled) {
          MPI_Send(out, n, MPI_UNSIGNED_CHAR, right, tag, MPI_COMM_WORLD);
        } else
          MPI_Sendrecv(out, n, MPI_UNSIGNED_CHAR, right, tag, in, n, MPI_UNSIGNED_CHAR, left, tag,
                       MPI_COMM_WORLD, &status);
      }
      MPI_Get_count(&status, MPI_UNSIGNED_CHAR, &count);
      CHECK(count == n && status.MPI_SOURCE == left && status.MPI_TAG == tag);
      CHECK(filled(in, n, left + tag));
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  free(out);
  free(in);
}

/* Messages of one sender arrive in order, whatever their size. */
static void order(void) {
  enum { MESSAGES = 200 };
  static int data[20000];
  if (rank == 0) {
    for (int from = 1; from < size; ++from) {
      for (int i = 0; i < MESSAGES; ++i) {
        MPI_Status status;
        int count;
        MPI_Recv(data, 20000, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(status.MPI_TAG == i && data[0] == i && count == (i % 5 == 0 ? 20000 : 1 + i));
      }
    }
  } else {
    for (int i = 0; i < MESSAGES; ++i) {
      data[0] = i;
      MPI_Send(data, i % 5 == 0 ? 20000 : 1 + i, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void wildcards(void) {
  int got = 0, seen[64] = {0};
  if (rank == 0) {
    for (int i = 1; i < size; ++i) {
      MPI_Status status;
      MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      CHECK(got == status.MPI_SOURCE && status.MPI_TAG == 1000 + got && !seen[got]);
      seen[got] = 1;
    }
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 1000 + rank, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void nobody(void) {
  int x = 5;
  MPI_Status status;
  /* Where nothing is sent or received there need not be a buffer. */
  MPI_Request nothing;
  MPI_Send(NULL, 3, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(NULL, 3, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  MPI_Sendrecv_replace(NULL, 3, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Isendrecv_replace(NULL, 3, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &nothing);
  MPI_Wait(&nothing, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  int count;
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(x == 5 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && count == 0);
}

static void to_self(void) {
  int out = rank + 3, in = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Isend(&out, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &request);
  MPI_Recv(&in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(in == out && status.MPI_SOURCE == 0);
  MPI_Sendrecv_replace(&in, 1, MPI_INT, (rank + 1) % size, 4, (rank + size - 1) % size, 4, MPI_COMM_WORLD,
                       &status);
  CHECK(in == (rank + size - 1) % size + 3);
  /* Section 3.10, "Send-Receive": data and status are those of the receive; MPICH 5.0.2 gives others with three ranks. */
  if (!on_loadstone()) return;
  MPI_Isendrecv_replace(&in, 1, MPI_INT, (rank + size - 1) % size, 5, (rank + 1) % size, 5, MPI_COMM_WORLD,
                        &request);
  MPI_Wait(&request, &status);
  CHECK(in == rank + 3 && status.MPI_SOURCE == (rank + 1) % size);
}

static void truncation(void) {
  int data[100] = {0}, in = 0;
  MPI_Comm comm;
  MPI_Status status;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int n = 2; n <= 100; n += 49) {
    MPI_Request request;
    MPI_Isend(data, n, MPI_INT, 0, 1, comm, &request);
    CHECK_FAILS(MPI_Recv(&in, 1, MPI_INT, 0, 1, comm, &status), MPI_ERR_TRUNCATE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&comm);
}

/* Short ones to this process itself: posted before or not, from any, of a layout with gaps on either side, cut short. */
static void short_to_self(void) {
  enum { MOST = 160 };
  short out[2 * MOST], in[2 * MOST];
  MPI_Datatype apart;
  MPI_Type_create_resized(MPI_SHORT, 0, 2 * sizeof(short), &apart);
  MPI_Type_commit(&apart);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int trial = 0; trial < 16; ++trial) {
    const int early = trial & 1, any = trial & 2, from_gaps = trial >> 2 & 1, to_gaps = trial >> 3 & 1;
    const int source = any ? MPI_ANY_SOURCE : 0, tag = any ? MPI_ANY_TAG : 3;
    for (int n = 0; n <= MOST; n = n < 4 ? n + 1 : 2 * n) {
      for (int room = n / 2; room <= n + 1; ++room) {
        MPI_Datatype to = to_gaps ? apart : MPI_SHORT;
        MPI_Request request;
        MPI_Status status;
        int count = -1;
        for (int i = 0; i < 2 * MOST; ++i) out[i] = (short)(n + i), in[i] = -1;
        if (early) MPI_Irecv(in, room, to, source, tag, MPI_COMM_SELF, &request);
        MPI_Send(out, n, from_gaps ? apart : MPI_SHORT, 0, 3, MPI_COMM_SELF);
        for (int i = 0; i < 2 * MOST; ++i) out[i] = -2;
        const int code =
            early ? MPI_Wait(&request, &status) : MPI_Recv(in, room, to, source, tag, MPI_COMM_SELF, &status);
        CHECK_FAILS(code, room < n ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        MPI_Get_count(&status, MPI_SHORT, &count);
        CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 3 && (room < n || count == n));
        for (int i = 0; i < 2 * MOST; ++i) {
          const int which = to_gaps ? i / 2 : i, there = which < room && which < n && !(to_gaps && i % 2);
          CHECK(in[i] == (there ? n + which * (from_gaps ? 2 : 1) : -1));
        }
      }
    }
  }
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&apart);
}

/* What is cancelled leaves nothing behind for the receive that comes next, which may use the same memory. */
static void cancelled_before(void) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < 40; ++i) {
    int out = 100 * rank + i, in[2] = {-1, -1}, is = 0, count = -1;
    MPI_Request requests[2];
    MPI_Status status;
    for (int k = 0; k < 1 + i % 3; ++k) {
      const int source = i % 5 == 4 ? MPI_ANY_SOURCE : left;
      MPI_Irecv(in, 2, MPI_INT, source, 1000, MPI_COMM_WORLD, &requests[0]);
      if (k == 1) MPI_Irecv(in, 2, MPI_INT, source, 1000, MPI_COMM_WORLD, &requests[1]);
      MPI_Cancel(&requests[0]);
      MPI_Wait(&requests[0], &status);
      MPI_Test_cancelled(&status, &is);
      CHECK(is);
      if (k != 1) continue;
      MPI_Cancel(&requests[1]);
      MPI_Wait(&requests[1], &status);
      MPI_Test_cancelled(&status, &is);
      CHECK(is);
    }
    const int posted = i % 2;
    if (posted) MPI_Irecv(in, 2, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(&out, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
    if (!posted) MPI_Irecv(in, 2, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &is);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(!is && count == 1 && status.MPI_SOURCE == left && status.MPI_TAG == 7);
    CHECK(in[0] == 100 * left + i && in[1] == -1);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  nobody();
  to_self();
  short_to_self();
  cancelled_before();
  wildcards();
  order();
  truncation();
  ring();
  MPI_Finalize();
  return 0;
}
