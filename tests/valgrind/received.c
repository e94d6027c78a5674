// Receives in every way a message can take, and decides by what it received: valgrind must not find that it was never written.
// What is sent, and where it is received, was written before by nobody it can see, so that nothing but the message makes it known.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size;

static void require(int condition, const char* what, int line) {
  if (condition) return;
  fprintf(stderr, "rank %d, line %d: not true: %s\n", rank, line, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define REQUIRE(condition) require((condition), #condition, __LINE__)

static uint64_t expected(size_t word, int seed) {
  return (word + 1) * 0x9e3779b97f4a7c15u + (uint64_t)seed;
}

static void fill(unsigned char* data, size_t bytes, int seed) {
  size_t at = 0;
  for (; at + 8 <= bytes; at += 8) {
    const uint64_t word = expected(at / 8, seed);
    memcpy(data + at, &word, 8);
  }
  const uint64_t last = expected(at / 8, seed);
  memcpy(data + at, &last, bytes - at);
}

// Branches on each word: on all of its bytes.
static void look(const unsigned char* data, size_t bytes, int seed) {
  size_t at = 0;
  uint64_t word;
  for (; at + 8 <= bytes; at += 8) {
    memcpy(&word, data + at, 8);
    if (word != expected(at / 8, seed)) REQUIRE(!"all bytes are as they were sent");
  }
  word = expected(at / 8, seed);
  memcpy(&word, data + at, bytes - at);
  if (word != expected(at / 8, seed)) REQUIRE(!"the last bytes are as they were sent");
}

// Time for the other one to come first, without a message that would wait for it.
static void let_the_other_go_first(void) {
  const struct timespec time = {0, 8000000};
  nanosleep(&time, NULL);
}

enum order { together, receiver_first, sender_first, orders };

// Memory that nobody has written: of malloc, or such that the other one can reach.
static unsigned char* fresh(size_t bytes, int shared) {
  unsigned char* data = NULL;
  if (!shared) return malloc(bytes + 1);
  MPI_Alloc_mem((MPI_Aint)bytes + 1, MPI_INFO_NULL, &data);
  unsigned char* never_written = malloc(bytes + 1);
  memcpy(data, never_written, bytes + 1);
  free(never_written);
  return data;
}

static void give_back(unsigned char* data, int shared) {
  if (shared)
    MPI_Free_mem(data);
  else
    free(data);
}

static void one_way(size_t bytes, int from_shared, int to_shared, enum order order, int nonblocking) {
  const int seed = (int)(bytes % 13) + order;
  unsigned char* data = fresh(bytes, rank == 0 ? from_shared : to_shared);
  MPI_Request request;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    fill(data, bytes, seed);
    if (order == receiver_first) let_the_other_go_first();
    if (nonblocking) {
      MPI_Isend(data, (int)bytes, MPI_BYTE, 1, 5, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Send(data, (int)bytes, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
    }
  } else if (rank == 1) {
    MPI_Status status;
    if (order == sender_first) let_the_other_go_first();
    if (nonblocking) {
      MPI_Irecv(data, (int)bytes, MPI_BYTE, 0, 5, MPI_COMM_WORLD, &request);
      let_the_other_go_first();  // deposited meanwhile, where that is possible
      MPI_Wait(&request, &status);
    } else {
      MPI_Recv(data, (int)bytes, MPI_BYTE, 0, 5, MPI_COMM_WORLD, &status);
    }
    REQUIRE(status.MPI_SOURCE == 0 && status.MPI_TAG == 5);
    look(data, bytes, seed);
  }
  give_back(data, rank == 0 ? from_shared : to_shared);
}

// Short messages to and fro, after ones that nobody has written: what lies in the line between the two is of both.
static void in_turns(size_t bytes) {
  unsigned char* data = malloc(bytes);
  unsigned char* never_written = malloc(bytes);
  for (int round = 0; round < 20; ++round) {
    const int mine = round % 2 == rank;
    unsigned char* sent = round < 6 ? never_written : data;
    if (mine && round >= 6) fill(data, bytes, round);
    if (mine)
      MPI_Send(sent, (int)bytes, MPI_BYTE, 1 - rank, round, MPI_COMM_WORLD);
    else
      MPI_Recv(data, (int)bytes, MPI_BYTE, 1 - rank, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!mine && round >= 6) look(data, bytes, round);
  }
  free(never_written);
  free(data);
}

// Blocks of a type with holes, from where the holes were never written.
static void with_holes(int blocks) {
  MPI_Datatype type;
  MPI_Type_vector(blocks, 300, 512, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  const size_t bytes = (size_t)blocks * 512;
  unsigned char* data = malloc(bytes);
  if (rank == 0) {
    for (int b = 0; b < blocks; ++b) fill(data + (size_t)b * 512, 300, b);
    MPI_Send(data, 1, type, 1, 6, MPI_COMM_WORLD);
  } else {
    MPI_Recv(data, 1, type, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int b = 0; b < blocks; ++b) look(data + (size_t)b * 512, 300, b);
  }
  free(data);
  MPI_Type_free(&type);
}

// Both at once: large ones are filled by either side.
static void exchange(size_t bytes) {
  unsigned char *out = malloc(bytes + 1), *in = malloc(bytes + 1);
  fill(out, bytes, rank);
  MPI_Sendrecv(out, (int)bytes, MPI_BYTE, 1 - rank, 7, in, (int)bytes, MPI_BYTE, 1 - rank, 7, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  look(in, bytes, 1 - rank);
  free(out);
  free(in);
}

// What nobody has written is sent, into memory that both can reach, and that memory is then sent back, with something in it:
// the way back must not be taken for what went there. That something unwritten is sent is no mistake either: so are holes.
static void there_and_back(size_t bytes, int shared) {
  unsigned char* data = fresh(bytes, rank == 1 && shared);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    let_the_other_go_first();
    MPI_Send(data, (int)bytes, MPI_BYTE, 1, 8, MPI_COMM_WORLD);
    MPI_Recv(data, (int)bytes, MPI_BYTE, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    look(data, bytes, 3);
  } else {
    MPI_Recv(data, (int)bytes, MPI_BYTE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fill(data, bytes, 3);
    MPI_Send(data, (int)bytes, MPI_BYTE, 0, 9, MPI_COMM_WORLD);
  }
  give_back(data, rank == 1 && shared);
}

static void collectives(int count) {
  int *in = malloc(sizeof(int) * (size_t)count), *out = malloc(sizeof(int) * (size_t)count * 2);
  for (int i = 0; i < count; ++i) in[i] = i + rank;
  MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i)
    if (out[i] != 2 * i + 1) REQUIRE(!"MPI_Allreduce");
  MPI_Allgather(in, count, MPI_INT, out, count, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < 2 * count; ++i)
    if (out[i] != i % count + i / count) REQUIRE(!"MPI_Allgather");
  free(out);
  out = malloc(sizeof(int) * (size_t)count * 2);
  MPI_Bcast(rank == 0 ? in : out, count, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1)
    for (int i = 0; i < count; ++i)
      if (out[i] != i) REQUIRE(!"MPI_Bcast");
  free(in);
  free(out);
}

// Looks at more than has come.
static void mistake(size_t bytes) {
  unsigned char* data = malloc(2 * bytes);
  if (rank == 0) fill(data, bytes, 1);
  if (rank == 0)
    MPI_Send(data, (int)bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(data, (int)(2 * bytes), MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int odd = 0;
  if (rank == 1)
    for (size_t i = 0; i < 2 * bytes; ++i)
      if (data[i] % 2 == 1) ++odd;
  if (odd == 12345) puts("decided by what nobody has written");
  free(data);
}

// received [LONGEST | mistake]
int main(int argc, char** argv) {
  const int make_mistake = argc > 1 && strcmp(argv[1], "mistake") == 0;
  const size_t most = make_mistake ? 0 : argc > 1 ? (size_t)atol(argv[1]) : 4u << 20;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  REQUIRE(size == 2);
  static const size_t lengths[] = {1,     8,     31,    64,     100,    500,     2000,   5000,
                                   20000, 40000, 70000, 200000, 600000, 1500000, 4 << 20};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths && lengths[i] <= most; ++i) {
    for (int way = 0; way < 4; ++way)
      for (enum order order = together; order < orders; ++order)
        for (int nonblocking = 0; nonblocking < 2; ++nonblocking)
          one_way(lengths[i], way & 1, way >> 1, order, nonblocking);
    exchange(lengths[i]);
    there_and_back(lengths[i], 0);
    there_and_back(lengths[i], 1);
    if (lengths[i] <= 100000) {
      in_turns(lengths[i]);
      collectives((int)lengths[i]);
    }
  }
  if (make_mistake) mistake(3000), mistake(300000);
  for (int blocks = 1; blocks <= 4096; blocks *= 8) with_holes(blocks);
  MPI_Finalize();
  if (rank == 0) puts("all received");
  return 0;
}
