/* Who has its part of a collective leaves, and has ended when others still wait for each other: that is no death that
 * concerns them. One process gives blocks to all others; these lie with gaps there, so that each copies its own. The
 * last one comes late. With `reduce`: it gives its operand late to a root that all others have given theirs. */
#include <unistd.h>

#include "check.h"

enum { LENGTH = 4096 };
static int out[LENGTH], in[2 * LENGTH];

static void give(MPI_Comm star, MPI_Datatype spread) {
  for (int i = 0; i < 2 * LENGTH; ++i) in[i] = -1;
  CHECK(MPI_Neighbor_allgather(out, LENGTH, MPI_INT, in, 1, spread, star) == MPI_SUCCESS);
  for (int i = 0; rank != 0 && i < 2 * LENGTH; ++i) CHECK(in[i] == (i % 2 == 0 ? i / 2 : -1));
}

static void sum_up(void) {
  int mine[2] = {rank, 1}, sums[2] = {-1, -1};
  CHECK(MPI_Reduce(mine, sums, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
  if (rank == 0) CHECK(sums[0] == size * (size - 1) / 2 && sums[1] == size);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  int others[16];
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
  const int reduces = argc > 2 && strcmp(argv[2], "reduce") == 0;
  if (rank == size - 1) usleep(900000);
  if (reduces)
    sum_up();
  else
    give(star, spread);
  MPI_Type_free(&spread);
  MPI_Comm_free(&star);
  MPI_Finalize();
  return 0;
}
