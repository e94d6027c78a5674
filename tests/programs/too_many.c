/* Counts whose bytes no 64 bits can count are errors that name the call, the argument and its value, in every call that
 * moves data; nothing is sent. */
#include <stdint.h>

#include "check.h"

static const MPI_Count beyond = (MPI_Count)1 << 60; /* x 8 bytes */
static int failures;

/* `code` is MPI_ERR_COUNT, and its text has all of `words`. */
static void refused(int code, const char* call, const char* words) {
  char text[MPI_MAX_ERROR_STRING];
  int length, error_class;
  MPI_Error_class(code, &error_class);
  MPI_Error_string(code, text, &length);
  if (error_class == MPI_ERR_COUNT && strstr(text, call) != NULL && strstr(text, words) != NULL) return;
  fprintf(stderr, "%s: class %d, %s; expected %s\n", call, error_class, text, words);
  ++failures;
}
#define REFUSED(name, arguments, words) refused(name arguments, #name ":", words)

static void messages(void) {
  double x[4];
  MPI_Request r;
  MPI_Status s;
  const char* const second = "argument 2 (count) is 1152921504606846976";
  const MPI_Comm self = MPI_COMM_SELF;
  REFUSED(MPI_Send_c, (x, beyond, MPI_DOUBLE, 0, 1, self), second);
  REFUSED(MPI_Ssend_c, (x, beyond, MPI_DOUBLE, 0, 1, self), second);
  REFUSED(MPI_Bsend_c, (x, beyond, MPI_DOUBLE, 0, 1, self), second);
  REFUSED(MPI_Isend_c, (x, beyond, MPI_DOUBLE, 0, 1, self, &r), second);
  REFUSED(MPI_Issend_c, (x, beyond, MPI_DOUBLE, 0, 1, self, &r), second);
  REFUSED(MPI_Recv_c, (x, beyond, MPI_DOUBLE, 0, 1, self, &s), second);
  REFUSED(MPI_Irecv_c, (x, beyond, MPI_DOUBLE, 0, 1, self, &r), second);
  REFUSED(MPI_Send_init_c, (x, beyond, MPI_DOUBLE, 0, 1, self, &r), second);
  REFUSED(MPI_Recv_init_c, (x, beyond, MPI_DOUBLE, 0, 1, self, &r), second);
  REFUSED(MPI_Sendrecv_c, (x, beyond, MPI_DOUBLE, 0, 1, x, 1, MPI_DOUBLE, 0, 1, self, &s),
          "argument 2 (sendcount) is 1152921504606846976");
  REFUSED(MPI_Sendrecv_c, (x, 1, MPI_DOUBLE, 0, 1, x, beyond, MPI_DOUBLE, 0, 1, self, &s),
          "argument 7 (recvcount) is 1152921504606846976");
  REFUSED(MPI_Sendrecv_replace_c, (x, beyond, MPI_DOUBLE, 0, 1, 0, 1, self, &s), second);
  REFUSED(MPI_Psend_init, (x, 1 << 30, beyond >> 30, MPI_DOUBLE, 0, 1, self, MPI_INFO_NULL, &r),
          "1073741824 partitions of 1073741824 elements");
  /* The largest is one less than too many. Nothing is sent to nobody. */
  CHECK(MPI_Send_c(x, beyond - 1, MPI_DOUBLE, MPI_PROC_NULL, 1, self) == MPI_SUCCESS);
  int flag;
  MPI_Iprobe(0, 1, self, &flag, &s);
  CHECK(!flag);
}

/* An int is enough where elements are large, or far apart. */
static void layouts(void) {
  MPI_Datatype large, apart, back, empty;
  MPI_Request r;
  char byte;
  MPI_Type_contiguous_c((MPI_Count)1 << 40, MPI_DOUBLE, &large);
  MPI_Type_create_resized(MPI_BYTE, 0, (MPI_Aint)1 << 60, &apart);
  MPI_Type_create_resized_c(MPI_BYTE, 0, -((MPI_Count)1 << 60), &back);
  MPI_Type_commit(&large), MPI_Type_commit(&apart), MPI_Type_commit(&back);
  REFUSED(MPI_Isend, (&byte, 1 << 20, large, 0, 1, MPI_COMM_SELF, &r), "argument 2 (count) is 1048576");
  REFUSED(MPI_Isend, (&byte, 8, apart, 0, 1, MPI_COMM_SELF, &r), "argument 2 (count) is 8");
  REFUSED(MPI_Irecv, (&byte, 8, back, 0, 1, MPI_COMM_SELF, &r), "argument 2 (count) is 8");
  CHECK(MPI_Send(&byte, 7, apart, MPI_PROC_NULL, 1, MPI_COMM_SELF) == MPI_SUCCESS);
  MPI_Type_free(&large), MPI_Type_free(&apart), MPI_Type_free(&back);
  /* Of nothing there may be any number. */
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  CHECK(MPI_Send_c(&byte, INT64_MAX, empty, MPI_PROC_NULL, 1, MPI_COMM_SELF) == MPI_SUCCESS);
  /* So many elements of nothing are nothing, how often ever. */
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Count counts[16];
  MPI_Aint places[16];
  for (int i = 0; i < 16; ++i) counts[i] = INT64_MAX, places[i] = 0;
  CHECK(ranks <= 16);
  CHECK(MPI_Allgather_c(&byte, INT64_MAX, empty, &byte, INT64_MAX, empty, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(MPI_Allgatherv_c(&byte, INT64_MAX, empty, &byte, counts, places, empty, MPI_COMM_WORLD) ==
        MPI_SUCCESS);
  CHECK(MPI_Alltoallv_c(&byte, counts, places, empty, &byte, counts, places, empty, MPI_COMM_WORLD) ==
        MPI_SUCCESS);
  MPI_Type_free(&empty);
}

static void packing(void) {
  double x[4];
  MPI_Count position = 0, bytes = 0;
  MPI_Count at = 0;
  MPI_Datatype large;
  const MPI_Comm self = MPI_COMM_SELF;
  REFUSED(MPI_Pack_c, (x, beyond, MPI_DOUBLE, x, 8, &position, self),
          "argument 2 (incount) is 1152921504606846976");
  REFUSED(MPI_Unpack_c, (x, 8, &position, x, beyond, MPI_DOUBLE, self),
          "argument 5 (outcount) is 1152921504606846976");
  REFUSED(MPI_Pack_external_c, ("external32", x, beyond, MPI_DOUBLE, x, 8, &at),
          "(incount) is 1152921504606846976");
  CHECK(position == 0 && at == 0);
  CHECK(MPI_Pack_size_c(beyond, MPI_DOUBLE, self, &bytes) == MPI_SUCCESS && bytes == MPI_UNDEFINED);
  CHECK(MPI_Type_contiguous_c(beyond, MPI_DOUBLE, &large) != MPI_SUCCESS);
}

static void collectives(void) {
  static double x[16], y[16];
  MPI_Count counts[16], large[16];
  MPI_Aint places[16];
  MPI_Datatype types[16];
  const MPI_Comm world = MPI_COMM_WORLD;
  const MPI_Count each = beyond / size + 1;
  char last[100];
  for (int i = 0; i < size; ++i) counts[i] = 1, large[i] = each, places[i] = i, types[i] = MPI_DOUBLE;
  const char* const in_all = size > 1 ? "in all; expected at most" : "[0]) is 1152921504606846977";
  REFUSED(MPI_Bcast_c, (x, beyond, MPI_DOUBLE, 0, world), "argument 2 (count) is 1152921504606846976");
  REFUSED(MPI_Allgather_c, (x, 1, MPI_DOUBLE, y, each, MPI_DOUBLE, world), "argument 5 (recvcount) is");
  REFUSED(MPI_Alltoall_c, (x, each, MPI_DOUBLE, y, 1, MPI_DOUBLE, world), "argument 2 (sendcount) is");
  if (rank == 0) {
    REFUSED(MPI_Gather_c, (x, 1, MPI_DOUBLE, y, each, MPI_DOUBLE, 0, world), "argument 5 (recvcount) is");
    REFUSED(MPI_Scatter_c, (x, each, MPI_DOUBLE, y, 1, MPI_DOUBLE, 0, world), "argument 2 (sendcount) is");
    REFUSED(MPI_Gatherv_c, (x, 1, MPI_DOUBLE, y, large, places, MPI_DOUBLE, 0, world), in_all);
  }
  REFUSED(MPI_Allgatherv_c, (x, 1, MPI_DOUBLE, y, large, places, MPI_DOUBLE, world), in_all);
  REFUSED(MPI_Alltoallv_c, (x, large, places, MPI_DOUBLE, y, counts, places, MPI_DOUBLE, world), in_all);
  large[size - 1] = beyond;
  snprintf(last, sizeof last, "argument 6 (recvcounts[%d]) is 1152921504606846976", size - 1);
  for (int i = 0; i < size - 1; ++i) large[i] = 1;
  REFUSED(MPI_Alltoallw_c, (x, counts, places, types, y, large, places, types, world), last);
  REFUSED(MPI_Allreduce_c, (x, y, beyond, MPI_DOUBLE, MPI_SUM, world),
          "argument 3 (count) is 1152921504606846976");
  REFUSED(MPI_Scan_c, (x, y, beyond, MPI_DOUBLE, MPI_SUM, world),
          "argument 3 (count) is 1152921504606846976");
  REFUSED(MPI_Reduce_local_c, (x, y, beyond, MPI_DOUBLE, MPI_SUM),
          "argument 3 (count) is 1152921504606846976");
  REFUSED(MPI_Reduce_scatter_c, (x, y, large, MPI_DOUBLE, MPI_SUM, world), "argument 3 (recvcounts[");
  REFUSED(MPI_Reduce_scatter_block_c, (x, y, each, MPI_DOUBLE, MPI_SUM, world), "argument 3 (recvcount) is");
  MPI_Barrier(world);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  /* Section 2.8 leaves open which errors are found. */
  if (on_loadstone()) {
    messages();
    layouts();
    packing();
    collectives();
  }
  CHECK(failures == 0);
  MPI_Finalize();
  return 0;
}
