/* Blocks that one process sends and the other does not expect to be there, or the other way round, and counts that
 * differ where all must give the same: wrong, but nobody may wait for ever. Nothing instead of something is a
 * short message, something instead of nothing is truncated; so is what a process gives itself. */
#include "check.h"

enum { MOST = 16, length = 3, longest = 120000, guard = 1024 };
static MPI_Comm ring, comm;
static int sends[MOST], receives[MOST], places[MOST], byte_places[MOST];
static MPI_Datatype types[MOST];
static int out[MOST * longest], in[MOST * longest + guard];

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

/* --- what a process gives itself --- */

/* More than it expects, by one element: truncated there, and nowhere else. */
static void own_block(size_t call, int expected, int nonblocking) {
  if (table[call].call == neighbor_alltoallv) return; /* a message like the others */
  const int all = table[call].call == alltoall;       /* one count for all: there everybody's is too long */
  for (int i = 0; i < size; ++i) {
    sends[i] = length;
    receives[i] = i == rank || all ? expected : length;
  }
  for (int i = 0; i < size * length; ++i) {
    out[i] = 100 * rank;
    in[i] = -1;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  int code = table[call].call(nonblocking ? &request : NULL), class;
  const int later = MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS) code = later;
  MPI_Error_class(code, &class);
  if (class != MPI_ERR_TRUNCATE) fprintf(stderr, "%s: class %d\n", table[call].name, class);
  CHECK(class == MPI_ERR_TRUNCATE);
  if (all) return;
  for (int i = 0; i < expected; ++i) CHECK(in[rank * length + i] == 100 * rank);
  for (int i = expected; i < length; ++i) CHECK(in[rank * length + i] == -1);
}

/* --- one count for all --- */

static int count; /* mine */
static int bcast(MPI_Request* r) {
  return r ? MPI_Ibcast(rank == 0 ? out : in, count, MPI_INT, 0, comm, r)
           : MPI_Bcast(rank == 0 ? out : in, count, MPI_INT, 0, comm);
}
static int gather(MPI_Request* r) {
  return r ? MPI_Igather(out, count, MPI_INT, in, count, MPI_INT, 0, comm, r)
           : MPI_Gather(out, count, MPI_INT, in, count, MPI_INT, 0, comm);
}
static int scatter(MPI_Request* r) {
  return r ? MPI_Iscatter(out, count, MPI_INT, in, count, MPI_INT, 0, comm, r)
           : MPI_Scatter(out, count, MPI_INT, in, count, MPI_INT, 0, comm);
}
static int allgather(MPI_Request* r) {
  return r ? MPI_Iallgather(out, count, MPI_INT, in, count, MPI_INT, comm, r)
           : MPI_Allgather(out, count, MPI_INT, in, count, MPI_INT, comm);
}
static int reduce(MPI_Request* r) {
  return r ? MPI_Ireduce(out, in, count, MPI_INT, MPI_BOR, 0, comm, r)
           : MPI_Reduce(out, in, count, MPI_INT, MPI_BOR, 0, comm);
}
static int allreduce(MPI_Request* r) {
  return r ? MPI_Iallreduce(out, in, count, MPI_INT, MPI_BOR, comm, r)
           : MPI_Allreduce(out, in, count, MPI_INT, MPI_BOR, comm);
}
static int reduce_scatter_block(MPI_Request* r) {
  return r ? MPI_Ireduce_scatter_block(out, in, count, MPI_INT, MPI_BOR, comm, r)
           : MPI_Reduce_scatter_block(out, in, count, MPI_INT, MPI_BOR, comm);
}
static int scan(MPI_Request* r) {
  return r ? MPI_Iscan(out, in, count, MPI_INT, MPI_BOR, comm, r)
           : MPI_Scan(out, in, count, MPI_INT, MPI_BOR, comm);
}
static int exscan(MPI_Request* r) {
  return r ? MPI_Iexscan(out, in, count, MPI_INT, MPI_BOR, comm, r)
           : MPI_Exscan(out, in, count, MPI_INT, MPI_BOR, comm);
}
static const struct {
  int (*call)(MPI_Request*);
  enum { from_root, to_root, both_ways, upwards } flow;
} same_count[] = {{bcast, from_root},
                  {gather, to_root},
                  {scatter, from_root},
                  {allgather, both_ways},
                  {reduce, to_root},
                  {allreduce, both_ways},
                  {reduce_scatter_block, both_ways},
                  {scan, upwards},
                  {exscan, upwards}};

/* `odd` gives `its`, the others `theirs`: all come back, with the right data or an error, and somebody hears of
 * what was longer than expected, or that its count makes for another algorithm. The next call is as if nothing had
 * been. */
static void other_count(size_t call, int odd, int its, int theirs, int nonblocking) {
  count = rank == odd ? its : theirs;
  for (int i = 0; i < size * length; ++i) out[i] = in[i] = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  int code = same_count[call].call(nonblocking ? &request : NULL), class, sum = 0, heard, any = 0;
  const int later = MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS) code = later;
  MPI_Error_class(code, &class);
  CHECK(class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE || class == MPI_ERR_OTHER);
  heard = class != MPI_SUCCESS;
  CHECK(MPI_Allreduce(&heard, &any, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS);
  const int root_has_more = (odd == 0) == (its > theirs);
  const int flow = same_count[call].flow;
  if (its == theirs || size == 1)
    CHECK(!any);
  else if (flow == upwards ? odd != (its > theirs ? size - 1 : 0)
                           : flow == both_ways || (flow == from_root) == root_has_more)
    CHECK(any);
  CHECK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && sum == size * (size - 1) / 2);
}

/* Long ones, of data that stays where it is: nobody's memory behind its own count is touched, and where all get
 * something, somebody hears that counts differ. Who would take another algorithm for its count hears just that, be it
 * only what is done where data cannot stay (LOADSTONE_VM=0). */
static void long_one(size_t call, int odd, int its, int theirs, int nonblocking) {
  count = rank == odd ? its : theirs;
  const int most = its > theirs ? its : theirs;
  const int flow = same_count[call].flow;
  const int all = same_count[call].call == gather || same_count[call].call == allgather; /* blocks come */
  for (int i = 0; i < most * size; ++i) out[i] = 2;
  for (int i = 0; i < most * size + guard; ++i) in[i] = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  int code = same_count[call].call(nonblocking ? &request : NULL), class, heard, any = 0;
  const int later = MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS) code = later;
  MPI_Error_class(code, &class);
  CHECK(class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE || class == MPI_ERR_OTHER);
  for (int i = all ? count * size : count; i < most * size + guard; ++i) CHECK(in[i] == 1);
  heard = class != MPI_SUCCESS;
  CHECK(MPI_Allreduce(&heard, &any, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS);
  CHECK(size > 1 ? any || flow != both_ways : !any);
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
    for (int odd = 0; odd < size; odd += size > 1 ? size - 1 : 1) {
      for (int nonblocking = 0; nonblocking < 2; ++nonblocking) {
        mismatch(call, odd, 0, length, nonblocking);
        mismatch(call, odd, length, 0, nonblocking);
        mismatch(call, odd, length - 1, length, nonblocking);
        mismatch(call, odd, 0, 0, nonblocking);
        own_block(call, length - 1, nonblocking);
        own_block(call, 0, nonblocking);
        MPI_Barrier(comm);
      }
    }
  }
  for (size_t call = 0; call < sizeof same_count / sizeof same_count[0]; ++call) {
    for (int odd = 0; odd < size; ++odd) {
      for (int nonblocking = 0; nonblocking < 2; ++nonblocking) {
        other_count(call, odd, 0, length, nonblocking);
        other_count(call, odd, length, 0, nonblocking);
        other_count(call, odd, length - 1, length, nonblocking);
        other_count(call, odd, 0, 0, nonblocking);
      }
    }
  }
  for (size_t call = 0; call < sizeof same_count / sizeof same_count[0]; ++call) {
    for (int k = 0; k < 8; ++k) {
      const int odd = k % 2 ? size - 1 : 0;
      if (k < 4)
        long_one(call, odd, 20000, 20001, k >= 2);
      else
        long_one(call, odd, longest, longest / 2, k >= 6);
    }
  }
  MPI_Comm_free(&ring);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
