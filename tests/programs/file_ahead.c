/* A program that walks through snapshots: the next is fetched while it computes, never more than the hint allows, and what
 * others have written meanwhile is what it reads. */
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "check.h"

static MPI_T_pvar_session session;

static unsigned long long figure(const char* name, MPI_File* file) {
  int index, count;
  unsigned long long value = ~0ull;
  MPI_T_pvar_handle handle;
  CHECK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_handle_alloc(session, index, file, &handle, &count) == MPI_SUCCESS && count == 1);
  CHECK(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS);
  return value;
}

enum { PIECE = 64, PIECES = 4096, PART = PIECE * PIECES, SNAPSHOTS = 6 };

static unsigned char* data;

static void fill(int snapshot, int of_rank, int version) {
  for (int i = 0; i < PART; ++i)
    data[i] = (unsigned char)(1 + (snapshot * 31 + of_rank * 7 + version * 101 + i / PIECE + i) % 251);
}
static void check_part(int snapshot, int of_rank, int version) {
  for (int i = 0; i < PART; ++i)
    if (data[i] != (unsigned char)(1 + (snapshot * 31 + of_rank * 7 + version * 101 + i / PIECE + i) % 251)) {
      CHECK(!"a wrong byte");
      return;
    }
}

static int in_memory(void) {
  struct statfs is;
  return statfs(".", &is) == 0 && is.f_type == TMPFS_MAGIC;
}

/* how: 0 collective, explicit offsets; 1 the individual pointer; 2 a view for each snapshot, alone */
static MPI_Offset place(MPI_File f, int how, int snapshot, MPI_Datatype pieces) {
  if (how == 2)
    MPI_File_set_view(f, ((MPI_Offset)snapshot * size * PART) + rank * PIECE, MPI_BYTE, pieces, "native",
                      MPI_INFO_NULL);
  return how == 2 ? 0 : (MPI_Offset)snapshot * PART;
}

static void walk(const char* limit, MPI_Offset most, int how, const char* style) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "loadstone_io_read_ahead", limit);
  if (style != NULL) MPI_Info_set(info, "access_style", style);
  MPI_File f;
  MPI_Datatype pieces, whole;
  MPI_Type_vector(PIECES, PIECE, size * PIECE, MPI_BYTE, &pieces);
  MPI_Type_create_resized(pieces, 0, (MPI_Aint)size * PART, &whole);
  MPI_Type_commit(&whole);
  char name[40];
  snprintf(name, sizeof name, "file_ahead.%d", size); /* others of these tests may run beside */
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &f);
  MPI_File_set_view(f, (MPI_Offset)rank * PIECE, MPI_BYTE, whole, "native", MPI_INFO_NULL);
  for (int i = 0; i < SNAPSHOTS; ++i) {
    fill(i, rank, 0);
    MPI_File_write_at_all(f, (MPI_Offset)i * PART, data, PART, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  MPI_File_sync(f);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(f);
  for (int i = 0; i < SNAPSHOTS; ++i) {
    MPI_Status status;
    const unsigned long long before = on_loadstone() ? figure("file_ahead_bytes", &f) : 0;
    const MPI_Offset at = place(f, how, i, whole);
    if (how == 0) MPI_File_read_at_all(f, at, data, PART, MPI_BYTE, &status);
    if (how == 1) MPI_File_read_all(f, data, PART, MPI_BYTE, &status);
    if (how == 2) MPI_File_read(f, data, PART, MPI_BYTE, &status);
    int n;
    MPI_Get_count(&status, MPI_BYTE, &n);
    CHECK(n == PART);
    check_part(i, rank, i == 0 ? 0 : 1);
    /* What comes next has been fetched, or is being: now it becomes something else, written by another rank. */
    if (i + 1 == SNAPSHOTS) break;
    if (on_loadstone() && most > 0 && i >= 2 && !in_memory()) {
      for (int waited = 0; waited < 5000 && figure("file_ahead_bytes", &f) == before; ++waited) usleep(1000);
      CHECK(figure("file_ahead_bytes", &f) > before);
    }
    const int other = (rank + 1) % size;
    fill(i + 1, other, 1);
    MPI_File_set_view(f, (MPI_Offset)other * PIECE, MPI_BYTE, whole, "native", MPI_INFO_NULL);
    MPI_File_write_at(f, (MPI_Offset)(i + 1) * PART, data, PART, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_sync(f);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(f);
    MPI_File_set_view(f, (MPI_Offset)rank * PIECE, MPI_BYTE, whole, "native", MPI_INFO_NULL);
    if (how == 1) MPI_File_seek(f, (MPI_Offset)(i + 1) * PART, MPI_SEEK_SET);
  }
  if (on_loadstone()) {
    CHECK(figure("file_read_bytes", &f) == (unsigned long long)SNAPSHOTS * PART);
    const unsigned long long ahead = figure("file_ahead_bytes", &f),
                             used = figure("file_ahead_used_bytes", &f);
    CHECK(used <= ahead);
    CHECK(ahead <= (unsigned long long)most * SNAPSHOTS);
    CHECK(most == 0 || in_memory() ? ahead == 0 : used > 0);
    char text[64];
    int found;
    MPI_Info used_info;
    MPI_File_get_info(f, &used_info);
    MPI_Info_get(used_info, "loadstone_io_read_ahead", 63, text, &found);
    const int random = style && strstr(style, "random");
    CHECK(random ? !found : found && strcmp(text, limit) == 0);
    /* What was given holds again when that has an end, also where hints that were got are given. */
    MPI_Info_set(used_info, "access_style", "sequential");
    MPI_File_set_info(f, used_info);
    MPI_Info_free(&used_info);
    MPI_File_get_info(f, &used_info);
    MPI_Info_get(used_info, "loadstone_io_read_ahead", 63, text, &found);
    CHECK(found && strcmp(text, limit) == 0);
    MPI_Info_free(&used_info);
  }
  MPI_File_close(&f);
  MPI_Type_free(&pieces);
  MPI_Type_free(&whole);
  MPI_Info_free(&info);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_pvar_session_create(&session);
  data = malloc(PART);
  for (int how = 0; how < 3; ++how) {
    walk("67108864", 64 << 20, how, NULL);
    walk("67108864", 64 << 20, how, "read_mostly,sequential");
    walk("67108864", 0, how, "read_once,random");
    walk("100000", 100000, how, NULL);
    walk("0", 0, how, NULL);
  }
  free(data);
  MPI_T_pvar_session_free(&session);
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
