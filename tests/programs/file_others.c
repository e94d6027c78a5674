/* Files that others change or have open too: the same file through several communicators, removed or cut while data
 * is on its way, links, files of /proc, a program's threads on one handle and on several. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

enum { piece = 96 << 10, mib = 1 << 20, threads = 3, steps = 40 };
static char folder[200], path[300], other[300];
static unsigned char out[mib], in[mib];
static const MPI_Info none = MPI_INFO_NULL;
static const int fresh = MPI_MODE_RDWR | MPI_MODE_CREATE;

static unsigned char value(int seed, int i) {
  return (unsigned char)(seed * 31 + i * 7 + (i >> 9));
}
static void fill(int seed, int n) {
  for (int i = 0; i < n; i++) out[i] = value(seed, i);
}
static void remove_all(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) unlink(path), unlink(other);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Open at all ranks twice, at each alone, and through a link: one file. */
static void several_times(void) {
  MPI_File all, again, alone, linked;
  if (rank == 0) CHECK(symlink("file", other) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, fresh, none, &all) == MPI_SUCCESS);
  CHECK(MPI_File_open(reversed, path, MPI_MODE_RDWR, none, &again) == MPI_SUCCESS);
  CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, none, &alone) == MPI_SUCCESS);
  CHECK(MPI_File_open(MPI_COMM_WORLD, other, MPI_MODE_RDWR, none, &linked) == MPI_SUCCESS);
  MPI_File way[] = {all, again, alone, linked};
  MPI_Status status;
  int n;
  for (int i = 0; i < 16; i++) { /* written by one way, read by the next, from the rank before */
    fill(10 * i + rank, piece);
    CHECK(MPI_File_write_at(way[i % 4], (MPI_Offset)piece * rank, out, piece, MPI_BYTE, &status) ==
          MPI_SUCCESS);
    CHECK(MPI_File_sync(way[i % 4]) == MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    const int before = (rank + size - 1) % size;
    MPI_File from = way[(i + 1) % 4];
    CHECK(MPI_File_sync(from) == MPI_SUCCESS);
    CHECK(MPI_File_read_at(from, (MPI_Offset)piece * before, in, piece, MPI_BYTE, &status) == MPI_SUCCESS);
    MPI_Get_count(&status, MPI_BYTE, &n);
    CHECK(n == piece);
    for (int k = 0; k < piece; k++) CHECK(in[k] == value(10 * i + before, k));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < 4; i++) CHECK(MPI_File_close(&way[i]) == MPI_SUCCESS);
  MPI_Comm_free(&reversed);
  remove_all();
}

/* Whoever has a file open keeps it, whatever becomes of its name. */
static void removed(void) {
  MPI_File f;
  MPI_Status status;
  MPI_Offset bytes;
  int n;
  fill(rank, mib);
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, fresh, none, &f) == MPI_SUCCESS);
  CHECK(MPI_File_write_at(f, (MPI_Offset)mib * rank, out, mib, MPI_BYTE, &status) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK(MPI_File_delete(path, none) == MPI_SUCCESS);
  if (rank == 0) CHECK_FAILS(MPI_File_delete(path, none), MPI_ERR_NO_SUCH_FILE);
  CHECK(MPI_File_sync(f) == MPI_SUCCESS);
  CHECK(MPI_File_get_size(f, &bytes) == MPI_SUCCESS && bytes == (MPI_Offset)mib * size);
  CHECK(MPI_File_read_at(f, (MPI_Offset)mib * rank, in, mib, MPI_BYTE, &status) == MPI_SUCCESS);
  MPI_Get_count(&status, MPI_BYTE, &n);
  CHECK(n == mib && memcmp(in, out, mib) == 0);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);

  /* Nothing is left to be deleted at the close: that is said, and the file is closed. */
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, fresh | MPI_MODE_DELETE_ON_CLOSE, none, &f) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK(rename(path, other) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (on_loadstone())
    CHECK_FAILS(MPI_File_close(&f), MPI_ERR_NO_SUCH_FILE);
  else
    MPI_File_close(&f);
  remove_all();
}

/* Somebody cuts the file by a system call after a sync: reads end where it ends, and later writes are there. */
static void cut(void) {
  MPI_File f;
  MPI_Status status;
  MPI_Offset bytes;
  int n;
  fill(rank + 3, mib);
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, fresh, none, &f) == MPI_SUCCESS);
  CHECK(MPI_File_write_at_all(f, (MPI_Offset)mib * rank, out, mib, MPI_BYTE, &status) == MPI_SUCCESS);
  CHECK(MPI_File_sync(f) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK(truncate(path, 1000) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_get_size(f, &bytes) == MPI_SUCCESS && bytes == 1000);
  CHECK(MPI_File_read_at(f, 0, in, mib, MPI_BYTE, &status) == MPI_SUCCESS);
  MPI_Get_count(&status, MPI_BYTE, &n);
  CHECK(n == 1000);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_write_at(f, (MPI_Offset)mib * (rank + 1), out, mib, MPI_BYTE, &status) == MPI_SUCCESS);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  const int fd = open(path, O_RDONLY);
  CHECK(fd >= 0 && pread(fd, in, mib, (off_t)mib * (rank + 1)) == mib && memcmp(in, out, mib) == 0);
  CHECK(pread(fd, in, 10, 1000) == 10); /* nobody has written it again: zeros */
  for (int i = 0; i < 10; i++) CHECK(in[i] == 0);
  close(fd);
  remove_all();
}

/* What says that it has no bytes has some; what is no file for writing says so. */
static void strange(void) {
  MPI_File f;
  MPI_Status status;
  int n;
  CHECK(MPI_File_open(MPI_COMM_WORLD, "/proc/self/status", MPI_MODE_RDONLY, none, &f) == MPI_SUCCESS);
  CHECK(MPI_File_read_at(f, 0, in, 5, MPI_BYTE, &status) == MPI_SUCCESS);
  MPI_Get_count(&status, MPI_BYTE, &n);
  CHECK(n == 5 && memcmp(in, "Name:", 5) == 0);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  CHECK(MPI_File_open(MPI_COMM_WORLD, "/dev/zero", MPI_MODE_RDWR, none, &f) == MPI_SUCCESS);
  memset(in, 1, 1000);
  CHECK(MPI_File_read_at_all(f, 5000, in, 1000, MPI_BYTE, &status) == MPI_SUCCESS);
  for (int i = 0; i < 1000; i++) CHECK(in[i] == 0);
  CHECK(MPI_File_write_at(f, 5000, in, 1000, MPI_BYTE, &status) == MPI_SUCCESS);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  if (rank == 0) CHECK(symlink("nowhere/at/all", other) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_FAILS(MPI_File_open(MPI_COMM_WORLD, other, MPI_MODE_RDWR, none, &f), MPI_ERR_NO_SUCH_FILE);
  if (rank == 0) CHECK(unlink(other) == 0 && symlink("other", other) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (on_loadstone())
    CHECK_FAILS(MPI_File_open(MPI_COMM_WORLD, other, MPI_MODE_RDWR, none, &f), MPI_ERR_BAD_FILE);
  remove_all();
}

/* With /dev/full every write fails, and says that there is no space. */
static void full(void) {
  MPI_File f;
  MPI_Request request;
  CHECK(MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_WRONLY, none, &f) == MPI_SUCCESS);
  CHECK_FAILS(MPI_File_write_at(f, 0, out, 10, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  CHECK_FAILS(MPI_File_write_at_all(f, 0, out, 10, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  CHECK_FAILS(MPI_File_write_ordered(f, out, 10, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  CHECK_FAILS(MPI_File_write_shared(f, out, 10, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  CHECK(MPI_File_iwrite(f, out, 10, MPI_BYTE, &request) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  CHECK(MPI_File_write_all_begin(f, out, 10, MPI_BYTE) == MPI_SUCCESS);
  CHECK_FAILS(MPI_File_write_all_end(f, out, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

/* Threads of a rank on one handle, or on one each: each has cells of its own, and knows what is in them. */
enum { cells = 24 };
struct work {
  MPI_File file;
  int number;
};
static unsigned next(unsigned* seed) {
  return *seed = *seed * 1664525u + 1013904223u, *seed >> 8;
}
static int cell_bytes(int cell) {
  return cell % 3 == 0 ? 100 : cell % 3 == 1 ? 20000 : 70000;
}

static void* thread(void* argument) {
  const struct work w = *(struct work*)argument;
  unsigned char* const mine = calloc(1, 70000);
  int content[cells] = {0};
  unsigned seed = 77u + (unsigned)(100 * rank + w.number);
  const MPI_Offset begin = (MPI_Offset)70000 * cells * (rank * threads + w.number);
  for (int step = 0; step < steps; step++) {
    const int cell = (int)(next(&seed) % cells), n = cell_bytes(cell);
    const MPI_Offset at = begin + (MPI_Offset)70000 * cell;
    const int later = next(&seed) % 2;
    MPI_Request request;
    MPI_Status status;
    int got;
    if (next(&seed) % 2) {
      content[cell] = 1 + step;
      for (int i = 0; i < n; i++) mine[i] = value(content[cell], i);
      if (later) {
        CHECK(MPI_File_iwrite_at(w.file, at, mine, n, MPI_BYTE, &request) == MPI_SUCCESS);
        CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS);
      } else {
        CHECK(MPI_File_write_at(w.file, at, mine, n, MPI_BYTE, &status) == MPI_SUCCESS);
      }
    } else if (content[cell] != 0) {
      memset(mine, 0, (size_t)n);
      if (later) {
        CHECK(MPI_File_iread_at(w.file, at, mine, n, MPI_BYTE, &request) == MPI_SUCCESS);
        CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS);
      } else {
        CHECK(MPI_File_read_at(w.file, at, mine, n, MPI_BYTE, &status) == MPI_SUCCESS);
      }
      MPI_Get_count(&status, MPI_BYTE, &got);
      CHECK(got == n);
      for (int i = 0; i < n; i++) CHECK(mine[i] == value(content[cell], i));
    }
  }
  free(mine);
  return NULL;
}

static void together(int own_handles) {
  MPI_File f[threads];
  pthread_t running[threads];
  struct work w[threads];
  for (int i = 0; i < threads; i++) {
    if (i == 0 || own_handles) CHECK(MPI_File_open(MPI_COMM_WORLD, path, fresh, none, &f[i]) == MPI_SUCCESS);
    w[i] = (struct work){own_handles ? f[i] : f[0], i};
  }
  for (int i = 0; i < threads; i++) CHECK(pthread_create(&running[i], NULL, thread, &w[i]) == 0);
  for (int i = 0; i < threads; i++) pthread_join(running[i], NULL);
  for (int i = 0; i < (own_handles ? threads : 1); i++) CHECK(MPI_File_close(&f[i]) == MPI_SUCCESS);
  remove_all();
}

/* Records of all threads through one shared pointer: each once, none torn. */
enum { record = 1000 };
static void* record_thread(void* argument) {
  const struct work w = *(struct work*)argument;
  unsigned char mine[record];
  for (int i = 0; i < steps; i++) {
    memset(mine, rank * threads + w.number, record);
    mine[0] = (unsigned char)i;
    CHECK(MPI_File_write_shared(w.file, mine, record, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  }
  return NULL;
}

static void shared_records(void) {
  MPI_File f;
  pthread_t running[threads];
  struct work w[threads];
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, fresh, none, &f) == MPI_SUCCESS);
  for (int i = 0; i < threads; i++) {
    w[i] = (struct work){f, i};
    CHECK(pthread_create(&running[i], NULL, record_thread, &w[i]) == 0);
  }
  for (int i = 0; i < threads; i++) pthread_join(running[i], NULL);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    int seen[256] = {0};
    const int fd = open(path, O_RDONLY);
    int records = 0;
    for (; read(fd, in, record) == record; records++) {
      const int who = in[1];
      CHECK(who < size * threads && in[0] == seen[who]); /* of one thread: in its order */
      seen[who]++;
      for (int i = 2; i < record; i++) CHECK(in[i] == who);
    }
    CHECK(records == size * threads * steps);
    close(fd);
  }
  remove_all();
}

/* Atomic mode: writes of all ranks to the same bytes; whoever reads sees one of them, whole. */
static void atomic_mode(void) {
  enum { bytes = 40000 };
  MPI_File f;
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, fresh, none, &f) == MPI_SUCCESS);
  CHECK(MPI_File_set_atomicity(f, 1) == MPI_SUCCESS);
  memset(out, rank, bytes);
  CHECK(MPI_File_write_at_all(f, 0, out, bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  for (int i = 0; i < 60; i++) {
    if ((i + rank) % 2) {
      memset(out, rank + size * (i % 3), bytes);
      CHECK(MPI_File_write_at(f, 0, out, bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    } else {
      CHECK(MPI_File_read_at(f, 0, in, bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
      for (int k = 1; k < bytes; k++) CHECK(in[k] == in[0]);
    }
  }
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  remove_all();
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  start_world(argc, argv);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  if (rank == 0) {
    strcpy(folder, "file-others-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
  }
  MPI_Bcast(folder, sizeof folder, MPI_BYTE, 0, MPI_COMM_WORLD);
  snprintf(path, sizeof path, "%s/file", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  several_times();
  removed();
  cut();
  strange();
  full();
  together(0);
  together(1);
  shared_records();
  atomic_mode();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK(rmdir(folder) == 0);
  MPI_Finalize();
  return 0;
}
