/* Every collective, blocking and non-blocking, several sizes and roots, MPI_IN_PLACE, v and w forms; many
 * outstanding at once. */
#include "check.h"

enum { MOST = 128 };
static int* space(int n) {
  return calloc((size_t)(n > 0 ? n : 1), sizeof(int));
}
static void done(MPI_Request* request, int nonblocking) {
  if (nonblocking) MPI_Wait(request, MPI_STATUS_IGNORE);
}

/* Calls MPI_X(...) or MPI_IX(..., &request) and waits. */
#define RUN(name, iname, ...)                        \
  do {                                               \
    MPI_Request request_ = MPI_REQUEST_NULL;         \
    if (nonblocking)                                 \
      iname(__VA_ARGS__, MPI_COMM_WORLD, &request_); \
    else                                             \
      name(__VA_ARGS__, MPI_COMM_WORLD);             \
    done(&request_, nonblocking);                    \
  } while (0)

/* One after the other, and alike but for a type, while the other side is in place: whether `scatters`. */
static void other_types(int scatters) {
  enum { MOST_BYTES = 16 };
  signed char *all = malloc((size_t)(size * MOST_BYTES)), mine[MOST_BYTES];
  for (int again = 0; again < 12; ++again) {
    MPI_Datatype type = again % 2 == 0 ? MPI_INT32_T : MPI_INT64_T;
    if (again >= 8) {
      MPI_Type_contiguous(again % 2 + 1, MPI_INT32_T, &type);
      MPI_Type_commit(&type);
    }
    const int bytes = again % 2 == 0 ? 8 : 16;
    for (int i = 0; i < size * bytes; ++i) all[i] = (signed char)(again * 31 + i);
    memcpy(mine, all + rank * bytes, (size_t)bytes);
    if (scatters && rank == 0) {
      MPI_Scatter(all, 2, type, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    } else if (scatters) {
      memset(mine, 0, sizeof mine);
      MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, mine, 2, type, 0, MPI_COMM_WORLD);
      CHECK(memcmp(mine, all + rank * bytes, (size_t)bytes) == 0);
    } else if (rank == 0) {
      memset(all + bytes, 0, (size_t)((size - 1) * bytes));
      MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, type, 0, MPI_COMM_WORLD);
      for (int i = 0; i < size * bytes; ++i) CHECK(all[i] == (signed char)(again * 31 + i));
    } else {
      MPI_Gather(mine, 2, type, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    }
    if (again >= 8) MPI_Type_free(&type);
  }
  free(all);
}

static void moving(int n, int nonblocking) {
  int *mine = space(n), *all = space(n * size), *back = space(n * size);
  for (int root = 0; root < size; root += size > 4 ? 3 : 1) {
    for (int i = 0; i < n; ++i) mine[i] = rank == root ? root + i : -1;
    RUN(MPI_Bcast, MPI_Ibcast, mine, n, MPI_INT, root);
    for (int i = 0; i < n; ++i) CHECK(mine[i] == root + i);

    for (int i = 0; i < n; ++i) mine[i] = rank * 1000 + i;
    RUN(MPI_Gather, MPI_Igather, mine, n, MPI_INT, all, n, MPI_INT, root);
    if (rank == root)
      for (int r = 0; r < size; ++r)
        for (int i = 0; i < n; ++i) CHECK(all[r * n + i] == r * 1000 + i);
    if (rank == root)
      for (int i = 0; i < n * size; ++i) all[i] += 5;
    RUN(MPI_Scatter, MPI_Iscatter, all, n, MPI_INT, mine, n, MPI_INT, root);
    for (int i = 0; i < n; ++i) CHECK(mine[i] == rank * 1000 + i + 5);

    if (rank == root) {
      for (int i = 0; i < n; ++i) all[root * n + i] = -9;
      RUN(MPI_Gather, MPI_Igather, MPI_IN_PLACE, n, MPI_INT, all, n, MPI_INT, root);
      for (int r = 0; r < size; ++r)
        for (int i = 0; i < n; ++i) CHECK(all[r * n + i] == (r == root ? -9 : r * 1000 + i + 5));
    } else {
      RUN(MPI_Gather, MPI_Igather, mine, n, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root);
    }
  }
  for (int i = 0; i < n; ++i) mine[i] = rank * 1000 + i;
  memset(all, 0, (size_t)(n * size) * sizeof(int));
  RUN(MPI_Allgather, MPI_Iallgather, mine, n, MPI_INT, all, n, MPI_INT);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < n; ++i) CHECK(all[r * n + i] == r * 1000 + i);
  memset(back, 0, (size_t)(n * size) * sizeof(int));
  for (int i = 0; i < n; ++i) back[rank * n + i] = mine[i];
  RUN(MPI_Allgather, MPI_Iallgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, back, n, MPI_INT);
  CHECK(memcmp(all, back, (size_t)(n * size) * sizeof(int)) == 0);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < n; ++i) all[r * n + i] = rank * 10000 + r * 100 + i % 100;
  RUN(MPI_Alltoall, MPI_Ialltoall, all, n, MPI_INT, back, n, MPI_INT);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < n; ++i) CHECK(back[r * n + i] == r * 10000 + rank * 100 + i % 100);
  RUN(MPI_Alltoall, MPI_Ialltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, n, MPI_INT);
  CHECK(memcmp(all, back, (size_t)(n * size) * sizeof(int)) == 0);
  free(mine), free(all), free(back);
}

static void varying(int nonblocking) {
  int counts[MOST], places[MOST], total = 0;
  for (int r = 0; r < size; ++r) {
    counts[r] = r * 3 % 7;
    places[r] = total + r; /* gaps */
    total = places[r] + counts[r];
  }
  int *mine = space(8), *all = space(total + 1);
  for (int i = 0; i < counts[rank]; ++i) mine[i] = rank * 100 + i;
  const int root = size - 1;
  memset(all, 0xff, (size_t)total * sizeof(int));
  RUN(MPI_Gatherv, MPI_Igatherv, mine, counts[rank], MPI_INT, all, counts, places, MPI_INT, root);
  if (rank == root)
    for (int r = 0; r < size; ++r)
      for (int i = 0; i < counts[r]; ++i) CHECK(all[places[r] + i] == r * 100 + i);
  if (rank == root)
    for (int i = 0; i < total; ++i) all[i] += 1;
  RUN(MPI_Scatterv, MPI_Iscatterv, all, counts, places, MPI_INT, mine, counts[rank], MPI_INT, root);
  for (int i = 0; i < counts[rank]; ++i) CHECK(mine[i] == rank * 100 + i + 1);
  memset(all, 0xff, (size_t)total * sizeof(int));
  RUN(MPI_Allgatherv, MPI_Iallgatherv, mine, counts[rank], MPI_INT, all, counts, places, MPI_INT);
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < counts[r]; ++i) CHECK(all[places[r] + i] == r * 100 + i + 1);
    if (r + 1 < size) CHECK(all[places[r] + counts[r]] == -1); /* gaps stay */
  }
  free(mine), free(all);

  int out_counts[MOST], in_counts[MOST], out_places[MOST], in_places[MOST], out_total = 0, in_total = 0;
  for (int r = 0; r < size; ++r) {
    out_counts[r] = (rank + r) % 5;
    in_counts[r] = (rank + r) % 5;
    out_places[r] = out_total, in_places[r] = in_total;
    out_total += out_counts[r], in_total += in_counts[r];
  }
  int *out = space(out_total), *in = space(in_total);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < out_counts[r]; ++i) out[out_places[r] + i] = rank * 1000 + r * 10 + i;
  RUN(MPI_Alltoallv, MPI_Ialltoallv, out, out_counts, out_places, MPI_INT, in, in_counts, in_places, MPI_INT);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < in_counts[r]; ++i) CHECK(in[in_places[r] + i] == r * 1000 + rank * 10 + i);
  MPI_Datatype types[MOST];
  for (int r = 0; r < size; ++r) {
    types[r] = MPI_INT;
    out_places[r] *= (int)sizeof(int);
    in_places[r] *= (int)sizeof(int);
  }
  memset(in, 0, (size_t)in_total * sizeof(int));
  RUN(MPI_Alltoallw, MPI_Ialltoallw, out, out_counts, out_places, types, in, in_counts, in_places, types);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < in_counts[r]; ++i)
      CHECK(in[in_places[r] / (int)sizeof(int) + i] == r * 1000 + rank * 10 + i);
  free(out), free(in);
}

static void reducing(int n, int nonblocking) {
  int *mine = space(n * size), *out = space(n * size), counts[MOST];
  const int ranks = size * (size - 1) / 2;
  for (int i = 0; i < n * size; ++i) mine[i] = rank + i;
  for (int root = 0; root < size; root += 2) {
    RUN(MPI_Reduce, MPI_Ireduce, mine, out, n, MPI_INT, MPI_SUM, root);
    if (rank == root)
      for (int i = 0; i < n; ++i) CHECK(out[i] == ranks + size * i);
  }
  RUN(MPI_Allreduce, MPI_Iallreduce, mine, out, n, MPI_INT, MPI_SUM);
  for (int i = 0; i < n; ++i) CHECK(out[i] == ranks + size * i);
  RUN(MPI_Scan, MPI_Iscan, mine, out, n, MPI_INT, MPI_SUM);
  for (int i = 0; i < n; ++i) CHECK(out[i] == rank * (rank + 1) / 2 + (rank + 1) * i);
  RUN(MPI_Exscan, MPI_Iexscan, mine, out, n, MPI_INT, MPI_SUM);
  for (int i = 0; i < n && rank > 0; ++i) CHECK(out[i] == rank * (rank - 1) / 2 + rank * i);
  RUN(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, mine, out, n, MPI_INT, MPI_SUM);
  for (int i = 0; i < n; ++i) CHECK(out[i] == ranks + size * (rank * n + i));
  int before = 0, total = 0;
  for (int r = 0; r < size; ++r) {
    counts[r] = n == 0 ? 0 : r % n;
    if (r < rank) before += counts[r];
    total += counts[r];
  }
  RUN(MPI_Reduce_scatter, MPI_Ireduce_scatter, mine, out, counts, MPI_INT, MPI_SUM);
  for (int i = 0; i < counts[rank]; ++i) CHECK(out[i] == ranks + size * (before + i));
  memcpy(out, mine, (size_t)(n * size) * sizeof(int));
  RUN(MPI_Allreduce, MPI_Iallreduce, MPI_IN_PLACE, out, n, MPI_INT, MPI_MAX);
  for (int i = 0; i < n; ++i) CHECK(out[i] == size - 1 + i);
  free(mine), free(out);
}

/* Completed in another order than they were begun. */
static void outstanding(void) {
  enum { MANY = 30 };
  MPI_Request requests[MANY];
  int in[MANY], out[MANY];
  for (int i = 0; i < MANY; ++i) {
    in[i] = rank + i;
    if (i % 3 == 0)
      MPI_Iallreduce(&in[i], &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[i]);
    else if (i % 3 == 1) {
      out[i] = rank == i % size ? i : -1;
      MPI_Ibcast(&out[i], 1, MPI_INT, i % size, MPI_COMM_WORLD, &requests[i]);
    } else
      MPI_Ibarrier(MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = MANY - 1; i >= 0; i -= 2) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < MANY; ++i) {
    if (i % 3 == 0) CHECK(out[i] == size * (size - 1) / 2 + size * i);
    if (i % 3 == 1) CHECK(out[i] == i);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  const int lengths[] = {0, 1, 5, 1000, 20000};
  other_types(0);
  other_types(1);
  for (int nonblocking = 0; nonblocking < 2; ++nonblocking) {
    for (int i = 0; i < (size > 8 ? 4 : 5); ++i) {
      moving(lengths[i], nonblocking);
      reducing(lengths[i], nonblocking);
    }
    varying(nonblocking);
    for (int i = 0; i < 20; ++i) MPI_Barrier(MPI_COMM_WORLD);
  }
  outstanding();
  MPI_Finalize();
  return 0;
}
