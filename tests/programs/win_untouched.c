/* The largest windows become memory where they are touched, by whoever it is, as long as all of them together are at
 * most half of what is left: what is allocated beyond is there from the start. Usage: win_untouched RANKS */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

enum { page = 4096 };
static const MPI_Aint least = 256 << 20;

static MPI_Aint pages_there(void* at, MPI_Aint bytes) {
  unsigned char* pages = malloc((size_t)(bytes / page));
  CHECK(pages && mincore(at, (size_t)bytes, pages) == 0);
  MPI_Aint there = 0;
  for (MPI_Aint i = 0; i < bytes / page; ++i) there += pages[i] & 1;
  free(pages);
  return there;
}

/* Of the memory of the job. (Reserved pages that are not huge count as absent in pages_there() until they are touched.) */
static MPI_Aint bytes_reserved(void) {
  MPI_Aint bytes = 0;
  for (int fd = 0; fd < 256; ++fd) {
    char link[64], target[64] = "";
    struct stat about;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, target, sizeof target - 1) > 0 && strncmp(target, "/memfd:loadstone-job", 20) == 0 &&
        fstat(fd, &about) == 0)
      bytes = (MPI_Aint)about.st_blocks * 512;
  }
  return bytes;
}

static MPI_Aint bytes_left(void) {
  FILE* file = fopen("/proc/meminfo", "r");
  char line[256];
  long kib = 0;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %ld kB", &kib) == 1) break;
  if (file) fclose(file);
  return (MPI_Aint)kib * 1024;
}

/* All that a rank does to a window that nobody has touched. */
static void windows(void) {
  long* mine;
  MPI_Win win;
  CHECK(MPI_Win_allocate(least, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win) == MPI_SUCCESS);
  const MPI_Aint last = least / (MPI_Aint)sizeof(long) - 1;
  CHECK(pages_there(mine, least) == 0);
  const long value = 1000 + rank;
  long seen = -1, sum = 0;
  const int next = (rank + 1) % size;
  MPI_Win_fence(0, win);
  MPI_Put(&value, 1, MPI_LONG, next, last, 1, MPI_LONG, win);
  MPI_Accumulate(&value, 1, MPI_LONG, next, 0, 1, MPI_LONG, MPI_SUM, win);
  MPI_Get(&seen, 1, MPI_LONG, next, last / 2, 1, MPI_LONG, win);
  MPI_Win_fence(0, win);
  CHECK(seen == 0);
  sum = 1000 + (rank + size - 1) % size;
  CHECK(mine[0] == sum && mine[last] == sum);
  CHECK(pages_there(mine, least) <= 3 * 2048); /* of the largest pages that there are */
  MPI_Win_fence(0, win);
  CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
}

/* One process takes all that may be promised, in ever smaller blocks, and gives it back. */
static void all_that_is_left(void) {
  enum { most = 64, large = 3 };
  void* blocks[most];
  int count = 0, reserved = 0;
  for (MPI_Aint bytes = bytes_left() / 8; count < most && !reserved; ++count) {
    if (count >= large) bytes = bytes / 2;
    bytes = bytes < least ? least : bytes / least * least;
    const MPI_Aint before = bytes_reserved();
    CHECK(MPI_Alloc_mem(bytes, MPI_INFO_NULL, &blocks[count]) == MPI_SUCCESS);
    const MPI_Aint now = bytes_reserved() - before;
    CHECK(now == 0 || now >= bytes);
    reserved = now != 0;
  }
  CHECK(reserved && count > 1);
  while (count > 0) CHECK(MPI_Free_mem(blocks[--count]) == MPI_SUCCESS);
  CHECK(MPI_Alloc_mem(least, MPI_INFO_NULL, &blocks[0]) == MPI_SUCCESS);
  CHECK(pages_there(blocks[0], least) == 0);
  CHECK(MPI_Free_mem(blocks[0]) == MPI_SUCCESS);
}

/* No cgroup leaves less than the machine, and that is enough. */
static int enough_is_left(void) {
  void* block;
  if (bytes_left() < 16 * size * least) return 0;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (MPI_Alloc_mem(bytes_left() / 4, MPI_INFO_NULL, &block) != MPI_SUCCESS) return 0;
  const int there = pages_there(block, page) == 0;
  CHECK(MPI_Free_mem(block) == MPI_SUCCESS);
  return there;
}

int main(int argc, char** argv) {
  int enough = 0;
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  if (rank == 0) enough = enough_is_left();
  MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (enough) {
    windows();
    if (size == 1) all_that_is_left();
  } else if (rank == 0) {
    printf("too little memory is left here\n");
  }
  MPI_Finalize();
  return 0;
}
