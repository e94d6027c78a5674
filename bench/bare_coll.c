/* What collectives cost at the least: bare processes that copy and add what they must, and tell each other so by stores in
 * shared memory. No library is in it.
 *
 *   cc -O3 -march=native bench/bare_coll.c -o bare_coll && ./bare_coll PROCESSES [BYTES...] [OPERATION...]
 *
 * OPERATION may be followed by nap=MS: each measurement is an eighth as long, and all sleep so long before it, as the jobs of
 * compare.py do between their turns; and by free: nobody is bound to a core. Caches are cold then, and processes unevenly spread.
 *
 * prints microseconds of an operation. mapped: all memory is mapped by all; kernel: process_vm_readv. Each takes what it
 * needs out of the memory of the others, once all are there, and leaves when all are through. With more processes than
 * cores whoever waits calls sched_yield.
 * OPERATION_twice: a program's own buffers are not mapped, so what is for others is copied into memory that is, in two places
 * by turns, and all copy or add out of there: a broadcast in pieces, an allreduce in rounds of 128 KiB.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most = 64 };
typedef struct {
  struct {
    _Alignas(128) atomic_long published;
    _Alignas(128) atomic_long through;
    _Alignas(128) atomic_long pieces;
    pid_t pid;
    char *send, *receive, *between;
  } of[most];
} control;

static control* all;
static int self, size, cores, kernel, rewrites, nap, is_free;
static long number, bytes, pieces;
static char *send_buffer, *receive_buffer; /* of ours */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void await_count(atomic_long* word, long count) {
  while (atomic_load_explicit(word, memory_order_acquire) < count)
    if (size > cores)
      sched_yield();
    else
      __builtin_ia32_pause();
}
static void await(atomic_long* word) {
  await_count(word, number);
}
static void publish(void) {
  number++;
  atomic_store_explicit(&all->of[self].published, number, memory_order_release);
}
static void through(void) {
  atomic_store_explicit(&all->of[self].through, number, memory_order_release);
}

static void get(int from, char* to, const char* at, long n) {
  if (!kernel) {
    memcpy(to, at, (size_t)n);
    return;
  }
  struct iovec here = {to, (size_t)n}, there = {(void*)at, (size_t)n};
  if (process_vm_readv(all->of[from].pid, &here, 1, &there, 1, 0) != n) {
    perror("process_vm_readv");
    exit(1);
  }
}

static void barrier(int root) {
  (void)root;
  publish();
  for (int r = 0; r < size; r++) await(&all->of[r].published);
}
static void bcast(int root) {
  publish();
  if (self != root) {
    await(&all->of[root].published);
    get(root, receive_buffer, all->of[root].send, bytes);
    through();
    return;
  }
  through();
  for (int r = 0; r < size; r++) await(&all->of[r].through);
}
static void leave(void) {
  through();
  for (int r = 0; r < size; r++) await(&all->of[r].through);
}
static void allgather(int root) {
  (void)root;
  publish();
  memcpy(receive_buffer + self * bytes, send_buffer, (size_t)bytes);
  for (int i = 1; i < size; i++) {
    const int from = (self + i) % size;
    await(&all->of[from].published);
    get(from, receive_buffer + from * bytes, all->of[from].send, bytes);
  }
  leave();
}
static void alltoall(int root) {
  (void)root;
  publish();
  memcpy(receive_buffer + self * bytes, send_buffer + self * bytes, (size_t)bytes);
  for (int i = 1; i < size; i++) {
    const int from = (self + i) % size;
    await(&all->of[from].published);
    get(from, receive_buffer + from * bytes, all->of[from].send + self * bytes, bytes);
  }
  leave();
}
static void alltoall_twice(int root) {
  (void)root;
  const long half = (number + 1) % 2 * size * bytes;
  for (int i = 1; i < size; i++) {
    const int to = (self + i) % size;
    memcpy(all->of[self].between + half + to * bytes, send_buffer + to * bytes, (size_t)bytes);
  }
  publish();
  memcpy(receive_buffer + self * bytes, send_buffer + self * bytes, (size_t)bytes);
  for (int r = 0; r < size; r++) await(&all->of[r].published);
  for (int i = 1; i < size; i++) {
    const int from = (self + i) % size;
    memcpy(receive_buffer + from * bytes, all->of[from].between + half + self * bytes, (size_t)bytes);
  }
}
static char* half_of(int process, int which) {
  return all->of[process].between + which * size * bytes;
}
static void allgather_twice(int root) {
  (void)root;
  const int half = (int)((number + 1) % 2);
  memcpy(half_of(self, half), send_buffer, (size_t)bytes);
  publish();
  memcpy(receive_buffer + self * bytes, send_buffer, (size_t)bytes);
  for (int i = 1; i < size; i++) {
    const int from = (self + i) % size;
    await(&all->of[from].published);
    memcpy(receive_buffer + from * bytes, half_of(from, half), (size_t)bytes);
  }
}
static void bcast_twice(int root) {
  const long piece = bytes / 8 < 8192    ? 8192
                     : bytes / 8 < 65536 ? bytes / 8
                                         : 65536,
             each = (bytes + piece - 1) / piece;
  const int half = (int)(number++ % 2);
  atomic_long* const copied = &all->of[self].pieces;
  /* All have read what was here before. */
  for (int r = 0; r < size && self == root; r++) await_count(&all->of[r].pieces, pieces - each);
  for (long at = 0; at < bytes; at += piece) {
    const size_t n = (size_t)(bytes - at < piece ? bytes - at : piece);
    char* const between = half_of(root, half) + at;
    pieces++;
    if (self != root) await_count(&all->of[root].pieces, pieces);
    memcpy(self == root ? between : receive_buffer + at, self == root ? send_buffer + at : between, n);
    atomic_store_explicit(copied, pieces, memory_order_release);
  }
}
static char* room;
/* A share of the vector, in pieces that stay in the nearest cache. */
static void reduce_share(double* to, long first, long count) {
  const long piece = 2048;
  for (long at = 0; at < count; at += piece) {
    const long n = count - at < piece ? count - at : piece;
    double* const sum = to + at;
    memcpy(sum, send_buffer + 8 * (first + at), 8 * (size_t)n);
    for (int i = 1; i < size; i++) {
      const int from = (self + i) % size;
      const char* there = all->of[from].send + 8 * (first + at);
      if (kernel) get(from, room, there, 8 * n), there = room;
      const double* operand = (const double*)there;
      for (long k = 0; k < n; k++) sum[k] += operand[k];
    }
  }
}
static void reduce_scatter(int root) {
  (void)root;
  publish();
  for (int r = 0; r < size; r++) await(&all->of[r].published);
  const long n = bytes / 8 / size;
  reduce_share((double*)receive_buffer, self * n, n);
  leave();
}
/* n doubles of each other one, where they belong. */
static void take_shares(long n) {
  for (int i = 1; i < size; i++) {
    const int from = (self + i) % size;
    get(from, receive_buffer + 8 * from * n, all->of[from].receive + 8 * from * n, 8 * n);
  }
}
/* Each sums a share, which the root takes. */
static void reduce(int root) {
  publish();
  for (int r = 0; r < size; r++) await(&all->of[r].published);
  const long n = bytes / 8 / size;
  reduce_share((double*)receive_buffer + self * n, self * n, n);
  leave();
  number++;
  if (self == root) take_shares(n);
  leave();
}
/* A chain to the root: each adds what it has to what the one before it has summed, piece by piece. */
static void reduce_chain(int root) {
  const long piece = 32768, first = pieces;
  const int before = (self + 1) % size, is_first = before == root, after_first = (self + 2) % size == root;
  publish();
  await(&all->of[before].published);
  for (long at = 0; at < bytes; at += piece) {
    const long n = bytes - at < piece ? bytes - at : piece;
    pieces++;
    if (!is_first) {
      await_count(&all->of[before].pieces, pieces);
      const char* there = (after_first ? all->of[before].send : all->of[before].receive) + at;
      if (kernel) get(before, room, there, n), there = room;
      const double *summed = (const double*)there, *mine = (const double*)(send_buffer + at);
      double* const sum = (double*)(receive_buffer + at);
      for (long k = 0; k < n / 8; k++) sum[k] = mine[k] + summed[k];
    }
    atomic_store_explicit(&all->of[self].pieces, first + at / piece + 1, memory_order_release);
  }
  leave();
}
static void allreduce(int root) {
  (void)root;
  publish();
  for (int r = 0; r < size; r++) await(&all->of[r].published);
  const long n = bytes / 8 / size;
  reduce_share((double*)receive_buffer + self * n, self * n, n);
  leave();
  number++;
  take_shares(n);
  leave();
}

/* Our share of each round: what others have put, and ours, added where it belongs, and for others beside what they put. */
static void allreduce_in_rounds(int for_all) {
  const long share = bytes / size, most = 131072 / size & ~63L;
  for (long at = 0; at < share; at += most) {
    const long n = share - at < most ? share - at : most;
    const int half = (int)(at / most % 2);
    char* const ours = half_of(self, half);
    for (int r = 0; r < size; r++)
      if (r != self) memcpy(ours + r * most, send_buffer + r * share + at, (size_t)n);
    publish();
    double* const sum = (double*)(receive_buffer + (for_all ? self * share : 0) + at);
    for (int i = 1; i < size; i++) {
      const int from = (self + i) % size;
      await(&all->of[from].published);
      const double* mine = i == 1 ? (const double*)(send_buffer + self * share + at) : sum;
      const double* operand = (const double*)(half_of(from, half) + self * most);
      for (long k = 0; k < n / 8; k++) sum[k] = mine[k] + operand[k];
    }
    if (for_all) memcpy(ours + self * most, sum, (size_t)n);
    publish();
    for (int i = 1; i < size; i++) {
      const int from = (self + i) % size;
      await(&all->of[from].published);
      if (for_all) memcpy(receive_buffer + from * share + at, half_of(from, half) + from * most, (size_t)n);
    }
  }
}
static void allreduce_twice(int root) {
  (void)root;
  allreduce_in_rounds(1);
}
static void reduce_scatter_twice(int root) {
  (void)root;
  allreduce_in_rounds(0);
}

static double time_of(void (*operation)(int), long times) {
  double inside = 0;
  barrier(0);
  if (nap != 0) {
    times /= 8;
    usleep(1000u * (unsigned)nap);
    barrier(0);
  }
  const double begin = now();
  for (long i = 0; i < times; i++) {
    if (rewrites) {
      memset(send_buffer, (int)i & 1,
             (size_t)bytes * (operation == alltoall || operation == alltoall_twice ? (size_t)size : 1));
      const double b = now();
      operation((int)(i % size));
      inside += now() - b;
    } else {
      operation((int)(i % size));
    }
  }
  barrier(0);
  return (rewrites ? inside : now() - begin) / (double)times;
}

static int is_wanted(const char* name, char** wanted) {
  for (char** w = wanted; *w; w++)
    if (!strcmp(*w, name)) return 1;
  return !*wanted;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  size = argc > 1 ? atoi(argv[1]) : 0;
  if (size < 1 || size > most) return 2;
  cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
  static const struct {
    const char* name;
    void (*once)(int);
    int blocks;
  } operations[] = {{"barrier", barrier, 0},
                    {"bcast", bcast, 1},
                    {"allreduce", allreduce, 1},
                    {"alltoall", alltoall, 2},
                    {"alltoall_twice", alltoall_twice, 2},
                    {"allgather", allgather, 2},
                    {"reduce_scatter", reduce_scatter, 1},
                    {"reduce", reduce, 1},
                    {"reduce_chain", reduce_chain, 1},
                    {"bcast_twice", bcast_twice, 1},
                    {"allreduce_twice", allreduce_twice, 1},
                    {"allgather_twice", allgather_twice, 2},
                    {"reduce_scatter_twice", reduce_scatter_twice, 1}};
  long sizes[16] = {65536, 1 << 20};
  int count = 2;
  if (argc > 2) {
    count = 0;
    for (int i = 2; i < argc && atol(argv[i]) > 0; i++) sizes[count++] = atol(argv[i]);
  }
  while (argc > 2 && (!strncmp(argv[argc - 1], "nap=", 4) || !strcmp(argv[argc - 1], "free"))) {
    char** const last = &argv[--argc];
    if (**last == 'n')
      nap = atoi(*last + 4);
    else
      is_free = 1;
    *last = NULL;
  }
  char** const wanted = argv + 2 + (argc > 2 ? count : 0);
  long largest = 0;
  for (int i = 0; i < count; i++)
    if (sizes[i] > largest) largest = sizes[i];
  all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const size_t room_of_each = (size_t)largest * (size_t)size;
  char* shared =
      mmap(NULL, 4 * room_of_each * (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || shared == MAP_FAILED) return 1;
  for (self = 0; self < size; self++) {
    if (fork() != 0) continue;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((unsigned)(self % cores), &set);
    if (!is_free) sched_setaffinity(0, sizeof set, &set);
    all->of[self].pid = getpid();
    all->of[self].between = shared + 2 * (size_t)(size + self) * room_of_each;
    memset(all->of[self].between, 0, 2 * room_of_each);
    room = malloc(65536);
    for (kernel = 0; kernel < 2; kernel++) {
      if (kernel) {
        send_buffer = mmap(NULL, room_of_each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        receive_buffer = mmap(NULL, room_of_each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      } else {
        send_buffer = shared + 2 * (size_t)self * room_of_each;
        receive_buffer = send_buffer + room_of_each;
      }
      memset(send_buffer, 0, room_of_each), memset(receive_buffer, 0, room_of_each);
      barrier(0);
      all->of[self].send = send_buffer, all->of[self].receive = receive_buffer;
      barrier(0);
      for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
        for (int i = 0; i < (operations[o].blocks ? count : 1); i++) {
          bytes = sizes[i];
          if (!is_wanted(operations[o].name, wanted)) continue;
          if (operations[o].blocks == 2 && bytes > 1 << 20) continue;
          if (kernel && (o == 0 || strstr(operations[o].name, "_twice"))) continue;
          if (operations[o].once != bcast && operations[o].blocks == 1 && bytes < 8 * size) continue;
          for (rewrites = 0; rewrites < (operations[o].blocks ? 2 : 1); rewrites++) {
            double found[5];
            const long times = operations[o].blocks == 0 ? 20000 : bytes > 262144 ? 100 : 1000;
            time_of(operations[o].once, times / 2);
            for (int k = 0; k < 5; k++) found[k] = time_of(operations[o].once, times);
            qsort(found, 5, sizeof *found, by_value);
            if (self == 0)
              printf("%2d %-20s %8ld %-6s %-9s %8.2f us\n", size, operations[o].name,
                     operations[o].blocks ? bytes : 0, kernel ? "kernel" : "mapped",
                     rewrites ? "rewritten" : "same", found[2]),
                  fflush(stdout);
          }
        }
    }
    exit(0);
  }
  while (wait(NULL) > 0) continue;
  return 0;
}
