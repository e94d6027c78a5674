/* Operations end while their target computes and makes no call, whatever way they go. Rank 0 is the target; it knows
 * by its memory alone that all the others are through. Usage: win_progress RANKS [THREADS]: so many has rank 0 then. */
#include <dirent.h>

#include "windows.h"

enum { counter, swapped, fetched, data, rounds = 20 };

static int threads_of_process(void) {
  int count = 0;
  DIR* tasks = opendir("/proc/self/task");
  CHECK(tasks != NULL);
  for (struct dirent* d; (d = readdir(tasks)) != NULL;) count += d->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/* By turns, in a row, and large: whatever lanes there are between two ranks. */
static void exchange(int round) {
  enum { in_a_row = 40, large = 1 << 18 };
  static int numbers[large];
  for (int peer = 1; peer < size; ++peer) {
    const int other = rank == 0 ? peer : 0;
    if (rank != 0 && rank != peer) continue;
    for (int i = 0; i < in_a_row; ++i) {
      int sent = i + round, got = -1;
      MPI_Sendrecv(&sent, 1, MPI_INT, other, 1, &got, 1, MPI_INT, other, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      CHECK(got == i + round);
    }
    for (int i = 0; i < in_a_row; ++i) {
      int number = i + round;
      if (rank != 0) MPI_Send(&number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
      if (rank == 0) MPI_Recv(&number, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(number == i + round);
    }
    for (int count = 1000; count <= large; count *= 4) {
      for (int i = 0; i < count; ++i) numbers[i] = rank != 0 ? i ^ round : -1;
      if (rank != 0) MPI_Send(numbers, count, MPI_INT, 0, 3, MPI_COMM_WORLD);
      if (rank == 0) MPI_Recv(numbers, count, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < count; ++i) CHECK(numbers[i] == (i ^ round));
    }
  }
}

static void use(enum kind kind) {
  MPI_Win win;
  int64_t* memory = make_window(kind, 8 * (data + size), 8, MPI_COMM_WORLD, &win);
  /* Who has not known that it is asked knows by the first request, which its next call takes in. */
  MPI_Win_lock_all(0, win);
  int64_t one = 1, old = -1, none = 0;
  MPI_Get(&old, 1, MPI_INT64_T, 0, data + rank, 1, MPI_INT64_T, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);

  for (int64_t round = 1; round <= rounds; ++round) {
    if (rank == 0) {
      while (__atomic_load_n(&memory[counter], __ATOMIC_ACQUIRE) != round * (size - 1)) {
      }
      CHECK(memory[fetched] == round * (size - 1) && memory[swapped] == round);
      for (int r = 1; r < size; ++r) CHECK(memory[data + r] == 100 * round + r);
    } else {
      int64_t value = 100 * round + rank, got = -1;
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
      MPI_Put(&value, 1, MPI_INT64_T, 0, data + rank, 1, MPI_INT64_T, win);
      MPI_Win_flush(0, win);
      MPI_Get(&got, 1, MPI_INT64_T, 0, data + rank, 1, MPI_INT64_T, win);
      MPI_Win_unlock(0, win);
      CHECK(got == value);
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
      MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 0, fetched, MPI_SUM, win);
      none = round - 1;
      MPI_Compare_and_swap(&round, &none, &old, MPI_INT64_T, 0, swapped, win);
      MPI_Win_flush(0, win);
      CHECK(old == round - 1 || old == round);
      MPI_Accumulate(&one, 1, MPI_INT64_T, 0, counter, 1, MPI_INT64_T, MPI_SUM, win);
      MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  exchange(rounds);
  free_window(kind, memory, &win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  exchange(0);
  /* Nobody is asked for what is in job memory, and mapped. */
  if (argc > 2 && on_loadstone()) CHECK(threads_of_process() == 1);
  use(allocated);
  use(of_library_memory);
  use(created);
  if (argc > 2 && on_loadstone() && rank == 0) CHECK(threads_of_process() == atoi(argv[2]));
  exchange(1);
  MPI_Finalize();
  return 0;
}
