// A buffer whose memory is not there is an error of the call that finds it: MPI_ERR_BUFFER, with the call,
// the other rank and the address. Copies below 4 KiB end the program, as they would without MPI.
#include <sys/mman.h>

#include "check.h"

static int told_well(int code, const char* call, const void* at, size_t bytes) {
  char text[MPI_MAX_ERROR_STRING];
  int length, class = 0;
  MPI_Error_string(code, text, &length);
  MPI_Error_class(code, &class);
  const char* where = strstr(text, "0x");
  unsigned long address = where == NULL ? 0 : strtoul(where, NULL, 16);
  if ((class == MPI_ERR_BUFFER || class == MPI_ERR_IN_STATUS) && strstr(text, call) != NULL &&
      strstr(text, "MPI_ERR_BUFFER") != NULL && strstr(text, "rank 1") != NULL &&
      address >= (unsigned long)at && address < (unsigned long)at + bytes)
    return 1;
  printf("code %d, class %d: %s\n", code, class, text);
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int sizes[] = {5000, 60000, 200000, 2000000};
  for (int i = 0; i < 4 && on_loadstone(); ++i) { /* "Communication Buffer": such a program is wrong */
    const int bytes = sizes[i];
    char* none = mmap(NULL, (size_t)bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char* good = calloc((size_t)bytes, 1);
    for (int form = 0; form < 5; ++form) {
      MPI_Barrier(MPI_COMM_WORLD);
      int code = MPI_SUCCESS;
      MPI_Request request;
      MPI_Status status;
      if (rank == 0 && form == 0) {
        code = MPI_Send(none, bytes, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
        CHECK(told_well(code, "MPI_Send", none, (size_t)bytes));
      } else if (rank == 0 && form == 3) {
        int in = -1;
        code = MPI_Sendrecv(none, bytes, MPI_BYTE, 1, 3, &in, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &status);
        CHECK(told_well(code, "MPI_Sendrecv", none, (size_t)bytes) && in == 7);
      } else if (rank == 0 && form == 4) {
        code = MPI_Sendrecv_replace(none, bytes, MPI_BYTE, 1, 3, 1, 5, MPI_COMM_WORLD, &status);
        CHECK(told_well(code, "MPI_Sendrecv_replace", none, (size_t)bytes));
      } else if (rank == 0) {
        MPI_Isend(none, bytes, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
        if (form == 1) {
          code = MPI_Wait(&request, MPI_STATUS_IGNORE);
          CHECK(told_well(code, "MPI_Wait", none, (size_t)bytes));
        } else {
          code = MPI_Waitall(1, &request, &status);
          CHECK(told_well(code, "MPI_Waitall", none, (size_t)bytes));
          CHECK(status.MPI_ERROR == MPI_ERR_BUFFER);
        }
      } else if (rank == 1) {
        int class = 0;
        const int out = 7;
        if (form < 3)
          code = MPI_Recv(good, bytes, MPI_BYTE, 0, 3, MPI_COMM_WORLD, &status);
        else if (form == 3)
          code = MPI_Sendrecv(&out, 1, MPI_INT, 0, 5, good, bytes, MPI_BYTE, 0, 3, MPI_COMM_WORLD, &status);
        else
          code = MPI_Sendrecv_replace(good, bytes, MPI_BYTE, 0, 5, 0, 3, MPI_COMM_WORLD, &status);
        MPI_Error_class(code, &class);
        CHECK(class == MPI_ERR_BUFFER);
      }
      int next = rank;
      if (rank == 0) CHECK(MPI_Send(&next, 1, MPI_INT, 1, 4, MPI_COMM_WORLD) == MPI_SUCCESS);
      if (rank == 1)
        CHECK(MPI_Recv(&next, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &status) == MPI_SUCCESS && next == 0);
    }
    munmap(none, (size_t)bytes);
    free(good);
  }
  MPI_Finalize();
  return 0;
}
