/* Cartesian, graph and distributed graph topologies, and the collectives on them. */
#include "check.h"

static void cartesian(void) {
  int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], got_dims[2], got_periods[2], got_coords[2];
  MPI_Dims_create(size, 2, dims);
  CHECK(dims[0] * dims[1] == size && dims[0] >= dims[1]);
  MPI_Comm cart, row;
  int n, r, source, dest, kind;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
  MPI_Topo_test(cart, &kind);
  CHECK(kind == MPI_CART);
  MPI_Comm_rank(cart, &r);
  MPI_Cartdim_get(cart, &n);
  CHECK(n == 2);
  MPI_Cart_get(cart, 2, got_dims, got_periods, got_coords);
  CHECK(got_dims[0] == dims[0] && got_dims[1] == dims[1] && got_periods[0] == 1 && got_periods[1] == 0);
  MPI_Cart_coords(cart, r, 2, coords);
  CHECK(coords[0] == got_coords[0] && coords[1] == got_coords[1] && coords[0] * dims[1] + coords[1] == r);
  MPI_Cart_rank(cart, coords, &n);
  CHECK(n == r);
  MPI_Cart_shift(cart, 1, 1, &source, &dest);
  CHECK(dest == (coords[1] + 1 < dims[1] ? r + 1 : MPI_PROC_NULL) &&
        source == (coords[1] > 0 ? r - 1 : MPI_PROC_NULL));
  MPI_Cart_shift(cart, 0, 1, &source, &dest);
  CHECK(dest == ((coords[0] + 1) % dims[0]) * dims[1] + coords[1]);

  /* Neighbours: below, above in each dimension. */
  int in[4] = {-1, -1, -1, -1}, out[4];
  int expected[4];
  for (int d = 0; d < 2; ++d) MPI_Cart_shift(cart, d, 1, &expected[2 * d], &expected[2 * d + 1]);
  MPI_Neighbor_allgather(&r, 1, MPI_INT, in, 1, MPI_INT, cart);
  for (int i = 0; i < 4; ++i) CHECK(in[i] == (expected[i] == MPI_PROC_NULL ? -1 : expected[i]));
  for (int i = 0; i < 4; ++i) out[i] = r * 10 + i;
  for (int i = 0; i < 4; ++i) in[i] = -1;
  MPI_Request request;
  MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, cart, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; ++i)
    CHECK(in[i] == (expected[i] == MPI_PROC_NULL ? -1 : expected[i] * 10 + (i ^ 1)));

  const int remain[2] = {0, 1};
  MPI_Cart_sub(cart, remain, &row);
  MPI_Comm_size(row, &n);
  CHECK(n == dims[1]);
  MPI_Comm_rank(row, &n);
  CHECK(n == coords[1]);
  MPI_Cartdim_get(row, &n);
  CHECK(n == 1);
  MPI_Comm_free(&row);
  MPI_Comm_dup(cart, &row); /* keeps the topology */
  MPI_Topo_test(row, &kind);
  CHECK(kind == MPI_CART);
  MPI_Comm_free(&row);
  MPI_Comm_free(&cart);

  int one[1] = {size > 1 ? size - 1 : 1}, wrap[1] = {0};
  MPI_Cart_create(MPI_COMM_WORLD, 1, one, wrap, 0, &cart);
  CHECK((cart == MPI_COMM_NULL) == (size > 1 && rank == size - 1));
  if (cart != MPI_COMM_NULL) MPI_Comm_free(&cart);
  int six[3] = {0, 0, 0};
  MPI_Dims_create(6, 3, six);
  CHECK(six[0] == 3 && six[1] == 2 && six[2] == 1);
  int seven[3] = {0, 3, 0};
  MPI_Dims_create(24, 3, seven);
  CHECK(seven[0] == 4 && seven[1] == 3 && seven[2] == 2);
  MPI_Topo_test(MPI_COMM_WORLD, &kind);
  CHECK(kind == MPI_UNDEFINED);
}

/* A ring as a graph. */
static void graph(void) {
  int index[64], edges[128], n, m, list[8];
  for (int i = 0; i < size; ++i) {
    index[i] = 2 * (i + 1);
    edges[2 * i] = (i + size - 1) % size;
    edges[2 * i + 1] = (i + 1) % size;
  }
  MPI_Comm ring;
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &ring);
  MPI_Graphdims_get(ring, &n, &m);
  CHECK(n == size && m == 2 * size);
  MPI_Graph_neighbors_count(ring, rank, &n);
  CHECK(n == 2);
  MPI_Graph_neighbors(ring, rank, 8, list);
  CHECK(list[0] == (rank + size - 1) % size && list[1] == (rank + 1) % size);
  int in[2] = {-1, -1};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, ring);
  CHECK(in[0] == list[0] && in[1] == list[1]);
  MPI_Comm_free(&ring);
}

/* Everybody sends to the next two and hears from the last two. */
static void distributed(void) {
  const int next[2] = {(rank + 1) % size, (rank + 2) % size},
            last[2] = {(rank + size - 1) % size, (rank + 2 * size - 2) % size};
  const int weights[2] = {3, 4};
  MPI_Comm comm;
  int in_degree, out_degree, weighted, sources[4], source_weights[4], destinations[4], destination_weights[4];
  for (int form = 0; form < 2; ++form) {
    if (form == 0) {
      MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, last, weights, 2, next, weights, MPI_INFO_NULL, 0,
                                     &comm);
    } else {
      const int degree = 2;
      MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, next, weights, MPI_INFO_NULL, 0, &comm);
    }
    MPI_Dist_graph_neighbors_count(comm, &in_degree, &out_degree, &weighted);
    CHECK(in_degree == 2 && out_degree == 2 && weighted);
    MPI_Dist_graph_neighbors(comm, 4, sources, source_weights, 4, destinations, destination_weights);
    CHECK(destinations[0] == next[0] && destinations[1] == next[1] && destination_weights[1] == 4);
    int in[2] = {-1, -1};
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, comm);
    CHECK(in[0] == sources[0] && in[1] == sources[1]);
    const int counts[2] = {1, 2}, places[2] = {0, 1};
    int out[3] = {rank, rank + 100, rank + 200}, got[3] = {-1, -1, -1}, in_counts[2], in_places[2] = {0, 1};
    if (form == 0) {
      in_counts[0] = 1, in_counts[1] = 2;
      MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, got, in_counts, in_places, MPI_INT, comm);
      CHECK(got[0] == last[0] && got[1] == last[1] + 100 && got[2] == last[1] + 200);
    }
    MPI_Comm_free(&comm);
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &comm);
  MPI_Dist_graph_neighbors_count(comm, &in_degree, &out_degree, &weighted);
  CHECK(in_degree == 0 && out_degree == 0 && !weighted);
  MPI_Comm_free(&comm);
}

/* Rank 0 sends to everybody else and receives from nobody; the others have no destination. */
static void one_way(void) {
  int* others = malloc((size_t)size * sizeof(int));
  for (int i = 1; i < size; ++i) others[i - 1] = i;
  const int zero = 0, in = rank != 0, out = rank == 0 ? size - 1 : 0;
  MPI_Comm comm;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, &zero, MPI_UNWEIGHTED, out, others, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &comm);
  int* counts = malloc((size_t)size * sizeof(int));
  MPI_Aint* places = malloc((size_t)size * sizeof(MPI_Aint));
  MPI_Datatype* types = malloc((size_t)size * sizeof(MPI_Datatype));
  for (int i = 0; i < size; ++i) counts[i] = 1, places[i] = 0, types[i] = MPI_INT;
  for (int form = 0; form < 3; ++form) {
    const int sent = 41 + form;
    int got = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    if (form == 0)
      MPI_Neighbor_alltoallw(&sent, counts, places, types, &got, counts, places, types, comm);
    else if (form == 1)
      MPI_Ineighbor_alltoallw(&sent, counts, places, types, &got, counts, places, types, comm, &request);
    else
      MPI_Neighbor_alltoallw_init(&sent, counts, places, types, &got, counts, places, types, comm,
                                  MPI_INFO_NULL, &request);
    if (form == 2) MPI_Start(&request);
    if (form != 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (form == 2) MPI_Request_free(&request);
    CHECK(got == (rank == 0 ? -1 : sent));
  }
  free(others);
  free(counts);
  free(places);
  free(types);
  MPI_Comm_free(&comm);
}

/* Where all neighbours are MPI_PROC_NULL, nothing is read or written, whatever the counts: buffers may be null. */
static void nobody(void) {
  const int alone[2] = {1, 1}, ends[2] = {0, 0}, counts[4] = {3, 3, 3, 3}, places[4] = {0, 3, 6, 9};
  const MPI_Aint bytes[4] = {0, 12, 24, 36};
  const MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  MPI_Comm cart;
  MPI_Request r;
  CHECK(MPI_Cart_create(MPI_COMM_SELF, 2, alone, ends, 0, &cart) == MPI_SUCCESS);
  MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
  CHECK(MPI_Neighbor_allgather(NULL, 3, MPI_INT, NULL, 3, MPI_INT, cart) == MPI_SUCCESS);
  CHECK(MPI_Neighbor_alltoall(NULL, 3, MPI_INT, NULL, 3, MPI_INT, cart) == MPI_SUCCESS);
  CHECK(MPI_Neighbor_allgatherv(NULL, 3, MPI_INT, NULL, counts, places, MPI_INT, cart) == MPI_SUCCESS);
  CHECK(MPI_Neighbor_alltoallv(NULL, counts, places, MPI_INT, NULL, counts, places, MPI_INT, cart) ==
        MPI_SUCCESS);
  CHECK(MPI_Ineighbor_alltoallw(NULL, counts, bytes, types, NULL, counts, bytes, types, cart, &r) ==
        MPI_SUCCESS);
  CHECK(MPI_Wait(&r, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  MPI_Comm_free(&cart);
  /* One neighbour is enough for a buffer to be asked for. */
  const int round[2] = {1, 0};
  CHECK(MPI_Cart_create(MPI_COMM_SELF, 2, alone, round, 0, &cart) == MPI_SUCCESS);
  MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
  CHECK_FAILS(MPI_Neighbor_allgather(NULL, 3, MPI_INT, NULL, 3, MPI_INT, cart), MPI_ERR_BUFFER);
  MPI_Comm_free(&cart);
}

/* The same call again and again, on communicators by turns whose neighbours differ, and which come and go: each has the
 * data of its own neighbours, of this time. */
static void by_turns(void) {
  enum { lines = 3, rounds = 8, most = 300 };
  static int out[2 * most], in[2 * most];
  for (int life = 0; life < 2; life++) {
    MPI_Comm line[lines];
    for (int k = 0; k < lines; k++) { /* a ring, a line, and a ring of those who are turned round */
      const int length[1] = {size}, round[1] = {k != 1};
      MPI_Comm order;
      MPI_Comm_split(MPI_COMM_WORLD, 0, k == 2 ? -rank : rank, &order);
      MPI_Cart_create(order, 1, length, round, 0, &line[k]);
      MPI_Comm_free(&order);
    }
    for (int i = 0; i < rounds * lines; i++) {
      const MPI_Comm at = line[i % lines];
      const int count = i / lines % 2 == 0 ? 1 : most;
      int here, side[2];
      MPI_Comm_rank(at, &here);
      MPI_Cart_shift(at, 0, 1, &side[0], &side[1]);
      for (int e = 0; e < 2 * count; e++) out[e] = here * 1000 + i * 10 + e / count, in[e] = -1;
      MPI_Neighbor_alltoall(out, count, MPI_INT, in, count, MPI_INT, at);
      for (int e = 0; e < 2 * count; e++)
        CHECK(in[e] ==
              (side[e / count] == MPI_PROC_NULL ? -1 : side[e / count] * 1000 + i * 10 + (1 - e / count)));
      for (int e = 0; e < 2 * count; e++) in[e] = -1;
      MPI_Neighbor_allgather(out, count, MPI_INT, in, count, MPI_INT, at);
      for (int e = 0; e < 2 * count; e++)
        CHECK(in[e] == (side[e / count] == MPI_PROC_NULL ? -1 : side[e / count] * 1000 + i * 10));
    }
    for (int k = 0; k < lines; k++) MPI_Comm_free(&line[k]);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  nobody();
  cartesian();
  graph();
  distributed();
  one_way();
  by_turns();
  MPI_Finalize();
  return 0;
}
