/* For `loadstone model`: how long messages take between two ranks, and by which protocol. On the public interfaces only: MPI,
 * and the performance variables messages_… of its tool interface.
 *
 * usage: mpiexec -n 2 message_times rewritten|cold BYTES...
 *
 * Prints lines "bytes <tab> protocol <tab> microseconds, one way". What arrives is checked.
 *   up to 4 KiB  half of a round trip, the sender writing into every line before it sends
 *   larger       from MPI_Send to a receive that is posted, until a word from the receiver says that the data is there (the
 *                time of that word taken off); median over messages
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tag = 7, protocols_max = 16, small_bytes = 4096, samples_max = 400, samples_min = 9 };
static const size_t walk = 64u << 20; /* as src/model/measure.cpp */
static const double point_seconds = 0.03;

static int rank, peer;

static void fail(const char* what) {
  fprintf(stderr, "message_times: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

/* --- the library's counts of messages by protocol --- */

static MPI_T_pvar_session session;
static MPI_T_pvar_handle handles[protocols_max];
static char names[protocols_max][64];
static int protocols;

static void open_counts(void) {
  static const char prefix[] = "messages_";
  int provided, n = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_get_num(&n);
  for (int i = 0; i < n && protocols < protocols_max; i++) {
    char name[64];
    int length = sizeof name, verbosity, class_, bind, readonly, continuous, atomic, count;
    MPI_Datatype type;
    MPI_T_enum enumeration;
    if (MPI_T_pvar_get_info(i, name, &length, &verbosity, &class_, &type, &enumeration, NULL, NULL, &bind,
                            &readonly, &continuous, &atomic) != MPI_SUCCESS)
      continue;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) continue;
    if (MPI_T_pvar_handle_alloc(session, i, NULL, &handles[protocols], &count) != MPI_SUCCESS) continue;
    strcpy(names[protocols++], name + sizeof prefix - 1);
  }
  if (protocols == 0) fail("the library has no performance variables messages_...");
}

static void read_counts(unsigned long long* counts) {
  for (int i = 0; i < protocols; i++) {
    counts[i] = 0;
    MPI_T_pvar_read(session, handles[i], &counts[i]);
  }
}

/* The protocol that most of the messages between two readings took: a sender counts short ones, a receiver large ones. */
static const char* protocol_since(const unsigned long long* before) {
  unsigned long long now[protocols_max], mine[protocols_max], all[protocols_max];
  read_counts(now);
  for (int i = 0; i < protocols; i++) mine[i] = now[i] - before[i];
  MPI_Allreduce(mine, all, protocols, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  int most = 0;
  for (int i = 1; i < protocols; i++)
    if (all[i] > all[most]) most = i;
  return names[most];
}

/* The same for one message of n bytes among empty ones. */
static const char* protocol_of(unsigned char* buffer, int n) {
  enum { messages = 8 };
  unsigned long long before[protocols_max];
  MPI_Barrier(MPI_COMM_WORLD);
  read_counts(before);
  for (int i = 0; i < messages; i++) {
    if (rank == 0)
      MPI_Send(buffer, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
    else
      MPI_Recv(buffer, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return protocol_since(before);
}

/* --- times --- */

typedef struct {
  unsigned char *out, *in;
  size_t places, stride;
} memory;

static void write_lines(unsigned char* buffer, int n, unsigned char value) {
  for (int i = 0; i < n; i += 64) buffer[i] = value;
}

static void check(const unsigned char* buffer, int n, unsigned char value) {
  for (int i = 0; i < n; i += 64)
    if (buffer[i] != value) fail("WRONG DATA");
}

static double round_trips(const memory* m, int n, int k) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    unsigned char *out = m->out + (size_t)i % m->places * m->stride,
                  *in = m->in + (size_t)i % m->places * m->stride;
    if (rank == 0)
      write_lines(out, n, (unsigned char)i), MPI_Send(out, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
    MPI_Recv(in, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) write_lines(out, n, in[0]), MPI_Send(out, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
    if (rank == 0 && n > 0 && in[0] != (unsigned char)i) fail("WRONG DATA");
  }
  return MPI_Wtime() - begin;
}

static int agreed(double one, int least, int most) {
  int k = (int)(point_seconds / (one > 1e-9 ? one : 1e-9));
  k = k < least ? least : k > most ? most : k;
  MPI_Bcast(&k, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return k;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values, int n) {
  qsort(values, (size_t)n, sizeof *values, by_value);
  return values[n / 2];
}

/* Several measurements, because one may meet other work. */
static double small_message(const memory* m, int n) {
  double values[7];
  round_trips(m, n, 20);
  const int k = agreed(7 * round_trips(m, n, 50) / 50, 20, 20000);
  for (int i = 0; i < 7; i++) values[i] = round_trips(m, n, k) / (2.0 * k);
  return median(values, 7);
}

static double one_message(const memory* m, int n, int i) {
  unsigned char *out = m->out + (size_t)i % m->places * m->stride,
                *in = m->in + (size_t)i % m->places * m->stride;
  double took = 0;
  if (rank == 0) {
    memset(out, i, (size_t)n);
    MPI_Send(NULL, 0, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double answered = MPI_Wtime();
    while (MPI_Wtime() < answered + 3e-6) { /* until the receive is posted, and known to be */
    }
    const double begin = MPI_Wtime();
    MPI_Send(out, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    took = MPI_Wtime() - begin;
  } else {
    MPI_Recv(NULL, 0, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
    MPI_Recv(in, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
    check(in, n, (unsigned char)i);
  }
  return took;
}

static double large_message(const memory* m, int n, double empty) {
  double values[samples_max], one = 0;
  for (int i = 0; i < 3; i++) one = one_message(m, n, i);
  const int k = agreed(2 * one, samples_min, samples_max);
  for (int i = 0; i < k; i++) values[i] = one_message(m, n, i);
  const double took = median(values, k) - empty;
  return took > empty ? took : empty;
}

int main(int argc, char** argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  peer = 1 - rank;
  if (size != 2 || argc < 3) fail("usage: mpiexec -n 2 message_times rewritten|cold BYTES...");
  const int cold = strcmp(argv[1], "cold") == 0;
  int largest = 1;
  for (int i = 2; i < argc; i++)
    if (atoi(argv[i]) > largest) largest = atoi(argv[i]);
  const size_t area = cold && walk > 2 * (size_t)largest ? walk : 2 * (size_t)largest + 8192;
  memory m = {malloc(area), malloc(area), 1, 0};
  if (m.out == NULL || m.in == NULL) fail("out of memory");
  memset(m.out, 1, area), memset(m.in, 1, area);
  open_counts();
  const double empty = small_message(&m, 0);
  for (int i = 2; i < argc; i++) {
    const int n = atoi(argv[i]);
    m.stride = ((size_t)n + 4095) / 4096 * 4096 + 4096;
    m.places = cold ? area / m.stride : 1;
    const double took = n <= small_bytes ? small_message(&m, n) : large_message(&m, n, empty);
    const char* protocol = protocol_of(m.out, n);
    if (rank == 0) printf("%d\t%s\t%.9g\n", n, protocol, 1e6 * took);
  }
  MPI_T_pvar_session_free(&session);
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
