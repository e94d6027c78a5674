/* Point-to-point figures, on the standard ABI only, so that one binary runs on every library that has it.
 *
 *   p2p pingpong     (2 ranks)  one-way time, 0 B to 16 MiB, by what happens to the buffer between messages:
 *                               same       never touched: the memory system may keep what it had
 *                               rewritten  the sender writes it before each message (that time is taken out)
 *                               cold       both sides walk through memory larger than the caches
 *                               allocated  rewritten, and both buffers are from MPI_Alloc_mem
 *   p2p work         (2 ranks)  one-way time of 8 bytes when each side works for a while between a message and
 *                               its answer (that time is taken out)
 *   p2p both         (2 ranks)  both directions at once (MPI_Sendrecv)
 *   p2p rate         (2 or more)  8-byte messages per second from all ranks but the last to the last, windows of
 *                               64 messages for each sender
 *   p2p matching     (2 ranks)  one-way time of 8 bytes with 1, 100, 10 000 other receives posted, or other
 *                               messages unexpected
 *   p2p idle         (2 ranks)  CPU time used by a rank that waits 2 s in MPI_Recv
 *   p2p exchange     (2 ranks)  MPI_Irecv, MPI_Isend, MPI_Waitall on both sides at once, with 1, 2 and 6 neighbours (messages of
 *                               different tags), 1 KiB to 4 MiB, same and rewritten; time of the whole exchange
 *   p2p forms        (2 ranks)  the same with one neighbour, in other forms: MPI_Isend, MPI_Recv, MPI_Wait, and so on
 *   p2p isend        (2 ranks)  one-way time when MPI_Isend and MPI_Wait send to a rank in MPI_Recv
 *   p2p row          (2 ranks)  time of a message of 8 bytes in a row: MPI_Send and MPI_Recv, nothing the other way
 *   p2p overlap      (2 ranks)  share of the time of a message that is hidden behind computation of the receiver, of
 *                               the sender, while the other side is in a blocking or a non-blocking call
 *   p2p turns        (2 ranks)  ranks compute 1 ms by turns, so that each waits half of the time; seconds
 *   p2p steps        (2 or more)  time of a step: all compute 200 us, then MPI_Allreduce of 8 bytes
 *   p2p pairs        (2, 4, ..) one-way time of 8 bytes when ranks 2i and 2i + 1 answer each other, all pairs at once
 *   p2p barrier      (any)      time of a barrier
 *   p2p memory       (any)      memory of a rank (PSS) after all pairs have exchanged short and large messages
 *   p2p first=N      (2 ranks)  mean time of the first 20, 200, 2000 exchanges of N bytes that the job makes: MPI_Irecv, MPI_Isend,
 *                               MPI_Waitall on both at once, each buffer written anew before (that time is taken out)
 *   p2p nothing      (any)      MPI_Init and MPI_Finalize
 * And what every program of figures knows (figures.h); near=NS and turns=PATH count where it measures in parts.
 *
 * Prints lines "figure <tab> habit <tab> size <tab> value"; times in microseconds, rates in million per
 * second. What arrived is checked outside the timed part; wrong data ends the program with an error.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include "figures.h"
#include "pss.h"

enum { peer_tag = 1, other_tags = 100, cold_bytes = 192 << 20 };
typedef enum { same, rewritten, cold, allocated, habits } habit;
static const char* const habit_names[] = {"same", "rewritten", "cold", "allocated"};
static int writes(habit how) {
  return how == rewritten || how == allocated;
}

typedef struct {
  unsigned char *send, *receive; /* cold: the whole area, otherwise one buffer */
  size_t n, stride, places;
  habit how;
  double rewriting; /* seconds this rank spent on writing the buffer */
  int trips;        /* how many there were in the last run */
  size_t place;     /* where in a cold area the next begins */
} exchange;

/* k round trips; every message of a habit that writes carries a value the receiver can predict. */
static double round_trips(exchange* x, int k) {
  const int count = (int)x->n;
  x->rewriting = 0;
  x->trips = k;
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    unsigned char* out = x->send + x->place * x->stride;
    unsigned char* in = x->receive + x->place * x->stride;
    x->place = (x->place + 1) % x->places;
    for (int turn = 0; turn < 2; turn++) {
      if (turn == rank) {
        if (writes(x->how)) {
          const double start = MPI_Wtime();
          write_all(out, x->n, (unsigned char)(i + rank));
          x->rewriting += MPI_Wtime() - start;
        }
        MPI_Send(out, count, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD);
      } else {
        MPI_Recv(in, count, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
  }
  return MPI_Wtime() - begin;
}

/* Until rank 0 has seen a quarter of point_seconds: what a library makes when a size is used for the first times is made
 * by then. Seconds of a round trip. */
static double warm_up(exchange* x) {
  for (int k = x->n < 65536 ? 20 : 2;; k *= 2) {
    const double took = round_trips(x, k);
    int enough = took > point_seconds / 4;
    MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (enough) return took / k;
  }
}

/* Without the time for writing, of both sides. */
static double timed_trips(void* x, int k) {
  const double elapsed = round_trips(x, k);
  double writing = ((exchange*)x)->rewriting, all = 0;
  MPI_Allreduce(&writing, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return elapsed - all;
}

static double one_way(size_t n, habit how, unsigned char* send, unsigned char* receive) {
  exchange x = {.send = send, .receive = receive, .n = n, .places = 1, .how = how};
  if (how == cold) {
    x.stride = (n + 4095) / 4096 * 4096 + 4096;
    x.places = cold_bytes / 2 / x.stride;
  }
  const double took = measured(timed_trips, &x, repetitions(warm_up(&x)), "pingpong", (long)n);
  if (writes(how)) {
    check_all(receive, n, (unsigned char)(x.trips - 1 + peer));
  } else {
    /* Once more, with contents that can be told from what was there. */
    exchange y = {.send = send, .receive = receive, .n = n, .places = 1, .how = same};
    write_all(send, n, (unsigned char)(0x40 + rank));
    write_all(receive, n, 0);
    round_trips(&y, 1);
    check_all(receive, n, (unsigned char)(0x40 + peer));
  }
  return 1e6 * took / 2;
}

static void pingpong(void) {
  enum { largest = 16 << 20 };
  static const long sizes[] = {0, 8, 64, 1 << 10, 8 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, largest};
  static const long least[habits] = {0, 8, 1 << 10, 8 << 10};
  unsigned char* send = memory_of(cold_bytes / 2);
  unsigned char* receive = memory_of(cold_bytes / 2);
  unsigned char *send_allocated, *receive_allocated;
  MPI_Alloc_mem(largest, MPI_INFO_NULL, &send_allocated);
  MPI_Alloc_mem(largest, MPI_INFO_NULL, &receive_allocated);
  memset(send_allocated, 1, largest), memset(receive_allocated, 1, largest);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (habit how = same; how < habits; how++) {
      if (sizes[s] < least[how]) continue;
      const double took = how == allocated ? one_way((size_t)sizes[s], how, send_allocated, receive_allocated)
                                           : one_way((size_t)sizes[s], how, send, receive);
      report("pingpong", habit_names[how], sizes[s], took);
    }
  MPI_Free_mem(send_allocated), MPI_Free_mem(receive_allocated);
  free(send), free(receive);
}

static long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* k round trips of 8 bytes; whoever has got a message works for `ns` before it answers. Seconds without the
 * work, as both ranks have measured it. */
typedef struct {
  long word, ns;
} labour;
static double working_trips(void* of, int k) {
  long* word = &((labour*)of)->word;
  const long ns = ((labour*)of)->ns;
  double begin = MPI_Wtime(), worked = 0, all = 0;
  for (int i = 0; i < k; i++)
    for (int turn = 0; turn < 2; turn++) {
      if (turn == rank) {
        MPI_Send(word, 1, MPI_LONG, peer, peer_tag, MPI_COMM_WORLD);
      } else {
        MPI_Recv(word, 1, MPI_LONG, peer, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const long from = now_ns();
        long at = from;
        while (at - from < ns) at = now_ns();
        worked += 1e-9 * (double)(at - from);
        ++*word;
      }
    }
  const double elapsed = MPI_Wtime() - begin;
  MPI_Allreduce(&worked, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return elapsed - all;
}

static void work(void) {
  static const struct {
    const char* name;
    long ns;
  } amounts[] = {{"0.1 us", 100}, {"0.3 us", 300}, {"1 us", 1000}, {"3 us", 3000}};
  for (size_t a = 0; a < sizeof amounts / sizeof *amounts; a++) {
    labour l = {0, amounts[a].ns};
    working_trips(&l, 20);
    const int k = (int)(point_seconds / (1e-9 * (double)(2 * amounts[a].ns + 1000)));
    const double took = measured(working_trips, &l, k, "work", amounts[a].ns);
    l.word = 0;
    working_trips(&l, 20);
    /* Rank 0 has counted the last message, rank 1 has sent it. */
    if (l.word != 2L * 20 - rank) fail("WRONG DATA");
    report("work", amounts[a].name, 8, 1e6 * took / 2);
  }
}

/* Without any before them but those of a barrier. */
static void first(long n) {
  static const int until[] = {20, 200, 2000};
  unsigned char* send = memory_of((size_t)n);
  unsigned char* receive = memory_of((size_t)n);
  double means[3], waiting = 0;
  int made = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int u = 0; u < 3; u++) {
    for (; made < until[u]; made++) {
      MPI_Request requests[2];
      write_all(send, (size_t)n, (unsigned char)(3 * made + rank));
      const double begin = MPI_Wtime();
      MPI_Irecv(receive, (int)n, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(send, (int)n, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      waiting += MPI_Wtime() - begin;
      const unsigned char wanted = (unsigned char)(3 * made + peer);
      if (receive[0] != wanted || receive[n / 2] != wanted || receive[n - 1] != wanted) fail("WRONG DATA");
    }
    means[u] = waiting / made;
  }
  check_all(receive, (size_t)n, (unsigned char)(3 * (made - 1) + peer));
  for (int u = 0; u < 3; u++) {
    char habit[32];
    snprintf(habit, sizeof habit, "first %d", until[u]);
    report("first", habit, n, 1e6 * means[u]);
  }
  free(send), free(receive);
}

#include "nonblocking.h"

static double exchanges(void* of, int k) {
  const exchange* x = of;
  const int n = (int)x->n;
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++)
    MPI_Sendrecv(x->send, n, MPI_BYTE, peer, peer_tag, x->receive, n, MPI_BYTE, peer, peer_tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Wtime() - begin;
}

static void both(void) {
  unsigned char* send = memory_of(16 << 20);
  unsigned char* receive = memory_of(16 << 20);
  for (int n = 256 << 10; n <= 16 << 20; n *= 4) {
    write_all(send, (size_t)n, (unsigned char)(0x60 + rank));
    write_all(receive, (size_t)n, 0);
    exchange x = {.send = send, .receive = receive, .n = (size_t)n, .places = 1, .how = same};
    exchanges(&x, 1);
    check_all(receive, (size_t)n, (unsigned char)(0x60 + peer));
    const int k = repetitions(exchanges(&x, 2) / 2);
    report("both", "same", n, 1e6 * measured(exchanges, &x, k, "both", n));
  }
  free(send), free(receive);
}

enum { window = 64, most_senders = 31 };

/* k windows from every rank but the last to the last one. Seconds, as the last has measured it. */
static double windows(void* of, int k) {
  long* values = of;
  static MPI_Request requests[most_senders * window];
  const int receiver = size - 1;
  char go = 0;
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    if (rank == receiver) {
      for (int w = 0; w < window; w++)
        for (int s = 0; s < receiver; s++)
          MPI_Irecv(&values[s * window + w], 1, MPI_LONG, s, peer_tag, MPI_COMM_WORLD,
                    &requests[s * window + w]);
      MPI_Waitall(receiver * window, requests, MPI_STATUSES_IGNORE);
      /* The receiver is heard once a window: nobody runs away. */
      for (int s = 0; s < receiver; s++) MPI_Send(&go, 1, MPI_BYTE, s, peer_tag, MPI_COMM_WORLD);
    } else {
      for (int w = 0; w < window; w++)
        MPI_Isend(&values[w], 1, MPI_LONG, receiver, peer_tag, MPI_COMM_WORLD, &requests[w]);
      MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
      MPI_Recv(&go, 1, MPI_BYTE, receiver, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  double elapsed = MPI_Wtime() - begin;
  MPI_Bcast(&elapsed, 1, MPI_DOUBLE, receiver, MPI_COMM_WORLD);
  return elapsed;
}

static void rate(void) {
  static long values[most_senders * window];
  const int senders = size - 1;
  if (senders < 1 || senders > most_senders) fail("2 to 32 ranks");
  if (rank < senders)
    for (int w = 0; w < window; w++) values[w] = w * 3 + rank + 1;
  windows(values, 100);
  const double one = windows(values, 20) / 20;
  const double took = measured(windows, values, repetitions(one / 2), "rate", 8);
  if (rank == senders)
    for (int i = 0; i < senders * window; i++)
      if (values[i] != i % window * 3 + i / window + 1) fail("WRONG DATA");
  char habit[32];
  snprintf(habit, sizeof habit, senders == 1 ? "%d sender" : "%d senders", senders);
  report("rate", habit, 8, (double)window * senders / took / 1e6);
}

/* The other receives (or messages) stand before the ones that are timed, and are satisfied at the end. */
static void matching(void) {
  static const int others[] = {1, 100, 10000};
  unsigned char eight[8] = {0}, *there = memory_of(8 * 10000);
  MPI_Request* requests = memory_of(sizeof(MPI_Request) * 10000);
  for (int kind = 0; kind < 2; kind++)
    for (int o = 0; o < 3; o++) {
      const int n = others[o];
      exchange x = {.send = eight, .receive = eight, .n = 8, .places = 1, .how = same};
      MPI_Barrier(MPI_COMM_WORLD);
      for (int i = 0; i < n; i++) {
        if (kind == 0)
          MPI_Irecv(there + 8 * i, 8, MPI_BYTE, peer, other_tags + i, MPI_COMM_WORLD, &requests[i]);
        else
          MPI_Isend(eight, 8, MPI_BYTE, peer, other_tags + i, MPI_COMM_WORLD, &requests[i]);
      }
      MPI_Barrier(MPI_COMM_WORLD);
      round_trips(&x, 20);
      const int k = repetitions(round_trips(&x, 20) / 20);
      const double took = measured(timed_trips, &x, k, "matching", n);
      report("matching", kind == 0 ? "posted" : "unexpected", n, 1e6 * took / 2);
      for (int i = 0; i < n; i++) {
        if (kind == 0)
          MPI_Send(eight, 8, MPI_BYTE, peer, other_tags + i, MPI_COMM_WORLD);
        else
          MPI_Recv(there, 8, MPI_BYTE, peer, other_tags + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    }
  free(there), free(requests);
}

static void idle(void) {
  double used = 0, waited = 0, word = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    struct timespec two = {2, 0};
    nanosleep(&two, NULL);
    word = 42;
    MPI_Send(&word, 1, MPI_DOUBLE, 1, peer_tag, MPI_COMM_WORLD);
    MPI_Recv(&used, 1, MPI_DOUBLE, 1, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&waited, 1, MPI_DOUBLE, 1, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    const double before = cpu_seconds(), begin = MPI_Wtime();
    MPI_Recv(&word, 1, MPI_DOUBLE, 0, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    used = cpu_seconds() - before;
    waited = MPI_Wtime() - begin;
    if (word != 42) fail("WRONG DATA");
    MPI_Send(&used, 1, MPI_DOUBLE, 0, peer_tag, MPI_COMM_WORLD);
    MPI_Send(&waited, 1, MPI_DOUBLE, 0, peer_tag, MPI_COMM_WORLD);
  }
  if (rank == 0 && waited < 1.9) fail("the receiver did not wait");
  report("idle", "same", 2, used);
}

/* What a program with half of its ranks waiting at any time leaves to others. */
static void turns(void) {
  enum { steps = 400 };
  const long millisecond = turns_of(1e-3);
  long count = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < steps; i++)
    for (int turn = 0; turn < 2; turn++) {
      if (turn == rank) {
        compute(millisecond);
        count++;
        MPI_Send(&count, 1, MPI_LONG, peer, peer_tag, MPI_COMM_WORLD);
      } else {
        MPI_Recv(&count, 1, MPI_LONG, peer, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
  const double took = MPI_Wtime() - begin;
  if (count != 2 * steps) fail("WRONG DATA");
  report("turns", "same", 2, took);
}

static void steps(void) {
  enum { measured = 2000 };
  const long work = turns_of(200e-6);
  long sum = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (long i = 0; i < measured; i++) {
    const long mine = i + rank;
    compute(work);
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size * i + (long)size * (size - 1) / 2) fail("WRONG DATA");
  }
  report("steps", "same", size, 1e6 * (MPI_Wtime() - begin) / measured);
}

/* The time until the last pair is through: a pair that is kept waiting by others counts. */
static void pairs(void) {
  enum { measured = 20000 };
  long word = 0, got = 0;
  peer = rank ^ 1;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (long i = 0; i < measured; i++)
    for (int turn = 0; turn < 2; turn++) {
      word = 2 * i + turn;
      if (turn == rank % 2) {
        MPI_Send(&word, 1, MPI_LONG, peer, peer_tag, MPI_COMM_WORLD);
      } else {
        MPI_Recv(&got, 1, MPI_LONG, peer, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (got != word) fail("WRONG DATA");
      }
    }
  MPI_Barrier(MPI_COMM_WORLD);
  report("pairs", "same", size, 1e6 * (MPI_Wtime() - begin) / (2.0 * measured));
}

static double pss_mib(void) {
  const double kib = pss_kib();
  if (kib == 0) fail("no /proc/self/smaps_rollup");
  return kib / 1024;
}

static void memory(void) {
  enum { large = 256 << 10 };
  unsigned char* out = memory_of(large);
  unsigned char* in = memory_of(large);
  for (int distance = 1; distance < size; distance++) {
    const int to = (rank + distance) % size, from = (rank + size - distance) % size;
    for (int n = 8; n <= large; n *= 32) {
      write_all(out, (size_t)n, (unsigned char)(rank + distance));
      MPI_Sendrecv(out, n, MPI_BYTE, to, peer_tag, in, n, MPI_BYTE, from, peer_tag, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      check_all(in, (size_t)n, (unsigned char)(from + distance));
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double here = pss_mib(), all = 0;
  MPI_Reduce(&here, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD); /* nobody has left while others looked */
  report("memory", "rank", size, all / size);
  free(out), free(in);
}

static void nothing(void) {}

static void barrier(void) {
  /* A barrier that lets somebody out before all are in is worthless: check it with a value that must be
   * there. */
  int arrived = rank + 1, sum = 0;
  MPI_Allreduce(&arrived, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sum != size * (size + 1) / 2) fail("WRONG DATA");
  for (int i = 0; i < 10; i++) MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (int i = 0; i < 10; i++) MPI_Barrier(MPI_COMM_WORLD);
  int k = (int)(0.3 / ((MPI_Wtime() - begin) / 10 + 1e-9));
  k = k < 10 ? 10 : k > 100000 ? 100000 : k;
  MPI_Bcast(&k, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  begin = MPI_Wtime();
  for (int i = 0; i < k; i++) MPI_Barrier(MPI_COMM_WORLD);
  report("barrier", "same", size, 1e6 * (MPI_Wtime() - begin) / k);
}

static int first_of(const char* word) {
  if (strncmp(word, "first=", 6) != 0 || size != 2) return 0;
  const long n = atol(word + 6);
  if (n < 1 || n > 1 << 30) fail("first=N: 1 to 1 Gi bytes");
  first(n);
  return 1;
}

static void pairs_of_ranks(void) {
  if (size % 2) fail("this figure takes pairs of ranks");
  pairs();
}

int main(int argc, char** argv) {
  static const figure figures[] = {{"pingpong", pingpong, 2},
                                   {"work", work, 2},
                                   {"both", both, 2},
                                   {"exchange", neighbours, 2},
                                   {"forms", forms, 2},
                                   {"isend", isend, 2},
                                   {"row", row, 2},
                                   {"rate", rate, 0},
                                   {"matching", matching, 2},
                                   {"idle", idle, 2},
                                   {"overlap", overlap, 2},
                                   {"turns", turns, 2},
                                   {"barrier", barrier, 0},
                                   {"steps", steps, 0},
                                   {"pairs", pairs_of_ranks, 0},
                                   {"memory", memory, 0},
                                   {"nothing", nothing, 0}};
  return run_figures(argc, argv, "p2p", figures, sizeof figures / sizeof *figures, first_of);
}
