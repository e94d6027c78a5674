/* What the performance variables of files say, beside what the program has written. */
#include "check.h"

static MPI_T_pvar_session session;

/* The variable `name` of a file, or of the process (file: NULL). */
static unsigned long long figure(const char* name, MPI_File* file) {
  int n, count, found = -1;
  unsigned long long value = ~0ull;
  MPI_T_pvar_handle handle;
  MPI_T_pvar_get_num(&n);
  for (int i = 0; i < n && found < 0; ++i) {
    char its[64];
    int length = sizeof its, class, bind;
    MPI_Datatype type;
    CHECK(MPI_T_pvar_get_info(i, its, &length, NULL, &class, &type, NULL, NULL, NULL, &bind, NULL, NULL,
                              NULL) == MPI_SUCCESS);
    if (strcmp(its, name) != 0) continue;
    CHECK(bind == (file != NULL ? MPI_T_BIND_MPI_FILE : MPI_T_BIND_NO_OBJECT));
    CHECK(type == (class == MPI_T_PVAR_CLASS_PERCENTAGE ? MPI_DOUBLE : MPI_UNSIGNED_LONG_LONG));
    found = i;
  }
  CHECK(found >= 0);
  CHECK(MPI_T_pvar_handle_alloc(session, found, file, &handle, &count) == MPI_SUCCESS && count == 1);
  CHECK(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS);
  return value;
}

static unsigned long long of_all(unsigned long long mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  return mine;
}

enum { PIECE = 1 << 20, SHORT = 1000, PIECES = 5 };

int main(int argc, char** argv) {
  int provided, index, count;
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  if (!on_loadstone()) return MPI_Finalize();
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_pvar_session_create(&session);
  char* data = malloc(PIECE);
  memset(data, 1 + rank, PIECE);
  MPI_Info direct;
  MPI_Info_create(&direct);
  MPI_Info_set(direct, "loadstone_io_buffer", "false");

  MPI_File f, g;
  char name[40];
  snprintf(name, sizeof name, "file_figures_a.%d", size); /* others of these tests may run beside */
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &f);
  name[strlen("file_figures_")] = 'b';
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, direct, &g);
  const MPI_Offset from = (MPI_Offset)rank * PIECES * PIECE;
  for (int i = 0; i < PIECES; ++i) {
    MPI_File_write_at(f, from + i * PIECE, data, PIECE, MPI_CHAR, MPI_STATUS_IGNORE);
    if (i != 0) MPI_File_write_at_all(g, from + i * PIECE, data, PIECE, MPI_CHAR, MPI_STATUS_IGNORE);
  }
  CHECK(figure("file_buffered_bytes", &f) + figure("file_overflow_bytes", &f) == PIECES * PIECE);
  CHECK(figure("file_synchronous_bytes", &f) == 0);
  CHECK(figure("file_buffered_bytes", &f) > 0 && figure("file_copy_ns", &f) > 0);
  /* Too short to be handed over; and what is written in atomic mode. */
  MPI_File_write_at(f, from, data, SHORT, MPI_CHAR, MPI_STATUS_IGNORE);
  CHECK(figure("file_synchronous_bytes", &f) == SHORT && figure("file_disk_ns", &f) > 0);
  MPI_File_set_atomicity(f, 1);
  MPI_File_write_at(f, from, data, PIECE, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_set_atomicity(f, 0);
  CHECK(figure("file_synchronous_bytes", &f) == SHORT + PIECE);
  MPI_File_sync(f);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(figure("file_carried_bytes", &f) == of_all(figure("file_buffered_bytes", &f)));
  double hidden;
  unsigned long long bits = figure("file_hidden", &f);
  memcpy(&hidden, &bits, sizeof hidden);
  CHECK(hidden >= 0 && hidden <= 1);

  CHECK(figure("file_buffered_bytes", &g) == 0 && figure("file_overflow_bytes", &g) == 0);
  CHECK(of_all(figure("file_synchronous_bytes", &g)) == (unsigned long long)size * (PIECES - 1) * PIECE);
  bits = figure("file_hidden", &g);
  memcpy(&hidden, &bits, sizeof hidden);
  CHECK(hidden == 0);

  /* The process has written both. */
  CHECK(figure("io_buffered_bytes", NULL) == figure("file_buffered_bytes", &f));
  CHECK(figure("io_overflow_bytes", NULL) == figure("file_overflow_bytes", &f));
  CHECK(figure("io_synchronous_bytes", NULL) ==
        figure("file_synchronous_bytes", &f) + figure("file_synchronous_bytes", &g));
  CHECK(figure("io_disk_ns", NULL) == figure("file_disk_ns", &f) + figure("file_disk_ns", &g));

  /* A handle is of one file, as long as that is open. */
  MPI_T_pvar_handle handle;
  CHECK(MPI_T_pvar_get_index("file_synchronous_bytes", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_handle_alloc(session, index, &g, &handle, &count) == MPI_SUCCESS);
  MPI_File_close(&g);
  CHECK(MPI_T_pvar_read(session, handle, &bits) == MPI_T_ERR_INVALID_HANDLE);
  CHECK(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_handle_alloc(session, index, &g, &handle, &count) == MPI_T_ERR_INVALID_HANDLE);
  MPI_File_close(&f);
  MPI_T_pvar_session_free(&session);
  MPI_Info_free(&direct);
  free(data);
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
