/* Messages of every size between neighbours, in every way that two waiting processes have; everything that is received is checked.
 * Usage: traffic <expected size of MPI_COMM_WORLD> [endless [return]]
 *   endless: prints "running" from rank 0 when all have exchanged once, and goes on for ever
 *   return:  with MPI_ERRORS_RETURN; a rank that gets an error calls MPI_Abort with code 5 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, left, right, endless, returns;

static void fail(const char* what, long bytes, long at) {
  fprintf(stderr, "traffic: rank %d: %s of %ld bytes is wrong at %ld\n", rank, what, bytes, at);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static void must(int error) {
  if (error != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 5);
}

static unsigned char value(size_t at, int seed) {
  return (unsigned char)(at * 7 + (size_t)seed * 13 + (at >> 12));
}

static void fill(unsigned char* data, size_t bytes, int seed) {
  for (size_t i = 0; i < bytes; ++i) data[i] = value(i, seed);
}

static void check(const unsigned char* data, size_t bytes, int seed, const char* what) {
  for (size_t i = 0; i < bytes; ++i)
    if (data[i] != value(i, seed)) fail(what, (long)bytes, (long)i);
}

/* Everybody to the right, with requests. */
static void ring(unsigned char* out, unsigned char* in, size_t bytes, int seed) {
  MPI_Request both[2];
  fill(out, bytes, rank + seed);
  memset(in, 0, bytes);
  must(MPI_Irecv(in, (int)bytes, MPI_BYTE, left, 1, MPI_COMM_WORLD, &both[0]));
  must(MPI_Isend(out, (int)bytes, MPI_BYTE, right, 1, MPI_COMM_WORLD, &both[1]));
  must(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
  check(in, bytes, left + seed, "a message of the ring");
}

/* By turns between two, both of whom wait. */
static void turns(unsigned char* out, unsigned char* in, size_t bytes, int seed) {
  const int peer = rank ^ 1;
  if (peer >= size) return;
  for (int turn = 0; turn < 4; ++turn) {
    if (turn % 2 == rank % 2) {
      fill(out, bytes, turn + seed);
      must(MPI_Send(out, (int)bytes, MPI_BYTE, peer, 2, MPI_COMM_WORLD));
    } else {
      memset(in, 0, bytes);
      must(MPI_Recv(in, (int)bytes, MPI_BYTE, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      check(in, bytes, turn + seed, "a message by turns");
    }
  }
}

/* Every second block of 1 KiB, on both sides. */
static void strided(unsigned char* out, unsigned char* in, size_t bytes, int seed) {
  const int blocks = (int)(bytes / 2048);
  MPI_Datatype type;
  if (blocks == 0) return;
  MPI_Type_vector(blocks, 1024, 2048, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  fill(out, bytes, rank + seed);
  memset(in, 0, bytes);
  must(MPI_Sendrecv(out, 1, type, right, 3, in, 1, type, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  for (size_t i = 0; i < (size_t)blocks * 2048; ++i)
    if (in[i] != (i % 2048 < 1024 ? value(i, left + seed) : 0))
      fail("a strided message", (long)bytes, (long)i);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  static const size_t sizes[] = {1, 8, 100, 3000, 16384, 65537, 300000, 1 << 20, 4 << 20};
  enum { count = sizeof sizes / sizeof *sizes, largest = 4 << 20 };
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 2 || size != atoi(argv[1])) {
    fprintf(stderr, "traffic: size is %d, expected %s\n", size, argc < 2 ? "an argument" : argv[1]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  endless = argc > 2 && strcmp(argv[2], "endless") == 0;
  returns = argc > 3 && strcmp(argv[3], "return") == 0;
  if (returns) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  unsigned char *out = malloc(largest), *in = malloc(largest);
  for (int seed = 0; endless || seed < 3; ++seed) {
    for (int i = 0; i < count; ++i) {
      /* Not the longest each time: most of an endless run should be in the library. */
      if (seed > 2 && (sizes[i] > 1 << 20 || i % 3 != seed % 3)) continue;
      ring(out, in, sizes[i], seed);
      turns(out, in, sizes[i], seed);
      strided(out, in, sizes[i], seed);
    }
    if (endless && seed == 0) {
      must(MPI_Barrier(MPI_COMM_WORLD));
      if (rank == 0) puts("running"), fflush(stdout);
    }
  }
  free(out), free(in);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("traffic ok");
  MPI_Finalize();
  return 0;
}
