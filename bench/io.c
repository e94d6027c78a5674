/* Figures of files.
 *
 *   io snapshot   (any)    each rank computes for a while, then writes some MiB of its own to one file, by MPI_File_write_at_all: "visible" is the time in that call, the mean over the snapshots but the
 *                          first; "closing" that of the last MPI_File_close; "run" that of all, beside "bare": the same without
 *                          output. Beside the copy of the same bytes from memory to memory ("copy"), and pwrite by each rank
 *                          ("pwrite"). What was written is read again by pread and checked
 *   folder=PATH mib=N ms=N snapshots=N      where the file is, for what follows (it is removed); how much a rank writes; how long
 *                          it computes before that; how often
 *   and what every program of figures knows (figures.h)
 *
 * Prints lines "figure <tab> habit <tab> size <tab> value"; times in microseconds.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#pragma GCC diagnostic ignored "-Wunused-function" /* figures.h has more than is used here */
#include "figures.h"

static char name[4096] = "io-figures.data";
static size_t bytes = 64u << 20;
static double compute_seconds = 0.25;
static int snapshots = 6;

static double slowest(double seconds) {
  double most = 0;
  MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

typedef struct {
  double visible, closing, run;
} times;

/* how: 0 no output, 1 MPI, 2 pwrite */
static times snapshot_run(int how, unsigned char* data, long rounds) {
  times t = {0, 0, 0};
  MPI_File file = MPI_FILE_NULL;
  int descriptor = -1;
  if (rank == 0) unlink(name);
  MPI_Barrier(MPI_COMM_WORLD);
  if (how == 1 && MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                                &file) != MPI_SUCCESS)
    fail("cannot open the file");
  if (how == 2 && (descriptor = open(name, O_CREAT | O_WRONLY, 0666)) < 0) fail("cannot open the file");
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (int i = 0; i < snapshots; i++) {
    compute(rounds);
    memset(data, 1 + i + rank, 4096);
    MPI_Offset at = (MPI_Offset)((size_t)(i * size + rank) * bytes);
    double before = MPI_Wtime();
    if (how == 1 &&
        MPI_File_write_at_all(file, at, data, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      fail("cannot write");
    if (how == 2 && pwrite(descriptor, data, bytes, at) != (ssize_t)bytes) fail("cannot write");
    if (i > 0) t.visible += (MPI_Wtime() - before) / (snapshots - 1);
  }
  compute(rounds);
  double before = MPI_Wtime();
  if (how == 1 && MPI_File_close(&file) != MPI_SUCCESS) fail("cannot store what was written");
  if (how == 2) close(descriptor);
  t.closing = MPI_Wtime() - before;
  t.run = MPI_Wtime() - begin;
  t = (times){slowest(t.visible), slowest(t.closing), slowest(t.run)};
  if (how != 0) {
    unsigned char there[4096];
    descriptor = open(name, O_RDONLY);
    for (int i = 0; i < snapshots; i++) {
      if (pread(descriptor, there, sizeof there, (off_t)((size_t)(i * size + rank) * bytes)) != sizeof there)
        fail("WRONG SIZE");
      check_all(there, sizeof there, (unsigned char)(1 + i + rank));
    }
    close(descriptor);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) unlink(name);
  return t;
}

static void snapshot(void) {
  unsigned char *data = memory_of(bytes), *other = memory_of(bytes);
  long rounds = turns_of(compute_seconds);
  MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
  long n = (long)bytes;
  double copy = 0;
  for (int i = 0; i < 4; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double before = MPI_Wtime();
    memcpy(other, data, bytes);
    if (i > 0) copy += (MPI_Wtime() - before) / 3;
  }
  times bare = snapshot_run(0, data, rounds), mpi = snapshot_run(1, data, rounds),
        posix = snapshot_run(2, data, rounds);
  char habit[3][32];
  const char* const names[] = {"copy", "mpi", "pwrite"};
  for (int i = 0; i < 3; i++)
    snprintf(habit[i], sizeof habit[i], "%s, %d rank%s", names[i], size, size == 1 ? "" : "s");
  char bare_habit[32];
  snprintf(bare_habit, sizeof bare_habit, "no output, %d rank%s", size, size == 1 ? "" : "s");
  report("snapshot visible", habit[0], n, slowest(copy) * 1e6);
  report("snapshot visible", habit[1], n, mpi.visible * 1e6);
  report("snapshot visible", habit[2], n, posix.visible * 1e6);
  report("snapshot closing", habit[1], n, mpi.closing * 1e6);
  report("snapshot run", bare_habit, n, bare.run * 1e6);
  report("snapshot run", habit[1], n, mpi.run * 1e6);
  report("snapshot run", habit[2], n, posix.run * 1e6);
  free(data);
  free(other);
}

static int more(const char* word) {
  if (strncmp(word, "folder=", 7) == 0)
    return snprintf(name, sizeof name, "%s/io-figures.data", word + 7) > 0;
  if (strncmp(word, "mib=", 4) == 0) return (bytes = (size_t)atol(word + 4) << 20) > 0;
  if (strncmp(word, "ms=", 3) == 0) return (compute_seconds = 1e-3 * atof(word + 3)) > 0;
  if (strncmp(word, "snapshots=", 10) == 0) return (snapshots = atoi(word + 10)) > 1;
  return 0;
}

int main(int argc, char** argv) {
  static const figure figures[] = {{"snapshot", snapshot, 0}};
  return run_figures(argc, argv, "io", figures, sizeof figures / sizeof *figures, more);
}
