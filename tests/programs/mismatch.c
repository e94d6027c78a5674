/* Blocks that one process sends and the other does not expect to be there, or the other way round: wrong, but
 * the others must not wait for ever. Nothing instead of something is a short message, something instead of
 * nothing is truncated. */
#include "check.h"

enum { MOST = 16, length = 3 };
static MPI_Comm ring, comm;
static int sends[MOST], receives[MOST], places[MOST], byte_places[MOST];
static MPI_Datatype types[MOST];
static int out[MOST * length], in[MOST * length];

static int allgatherv(MPI_Request* request) {
  return request ? MPI_Iallgatherv(out, sends[0], MPI_INT, in, receives, places, MPI_INT, comm, request)
                 : MPI_Allgatherv(out, sends[0], MPI_INT, in, receives, places, MPI_INT, comm);
}
static int alltoallv(MPI_Request* request) {
  return request ? MPI_Ialltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, comm, request)
                 : MPI_Alltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, comm);
}
static int alltoallw(MPI_Request* request) {
  return request
             ? MPI_Ialltoallw(out, sends, byte_places, types, in, receives, byte_places, types, comm, request)
             : MPI_Alltoallw(out, sends, byte_places, types, in, receives, byte_places, types, comm);
}
static int alltoall(MPI_Request* request) {
  return request ? MPI_Ialltoall(out, sends[0], MPI_INT, in, receives[0], MPI_INT, comm, request)
                 : MPI_Alltoall(out, sends[0], MPI_INT, in, receives[0], MPI_INT, comm);
}
/* Everybody is the root of one, so that everybody receives. */
static int gatherv(MPI_Request* request) {
  int first = MPI_SUCCESS;
  for (int root = 0; root < size; ++root) {
    int code = request
                   ? MPI_Igatherv(out, sends[0], MPI_INT, in, receives, places, MPI_INT, root, comm, request)
                   : MPI_Gatherv(out, sends[0], MPI_INT, in, receives, places, MPI_INT, root, comm);
    if (request && root + 1 < size) code = MPI_Wait(request, MPI_STATUS_IGNORE);
    if (first == MPI_SUCCESS) first = code;
  }
  return first;
}
static int scatterv(MPI_Request* request) {
  int first = MPI_SUCCESS;
  for (int root = 0; root < size; ++root) {
    int code = request ? MPI_Iscatterv(out, sends, places, MPI_INT, in + root * length, receives[root],
                                       MPI_INT, root, comm, request)
                       : MPI_Scatterv(out, sends, places, MPI_INT, in + root * length, receives[root],
                                      MPI_INT, root, comm);
    if (request && root + 1 < size) code = MPI_Wait(request, MPI_STATUS_IGNORE);
    if (first == MPI_SUCCESS) first = code;
  }
  return first;
}
/* On a ring that connects everybody with everybody: blocks in the order of ranks. */
static int neighbor_alltoallv(MPI_Request* request) {
  return request ? MPI_Ineighbor_alltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, ring,
                                           request)
                 : MPI_Neighbor_alltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, ring);
}

static const struct {
  const char* name;
  int (*call)(MPI_Request*);
} table[] = {{"allgatherv", allgatherv},
             {"alltoallv", alltoallv},
             {"alltoallw", alltoallw},
             {"alltoall", alltoall},
             {"gatherv", gatherv},
             {"scatterv", scatterv},
             {"neighbor_alltoallv", neighbor_alltoallv}};

/* `odd` sends `its` elements to everybody, where everybody expects `expected` from it; all else is right. */
static void mismatch(size_t call, int odd, int its, int expected, int nonblocking) {
  for (int i = 0; i < size; ++i) {
    sends[i] = rank == odd ? its : length;
    receives[i] = i != odd ? length : rank == odd ? its : expected; /* what it sends itself is right */
    if (table[call].call == alltoall) receives[i] = length;         /* one count for all */
  }
  for (int i = 0; i < size * length; ++i) {
    out[i] = 100 * rank;
    in[i] = -1;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  int code = table[call].call(nonblocking ? &request : NULL), class = MPI_SUCCESS;
  if (nonblocking) {
    const int later = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS) code = later;
  }
  MPI_Error_class(code, &class);
  if (class != MPI_SUCCESS && !(class == MPI_ERR_TRUNCATE && its > receives[odd])) {
    fprintf(stderr, "%s: rank %d of %d: class %d where %d of %d come\n", table[call].name, rank, size, class,
            its, receives[odd]);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  CHECK(its <= receives[odd] || class == MPI_ERR_TRUNCATE);
  for (int i = 0; i < size * length; ++i) {
    if (i / length == odd) {
      CHECK(in[i] == -1 || (i % length < receives[odd] && in[i] == 100 * odd));
    } else {
      CHECK(in[i] == 100 * (i / length));
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  int everybody[MOST];
  for (int i = 0; i < size; ++i) {
    everybody[i] = i;
    places[i] = i * length;
    byte_places[i] = (int)(sizeof(int)) * places[i];
    types[i] = MPI_INT;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Dist_graph_create_adjacent(comm, size, everybody, MPI_UNWEIGHTED, size, everybody, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &ring);
  for (size_t call = 0; call < sizeof table / sizeof table[0]; ++call) {
    for (int odd = 0; odd < size; odd += size - 1) {
      for (int nonblocking = 0; nonblocking < 2; ++nonblocking) {
        mismatch(call, odd, 0, length, nonblocking);
        mismatch(call, odd, length, 0, nonblocking);
        mismatch(call, odd, length - 1, length, nonblocking);
        mismatch(call, odd, 0, 0, nonblocking);
        MPI_Barrier(comm);
      }
    }
  }
  MPI_Comm_free(&ring);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
