/* Wait and test in all forms, statuses, free, get_status, cancel, inactive and null requests. */
#include <stdint.h>

#include "check.h"

enum { N = 40 };

static void all_forms(void) {
  int in[N], out[N];
  MPI_Request requests[2 * N];
  MPI_Status statuses[2 * N];
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int form = 0; form < 6; ++form) {
    for (int i = 0; i < N; ++i) {
      in[i] = -1;
      out[i] = rank * 1000 + form * 100 + i;
      MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < N; ++i)
      MPI_Isend(&out[i], 1, MPI_INT, right, N - 1 - i, MPI_COMM_WORLD, &requests[N + i]);
    int done = 0, flag = 0, index, indices[2 * N], count;
    switch (form) {
      case 0:
        MPI_Waitall(2 * N, requests, statuses);
        for (int i = 0; i < N; ++i) CHECK(statuses[i].MPI_SOURCE == left && statuses[i].MPI_TAG == i);
        break;
      case 1:
        while (!flag) MPI_Testall(2 * N, requests, &flag, MPI_STATUSES_IGNORE);
        break;
      case 2:
        for (done = 0; done < 2 * N; ++done) {
          MPI_Waitany(2 * N, requests, &index, statuses);
          CHECK(index >= 0 && index < 2 * N && requests[index] == MPI_REQUEST_NULL);
        }
        MPI_Waitany(2 * N, requests, &index, statuses);
        CHECK(index == MPI_UNDEFINED && statuses[0].MPI_SOURCE == MPI_ANY_SOURCE &&
              statuses[0].MPI_TAG == MPI_ANY_TAG);
        break;
      case 3:
        while (done < 2 * N) {
          MPI_Testany(2 * N, requests, &index, &flag, MPI_STATUS_IGNORE);
          if (flag) ++done;
        }
        MPI_Testany(2 * N, requests, &index, &flag, MPI_STATUS_IGNORE);
        CHECK(flag && index == MPI_UNDEFINED);
        break;
      case 4:
        while (done < 2 * N) {
          MPI_Waitsome(2 * N, requests, &count, indices, statuses);
          CHECK(count >= 1);
          for (int i = 0; i < count; ++i)
            if (indices[i] < N)
              CHECK(statuses[i].MPI_TAG == indices[i] && statuses[i].MPI_ERROR == MPI_SUCCESS);
          done += count;
        }
        MPI_Waitsome(2 * N, requests, &count, indices, statuses);
        CHECK(count == MPI_UNDEFINED);
        break;
      case 5:
        while (done < 2 * N) {
          MPI_Testsome(2 * N, requests, &count, indices, MPI_STATUSES_IGNORE);
          CHECK(count >= 0);
          done += count;
        }
        MPI_Testsome(2 * N, requests, &count, indices, statuses);
        CHECK(count == MPI_UNDEFINED);
        break;
    }
    for (int i = 0; i < 2 * N; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
    for (int i = 0; i < N; ++i) CHECK(in[i] == left * 1000 + form * 100 + N - 1 - i);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void looking(void) {
  int out = rank, in = -1, flag = 1, index;
  MPI_Request request, pair[2];
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &request);
  MPI_Request_get_status(request, &flag, &status);
  CHECK(!flag);
  MPI_Test(&request, &flag, &status);
  CHECK(!flag && request != MPI_REQUEST_NULL);
  pair[0] = MPI_REQUEST_NULL;
  pair[1] = request;
  MPI_Request_get_status_any(2, pair, &index, &flag, &status);
  CHECK(!flag && index == MPI_UNDEFINED);
  MPI_Send(&out, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
  while (!flag) MPI_Request_get_status(request, &flag, &status);
  CHECK(in == rank && status.MPI_TAG == 3);
  MPI_Request_get_status_any(2, pair, &index, &flag, &status);
  CHECK(flag && index == 1);
  MPI_Request_get_status_all(2, pair, &flag, MPI_STATUSES_IGNORE);
  CHECK(flag);
  int indices[2], count;
  MPI_Request_get_status_some(2, pair, &count, indices, MPI_STATUSES_IGNORE);
  CHECK(count == 1 && indices[0] == 1);
  MPI_Wait(&request, &status);
  CHECK(request == MPI_REQUEST_NULL && status.MPI_SOURCE == 0);
  MPI_Wait(&request, &status);
  CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG &&
        status.MPI_ERROR == MPI_SUCCESS);
  MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status);
  CHECK(flag);
}

static void given_up(void) {
  int data[5000], in[5000];
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request request;
  for (int i = 0; i < 5000; ++i) data[i] = rank + i;
  MPI_Isend(data, 5000, MPI_INT, right, 8, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  CHECK(request == MPI_REQUEST_NULL);
  MPI_Recv(in, 5000, MPI_INT, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in[4999] == left + 4999);
  MPI_Barrier(MPI_COMM_WORLD);
  /* A receive that is freed completes all the same; the barrier-like message says so. */
  in[0] = -1;
  MPI_Irecv(in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &request);
  MPI_Request_free(&request);
  MPI_Send(data, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
  MPI_Sendrecv(data, 1, MPI_INT, 0, 10, in + 1, 1, MPI_INT, 0, 10, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  CHECK(in[0] == rank);
}

static void errors_in_statuses(void) {
  int in[4], out[4] = {1, 2, 3, 4};
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Request requests[3];
  MPI_Status statuses[3];
  MPI_Irecv(in, 1, MPI_INT, 0, 1, comm, &requests[0]);
  MPI_Irecv(in + 1, 1, MPI_INT, 0, 2, comm, &requests[1]);
  requests[2] = MPI_REQUEST_NULL;
  MPI_Send(out, 1, MPI_INT, 0, 1, comm);
  MPI_Send(out, 2, MPI_INT, 0, 2, comm);
  CHECK_FAILS(MPI_Waitall(3, requests, statuses), MPI_ERR_IN_STATUS);
  CHECK(statuses[0].MPI_ERROR == MPI_SUCCESS && statuses[2].MPI_ERROR == MPI_SUCCESS);
  int error_class;
  MPI_Error_class(statuses[1].MPI_ERROR, &error_class);
  CHECK(error_class == MPI_ERR_TRUNCATE && in[0] == 1);
  MPI_Comm_free(&comm);
}

/* However a receive is waited for, what is told of a message that is too long says how long its buffer is. */
static void told(int code, int of_several) {
  char text[MPI_MAX_ERROR_STRING];
  int length, error_class;
  MPI_Error_class(code, &error_class);
  CHECK(error_class == (of_several ? MPI_ERR_IN_STATUS : MPI_ERR_TRUNCATE));
  MPI_Error_string(code, text, &length);
  if (strstr(text, "from rank 0 with tag 5 is longer than the receive buffer of 12 bytes") == NULL) {
    fprintf(stderr, "%s\n", text);
    CHECK(0);
  }
}
static void too_long(void) {
  int in[3], out[4] = {1, 2, 3, 4}, flag, index, count;
  MPI_Comm comm;
  MPI_Request r, persistent;
  MPI_Message message;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Recv_init(in, 3, MPI_INT, 0, 5, comm, &persistent);
  for (int form = 0; form < 9; ++form) {
    if (form == 6) {
      MPI_Start(&persistent);
    } else if (form == 7) {
      MPI_Isendrecv(out, 4, MPI_INT, 0, 5, in, 3, MPI_INT, 0, 5, comm, &r);
    } else if (form < 7) {
      MPI_Irecv(in, 3, MPI_INT, 0, 5, comm, &r);
    }
    if (form != 7) MPI_Send(out, 4, MPI_INT, 0, 5, comm);
    if (form == 8) {
      MPI_Mprobe(0, 5, comm, &message, MPI_STATUS_IGNORE);
      MPI_Imrecv(in, 3, MPI_INT, &message, &r);
    }
    MPI_Request* const request = form == 6 ? &persistent : &r;
    if (form == 0 || form > 5) told(MPI_Wait(request, MPI_STATUS_IGNORE), 0);
    if (form == 1) told(MPI_Test(request, &flag, MPI_STATUS_IGNORE), 0);
    if (form == 2) told(MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE), 0);
    if (form == 3) told(MPI_Waitall(1, request, MPI_STATUSES_IGNORE), 1);
    if (form == 4) told(MPI_Testall(1, request, &flag, MPI_STATUSES_IGNORE), 1);
    if (form == 5) told(MPI_Waitsome(1, request, &count, &index, MPI_STATUSES_IGNORE), 1);
  }
  MPI_Request_free(&persistent);
  MPI_Comm_free(&comm);
}

static void cancelled(void) {
  int in = -1, flag;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag && in == -1);
}

static void many(void) {
  enum { M = 20000 };
  static MPI_Request requests[M];
  static int data[M];
  for (int i = 0; i < M; ++i) MPI_Irecv(&data[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
  for (int i = M - 1; i >= 0; --i) MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_SELF);
  MPI_Waitall(M, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < M; ++i) CHECK(data[i] == i);
}

/* A copy of a request's handle is refused when the message is done with, however many have been there since. */
static void stale(void) {
  enum { since = 300 };
  static MPI_Request copies[since];
  int in;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int i = 0; i < since; ++i) {
    MPI_Request r;
    int flag;
    MPI_Irecv(&in, 1, MPI_INT, 0, i, MPI_COMM_SELF, &r);
    copies[i] = r;
    CHECK(MPI_Request_f2c(MPI_Request_c2f(r)) == r);
    for (int j = 0; j < i; ++j) {
      MPI_Request copy = copies[j];
      CHECK_FAILS(MPI_Test(&copy, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    }
    MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_SELF);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK(in == i);
  }
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

/* What MPI_Waitall waits for comes one by one: with an error, what is not active and what is persistent in between. */
static void one_by_one(void) {
  enum { messages = 6, failing = 3 };
  int in[messages] = {0}, out[2], count;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (rank == 1) {
    for (int i = 0; i < messages; i++) {
      out[0] = out[1] = 10 + i;
      for (const double until = MPI_Wtime() + 2e-3; MPI_Wtime() < until;) continue;
      MPI_Send(out, i == failing ? 2 : 1, MPI_INT, 0, i, comm);
    }
  } else if (rank == 0) {
    MPI_Request requests[messages + 2];
    MPI_Status statuses[messages + 2];
    for (int i = 0; i < messages; i++) {
      if (i == messages - 2)
        MPI_Recv_init(&in[i], 1, MPI_INT, 1, i, comm, &requests[i]), MPI_Start(&requests[i]);
      else
        MPI_Irecv(&in[i], 1, MPI_INT, 1, i, comm, &requests[i]);
    }
    const MPI_Request persistent = requests[messages - 2], last = requests[messages - 1];
    requests[messages - 1] = MPI_REQUEST_NULL;
    MPI_Recv_init(in, 1, MPI_INT, 1, 0, comm, &requests[messages]);
    const MPI_Request inactive = requests[messages];
    requests[messages + 1] = last;
    CHECK_FAILS(MPI_Waitall(messages + 2, requests, statuses), MPI_ERR_IN_STATUS);
    for (int i = 0; i < messages + 2; i++) {
      const int of = i == messages + 1 ? messages - 1 : i; /* the message */
      const int empty = i == messages - 1 || i == messages;
      int error_class;
      MPI_Error_class(statuses[i].MPI_ERROR, &error_class);
      CHECK(error_class == (i == failing ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
      CHECK(statuses[i].MPI_SOURCE == (empty ? MPI_ANY_SOURCE : 1));
      CHECK(statuses[i].MPI_TAG == (empty ? MPI_ANY_TAG : of));
      if (i == failing) continue;
      MPI_Get_count(&statuses[i], MPI_INT, &count);
      CHECK(count == !empty && (empty || in[of] == 10 + of));
    }
    CHECK(requests[messages - 2] == persistent && requests[messages] == inactive);
    MPI_Request_free(&requests[messages - 2]), MPI_Request_free(&requests[messages]);
    for (int i = 0; i < messages + 2; i++) CHECK(requests[i] == MPI_REQUEST_NULL);
  }
  MPI_Comm_free(&comm);
}

/* Of a send that has left, a message that is there, and one that is missing, none is taken; nor where a handle is wrong. */
static void all_or_none(void) {
  enum { sent, there, missing, all };
  int out = 4, in[2] = {-1, -1}, flag = 7, count, is;
  MPI_Request requests[all], before[all];
  MPI_Status statuses[all];
  MPI_Isend(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[sent]);
  MPI_Irecv(&in[0], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[there]);
  MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_SELF, &requests[missing]);
  memcpy(before, requests, sizeof before);
  memset(statuses, 0xee, sizeof statuses);
  for (int i = 0; i < 3; ++i) {
    CHECK(MPI_Testall(all, requests, &flag, statuses) == MPI_SUCCESS && !flag);
    CHECK(memcmp(before, requests, sizeof before) == 0);
  }
  CHECK(in[0] == out && statuses[there].MPI_TAG == (int)0xeeeeeeee);
  if (on_loadstone()) {
    MPI_Request wrong[all] = {requests[sent], requests[there], (MPI_Request)(intptr_t)0x123456};
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_FAILS(MPI_Testall(all, wrong, &flag, statuses), MPI_ERR_REQUEST);
    CHECK_FAILS(MPI_Waitall(all, wrong, statuses), MPI_ERR_REQUEST);
    CHECK_FAILS(MPI_Waitall(-1, requests, statuses), MPI_ERR_COUNT);
    CHECK_FAILS(MPI_Testall(-1, requests, &flag, statuses), MPI_ERR_COUNT);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    CHECK(memcmp(before, requests, sizeof before) == 0);
  }
  MPI_Send(&out, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
  MPI_Testall(all, requests, &flag, statuses);
  CHECK(flag && in[1] == out && statuses[there].MPI_TAG == 1 && statuses[missing].MPI_TAG == 2);
  CHECK(statuses[missing].MPI_SOURCE == 0);
  MPI_Get_count(&statuses[missing], MPI_INT, &count);
  MPI_Test_cancelled(&statuses[sent], &is);
  CHECK(count == 1 && !is);
  for (int i = 0; i < all; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
  MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
  MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
  CHECK(flag);
}

/* A handle that is in an array twice, which is wrong, spoils no other request. */
static void twice(void) {
  int in[2] = {-1, -1}, out = 6;
  MPI_Request requests[2];
  if (rank > 1) return;
  if (rank == 1) {
    for (const double until = MPI_Wtime() + 5e-3; MPI_Wtime() < until;) continue;
    for (int i = 0; i < 3; ++i) MPI_Send(&out, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    return;
  }
  MPI_Irecv(&in[0], 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[0]);
  requests[1] = requests[0];
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; ++i) MPI_Irecv(&in[i], 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[i]);
  CHECK(requests[0] != requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(in[0] == out && in[1] == out);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  all_forms();
  all_or_none();
  looking();
  given_up();
  /* Section 9.3, "Error Handling": the handler of the communicator of the requests; MPICH 5.0.2 calls the one of
   * MPI_COMM_SELF. */
  if (on_loadstone()) errors_in_statuses(), too_long();
  if (on_loadstone() && size > 1) one_by_one(), twice();
  cancelled();
  if (on_loadstone()) stale();
  many();
  MPI_Finalize();
  return 0;
}
