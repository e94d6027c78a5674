/* What the chapters check with. */
#ifndef LOADSTONE_TESTS_SEAT_H
#define LOADSTONE_TESTS_SEAT_H

#include <stdio.h>
#include <stdlib.h>

#include "chapters.h"

#define CHECK(condition)                                                                                    \
  do {                                                                                                      \
    if (!(condition)) {                                                                                     \
      fprintf(stderr, "%s:%d: rank %d of %d, thread %d: not true: %s\n", __FILE__, __LINE__, s->room->rank, \
              s->room->size, s->thread, #condition);                                                        \
      fflush(stderr);                                                                                       \
      abort();                                                                                              \
    }                                                                                                       \
  } while (0)
#define OK(call) CHECK((call) == MPI_SUCCESS)

static inline int value_of(int rank, int thread, int round, int i) {
  return rank * 1000003 + thread * 10007 + round * 101 + i;
}

#endif
