/* Files whose storage fails, or whose I/O process stands still; buffered and not: the error comes out of the right
 * call, once, with class, file, offset and bytes; nothing that was accepted is missing. Rank 0 does it, on a file
 * system of its own (4 MiB, in a mount namespace of its own), where it may make one. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "check.h"

enum { mib = 1 << 20 };
static char folder[200], path[300];
static unsigned char *out, *in;
static MPI_File f;
static int calls, seen_class;
static MPI_File seen_file;

static void note(MPI_File* file, int* code, ...) {
  seen_file = *file;
  calls++;
  MPI_Error_class(*code, &seen_class);
}

static void fill(int seed) {
  for (int i = 0; i < 8 * mib; i++) out[i] = (unsigned char)(seed + i * 7 + (i >> 12));
}

static void open_it(const char* buffer) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "loadstone_io_buffer", buffer);
  CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f) == MPI_SUCCESS);
  MPI_Info_free(&info);
}

static int write_all_of_it(void) {
  return MPI_File_write_at(f, 0, out, 8 * mib, MPI_BYTE, MPI_STATUS_IGNORE);
}

/* The I/O process may have a file open for a moment after it was closed and removed here. */
static void await_space(void) {
  struct statfs system;
  do CHECK(statfs(folder, &system) == 0);
  while (system.f_bfree != system.f_blocks && usleep(1000) == 0);
}

/* 3 MiB in pieces of 64 bytes, with gaps as long. Nothing of the file is there, but its size, so that space is missing
 * in the middle of it. */
static void full_of_pieces(const char* buffer) {
  MPI_Datatype pieces;
  MPI_Type_vector(3 * mib / 64, 64, 128, MPI_BYTE, &pieces);
  MPI_Type_commit(&pieces);
  fill(3);
  await_space();
  open_it(buffer);
  CHECK(MPI_File_set_size(f, 6 * mib) == MPI_SUCCESS);
  CHECK(MPI_File_set_view(f, 0, MPI_BYTE, pieces, "native", MPI_INFO_NULL) == MPI_SUCCESS);
  CHECK_FAILS(MPI_File_write(f, out, 3 * mib, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  error_says(MPI_ERR_NO_SPACE, path);
  error_says(MPI_ERR_NO_SPACE, "64 bytes at offset 4194304");
  memset(in, 1, 2 * mib);
  MPI_Status status;
  int n;
  CHECK(MPI_File_read_at(f, 0, in, 2 * mib, MPI_BYTE, &status) == MPI_SUCCESS);
  MPI_Get_count(&status, MPI_BYTE, &n);
  CHECK(n == 2 * mib && memcmp(in, out, 2 * mib) == 0);
  CHECK(MPI_File_set_size(f, 0) == MPI_SUCCESS);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  MPI_Type_free(&pieces);
}

static void full(void) {
  fill(1);
  open_it("false");
  CHECK_FAILS(write_all_of_it(), MPI_ERR_NO_SPACE);
  error_says(MPI_ERR_NO_SPACE, path);
  error_says(MPI_ERR_NO_SPACE, "4194304 bytes at offset 4194304");
  CHECK(MPI_File_set_size(f, 0) == MPI_SUCCESS);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);

  if (!on_loadstone()) return;
  /* accepted, and told by the next call that can say so, once */
  open_it("true");
  CHECK(write_all_of_it() == MPI_SUCCESS);
  CHECK_FAILS(MPI_File_sync(f), MPI_ERR_NO_SPACE);
  error_says(MPI_ERR_NO_SPACE, path);
  error_says(MPI_ERR_NO_SPACE, "4194304 bytes at offset 4194304");
  CHECK(MPI_File_sync(f) == MPI_SUCCESS);
  MPI_Status status;
  int n;
  CHECK(MPI_File_read_at(f, 0, in, 8 * mib, MPI_BYTE, &status) == MPI_SUCCESS);
  MPI_Get_count(&status, MPI_BYTE, &n);
  CHECK(n == 4 * mib && memcmp(in, out, 4 * mib) == 0);

  /* told by a read, as soon as it cannot have the bytes any more */
  fill(2);
  CHECK(write_all_of_it() == MPI_SUCCESS);
  int code = MPI_SUCCESS;
  for (int i = 0; i < 5000 && code == MPI_SUCCESS; i++) {
    code = MPI_File_read_at(f, 0, in, 8 * mib, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &n);
    CHECK(code != MPI_SUCCESS || (n == 8 * mib && memcmp(in, out, 8 * mib) == 0));
  }
  CHECK_FAILS(code, MPI_ERR_NO_SPACE);
  error_says(MPI_ERR_NO_SPACE, "4194304 bytes at offset 4194304");
  CHECK(MPI_File_sync(f) == MPI_SUCCESS);

  /* told by the close, to the file's own handler, although the user has freed it */
  MPI_Errhandler own;
  MPI_File_create_errhandler(note, &own);
  CHECK(MPI_File_set_errhandler(f, own) == MPI_SUCCESS);
  MPI_Errhandler_free(&own);
  CHECK(write_all_of_it() == MPI_SUCCESS && calls == 0);
  CHECK_FAILS(MPI_File_close(&f), MPI_ERR_NO_SPACE);
  CHECK(calls == 1 && seen_class == MPI_ERR_NO_SPACE);
  CHECK(seen_file == MPI_FILE_NULL || !on_loadstone()); /* it is gone */
  CHECK(MPI_File_delete(path, MPI_INFO_NULL) == MPI_SUCCESS);
}

static void read_only(void) {
  char where[300], name[400];
  snprintf(where, sizeof where, "%s/fixed", folder);
  snprintf(name, sizeof name, "%s/data", where);
  mkdir(where, 0700);
  CHECK(mount("none", where, "tmpfs", MS_RDONLY, "") == 0);
  CHECK_FAILS(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f),
              MPI_ERR_READ_ONLY);
  error_says(MPI_ERR_READ_ONLY, name);
  CHECK_FAILS(MPI_File_delete(name, MPI_INFO_NULL), MPI_ERR_READ_ONLY);
}

/* A sibling: mpiexec's child. */
static pid_t io_process(void) {
  DIR* all = opendir("/proc");
  pid_t found = 0;
  for (struct dirent* e; all != NULL && found == 0 && (e = readdir(all)) != NULL;) {
    char name[300], line[100] = "";
    int parent = 0;
    snprintf(name, sizeof name, "/proc/%s/stat", e->d_name);
    FILE* stat = atoi(e->d_name) > 0 ? fopen(name, "r") : NULL;
    if (stat == NULL) continue;
    if (fscanf(stat, "%*d (%99[^)]) %*c %d", line, &parent) == 2 && strcmp(line, "loadstone-io") == 0 &&
        parent == getppid())
      found = atoi(e->d_name);
    fclose(stat);
  }
  if (all != NULL) closedir(all);
  return found;
}

static void standing_still(void) {
  fill(5);
  open_it("true");
  const pid_t io = io_process();
  CHECK(io > 0);
  CHECK(MPI_File_set_size(f, 100) == MPI_SUCCESS);
  kill(io, SIGSTOP);
  CHECK(MPI_File_write_at(f, 5000, out, 2 * mib, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_File_write_at(f, 70000, out + 70, 100000, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  memmove(out + 65000, out + 70, 100000);
  MPI_Offset bytes;
  CHECK(MPI_File_get_size(f, &bytes) == MPI_SUCCESS && bytes == 5000 + 2 * mib);
  MPI_Status status;
  int n;
  for (int twice = 0; twice < 2; twice++) { /* from the buffer, and from the file */
    memset(in, 1, 5000);
    CHECK(MPI_File_read_at(f, 0, in, 3 * mib, MPI_BYTE, &status) == MPI_SUCCESS);
    MPI_Get_count(&status, MPI_BYTE, &n);
    CHECK(n == bytes && memcmp(in + 5000, out, 2 * mib) == 0);
    for (int i = 0; i < 5000; i++) CHECK(in[i] == 0);
    if (twice == 0) {
      kill(io, SIGCONT);
      CHECK(MPI_File_sync(f) == MPI_SUCCESS);
    }
  }
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    out = malloc(8 * mib);
    in = malloc(8 * mib);
    strcpy(folder, "file-faults-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/data", folder);
    const int own_system = unshare(CLONE_NEWNS) == 0 &&
                           mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                           mount("none", folder, "tmpfs", 0, "size=4m") == 0;
    if (own_system) {
      full();
      full_of_pieces("false");
      full_of_pieces("true");
      read_only();
    } else {
      printf("no file system can be mounted here: errors of storage are not tested\n");
    }
    if (on_loadstone()) standing_still();
    unlink(path);
    if (own_system) {
      umount2(folder, MNT_DETACH);
    }
    rmdir(folder);
    free(out);
    free(in);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("passed\n");
  MPI_Finalize();
  return 0;
}
