/* Wrong arguments of every sort: the class, and a message that names call, argument, value, rank-independent
 * expectation. And arguments that look wrong and are not. Runs on any number of processes; every process
 * checks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, wrong, checks;
static int a[64], b[64];

static void check(int line, int code, int expected, const char* says) {
  int found;
  char text[MPI_MAX_ERROR_STRING];
  char where[32];
  int length;
  checks++;
  MPI_Error_class(code, &found);
  MPI_Error_string(code, text, &length);
  snprintf(where, sizeof where, "rank %d, ", rank);
  if (says[0] != 0 && code < MPI_ERR_LASTCODE && strstr(text, where) == NULL)
    puts("no rank in the message"), wrong++;
  if (found != expected || (expected != MPI_SUCCESS && strstr(text, says) == NULL)) {
    printf("rank %d, line %d: class %d, expected %d; \"%s\" should say \"%s\"\n", rank, line, found, expected,
           text, says);
    wrong++;
  }
}
#define FAILS(call, error_class, says) check(__LINE__, call, error_class, says)
#define WORKS(call) check(__LINE__, call, MPI_SUCCESS, "")

static void point_to_point(MPI_Comm comm) {
  MPI_Datatype raw;
  MPI_Request r = MPI_REQUEST_NULL;
  MPI_Status status;
  int flag, count;
  FAILS(MPI_Send(a, 1, MPI_INT, size, 0, comm), MPI_ERR_RANK, "MPI_Send: argument 4 (dest) is ");
  FAILS(MPI_Send(a, 1, MPI_INT, -5, 0, comm), MPI_ERR_RANK, "dest) is -5; expected a rank from 0 to ");
  FAILS(MPI_Send(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm), MPI_ERR_RANK, "(MPI_ANY_SOURCE)");
  FAILS(MPI_Send(a, 1, MPI_INT, MPI_ROOT, 0, comm), MPI_ERR_RANK, "(MPI_ROOT)");
  FAILS(MPI_Send(a, -1, MPI_INT, rank, 0, comm), MPI_ERR_COUNT,
        "argument 2 (count) is -1; expected at least 0");
  FAILS(MPI_Send_c(a, -1, MPI_INT, rank, 0, comm), MPI_ERR_COUNT, "MPI_Send_c");
  FAILS(MPI_Send(a, 1, MPI_INT, rank, -1, comm), MPI_ERR_TAG,
        "argument 5 (tag) is -1; expected 0 to 2147483647");
  FAILS(MPI_Send(a, 1, MPI_INT, rank, MPI_ANY_TAG, comm), MPI_ERR_TAG, "(tag) is -2");
  FAILS(MPI_Send(a, 1, MPI_DATATYPE_NULL, rank, 0, comm), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
  FAILS(MPI_Send(a, 1, (MPI_Datatype)MPI_COMM_WORLD, rank, 0, comm), MPI_ERR_TYPE, "MPI_COMM_WORLD");
  FAILS(MPI_Send(a, 1, MPI_INT, rank, 0, MPI_COMM_NULL), MPI_ERR_COMM, "MPI_COMM_NULL");
  FAILS(MPI_Send(MPI_IN_PLACE, 1, MPI_INT, rank, 0, comm), MPI_ERR_BUFFER, "MPI_IN_PLACE");
  FAILS(MPI_Recv(a, 1, MPI_INT, size, 0, comm, &status), MPI_ERR_RANK, "MPI_ANY_SOURCE or MPI_PROC_NULL");
  FAILS(MPI_Recv(a, 1, MPI_INT, 0, -3, comm, &status), MPI_ERR_TAG, "MPI_ANY_TAG");
  FAILS(MPI_Irecv(a, -7, MPI_INT, 0, 0, comm, &r), MPI_ERR_COUNT, "MPI_Irecv");
  FAILS(MPI_Isend(a, 1, MPI_INT, 0, 0, comm, NULL), MPI_ERR_ARG, "argument 7 (request) is a null pointer");
  FAILS(MPI_Sendrecv(a, 1, MPI_INT, 0, 0, a, 1, MPI_INT, 0, 0, comm, &status), MPI_ERR_BUFFER, "same buffer");
  FAILS(MPI_Probe(size, 0, comm, &status), MPI_ERR_RANK, "MPI_Probe");
  FAILS(MPI_Iprobe(0, 0, comm, NULL, &status), MPI_ERR_ARG, "flag");
  FAILS(MPI_Get_count(&status, MPI_DATATYPE_NULL, &count), MPI_ERR_TYPE, "MPI_Get_count");
  FAILS(MPI_Waitall(-1, &r, MPI_STATUSES_IGNORE), MPI_ERR_COUNT, "count");
  FAILS(MPI_Cancel(NULL), MPI_ERR_ARG, "request");
  MPI_Type_contiguous(3, MPI_INT, &raw);
  FAILS(MPI_Send(a, 1, raw, rank, 0, comm), MPI_ERR_TYPE, "not committed");
  FAILS(MPI_Irecv(a, 1, raw, rank, 0, comm, &r), MPI_ERR_TYPE, "not committed");
  FAILS(MPI_Bcast(a, 1, raw, 0, comm), MPI_ERR_TYPE, "not committed");
  WORKS(MPI_Type_commit(&raw));
  WORKS(MPI_Type_commit(&raw));
  WORKS(MPI_Send(a, 1, raw, MPI_PROC_NULL, 0, comm));
  WORKS(MPI_Type_free(&raw));

  const MPI_Aint before = -8;
  MPI_Type_create_hindexed_block(1, 1, &before, MPI_INT, &raw);
  MPI_Type_commit(&raw);
  FAILS(MPI_Send(NULL, 1, raw, rank, 0, comm), MPI_ERR_BUFFER,
        "argument 1 (buf) is a null pointer (MPI_BOTTOM)");
  FAILS(MPI_Recv(b, 1, MPI_INT, rank, 0, comm, (MPI_Status*)MPI_IN_PLACE), MPI_ERR_ARG,
        "argument 7 (status) is 0x1");
  WORKS(MPI_Type_free(&raw));

  /* Not wrong: null buffers (MPI_BOTTOM), no data, nobody, the largest tag. */
  WORKS(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, comm));
  WORKS(MPI_Send(NULL, 5, MPI_INT, MPI_PROC_NULL, 2147483647, comm));
  WORKS(MPI_Sendrecv(NULL, 0, MPI_INT, rank, 2147483647, NULL, 0, MPI_BYTE, rank, 2147483647, comm,
                     MPI_STATUS_IGNORE));
  WORKS(MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE));
  WORKS(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
  WORKS(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
  r = MPI_REQUEST_NULL;
  WORKS(MPI_Wait(&r, MPI_STATUS_IGNORE));

  /* Truncation is an error of the receive, and the rest of the buffer is untouched. */
  b[1] = 77;
  WORKS(MPI_Isend(a, 2, MPI_INT, rank, 1, comm, &r));
  FAILS(MPI_Recv(b, 1, MPI_INT, rank, 1, comm, &status), MPI_ERR_TRUNCATE, "");
  WORKS(MPI_Wait(&r, MPI_STATUS_IGNORE));
  if (b[1] != 77) puts("a truncated message wrote beyond the buffer"), wrong++;
}

static void collectives(MPI_Comm comm) {
  int root = size - 1, *counts = calloc((size_t)size, sizeof(int)),
      *displs = calloc((size_t)size, sizeof(int));
  int other = (root + 1) % size;
  FAILS(MPI_Bcast(a, 1, MPI_INT, size, comm), MPI_ERR_ROOT, "MPI_Bcast: argument 4 (root) is ");
  FAILS(MPI_Bcast(a, 1, MPI_INT, MPI_ROOT, comm), MPI_ERR_ROOT, "(MPI_ROOT)");
  FAILS(MPI_Bcast(a, -2, MPI_INT, 0, comm), MPI_ERR_COUNT, "(count) is -2");
  FAILS(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER, "MPI_IN_PLACE");
  FAILS(MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, -1, comm), MPI_ERR_ROOT, "root");
  FAILS(MPI_Gather(a, -1, MPI_INT, b, 1, MPI_INT, 0, comm), MPI_ERR_COUNT, "sendcount");
  if (rank == root) {
    FAILS(MPI_Gather(a, 1, MPI_INT, b, -1, MPI_INT, root, comm), MPI_ERR_COUNT, "recvcount");
    FAILS(MPI_Gather(a, 1, MPI_INT, a, 1, MPI_INT, root, comm), MPI_ERR_BUFFER, "same buffer");
    FAILS(MPI_Gather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, root, comm), MPI_ERR_BUFFER, "recvbuf");
    counts[size - 1] = -4;
    FAILS(MPI_Gatherv(a, 1, MPI_INT, b, counts, displs, MPI_INT, root, comm), MPI_ERR_COUNT, ") is -4");
    counts[size - 1] = 0;
    FAILS(MPI_Gatherv(a, 1, MPI_INT, b, NULL, displs, MPI_INT, root, comm), MPI_ERR_ARG, "recvcounts");
    FAILS(MPI_Scatter(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, root, comm), MPI_ERR_TYPE, "sendtype");
    FAILS(MPI_Scatter(MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, root, comm), MPI_ERR_BUFFER, "sendbuf");
    FAILS(MPI_Reduce(a, a, 1, MPI_INT, MPI_SUM, root, comm), MPI_ERR_BUFFER, "same buffer");
  } else {
    FAILS(MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, root, comm), MPI_ERR_BUFFER, "MPI_IN_PLACE");
    FAILS(MPI_Reduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, root, comm), MPI_ERR_BUFFER, "MPI_IN_PLACE");
    FAILS(MPI_Scatter(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, root, comm), MPI_ERR_BUFFER, "MPI_IN_PLACE");
  }
  FAILS(MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_BAND, comm), MPI_ERR_OP,
        "MPI_BAND, which is not defined on datatype MPI_DOUBLE");
  FAILS(MPI_Allreduce(a, b, 1, MPI_FLOAT, MPI_MAXLOC, comm), MPI_ERR_OP, "MPI_MAXLOC");
  FAILS(MPI_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, comm), MPI_ERR_OP, "MPI_OP_NULL");
  FAILS(MPI_Allreduce(a, b, 1, MPI_INT, MPI_REPLACE, comm), MPI_ERR_OP, "MPI_REPLACE");
  FAILS(MPI_Allreduce(a, b, 1, MPI_INT, MPI_NO_OP, comm), MPI_ERR_OP, "MPI_NO_OP");
  FAILS(MPI_Allreduce(a, a, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER, "same buffer");
  FAILS(MPI_Allreduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER, "recvbuf");
  FAILS(MPI_Reduce_local(a, a, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER, "MPI_Reduce_local");
  FAILS(MPI_Reduce_local(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM), MPI_ERR_TYPE, "datatype");
  FAILS(MPI_Reduce_scatter(a, b, NULL, MPI_INT, MPI_SUM, comm), MPI_ERR_ARG, "recvcounts");
  FAILS(
      MPI_Allgather(a, 1, MPI_INT, b, 1, MPI_COMM_NULL == MPI_COMM_SELF ? MPI_INT : MPI_DATATYPE_NULL, comm),
      MPI_ERR_TYPE, "recvtype");
  FAILS(MPI_Alltoallw(a, counts, displs, NULL, b, counts, displs, NULL, comm), MPI_ERR_ARG, "sendtypes");
  FAILS(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM, "MPI_Barrier");

  /* No data, or none here. */
  MPI_Comm lonely;
  MPI_Request r = MPI_REQUEST_NULL;
  WORKS(MPI_Dist_graph_create_adjacent(comm, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY,
                                       MPI_INFO_NULL, 0, &lonely));
  WORKS(MPI_Neighbor_allgather(NULL, 1, MPI_INT, NULL, 1, MPI_INT, lonely));
  WORKS(MPI_Neighbor_alltoallw(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, lonely));
  WORKS(MPI_Comm_free(&lonely));
  WORKS(MPI_Exscan(a, rank == 0 ? NULL : b, 1, MPI_INT, MPI_SUM, comm));
  WORKS(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm));
  WORKS(MPI_Alltoallv(NULL, counts, displs, MPI_INT, NULL, counts, displs, MPI_INT, comm));
  WORKS(MPI_Reduce(a, rank == root ? b : NULL, 1, MPI_INT, MPI_SUM, root, comm));
  WORKS(MPI_Scatter(rank == root ? b : NULL, 1, MPI_INT, a, 1, MPI_INT, root, comm));
  counts[root] = 1;
  WORKS(MPI_Reduce_scatter(b, rank == root ? a : NULL, counts, MPI_INT, MPI_SUM, comm));
  FAILS(MPI_Reduce_scatter(NULL, a, counts, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER, "sendbuf");
  FAILS(MPI_Reduce_scatter(MPI_IN_PLACE, NULL, counts, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER, "recvbuf");
  counts[root] = 0;
  WORKS(MPI_Irecv(NULL, 7, MPI_INT, MPI_PROC_NULL, 0, comm, &r));
  WORKS(MPI_Wait(&r, MPI_STATUS_IGNORE));

  /* What is not significant here is not looked at. */
  if (rank == root) {
    WORKS(MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, root, comm));
    WORKS(MPI_Gatherv(a, 0, MPI_INT, b, counts, displs, MPI_INT, root, comm));
    WORKS(MPI_Scatter(a, 1, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, root, comm));
    WORKS(MPI_Reduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, root, comm));
  } else {
    WORKS(MPI_Gather(a, 1, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, root, comm));
    WORKS(MPI_Gatherv(a, 0, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, root, comm));
    WORKS(MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, b, 1, MPI_INT, root, comm));
    WORKS(MPI_Reduce(a, NULL, 1, MPI_INT, MPI_SUM, root, comm));
  }
  WORKS(MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, comm));
  WORKS(MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, b, 1, MPI_INT, comm));
  WORKS(MPI_Bcast(NULL, 0, MPI_INT, other, comm));
  WORKS(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm));
  free(counts), free(displs);
}

static void objects(MPI_Comm comm) {
  MPI_Comm c = MPI_COMM_WORLD;
  MPI_Group g;
  MPI_Datatype t = MPI_INT;
  MPI_Op op = MPI_SUM;
  MPI_Info info = MPI_INFO_ENV;
  int key = 0, flag, *value, n, code, error_class;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Aint extent;
  FAILS(MPI_Comm_free(&c), MPI_ERR_COMM, "MPI_COMM_WORLD, which is predefined");
  FAILS(MPI_Type_free(&t), MPI_ERR_TYPE, "MPI_INT, which is predefined");
  FAILS(MPI_Op_free(&op), MPI_ERR_OP, "MPI_SUM, which is predefined");
  FAILS(MPI_Info_free(&info), MPI_ERR_INFO, "MPI_INFO_ENV, which is predefined");
  if (c != MPI_COMM_WORLD || t != MPI_INT || op != MPI_SUM) puts("a predefined handle was freed"), wrong++;
  FAILS(MPI_Comm_free(NULL), MPI_ERR_ARG, "null pointer");
  FAILS(MPI_Comm_size(comm, NULL), MPI_ERR_ARG, "argument 2 (size) is a null pointer");
  FAILS(MPI_Comm_get_attr(comm, MPI_KEYVAL_INVALID, &value, &flag), MPI_ERR_KEYVAL, "MPI_Comm_get_attr");
  FAILS(MPI_Comm_get_attr(comm, 123456789, &value, &flag), MPI_ERR_KEYVAL, "MPI_Comm_get_attr");
  FAILS(MPI_Comm_set_attr(comm, MPI_TAG_UB, &n), MPI_ERR_KEYVAL, "MPI_Comm_set_attr");
  FAILS(MPI_Comm_free_keyval(&key), MPI_ERR_KEYVAL, "MPI_Comm_free_keyval");
  FAILS(MPI_Comm_set_errhandler(comm, MPI_ERRHANDLER_NULL), MPI_ERR_ERRHANDLER, "MPI_ERRHANDLER_NULL");
  FAILS(MPI_Comm_create_errhandler(NULL, NULL), MPI_ERR_ARG, "comm_errhandler_fn");
  FAILS(MPI_Op_create(NULL, 1, &op), MPI_ERR_ARG, "user_fn");
  FAILS(MPI_Info_set(MPI_INFO_NULL, "a", "b"), MPI_ERR_INFO, "MPI_INFO_NULL");
  FAILS(MPI_Info_set((MPI_Info)MPI_INT, "a", "b"), MPI_ERR_INFO, "MPI_Info_set");
  FAILS(MPI_Group_size(MPI_GROUP_NULL, &n), MPI_ERR_GROUP, "MPI_GROUP_NULL");
  WORKS(MPI_Comm_group(comm, &g));
  n = size;
  FAILS(MPI_Group_incl(g, 1, &n, &g), MPI_ERR_RANK, "MPI_Group_incl");
  FAILS(MPI_Group_incl(g, -1, &n, &g), MPI_ERR_ARG, "argument 2 (n) is -1");
  WORKS(MPI_Group_free(&g));
  FAILS(MPI_Type_contiguous(-1, MPI_INT, &t), MPI_ERR_COUNT, "MPI_Type_contiguous");
  FAILS(MPI_Type_vector(1, -1, 1, MPI_INT, &t), MPI_ERR_ARG, "blocklength");
  n = -1;
  FAILS(MPI_Type_indexed(1, &n, &n, MPI_INT, &t), MPI_ERR_ARG, "array_of_blocklengths[0]) is -1");
  FAILS(MPI_Type_get_extent(MPI_DATATYPE_NULL, &extent, &extent), MPI_ERR_TYPE, "MPI_Type_get_extent");
  FAILS(MPI_Cart_create(comm, -1, a, a, 0, &c), MPI_ERR_DIMS, "ndims");
  FAILS(MPI_Error_class(123456, &n), MPI_ERR_ARG, "123456");
  FAILS(MPI_Add_error_string(MPI_ERR_RANK, "mine"), MPI_ERR_ARG, "MPI_Add_error_string");
  FAILS(MPI_Buffer_attach(a, -1), MPI_ERR_ARG, "size");
  FAILS(MPI_Intercomm_merge(comm, 0, &c), MPI_ERR_COMM, "MPI_Intercomm_merge");
  FAILS(MPI_Comm_remote_size(comm, &n), MPI_ERR_COMM, "MPI_Comm_remote_size");
  FAILS(MPI_Comm_split(comm, -3, 0, &c), MPI_ERR_ARG, "color");

  /* Codes and strings of the program. */
  WORKS(MPI_Add_error_class(&error_class));
  WORKS(MPI_Add_error_code(error_class, &code));
  WORKS(MPI_Add_error_string(code, "too hot"));
  WORKS(MPI_Error_string(code, text, &n));
  if (strcmp(text, "too hot") != 0 || n != 7) puts(text), wrong++;
  check(__LINE__, code, error_class, "too hot");
  WORKS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
  if (!flag || *value < code) puts("MPI_LASTUSEDCODE"), wrong++;
  FAILS(MPI_Remove_error_class(error_class), MPI_ERR_ARG, "still has");
  WORKS(MPI_Remove_error_string(code));
  WORKS(MPI_Remove_error_code(code));
  WORKS(MPI_Remove_error_class(error_class));
  WORKS(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
}

/* Handlers: the right one, with the right object, and not again while one runs. */
static MPI_Comm seen;
static int seen_class, calls;
static void handler(MPI_Comm* comm, int* code, ...) {
  calls++;
  seen = *comm;
  MPI_Error_class(*code, &seen_class);
  MPI_Barrier((MPI_Comm)12345); /* an error inside: returned, not handled again */
  MPI_Send(a, -1, MPI_INT, 0, 0, *comm);
}

static void handlers(void) {
  MPI_Comm mine;
  MPI_Errhandler h, got;
  int key;
  WORKS(MPI_Comm_create_errhandler(handler, &h));
  WORKS(MPI_Comm_dup(MPI_COMM_SELF, &mine));
  WORKS(MPI_Comm_set_errhandler(mine, h));
  WORKS(MPI_Comm_get_errhandler(mine, &got));
  if (got != h) puts("another handler than was set"), wrong++;
  WORKS(MPI_Errhandler_free(&got));
  WORKS(MPI_Errhandler_free(&h));
  FAILS(MPI_Send(a, 1, MPI_INT, 9, 0, mine), MPI_ERR_RANK, "");
  if (calls != 1 || seen != mine || seen_class != MPI_ERR_RANK) printf("handler: %d calls\n", calls), wrong++;
  WORKS(MPI_Comm_call_errhandler(mine, MPI_ERR_IO));
  if (calls != 2 || seen_class != MPI_ERR_IO) printf("handler: %d calls\n", calls), wrong++;
  /* Nothing to do with a communicator, or with none that exists: that of MPI_COMM_SELF. */
  WORKS(MPI_Comm_create_errhandler(handler, &h));
  WORKS(MPI_Comm_set_errhandler(MPI_COMM_SELF, h));
  FAILS(MPI_Type_contiguous(-1, MPI_INT, (MPI_Datatype*)a), MPI_ERR_COUNT, "");
  if (calls != 3 || seen != MPI_COMM_SELF) puts("an error without a communicator"), wrong++;
  FAILS(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM, "");
  if (calls != 4 || seen != MPI_COMM_SELF) puts("an error with a null communicator"), wrong++;
  key = MPI_KEYVAL_INVALID;
  FAILS(MPI_Comm_free_keyval(&key), MPI_ERR_KEYVAL, "");
  if (calls != 5) puts("an error about a key"), wrong++;
  WORKS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  WORKS(MPI_Errhandler_free(&h));
  WORKS(MPI_Comm_free(&mine));
}

int main(int argc, char** argv) {
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1 && size != atoi(argv[1])) return 4;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* inherits the handler */
  point_to_point(comm);
  collectives(comm);
  objects(comm);
  handlers();
  MPI_Comm_free(&comm);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d checks on each of %d processes, %d wrong\n", checks, size, wrong);
  MPI_Finalize();
  return wrong != 0;
}
