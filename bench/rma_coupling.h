/* The three classes of coupling (Worringer, 5.2.4), with his benchmark `progress`: both ranks compute in phases, as many as there
 * are puts of 32 bytes to the other rank in a cycle, and unequally: in every other cycle one of them has three times as much to do
 * as the other one. A part of rma.c.
 *
 *   tight      compute, and then all puts between two fences: both sides are in MPI
 *   loose      a put after each phase, the fences around all of it: a put meets a target that computes
 *   uncoupled  a put after each phase, under a lock; nobody waits for anybody before the end of all cycles
 *   alone      the computation, without MPI
 *
 * For each number of iterations of a phase: the time of a cycle (total), of a put with its lock (call), and of the fences of a
 * cycle (sync), as the mean of both ranks. Tight and loose cycles take as long as the longer computation at least, uncoupled ones as
 * long as the mean.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#pragma once

enum { cycles = 10, phases_of_cycle = 10, put_bytes = 32, vector_length = 1024 };
typedef enum { alone, tight, loose, uncoupled, classes } coupling_class;

typedef struct {
  double total, call, sync;
} times;

static double xs[vector_length], ys[vector_length];

/* One copy of the loop for all classes: compilers give each inlined copy an alignment and a speed of its own. */
__attribute__((noinline)) static void daxpy(long iterations) {
  for (long done = 0; done < iterations; done += vector_length)
    for (long i = 0; i < vector_length && done + i < iterations; i++) ys[i] += 1e-9 * xs[i];
  __asm__ volatile("" ::: "memory");
}

/* What is in flight is not overwritten: a phase has a buffer of its own. */
static long outgoing[phases_of_cycle][put_bytes / sizeof(long)];

static void put_phase(const window* w, int cycle, int phase, int locks, times* spent) {
  for (size_t i = 0; i < put_bytes / sizeof(long); i++) outgoing[phase][i] = 1000 * cycle + 10 * phase + rank;
  const double begin = MPI_Wtime();
  if (locks) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, w->win);
  MPI_Put(outgoing[phase], put_bytes, MPI_BYTE, peer, (MPI_Aint)phase * put_bytes, put_bytes, MPI_BYTE,
          w->win);
  if (locks) MPI_Win_unlock(peer, w->win);
  spent->call += MPI_Wtime() - begin;
}

static void timed_fence(const window* w, times* spent) {
  const double begin = MPI_Wtime();
  MPI_Win_fence(0, w->win);
  spent->sync += MPI_Wtime() - begin;
}

static times all_cycles(const window* w, coupling_class how, long iterations) {
  times spent = {0, 0, 0};
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int cycle = 0; cycle < cycles; cycle++) {
    const long mine = (cycle + rank) % 2 ? iterations / 2 : iterations + iterations / 2;
    if (how == tight || how == alone)
      for (int phase = 0; phase < phases_of_cycle; phase++) daxpy(mine);
    if (how == alone) continue;
    if (how != uncoupled) timed_fence(w, &spent);
    for (int phase = 0; phase < phases_of_cycle; phase++) {
      if (how != tight) daxpy(mine);
      put_phase(w, cycle, phase, how == uncoupled, &spent);
    }
    if (how != uncoupled) timed_fence(w, &spent);
  }
  spent.total = MPI_Wtime() - begin;
  MPI_Barrier(MPI_COMM_WORLD);
  return spent;
}

static void check_cycles(const window* w) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, w->win);
  for (int phase = 0; phase < phases_of_cycle; phase++)
    for (size_t i = 0; i < put_bytes / sizeof(long); i++)
      if (((long*)(w->own + phase * put_bytes))[i] != 1000 * (cycles - 1) + 10 * phase + peer)
        fail("WRONG DATA");
  MPI_Win_unlock(rank, w->win);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void report_part(const char* class, const window* w, const char* part, long n, double* of_runs,
                        int runs, double divide) {
  char habit[64];
  qsort(of_runs, (size_t)runs, sizeof *of_runs, by_value);
  double both = 0;
  MPI_Reduce(&of_runs[runs / 2], &both, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  snprintf(habit, sizeof habit, "%s %s, %s", class, kind_names[w->how], part);
  report("coupling", habit, n, 1e6 * both / 2 / divide);
}

/* One class with so many iterations. */
static void couple(const window* w, coupling_class how, long iterations) {
  enum { runs = 9 };
  static const char* const names[] = {"alone", "tight", "loose", "uncoupled"};
  double total[runs], call[runs], sync[runs];
  all_cycles(w, how, iterations);
  for (int r = 0; r < runs; r++) {
    const times spent = all_cycles(w, how, iterations);
    total[r] = spent.total, call[r] = spent.call, sync[r] = spent.sync;
  }
  report_part(names[how], w, "total", iterations, total, runs, cycles);
  if (how == alone) return;
  report_part(names[how], w, "call", iterations, call, runs, cycles * phases_of_cycle);
  if (how != uncoupled) {
    report_part(names[how], w, "sync", iterations, sync, runs, cycles);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win);
  }
  check_cycles(w);
}

static void coupling(void) {
  static const long iterations[] = {10, 100, 1000, 10000, 30000, 300000};
  for (int i = 0; i < vector_length; i++) xs[i] = i;
  for (kind how = 0; how < kinds; how++)
    for (coupling_class each = 0; each < classes; each++)
      for (size_t n = 0; n < sizeof iterations / sizeof *iterations; n++) {
        window w = make_window(how, 4096);
        couple(&w, each, iterations[n]);
        free_window(&w);
      }
}
