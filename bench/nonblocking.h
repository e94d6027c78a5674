/* The figures of p2p.c in the form most programs use: MPI_Irecv, MPI_Isend, MPI_Waitall. A part of p2p.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#pragma once

enum { most_neighbours = 6, largest_exchanged = 4 << 20 };

/* What else programs write for it, with one neighbour. */
enum { waitall, send_then_recv, recv_then_send, one_by_one, sendrecv, exchange_forms };
static const char* const form_names[] = {"MPI_Irecv, MPI_Isend, MPI_Waitall", "MPI_Isend, MPI_Recv, MPI_Wait",
                                         "MPI_Irecv, MPI_Send, MPI_Wait",
                                         "MPI_Irecv, MPI_Isend, MPI_Wait for each", "MPI_Sendrecv"};

typedef struct {
  unsigned char *send, *receive; /* largest_exchanged bytes for each neighbour */
  int count, n;
  int form;
  habit how;
  int step; /* of all so far: what is written follows from it */
} halo;

static unsigned char halo_value(int step, int neighbour, int of) {
  return (unsigned char)(5 * step + 3 * neighbour + of);
}

static void exchange_all(const halo* x) {
  MPI_Request requests[2 * most_neighbours];
  for (int j = 0; j < x->count; j++)
    MPI_Irecv(x->receive + (size_t)j * largest_exchanged, x->n, MPI_BYTE, peer, peer_tag + j, MPI_COMM_WORLD,
              &requests[j]);
  for (int j = 0; j < x->count; j++)
    MPI_Isend(x->send + (size_t)j * largest_exchanged, x->n, MPI_BYTE, peer, peer_tag + j, MPI_COMM_WORLD,
              &requests[x->count + j]);
  MPI_Waitall(2 * x->count, requests, MPI_STATUSES_IGNORE);
}

static void exchange_one(const halo* x) {
  MPI_Request receive, send;
  switch (x->form) {
    case send_then_recv:
      MPI_Isend(x->send, x->n, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD, &send);
      MPI_Recv(x->receive, x->n, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&send, MPI_STATUS_IGNORE);
      break;
    case recv_then_send:
      MPI_Irecv(x->receive, x->n, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD, &receive);
      MPI_Send(x->send, x->n, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
      break;
    case one_by_one:
      MPI_Irecv(x->receive, x->n, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD, &receive);
      MPI_Isend(x->send, x->n, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD, &send);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
      MPI_Wait(&send, MPI_STATUS_IGNORE);
      break;
    case sendrecv:
      MPI_Sendrecv(x->send, x->n, MPI_BYTE, peer, peer_tag, x->receive, x->n, MPI_BYTE, peer, peer_tag,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      break;
    default:
      exchange_all(x);
  }
}

/* k exchanges with all neighbours at once; seconds in them, without the writing before each. */
static double halo_steps(void* of, int k) {
  halo* x = of;
  double inside = 0;
  for (int i = 0; i < k; i++) {
    x->step++;
    if (x->how == rewritten)
      for (int j = 0; j < x->count; j++)
        write_all(x->send + (size_t)j * largest_exchanged, (size_t)x->n, halo_value(x->step, j, rank));
    const double begin = MPI_Wtime();
    exchange_one(x);
    inside += MPI_Wtime() - begin;
    if (x->how == rewritten)
      for (int j = 0; j < x->count; j++) {
        const unsigned char* got = x->receive + (size_t)j * largest_exchanged;
        const unsigned char wanted = halo_value(x->step, j, peer);
        if (got[0] != wanted || got[x->n / 2] != wanted || got[x->n - 1] != wanted) fail("WRONG DATA");
      }
  }
  return inside;
}

static void exchange_point(halo* x, const char* figure, const char* kind) {
  double one = 0;
  for (int k = 2, enough = 0; !enough; k *= 2) { /* as warm_up() */
    const double took = halo_steps(x, k);
    enough = took > point_seconds / 4;
    MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    one = took / k;
  }
  const double took = measured(halo_steps, x, repetitions(one), figure, x->n);
  const habit how = x->how;
  x->how = rewritten; /* once more, with contents that can be told from what was there */
  halo_steps(x, 1);
  x->how = how;
  for (int j = 0; j < x->count; j++)
    check_all(x->receive + (size_t)j * largest_exchanged, (size_t)x->n, halo_value(x->step, j, peer));
  report(figure, kind, x->n, 1e6 * took);
}

static halo halo_of(int most) {
  return (halo){.send = memory_of((size_t)most * largest_exchanged),
                .receive = memory_of((size_t)most * largest_exchanged),
                .count = most};
}

static void neighbours(void) {
  static const int counts[] = {1, 2, most_neighbours};
  static const int sizes[] = {1 << 10, 8 << 10, 64 << 10, 256 << 10, 1 << 20, largest_exchanged};
  halo x = halo_of(most_neighbours);
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      for (x.how = same; x.how <= rewritten; x.how++) {
        x.count = counts[c], x.n = sizes[s];
        char name[40];
        snprintf(name, sizeof name, "%d, %s", x.count, habit_names[x.how]);
        exchange_point(&x, "exchange", name);
      }
  free(x.send), free(x.receive);
}

static void forms(void) {
  static const int sizes[] = {64 << 10, 256 << 10, 1 << 20, largest_exchanged};
  halo x = halo_of(1);
  x.how = rewritten;
  for (x.form = 0; x.form < exchange_forms; x.form++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      x.n = sizes[s];
      exchange_point(&x, "forms", form_names[x.form]);
    }
  free(x.send), free(x.receive);
}

/* k round trips, as round_trips() with rewritten buffers. */
static double isend_trips(void* of, int k) {
  halo* x = of;
  double writing = 0, all = 0;
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    x->step++;
    for (int turn = 0; turn < 2; turn++)
      if (turn == rank) {
        const double start = MPI_Wtime();
        write_all(x->send, (size_t)x->n, halo_value(x->step, 0, rank));
        writing += MPI_Wtime() - start;
        MPI_Request request;
        MPI_Isend(x->send, x->n, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(x->receive, x->n, MPI_BYTE, peer, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
  }
  const double elapsed = MPI_Wtime() - begin;
  MPI_Allreduce(&writing, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return elapsed - all;
}

static void isend(void) {
  static const int sizes[] = {8, 8 << 10, 64 << 10, 256 << 10, 1 << 20};
  halo x = {.send = memory_of(1 << 20), .receive = memory_of(1 << 20), .how = rewritten};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    x.n = sizes[s];
    double one = 0;
    for (int k = 2, enough = 0; !enough; k *= 2) {
      const double took = isend_trips(&x, k);
      enough = took > point_seconds / 4;
      MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
      one = took / k;
    }
    const double took = measured(isend_trips, &x, repetitions(one), "isend", x.n);
    check_all(x.receive, (size_t)x.n, halo_value(x.step, 0, peer));
    report("isend", habit_names[rewritten], x.n, 1e6 * took / 2);
  }
  free(x.send), free(x.receive);
}

/* k messages from rank 0, then one word back. */
static double row_of(void* of, int k) {
  long word = *(long*)of;
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    word++;
    long got = word;
    if (rank == 0)
      MPI_Send(&word, 1, MPI_LONG, peer, peer_tag, MPI_COMM_WORLD);
    else
      MPI_Recv(&got, 1, MPI_LONG, peer, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (got != word) fail("WRONG DATA");
  }
  if (rank == 1)
    MPI_Send(&word, 1, MPI_LONG, peer, peer_tag, MPI_COMM_WORLD);
  else
    MPI_Recv(&word, 1, MPI_LONG, peer, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  *(long*)of = word;
  return MPI_Wtime() - begin;
}

static void row(void) {
  long word = 0;
  row_of(&word, 20000);
  report("row", "MPI_Send", 8, 1e6 * measured(row_of, &word, 8 * 100000, "row", 8));
}

/* A sender comes so many seconds after the barrier, when a receiver that computes has left it:
 * there it would meet the message. */
static const double sender_comes = 100e-6;

/* Who computes during the message, and what the other side, which has nothing else to do, is in meanwhile. */
typedef struct {
  unsigned char* buffer;
  int n, busy, source, blocking;
} covered_message;

/* One message from rank 0 to a receive of rank 1, while `busy` computes; seconds that `busy` takes.
 * A receive that does not block has been posted before, from `source`. */
static double covered(const covered_message* m, long turns) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int blocking = m->blocking && rank != m->busy;
  if (rank == 1 && !blocking)
    MPI_Irecv(m->buffer, m->n, MPI_BYTE, m->source, peer_tag, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (rank == 0 && m->busy == 1)
    while (MPI_Wtime() - begin < sender_comes) continue;
  if (rank == 0 && blocking)
    MPI_Send(m->buffer, m->n, MPI_BYTE, 1, peer_tag, MPI_COMM_WORLD);
  else if (rank == 0)
    MPI_Isend(m->buffer, m->n, MPI_BYTE, 1, peer_tag, MPI_COMM_WORLD, &request);
  else if (blocking)
    MPI_Recv(m->buffer, m->n, MPI_BYTE, m->source, peer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == m->busy) compute(turns);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  double took = MPI_Wtime() - begin;
  MPI_Bcast(&took, 1, MPI_DOUBLE, m->busy, MPI_COMM_WORLD);
  return took;
}

/* Medians of alternating measurements: the message, the computation of rank `busy`, both together. */
typedef struct {
  double message, alone, together;
} overlap_times;

static overlap_times overlap_of(const covered_message* m, long turns) {
  enum { most = 45 };
  const int measured = m->n < 1 << 20 ? most : 15;
  double message[most], alone[most], together[most];
  for (int i = 0; i < measured; i++) {
    if (rank == 0) write_all(m->buffer, (size_t)m->n, (unsigned char)(i + 3));
    message[i] = covered(m, 0);
    const double begin = MPI_Wtime();
    if (rank == m->busy) compute(turns);
    alone[i] = MPI_Wtime() - begin;
    MPI_Bcast(&alone[i], 1, MPI_DOUBLE, m->busy, MPI_COMM_WORLD);
    if (rank == 0) write_all(m->buffer, (size_t)m->n, (unsigned char)(i + 7));
    together[i] = covered(m, turns);
    if (rank == 1) check_all(m->buffer, (size_t)m->n, (unsigned char)(i + 7));
  }
  qsort(message, (size_t)measured, sizeof(double), by_value);
  qsort(alone, (size_t)measured, sizeof(double), by_value);
  qsort(together, (size_t)measured, sizeof(double), by_value);
  const int middle = measured / 2;
  return (overlap_times){message[middle] - (m->busy == 1 ? sender_comes : 0), alone[middle],
                         together[middle]};
}

/* hidden = 1 - (together - computation) / message: 0 is nothing, 1 all of it. The computation takes
 * six times as long as the message does when both ranks have time for it: whoever is left alone
 * with it needs two to four times as long if both had copied. How long the message takes is found out
 * with computations in between, in which buffers cool. */
static void overlap_one(covered_message m) {
  double computation = 1e-3;
  for (int pass = 0; pass < 2; pass++) {
    long turns = turns_of(computation);
    MPI_Bcast(&turns, 1, MPI_LONG, m.busy, MPI_COMM_WORLD);
    const overlap_times took = overlap_of(&m, turns);
    computation = 6 * took.message + (m.busy == 1 ? sender_comes : 0);
    if (pass == 0) continue;
    char name[60];
    snprintf(name, sizeof name, "%s, %s%s", m.busy == 1 ? "receiver" : "sender",
             !m.blocking   ? m.busy == 1 ? "Isend" : "Irecv"
             : m.busy == 1 ? "Send"
                           : "Recv",
             m.source == MPI_ANY_SOURCE ? ", any source" : "");
    report("overlap", name, m.n, 100 * (1 - (took.together - took.alone) / took.message));
  }
}

static void overlap(void) {
  unsigned char* buffer = memory_of(4 << 20);
  for (int n = 256 << 10; n <= 4 << 20; n *= 4)
    for (int busy = 1; busy >= 0; busy--)
      for (int blocking = 0; blocking < 2; blocking++)
        overlap_one((covered_message){buffer, n, busy, 0, blocking});
  for (int busy = 1; busy >= 0; busy--)
    overlap_one((covered_message){buffer, 4 << 20, busy, MPI_ANY_SOURCE, 0});
  free(buffer);
}
