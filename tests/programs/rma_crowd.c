/* Many at one window: several threads of each rank in one epoch of all targets, and more ranks than cores at
 * fences and locks. usage: rma_crowd RANKS THREADS [ROUNDS]; with RMA_WINDOWS in the environment only the kinds of windows
 * whose first letter it has (allocated, shared, created). */
#include <pthread.h>
#include <stdint.h>

#include "check.h"

enum { most_threads = 8, own_bytes = 4096 };

/* At each rank: a counter, a maximum, a place for CAS; then a part for each thread of each rank. */
enum { counter, largest, swapped, words };

static int threads, rounds;
static MPI_Win win;

static MPI_Aint part_of(int of_rank, int thread) {
  return words * 8 + (MPI_Aint)(of_rank * threads + thread) * own_bytes;
}

static void* work(void* number) {
  const int thread = *(int*)number;
  unsigned char *out = malloc(own_bytes), *in = malloc(own_bytes);
  for (int i = 0; i < rounds; ++i) {
    const int target = (rank + thread + i) % size;
    const int64_t one = 1, mine = (int64_t)i * 100 + rank * threads + thread;
    int64_t old = -1, result[2] = {-1, -1};
    /* Our own part of everybody: put, flushed by one of the four ways, got. */
    const int bytes = 1 + (i * 977 + thread * 131) % own_bytes;
    memset(out, i * 31 + thread * 7 + rank, (size_t)bytes);
    MPI_Put(out, bytes, MPI_BYTE, target, part_of(rank, thread), bytes, MPI_BYTE, win);
    if (i % 2)
      MPI_Win_flush(target, win);
    else
      MPI_Win_flush_all(win);
    MPI_Request request;
    memset(in, ~out[0], (size_t)bytes);
    switch (i % 3) {
      case 0:
        MPI_Rget(in, bytes, MPI_BYTE, target, part_of(rank, thread), bytes, MPI_BYTE, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
      case 1:
        MPI_Get(in, bytes, MPI_BYTE, target, part_of(rank, thread), bytes, MPI_BYTE, win);
        MPI_Win_flush_local(target, win);
        break;
      default:
        MPI_Get(in, bytes, MPI_BYTE, target, part_of(rank, thread), bytes, MPI_BYTE, win);
        MPI_Win_flush_local_all(win);
    }
    CHECK(memcmp(in, out, (size_t)bytes) == 0);
    /* What all share. */
    MPI_Accumulate(&one, 1, MPI_INT64_T, target, counter * 8, 1, MPI_INT64_T, MPI_SUM, win);
    MPI_Fetch_and_op(&mine, &old, MPI_INT64_T, target, largest * 8, MPI_MAX, win);
    MPI_Win_flush(target, win);
    MPI_Get_accumulate(NULL, 0, MPI_INT64_T, result, 2, MPI_INT64_T, target, 0, 2, MPI_INT64_T, MPI_NO_OP,
                       win);
    MPI_Win_flush(target, win);
    CHECK(result[0] >= 1 && result[1] >= mine && result[1] >= old);
    for (int64_t expected = 0;;) { /* one more, by compare_and_swap */
      const int64_t wanted = expected + 1;
      MPI_Compare_and_swap(&wanted, &expected, &old, MPI_INT64_T, target, swapped * 8, win);
      MPI_Win_flush(target, win);
      if (old == expected) break;
      CHECK(old > expected);
      expected = old;
    }
  }
  free(out), free(in);
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  start_world(argc, argv);
  CHECK(provided == MPI_THREAD_MULTIPLE && argc > 2);
  threads = atoi(argv[2]);
  rounds = argc > 3 ? atoi(argv[3]) : size > 4 ? 40 : 150;
  CHECK(threads >= 1 && threads <= most_threads);
  const MPI_Aint bytes = part_of(size, 0);
  const char* letters = getenv("RMA_WINDOWS");
  for (int kind = 0; kind < 3; ++kind) {
    if (letters && !strchr(letters, "asc"[kind])) continue;
    int64_t* base;
    void* memory = NULL;
    if (kind == 0)
      MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    else if (kind == 1)
      MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    else
      MPI_Win_create(base = memory = malloc((size_t)bytes), bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    memset(base, 0, (size_t)bytes);
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);

    pthread_t all[most_threads];
    int numbers[most_threads];
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < threads; ++i) {
      numbers[i] = i;
      CHECK(pthread_create(&all[i], NULL, work, &numbers[i]) == 0);
    }
    for (int i = 0; i < threads; ++i) pthread_join(all[i], NULL);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    int64_t sums[2] = {base[counter], base[swapped]}, total[2];
    MPI_Win_unlock(rank, win);
    MPI_Allreduce(sums, total, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(total[0] == (int64_t)size * threads * rounds && total[1] == total[0]);

    /* Fences: everybody to its neighbours; locks: everybody on one. */
    for (int i = 1; i <= rounds; ++i) {
      const int64_t value = (int64_t)i * size + rank;
      MPI_Win_fence(0, win);
      MPI_Put(&value, 1, MPI_INT64_T, (rank + 1) % size, part_of(0, 0), 1, MPI_INT64_T, win);
      MPI_Win_fence(0, win);
      CHECK(base[part_of(0, 0) / 8] == (int64_t)i * size + (rank + size - 1) % size);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    const int hot = size - 1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    base[(part_of(0, 0) + 64) / 8] = 0;
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < rounds; ++i) {
      int64_t count;
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, hot, 0, win);
      MPI_Get(&count, 1, MPI_INT64_T, hot, part_of(0, 0) + 64, 1, MPI_INT64_T, win);
      MPI_Win_flush(hot, win);
      ++count;
      MPI_Put(&count, 1, MPI_INT64_T, hot, part_of(0, 0) + 64, 1, MPI_INT64_T, win);
      MPI_Win_unlock(hot, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    if (rank == hot) CHECK(base[(part_of(0, 0) + 64) / 8] == (int64_t)size * rounds);
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
    free(memory);
  }
  MPI_Finalize();
  if (rank == 0) printf("rma_crowd passed\n");
  return 0;
}
