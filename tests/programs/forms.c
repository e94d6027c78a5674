/* Every collective in its three forms, blocking, non-blocking and persistent, against values written down by
 * hand; the kinds of messages and buffers that no other program uses. Also run with large counts
 * (abi/large_counts). */
#include "check.h"

enum { MOST = 16, block = 3 };
enum form { blocking, nonblocking, persistent, forms };

static MPI_Comm comm, ring; /* ring: everybody is the neighbour of everybody, in the order of ranks */
static int out[MOST * block], in[MOST * block], counts[MOST], places[MOST], byte_places[MOST];
static MPI_Aint far_places[MOST];
static MPI_Datatype types[MOST];

/* What member `of` has in element i of its send buffer. */
static int value(int of, int i) {
  return 1000 * of + i;
}
static void fill(void) {
  for (int i = 0; i < size * block; ++i) {
    out[i] = value(rank, i);
    in[i] = -1;
  }
}

#define CALL(Name, name, form, comm, ...)                                             \
  do {                                                                                \
    MPI_Request r_ = MPI_REQUEST_NULL;                                                \
    fill();                                                                           \
    if (form == blocking) CHECK(MPI_##Name(__VA_ARGS__, comm) == MPI_SUCCESS);        \
    if (form == nonblocking) {                                                        \
      CHECK(MPI_I##name(__VA_ARGS__, comm, &r_) == MPI_SUCCESS);                      \
      MPI_Wait(&r_, MPI_STATUS_IGNORE);                                               \
    }                                                                                 \
    if (form == persistent) {                                                         \
      CHECK(MPI_##Name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &r_) == MPI_SUCCESS); \
      for (int round_ = 0; round_ < 3; ++round_) {                                    \
        fill();                                                                       \
        MPI_Start(&r_);                                                               \
        MPI_Wait(&r_, MPI_STATUS_IGNORE);                                             \
      }                                                                               \
      MPI_Request_free(&r_);                                                          \
    }                                                                                 \
    CHECK(r_ == MPI_REQUEST_NULL);                                                    \
  } while (0)

/* Element i of the block that comes from member `from` is element `first + i` of what it sent. */
static void expect_block(int from, int first, int count) {
  for (int i = 0; i < block; ++i) CHECK(in[from * block + i] == (i < count ? value(from, first + i) : -1));
}
static int total(int i) { /* over all members */
  return 1000 * size * (size - 1) / 2 + size * i;
}
static int below(int members, int i) {
  return 1000 * members * (members - 1) / 2 + members * i;
}

static void rooted(enum form form, int root) {
  const int here = rank == root;
  CALL(Bcast, bcast, form, comm, here ? out : in, block, MPI_INT, root);
  if (!here)
    for (int i = 0; i < block; ++i) CHECK(in[i] == value(root, i));
  CALL(Gather, gather, form, comm, out, block, MPI_INT, in, block, MPI_INT, root);
  for (int i = 0; here && i < size; ++i) expect_block(i, 0, block);
  CALL(Gatherv, gatherv, form, comm, out, counts[rank], MPI_INT, in, counts, places, MPI_INT, root);
  for (int i = 0; here && i < size; ++i) expect_block(i, 0, counts[i]);
  CALL(Scatter, scatter, form, comm, out, block, MPI_INT, in, block, MPI_INT, root);
  for (int i = 0; i < block; ++i) CHECK(in[i] == value(root, rank * block + i));
  CALL(Scatterv, scatterv, form, comm, out, counts, places, MPI_INT, in, counts[rank], MPI_INT, root);
  for (int i = 0; i < block; ++i) CHECK(in[i] == (i < counts[rank] ? value(root, rank * block + i) : -1));
  CALL(Reduce, reduce, form, comm, out, in, block, MPI_INT, MPI_SUM, root);
  for (int i = 0; here && i < block; ++i) CHECK(in[i] == total(i));
}

static void to_all(enum form form) {
  CALL(Allgather, allgather, form, comm, out, block, MPI_INT, in, block, MPI_INT);
  for (int i = 0; i < size; ++i) expect_block(i, 0, block);
  CALL(Allgatherv, allgatherv, form, comm, out, counts[rank], MPI_INT, in, counts, places, MPI_INT);
  for (int i = 0; i < size; ++i) expect_block(i, 0, counts[i]);
  CALL(Alltoall, alltoall, form, comm, out, block, MPI_INT, in, block, MPI_INT);
  for (int i = 0; i < size; ++i) expect_block(i, rank * block, block);
  int same[MOST]; /* everybody sends counts[rank] to everybody */
  for (int i = 0; i < size; ++i) same[i] = counts[rank];
  CALL(Alltoallv, alltoallv, form, comm, out, same, places, MPI_INT, in, counts, places, MPI_INT);
  for (int i = 0; i < size; ++i) expect_block(i, rank * block, counts[i]);
  CALL(Alltoallw, alltoallw, form, comm, out, same, byte_places, types, in, counts, byte_places, types);
  for (int i = 0; i < size; ++i) expect_block(i, rank * block, counts[i]);
}

static void reductions(enum form form) {
  CALL(Allreduce, allreduce, form, comm, out, in, block, MPI_INT, MPI_SUM);
  for (int i = 0; i < block; ++i) CHECK(in[i] == total(i));
  CALL(Reduce_scatter_block, reduce_scatter_block, form, comm, out, in, block, MPI_INT, MPI_SUM);
  for (int i = 0; i < block; ++i) CHECK(in[i] == total(rank * block + i));
  CALL(Reduce_scatter, reduce_scatter, form, comm, out, in, counts, MPI_INT, MPI_SUM);
  int first = 0;
  for (int i = 0; i < rank; ++i) first += counts[i];
  for (int i = 0; i < block; ++i) CHECK(in[i] == (i < counts[rank] ? total(first + i) : -1));
  CALL(Scan, scan, form, comm, out, in, block, MPI_INT, MPI_SUM);
  for (int i = 0; i < block; ++i) CHECK(in[i] == below(rank + 1, i));
  CALL(Exscan, exscan, form, comm, out, in, block, MPI_INT, MPI_SUM);
  for (int i = 0; rank > 0 && i < block; ++i) CHECK(in[i] == below(rank, i));
}

static void neighbourhoods(enum form form) {
  CALL(Neighbor_allgather, neighbor_allgather, form, ring, out, block, MPI_INT, in, block, MPI_INT);
  for (int i = 0; i < size; ++i) expect_block(i, 0, block);
  CALL(Neighbor_allgatherv, neighbor_allgatherv, form, ring, out, counts[rank], MPI_INT, in, counts, places,
       MPI_INT);
  for (int i = 0; i < size; ++i) expect_block(i, 0, counts[i]);
  CALL(Neighbor_alltoall, neighbor_alltoall, form, ring, out, block, MPI_INT, in, block, MPI_INT);
  for (int i = 0; i < size; ++i) expect_block(i, rank * block, block);
  int same[MOST];
  for (int i = 0; i < size; ++i) same[i] = counts[rank];
  CALL(Neighbor_alltoallv, neighbor_alltoallv, form, ring, out, same, places, MPI_INT, in, counts, places,
       MPI_INT);
  for (int i = 0; i < size; ++i) expect_block(i, rank * block, counts[i]);
  CALL(Neighbor_alltoallw, neighbor_alltoallw, form, ring, out, same, far_places, types, in, counts,
       far_places, types);
  for (int i = 0; i < size; ++i) expect_block(i, rank * block, counts[i]);
}

/* Nothing at all, from nowhere to nowhere: the counts are the same everywhere, and so everybody comes back. */
static void nothing(enum form form) {
  static const int none[MOST];
  /* Section 2.3, "Procedure Specification": what a call writes may not be given twice. MPICH 5.0.2 finds that in two null
   * pointers, though nothing lies there. */
  void* const into = on_loadstone() ? NULL : in;
  CALL(Bcast, bcast, form, comm, NULL, 0, MPI_INT, size - 1);
  CALL(Gather, gather, form, comm, NULL, 0, MPI_INT, into, 0, MPI_INT, 0);
  CALL(Scatter, scatter, form, comm, NULL, 0, MPI_INT, into, 0, MPI_INT, 0);
  CALL(Gatherv, gatherv, form, comm, NULL, 0, MPI_INT, into, none, none, MPI_INT, 0);
  CALL(Scatterv, scatterv, form, comm, NULL, none, none, MPI_INT, into, 0, MPI_INT, 0);
  CALL(Allgather, allgather, form, comm, NULL, 0, MPI_INT, into, 0, MPI_INT);
  CALL(Allgatherv, allgatherv, form, comm, NULL, 0, MPI_INT, into, none, none, MPI_INT);
  CALL(Alltoall, alltoall, form, comm, NULL, 0, MPI_INT, into, 0, MPI_INT);
  CALL(Alltoallv, alltoallv, form, comm, NULL, none, none, MPI_INT, into, none, none, MPI_INT);
  CALL(Alltoallw, alltoallw, form, comm, NULL, none, none, types, into, none, none, types);
  CALL(Reduce, reduce, form, comm, NULL, into, 0, MPI_INT, MPI_SUM, 0);
  CALL(Allreduce, allreduce, form, comm, NULL, into, 0, MPI_INT, MPI_SUM);
  CALL(Reduce_scatter, reduce_scatter, form, comm, NULL, into, none, MPI_INT, MPI_SUM);
  CALL(Reduce_scatter_block, reduce_scatter_block, form, comm, NULL, into, 0, MPI_INT, MPI_SUM);
  CALL(Scan, scan, form, comm, NULL, into, 0, MPI_INT, MPI_SUM);
  CALL(Exscan, exscan, form, comm, NULL, into, 0, MPI_INT, MPI_SUM);
}

/* Nothing between some pairs, something between others. */
static void some_pairs(enum form form) {
  int between[MOST];
  for (int i = 0; i < size; ++i) between[i] = (rank + i) % 3 % block;
  CALL(Alltoallv, alltoallv, form, comm, out, between, places, MPI_INT, in, between, places, MPI_INT);
  for (int i = 0; i < size; ++i) expect_block(i, rank * block, between[i]);
  CALL(Alltoallw, alltoallw, form, comm, out, between, byte_places, types, in, between, byte_places, types);
  for (int i = 0; i < size; ++i) expect_block(i, rank * block, between[i]);
  for (int giver = 0; giver < size; ++giver) { /* everything comes from one */
    int mine = rank == giver ? block : 0, all[MOST] = {0};
    all[giver] = block;
    CALL(Allgatherv, allgatherv, form, comm, out, mine, MPI_INT, in, all, places, MPI_INT);
    for (int i = 0; i < size; ++i) expect_block(i, 0, all[i]);
    CALL(Gatherv, gatherv, form, comm, out, mine, MPI_INT, in, all, places, MPI_INT, 0);
    for (int i = 0; rank == 0 && i < size; ++i) expect_block(i, 0, all[i]);
    CALL(Scatterv, scatterv, form, comm, out, all, places, MPI_INT, in, mine, MPI_INT, 0);
    for (int i = 0; i < block; ++i) CHECK(in[i] == (i < mine ? value(0, rank * block + i) : -1));
    CALL(Reduce_scatter, reduce_scatter, form, comm, out, in, all, MPI_INT, MPI_SUM);
    for (int i = 0; i < block; ++i) CHECK(in[i] == (i < mine ? total(i) : -1));
  }
}

static void messages(void) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request r[2];
  fill();
  MPI_Irecv(in, block, MPI_INT, left, 1, comm, &r[0]);
  MPI_Barrier(comm); /* the receive is there: a ready send may start */
  MPI_Irsend(out, block, MPI_INT, right, 1, comm, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < block; ++i) CHECK(in[i] == value(left, i));
  fill();
  MPI_Isendrecv(out, block, MPI_INT, right, 2, in, block, MPI_INT, left, 2, comm, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  for (int i = 0; i < block; ++i) CHECK(in[i] == value(left, i));
  fill();
  MPI_Irecv(in, block, MPI_INT, left, 3, comm, &r[0]);
  MPI_Ssend(out, block, MPI_INT, right, 3, comm);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  for (int i = 0; i < block; ++i) CHECK(in[i] == value(left, i));
}

static void buffer_of_a_session(void) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm mine;
  static char memory[8192];
  void* back = NULL;
  int bytes = 0;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "forms", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &mine);
  MPI_Session_attach_buffer(session, memory, sizeof memory);
  fill();
  MPI_Bsend(out, block, MPI_INT, (rank + 1) % size, 4, mine);
  MPI_Recv(in, block, MPI_INT, (rank + size - 1) % size, 4, mine, MPI_STATUS_IGNORE);
  for (int i = 0; i < block; ++i) CHECK(in[i] == value((rank + size - 1) % size, i));
  MPI_Session_detach_buffer(session, &back, &bytes);
  CHECK(back == memory && bytes == sizeof memory);
  MPI_Comm_free(&mine);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}

int main(int argc, char** argv) {
  int everybody[MOST];
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  for (int i = 0; i < size; ++i) {
    everybody[i] = i;
    counts[i] = i % (block + 1); /* nothing from some, everything from others */
    places[i] = i * block;
    byte_places[i] = i * block * (int)sizeof(int);
    far_places[i] = byte_places[i];
    types[i] = MPI_INT;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Dist_graph_create_adjacent(comm, size, everybody, MPI_UNWEIGHTED, size, everybody, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &ring);
  for (enum form form = blocking; form < forms; ++form) {
    rooted(form, 0);
    rooted(form, size - 1);
    to_all(form);
    reductions(form);
    neighbourhoods(form);
    nothing(form);
    some_pairs(form);
  }
  messages();
  buffer_of_a_session();
  MPI_Comm_free(&ring);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
