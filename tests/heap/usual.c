/* Which blocks are shared when nobody has said anything: those that are large, up to a sum; in a program that is linked
 * with MPI. usage: usual <size of MPI_COMM_WORLD> <1: they are; 0: none is> */
#define _GNU_SOURCE
#include "../programs/check.h"
#include "shared.h"

enum { MiB = 1 << 20 };

/* Longer than the caches, and badly aligned: both sides copy, past the caches. */
static void test_long(int next, int before) {
  const size_t bytes = 13 * MiB + 7, places[] = {0, 1, 77};
  unsigned *out = malloc(bytes + 200), *in = malloc(bytes + 200);
  for (int p = 0; p < 3; ++p) {
    unsigned char *from = (unsigned char*)out + places[p], *to = (unsigned char*)in + 33 + places[2 - p];
    for (size_t i = 0; i < bytes; ++i) from[i] = (unsigned char)(i * 31 + (i >> 12) + rank + p);
    memset(in, 0xee, bytes + 200);
    MPI_Sendrecv(from, (int)bytes, MPI_BYTE, next, 1, to, (int)bytes, MPI_BYTE, before, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (size_t i = 0; i < bytes; ++i) CHECK(to[i] == (unsigned char)(i * 31 + (i >> 12) + before + p));
    CHECK(to[-1] == 0xee && to[bytes] == 0xee);
  }
  free(out), free(in);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  const int shared = atoi(argv[2]);
  CHECK(shared == 0 || shared == 1);
  char *small = malloc(32 * 1024 - 1), *medium = malloc(32 * 1024), *too_large = malloc(300 * (size_t)MiB);
  CHECK(!is_shared(small) && !is_shared(too_large) && is_shared(medium) == shared);
  free(small), free(medium), free(too_large);

  /* Huge pages, where ordinary memory alone has them, stay with whom they are for: blocks here have none. */
  enum { blocks = 200, bytes = 3 * (MiB / 2) };
  char* block[blocks];
  int count = 0;
  for (int i = 0; i < blocks; ++i) {
    block[i] = malloc(bytes);
    const int is = is_shared(block[i]);
    count += is;
    CHECK(is == (shared && i < 256 * MiB / bytes)); /* until the sum is reached */
    memset(block[i], i, bytes);
  }
  CHECK(count == (shared ? 256 * MiB / bytes : 0));
  for (int i = 0; i < blocks; i += 2) free(block[i]);
  char* again = malloc(bytes);
  CHECK(is_shared(again) == shared);
  memset(again, rank, bytes);

  /* From shared to ordinary memory, and the other way round. */
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  for (int i = 1; i < blocks; i += 2) {
    MPI_Sendrecv(block[i], bytes, MPI_BYTE, next, 0, again, bytes, MPI_BYTE, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(again[0] == (char)i && again[bytes / 2] == (char)i && again[bytes - 1] == (char)i);
    char* swapped = block[i];
    block[i] = again, again = swapped;
  }
  for (int i = 1; i < blocks; i += 2) {
    for (int k = 0; k < bytes; ++k) CHECK(block[i][k] == (char)i);
    free(block[i]);
  }
  free(again);
  test_long(next, before);
  MPI_Finalize();
  return 0;
}
