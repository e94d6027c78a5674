/* Persistent collectives whose counts differ, wrong on purpose: nobody waits for ever, and each start ends with MPI_ERR_TRUNCATE
 * at somebody. */
#include <stdlib.h>

#include "check.h"

enum { most = 4000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  char* const out = calloc(1, most);
  char* const in = calloc((size_t)size, most);
  static const int counts[][2] = {{400, 8}, {8, 400}, {most, 8}, {100, 48}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    const int count = counts[i][rank != 0];
    for (int form = 0; form < 3; ++form) {
      MPI_Request request;
      if (form == 0)
        MPI_Bcast_init(in, count, MPI_BYTE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
      else if (form == 1)
        MPI_Allgather_init(out, count, MPI_BYTE, in, count, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &request);
      else
        MPI_Allreduce_init(out, in, count, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
      for (int start = 0; start < 3; ++start) {
        MPI_Start(&request);
        const int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        int class = MPI_SUCCESS;
        MPI_Error_class(code, &class);
        CHECK(class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE);
        int truncated = class == MPI_ERR_TRUNCATE, anywhere = 0;
        MPI_Allreduce(&truncated, &anywhere, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
        /* What is longer than is wanted is cut; a root's short block is a short message. */
        CHECK(anywhere || (form == 0 && counts[i][0] < counts[i][1]));
      }
      MPI_Request_free(&request);
    }
  }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
