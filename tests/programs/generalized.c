/* Generalized requests: callbacks in the right order, alone and among others. */
#include "check.h"

static int queried, freed, cancels;

static int query(void* extra, MPI_Status* status) {
  ++queried;
  MPI_Status_set_elements(status, MPI_INT, *(int*)extra);
  MPI_Status_set_cancelled(status, cancels > 0);
  status->MPI_SOURCE = 11;
  status->MPI_TAG = 12;
  return MPI_SUCCESS;
}
static int release(void* extra) {
  (void)extra;
  ++freed;
  return MPI_SUCCESS;
}
static int cancel(void* extra, int complete) {
  (void)extra;
  CHECK(!complete);
  ++cancels;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  int elements = 5, flag, count, index;
  MPI_Request request;
  MPI_Status status;
  MPI_Grequest_start(query, release, cancel, &elements, &request);
  MPI_Test(&request, &flag, &status);
  CHECK(!flag && queried == 0);
  MPI_Grequest_complete(request);
  MPI_Request_get_status(request, &flag, &status);
  CHECK(flag && queried == 1 && freed == 0);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 5 && status.MPI_SOURCE == 11 && status.MPI_TAG == 12 && queried == 2 && freed == 1);
  CHECK(request == MPI_REQUEST_NULL);

  MPI_Request several[3];
  int in = -1, out = 7;
  MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &several[0]);
  MPI_Grequest_start(query, release, cancel, &elements, &several[1]);
  several[2] = MPI_REQUEST_NULL;
  MPI_Testany(3, several, &index, &flag, &status);
  CHECK(!flag);
  MPI_Cancel(&several[1]);
  MPI_Grequest_complete(several[1]);
  MPI_Waitany(3, several, &index, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(index == 1 && flag && cancels == 1 && freed == 2);
  MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Waitall(3, several, MPI_STATUSES_IGNORE);
  CHECK(in == 7);

  /* Freed before it is complete: its free function is called when it is. */
  MPI_Grequest_start(query, release, cancel, &elements, &request);
  MPI_Request copy = request;
  MPI_Request_free(&request);
  CHECK(freed == 2 && request == MPI_REQUEST_NULL);
  MPI_Grequest_complete(copy);
  CHECK(freed == 3);
  MPI_Finalize();
  return 0;
}
