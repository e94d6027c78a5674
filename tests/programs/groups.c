/* Groups: set operations, ranges, translation, comparison. */
#include "check.h"

static void members(MPI_Group group, MPI_Group world, int n, const int* expected) {
  int got, all[64], translated[64];
  MPI_Group_size(group, &got);
  CHECK(got == n);
  for (int i = 0; i < n; ++i) all[i] = i;
  MPI_Group_translate_ranks(group, n, all, world, translated);
  for (int i = 0; i < n; ++i) CHECK(translated[i] == expected[i]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Group world, even, odd, reversed, joined, both, rest, empty;
  int result, n, ranks[64], expected[64];
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_size(world, &n);
  CHECK(n == size);
  MPI_Group_rank(world, &n);
  CHECK(n == rank);

  n = 0;
  for (int i = 0; i < size; i += 2) ranks[n++] = i;
  MPI_Group_incl(world, n, ranks, &even);
  members(even, world, n, ranks);
  MPI_Group_excl(world, n, ranks, &odd);
  n = 0;
  for (int i = 1; i < size; i += 2) expected[n++] = i;
  members(odd, world, n, expected);
  MPI_Group_compare(even, odd, &result);
  CHECK(result == MPI_UNEQUAL);

  int range[1][3] = {{size - 1, 0, -1}};
  MPI_Group_range_incl(world, 1, range, &reversed);
  for (int i = 0; i < size; ++i) expected[i] = size - 1 - i;
  members(reversed, world, size, expected);
  MPI_Group_compare(world, reversed, &result);
  CHECK(result == (size == 1 ? MPI_IDENT : MPI_SIMILAR));
  MPI_Group_compare(world, world, &result);
  CHECK(result == MPI_IDENT);
  MPI_Group_range_excl(world, 1, range, &empty);
  CHECK(empty == MPI_GROUP_EMPTY);

  MPI_Group_union(odd, even, &joined);
  n = 0;
  for (int i = 1; i < size; i += 2) expected[n++] = i;
  for (int i = 0; i < size; i += 2) expected[n++] = i;
  members(joined, world, size, expected);
  MPI_Group_intersection(reversed, even, &both);
  n = 0;
  for (int i = size - 1; i >= 0; --i)
    if (i % 2 == 0) expected[n++] = i;
  members(both, world, n, expected);
  MPI_Group_difference(world, even, &rest);
  n = 0;
  for (int i = 1; i < size; i += 2) expected[n++] = i;
  members(rest, world, n, expected);

  int from[2] = {0, MPI_PROC_NULL}, to[2];
  MPI_Group_translate_ranks(even, 2, from, odd, to);
  CHECK(to[0] == MPI_UNDEFINED && to[1] == MPI_PROC_NULL);
  MPI_Group_rank(odd, &n);
  CHECK(n == (rank % 2 == 1 ? rank / 2 : MPI_UNDEFINED));

  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Group none = MPI_GROUP_NULL;
  ranks[0] = size;
  CHECK_FAILS(MPI_Group_incl(world, 1, ranks, &none), MPI_ERR_RANK);
  ranks[0] = ranks[1] = 0;
  /* Erroneous ("Group Constructors"); "Error Handling" leaves it open which errors are found. */
  if (on_loadstone()) CHECK_FAILS(MPI_Group_incl(world, 2, ranks, &none), MPI_ERR_RANK);
  int wrong[1][3] = {{0, size - 1, 0}};
  if (on_loadstone()) CHECK_FAILS(MPI_Group_range_incl(world, 1, wrong, &none), MPI_ERR_ARG);
  int beyond[1][3] = {{0, size, 1}};
  if (on_loadstone()) CHECK_FAILS(MPI_Group_range_excl(world, 1, beyond, &none), MPI_ERR_RANK);

  MPI_Group* all[] = {&world, &even, &odd, &reversed, &joined, &both, &rest};
  for (int i = 0; i < 7; ++i) {
    MPI_Group_free(all[i]);
    CHECK(*all[i] == MPI_GROUP_NULL);
  }
  MPI_Finalize();
  return 0;
}
