/* Accumulates, operations with requests, shared and dynamic windows, passive locks. */
#include "windows.h"

#define CHECK_INTS(array, n, ...)                                       \
  do {                                                                  \
    const int wanted_[] = {__VA_ARGS__};                                \
    for (int i_ = 0; i_ < (n); ++i_) CHECK((array)[i_] == wanted_[i_]); \
  } while (0)

/* Every rank adds to all, many times: no addition is lost, and each that fetches finds another value. */
static void sums(enum kind kind) {
  enum { rounds = 200 };
  MPI_Win win;
  MPI_Aint bytes = 4 * sizeof(int64_t);
  int64_t* memory = make_window(kind, bytes, sizeof(int64_t), MPI_COMM_WORLD, &win);
  const int64_t one[3] = {1, 1, 1};
  int64_t before[3], last = -1;
  double half = 0.5;
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < rounds; ++i) {
    const int to = (rank + i) % size;
    MPI_Accumulate(one, 2, MPI_INT64_T, to, 0, 2, MPI_INT64_T, MPI_SUM, win);
    MPI_Fetch_and_op(one, before, MPI_INT64_T, 0, 2, MPI_SUM, win);
    MPI_Win_flush(0, win);
    CHECK(before[0] > last && before[0] < (int64_t)rounds * size);
    last = before[0];
    MPI_Accumulate(&half, 1, MPI_DOUBLE, to, 3, 1, MPI_DOUBLE, MPI_SUM, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  double total;
  memcpy(&total, &memory[3], sizeof total);
  CHECK(memory[0] == rounds && memory[1] == rounds && memory[2] == (rank == 0 ? (int64_t)rounds * size : 0));
  CHECK(total == 0.5 * rounds);
  MPI_Barrier(MPI_COMM_WORLD);
  /* A counter by compare and swap. */
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < rounds; ++i) {
    int64_t seen = 0, next, found;
    MPI_Fetch_and_op(NULL, &seen, MPI_INT64_T, size - 1, 1, MPI_NO_OP, win);
    MPI_Win_flush(size - 1, win);
    for (;;) {
      next = seen + 1;
      MPI_Compare_and_swap(&next, &seen, &found, MPI_INT64_T, size - 1, 1, win);
      MPI_Win_flush(size - 1, win);
      if (found == seen) break;
      seen = found;
    }
  }
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  CHECK(memory[1] == (rank == size - 1 ? rounds + (int64_t)rounds * size : rounds));
  free_window(kind, memory, &win);
}

/* Operations, layouts, amounts; each rank on its neighbour. */
static void operations(enum kind kind) {
  MPI_Win win;
  int* memory = make_window(kind, 16 * sizeof(int), sizeof(int), MPI_COMM_WORLD, &win);
  const int to = (rank + 1) % size;
  int first[4] = {5, -6, 7, 8}, second[4] = {3, 3, 3, 3}, was[4];
  MPI_Datatype apart;
  MPI_Type_vector(4, 1, 2, MPI_INT, &apart);
  MPI_Type_commit(&apart);
  MPI_Win_fence(0, win);
  MPI_Accumulate(first, 4, MPI_INT, to, 0, 1, apart, MPI_REPLACE, win);
  MPI_Win_fence(0, win);
  CHECK_INTS(memory, 8, 5, 0, -6, 0, 7, 0, 8, 0);
  MPI_Win_fence(0, win);
  MPI_Get_accumulate(second, 4, MPI_INT, was, 4, MPI_INT, to, 0, 1, apart, MPI_MAX, win);
  MPI_Win_fence(0, win);
  CHECK_INTS(was, 4, 5, -6, 7, 8);
  CHECK_INTS(memory, 8, 5, 0, 3, 0, 7, 0, 8, 0);
  MPI_Win_fence(0, win);
  MPI_Accumulate(second, 4, MPI_INT, to, 0, 1, apart, MPI_BXOR, win);
  MPI_Get_accumulate(NULL, 77, MPI_DATATYPE_NULL, was, 1, MPI_INT, to, 15, 1, MPI_INT, MPI_NO_OP, win);
  MPI_Win_fence(0, win);
  CHECK_INTS(memory, 8, 6, 0, 0, 0, 4, 0, 11, 0);
  CHECK(was[0] == 0);
  /* Less than there is room for: the first of it. */
  MPI_Win_fence(0, win);
  MPI_Accumulate(second, 3, MPI_INT, to, 0, 2, apart, MPI_SUM, win);
  MPI_Win_fence(0, win);
  CHECK_INTS(memory, 8, 9, 0, 3, 0, 7, 0, 11, 0);
  int wide[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  MPI_Win_fence(0, win);
  MPI_Get_accumulate(second, 2, MPI_INT, wide, 2, apart, to, 0, 1, apart, MPI_PROD, win);
  MPI_Win_fence(0, win);
  CHECK_INTS(wide, 8, 9, -1, 3, -1, 7, -1, 11, -1);
  CHECK_INTS(memory, 8, 27, 0, 9, 0, 7, 0, 11, 0);
  MPI_Type_free(&apart);
  /* Pairs. */
  struct pair {
    double value;
    int index;
  } mine = {2.5, rank}, *pairs = (struct pair*)memory;
  MPI_Win_fence(0, win);
  memset(memory, 0, 16 * sizeof(int));
  MPI_Win_fence(0, win);
  MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, to, 0, 1, MPI_DOUBLE_INT, MPI_MAXLOC, win);
  MPI_Win_fence(0, win);
  CHECK(pairs->value == 2.5 && pairs->index == (rank + size - 1) % size);
  MPI_Accumulate(NULL, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  free_window(kind, memory, &win);
}

static void requests(enum kind kind) {
  MPI_Win win;
  int* memory = make_window(kind, 8 * sizeof(int), sizeof(int), MPI_COMM_WORLD, &win);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  const int word = 100 + rank, two = 2;
  int got = -1, fetched = -1, flag = 0;
  MPI_Request r[4];
  MPI_Status status;
  MPI_Win_lock_all(0, win);
  MPI_Rput(&word, 1, MPI_INT, to, 0, 1, MPI_INT, win, &r[0]);
  MPI_Rput(&word, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  CHECK(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
  MPI_Win_flush(to, win);
  MPI_Raccumulate(&two, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, win, &r[0]);
  MPI_Wait(&r[0], &status);
  MPI_Win_flush_all(win);
  MPI_Rget(&got, 1, MPI_INT, to, 0, 1, MPI_INT, win, &r[0]);
  while (!flag) MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
  CHECK(got == word + 2);
  MPI_Rget_accumulate(&two, 1, MPI_INT, &fetched, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_PROD, win, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  CHECK(fetched == word + 2);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(memory[0] == 2 * (100 + from + 2));
  free_window(kind, memory, &win);
}

/* An exclusive lock makes load and store of others one step. */
static void exclusive(enum kind kind) {
  enum { rounds = 50 };
  MPI_Win win;
  int* memory = make_window(kind, 2 * sizeof(int), sizeof(int), MPI_COMM_WORLD, &win);
  for (int i = 0; i < rounds; ++i) {
    int pair[2];
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(pair, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
    MPI_Win_flush(0, win);
    CHECK(pair[1] == 7 * pair[0]);
    ++pair[0];
    MPI_Put(pair, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    pair[1] += 7;
    MPI_Put(pair + 1, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  if (rank == 0) CHECK(memory[0] == rounds * size && memory[1] == 7 * rounds * size);
  MPI_Win_unlock(rank, win);
  free_window(kind, memory, &win);
}

/* Shared windows: by default all parts lie one behind the other, in the order of the ranks. */
static void shared_windows(int apart) {
  MPI_Win win;
  MPI_Info info;
  int *mine, *part;
  MPI_Aint bytes;
  int unit;
  MPI_Info_create(&info);
  if (apart) MPI_Info_set(info, "alloc_shared_noncontig", "true");
  const MPI_Aint own = rank % 3 == 1 ? 0 : (rank + 1) * (MPI_Aint)sizeof(int);
  CHECK(MPI_Win_allocate_shared(own, sizeof(int), info, MPI_COMM_WORLD, &mine, &win) == MPI_SUCCESS);
  MPI_Info_free(&info);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  for (int i = 0; i < (int)(own / (MPI_Aint)sizeof(int)); ++i) mine[i] = 100 * rank + i;
  MPI_Win_sync(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  char* end = NULL;
  for (int r = 0; r < size; ++r) {
    CHECK(MPI_Win_shared_query(win, r, &bytes, &unit, &part) == MPI_SUCCESS && unit == (int)sizeof(int));
    CHECK(bytes == (r % 3 == 1 ? 0 : (r + 1) * (MPI_Aint)sizeof(int)));
    if (r == rank && bytes > 0) CHECK(part == mine);
    if (!apart && end != NULL) CHECK((char*)part == end);
    end = (char*)part + bytes;
    for (int i = 0; i < (int)(bytes / (MPI_Aint)sizeof(int)); ++i) CHECK(part[i] == 100 * r + i);
  }
  CHECK(MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &part) == MPI_SUCCESS);
  CHECK(bytes == (MPI_Aint)sizeof(int) && part[0] == 0); /* the first that is not empty: rank 0's */
  MPI_Barrier(MPI_COMM_WORLD);
  /* What one stores, others get, and the other way round. */
  const int word = 5000 + rank;
  MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MAX, win);
  MPI_Win_flush(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  CHECK(part[0] == 5000 + size - 1);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

/* MPI_Win_shared_query on others: all memory that is given, or nothing. */
static void queries(enum kind kind) {
  MPI_Win win;
  int *memory = make_window(kind, 8, 4, MPI_COMM_WORLD, &win), *part;
  MPI_Aint bytes;
  int unit;
  for (int r = 0; r < size; ++r) {
    CHECK(MPI_Win_shared_query(win, r, &bytes, &unit, &part) == MPI_SUCCESS);
    CHECK(part == NULL ? bytes == 0 : bytes == 8 && unit == 4);
    if (kind != created && on_loadstone()) CHECK(part != NULL);
    if (kind == shared) CHECK(part != NULL);
    if (part != NULL) CHECK(part[0] == 0 && part[1] == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  free_window(kind, memory, &win);
}

/* Memory is attached and detached while others use what is left. */
static void dynamic(void) {
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  int *block[3], in[8];
  MPI_Aint address, all[64][2];
  CHECK(size <= 64);
  for (int i = 0; i < 3; ++i) {
    block[i] = calloc(8, sizeof(int));
    CHECK(MPI_Win_attach(win, block[i], 8 * sizeof(int)) == MPI_SUCCESS);
  }
  CHECK(MPI_Win_attach(win, NULL, 0) == MPI_SUCCESS);
  CHECK(MPI_Win_attach(win, in, 0) == MPI_SUCCESS && MPI_Win_detach(win, in) == MPI_SUCCESS);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  MPI_Aint mine[2];
  MPI_Get_address(block[0], &mine[0]);
  MPI_Get_address(block[2], &mine[1]);
  CHECK(MPI_Win_detach(win, block[1]) == MPI_SUCCESS);
  MPI_Allgather(mine, 2, MPI_AINT, all, 2, MPI_AINT, MPI_COMM_WORLD);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, to, all[to][0] + 4, 1, MPI_INT, win);
  MPI_Accumulate(&rank, 1, MPI_INT, to, MPI_Aint_add(all[to][1], 28), 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  CHECK(block[0][1] == from && block[2][7] == from);
  MPI_Get(in, 8, MPI_INT, to, all[to][0], 8, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK(in[0] == 0 && in[1] == rank);
  /* Anew, in the midst of an epoch, where it was. */
  MPI_Win_lock_all(0, win);
  CHECK(MPI_Win_attach(win, block[1], 8 * sizeof(int)) == MPI_SUCCESS);
  MPI_Get_address(block[1], &address);
  MPI_Allgather(&address, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
  int before = -1;
  MPI_Fetch_and_op(&rank, &before, MPI_INT, to, ((MPI_Aint*)all)[to] + 8, MPI_REPLACE, win);
  MPI_Win_flush(to, win);
  CHECK(before == 0);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(block[1][2] == from);
  MPI_Win_free(&win);
  for (int i = 0; i < 3; ++i) free(block[i]);
}

/* A partner in each direction, and MPI_Win_test. */
static void partners(enum kind kind) {
  MPI_Win win;
  int* memory = make_window(kind, sizeof(int), sizeof(int), MPI_COMM_WORLD, &win);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  MPI_Group world, targets, origins;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &to, &targets);
  MPI_Group_incl(world, 1, &from, &origins);
  for (int i = 0; i < 50; ++i) {
    const int word = 1000 * i + rank;
    int flag = 0;
    MPI_Win_post(origins, i % 2 == 0 ? 0 : MPI_MODE_NOSTORE, win);
    MPI_Win_start(targets, 0, win);
    MPI_Put(&word, 1, MPI_INT, to, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    if (i % 3 == 0)
      MPI_Win_wait(win);
    else
      while (!flag) MPI_Win_test(win, &flag);
    CHECK(memory[0] == 1000 * i + from);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&targets);
  MPI_Group_free(&origins);
  free_window(kind, memory, &win);
}

/* The origin has fewer elements than the target: the first ones are changed, as whole pairs. */
static void fewer_pairs(enum kind kind) {
  struct pair {
    double value;
    int index;
  };
  MPI_Win win;
  char* const memory = make_window(kind, 256, 1, MPI_COMM_WORLD, &win);
  struct pair* const pairs = (struct pair*)memory;
  struct {
    short value;
    int index;
  }* const shorts = (void*)(memory + 64);
  int(*const ints)[2] = (void*)(memory + 128);
  for (int i = 0; i < 3; ++i) {
    pairs[i].value = shorts[i].value = ints[i][0] = (short)(-1 - i);
    pairs[i].index = shorts[i].index = ints[i][1] = -7;
  }
  MPI_Win_fence(0, win);
  const struct {
    MPI_Datatype type;
    int at;
  } all[] = {{MPI_DOUBLE_INT, 0}, {MPI_SHORT_INT, 64}, {MPI_2INT, 128}};
  const struct pair one = {rank, rank};
  const struct {
    short value;
    int index;
  } few = {(short)rank, rank};
  const int two[2] = {rank, rank};
  const void* const origins[] = {&one, &few, two};
  for (int i = 0; i < 3; ++i) {
    MPI_Datatype three;
    MPI_Type_contiguous(3, all[i].type, &three);
    MPI_Type_commit(&three);
    CHECK(MPI_Accumulate(origins[i], 1, all[i].type, 0, all[i].at, 1, three, MPI_MAXLOC, win) == MPI_SUCCESS);
    MPI_Type_free(&three);
  }
  MPI_Win_fence(0, win);
  if (rank == 0) {
    const int last = size - 1;
    CHECK(pairs[0].value == last && pairs[0].index == last);
    CHECK(shorts[0].value == last && shorts[0].index == last);
    CHECK(ints[0][0] == last && ints[0][1] == last);
    for (int i = 1; i < 3; ++i) {
      CHECK(pairs[i].value == -1 - i && pairs[i].index == -7);
      CHECK(shorts[i].value == -1 - i && shorts[i].index == -7);
      CHECK(ints[i][0] == -1 - i && ints[i][1] == -7);
    }
  }
  MPI_Win_fence(0, win);
  free_window(kind, memory, &win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  for (int kind = created; kind < kinds; ++kind) {
    sums(kind);
    operations(kind);
    requests(kind);
    exclusive(kind);
    queries(kind);
    partners(kind);
    fewer_pairs(kind);
  }
  shared_windows(0);
  shared_windows(1);
  dynamic();
  MPI_Finalize();
  return 0;
}
