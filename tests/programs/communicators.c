/* Communicators: dup, idup, split, create, create_group, compare, names; contexts keep messages apart; ids
 * never run out. */
#include "check.h"

static int sum_over(MPI_Comm comm, int value) {
  int total;
  MPI_Allreduce(&value, &total, 1, MPI_INT, MPI_SUM, comm);
  return total;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Comm dup, again, half, part;
  int result, n, r;

  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  MPI_Comm_compare(MPI_COMM_WORLD, dup, &result);
  CHECK(result == MPI_CONGRUENT);
  MPI_Comm_compare(dup, dup, &result);
  CHECK(result == MPI_IDENT);
  /* The same tag on two communicators. */
  int a = 1, b = 2, x, y;
  MPI_Request requests[2];
  MPI_Irecv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&y, 1, MPI_INT, 0, 5, dup, &requests[1]);
  if (rank == 0) {
    for (int i = 0; i < size; ++i) {
      MPI_Send(&b, 1, MPI_INT, i, 5, dup);
      MPI_Send(&a, 1, MPI_INT, i, 5, MPI_COMM_WORLD);
    }
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(x == 1 && y == 2);

  MPI_Request request;
  MPI_Comm_idup(dup, &again, &request);
  CHECK(sum_over(dup, 1) == size); /* a collective on the old one meanwhile */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(sum_over(again, rank) == size * (size - 1) / 2);
  MPI_Comm_free(&again);

  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_size(half, &n);
  MPI_Comm_rank(half, &r);
  CHECK(n == (size + 1 - rank % 2) / 2 && r == n - 1 - rank / 2);
  CHECK(sum_over(half, 1) == n);
  MPI_Comm_compare(half, MPI_COMM_WORLD, &result);
  CHECK(result == (size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 3, 0, &part);
  CHECK((part == MPI_COMM_NULL) == (rank == 0));
  if (part != MPI_COMM_NULL) {
    CHECK(sum_over(part, 1) == size - 1);
    MPI_Comm_free(&part);
  }
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &part);
  MPI_Comm_compare(part, MPI_COMM_WORLD, &result);
  CHECK(result == (size == 1 ? MPI_CONGRUENT : MPI_SIMILAR));
  MPI_Comm_free(&part);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part);
  CHECK(sum_over(part, 1) == size);
  MPI_Comm_free(&part);

  /* Disjoint groups in one call, and only the members in the other. */
  MPI_Group world, mine;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int range[1][3] = {{rank % 2, size - 1 - (size - 1 - rank % 2) % 2, 2}};
  MPI_Group_range_incl(world, 1, range, &mine);
  MPI_Comm_create(MPI_COMM_WORLD, mine, &part);
  MPI_Comm_size(part, &n);
  CHECK(sum_over(part, 1) == n && n == (size + 1 - rank % 2) / 2);
  MPI_Comm_free(&part);
  if (rank % 2 == 0) {
    for (int i = 0; i < 5; ++i) {
      MPI_Comm_create_group(MPI_COMM_WORLD, mine, 17, &part);
      CHECK(sum_over(part, 1) == (size + 1) / 2);
      MPI_Comm_free(&part);
    }
  }
  MPI_Group_free(&mine);
  MPI_Group_free(&world);
  MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &part);
  CHECK(part == MPI_COMM_NULL);

  char name[MPI_MAX_OBJECT_NAME];
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &n);
  CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && n == (int)strlen(name));
  MPI_Comm_get_name(dup, name, &n);
  CHECK(n == 0 && name[0] == '\0');
  MPI_Comm_set_name(dup, "second");
  MPI_Comm_get_name(dup, name, &n);
  CHECK(strcmp(name, "second") == 0);

  /* Messages under way survive the handle. */
  MPI_Comm_dup(MPI_COMM_WORLD, &again);
  int value = rank, got = -1;
  MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 0, again, &requests[0]);
  MPI_Isend(&value, 1, MPI_INT, (rank + 1) % size, 0, again, &requests[1]);
  MPI_Comm_free(&again);
  CHECK(again == MPI_COMM_NULL);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(got == (rank + size - 1) % size);

  for (int i = 0; i < (size <= 4 ? 20000 : 1000); ++i) {
    MPI_Comm_dup(MPI_COMM_SELF, &again);
    MPI_Comm_free(&again);
  }
  for (int i = 0; i < 300; ++i) {
    MPI_Comm_dup(dup, &again);
    if (i % 50 == 0) CHECK(sum_over(again, 1) == size);
    MPI_Comm_free(&again);
  }
  enum { ALIVE = 200 };
  static MPI_Comm alive[ALIVE];
  for (int i = 0; i < ALIVE; ++i) MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &alive[i]);
  for (int i = 0; i < ALIVE; i += 20) CHECK(sum_over(alive[i], i) == size * i);
  for (int i = 0; i < ALIVE; ++i) MPI_Comm_disconnect(&alive[i]);
  MPI_Comm_free(&half);
  MPI_Comm_free(&dup);
  MPI_Finalize();
  return 0;
}
