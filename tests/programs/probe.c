/* Probes, matched probes, and messages of unknown length. */
#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  static int out[50000], in[50000];
  for (int i = 0; i < 50000; ++i) out[i] = rank + i;
  const int lengths[] = {0, 3, 1000, 50000};
  for (int i = 0; i < 4; ++i) {
    const int n = lengths[i];
    for (int form = 0; form < 5; ++form) {
      MPI_Request sent;
      MPI_Status status;
      MPI_Message message;
      int flag = 0, count;
      MPI_Isend(out, n, MPI_INT, right, 10 + form, MPI_COMM_WORLD, &sent);
      switch (form) {
        case 0:
          MPI_Probe(left, 10 + form, MPI_COMM_WORLD, &status);
          break;
        case 1:
          while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, 10 + form, MPI_COMM_WORLD, &flag, &status);
          break;
        case 2:
        case 3:
          MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
          break;
        default:
          while (!flag) MPI_Improbe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
          break;
      }
      MPI_Get_count(&status, MPI_INT, &count);
      CHECK(count == n && status.MPI_SOURCE == left && status.MPI_TAG == 10 + form);
      if (form < 2) {
        MPI_Recv(in, count, MPI_INT, left, 10 + form, MPI_COMM_WORLD, &status);
      } else if (form == 2) {
        int other;
        MPI_Iprobe(left, 10 + form, MPI_COMM_WORLD, &other, MPI_STATUS_IGNORE);
        CHECK(!other); /* taken out of matching */
        MPI_Mrecv(in, count, MPI_INT, &message, &status);
        CHECK(message == MPI_MESSAGE_NULL);
      } else {
        MPI_Request request;
        MPI_Imrecv(in, count, MPI_INT, &message, &request);
        CHECK(message == MPI_MESSAGE_NULL);
        MPI_Wait(&request, &status);
      }
      MPI_Get_count(&status, MPI_INT, &count);
      CHECK(count == n && status.MPI_SOURCE == left);
      for (int k = 0; k < n; ++k) CHECK(in[k] == left + k);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  MPI_Status status;
  MPI_Message message;
  int flag;
  MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
  CHECK(message == MPI_MESSAGE_NO_PROC && status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Mrecv(NULL, 0, MPI_INT, &message, &status);
  CHECK(message == MPI_MESSAGE_NULL && status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &status);
  CHECK(flag && status.MPI_TAG == MPI_ANY_TAG);
  MPI_Finalize();
  return 0;
}
