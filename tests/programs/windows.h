/* What the programs about windows share. */
#ifndef LOADSTONE_TESTS_WINDOWS_H
#define LOADSTONE_TESTS_WINDOWS_H

#include <stdint.h>

#include "check.h"

/* A window of `bytes` at each rank, in memory of each kind in turn; its memory is at *memory. */
enum kind { created, of_library_memory, allocated, shared, kinds };

static inline void* make_window(enum kind kind, MPI_Aint bytes, int unit, MPI_Comm comm, MPI_Win* win) {
  void* memory = NULL;
  switch (kind) {
    case created:
      memory = calloc(1, bytes > 0 ? (size_t)bytes : 1);
      MPI_Win_create(memory, bytes, unit, MPI_INFO_NULL, comm, win);
      break;
    case of_library_memory:
      MPI_Alloc_mem(bytes, MPI_INFO_NULL, &memory);
      memset(memory, 0, (size_t)bytes);
      MPI_Win_create(memory, bytes, unit, MPI_INFO_NULL, comm, win);
      break;
    case allocated:
      MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, comm, &memory, win);
      if (bytes > 0) memset(memory, 0, (size_t)bytes);
      break;
    default:
      MPI_Win_allocate_shared(bytes, unit, MPI_INFO_NULL, comm, &memory, win);
      if (bytes > 0) memset(memory, 0, (size_t)bytes);
      break;
  }
  MPI_Barrier(comm);
  return memory;
}

static inline void free_window(enum kind kind, void* memory, MPI_Win* win) {
  CHECK(MPI_Win_free(win) == MPI_SUCCESS && *win == MPI_WIN_NULL);
  if (kind == created) free(memory);
  if (kind == of_library_memory) MPI_Free_mem(memory);
}

#endif
