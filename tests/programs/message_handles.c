/* So many messages of matched probes that no handle is left for one more: that is told, and the message is not lost. */
#include "check.h"

enum { handles = 1 << 20 };
static MPI_Message taken[handles + 1];
static MPI_Request sends[handles + 1];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  const MPI_Comm self = MPI_COMM_SELF;
  MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
  static int data[handles + 1];
  int there = 0, got = -1;
  for (int i = 0; i <= handles; i++) {
    data[i] = i;
    MPI_Isend(&data[i], 1, MPI_INT, 0, 0, self, &sends[i]);
    if (i == handles) break;
    CHECK(MPI_Improbe(0, 0, self, &there, &taken[i], MPI_STATUS_IGNORE) == MPI_SUCCESS && there);
  }
  CHECK_FAILS(MPI_Improbe(0, 0, self, &there, &taken[handles], MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  error_says(MPI_ERR_OTHER, "1048576 messages of matched probes wait to be received");
  CHECK_FAILS(MPI_Mprobe(0, 0, self, &taken[handles], MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  /* One is given back. */
  MPI_Mrecv(&got, 1, MPI_INT, &taken[0], MPI_STATUS_IGNORE);
  CHECK(got == 0 && taken[0] == MPI_MESSAGE_NULL);
  CHECK(MPI_Mprobe(0, 0, self, &taken[handles], MPI_STATUS_IGNORE) == MPI_SUCCESS);
  for (int i = 1; i <= handles; i++) {
    MPI_Mrecv(&got, 1, MPI_INT, &taken[i], MPI_STATUS_IGNORE);
    CHECK(got == i);
  }
  MPI_Waitall(handles + 1, sends, MPI_STATUSES_IGNORE);
  if (rank == 0) printf("message handles: passed\n");
  MPI_Finalize();
  return 0;
}
