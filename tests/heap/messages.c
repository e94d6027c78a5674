/* Messages from and to blocks of a shared heap, of any size, which are freed and allocated between messages: they are
 * copied once, and right. usage: messages <size of MPI_COMM_WORLD> */
#define _GNU_SOURCE
#include <malloc.h>
#include <unistd.h>

#include "../programs/check.h"
#include "shared.h"

static unsigned random_state;
static unsigned next(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  return random_state ^= random_state << 5;
}

static unsigned long long figure(const char* name) {
  static MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
  unsigned long long value = 0;
  MPI_T_pvar_handle handle;
  int index, count, provided;
  if (session == MPI_T_PVAR_SESSION_NULL) {
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
  }
  CHECK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS);
  MPI_T_pvar_handle_free(session, &handle);
  return value;
}

/* What a block of this message holds at i: known to both sides, different in every message. */
static void fill(unsigned* p, size_t n, unsigned seed) {
  for (size_t i = 0; i < n; ++i) p[i] = seed + (unsigned)i * 2654435761u;
}
static size_t first_wrong(const unsigned* p, size_t n, unsigned seed) {
  for (size_t i = 0; i < n; ++i)
    if (p[i] != seed + (unsigned)i * 2654435761u) return i;
  return n;
}

static void* some_block(size_t bytes) {
  void* p = NULL;
  switch (next() % 4) {
    case 0:
      return malloc(bytes);
    case 1:
      return calloc(bytes, 1);
    case 2: /* as Fortran compilers ask for arrays */
      return aligned_alloc(64, (bytes + 63) / 64 * 64);
    default:
      CHECK(posix_memalign(&p, 4096, bytes) == 0);
      return p;
  }
}

/* Messages that were copied once, through a mapping or by both sides. */
static unsigned long long copied_once(void) {
  return figure("messages_direct") + figure("messages_direct_both") + figure("messages_push") +
         figure("messages_both_sides");
}

/* Everybody sends to the next and receives from the one before; blocks live for one round, or for some. */
static void test_ring(int rounds) {
  enum { keep = 8 };
  void* kept[keep] = {NULL};
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  unsigned common = 12345; /* the same on all: sizes, seeds */
  const unsigned long long direct = copied_once();
  unsigned long long expected = 0;
  for (int round = 0; round < rounds; ++round) {
    common = common * 1664525u + 1013904223u;
    const size_t n = 16 * 1024 + (common >> 8) % (round % 10 == 0 ? 1500000 : 100000);
    unsigned *out = some_block(n * sizeof *out), *in = some_block(n * sizeof *in);
    CHECK(is_shared(out) && is_shared(in));
    fill(out, n, common + (unsigned)rank);
    MPI_Request requests[2];
    MPI_Irecv(in, (int)n, MPI_UNSIGNED, from, round, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, (int)n, MPI_UNSIGNED, to, round, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(first_wrong(in, n, common + (unsigned)from) == n);
    CHECK(first_wrong(out, n, common + (unsigned)rank) == n);
    expected += n * sizeof *out > 256 * 1024;
    free(out);
    void** place = &kept[next() % keep];
    free(*place);
    *place = in; /* for some rounds */
  }
  for (int i = 0; i < keep; ++i) free(kept[i]);
  /* Large ones are pulled, or pushed by their sender, who counts them. */
  const unsigned long long took = copied_once() - direct;
  unsigned long long all = took + figure("messages_single_copy") + figure("messages_advert");
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  CHECK(size == 1 || all >= expected * (unsigned long long)size);
  CHECK(size == 1 || took > 0);
}

/* The order in which a receiver that waits takes blocking messages: all of them directly. */
static void test_counted(void) {
  enum { times = 20, n = 1 << 20 };
  if (rank > 1) return;
  const unsigned long long direct = copied_once();
  for (int i = 0; i < times; ++i) {
    unsigned char* p = malloc(n + 4096 * i);
    if (rank == 0) {
      memset(p, i, n);
      MPI_Send(p, n, MPI_BYTE, 1, i, MPI_COMM_WORLD);
    } else {
      MPI_Probe(0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* no advert: the receiver takes it */
      MPI_Recv(p, n, MPI_BYTE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(p[0] == i && p[n / 2] == i && p[n - 1] == i);
    }
    free(p);
  }
  if (rank == 1) CHECK(copied_once() - direct == times);
}

/* The other end's block is libc's, or a part of a larger one, or not contiguous. */
static void test_mixed(void) {
  enum { n = 300000 };
  static unsigned still[n];
  if (size < 2 || rank > 1) return;
  unsigned* moving = malloc(3 * n * sizeof *moving);
  MPI_Datatype stripes;
  MPI_Type_vector(n / 1000, 1000, 3000, MPI_UNSIGNED, &stripes);
  MPI_Type_commit(&stripes);
  for (int i = 0; i < 12; ++i) {
    unsigned* mine = i % 2 == rank ? still : moving + 100;
    fill(mine, n, (unsigned)(i + rank));
    if (rank == 0) {
      MPI_Send(mine, n, MPI_UNSIGNED, 1, i, MPI_COMM_WORLD);
      MPI_Recv(mine, n, MPI_UNSIGNED, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(first_wrong(mine, n, (unsigned)i + 7) == n);
    } else {
      MPI_Recv(mine, n, MPI_UNSIGNED, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(first_wrong(mine, n, (unsigned)i) == n);
      fill(mine, n, (unsigned)i + 7);
      MPI_Send(mine, n, MPI_UNSIGNED, 0, i, MPI_COMM_WORLD);
    }
    if (rank == 0) {
      for (size_t k = 0; k < n; ++k) moving[k / 1000 * 3000 + k % 1000] = (unsigned)(k + (size_t)i);
      MPI_Send(moving, 1, stripes, 1, i, MPI_COMM_WORLD);
    } else {
      MPI_Recv(still, n, MPI_UNSIGNED, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (size_t k = 0; k < n; ++k) CHECK(still[k] == (unsigned)(k + (size_t)i));
    }
  }
  MPI_Type_free(&stripes);
  free(moving);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  random_state = (unsigned)getpid() | 1;
  test_ring(size > 3 ? 40 : 150);
  test_mixed();
  test_counted();
  MPI_Finalize();
  return 0;
}
