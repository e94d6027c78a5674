/* Figures of files.
 *
 *   io snapshot    (any)   each rank computes for a while, then writes some MiB of its own to one file, by
 *                          MPI_File_write_at_all: "visible" is the time in that call, the mean over the snapshots but the first;
 *                          "closing" that of the last MPI_File_close; "run" that of all, beside the same without output.
 *                          Beside the copy of the same bytes from memory to memory ("copy"); pwrite by each rank
 *                          ("pwrite"); and the limit, a copy that a thread of each rank writes past the page cache ("bare copy").
 *                          Where it is a call of all, these have a barrier before. "stolen" is the processor time that a host
 *                          has taken from this machine meanwhile. By turns, of three the median. What was written is read again
 *                          by pread and checked
 *   io overflow    (any)   the same with a buffer that takes only a part of a snapshot (hint loadstone_io_buffer): "mpi" is the time
 *                          in the call, and by turns with it "copy" and "write" that of memcpy and pwrite of the same bytes; "formula" what
 *                          the sizes allow, a copy of what fits and the writing of the rest; of each rank but the first snapshot the
 *                          median, of the slowest rank. "share" is formula by mpi, in percent
 *   io walk        (any)   the same snapshots are read, one after the other, by MPI_File_read_at_all, with computing in
 *                          between, from a file that is not in the page cache: "walk visible" is the time in that call, the
 *                          mean over all but the first three, of three turns the median, with read-ahead ("mpi") and without ("mpi, no read-ahead",
 *                          hint loadstone_io_read_ahead=0); beside pread by each rank, and the same once more, from the
 *                          page cache ("pread, cached")
 * The others take files that are there, in /dev/shm ("tmpfs") and in the folder where the program is started ("disk": its
 * page cache), with writes that are made at once ("anew": to an empty file), and by turns with them the system's calls alone
 * ("bare"):
 *
 *   io contiguous  (any)   each rank writes and reads 16 MiB of its own by one collective call; bare: pwrite, pread of each rank
 *   io interleaved (any)   4 MiB of each rank in pieces that lie by turns (a vector as filetype), by one collective call; bare:
 *                          pwrite, pread of the same bytes as one piece of each rank
 *   io strided     (any)   1 MiB of each rank in pieces with gaps of the same length, in a part of its own, by one independent
 *                          call; bare: pread of the part, the copy of the pieces, and to write, pwrite of the part
 *   io records     (any)   a record of 1 KiB through the shared pointer, and ordered; bare: write in O_APPEND
 *   io blocks      (any)   bytes of memory for each of the 10^7 blocks of a filetype that a view needs at most: to make the type
 *                          (without the arguments), to set the view, and to write 1 MiB
 *
 *   folder=PATH mib=N ms=N snapshots=N buffer=N     where the file is, for what follows (it is removed); how much a rank writes;
 *                          how long it computes before that; how often; MiB of the buffer that overflows (16/23 of a snapshot)
 *   and what every program of figures knows (figures.h)
 *
 * Prints lines "figure <tab> habit <tab> size <tab> value"; times in microseconds (contiguous, interleaved, strided: the median,
 * from the first rank's begin to the last one's end; records: for one).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#pragma GCC diagnostic ignored "-Wunused-function" /* figures.h has more than is used here */
#include <pthread.h>
#include <sched.h>

#include "figures.h"

static char name[4096] = "io-figures.data";
static size_t bytes = 64u << 20;
static double compute_seconds = 0.25;
static int snapshots = 6;
static size_t buffer_bytes; /* 0: 16/23 of a snapshot, 64 of 92 MiB */

static double slowest(double seconds) {
  double most = 0;
  MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

/* Processor time that the host of this machine has taken from it, seconds. */
static double stolen_seconds(void) {
  double user, nice, system, idle, wait, irq, softirq, steal = 0;
  FILE* stat = fopen("/proc/stat", "r");
  if (!stat || fscanf(stat, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait, &irq,
                      &softirq, &steal) != 8)
    steal = 0;
  if (stat) fclose(stat);
  return steal / (double)sysconf(_SC_CLK_TCK);
}

/* What no library can do without: a copy to memory that is there, in huge pages if the system has them, and somebody, on whatever
 * core, who writes from there past the page cache. */
static struct {
  unsigned char* frames; /* one for each snapshot */
  pthread_t writer;
  pthread_mutex_t lock;
  pthread_cond_t moved;
  int copied, failed;
} behind = {.lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};

static void* write_behind(void* unused) {
  enum { unit = 8 << 20 };
  cpu_set_t all;
  memset(&all, 255, sizeof all);
  sched_setaffinity(0, sizeof all, &all);
  int file = open(name, O_WRONLY | O_DIRECT);
  if (file < 0) file = open(name, O_WRONLY);
  for (int i = 0; i < snapshots; i++) {
    pthread_mutex_lock(&behind.lock);
    while (behind.copied <= i) pthread_cond_wait(&behind.moved, &behind.lock);
    pthread_mutex_unlock(&behind.lock);
    for (size_t at = 0; at < bytes; at += unit) {
      const size_t n = bytes - at < unit ? bytes - at : unit;
      if (pwrite(file, behind.frames + (size_t)i * bytes + at, n,
                 (off_t)((size_t)(i * size + rank) * bytes + at)) != (ssize_t)n)
        behind.failed = 1;
    }
  }
  close(file);
  return unused;
}

static void begin_behind(void) {
  const size_t all = (size_t)snapshots * bytes;
  if (behind.frames == NULL) {
    if (posix_memalign((void**)&behind.frames, 2 << 20, all)) fail("out of memory");
    madvise(behind.frames, all, MADV_HUGEPAGE);
    memset(behind.frames, 1, all);
  }
  behind.copied = 0;
  if (pthread_create(&behind.writer, NULL, write_behind, NULL)) fail("no thread can be started");
}
static void put_behind(int i, const unsigned char* data) {
  memcpy(behind.frames + (size_t)i * bytes, data, bytes);
  pthread_mutex_lock(&behind.lock);
  behind.copied = i + 1;
  pthread_cond_signal(&behind.moved);
  pthread_mutex_unlock(&behind.lock);
}
static void end_behind(void) {
  pthread_join(behind.writer, NULL);
  if (behind.failed) fail("cannot write");
}

enum { no_output, by_mpi, by_pwrite, by_thread, ways_to_write };
typedef struct {
  double visible, closing, run, stolen;
} times;

static times snapshot_run(int how, unsigned char* data, long rounds) {
  times t = {0, 0, 0, 0};
  MPI_File file = MPI_FILE_NULL;
  int descriptor = -1;
  if (rank == 0) unlink(name);
  MPI_Barrier(MPI_COMM_WORLD);
  if (how == by_mpi && MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                                     &file) != MPI_SUCCESS)
    fail("cannot open the file");
  if ((how == by_pwrite || how == by_thread) && (descriptor = open(name, O_CREAT | O_WRONLY, 0666)) < 0)
    fail("cannot open the file");
  if (how == by_thread) begin_behind();
  MPI_Barrier(MPI_COMM_WORLD);
  const double stolen = stolen_seconds(), begin = MPI_Wtime();
  for (int i = 0; i < snapshots; i++) {
    compute(rounds);
    memset(data, 1 + i + rank, 4096);
    MPI_Offset at = (MPI_Offset)((size_t)(i * size + rank) * bytes);
    double before = MPI_Wtime();
    if (how == by_mpi &&
        MPI_File_write_at_all(file, at, data, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      fail("cannot write");
    if (how == by_pwrite || how == by_thread) MPI_Barrier(MPI_COMM_WORLD); /* it is one call of all */
    if (how == by_pwrite && pwrite(descriptor, data, bytes, at) != (ssize_t)bytes) fail("cannot write");
    if (how == by_thread) put_behind(i, data);
    if (i > 0) t.visible += (MPI_Wtime() - before) / (snapshots - 1);
  }
  compute(rounds);
  double before = MPI_Wtime();
  if (how == by_mpi && MPI_File_close(&file) != MPI_SUCCESS) fail("cannot store what was written");
  if (how == by_thread) end_behind();
  if (descriptor >= 0) close(descriptor);
  t.closing = MPI_Wtime() - before;
  t.run = MPI_Wtime() - begin;
  t.stolen = stolen_seconds() - stolen;
  t = (times){slowest(t.visible), slowest(t.closing), slowest(t.run), slowest(t.stolen)};
  if (how != no_output) {
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

/* All ways by turns, the median of each. */
static void snapshot(void) {
  enum { turns = 3, kinds = 4 };
  unsigned char *data = memory_of(bytes), *other = memory_of(bytes);
  long rounds = turns_of(compute_seconds);
  MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
  long n = (long)bytes;
  double copied[turns], found[ways_to_write][kinds][turns];
  for (int turn_of_all = 0; turn_of_all < turns; turn_of_all++) {
    double copy = 0;
    for (int i = 0; i < 4; i++) {
      MPI_Barrier(MPI_COMM_WORLD);
      double before = MPI_Wtime();
      memcpy(other, data, bytes);
      if (i > 0) copy += (MPI_Wtime() - before) / 3;
    }
    copied[turn_of_all] = slowest(copy);
    for (int how = 0; how < ways_to_write; how++) {
      const times t = snapshot_run(how, data, rounds);
      const double values[] = {t.visible, t.closing, t.run, t.stolen};
      for (int k = 0; k < kinds; k++) found[how][k][turn_of_all] = values[k];
    }
  }
  static const char* const ways[] = {"no output", "mpi", "pwrite", "bare copy, written by a thread"};
  static const char* const what[] = {"snapshot visible", "snapshot closing", "snapshot run",
                                     "snapshot stolen"};
  char habit[64];
  snprintf(habit, sizeof habit, "copy, %d rank%s", size, size == 1 ? "" : "s");
  qsort(copied, turns, sizeof *copied, by_value);
  report(what[0], habit, n, copied[turns / 2] * 1e6);
  for (int k = 0; k < kinds; k++)
    for (int how = k < 2; how < ways_to_write; how++) {
      if (k == 1 && how == by_pwrite) continue;
      snprintf(habit, sizeof habit, "%s, %d rank%s", ways[how], size, size == 1 ? "" : "s");
      qsort(found[how][k], turns, sizeof found[how][k][0], by_value);
      report(what[k], habit, n, found[how][k][turns / 2] * 1e6);
    }
  free(behind.frames);
  behind.frames = NULL;
  free(data);
  free(other);
}

/* The median of all snapshots but the first, of the slowest rank. */
static double usual(double* took) {
  qsort(took + 1, (size_t)snapshots - 1, sizeof *took, by_value);
  return slowest(took[1 + (snapshots - 1) / 2]);
}

static void overflow(void) {
  enum { mpi, copied, written, kinds };
  static const char* const names[] = {"mpi", "copy", "write"};
  const size_t fits = buffer_bytes != 0 ? buffer_bytes : bytes / 23 * 16;
  if (fits >= bytes) fail("the buffer takes a whole snapshot");
  unsigned char *data = memory_of(bytes), *other = memory_of(bytes), there[4096];
  long rounds = turns_of(compute_seconds);
  MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
  double* took[kinds];
  for (int k = 0; k < kinds; k++) took[k] = memory_of((size_t)snapshots * sizeof(double));
  char bare_name[sizeof name + 8], text[32], habit[64];
  snprintf(bare_name, sizeof bare_name, "%s.bare", name);
  MPI_File file;
  MPI_Info info;
  MPI_Info_create(&info);
  snprintf(text, sizeof text, "%zu", fits);
  MPI_Info_set(info, "loadstone_io_buffer", text);
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info,
                    &file) != MPI_SUCCESS)
    fail("cannot open the file");
  MPI_Info_free(&info);
  const int bare = open(bare_name, O_CREAT | O_WRONLY, 0666);
  if (bare < 0) fail("cannot open the file");
  for (int i = 0; i < snapshots; i++) {
    const MPI_Offset at = (MPI_Offset)((size_t)(i * size + rank) * bytes);
    memset(data, 1 + i + rank, 4096);
    memset(data + bytes - 4096, 1 + i + rank, 4096);
    for (int k = 0; k < kinds; k++) {
      compute(rounds);
      MPI_Barrier(MPI_COMM_WORLD);
      took[k][i] = -MPI_Wtime();
      if (k == mpi &&
          MPI_File_write_at_all(file, at, data, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        fail("cannot write");
      if (k == copied) memcpy(other, data, bytes);
      if (k == written && pwrite(bare, data, bytes, at) != (ssize_t)bytes) fail("cannot write");
      took[k][i] += MPI_Wtime();
    }
  }
  for (int i = 0; i < snapshots; i++) {
    const MPI_Offset at = (MPI_Offset)((size_t)(i * size + rank) * bytes),
                     last = at + (MPI_Offset)bytes - 4096;
    for (int end = 0; end < 2; end++) {
      if (MPI_File_read_at(file, end ? last : at, there, sizeof there, MPI_BYTE, MPI_STATUS_IGNORE) !=
          MPI_SUCCESS)
        fail("cannot read");
      check_all(there, sizeof there, (unsigned char)(1 + i + rank));
    }
  }
  close(bare);
  if (MPI_File_close(&file) != MPI_SUCCESS) fail("cannot store what was written");
  if (rank == 0) unlink(bare_name);
  double seconds[kinds];
  for (int k = 0; k < kinds; k++) {
    seconds[k] = usual(took[k]);
    snprintf(habit, sizeof habit, "%s, %d rank%s", names[k], size, size == 1 ? "" : "s");
    report("overflow", habit, (long)bytes, seconds[k] * 1e6);
    free(took[k]);
  }
  const double part = (double)fits / (double)bytes,
               formula = part * seconds[copied] + (1 - part) * seconds[written];
  snprintf(habit, sizeof habit, "formula, %d rank%s", size, size == 1 ? "" : "s");
  report("overflow", habit, (long)bytes, formula * 1e6);
  snprintf(habit, sizeof habit, "share, %d rank%s", size, size == 1 ? "" : "s");
  report("overflow", habit, (long)bytes, 100 * formula / seconds[mpi]);
  free(data);
  free(other);
}

/* The time in a call. how: 0 MPI, 1 MPI without read-ahead, 2 pread, 3 pread of what is in memory */
static double walk_run(int how, unsigned char* data, long rounds) {
  double visible = 0;
  MPI_File file = MPI_FILE_NULL;
  MPI_Info info;
  char most[32];
  MPI_Info_create(&info);
  snprintf(most, sizeof most, "%zu", how == 0 ? bytes : (size_t)0);
  MPI_Info_set(info, "loadstone_io_read_ahead", most);
  const int descriptor = open(name, O_RDONLY);
  if (descriptor < 0) fail("cannot open the file");
  if (rank == 0 && how != 3) posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  MPI_Barrier(MPI_COMM_WORLD);
  if (how < 2 && MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, info, &file) != MPI_SUCCESS)
    fail("cannot open the file");
  for (int i = 0; i < snapshots; i++) {
    const MPI_Offset at = (MPI_Offset)((size_t)(i * size + rank) * bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    const double before = MPI_Wtime();
    if (how < 2 &&
        MPI_File_read_at_all(file, at, data, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      fail("cannot read");
    if (how >= 2 && pread(descriptor, data, bytes, at) != (ssize_t)bytes) fail("cannot read");
    if (i > 2) visible += (MPI_Wtime() - before) / (snapshots - 3);
    check_all(data, bytes, (unsigned char)(1 + i + rank));
    compute(rounds);
  }
  if (how < 2) MPI_File_close(&file);
  close(descriptor);
  MPI_Info_free(&info);
  return slowest(visible);
}

static void walk(void) {
  unsigned char* data = memory_of(bytes);
  long rounds = turns_of(compute_seconds);
  MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
  if (snapshots < 4) fail("four snapshots are needed");
  if (rank == 0) unlink(name);
  MPI_Barrier(MPI_COMM_WORLD);
  const int descriptor = open(name, O_CREAT | O_WRONLY, 0666);
  if (descriptor < 0) fail("cannot open the file");
  for (int i = 0; i < snapshots; i++) {
    write_all(data, bytes, (unsigned char)(1 + i + rank));
    if (pwrite(descriptor, data, bytes, (off_t)((size_t)(i * size + rank) * bytes)) != (ssize_t)bytes)
      fail("cannot write");
  }
  fsync(descriptor);
  close(descriptor);
  MPI_Barrier(MPI_COMM_WORLD);
  const char* const names[] = {"mpi", "mpi, no read-ahead", "pread", "pread, cached"};
  double visible[4][3];
  for (int turn_of_all = 0; turn_of_all < 3; turn_of_all++)
    for (int how = 0; how < 4; how++) visible[how][turn_of_all] = walk_run(how, data, rounds);
  for (int how = 0; how < 4; how++) {
    char habit[64];
    qsort(visible[how], 3, sizeof visible[how][0], by_value);
    snprintf(habit, sizeof habit, "%s, %d rank%s", names[how], size, size == 1 ? "" : "s");
    report("walk visible", habit, (long)bytes, visible[how][1] * 1e6);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) unlink(name);
  free(data);
}

/* --- calls that are made at once --- */

enum {
  repeats = 9,
  contiguous_bytes = 16 << 20,
  interleaved_bytes = 4 << 20,
  strided_bytes = 1 << 20,
  record_bytes = 1024
};
static const char* const places[][2] = {{"tmpfs", "/dev/shm"}, {"disk", "."}};
enum { place_count = sizeof places / sizeof *places };

typedef struct {
  MPI_File file;
  int descriptor;
  int write, ordered;
  int anew;        /* the file is emptied before each write */
  int piece, each; /* bytes of a piece, bytes of each rank */
  unsigned char *data, *part;
} access_of;

static access_of opened(const char* folder, int each) {
  access_of a = {0};
  a.each = each;
  a.data = memory_of((size_t)each);
  a.part = memory_of(2 * (size_t)each);
  snprintf(name, sizeof name, "%s/io-figures.data", folder);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "loadstone_io_buffer", "false");
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info,
                    &a.file) != MPI_SUCCESS)
    fail("cannot open the file");
  MPI_Info_free(&info);
  if ((a.descriptor = open(name, O_RDWR)) < 0) fail("cannot open the file");
  MPI_Barrier(MPI_COMM_WORLD);
  return a;
}

static void closed(access_of* a) {
  MPI_Barrier(MPI_COMM_WORLD);
  close(a->descriptor);
  if (MPI_File_close(&a->file) != MPI_SUCCESS) fail("cannot close the file");
  free(a->data);
  free(a->part);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* From the first rank's begin to the last one's end: where ranks share cores, one may begin when another is through. */
static double together(void (*call)(access_of*), access_of* a) {
  double times[2], of_all[2];
  if (a->anew && rank == 0 && ftruncate(a->descriptor, 0)) fail("ftruncate");
  MPI_Barrier(MPI_COMM_WORLD);
  times[0] = -now();
  call(a);
  times[1] = now();
  MPI_Allreduce(times, of_all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return of_all[0] + of_all[1];
}

/* The medians of both, by turns, as the machine may change; of fewer where that is long. */
static void by_turns(access_of* a, void (*call)(access_of*), void (*bare)(access_of*), double took[2]) {
  enum { least = 3 };
  double all[2][repeats], sum = 0;
  int counted = 0;
  for (int i = -1; i < repeats && (i < least || sum < 1); i++) {
    const double times[2] = {together(call, a), together(bare, a)};
    sum += times[0];
    if (i < 0) continue; /* the first warms up */
    for (int k = 0; k < 2; k++) all[k][counted] = times[k];
    counted++;
  }
  for (int k = 0; k < 2; k++) {
    qsort(all[k], (size_t)counted, sizeof **all, by_value);
    took[k] = all[k][counted / 2] * 1e6;
  }
}

static void done(int error) {
  if (error != MPI_SUCCESS) fail("the access fails");
}

static void together_at(access_of* a) {
  const MPI_Offset at = (MPI_Offset)rank * a->each;
  done(a->write ? MPI_File_write_at_all(a->file, at, a->data, a->each, MPI_BYTE, MPI_STATUS_IGNORE)
                : MPI_File_read_at_all(a->file, at, a->data, a->each, MPI_BYTE, MPI_STATUS_IGNORE));
}
static void together_in_view(access_of* a) {
  done(a->write ? MPI_File_write_at_all(a->file, 0, a->data, a->each, MPI_BYTE, MPI_STATUS_IGNORE)
                : MPI_File_read_at_all(a->file, 0, a->data, a->each, MPI_BYTE, MPI_STATUS_IGNORE));
}
static void alone_in_view(access_of* a) {
  done(a->write ? MPI_File_write_at(a->file, 0, a->data, a->each, MPI_BYTE, MPI_STATUS_IGNORE)
                : MPI_File_read_at(a->file, 0, a->data, a->each, MPI_BYTE, MPI_STATUS_IGNORE));
}
static void record(access_of* a) {
  done(a->ordered ? MPI_File_write_ordered(a->file, a->data, record_bytes, MPI_BYTE, MPI_STATUS_IGNORE)
                  : MPI_File_write_shared(a->file, a->data, record_bytes, MPI_BYTE, MPI_STATUS_IGNORE));
}

static void bare_piece(access_of* a) {
  const off_t at = (off_t)rank * a->each;
  const ssize_t n = a->write ? pwrite(a->descriptor, a->data, (size_t)a->each, at)
                             : pread(a->descriptor, a->data, (size_t)a->each, at);
  if (n != a->each) fail("the bare access fails");
}
static void bare_part(access_of* a) {
  const size_t n = 2 * (size_t)a->each, piece = (size_t)a->piece;
  const off_t at = (off_t)rank * (off_t)n;
  if (pread(a->descriptor, a->part, n, at) != (ssize_t)n) fail("the bare access fails");
  for (size_t i = 0; i < (size_t)a->each; i += piece)
    if (a->write)
      memcpy(a->part + 2 * i, a->data + i, piece);
    else
      memcpy(a->data + i, a->part + 2 * i, piece);
  if (a->write && pwrite(a->descriptor, a->part, n, at) != (ssize_t)n) fail("the bare access fails");
}

/* A figure in one direction, and its limit. */
static void one_way(const char* figure, const char* way, const char* place, access_of* a,
                    void (*call)(access_of*), void (*bare)(access_of*), long n) {
  char habit[64];
  double took[2];
  write_all(a->data, (size_t)a->each, (unsigned char)(a->write ? 65 + rank : 0));
  by_turns(a, call, bare, took);
  a->anew = 0;
  if (!a->write) write_all(a->data, (size_t)a->each, 0);
  call(a); /* as the bare one has written, or read, what lies elsewhere */
  check_all(a->data, (size_t)a->each, (unsigned char)(65 + rank));
  snprintf(habit, sizeof habit, "%s, %s, %d ranks", way, place, size);
  report(figure, habit, n, took[0]);
  snprintf(habit, sizeof habit, "bare %s, %s, %d ranks", way, place, size);
  report(figure, habit, n, took[1]);
}

static void all_ways(const char* figure, const char* place, access_of* a, void (*call)(access_of*),
                     void (*bare)(access_of*), long n) {
  a->write = 1;
  a->anew = call != alone_in_view; /* whose limit reads first */
  if (a->anew) one_way(figure, "write anew", place, a, call, bare, n);
  one_way(figure, "write", place, a, call, bare, n);
  a->write = 0;
  one_way(figure, "read", place, a, call, bare, n);
}

static void contiguous(void) {
  for (int i = 0; i < place_count; i++) {
    access_of a = opened(places[i][1], contiguous_bytes);
    all_ways("contiguous", places[i][0], &a, together_at, bare_piece, (long)contiguous_bytes * size);
    closed(&a);
  }
}

/* Pieces of one rank `apart` bytes from each other, from `from` on. */
static void view_of_pieces(access_of* a, MPI_Offset from, int apart) {
  MPI_Datatype pieces;
  MPI_Type_vector(a->each / a->piece, a->piece, apart, MPI_BYTE, &pieces);
  MPI_Type_commit(&pieces);
  done(MPI_File_set_view(a->file, from, MPI_BYTE, pieces, "native", MPI_INFO_NULL));
  MPI_Type_free(&pieces);
}

static void in_pieces(int interleaved) {
  for (int i = 0; i < place_count; i++)
    for (int piece = 8; piece <= 4096; piece = piece == 8 ? 256 : piece * 16) {
      access_of a = opened(places[i][1], interleaved ? interleaved_bytes : strided_bytes);
      a.piece = piece;
      if (!interleaved && ftruncate(a.descriptor, 2 * (off_t)a.each * size)) fail("ftruncate");
      if (interleaved)
        view_of_pieces(&a, (MPI_Offset)rank * piece, size * piece);
      else
        view_of_pieces(&a, (MPI_Offset)rank * 2 * a.each, 2 * piece);
      all_ways(interleaved ? "interleaved" : "strided", places[i][0], &a,
               interleaved ? together_in_view : alone_in_view, interleaved ? bare_piece : bare_part, piece);
      closed(&a);
    }
}
static void interleaved(void) {
  in_pieces(1);
}
static void strided(void) {
  in_pieces(0);
}

static int appending;
static void bare_record(access_of* a) {
  if (write(appending, a->data, record_bytes) != record_bytes) fail("the bare access fails");
}

static void records(void) {
  static const char* const names[] = {"shared", "ordered"};
  enum { in_a_row = 64 };
  for (int i = 0; i < place_count; i++) {
    access_of a = opened(places[i][1], record_bytes);
    if ((appending = open(name, O_WRONLY | O_APPEND)) < 0) fail("cannot open the file");
    for (int kind = 0; kind < 3; kind++) {
      char habit[64];
      a.ordered = kind == 1;
      double all[repeats];
      for (int k = -1; k < repeats; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int r = 0; r < in_a_row; r++) (kind < 2 ? record : bare_record)(&a);
        const double took = slowest(MPI_Wtime() - begin);
        if (k >= 0) all[k] = took / in_a_row / size;
      }
      qsort(all, repeats, sizeof *all, by_value);
      snprintf(habit, sizeof habit, "%s, %s, %d ranks", kind < 2 ? names[kind] : "bare append", places[i][0],
               size);
      report("records", habit, record_bytes, all[repeats / 2] * 1e6);
    }
    MPI_Offset bytes_there = 0;
    MPI_File_get_size(a.file, &bytes_there);
    if (bytes_there != (MPI_Offset)3 * (repeats + 1) * in_a_row * size * record_bytes) fail("WRONG SIZE");
    close(appending);
    closed(&a);
  }
}

/* --- memory of a view --- */

/* Bytes of memory: the most since the last call of forget_peak(), or now. */
static double memory(const char* what) {
  char line[256];
  double kib = 0;
  FILE* status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, what, strlen(what)) == 0) kib = atof(line + strlen(what));
  if (status) fclose(status);
  return kib * 1024;
}
static void forget_peak(void) {
  FILE* file = fopen("/proc/self/clear_refs", "w");
  if (file == NULL || fputs("5", file) < 0 || fclose(file)) fail("the peak of memory cannot be reset");
}

static void blocks(void) {
  static const char* const names[] = {"regular", "irregular"};
  enum { count = 10000000 };
  for (int irregular = 0; irregular < 2; irregular++) {
    access_of a = opened(places[0][1], strided_bytes);
    char habit[64];
    int* where = irregular ? memory_of(count * sizeof(int)) : NULL;
    for (int i = 0; irregular && i < count; i++) where[i] = 2 * i + (i * 7919LL % 5 == 0);
    MPI_Datatype type;
    forget_peak();
    const double before = memory("VmRSS:");
    if (irregular)
      MPI_Type_create_indexed_block(count, 1, where, MPI_DOUBLE, &type);
    else
      MPI_Type_vector(count, 1, 2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    const double made = memory("VmHWM:");
    done(MPI_File_set_view(a.file, 0, MPI_DOUBLE, type, "native", MPI_INFO_NULL));
    const double set = memory("VmHWM:");
    a.write = 1;
    alone_in_view(&a);
    const double accessed = memory("VmHWM:");
    const double values[] = {made, set, accessed};
    static const char* const until[] = {"type", "view", "write of 1 MiB"};
    for (int i = 0; i < 3; i++) {
      snprintf(habit, sizeof habit, "%s, %s", names[irregular], until[i]);
      report("blocks", habit, count, (values[i] - before) / count);
    }
    MPI_Type_free(&type);
    free(where);
    closed(&a);
  }
}

static int more(const char* word) {
  if (strncmp(word, "folder=", 7) == 0)
    return snprintf(name, sizeof name, "%s/io-figures.data", word + 7) > 0;
  if (strncmp(word, "mib=", 4) == 0) return (bytes = (size_t)atol(word + 4) << 20) > 0;
  if (strncmp(word, "buffer=", 7) == 0) return (buffer_bytes = (size_t)atol(word + 7) << 20) > 0;
  if (strncmp(word, "ms=", 3) == 0) return (compute_seconds = 1e-3 * atof(word + 3)) > 0;
  if (strncmp(word, "snapshots=", 10) == 0) return (snapshots = atoi(word + 10)) > 1;
  return 0;
}

int main(int argc, char** argv) {
  static const figure figures[] = {{"snapshot", snapshot, 0},
                                   {"overflow", overflow, 0},
                                   {"walk", walk, 0},
                                   {"contiguous", contiguous, 0},
                                   {"interleaved", interleaved, 0},
                                   {"strided", strided, 0},
                                   {"records", records, 0},
                                   {"blocks", blocks, 0}};
  return run_figures(argc, argv, "io", figures, sizeof figures / sizeof *figures, more);
}
