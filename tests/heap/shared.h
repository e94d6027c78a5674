/* Where does a block lie? Programs here run under mpiexec --shared-heap. */
#ifndef LOADSTONE_TESTS_HEAP_SHARED_H
#define LOADSTONE_TESTS_HEAP_SHARED_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* 1: in the job's memory, shared with peers; 0: elsewhere. */
static inline int is_shared(const void* block) {
  char line[512];
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (!found && fgets(line, sizeof line, maps) != NULL) {
    uintptr_t begin, end;
    char shared;
    if (sscanf(line, "%lx-%lx %*c%*c%*c%c", &begin, &end, &shared) != 3) continue;
    if ((uintptr_t)block >= begin && (uintptr_t)block < end)
      found = shared == 's' && strstr(line, "loadstone-job") != NULL ? 1 : 2;
  }
  fclose(maps);
  return found == 1;
}

#endif
