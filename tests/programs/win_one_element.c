// One element of each type that atomic operations are defined on, in a window of ordinary memory whose owner waits: after some
// operations the owner is offered them without a choice. Values, and results, are those of the origin's memory.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { operations = 400 };

typedef struct {
  short value;
  int index;
} short_int;
typedef struct {
  double value;
  int index;
} double_int;
typedef struct {
  long value;
  int index;
} long_int;
typedef struct {
  int value, index;
} two_ints;

static MPI_Win window;

// Rank 0 replaces the element of rank 1 by others, one after the other.
#define REPLACES(type, name, set, equals)                                  \
  do {                                                                     \
    type before, next, got;                                                \
    memset(&before, 0, sizeof before), memset(&next, 0, sizeof next);      \
    MPI_Barrier(MPI_COMM_WORLD);                                           \
    if (rank == 1) memset(memory, 0, sizeof before), MPI_Win_sync(window); \
    MPI_Barrier(MPI_COMM_WORLD);                                           \
    for (int i = 1; rank == 0 && i <= operations; i++) {                   \
      set(next, i);                                                        \
      memset(&got, 0x5a, sizeof got);                                      \
      MPI_Fetch_and_op(&next, &got, name, 1, 0, MPI_REPLACE, window);      \
      MPI_Win_flush(1, window);                                            \
      CHECK(equals(got, before));                                          \
      before = next;                                                       \
    }                                                                      \
    MPI_Barrier(MPI_COMM_WORLD);                                           \
    MPI_Win_sync(window);                                                  \
    set(next, operations);                                                 \
    if (rank == 1) CHECK(equals((*(type*)memory), next));                  \
  } while (0)
#define SET_NUMBER(x, i) ((x) = (i))
#define SAME_NUMBER(x, y) ((x) == (y))
#define SET_PAIR(x, i) ((x).value = (i), (x).index = 70000 + (i))
#define SAME_PAIR(x, y) ((x).value == (y).value && (x).index == (y).index)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  char* const memory = malloc(64);
  memset(memory, 0, 64);
  MPI_Win_create(memory, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
  for (int round = 0; round < 3; round++) {
    REPLACES(double, MPI_DOUBLE, SET_NUMBER, SAME_NUMBER);
    REPLACES(short_int, MPI_SHORT_INT, SET_PAIR, SAME_PAIR);
    REPLACES(two_ints, MPI_2INT, SET_PAIR, SAME_PAIR);
    REPLACES(double_int, MPI_DOUBLE_INT, SET_PAIR, SAME_PAIR);
    REPLACES(long_int, MPI_LONG_INT, SET_PAIR, SAME_PAIR);
    REPLACES(short, MPI_SHORT, SET_NUMBER, SAME_NUMBER);
    REPLACES(long, MPI_LONG, SET_NUMBER, SAME_NUMBER);
    REPLACES(float, MPI_FLOAT, SET_NUMBER, SAME_NUMBER);
    REPLACES(long double, MPI_LONG_DOUBLE, SET_NUMBER, SAME_NUMBER);
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  free(memory);
  MPI_Finalize();
  return 0;
}
