/* Epochs and one-sided operations; each rank writes and reads the memory of its peer. A part of patterns.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#pragma once

static MPI_Win window;
static MPI_Group other;

static void make_window(int n) {
  (void)n;
  MPI_Win_allocate(8 * longs, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &shown, &window);
  step = 0;
}
static void free_window(void) {
  MPI_Win_free(&window), shown = NULL;
}
static void make_fenced(int n) {
  make_window(n), MPI_Win_fence(0, window);
}
static void free_fenced(void) {
  MPI_Win_fence(0, window), free_window();
}
static void make_locked(int n) {
  make_window(n), MPI_Win_lock_all(0, window);
}
static void free_locked(void) {
  MPI_Win_unlock_all(window), free_window();
}
static void make_grouped(int n) {
  MPI_Group all;
  make_window(n);
  MPI_Win_get_group(window, &all);
  MPI_Group_incl(all, 1, &peer, &other);
  MPI_Group_free(&all);
}
static void free_grouped(void) {
  MPI_Group_free(&other), free_window();
}

static void put(int n) {
  MPI_Put(out, n, MPI_LONG, peer, 0, n, MPI_LONG, window);
}
static void get(int n) {
  MPI_Get(in, n, MPI_LONG, peer, 0, n, MPI_LONG, window);
}
static void accumulate(int n) {
  MPI_Accumulate(out, n, MPI_LONG, peer, 0, n, MPI_LONG, MPI_SUM, window);
}
static void fence_put(int n) {
  put(n), MPI_Win_fence(0, window);
}
static void fence_get(int n) {
  get(n), MPI_Win_fence(0, window);
}
static void fence_accumulate(int n) {
  accumulate(n), MPI_Win_fence(0, window);
}
static void pscw_put(int n) {
  MPI_Win_post(other, 0, window), MPI_Win_start(other, 0, window);
  put(n);
  MPI_Win_complete(window), MPI_Win_wait(window);
}
static void lock_put(int n) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, window);
  put(n);
  MPI_Win_unlock(peer, window);
}
static void lock_get(int n) {
  MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, window);
  get(n);
  MPI_Win_unlock(peer, window);
}
static void lock_accumulate(int n) {
  MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, window);
  accumulate(n);
  MPI_Win_unlock(peer, window);
}
static void lock_all_put(int n) {
  MPI_Win_lock_all(0, window);
  put(n);
  MPI_Win_unlock_all(window);
}
static void put_flush(int n) {
  put(n), MPI_Win_flush(peer, window);
}
static void get_flush(int n) {
  get(n), MPI_Win_flush(peer, window);
}
static void accumulate_flush(int n) {
  accumulate(n), MPI_Win_flush(peer, window);
}
static void get_accumulate(int n) {
  MPI_Get_accumulate(out, n, MPI_LONG, in, n, MPI_LONG, peer, 0, n, MPI_LONG, MPI_SUM, window);
  MPI_Win_flush(peer, window);
}
static void fetch_and_op(int n) {
  MPI_Fetch_and_op(out, in, MPI_LONG, peer, n - 1, MPI_SUM, window);
  MPI_Win_flush(peer, window);
}
static void compare_and_swap(int n) {
  const long expected = value(peer, 0);
  MPI_Compare_and_swap(out, &expected, in, MPI_LONG, peer, n - 1, window);
  MPI_Win_flush(peer, window);
}
static void rput_wait(int n) {
  MPI_Rput(out, n, MPI_LONG, peer, 0, n, MPI_LONG, window, requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  MPI_Win_flush(peer, window);
}
static void rget_wait(int n) {
  MPI_Rget(in, n, MPI_LONG, peer, 0, n, MPI_LONG, window, requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}
static void column_flush(int n) { /* of single longs, `wide` apart */
  MPI_Put(out, n, MPI_LONG, peer, 0, 1, column, window);
  MPI_Win_flush(peer, window);
}
static void make_column(int n) {
  make_types(n), make_locked(n);
}
static void free_column(void) {
  free_locked(), free_types();
}
static int column_put(int n) {
  for (int i = 0; i < n; i++)
    if (shown[i * wide] != value(peer, i)) return 0;
  return 1;
}
/* Data, then a word behind it that its owner looks at. */
static void put_and_flag(int n) {
  step++;
  MPI_Put(out, n, MPI_LONG, peer, 0, n, MPI_LONG, window);
  MPI_Win_flush(peer, window);
  MPI_Accumulate(&step, 1, MPI_LONG, peer, longs - 1, 1, MPI_LONG, MPI_REPLACE, window);
  MPI_Win_flush(peer, window);
  while (*(volatile long*)&shown[longs - 1] < step) MPI_Win_sync(window);
}

static int was_put(int n) {
  return are_of(shown, n, peer, 0);
}
static int was_added(int n) {
  for (int i = 0; i < n; i++)
    if (shown[i] != value(rank, i) + value(peer, i)) return 0;
  return 1;
}
static int fetched_and_added(int n) {
  return from_peer(n) && was_added(n);
}
static int was_swapped(int n) {
  return from_peer(n) && was_put(n);
}

static const need windowed = {make_window, free_window};
static const need fenced = {make_fenced, free_fenced};
static const need locked = {make_locked, free_locked};
static const need grouped = {make_grouped, free_grouped};
static const need column_locked = {make_column, free_column};
static const pattern windows[] = {
    {"Put, fence; 8 B", one, fence_put, NULL, was_put, &fenced},
    {"Get, fence; 8 B", one, fence_get, NULL, from_peer, &fenced},
    {"Accumulate, fence; 8 B", one, fence_accumulate, NULL, was_added, &fenced},
    {"post, start, Put, complete, wait; 8 B", one, pscw_put, NULL, was_put, &grouped},
    {"lock, Put, unlock; 8 B", one, lock_put, NULL, was_put, &windowed},
    {"lock shared, Get, unlock; 8 B", one, lock_get, NULL, from_peer, &windowed},
    {"lock shared, Accumulate, unlock; 8 B", one, lock_accumulate, NULL, was_added, &windowed},
    {"lock_all, Put, unlock_all; 8 B", one, lock_all_put, NULL, was_put, &windowed},
    {"Put, flush; 8 B", one, put_flush, NULL, was_put, &locked},
    {"Put, flush; 1 KiB", kib, put_flush, NULL, was_put, &locked},
    {"Get, flush; 8 B", one, get_flush, NULL, from_peer, &locked},
    {"Rput, Wait, flush; 8 B", one, rput_wait, NULL, was_put, &locked},
    {"Rget, Wait; 8 B", one, rget_wait, NULL, from_peer, &locked},
    {"Put of a column of 64, flush", side, column_flush, NULL, column_put, &column_locked},
    {"Accumulate, flush; 8 B", one, accumulate_flush, NULL, was_added, &locked},
    {"Accumulate, flush; 1 KiB", kib, accumulate_flush, NULL, was_added, &locked},
    {"Get_accumulate, flush; 8 B", one, get_accumulate, NULL, fetched_and_added, &locked},
    {"Fetch_and_op, flush", one, fetch_and_op, NULL, fetched_and_added, &locked},
    {"Compare_and_swap, flush", one, compare_and_swap, NULL, was_swapped, &locked},
    {"Put, flag, look at the own flag; 1 KiB", kib, put_and_flag, NULL, was_put, &locked, 2},
};
