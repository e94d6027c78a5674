/* Put and get: places, units, layouts on both sides, amounts that differ, in every kind of memory and of
 * epoch. */
#include "windows.h"

enum { words = 64 };

/* An epoch of each kind around operations on one target. */
enum epoch { by_fence, by_start, by_lock, by_lock_all, epochs };

static void begin(enum epoch e, MPI_Win win, int target, MPI_Group all) {
  (void)target;
  switch (e) {
    case by_fence:
      MPI_Win_fence(0, win);
      break;
    case by_start:
      MPI_Win_post(all, 0, win);
      MPI_Win_start(all, 0, win);
      break;
    case by_lock:
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
      break;
    default:
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Win_lock_all(0, win);
      break;
  }
}

static void end(enum epoch e, MPI_Win win, int target) {
  switch (e) {
    case by_fence:
      MPI_Win_fence(0, win);
      break;
    case by_start:
      MPI_Win_complete(win);
      MPI_Win_wait(win);
      break;
    case by_lock:
      MPI_Win_unlock(target, win);
      MPI_Barrier(MPI_COMM_WORLD);
      break;
    default:
      MPI_Win_unlock_all(win);
      MPI_Barrier(MPI_COMM_WORLD);
      break;
  }
  MPI_Win_sync(win);
}

static void places(enum kind kind, enum epoch e, MPI_Group all) {
  MPI_Win win;
  /* Units differ: a displacement counts those of the target. */
  int* memory = make_window(kind, words * sizeof(int), rank % 2 == 0 ? 4 : 1, MPI_COMM_WORLD, &win);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  const int scale = to % 2 == 0 ? 1 : 4;
  int out[words], in[words];
  for (int i = 0; i < words; ++i) out[i] = 1000 * rank + i, in[i] = -1;
  begin(e, win, to, all);
  MPI_Put(out, 10, MPI_INT, to, 0, 10, MPI_INT, win);
  MPI_Put(out + 10, 1, MPI_INT, to, 10 * scale, 1, MPI_INT, win);
  MPI_Put(out + words - 1, 1, MPI_INT, to, (words - 1) * scale, 4, MPI_BYTE, win);
  MPI_Put(out, 0, MPI_INT, to, words * scale, 0, MPI_INT, win);
  MPI_Put(NULL, 0, MPI_INT, to, 0, 0, MPI_INT, win);
  MPI_Put(NULL, 5, MPI_INT, MPI_PROC_NULL, 0, 5, MPI_INT, win);
  end(e, win, to);
  for (int i = 0; i < words; ++i) CHECK(memory[i] == (i <= 10 || i == words - 1 ? 1000 * from + i : 0));
  begin(e, win, to, all);
  MPI_Get(in, words, MPI_INT, to, 0, words, MPI_INT, win);
  MPI_Get(NULL, 5, MPI_INT, MPI_PROC_NULL, 0, 5, MPI_INT, win);
  end(e, win, to);
  for (int i = 0; i < words; ++i) CHECK(in[i] == (i <= 10 || i == words - 1 ? out[i] : 0));
  free_window(kind, memory, &win);
}

/* Every second element there from every third here, and back; lower bounds that are not 0. */
static void layouts(enum kind kind, enum epoch e, MPI_Group all) {
  MPI_Win win;
  int* memory = make_window(kind, words * sizeof(int), sizeof(int), MPI_COMM_WORLD, &win);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  int out[words], in[words];
  MPI_Datatype second, third, backwards;
  MPI_Type_vector(20, 1, 2, MPI_INT, &second);
  MPI_Type_vector(20, 1, 3, MPI_INT, &third);
  const int at[] = {-4, -8, -12};
  MPI_Type_create_indexed_block(3, 1, at, MPI_INT, &backwards);
  MPI_Type_commit(&second);
  MPI_Type_commit(&third);
  MPI_Type_commit(&backwards);
  for (int i = 0; i < words; ++i) out[i] = 1000 * rank + i, in[i] = -1;
  begin(e, win, to, all);
  MPI_Put(out, 1, third, to, 3, 1, second, win);
  MPI_Put(out, 3, MPI_INT, to, 60, 1, backwards, win);
  end(e, win, to);
  for (int i = 0; i < words; ++i) {
    int expected = i >= 3 && (i - 3) % 2 == 0 && (i - 3) / 2 < 20 ? 1000 * from + 3 * ((i - 3) / 2) : 0;
    for (int k = 0; k < 3; ++k)
      if (i == 60 + at[k]) expected = 1000 * from + k;
    CHECK(memory[i] == expected);
  }
  begin(e, win, to, all);
  MPI_Get(in, 1, third, to, 3, 1, second, win);
  end(e, win, to);
  for (int i = 0; i < words; ++i) {
    const int k = i / 3;
    const int overwritten = 3 + 2 * k == 56 || 3 + 2 * k == 52 || 3 + 2 * k == 48;
    if (i % 3 == 0 && k < 20)
      CHECK(overwritten || in[i] == out[i]);
    else
      CHECK(in[i] == -1);
  }
  free_window(kind, memory, &win);
  MPI_Type_free(&second);
  MPI_Type_free(&third);
  MPI_Type_free(&backwards);
}

/* As with messages, the side that receives may have more room than there is data: also where that ends in
 * the midst of an element. */
static void shorter(enum kind kind, enum epoch e, MPI_Group all) {
  MPI_Win win;
  int* memory = make_window(kind, words * sizeof(int), sizeof(int), MPI_COMM_WORLD, &win);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  int out[words], in[words];
  MPI_Datatype pairs;
  MPI_Type_vector(2, 1, 3, MPI_INT, &pairs); /* 0 and 3, then 4 and 7, … */
  MPI_Type_commit(&pairs);
  for (int i = 0; i < words; ++i) out[i] = 1000 * rank + i + 1, in[i] = -1;
  begin(e, win, to, all);
  MPI_Put(out, 3, MPI_INT, to, 0, 9, MPI_INT, win);
  MPI_Put(out + 10, 3, MPI_INT, to, 20, 2, pairs, win);
  MPI_Put(out + 20, 0, MPI_INT, to, 40, 2, pairs, win);
  end(e, win, to);
  for (int i = 0; i < words; ++i) {
    const int k = i == 20 ? 0 : i == 23 ? 1 : i == 24 ? 2 : -1;
    CHECK(memory[i] == (i < 3 ? 1000 * from + i + 1 : k >= 0 ? 1000 * from + 11 + k : 0));
  }
  begin(e, win, to, all);
  MPI_Get(in, 2, pairs, to, 0, 3, MPI_INT, win);
  MPI_Get(in + 20, 30, MPI_INT, to, 0, 2, MPI_INT, win);
  end(e, win, to);
  for (int i = 0; i < words; ++i) {
    const int k = i == 0 ? 0 : i == 3 ? 1 : i == 4 ? 2 : i == 20 ? 0 : i == 21 ? 1 : -1;
    CHECK(in[i] == (k >= 0 ? out[k] : -1));
  }
  free_window(kind, memory, &win);
  MPI_Type_free(&pairs);
}

/* Every rank puts one word to each, and reads all others'. */
static void everybody(enum kind kind) {
  MPI_Win win;
  int* memory = make_window(kind, size * (MPI_Aint)sizeof(int), sizeof(int), MPI_COMM_WORLD, &win);
  for (int round = 0; round < 20; ++round) {
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int i = 0; i < size; ++i) {
      const int word = round * 100000 + rank * 100 + i;
      MPI_Put(&word, 1, MPI_INT, i, rank, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    for (int i = 0; i < size; ++i) CHECK(memory[i] == round * 100000 + i * 100 + rank);
    int all[64];
    CHECK(size <= 64);
    for (int i = 0; i < size; ++i) MPI_Get(&all[i], 1, MPI_INT, i, (rank + 1) % size, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE, win);
    for (int i = 0; i < size; ++i) CHECK(all[i] == round * 100000 + (rank + 1) % size * 100 + i);
  }
  free_window(kind, memory, &win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (int kind = created; kind < kinds; ++kind) {
    for (int e = by_fence; e < epochs; ++e) {
      places(kind, e, all);
      layouts(kind, e, all);
      shorter(kind, e, all);
    }
    everybody(kind);
  }
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
