/* Who has its part of a collective leaves, and has ended when others still wait for each other: that is no death that
 * concerns them. The last one comes late. Usage: early <size> [operation]; without: one process gives blocks to all
 * others; these lie with gaps there, so that each copies its own. */
#include <unistd.h>

#include "check.h"

enum { LENGTH = 4096 };
static int out[LENGTH], in[2 * LENGTH];

static void give(MPI_Comm star, MPI_Datatype spread) {
  for (int i = 0; i < 2 * LENGTH; ++i) in[i] = -1;
  CHECK(MPI_Neighbor_allgather(out, LENGTH, MPI_INT, in, 1, spread, star) == MPI_SUCCESS);
  for (int i = 0; rank != 0 && i < 2 * LENGTH; ++i) CHECK(in[i] == (i % 2 == 0 ? i / 2 : -1));
}

static void do_it(const char* what, int count, int root) {
  const int middle = size / 2;
  static int from[LENGTH], to[20 * LENGTH];
  CHECK(count <= LENGTH && size <= 20);
  for (int i = 0; i < count; ++i) from[i] = rank + i;
  if (strncmp(what, "reduce", 6) == 0) {
    MPI_Reduce(from, to, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < count; ++i) CHECK(to[i] == size * (size - 1) / 2 + size * i);
  } else if (strcmp(what, "gather") == 0) {
    MPI_Gather(from, count, MPI_INT, to, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < size * count; ++i) CHECK(to[i] == i / count + i % count);
  } else if (strcmp(what, "gatherv") == 0 || strcmp(what, "scatterv") == 0) {
    /* The odd ones have long blocks. */
    int counts[20], places[20];
    for (int r = 0; r < size; ++r) counts[r] = r % 2 ? LENGTH : count, places[r] = r * LENGTH;
    static int all[20 * LENGTH];
    for (int i = 0; i < LENGTH; ++i) from[i] = rank + i;
    for (int i = 0; i < size * LENGTH; ++i) all[i] = i;
    if (what[0] == 'g') {
      MPI_Gatherv(from, counts[rank], MPI_INT, to, counts, places, MPI_INT, root, MPI_COMM_WORLD);
      for (int r = 0; rank == root && r < size; ++r)
        for (int i = 0; i < counts[r]; ++i) CHECK(to[places[r] + i] == r + i);
    } else {
      MPI_Scatterv(all, counts, places, MPI_INT, to, counts[rank], MPI_INT, root, MPI_COMM_WORLD);
      for (int i = 0; i < counts[rank]; ++i) CHECK(to[i] == places[rank] + i);
    }
  } else if (strcmp(what, "scan") == 0) {
    MPI_Scan(from, to, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) CHECK(to[i] == (rank + 1) * rank / 2 + (rank + 1) * i);
  } else {
    MPI_Bcast(from, count, MPI_INT, middle, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) CHECK(from[i] == middle + i);
  }
}

static int leave_early(const char* what) {
  /* One through which others get what the root has sent. */
  const int late = strcmp(what, "refused") == 0 ? 0 : size - 1;
  const int count = strcmp(what, "reduce_long") == 0 || strcmp(what, "refused") == 0 ? LENGTH : 1;
  for (int k = 0; k < 4; ++k) {
    do_it(what, count, 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == late) usleep(900000);
  do_it(what, count, 0);
  MPI_Finalize();
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  if (argc > 2) return leave_early(argv[2]);
  int others[20];
  const int root = 0;
  for (int i = 1; i < size; ++i) others[i - 1] = i;
  for (int i = 0; i < LENGTH; ++i) out[i] = i;
  MPI_Comm star;
  MPI_Datatype spread;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank != 0, &root, MPI_UNWEIGHTED, rank == 0 ? size - 1 : 0,
                                 others, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &star);
  MPI_Comm_set_errhandler(star, MPI_ERRORS_RETURN);
  MPI_Type_vector(LENGTH, 1, 2, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  for (int k = 0; k < 4; ++k) {
    give(star, spread);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == size - 1) usleep(900000);
  give(star, spread);
  MPI_Type_free(&spread);
  MPI_Comm_free(&star);
  MPI_Finalize();
  return 0;
}
