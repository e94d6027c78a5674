/* Collectives of few bytes in a row, with rank 0 as the root, and communicators made and freed. A part of patterns.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#pragma once

static MPI_Op added;
static int counts[most_ranks], places[most_ranks]; /* parts of n longs, with gaps as long between them */

static void add(void* a, void* b, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; i++) ((long*)b)[i] += ((long*)a)[i];
}
static void make_op(int n) {
  (void)n;
  MPI_Op_create(add, 1, &added);
}
static void free_op(void) {
  MPI_Op_free(&added);
}
static void space_parts(int n) {
  for (int r = 0; r < size; r++) counts[r] = n, places[r] = 2 * r * n;
}

static void nothing_left(void) {}

static void bcast(int n) {
  MPI_Bcast(rank == 0 ? out : in, n, MPI_LONG, 0, MPI_COMM_WORLD);
}
static void reduce(int n) {
  MPI_Reduce(out, in, n, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void scan(int n) {
  MPI_Scan(out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}
static void exscan(int n) {
  MPI_Exscan(out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}
static void allreduce(int n) {
  MPI_Allreduce(out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}
static void allreduce_by_user(int n) {
  MPI_Allreduce(out, in, n, MPI_LONG, added, MPI_COMM_WORLD);
}
static void allreduce_in_place(int n) {
  memcpy(in, out, sizeof(long) * (size_t)n);
  MPI_Allreduce(MPI_IN_PLACE, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}
static void maxloc(int n) {
  struct {
    long value;
    int at;
  } mine = {out[0], rank}, most;
  MPI_Allreduce(&mine, &most, n, MPI_LONG_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  in[0] = most.value, in[1] = most.at;
}
static void reduce_scatter(int n) {
  MPI_Reduce_scatter_block(out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}
static void scatter(int n) {
  MPI_Scatter(out, n, MPI_LONG, in, n, MPI_LONG, 0, MPI_COMM_WORLD);
}
static void gather(int n) {
  MPI_Gather(out, n, MPI_LONG, in, n, MPI_LONG, 0, MPI_COMM_WORLD);
}
static void allgather(int n) {
  MPI_Allgather(out, n, MPI_LONG, in, n, MPI_LONG, MPI_COMM_WORLD);
}
static void alltoall(int n) {
  MPI_Alltoall(out, n, MPI_LONG, in, n, MPI_LONG, MPI_COMM_WORLD);
}
static void scatterv(int n) {
  MPI_Scatterv(out, counts, places, MPI_LONG, in, n, MPI_LONG, 0, MPI_COMM_WORLD);
}
static void gatherv(int n) {
  MPI_Gatherv(out, n, MPI_LONG, in, counts, places, MPI_LONG, 0, MPI_COMM_WORLD);
}
static void allgatherv(int n) {
  MPI_Allgatherv(out, n, MPI_LONG, in, counts, places, MPI_LONG, MPI_COMM_WORLD);
}
static void alltoallv(int n) {
  (void)n;
  MPI_Alltoallv(out, counts, places, MPI_LONG, in, counts, places, MPI_LONG, MPI_COMM_WORLD);
}
static void ibarrier_test(int n) {
  MPI_Ibarrier(MPI_COMM_WORLD, requests);
  for (int done = 0; done < n;) MPI_Test(requests, &done, MPI_STATUS_IGNORE);
}
static void iallreduce_wait(int n) {
  MPI_Iallreduce(out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}
static void iallreduce_beside(int n) {
  MPI_Iallreduce(out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, requests);
  compute(1000);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}
static void ibcast_wait(int n) {
  MPI_Ibcast(rank == 0 ? out : in, n, MPI_LONG, 0, MPI_COMM_WORLD, requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}
static void prepare_allreduce(int n) {
  MPI_Allreduce_init(out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests);
}
static void start_one(int n) {
  (void)n;
  MPI_Start(requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}
static void allreduce_on_each(int n) {
  for (int i = 0; i < some; i++) MPI_Allreduce(out + i * n, in + i * n, n, MPI_LONG, MPI_SUM, comms[i]);
}
static void neighbor_allgather(int n) {
  MPI_Neighbor_allgather(out, n, MPI_LONG, in, n, MPI_LONG, grid);
}
static void neighbor_alltoall(int n) {
  MPI_Neighbor_alltoall(out, n, MPI_LONG, in, n, MPI_LONG, grid);
}

static void use(MPI_Comm made) {
  int mine;
  MPI_Comm_rank(made, &mine);
  MPI_Comm_free(&made);
  in[0] = mine;
}
static void dup_free(int n) {
  (void)n;
  MPI_Comm made;
  MPI_Comm_dup(MPI_COMM_WORLD, &made);
  use(made);
}
static void split_free(int n) {
  (void)n;
  MPI_Comm made;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &made);
  use(made);
}
static void cart_free(int n) {
  MPI_Comm made;
  const int dims[] = {size}, periods[] = {1};
  (void)n;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &made);
  use(made);
}

static int any(int n) {
  (void)n;
  return 1;
}
static int from_root(int n) {
  return rank == 0 || are_of(in, n, 0, 0);
}
static int sum(int n) {
  return are_sums(in, n, size);
}
static int some_sums(int n) {
  return sum(some * n);
}
static int sum_at_root(int n) {
  return rank != 0 || sum(n);
}
static int sum_until_me(int n) {
  return are_sums(in, n, rank + 1);
}
static int sum_before_me(int n) {
  return rank == 0 || are_sums(in, n, rank);
}
static int at_last(int n) {
  return are_of(in, n, size - 1, 0) && in[1] == size - 1;
}
static int my_sums(int n) {
  long all = 0;
  for (int r = 0; r < size; r++) all += value(r, rank * n);
  return in[0] == all && in[n - 1] == all + (long)(n - 1) * size;
}
static int my_part(int n) {
  return are_of(in, n, 0, rank * n);
}
static int my_spaced_part(int n) {
  return are_of(in, n, 0, 2 * rank * n);
}
/* A part of each rank, from `from` on in what it has; `distance` between them. */
static int from_all(int n, int distance, int from) {
  for (int r = 0; r < size; r++)
    if (!are_of(in + r * distance, n, r, from)) return 0;
  return 1;
}
static int gathered(int n) {
  return rank != 0 || from_all(n, n, 0);
}
static int gathered_spaced(int n) {
  return rank != 0 || from_all(n, 2 * n, 0);
}
static int allgathered(int n) {
  return from_all(n, n, 0);
}
static int allgathered_spaced(int n) {
  return from_all(n, 2 * n, 0);
}
static int exchanged(int n) {
  return from_all(n, n, rank * n);
}
static int exchanged_spaced(int n) {
  return from_all(n, 2 * n, 2 * rank * n);
}
static int from_neighbours(int n) {
  for (int d = 0; d < directions; d++)
    if (!are_of(in + d * n, n, neighbour[d], 0)) return 0;
  return 1;
}
/* Of two neighbours that are one rank, the standard does not say which is meant. */
static int something_of_neighbours(int n) {
  for (int d = 0, found; d < directions; d++) {
    for (int e = found = 0; e < directions; e++) found |= are_of(in + d * n, n, neighbour[d], e * n);
    if (!found) return 0;
  }
  return 1;
}
static int my_rank(int n) {
  (void)n;
  return in[0] == rank;
}
static int rank_of_half(int n) {
  (void)n;
  return in[0] == (size - 1 - rank) / 2;
}

static const need user_op = {make_op, free_op};
static const need spaced = {space_parts, nothing_left};
static const need prepared_allreduce = {prepare_allreduce, free_requests};
static const pattern collectives[] = {
    {"Bcast; 8 B", one, bcast, NULL, from_root},
    {"Reduce; 8 B", one, reduce, NULL, sum_at_root},
    {"Scan; 8 B", one, scan, NULL, sum_until_me},
    {"Exscan; 8 B", one, exscan, NULL, sum_before_me},
    {"Allreduce; 8 B", one, allreduce, NULL, sum},
    {"Allreduce in place; 8 B", one, allreduce_in_place, NULL, sum},
    {"Allreduce by a user's operation; 8 B", one, allreduce_by_user, NULL, sum, &user_op},
    {"Allreduce by a user's operation; 1 KiB", kib, allreduce_by_user, NULL, sum, &user_op},
    {"Allreduce, MAXLOC", one, maxloc, NULL, at_last},
    {"Reduce_scatter_block; 8 B", one, reduce_scatter, NULL, my_sums},
    {"Scatter; 8 B", one, scatter, NULL, my_part},
    {"Scatterv; 8 B", one, scatterv, NULL, my_spaced_part, &spaced},
    {"Gather; 8 B", one, gather, NULL, gathered},
    {"Gatherv; 8 B", one, gatherv, NULL, gathered_spaced, &spaced},
    {"Allgather; 8 B", one, allgather, NULL, allgathered},
    {"Allgatherv; 8 B", one, allgatherv, NULL, allgathered_spaced, &spaced},
    {"Alltoall; 8 B", one, alltoall, NULL, exchanged},
    {"Alltoallv; 8 B", one, alltoallv, NULL, exchanged_spaced, &spaced},
    {"Ibarrier, Test in a loop", one, ibarrier_test, NULL, any},
    {"Iallreduce, Wait; 8 B", one, iallreduce_wait, NULL, sum},
    {"Iallreduce, work, Wait; 8 B", one, iallreduce_beside, NULL, sum},
    {"Ibcast, Wait; 8 B", one, ibcast_wait, NULL, from_root},
    {"persistent Allreduce; 8 B", one, start_one, NULL, sum, &prepared_allreduce},
    {"Allreduce on each of 16 comms; 8 B", one, allreduce_on_each, NULL, some_sums, &duplicates},
    {"Neighbor_allgather on a grid; 8 B", one, neighbor_allgather, NULL, from_neighbours, &on_grid},
    {"Neighbor_alltoall on a grid; 8 B", one, neighbor_alltoall, NULL, something_of_neighbours, &on_grid},
    {"Comm_dup, Comm_free", one, dup_free, NULL, my_rank},
    {"Comm_split, Comm_free", one, split_free, NULL, rank_of_half},
    {"Cart_create, Comm_free", one, cart_free, NULL, my_rank},
};
