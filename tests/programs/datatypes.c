/* Derived datatypes through the API: constructors, queries, contents, messages, packing, statuses. */
#include "check.h"

/* Sends what is described by (type, count) at `from` to the right and receives it into `to` with the same
 * description. */
static void around(const void* from, void* to, int count, MPI_Datatype type) {
  MPI_Status status;
  int got;
  MPI_Sendrecv(from, count, type, (rank + 1) % size, 3, to, count, type, (rank + size - 1) % size, 3,
               MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &got);
  CHECK(got == count);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Datatype column, block, pieces, record, sub, copy, wide;
  MPI_Aint lb, extent;
  int bytes, n;
  double matrix[20][20], got[20][20];
  for (int i = 0; i < 400; ++i) (&matrix[0][0])[i] = i, (&got[0][0])[i] = -1;

  MPI_Type_vector(20, 1, 20, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Type_size(column, &bytes);
  MPI_Type_get_extent(column, &lb, &extent);
  CHECK(bytes == 160 && lb == 0 && extent == (MPI_Aint)sizeof(double) * 381);
  around(&matrix[0][2], &got[0][5], 1, column);
  for (int i = 0; i < 20; ++i) CHECK(got[i][5] == matrix[i][2] && got[i][4] == -1);

  const int sizes[2] = {20, 20}, subsizes[2] = {3, 4}, starts[2] = {5, 6};
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &sub);
  MPI_Type_commit(&sub);
  around(matrix, got, 1, sub);
  for (int i = 5; i < 8; ++i)
    for (int k = 6; k < 10; ++k) CHECK(got[i][k] == matrix[i][k]);
  CHECK(got[5][10] == -1 && got[8][6] == -1);

  const int lengths[3] = {2, 0, 3}, places[3] = {4, 9, 0};
  MPI_Type_indexed(3, lengths, places, MPI_INT, &pieces);
  MPI_Type_commit(&pieces);
  int from[16], to[16];
  for (int i = 0; i < 16; ++i) from[i] = rank * 100 + i, to[i] = -1;
  around(from, to, 2, pieces);
  const int left = (rank + size - 1) % size;
  for (int i = 0; i < 12; ++i) {
    const int in_first = i == 4 || i == 5 || i < 3, in_second = i == 10 || i == 11 || (i >= 6 && i < 9);
    CHECK(to[i] == (in_first || in_second ? left * 100 + i : -1));
  }

  struct thing {
    char c;
    double d[2];
    int i;
  } things[3], others[3];
  const int counts[3] = {1, 2, 1};
  MPI_Aint offsets[3], base;
  MPI_Get_address(&things[0], &base);
  MPI_Get_address(&things[0].c, &offsets[0]);
  MPI_Get_address(&things[0].d, &offsets[1]);
  MPI_Get_address(&things[0].i, &offsets[2]);
  for (int i = 0; i < 3; ++i) offsets[i] = MPI_Aint_diff(offsets[i], base);
  const MPI_Datatype parts[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype raw;
  MPI_Type_create_struct(3, counts, offsets, parts, &raw);
  MPI_Type_create_resized(raw, 0, sizeof(struct thing), &record);
  MPI_Type_commit(&record);
  for (int i = 0; i < 3; ++i) things[i] = (struct thing){(char)('a' + i), {i + 0.5, i + 0.25}, i + rank};
  around(things, others, 3, record);
  for (int i = 0; i < 3; ++i)
    CHECK(others[i].c == 'a' + i && others[i].d[0] == i + 0.5 && others[i].d[1] == i + 0.25 &&
          others[i].i == i + left);

  int integers, addresses, datatypes, combiner;
  MPI_Type_get_envelope(record, &integers, &addresses, &datatypes, &combiner);
  CHECK(combiner == MPI_COMBINER_RESIZED && addresses == 2 && datatypes == 1);
  MPI_Aint where[2];
  MPI_Datatype inner[3];
  MPI_Type_get_contents(record, 0, 2, 1, NULL, where, inner);
  CHECK(where[0] == 0 && where[1] == (MPI_Aint)sizeof(struct thing));
  MPI_Type_get_envelope(inner[0], &integers, &addresses, &datatypes, &combiner);
  CHECK(combiner == MPI_COMBINER_STRUCT && integers == 4 && addresses == 3 && datatypes == 3);
  int numbers[4];
  MPI_Aint at[3];
  MPI_Datatype kinds[3];
  MPI_Type_get_contents(inner[0], 4, 3, 3, numbers, at, kinds);
  CHECK(numbers[0] == 3 && numbers[2] == 2 && at[1] == offsets[1] && kinds[0] == MPI_CHAR &&
        kinds[1] == MPI_DOUBLE);
  MPI_Type_free(&inner[0]);
  MPI_Type_get_envelope(MPI_INT, &integers, &addresses, &datatypes, &combiner);
  CHECK(combiner == MPI_COMBINER_NAMED);
  MPI_Type_free(&raw);

  MPI_Type_create_indexed_block(2, 2, (const int[]){0, 5}, MPI_SHORT, &block);
  MPI_Type_commit(&block);
  MPI_Type_size(block, &bytes);
  CHECK(bytes == 8);
  MPI_Type_dup(record, &copy);
  MPI_Type_set_name(copy, "thing");
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Type_get_name(copy, name, &n);
  CHECK(strcmp(name, "thing") == 0);
  MPI_Type_get_name(MPI_INT, name, &n);
  CHECK(strcmp(name, "MPI_INT") == 0);

  /* Packing, and parts of elements. */
  char buffer[400];
  int position = 0, size_needed;
  MPI_Pack_size(3, record, MPI_COMM_WORLD, &size_needed);
  CHECK(size_needed >= 3 * 21 && size_needed <= 400);
  MPI_Pack(things, 3, record, buffer, 400, &position, MPI_COMM_WORLD);
  MPI_Pack(&n, 1, MPI_INT, buffer, 400, &position, MPI_COMM_WORLD);
  memset(others, 0, sizeof others);
  int end = position, m = -1;
  position = 0;
  MPI_Unpack(buffer, end, &position, others, 3, copy, MPI_COMM_WORLD);
  MPI_Unpack(buffer, end, &position, &m, 1, MPI_INT, MPI_COMM_WORLD);
  CHECK(position == end && m == n && others[2].i == things[2].i && others[1].d[1] == things[1].d[1]);
  MPI_Status status;
  MPI_Sendrecv(from, 5, MPI_INT, 0, 1, to, 3, column, 0, 1, MPI_COMM_SELF, &status);
  MPI_Get_elements(&status, MPI_INT, &n);
  CHECK(n == 5);
  MPI_Get_count(&status, MPI_DOUBLE, &n);
  CHECK(n == MPI_UNDEFINED);
  MPI_Get_count(&status, column, &n);
  CHECK(n == MPI_UNDEFINED);

  /* Elements without bytes: one buffer for both directions, as nothing is moved. Section 2.3, "Procedure Specification":
   * what a call writes may not be given twice; MPICH 5.0.2 looks at the addresses only. */
  MPI_Datatype nothing;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  around(to, to, 0, MPI_INT);
  MPI_Sendrecv(to, 2, nothing, 0, 1, to, 2, nothing, 0, 1, MPI_COMM_SELF, &status);
  if (on_loadstone()) MPI_Allgather(to, 1, nothing, to, 1, nothing, MPI_COMM_WORLD);
  MPI_Type_free(&nothing);

  /* The canonical representation. */
  const char canonical[] = "external32";
  MPI_Aint external = 0, external_position = 0;
  double d[2] = {1.5, -2.0}, e[2] = {0, 0};
  MPI_Pack_external_size(canonical, 2, MPI_DOUBLE, &external);
  CHECK(external == 16);
  MPI_Pack_external(canonical, d, 2, MPI_DOUBLE, buffer, 400, &external_position);
  CHECK(external_position == 16 && (unsigned char)buffer[0] == 0x3f && (unsigned char)buffer[1] == 0xf8);
  external_position = 0;
  MPI_Unpack_external(canonical, buffer, 16, &external_position, e, 2, MPI_DOUBLE);
  CHECK(e[0] == 1.5 && e[1] == -2.0);
  MPI_Datatype pair;
  MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
  CHECK(pair == MPI_DOUBLE_INT);
  MPI_Type_get_name(MPI_DATATYPE_NULL, name, &n);
  CHECK(strcmp(name, "MPI_DATATYPE_NULL") == 0);

  /* A huge type of small memory: 2^31 elements, all at the same place. */
  MPI_Count elements, true_lb, true_extent;
  MPI_Type_vector_c(((MPI_Count)1 << 31) + 7, 1, 0, MPI_INT, &wide);
  MPI_Type_commit(&wide);
  MPI_Type_size_c(wide, &elements);
  CHECK(elements == 4 * (((MPI_Count)1 << 31) + 7));
  MPI_Type_size(wide, &n);
  CHECK(n == MPI_UNDEFINED);
  MPI_Type_get_true_extent_c(wide, &true_lb, &true_extent);
  CHECK(true_lb == 0 && true_extent == 4);
  MPI_Datatype matched;
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &matched);
  MPI_Type_size(matched, &n);
  CHECK(n == 8);

  MPI_Datatype* all[] = {&column, &sub, &pieces, &record, &block, &copy, &wide};
  for (int i = 0; i < 7; ++i) {
    MPI_Type_free(all[i]);
    CHECK(*all[i] == MPI_DATATYPE_NULL);
  }
  MPI_Finalize();
  return 0;
}
