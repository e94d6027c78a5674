/* A program that goes through every protocol once: what the fault tests kill, stop and delay, and what the
 * robustness tests run in odd surroundings. Checks what it receives. Prints "workload ok" once, from rank 0,
 * when all is right.
 *
 * Usage: workload <expected size of MPI_COMM_WORLD> [undumpable]
 *   undumpable: takes the right to be traced away from this process, so that peers' process_vm_* calls are
 * refused.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static int rank, size;

static void fail(const char* what, long at) {
  fprintf(stderr, "workload: rank %d: %s wrong at %ld\n", rank, what, at);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Work that does not enter the library. */
static void compute(double seconds) {
  struct timespec now, start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec) < seconds);
}

static void pause_for(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&t, NULL);
}

static void fill(unsigned char* data, size_t bytes, int seed) {
  for (size_t i = 0; i < bytes; ++i) data[i] = (unsigned char)(i * 7 + (size_t)seed * 13 + (i >> 12));
}

static void check(const unsigned char* data, size_t bytes, int seed, const char* what) {
  for (size_t i = 0; i < bytes; ++i)
    if (data[i] != (unsigned char)(i * 7 + (size_t)seed * 13 + (i >> 12))) fail(what, (long)i);
}

/* Everybody sends `bytes` to the right and receives from the left; `late` posts the receive after the message
 * is there. */
static void ring(unsigned char* out, unsigned char* in, size_t bytes, int tag, int late, const char* what) {
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request send, receive;
  MPI_Status status;
  int count;
  fill(out, bytes, rank + tag);
  memset(in, 0, bytes);
  if (!late) MPI_Irecv(in, (int)bytes, MPI_BYTE, left, tag, MPI_COMM_WORLD, &receive);
  MPI_Isend(out, (int)bytes, MPI_BYTE, right, tag, MPI_COMM_WORLD, &send);
  if (late) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    if (status.MPI_SOURCE != left) fail("source of the probe", status.MPI_SOURCE);
    MPI_Irecv(in, (int)bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &receive);
  }
  MPI_Wait(&receive, &status);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Get_count(&status, MPI_BYTE, &count);
  if (count != (int)bytes || status.MPI_SOURCE != left || status.MPI_TAG != tag) fail("status", count);
  check(in, bytes, left + tag, what);
}

/* Short collectives, often enough that they meet in areas: of all, where there may be fewer cores than members, and of pairs;
 * with roots that go ahead, and restarted ones. */
static void collectives(void) {
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  const MPI_Comm all[] = {MPI_COMM_WORLD, pair};
  for (int i = 0; i < 2; ++i) {
    int p, me, value, sum;
    MPI_Comm_size(all[i], &p);
    MPI_Comm_rank(all[i], &me);
    MPI_Request request;
    MPI_Allreduce_init(&me, &sum, 1, MPI_INT, MPI_SUM, all[i], MPI_INFO_NULL, &request);
    for (int round = 0; round < 6; ++round) {
      MPI_Barrier(all[i]);
      value = me == round % p ? round : -1;
      MPI_Bcast(&value, 1, MPI_INT, round % p, all[i]);
      if (value != round) fail("broadcast", round);
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (sum != p * (p - 1) / 2) fail("restarted sum", round);
      MPI_Reduce(&me, &value, 1, MPI_INT, MPI_MAX, 0, all[i]);
      if (me == 0 && value != p - 1) fail("maximum", round);
    }
    MPI_Request_free(&request);
  }
  MPI_Comm_free(&pair);
  /* Long ones: reductions through blocks and on buffers, and an exchange. */
  enum { most = 1 << 16 };
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int* in = malloc(most * sizeof *in);
  int* out = malloc(most * sizeof *out);
  for (int n = most / 16; n <= most; n *= 16) {
    for (int i = 0; i < n; ++i) in[i] = i + rank;
    MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; ++i)
      if (out[i] != i * size + size * (size - 1) / 2) fail("long sum", i);
    MPI_Alltoall(in, n / size, MPI_INT, out, n / size, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < n / size * size; ++i)
      if (out[i] != i % (n / size) + rank * (n / size) + i / (n / size)) fail("long exchange", i);
    int *counts = malloc(2 * (size_t)size * sizeof *counts), *places = counts + size;
    for (int r = 0; r < size; ++r) counts[r] = n / size, places[r] = r * (n / size);
    memset(out, 0, (size_t)n * sizeof *out);
    MPI_Alltoallv(in, counts, places, MPI_INT, out, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < n / size * size; ++i)
      if (out[i] != i % (n / size) + rank * (n / size) + i / (n / size)) fail("exchange of sizes", i);
    free(counts);
  }
  free(in);
  free(out);
}

/* Windows of memory that the library gave, that it did not, and that is attached: put, accumulate at once (in bulk
 * and under locks of ranges), locks, fences, post and start. */
static void windows(int rank, int size) {
  enum { words = 8192 };
  int right = (rank + 1) % size;
  int64_t* ones = calloc(words, sizeof *ones);
  for (int i = 0; i < words; ++i) ones[i] = 1;
  int64_t* copy = calloc(words, sizeof *copy);
  MPI_Datatype every_second;
  MPI_Type_vector(words / 2, 1, 2, MPI_INT64_T, &every_second);
  MPI_Type_commit(&every_second);
  for (int kind = 0; kind < 3; ++kind) {
    int64_t* memory = NULL;
    int64_t* own = calloc(words, sizeof *own);
    MPI_Win win;
    MPI_Aint at = 0;
    if (kind == 0) {
      MPI_Win_allocate(words * sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
      memset(memory, 0, words * sizeof *memory);
    } else if (kind == 1) {
      memory = own;
      MPI_Win_create(memory, words * sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    } else {
      memory = own;
      MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
      MPI_Win_attach(win, memory, words * sizeof *memory);
      MPI_Get_address(memory, &at);
    }
    MPI_Aint all[64];
    MPI_Allgather(&at, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
    /* Each process alone, so that it is surely the one that begins at its target. */
    for (int turn = 0; turn < size; ++turn) {
      if (rank == turn) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
        MPI_Accumulate(ones, words, MPI_INT64_T, right, all[right], words, MPI_INT64_T, MPI_PROD, win);
        MPI_Get(copy, 1, every_second, right, all[right], 1, every_second, win);
        MPI_Win_flush(right, win);
        MPI_Put(copy, 1, every_second, right, all[right], 1, every_second, win);
        MPI_Win_unlock(right, win);
        for (int i = 0; i < words; ++i)
          if (copy[i] != 0) fail("get before all", i);
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_fence(0, win);
    for (int target = 0; target < size; ++target)
      MPI_Accumulate(ones, words, MPI_INT64_T, target, all[target], words, MPI_INT64_T, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; i < words; ++i)
      if (memory[i] != size) fail("accumulate", i);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    int64_t before, one = 1;
    MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, all[0] + 8, MPI_SUM, win);
    struct {
      double value;
      int index;
    } pair = {rank, rank}, old;
    MPI_Get_accumulate(&pair, 1, MPI_DOUBLE_INT, &old, 1, MPI_DOUBLE_INT, 0, all[0] + 64, 1, MPI_DOUBLE_INT,
                       MPI_REPLACE, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && memory[1] != 2 * size) fail("fetch_and_op", (int)memory[1]);

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
    MPI_Put(&one, 1, MPI_INT64_T, right, all[right] + 800, 1, MPI_INT64_T, win);
    MPI_Get(&before, 1, MPI_INT64_T, right, all[right] + 800, 1, MPI_INT64_T, win);
    MPI_Win_unlock(right, win);
    if (before != 1) fail("get behind a put", (int)before);

    MPI_Group group;
    MPI_Win_get_group(win, &group);
    MPI_Win_post(group, 0, win);
    MPI_Win_start(group, 0, win);
    MPI_Put(&one, 1, MPI_INT64_T, right, all[right] + 880, 1, MPI_INT64_T, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    if (memory[110] != 1) fail("put between start and complete", (int)memory[110]);
    MPI_Group_free(&group);
    if (kind == 2) MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
    free(own);
  }
  MPI_Type_free(&every_second);
  free(copy);
  free(ones);
}

/* Each writes its part of a file, and reads that of the next one. */
static void files(int rank, int size) {
  MPI_File file;
  const char* name = getenv("WORKLOAD_FILE");
  int mine = 1000 + rank, next = (rank + 1) % size, got = 0;
  if (name == NULL) return;
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof mine, &mine, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  MPI_File_read_at_all(file, next * (MPI_Offset)sizeof got, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
  if (got != 1000 + next) fail("file", got);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  if (argc > 2 && strcmp(argv[2], "undumpable") == 0) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 2 || size != atoi(argv[1])) {
    fprintf(stderr, "workload: size is %d, expected %s\n", size, argc < 2 ? "an argument" : argv[1]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }

  enum { largest = 3 << 20 };
  static const size_t sizes[] = {0,    1,     8,     32,    33,     96,      97,     500,
                                 4096, 16384, 16385, 65536, 262144, 1 << 20, largest};
  unsigned char* out = malloc(largest);
  unsigned char* in = malloc(largest);
  void *shared_out, *shared_in;
  MPI_Alloc_mem(largest, MPI_INFO_NULL, &shared_out);
  MPI_Alloc_mem(largest, MPI_INFO_NULL, &shared_in);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    ring(out, in, sizes[i], (int)(10 + 4 * i), 0, "message into ordinary memory");
    ring(out, in, sizes[i], (int)(11 + 4 * i), 1, "unexpected message");
    ring(shared_out, in, sizes[i], (int)(12 + 4 * i), 0, "message from library memory");
    ring(out, shared_in, sizes[i], (int)(13 + 4 * i), 0, "message into library memory");
  }

  /* Large receives that their sender knows of when it sends: once what they are for, once a short message. */
  MPI_Request request;
  for (int i = 0; i < 2 && size > 1; ++i) {
    const int left = (rank + size - 1) % size, right = (rank + 1) % size, bytes = i == 0 ? 1 << 20 : 100;
    fill(out, (size_t)bytes, rank + i);
    MPI_Irecv(in, 1 << 20, MPI_BYTE, left, 3, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(out, bytes, MPI_BYTE, right, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(in, (size_t)bytes, left + i, "message into a receive its sender knew of");
  }

  /* By turns: answers make a pair line, behind which longer payload lies in a ring, published while it is written. */
  for (int i = 0; i < 48 && (rank ^ 1) < size; ++i) {
    const int bytes = i < 24 ? 8 : i % 4 < 2 ? 3000 : 8192;
    if (i % 2 == rank % 2) {
      fill(out, (size_t)bytes, i);
      MPI_Send(out, bytes, MPI_BYTE, rank ^ 1, 6, MPI_COMM_WORLD);
    } else {
      MPI_Recv(in, bytes, MPI_BYTE, rank ^ 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check(in, (size_t)bytes, i, "message by turns");
    }
  }

  /* Itself, with and without a receive posted. */
  for (size_t bytes = 8; bytes <= 1 << 20; bytes *= 32) {
    fill(out, bytes, 1);
    MPI_Irecv(in, (int)bytes, MPI_BYTE, rank, 1, MPI_COMM_WORLD, &request);
    MPI_Send(out, (int)bytes, MPI_BYTE, rank, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(in, bytes, 1, "message to itself");
  }

  /* A flood at a receiver that computes: refused, queued, found out of order (tag 2 first). */
  enum { flood = 20000 };
  if (size > 1 && rank == 0) {
    for (int i = 0; i < flood; ++i) MPI_Send(&i, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD);
    int last = 42;
    MPI_Send(&last, 1, MPI_INT, size - 1, 2, MPI_COMM_WORLD);
  } else if (size > 1 && rank == size - 1) {
    int value = 0;
    compute(0.02);
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (value != 42) fail("message found behind the flood", value);
    for (int i = 0; i < flood; ++i) {
      MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (value != i) fail("order of the flood", i);
    }
  }

  /* Asleep in a receive, then in a synchronous send. */
  int token = 7, right = (rank + 1) % size, left = (rank + size - 1) % size;
  if (rank == 0) {
    pause_for(0.03);
    MPI_Send(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
    MPI_Recv(&token, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&token, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
  }
  if (rank % 2 == 0 && rank + 1 < size) MPI_Ssend(&token, 1, MPI_INT, rank + 1, 4, MPI_COMM_WORLD);
  if (rank % 2 == 1) {
    pause_for(0.01);
    MPI_Message message;
    MPI_Mprobe(rank - 1, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&token, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  }

  /* The launcher keeps a name for each. */
  char name[64], port[MPI_MAX_PORT_NAME];
  snprintf(name, sizeof name, "workload %d", rank);
  MPI_Publish_name(name, MPI_INFO_NULL, "here");
  MPI_Lookup_name(name, MPI_INFO_NULL, port);
  if (strcmp(port, "here") != 0) fail("published name", 0);
  MPI_Unpublish_name(name, MPI_INFO_NULL, "here");

  /* Cancelled receive, and a send that may be cancelled. */
  MPI_Status status;
  int cancelled;
  MPI_Irecv(in, 8, MPI_BYTE, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  if (!cancelled) fail("cancelled receive", 0);
  /* The poor transport has no remote atomics, by which a sender takes a message back without its receiver:
   * there a send that is to be cancelled completes only when it is received. */
  const char* parameters = getenv("LOADSTONE_TEST");
  int can_take_back = parameters == NULL || strstr(parameters, "transport=poor") == NULL;
  cancelled = 1;
  if (can_take_back) {
    MPI_Isend(out, 1 << 20, MPI_BYTE, right, 98, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
  }
  int all[64], here = cancelled;
  MPI_Allgather(&here, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  if (!all[left]) MPI_Recv(in, 1 << 20, MPI_BYTE, left, 98, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  /* A layout with holes on both sides. */
  MPI_Datatype column;
  MPI_Type_vector(512, 3, 8, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  double* matrix = calloc(2 * 512 * 8, sizeof *matrix);
  for (int i = 0; i < 512 * 8; ++i) matrix[i] = rank * 10000.0 + i;
  MPI_Sendrecv(matrix, 1, column, right, 5, matrix + 512 * 8, 1, column, left, 5, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < 512 * 8; ++i) {
    double want = i % 8 < 3 && i < 511 * 8 + 3 ? left * 10000.0 + i : 0;
    if (matrix[512 * 8 + i] != want) fail("layout with holes", i);
  }
  MPI_Type_free(&column);

  /* Collectives. */
  int sum = 0, one = 1;
  collectives();
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sum != size) fail("allreduce", sum);
  fill(out, 1 << 18, 9);
  if (rank != 0) memset(out, 0, 1 << 18);
  MPI_Bcast(out, 1 << 18, MPI_BYTE, 0, MPI_COMM_WORLD);
  check(out, 1 << 18, 9, "broadcast");
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Barrier(half);
  MPI_Comm_free(&half);

  windows(rank, size);
  files(rank, size);

  MPI_Free_mem(shared_out);
  MPI_Free_mem(shared_in);
  free(out);
  free(in);
  free(matrix);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    puts("workload ok");
    fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
