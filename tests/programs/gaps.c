/* Collectives in areas that have others, by messages, between them: the first has a root that goes ahead of a late member, the
 * last is one for which that member may have no memory. Whoever waits for a member to be past the first may not wait for what
 * it does by messages. Run with little memory for a rank (LOADSTONE_ARENA_LIMIT), all of which one takes. Usage: gaps RANKS */
#include <unistd.h>

#include "check.h"

enum { TURNS = 34, BLOCK = 65536, BY_MESSAGES = 20000 };

/* All that the library gives. */
static void take_memory(void) {
  void* at;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int taken = 0; taken < 3000000 && MPI_Alloc_mem(BLOCK, MPI_INFO_NULL, &at) == MPI_SUCCESS;
       taken += BLOCK)
    memset(at, 1, BLOCK);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  MPI_Comm comms[TURNS];
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  int* parts = calloc((size_t)size, sizeof *parts);
  char *mine = malloc(BLOCK), *all = malloc((size_t)size * BLOCK), *told = calloc(BY_MESSAGES, 1);
  int part;
  for (int i = 0; i < TURNS; ++i) { /* they have areas before there is no memory for any */
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int k = 0; k < 4; ++k) MPI_Scatter(parts, 1, MPI_INT, &part, 1, MPI_INT, 0, comms[i]);
    MPI_Barrier(comms[i]);
  }
  if (rank == size - 1) take_memory();
  for (int i = 0; i < TURNS; ++i) {
    for (int k = 0; k < i; ++k) MPI_Bcast(told, BY_MESSAGES, MPI_CHAR, 0, comms[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1) usleep(5000);
    for (int r = 0; r < size; ++r) parts[r] = r + i;
    MPI_Scatter(parts, 1, MPI_INT, &part, 1, MPI_INT, 0, comms[i]);
    CHECK(part == rank + i);
    for (int k = 0; k < 9; ++k) MPI_Bcast(told, BY_MESSAGES, MPI_CHAR, 0, comms[i]);
    memset(mine, rank + i, BLOCK);
    MPI_Allgather(mine, BLOCK, MPI_CHAR, all, BLOCK, MPI_CHAR, comms[i]);
    for (int r = 0; r < size; ++r)
      CHECK(all[(size_t)r * BLOCK] == (char)(r + i) && all[(size_t)(r + 1) * BLOCK - 1] == (char)(r + i));
  }
  for (int i = 0; i < TURNS; ++i) MPI_Comm_free(&comms[i]);
  free(parts), free(mine), free(all), free(told);
  MPI_Finalize();
  return 0;
}
