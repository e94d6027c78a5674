/* Writes of different processes to the same bytes, with no more than a barrier between them, or of one process alone and
 * through others: the later one is what remains, whatever buffers hold. The standard asks for MPI_File_sync there, and for
 * none within one process; HDF5 relies on it. Usage: file_order RANKS [FOLDER] */
#include "check.h"

enum { all = 1 << 19 }; /* ints of the file */

static int data[all], is[all];

static void expect(MPI_File f, int round, int from, int count, int inside, int outside) {
  MPI_Status status;
  int n;
  CHECK(MPI_File_read_at(f, 0, is, all, MPI_INT, &status) == MPI_SUCCESS);
  CHECK(MPI_Get_count(&status, MPI_INT, &n) == MPI_SUCCESS && n == all);
  for (int i = 0; i < all; ++i) {
    const int wanted = i >= from && i < from + count ? inside : outside;
    if (is[i] != wanted)
      fprintf(stderr, "rank %d, round %d: int %d is %d instead of %d\n", rank, round, i, is[i], wanted);
    CHECK(is[i] == wanted);
  }
}

static void fill(int count, int with) {
  for (int i = 0; i < count; ++i) data[i] = with;
}

int main(int argc, char** argv) {
  char name[4096];
  MPI_File f;
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  snprintf(name, sizeof name, "%s/file_order.%d", argc > 2 ? argv[2] : "/tmp", size);
  CHECK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &f) == MPI_SUCCESS);
  for (int round = 1; round <= 24; ++round) {
    const int first = round % size, second = (round + 1) % size;
    const int count = round % 3 == 0   ? 100
                      : round % 3 == 1 ? 1 << 13
                                       : 1 << 17; /* of which the first is not buffered */
    const int from = round * 1000;
    if (rank == first) {
      fill(all, round);
      CHECK(MPI_File_write_at(f, 0, data, all, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == second) {
      fill(count, -round);
      CHECK(MPI_File_write_at(f, from * (MPI_Offset)sizeof(int), data, count, MPI_INT, MPI_STATUS_IGNORE) ==
            MPI_SUCCESS);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect(f, round, from, count, -round, round);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  /* All together, so that each writes what belongs to another, and then alone what is its own. */
  const int piece = 1 << 12, part = all / size / piece * piece;
  const MPI_Aint bytes = piece * (MPI_Aint)sizeof(int);
  MPI_Datatype some, every;
  MPI_Type_contiguous(piece, MPI_INT, &some);
  MPI_Type_create_resized(some, 0, size * bytes, &every);
  MPI_Type_commit(&every);
  MPI_Type_free(&some);
  MPI_File_set_view(f, rank * bytes, MPI_INT, every, "native", MPI_INFO_NULL);
  for (int round = 1; round <= 12; ++round) {
    const int again = round % 2 ? part : 10;
    fill(part, round * 100 + rank);
    CHECK(MPI_File_write_at_all(f, 0, data, part, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    fill(again, -round);
    CHECK(MPI_File_write_at(f, 0, data, again, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(MPI_File_read_at(f, 0, is, part, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    for (int i = 0; i < part; ++i) CHECK(is[i] == (i < again ? -round : round * 100 + rank));
  }
  MPI_Type_free(&every);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}
