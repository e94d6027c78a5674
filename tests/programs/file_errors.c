/* Each error of the system comes out of the right call, at every rank of a collective one, with its class, the file's
 * name, offset and bytes; at once, or, of writes that had been accepted, with the next call. The errors are made by
 * failing_files.c, which must be in LD_PRELOAD. The last part: no memory at one rank of a collective access. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

enum { mib = 1 << 20 };
static char folder[200], path[400];
static unsigned char *out, *in;
static MPI_File f;

static const struct {
  int number, error_class;
} errors[] = {
    {EDQUOT, MPI_ERR_QUOTA},      {EFBIG, MPI_ERR_QUOTA},
    {ENOSPC, MPI_ERR_NO_SPACE},   {EIO, MPI_ERR_IO},
    {EROFS, MPI_ERR_READ_ONLY},   {ETXTBSY, MPI_ERR_FILE_IN_USE},
    {EBUSY, MPI_ERR_FILE_IN_USE}, {EACCES, MPI_ERR_ACCESS},
    {EPERM, MPI_ERR_ACCESS},      {ENOMEM, MPI_ERR_NO_MEM},
    {ESTALE, MPI_ERR_IO},         {ENAMETOOLONG, MPI_ERR_BAD_FILE},
};
enum { error_count = sizeof errors / sizeof *errors };

/* Fails as it should, and says of which file and why. */
#define FAILS(call, error)                                                 \
  do {                                                                     \
    CHECK_FAILS(call, errors[error].error_class);                          \
    error_says(errors[error].error_class, path);                           \
    error_says(errors[error].error_class, strerror(errors[error].number)); \
  } while (0)

static void name_it(const char* call, int error, const char* from) {
  snprintf(path, sizeof path, "%s/data.fail.%s.%d%s", folder, call, errors[error].number, from);
}

static void open_it(MPI_Comm comm, const char* buffer) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "loadstone_io_buffer", buffer);
  CHECK(MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f) == MPI_SUCCESS);
  MPI_Info_free(&info);
}

static void close_and_remove(MPI_Comm comm) {
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  MPI_Barrier(comm);
  if (comm == MPI_COMM_SELF || rank == 0) unlink(path);
  MPI_Barrier(comm);
}

/* What the last rank has lost comes out of a collective call, though the first one is the only aggregator. */
static void lost_by_who_makes_no_access(int e, MPI_Datatype every, const char* from) {
  int code = MPI_SUCCESS;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "loadstone_io_buffer", "true");
  MPI_Info_set(info, "collective_buffering", "true");
  MPI_Info_set(info, "cb_nodes", "1");
  for (int write = 0; write < 2; ++write) {
    name_it("pwritev", e, from);
    CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f) == MPI_SUCCESS);
    MPI_File_set_view(f, rank * 64, MPI_BYTE, every, "native", MPI_INFO_NULL);
    CHECK(MPI_File_write_all(f, out, 1024, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    if (rank == size - 1)
      CHECK(MPI_File_write_at(f, (MPI_Offset)rank * mib, out, mib, MPI_BYTE, MPI_STATUS_IGNORE) ==
            MPI_SUCCESS);
    MPI_File_set_view(f, rank * 64, MPI_BYTE, every, "native", MPI_INFO_NULL);
    for (int turn = 0; turn < 20000 && code == MPI_SUCCESS; ++turn) {
      usleep(500);
      code = write ? MPI_File_write_at_all(f, 0, out, 1024, MPI_BYTE, MPI_STATUS_IGNORE)
                   : MPI_File_read_at_all(f, 0, in, 1024, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    FAILS(code, e);
    error_says(errors[e].error_class, "1043576 bytes at offset ");
    code = MPI_SUCCESS;
    close_and_remove(MPI_COMM_WORLD);
  }
  MPI_Info_free(&info);
}

/* All ranks: the last one's part meets the error. */
static void collective_calls(int e) {
  char from[50];
  MPI_Status status;
  int n;
  snprintf(from, sizeof from, ".%d", (size - 1) * mib + 5000);
  const char* const rest = "1043576 bytes at offset ";
  name_it("pwritev", e, from);
  open_it(MPI_COMM_WORLD, "false");
  FAILS(MPI_File_write_at_all(f, (MPI_Offset)rank * mib, out, mib, MPI_BYTE, MPI_STATUS_IGNORE), e);
  error_says(errors[e].error_class, rest);
  close_and_remove(MPI_COMM_WORLD);

  if (on_loadstone()) {
    open_it(MPI_COMM_WORLD, "true");
    CHECK(MPI_File_write_at_all(f, (MPI_Offset)rank * mib, out, mib, MPI_BYTE, MPI_STATUS_IGNORE) ==
          MPI_SUCCESS);
    FAILS(MPI_File_sync(f), e);
    error_says(errors[e].error_class, rest);
    CHECK(MPI_File_sync(f) == MPI_SUCCESS); /* told once */
    const int good = rank < size - 1 ? mib : 5000;
    CHECK(MPI_File_read_at_all(f, (MPI_Offset)rank * mib, in, good, MPI_BYTE, &status) == MPI_SUCCESS);
    MPI_Get_count(&status, MPI_BYTE, &n);
    CHECK(n == good && memcmp(in, out, (size_t)good) == 0);
    close_and_remove(MPI_COMM_WORLD);
  }

  MPI_Datatype every;
  MPI_Type_vector(1024, 64, size * 64, MPI_BYTE, &every);
  MPI_Type_commit(&every);
  if (on_loadstone()) lost_by_who_makes_no_access(e, every, from);

  /* interleaved: an aggregator meets it */
  snprintf(from, sizeof from, ".%d", size * 64 * 1024 - 1);
  name_it("pwritev", e, from);
  open_it(MPI_COMM_WORLD, "false");
  MPI_File_set_view(f, rank * 64, MPI_BYTE, every, "native", MPI_INFO_NULL);
  FAILS(MPI_File_write_all(f, out, 64 * 1024, MPI_BYTE, MPI_STATUS_IGNORE), e);
  close_and_remove(MPI_COMM_WORLD);

  snprintf(from, sizeof from, ".%d", (size - 1) * mib + 5000);
  name_it("preadv", e, from);
  open_it(MPI_COMM_WORLD, "false");
  CHECK(MPI_File_write_at_all(f, (MPI_Offset)rank * mib, out, mib, MPI_BYTE, MPI_STATUS_IGNORE) ==
        MPI_SUCCESS);
  FAILS(MPI_File_read_at_all(f, (MPI_Offset)rank * mib, in, mib, MPI_BYTE, MPI_STATUS_IGNORE), e);
  error_says(errors[e].error_class, rest);
  MPI_File_set_view(f, rank * 64, MPI_BYTE, every, "native", MPI_INFO_NULL);
  CHECK(MPI_File_read_all(f, in, 1024, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  MPI_Type_free(&every);
  close_and_remove(MPI_COMM_WORLD);

  name_it("open", e, "");
  FAILS(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f), e);
  name_it("ftruncate", e, "");
  open_it(MPI_COMM_WORLD, "automatic");
  FAILS(MPI_File_set_size(f, 1000), e);
  close_and_remove(MPI_COMM_WORLD);
  name_it("fallocate", e, "");
  open_it(MPI_COMM_WORLD, "automatic");
  FAILS(MPI_File_preallocate(f, 1000), e);
  close_and_remove(MPI_COMM_WORLD);
  name_it("fsync", e, "");
  open_it(MPI_COMM_WORLD, "automatic");
  FAILS(MPI_File_sync(f), e);
  close_and_remove(MPI_COMM_WORLD);
  name_it("close", e, "");
  open_it(MPI_COMM_WORLD, "automatic");
  FAILS(MPI_File_close(&f), e);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    name_it("unlink", e, "");
    open_it(MPI_COMM_SELF, "automatic");
    CHECK(MPI_File_close(&f) == MPI_SUCCESS);
    FAILS(MPI_File_delete(path, MPI_INFO_NULL), e);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* How many bytes from there the last message calls lost. */
static int64_t lost_from(int64_t offset, int error) {
  char text[MPI_MAX_ERROR_STRING];
  long long bytes = 0, from = -1;
  int length;
  MPI_Error_string(errors[error].error_class, text, &length);
  for (const char* at = strchr(text, ','); at != NULL && from < 0; at = strchr(at + 1, ','))
    sscanf(at, ", %lld bytes at offset %lld", &bytes, &from);
  if (on_loadstone() && from != offset)
    fprintf(stderr, "says: %s; expected: offset %lld\n", text, (long long)offset);
  CHECK(!on_loadstone() || (from == offset && bytes > 0));
  return on_loadstone() ? bytes : mib;
}

/* Of one process: what a deferred error comes out of, and that it is told to the file that it is about. */
static void alone(int e) {
  char other[400];
  MPI_File g;
  name_it("pwritev", e, ".1048576");
  snprintf(other, sizeof other, "%s/good-%d", folder, rank);
  strcat(path, rank % 2 ? ".odd" : ".even");
  snprintf(path + strlen(path), 20, "%d", rank);
  for (int how = 0; how < 4; how++) {
    open_it(MPI_COMM_SELF, "true");
    CHECK(MPI_File_open(MPI_COMM_SELF, other, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &g) ==
          MPI_SUCCESS);
    CHECK(MPI_File_write(f, out, 2 * mib, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(MPI_File_write(g, out, 2 * mib, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(MPI_File_close(&g) == MPI_SUCCESS); /* not of this one */
    MPI_Request request;
    int code = MPI_SUCCESS;
    const double patience = MPI_Wtime() + 20;
    while (how < 3 && code == MPI_SUCCESS && MPI_Wtime() < patience) { /* until it has been carried */
      if (how == 0) code = MPI_File_write_at(f, 0, out, 20000, MPI_BYTE, MPI_STATUS_IGNORE);
      if (how == 1) code = MPI_File_read_at(f, 0, in, 10, MPI_BYTE, MPI_STATUS_IGNORE);
      if (how == 2) {
        CHECK(MPI_File_iwrite_at(f, 0, out, 20000, MPI_BYTE, &request) == MPI_SUCCESS);
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
    }
    if (how == 3) code = MPI_File_close(&f);
    FAILS(code, e);
    const int64_t told = lost_from(mib, e);
    if (how < 3) { /* what had not been tried by then, the close tells */
      code = MPI_File_close(&f);
      if (told == mib)
        CHECK(code == MPI_SUCCESS);
      else {
        FAILS(code, e);
        CHECK(told + lost_from(mib + told, e) == mib);
      }
    }
    unlink(path);
    unlink(other);
  }
}

/* One rank may have no memory for windows of aggregators: then each goes alone. If it has none for that, either (a sieve),
 * every rank gets to know. The next access is as before. */
static void no_memory(int poor, MPI_Comm comm) {
  MPI_Datatype every;
  MPI_Info info;
  struct rlimit before, now;
  long pages = 0;
  const int each = 4 * mib / 512;
  snprintf(path, sizeof path, "%s/memory", folder);
  open_it(MPI_COMM_WORLD, "false");
  MPI_Type_vector(each, 512, size * 512, MPI_BYTE, &every);
  MPI_Type_commit(&every);
  MPI_Info_create(&info);
  char members[20];
  snprintf(members, sizeof members, "%d", size);
  MPI_Info_set(info, "cb_nodes", members); /* each needs memory, whatever the number of cores */
  MPI_Info_set(info, "cb_buffer_size", "65536");
  MPI_File_set_view(f, rank * 512, MPI_BYTE, every, "native", info);
  CHECK(MPI_File_write_all(f, out, 64 * 1024, MPI_BYTE, MPI_STATUS_IGNORE) ==
        MPI_SUCCESS); /* all are connected */
  MPI_Info_set(info, "cb_buffer_size", "1073741824");
  MPI_File_set_info(f, info);
  MPI_Info_free(&info);
  for (int write = 0; write < 2; write++) {
    MPI_File_seek(f, 0, MPI_SEEK_SET);
    getrlimit(RLIMIT_AS, &before);
    now = before;
    FILE* statm = fopen("/proc/self/statm", "r");
    CHECK(fscanf(statm, "%ld", &pages) == 1);
    fclose(statm);
    now.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + mib;
    if (rank == poor) setrlimit(RLIMIT_AS, &now);
    const int code = write ? MPI_File_write_all(f, out, 4 * mib, MPI_BYTE, MPI_STATUS_IGNORE)
                           : MPI_File_read_all(f, in, 4 * mib, MPI_BYTE, MPI_STATUS_IGNORE);
    setrlimit(RLIMIT_AS, &before);
    if (write)
      CHECK(code == MPI_SUCCESS);
    else
      CHECK_FAILS(code, MPI_ERR_NO_MEM);
    for (int again = !write; again < 2; again++) {
      MPI_File_seek(f, 0, MPI_SEEK_SET);
      if (again) CHECK(MPI_File_write_all(f, out, 4 * mib, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
      MPI_File_seek(f, 0, MPI_SEEK_SET);
      memset(in, 0, 4 * mib);
      CHECK(MPI_File_read_all(f, in, 4 * mib, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
      CHECK(memcmp(in, out, 4 * mib) == 0);
      for (int i = 0; i < 4 * mib; i++) out[i] ^= 0x55;
    }
  }
  MPI_Type_free(&every);
  close_and_remove(comm);
}

/* Pieces that lie by turns are stored into pages of the file that are in memory, without a call. The other way is tried
 * next, and meets the error. A part of it is in no page yet (a hole): that needs calls. */
static void in_pages(void) {
  MPI_Datatype every;
  name_it("pwritev", 3, "");
  for (int hole = 0; hole < 2; hole++) {
    if (rank == 0) {
      FILE* file = fopen(path, "w");
      memset(in, 0, mib);
      CHECK(file != NULL && fwrite(in, 1, mib, file) == mib && fflush(file) == 0);
      CHECK(ftruncate(fileno(file), hole ? size * mib : mib) == 0 && fclose(file) == 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    open_it(MPI_COMM_WORLD, "false");
    const int each = (hole ? size * mib : mib) / 64 / size; /* pieces */
    MPI_Type_vector(each, 64, size * 64, MPI_BYTE, &every);
    MPI_Type_commit(&every);
    MPI_File_set_view(f, rank * 64, MPI_BYTE, every, "native", MPI_INFO_NULL);
    MPI_Type_free(&every);
    if (hole) {
      FAILS(MPI_File_write_at_all(f, 0, out, 64 * each, MPI_BYTE, MPI_STATUS_IGNORE), 3);
    } else {
      CHECK(MPI_File_write_at_all(f, 0, out, 64 * each, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
      MPI_File_read_at_all(f, 0, in, 64 * each, MPI_BYTE, MPI_STATUS_IGNORE);
      CHECK(memcmp(in, out, 64 * (size_t)each) == 0);
      FAILS(MPI_File_write_at_all(f, 0, out, 64 * each, MPI_BYTE, MPI_STATUS_IGNORE), 3);
    }
    close_and_remove(MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  /* What is freed is given back, and no thread's arena has address space in reserve: no_memory() counts on it. */
  mallopt(M_MMAP_THRESHOLD, 1 << 17);
  mallopt(M_ARENA_MAX, 1);
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  out = malloc(4 * mib);
  in = malloc(4 * mib);
  for (int i = 0; i < 4 * mib; i++) out[i] = (unsigned char)(rank + i * 7 + (i >> 12));
  strcpy(folder, "file-errors-XXXXXX");
  if (rank == 0) CHECK(mkdtemp(folder) != NULL);
  MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int e = 0; e < error_count; e += size > 2 ? 5 : 1) { /* with many, some: it takes time */
    collective_calls(e);
    alone(e);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (size > 1) {
    in_pages();
    no_memory(0, MPI_COMM_WORLD);
    no_memory(size - 1, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  char command[300];
  snprintf(command, sizeof command, "rm -r %s", folder);
  unsetenv("LD_PRELOAD");
  if (rank == 0) CHECK(system(command) == 0);
  free(out);
  free(in);
  if (rank == 0) printf("passed\n");
  MPI_Finalize();
  return 0;
}
