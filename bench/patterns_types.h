/* Packing, derived types, halos. A part of patterns.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#pragma once

static char packed[8 * longs];
static int packed_bytes;

static void pack_words(int n) {
  packed_bytes = 0;
  MPI_Pack(out, 1, words, packed, sizeof packed, &packed_bytes, MPI_COMM_SELF);
  packed_bytes = 0;
  MPI_Unpack(packed, sizeof packed, &packed_bytes, in, n, MPI_LONG, MPI_COMM_SELF);
}
static void unpack_words(int n) {
  packed_bytes = 0;
  MPI_Pack(out, n, MPI_LONG, packed, sizeof packed, &packed_bytes, MPI_COMM_SELF);
  packed_bytes = 0;
  MPI_Unpack(packed, sizeof packed, &packed_bytes, in, 1, words, MPI_COMM_SELF);
}
static void pack_each(int n) {
  packed_bytes = 0;
  for (int i = 0; i < n; i++)
    MPI_Pack(out + i, 1, MPI_LONG, packed, sizeof packed, &packed_bytes, MPI_COMM_SELF);
  packed_bytes = 0;
  for (int i = 0; i < n; i++)
    MPI_Unpack(packed, sizeof packed, &packed_bytes, in + i, 1, MPI_LONG, MPI_COMM_SELF);
}
static int every_other(int n) {
  for (int i = 0; i < n; i++)
    if (in[i] != value(rank, 2 * i)) return 0;
  return 1;
}
static int into_every_other(int n) {
  for (int i = 0; i < n; i++)
    if (in[2 * i] != value(rank, i) || (i > 0 && in[2 * i - 1] != -1)) return 0;
  return 1;
}

static void send_words(int n) {
  (void)n;
  MPI_Send(out, 1, words, peer, 0, MPI_COMM_WORLD);
}
static void recv_words(int n) {
  (void)n;
  MPI_Recv(in, 1, words, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static int words_of_peer(int n) {
  for (int i = 0; i < n; i++)
    if (in[2 * i] != value(peer, 2 * i)) return 0;
  return 1;
}
static void made_each_time(int n) {
  make_types(n);
  MPI_Sendrecv(out, 1, words, peer, 0, in, 1, words, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free_types();
}

/* Where the own edge in a direction begins, or the neighbour's behind it. */
static int edge(int d, int of_neighbour) {
  const int which = d % 2 ? side + of_neighbour : 1 - of_neighbour;
  return d < 2 ? which * wide + 1 : wide + which;
}
static void halo(int n) {
  (void)n;
  for (int d = 0; d < directions; d++)
    MPI_Irecv(in + edge(d, 1), d < 2 ? side : 1, d < 2 ? MPI_LONG : column, neighbour[d], d ^ 1, grid,
              &requests[d]);
  for (int d = 0; d < directions; d++)
    MPI_Isend(out + edge(d, 0), d < 2 ? side : 1, d < 2 ? MPI_LONG : column, neighbour[d], d, grid,
              &requests[directions + d]);
  MPI_Waitall(2 * directions, requests, MPI_STATUSES_IGNORE);
}
static int halo_right(int n) {
  (void)n;
  for (int d = 0; d < directions; d++)
    for (int i = 0, step = d < 2 ? 1 : wide; i < side; i++)
      if (in[edge(d, 1) + i * step] != value(neighbour[d], edge(d ^ 1, 0) + i * step)) return 0;
  return 1;
}
static void columns_to_all(int n) {
  int counts[most_ranks], at[most_ranks];
  MPI_Datatype types[most_ranks];
  for (int r = 0; r < size; r++) counts[r] = n, at[r] = 8 * r, types[r] = column;
  MPI_Alltoallw(out, counts, at, types, in, counts, at, types, MPI_COMM_WORLD);
}
static int columns_of_all(int n) {
  (void)n;
  for (int r = 0; r < size; r++)
    for (int i = 0; i < side; i++)
      if (in[r + i * wide] != value(r, rank + i * wide)) return 0;
  return 1;
}

static const pattern types[] = {
    {"Pack of 16 blocks of 8 B, Unpack", some, pack_words, NULL, every_other, &typed},
    {"Pack of 128 blocks of 8 B, Unpack", kib, pack_words, NULL, every_other, &typed},
    {"Pack, Unpack of 128 blocks of 8 B", kib, unpack_words, NULL, into_every_other, &typed},
    {"16 Pack, 16 Unpack of 8 B each", some, pack_each, NULL, from_self},
    {"there and back, 16 blocks of 8 B", some, send_words, recv_words, words_of_peer, &typed},
    {"there and back, 128 blocks of 8 B", kib, send_words, recv_words, words_of_peer, &typed},
    {"types made, Sendrecv, freed", some, made_each_time, NULL, words_of_peer},
    {"halo of rows and columns of 64", one, halo, NULL, halo_right, &on_grid},
    {"Alltoallw of columns of 64", one, columns_to_all, NULL, columns_of_all, &typed},
};
