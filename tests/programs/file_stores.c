/* Interleaved collective writes are stored into the file's pages where those are in memory and nothing is buffered,
 * without any hint. What lies in one piece is written by a call, and its pages are not looked at. */
#include <unistd.h>

#include "check.h"

#define PIECE 8
#define PIECES 4096

static char path[256];

static int is_mapped(void) {
  char line[1024];
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps) != NULL) found |= strstr(line, path) != NULL;
  fclose(maps);
  return found;
}

static void seen(MPI_File file) { /* by all, whoever has written it */
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
}

int main(int argc, char** argv) {
  int stored = 0;
  MPI_File file;
  MPI_Datatype type;
  static char mine[PIECE * PIECES], all[PIECE * PIECES * 16];
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  if (rank == 0) sprintf(path, "/dev/shm/file_stores.%ld", (long)getpid());
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (int turn = 0; turn < 3; ++turn) { /* from the second on in memory */
    memset(mine, 100 + turn + rank, sizeof mine);
    CHECK(MPI_File_write_at_all(file, (MPI_Offset)rank * (MPI_Offset)sizeof mine, mine, sizeof mine, MPI_BYTE,
                                MPI_STATUS_IGNORE) == MPI_SUCCESS);
  }
  seen(file);
  MPI_File_read_at(file, 0, all, PIECE * PIECES * size, MPI_BYTE, MPI_STATUS_IGNORE);
  for (int i = 0; i < PIECE * PIECES * size; ++i) CHECK(all[i] == 102 + i / (PIECE * PIECES));
  CHECK(!on_loadstone() || !is_mapped());
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Type_vector(PIECES, PIECE, PIECE * size, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_File_set_view(file, (MPI_Offset)PIECE * rank, MPI_BYTE, type, "native", MPI_INFO_NULL);
  for (int turn = 0; turn < 5; ++turn) { /* some of them the other way */
    memset(mine, 1 + turn * 16 + rank, sizeof mine);
    CHECK(MPI_File_write_at_all(file, 0, mine, sizeof mine, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    seen(file);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 0, all, PIECE * PIECES * size, MPI_BYTE, MPI_STATUS_IGNORE);
    for (int i = 0; i < PIECE * PIECES * size; ++i) CHECK(all[i] == 1 + turn * 16 + i / PIECE % size);
    MPI_File_set_view(file, (MPI_Offset)PIECE * rank, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    stored |= is_mapped();
  }
  /* An aggregator may map what it writes; here each does. */
  CHECK(!on_loadstone() || stored);
  for (int turn = 0; turn < 5; ++turn) { /* one piece of rank 0 among those of the others, its sixth */
    memset(mine, 90 + turn * 4 + rank, sizeof mine);
    CHECK(MPI_File_write_at_all(file, rank == 0 ? 5 * PIECE : 0, mine, rank == 0 ? PIECE : (int)sizeof mine,
                                MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    seen(file);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 0, all, PIECE * PIECES * size, MPI_BYTE, MPI_STATUS_IGNORE);
    for (int i = 0; i < PIECE * PIECES * size; ++i) {
      const int whose = i / PIECE % size;
      CHECK(all[i] == (whose == 0 && i / PIECE / size != 5 ? 1 + 4 * 16 : 90 + turn * 4 + whose));
    }
    MPI_File_set_view(file, (MPI_Offset)PIECE * rank, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Type_free(&type);
  MPI_File_close(&file);
  if (rank == 0) MPI_File_delete(path, MPI_INFO_NULL);
  MPI_Finalize();
  return 0;
}
