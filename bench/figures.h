/* What the programs of figures (p2p.c, rma.c) share: how a figure is reported, which parts of a measurement count, work that
 * takes a given time, and the words of the command line that every one of them knows:
 *
 *   library    MPI_Get_library_version, and the size of MPI_COMM_WORLD
 *   ranks=N    ends the program with an error unless MPI_COMM_WORLD has N ranks
 *   near=NS    (2 ranks) for what follows: a part of a measurement counts only if two ranks hand a cache line over in NS
 *              nanoseconds before and after it. The host of a virtual machine moves its cores, and for seconds at a time that
 *              takes five times as long, whatever the library.
 *   turns=PATH for what follows: parts of measurements are done by turns with other jobs, which compare.py gives. PATH-go
 *              and PATH-done are FIFOs; a turn is a byte for each rank, and a byte of rank 0 at its end.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#pragma once
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "hand_over.h"

static const double point_seconds = 0.06; /* how long one figure is measured */

static int rank, size, peer;
static const char* program; /* its name */

static void fail(const char* what) {
  fprintf(stderr, "%s: rank %d: %s\n", program, rank, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
  exit(3);
}

static void report(const char* figure, const char* habit, long n, double value) {
  if (rank == 0) printf("%s\t%s\t%ld\t%.9g\n", figure, habit, n, value);
}

/* As programs have it: from malloc, which gives long blocks 16 bytes behind the begin of a page. */
static void* memory_of(size_t bytes) {
  void* memory = malloc(bytes ? bytes : 1);
  if (!memory) fail("out of memory");
  memset(memory, 1, bytes);
  return memory;
}

static void write_all(unsigned char* buffer, size_t n, unsigned char value) {
  memset(buffer, value, n);
}

static void check_all(const unsigned char* buffer, size_t n, unsigned char value) {
  for (size_t i = 0; i < n; i++)
    if (buffer[i] != value) fail("WRONG DATA");
}

/* --- turns: other jobs run while this one waits for its next --- */

static int turn_begins = -1, turn_is_over = -1;

/* Ends this turn, if it is one, and waits for the next in the kernel, in no call of MPI: that would take time of others. */
static void next_turn(void) {
  if (turn_begins < 0) return;
  char byte = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0 && write(turn_is_over, &byte, 1) != 1) fail("the end of a turn cannot be written");
  if (read(turn_begins, &byte, 1) != 1) fail("nobody gives turns any more");
  MPI_Barrier(MPI_COMM_WORLD);
}

static int open_end(const char* path, const char* end, int how) {
  char whole[4096];
  snprintf(whole, sizeof whole, "%s-%s", path, end);
  const int opened = open(whole, how | O_CLOEXEC);
  if (opened < 0) fail("the FIFOs of turns cannot be opened");
  return opened;
}

/* --- what counts: parts of a measurement between two looks at the hand-over of a line --- */

static double near_seconds; /* 0: everything counts */
static atomic_uint* line;   /* that ranks 0 and 1 both map, apart from any MPI */
static unsigned turn;

static void share_line(void) {
  long file[2] = {getpid(), -1};
  if (rank == 0 && ((file[1] = memfd_create("p2p", 0)) < 0 || ftruncate((int)file[1], 4096)))
    fail("memfd_create");
  MPI_Bcast(file, 2, MPI_LONG, 0, MPI_COMM_WORLD);
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/fd/%ld", file[0], file[1]);
  const int mine = open(path, O_RDWR);
  if (mine < 0) fail("the file of the other rank cannot be opened");
  line = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, mine, 0);
  if (line == MAP_FAILED) fail("mmap");
  close(mine);
  MPI_Barrier(MPI_COMM_WORLD); /* rank 0 keeps its number until then */
  if (rank == 0) close((int)file[1]);
}

/* Seconds a line takes from one to the other; both learn it. sync: turn */
static double hand_over(void) {
  enum { rounds = 400 };
  double begin = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 2 * rounds; i++, turn++) {
    if (i == rounds) begin = MPI_Wtime(); /* the first half warms up */
    if ((i + rank) % 2 == 0) {
      atomic_store_explicit(line, turn + 1, memory_order_release);
    } else {
      wait_for(line, turn + 1);
    }
  }
  double took = (MPI_Wtime() - begin) / rounds;
  MPI_Bcast(&took, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return took;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* The median of `parts` parts of k repetitions, per repetition; the same on both ranks in what is run, as measured on each. Where no
 * part counts, all do, and a line "far" says so. */
static double measured(double (*run)(void*, int), void* with, int k, const char* figure, long n) {
  enum { parts = 8, most = 24 };
  double counted[most], all[most];
  int good = 0, tried = 0;
  k = k / parts > 0 ? k / parts : 1;
  for (; tried < (near_seconds > 0 ? most : parts) && good < parts; tried++) {
    next_turn();
    const int before = near_seconds == 0 || hand_over() <= near_seconds;
    all[tried] = run(with, k) / k;
    if (near_seconds == 0 || (hand_over() <= near_seconds && before)) counted[good++] = all[tried];
  }
  if (good == 0) report("far", figure, n, 1);
  double* of = good ? counted : all;
  const int count = good ? good : tried;
  qsort(of, (size_t)count, sizeof *of, by_value);
  return count % 2 ? of[count / 2] : (of[count / 2 - 1] + of[count / 2]) / 2;
}
/* How many repetitions take about point_seconds; the same on both ranks. */
static int repetitions(double one) {
  int k = (int)(point_seconds / (one > 1e-9 ? one : 1e-9));
  k = k < 4 ? 4 : k > 200000 ? 200000 : k;
  MPI_Bcast(&k, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return k;
}

static volatile double sink = 1;

/* Work in registers: it does not compete for memory with a copy that somebody else makes. Starts and ends in memory, so
 * that the compiler leaves it where it is. */
static void compute(long turns) {
  double x = sink;
  for (long i = 0; i < turns; i++) x = x * 0.999999 + 1e-6;
  sink = x;
}

/* How many turns take so many seconds on this rank, undisturbed. */
static long turns_of(double seconds) {
  const long turns = 1000000;
  double least = 1;
  for (int i = 0; i < 10; i++) {
    const double begin = MPI_Wtime();
    compute(turns);
    const double took = MPI_Wtime() - begin;
    if (took < least) least = took;
  }
  return (long)((double)turns * seconds / least);
}
static double cpu_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* --- the command line --- */

typedef struct {
  const char* name;
  void (*run)(void);
  int ranks; /* 0: any number */
} figure;

static int common_word(const char* word) {
  if (strcmp(word, "library") == 0) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\r\n")] = '\0';
    if (rank == 0) printf("library\t%d ranks\t0\t%s\n", size, version);
    return 1;
  }
  if (strncmp(word, "ranks=", 6) == 0) {
    if (atoi(word + 6) != size) fail("MPI_COMM_WORLD has another size than it is to have");
    return 1;
  }
  if (strncmp(word, "near=", 5) == 0 && size == 2) {
    near_seconds = 1e-9 * atof(word + 5);
    if (near_seconds > 0 && line == NULL) share_line();
    return 1;
  }
  if (strncmp(word, "turns=", 6) == 0) {
    turn_begins = open_end(word + 6, "go", O_RDONLY);
    turn_is_over = open_end(word + 6, "done", O_WRONLY);
    next_turn();
    return 1;
  }
  return 0;
}

/* compare.py --threads: with the level that mpi4py asks for. */
static void begin_mpi(int* argc, char*** argv) {
  int wanted = getenv("BENCH_THREADS") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, provided;
  MPI_Init_thread(argc, argv, wanted, &provided);
  if (provided < wanted) fail("no MPI_THREAD_MULTIPLE");
}

/* more: words that only this program knows; returns whether it is one. */
static int run_figures(int argc, char** argv, const char* name, const figure* figures, size_t count,
                       int (*more)(const char*)) {
  program = name;
  begin_mpi(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  peer = 1 - rank;
  for (int i = 1; i < argc; i++) {
    int found = common_word(argv[i]) || (more && more(argv[i]));
    for (size_t f = 0; f < count && !found; f++)
      if (strcmp(argv[i], figures[f].name) == 0) {
        if (figures[f].ranks && figures[f].ranks != size) fail("this figure takes another number of ranks");
        figures[f].run();
        found = 1;
      }
    if (!found && rank == 0) {
      fprintf(stderr, "usage: %s library|ranks=N|near=NS|turns=PATH", name);
      for (size_t f = 0; f < count; f++) fprintf(stderr, "|%s", figures[f].name);
      fprintf(stderr, " ...\n");
    }
    if (!found) fail("unknown figure");
  }
  MPI_Finalize();
  return 0;
}
