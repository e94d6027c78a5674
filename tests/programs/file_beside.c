/* Two handles of a file whose writes have no byte in common, and no order: rank 0 has its pieces carried behind its calls, past the page
 * cache where that can be; all others store theirs, which lie between, into pages. Nobody's data are damaged. With seconds as the second
 * argument, for so long. */
#include <time.h>
#include <unistd.h>

#include "check.h"

#define SLOT 65536
#define SLOTS 32 /* 2 MiB: the largest page that the system may have of a file */

static char path[256];
static double until;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static MPI_Info hint(const char* value) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "loadstone_io_buffer", value);
  return info;
}

static void fill(char* memory, size_t bytes, int n) {
  for (size_t i = 0; i < bytes; i += sizeof n) memcpy(memory + i, &n, sizeof n);
}

static void check(const char* memory, size_t bytes, int n) {
  for (size_t i = 0; i < bytes; i += sizeof n) {
    int got;
    memcpy(&got, memory + i, sizeof n);
    CHECK(got == n);
  }
}

static void carried(void) {
  static char slot[SLOT];
  int last[SLOTS] = {0};
  MPI_File file;
  MPI_Info info = hint("true");
  struct timespec nap = {0, 3000000};
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, info, &file);
  MPI_Info_free(&info);
  for (int n = 1; now() < until; ++n) {
    for (int s = 0; s < SLOTS; s += 2) {
      if ((s / 2 + n) % 3 == 0) continue;
      fill(slot, sizeof slot, last[s] = n * SLOTS + s);
      CHECK(MPI_File_write_at(file, (MPI_Offset)s * SLOT, slot, SLOT, MPI_BYTE, MPI_STATUS_IGNORE) ==
            MPI_SUCCESS);
    }
    nanosleep(&nap, NULL); /* who waits by a call is written for in another way */
    for (int s = 0; s < SLOTS; s += 2) {
      CHECK(MPI_File_read_at(file, (MPI_Offset)s * SLOT, slot, SLOT, MPI_BYTE, MPI_STATUS_IGNORE) ==
            MPI_SUCCESS);
      check(slot, sizeof slot, last[s]);
    }
  }
  MPI_File_sync(file);
  MPI_File_close(&file);
}

/* Each has its part of every other slot. */
static void stored(MPI_Comm comm) {
  static char mine[SLOT * SLOTS / 2], all[SLOT * SLOTS];
  int me, members, part, goes_on = 1, n = 0;
  MPI_Datatype type;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  part = SLOT / members / 4 * 4;
  MPI_Type_vector(SLOTS / 2, part, 2 * SLOT, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  while (goes_on) {
    MPI_File file;
    MPI_Info info = hint("false");
    MPI_File_open(comm, path, MPI_MODE_RDWR, info, &file);
    MPI_Info_free(&info);
    MPI_File_read_at(file, 0, all, SLOT * SLOTS, MPI_BYTE,
                     MPI_STATUS_IGNORE); /* so that all pages are in memory */
    for (int s = 1; s < SLOTS; s += 2) check(all + s * SLOT + me * part, (size_t)part, n);
    MPI_File_set_view(file, SLOT + me * part, MPI_BYTE, type, "native", MPI_INFO_NULL);
    ++n;
    fill(mine, (size_t)(part * SLOTS / 2), n);
    CHECK(MPI_File_write_at_all(file, 0, mine, part * SLOTS / 2, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    MPI_File_close(&file);
    goes_on = now() < until;
    MPI_Bcast(&goes_on, 1, MPI_INT, 0, comm);
  }
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  MPI_Comm side;
  MPI_File file;
  const char* folder = getenv("TMPDIR");
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  if (rank == 0)
    snprintf(path, sizeof path, "%s/file_beside.%ld", folder != NULL ? folder : "/var/tmp", (long)getpid());
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  if (rank == 0) {
    static char zeros[SLOT * SLOTS];
    MPI_File_write_at(file, 0, zeros, SLOT * SLOTS, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  until = now() + (argc > 2 ? atof(argv[2]) : 2);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &side);
  if (rank == 0)
    carried();
  else
    stored(side);
  MPI_Comm_free(&side);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_File_delete(path, MPI_INFO_NULL);
  MPI_Finalize();
  return 0;
}
