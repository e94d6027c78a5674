/* Messages between blocks of a shared heap that no cache holds. usage: long_messages <size of MPI_COMM_WORLD> */
#define _GNU_SOURCE
#include "../programs/check.h"
#include "shared.h"

/* Longer than the caches, and badly aligned: both sides copy, past the caches. */
static void test_long(int next, int before) {
  enum { MiB = 1 << 20 };
  const size_t bytes = 13 * MiB + 7, places[] = {0, 1, 77};
  unsigned *out = malloc(bytes + 200), *in = malloc(bytes + 200);
  CHECK(is_shared(out) && is_shared(in));
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
  test_long((rank + 1) % size, (rank + size - 1) % size);
  MPI_Finalize();
  return 0;
}
