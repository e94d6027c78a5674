/* A heated plate that writes snapshots of itself through MPI-IO, three times: without output, with writes that are made at once
 * (hint loadstone_io_buffer=0), and with buffered writes (=true: although no core is idle), which return when the data are
 * safe and are made while the program computes. Prints the run time of each, how long the calls took, and after how long all
 * was on the disk; both files must have the same bytes.
 *
 * Usage: mpiexec -n R heat FOLDER [ROWS COLUMNS STEPS EVERY]      a snapshot after every EVERY steps
 * Writes FOLDER/direct.raw and FOLDER/buffered.raw: frames of ROWS x COLUMNS doubles.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, rows, columns, steps, every;
static int first, mine;    /* our rows of the plate */
static double *now, *next; /* with one more row above and below */

static void fail(const char* what) {
  fprintf(stderr, "heat: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static double* row_of(double* plate, int row) {
  return plate + (size_t)row * (size_t)columns;
}

/* A hot disc that goes round once in all steps, and leaves a trail. */
static void heat_up(int step) {
  double turn = 6.283185307179586 * step / steps;
  long cx = columns / 2 + lround(0.3 * columns * cos(turn)), cy = rows / 2 + lround(0.3 * rows * sin(turn)),
       radius = rows / 12;
  for (int y = 0; y < mine; y++)
    for (long x = cx - radius; x <= cx + radius; x++) {
      long dx = x - cx, dy = first + y - cy;
      if (x > 0 && x < columns - 1 && dx * dx + dy * dy <= radius * radius) row_of(now, y + 1)[x] = 1;
    }
}

static void advance(int step) {
  heat_up(step);
  int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(row_of(now, 1), columns, MPI_DOUBLE, up, 0, row_of(now, mine + 1), columns, MPI_DOUBLE, down,
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(row_of(now, mine), columns, MPI_DOUBLE, down, 1, row_of(now, 0), columns, MPI_DOUBLE, up, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int y = 1; y <= mine; y++) {
    const double *a = row_of(now, y - 1), *b = row_of(now, y), *c = row_of(now, y + 1);
    double* out = row_of(next, y);
    out[0] = out[columns - 1] = 0;
    for (int x = 1; x < columns - 1; x++)
      out[x] = b[x] + 0.2 * (a[x] + c[x] + b[x - 1] + b[x + 1] - 4 * b[x]);
  }
  double* swap = now;
  now = next;
  next = swap;
}

typedef struct {
  double total, output, worst; /* seconds: all of it; in calls of output; in the longest of them */
  double stored;               /* until all is on the disk */
} times;

/* What the system still holds of a file must not be written during the next run. */
static void flush(const char* name) {
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS ||
      MPI_File_sync(file) != MPI_SUCCESS || MPI_File_close(&file) != MPI_SUCCESS)
    fail("what was written could not be brought to the disk");
}

/* `name`: NULL for no output. */
static times run(const char* name, const char* buffer) {
  size_t cells = (size_t)(mine + 2) * (size_t)columns;
  memset(now, 0, cells * sizeof *now);
  memset(next, 0, cells * sizeof *next);
  MPI_File file = MPI_FILE_NULL;
  times t = {0, 0, 0, 0};
  if (name && rank == 0) MPI_File_delete(name, MPI_INFO_NULL); /* if there is one: to cut it takes time */
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  if (name) {
    MPI_Info info;
    MPI_Info_create(&info);
    if (buffer) MPI_Info_set(info, "loadstone_io_buffer", buffer);
    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file) != MPI_SUCCESS)
      fail("cannot open the file");
    MPI_Info_free(&info);
  }
  for (int step = 0, frame = 0; step < steps; step++) {
    advance(step);
    if (!name || (step + 1) % every != 0) continue;
    MPI_Offset at = ((MPI_Offset)frame++ * rows + first) * columns * (MPI_Offset)sizeof(double);
    double before = MPI_Wtime();
    if (MPI_File_write_at_all(file, at, row_of(now, 1), mine * columns, MPI_DOUBLE, MPI_STATUS_IGNORE) !=
        MPI_SUCCESS)
      fail("cannot write");
    double took = MPI_Wtime() - before;
    t.output += took;
    if (took > t.worst) t.worst = took;
  }
  if (name) {
    double before = MPI_Wtime();
    if (MPI_File_close(&file) != MPI_SUCCESS) fail("what was written could not be stored");
    t.output += MPI_Wtime() - before;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  t.total = MPI_Wtime() - begin;
  if (name) flush(name);
  t.stored = MPI_Wtime() - begin;
  times slowest;
  MPI_Allreduce(&t, &slowest, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

/* Our part of the last frame is what we have now, and of all frames the same in both files. */
static void compare(const char* direct, const char* buffered) {
  MPI_File a, b;
  if (MPI_File_open(MPI_COMM_WORLD, direct, MPI_MODE_RDONLY, MPI_INFO_NULL, &a) != MPI_SUCCESS ||
      MPI_File_open(MPI_COMM_WORLD, buffered, MPI_MODE_RDONLY, MPI_INFO_NULL, &b) != MPI_SUCCESS)
    fail("cannot open a file that was written");
  size_t n = (size_t)mine * (size_t)columns;
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  if (!x || !y) fail("out of memory");
  for (int frame = 0; frame < steps / every; frame++) {
    MPI_Offset at = ((MPI_Offset)frame * rows + first) * columns * (MPI_Offset)sizeof(double);
    MPI_File_read_at_all(a, at, x, (int)n, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(b, at, y, (int)n, MPI_DOUBLE, MPI_STATUS_IGNORE);
    if (memcmp(x, y, n * sizeof *x) != 0) fail("the files differ");
  }
  if (steps % every == 0 && memcmp(y, row_of(now, 1), n * sizeof *y) != 0)
    fail("the last frame is not the plate");
  free(x);
  free(y);
  MPI_File_close(&a);
  MPI_File_close(&b);
  if (rank == 0) printf("both files hold the same %d frames\n", steps / every);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 2 && argc != 6) fail("usage: heat FOLDER [ROWS COLUMNS STEPS EVERY]");
  rows = argc > 2 ? atoi(argv[2]) : 2048;
  columns = argc > 2 ? atoi(argv[3]) : 2048;
  steps = argc > 2 ? atoi(argv[4]) : 400;
  every = argc > 2 ? atoi(argv[5]) : 50;
  first = (int)((long)rows * rank / ranks);
  mine = (int)((long)rows * (rank + 1) / ranks) - first;
  if (mine < 1 || columns < 16 || every < 1) fail("the plate is too small for so many ranks");
  size_t cells = (size_t)(mine + 2) * (size_t)columns;
  now = malloc(cells * sizeof *now);
  next = malloc(cells * sizeof *next);
  if (!now || !next) fail("out of memory");
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(library, &length);
  if (rank == 0)
    printf("library: %.*s\nranks: %d\nplate: %d x %d, %d steps, %d frames of %.1f MiB\n",
           (int)strcspn(library, "\n"), library, ranks, rows, columns, steps, steps / every,
           (double)rows * columns * sizeof(double) / (1 << 20));
  char direct[4096], buffered[4096];
  snprintf(direct, sizeof direct, "%s/direct.raw", argv[1]);
  snprintf(buffered, sizeof buffered, "%s/buffered.raw", argv[1]);
  run(NULL, NULL); /* the first touches the memory */
  times t[3];
  t[0] = run(NULL, NULL);
  t[1] = run(direct, "0");
  t[2] = run(buffered, "true");
  static const char* const names[] = {"no output", "direct output", "buffered output"};
  if (rank == 0) {
    printf("%-18s %12s %16s %16s %16s\n", "", "run time s", "in output s", "longest call s",
           "until on disk s");
    for (int i = 0; i < 3; i++)
      printf("%-18s %12.3f %16.3f %16.3f %16.3f\n", names[i], t[i].total, t[i].output, t[i].worst,
             t[i].stored);
  }
  compare(direct, buffered);
  free(now);
  free(next);
  MPI_Finalize();
  return 0;
}
