/* Inter-communicators: create, messages, collectives, dup, split, create, merge. At least two ranks. */
#include "check.h"

/* Prefixes need one order of all processes. Erroneous; "Error Handling" leaves it open which errors are found. */
static void refuse_prefixes(MPI_Comm inter) {
  MPI_Request request;
  int one = 1, sum = 0;
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  CHECK_FAILS(MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_COMM);
  CHECK_FAILS(MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_COMM);
  CHECK_FAILS(MPI_Iscan(&one, &sum, 1, MPI_INT, MPI_SUM, inter, &request), MPI_ERR_COMM);
  CHECK_FAILS(MPI_Exscan_init(&one, &sum, 1, MPI_INT, MPI_SUM, inter, MPI_INFO_NULL, &request), MPI_ERR_COMM);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  const int side = rank % 2;
  MPI_Comm local, inter, other, merged;
  int n, r, m, flag, result;
  MPI_Comm_split(MPI_COMM_WORLD, side, rank, &local);
  MPI_Comm_size(local, &n);
  MPI_Comm_rank(local, &r);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - side, 33, &inter);
  MPI_Comm_test_inter(inter, &flag);
  CHECK(flag);
  MPI_Comm_remote_size(inter, &m);
  CHECK(m == size - n);
  MPI_Comm_size(inter, &flag);
  CHECK(flag == n);

  /* Messages go to the other side. */
  int out = rank, in = -1;
  MPI_Status status;
  MPI_Request request;
  if (r < m) {
    MPI_Isend(&out, 1, MPI_INT, r, 1, inter, &request);
    MPI_Recv(&in, 1, MPI_INT, r, 1, inter, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in == 2 * r + 1 - side && status.MPI_SOURCE == r);
  }

  MPI_Comm_dup(inter, &other);
  MPI_Comm_compare(inter, other, &result);
  CHECK(result == MPI_CONGRUENT);
  for (int c = 0; c < 2; ++c) {
    MPI_Comm comm = c == 0 ? inter : other;
    MPI_Barrier(comm);
    int value = rank + 1, total = 0, expected = 0;
    MPI_Allreduce(&value, &total, 1, MPI_INT, MPI_SUM, comm);
    for (int i = 1 - side; i < size; i += 2) expected += i + 1;
    CHECK(total == expected);
    int root = side == 0 ? (r == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    int data = side == 0 && r == 0 ? 77 : -1;
    MPI_Bcast(&data, 1, MPI_INT, root, comm);
    CHECK(data == (side == 0 && r != 0 ? -1 : 77));
    int all[64];
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < m; ++i) CHECK(all[i] == 2 * i + 1 - side);
  }
  if (on_loadstone()) refuse_prefixes(other);
  MPI_Comm_free(&other);

  MPI_Comm_idup(inter, &other, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(other);
  MPI_Comm_free(&other);

  for (int high = 0; high < 2; ++high) {
    MPI_Intercomm_merge(inter, high ? 1 - side : side, &merged);
    MPI_Comm_rank(merged, &result);
    const int first_is_ours = (high ? 1 - side : side) == 0;
    CHECK(result == (first_is_ours ? r : m + r));
    MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_SUM, merged);
    CHECK(result == size * (size - 1) / 2);
    MPI_Comm_free(&merged);
  }
  MPI_Intercomm_merge(inter, 0, &merged); /* both low: some order, the same everywhere */
  MPI_Comm_size(merged, &result);
  CHECK(result == size);
  MPI_Comm_free(&merged);

  MPI_Comm_split(inter, r % 2, 0, &other);
  if (other != MPI_COMM_NULL) {
    MPI_Comm_size(other, &result);
    CHECK(result == (n + 1 - r % 2) / 2);
    MPI_Barrier(other);
    MPI_Comm_free(&other);
  } else {
    CHECK(r % 2 == 1 && m == 1);
  }
  MPI_Group group, first;
  int zero = 0;
  MPI_Comm_group(inter, &group);
  MPI_Group_incl(group, 1, &zero, &first);
  MPI_Comm_create(inter, first, &other);
  CHECK((other != MPI_COMM_NULL) == (r == 0));
  if (other != MPI_COMM_NULL) {
    MPI_Comm_remote_size(other, &result);
    CHECK(result == 1);
    MPI_Barrier(other);
    MPI_Comm_disconnect(&other);
  }
  MPI_Group_free(&first);
  MPI_Group_free(&group);
  MPI_Comm_remote_group(inter, &group);
  MPI_Group_size(group, &result);
  CHECK(result == m);
  MPI_Group_free(&group);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
  MPI_Finalize();
  return 0;
}
