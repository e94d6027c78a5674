/* Pairs of threads that exchange messages, all at once, with MPI_THREAD_MULTIPLE; beside another MPI by hand.
 *
 *   thread_pairs PAIRS [one]
 *
 * With one rank, threads 2i and 2i + 1 of it are a pair; with two, thread i of each. Each pair has a communicator of its own, or all
 * have one (`one`) and a tag each. Prints µs of one round of the slowest pair: a message there and back, 16 receives and sends and a
 * Waitall, a Sendrecv: the median of several parts, the quickest and the slowest.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 64, at_once = 16, parts = 9, long_bytes = 65536 };
enum { there_and_back, waitall, sendrecv, forms };
static const char* const names[forms] = {"there and back", "16 Irecv, Isend, Waitall", "Sendrecv"};

static int rank, size, pairs, threads, one;
static MPI_Comm comms[most];
static pthread_barrier_t all_begin;
static double took[most];
static struct {
  int form, bytes, rounds;
} now;

static void fail(const char* what) {
  fprintf(stderr, "thread_pairs: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void exchange(MPI_Comm comm, int first, int peer, int to, int from, char* out, char* in) {
  MPI_Request requests[2 * at_once];
  const int n = now.bytes;
  switch (now.form) {
    case there_and_back:
      if (first) MPI_Send(out, n, MPI_BYTE, peer, to, comm);
      MPI_Recv(in, n, MPI_BYTE, peer, from, comm, MPI_STATUS_IGNORE);
      if (!first) MPI_Send(out, n, MPI_BYTE, peer, to, comm);
      return;
    case waitall:
      for (int i = 0; i < at_once; i++) MPI_Irecv(in + i * n, n, MPI_BYTE, peer, from, comm, &requests[i]);
      for (int i = 0; i < at_once; i++)
        MPI_Isend(out + i * n, n, MPI_BYTE, peer, to, comm, &requests[at_once + i]);
      MPI_Waitall(2 * at_once, requests, MPI_STATUSES_IGNORE);
      return;
    default:
      MPI_Sendrecv(out, n, MPI_BYTE, peer, to, in, n, MPI_BYTE, peer, from, comm, MPI_STATUS_IGNORE);
  }
}

static void* work(void* number) {
  const int thread = (int)(long)number, pair = size == 1 ? thread / 2 : thread;
  const int first = size == 1 ? thread % 2 == 0 : rank == 0;
  const int to = 2 * pair + first, from = 2 * pair + !first;
  const size_t bytes = (size_t)now.bytes * at_once;
  char *out = malloc(bytes), *in = malloc(bytes);
  if (!out || !in) fail("out of memory");
  memset(out, to, bytes), memset(in, -1, bytes);
  pthread_barrier_wait(&all_begin);
  const double begin = MPI_Wtime();
  for (int i = 0; i < now.rounds; i++)
    exchange(comms[one ? 0 : pair], first, size == 1 ? 0 : 1 - rank, to, from, out, in);
  took[thread] = (MPI_Wtime() - begin) / now.rounds;
  if (in[0] != from || in[now.bytes - 1] != from) fail("WRONG DATA");
  free(out), free(in);
  return NULL;
}

/* One part: µs of a round of the slowest pair. */
static double part(void) {
  pthread_t others[most];
  double slowest = 0, of_all;
  MPI_Barrier(MPI_COMM_WORLD);
  for (long t = 1; t < threads; t++)
    if (pthread_create(&others[t], NULL, work, (void*)t)) fail("no thread can be started");
  work((void*)0L);
  for (int t = 1; t < threads; t++) pthread_join(others[t], NULL);
  for (int t = 0; t < threads; t++) slowest = took[t] > slowest ? took[t] : slowest;
  MPI_Allreduce(&slowest, &of_all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return 1e6 * of_all;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void measure(int form, int bytes, int rounds) {
  double all[parts];
  now.form = form, now.bytes = bytes, now.rounds = rounds;
  for (int i = 0; i < parts; i++) all[i] = part();
  qsort(all, parts, sizeof *all, by_value);
  if (rank == 0)
    printf("%s; %d B\t%d pairs, %s\t%.2f (%.2f to %.2f)\n", names[form], bytes, pairs,
           one ? "one communicator" : "one each", all[parts / 2], all[0], all[parts - 1]);
}

int main(int argc, char** argv) {
  int provided, length;
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (provided < MPI_THREAD_MULTIPLE) fail("no MPI_THREAD_MULTIPLE");
  pairs = argc > 1 ? atoi(argv[1]) : 0, one = argc > 2 && strcmp(argv[2], "one") == 0;
  threads = size == 1 ? 2 * pairs : pairs;
  if (size > 2 || pairs < 1 || threads > most) fail("usage: thread_pairs PAIRS [one], one rank or two");
  MPI_Get_library_version(version, &length);
  version[strcspn(version, "\r\n")] = '\0';
  if (rank == 0) printf("%s, %d ranks\n", version, size);
  for (int i = 0; i < pairs; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  pthread_barrier_init(&all_begin, NULL, (unsigned)threads);
  measure(there_and_back, 8, 20000);
  measure(waitall, 8, 2000);
  measure(sendrecv, 8, 20000);
  measure(sendrecv, long_bytes, 1000);
  for (int i = 0; i < pairs; i++) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return 0;
}
