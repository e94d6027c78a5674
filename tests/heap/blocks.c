/* malloc and its family in a rank with a shared heap: what they promise, in threads, across fork, and after MPI.
 * usage: blocks <size of MPI_COMM_WORLD> */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../programs/check.h"
#include "shared.h"

enum { large = 1 << 20, small = 1000 };
static volatile size_t huge = SIZE_MAX / 2; /* what no compiler warns of */

static int all_are(const unsigned char* block, size_t bytes, int value) {
  for (size_t i = 0; i < bytes; ++i)
    if (block[i] != value) return 0;
  return 1;
}

static void test_where(void) {
  char *a = malloc(small), *b = malloc(large), *c = malloc(32 * 1024), *d = malloc(32 * 1024 - 1);
  CHECK(!is_shared(a) && is_shared(b) && is_shared(c) && !is_shared(d));
  free(a), free(b), free(c), free(d);
}

static void test_realloc(void) {
  unsigned char* p = malloc(small);
  memset(p, 1, small);
  p = realloc(p, large); /* libc's to ours */
  CHECK(is_shared(p) && all_are(p, small, 1));
  memset(p, 2, large);
  p = realloc(p, 5 * large);
  CHECK(is_shared(p) && all_are(p, large, 2) && malloc_usable_size(p) >= 5 * large);
  memset(p, 3, 5 * large);
  void* behind = malloc(large);
  p = realloc(p, 40 * large);
  CHECK(all_are(p, 5 * large, 3));
  p = realloc(p, 2 * large); /* in place */
  CHECK(is_shared(p) && all_are(p, 2 * large, 3));
  p = realloc(p, small); /* and back */
  CHECK(!is_shared(p) && all_are(p, small, 3));
  free(behind), free(p);
  p = reallocarray(NULL, 1000, 1000);
  CHECK(is_shared(p));
  errno = 0;
  unsigned char* volatile same = p; /* the compiler takes it that p is freed */
  CHECK(reallocarray(same, huge, 3) == NULL && errno == ENOMEM);
  CHECK(realloc(p, 0) == NULL); /* frees, as glibc does */
  p = realloc(NULL, large);
  CHECK(is_shared(p));
  errno = 0;
  same = p;
  CHECK(realloc(same, huge) == NULL && errno == ENOMEM); /* the block stays */
  memset(p, 1, large);
  free(p);
}

/* Whoever grows a block step by step is not made to copy it each time. */
static void test_growth(void) {
  unsigned char* p = malloc(large);
  memset(p, 9, large);
  int moves = 0;
  for (size_t n = 2; n <= 60; ++n) {
    const uintptr_t before = (uintptr_t)p;
    p = realloc(p, n * large);
    moves += before != (uintptr_t)p;
    CHECK(is_shared(p) && all_are(p, large, 9));
  }
  CHECK(moves < 10);
  free(p);
}

static void test_zeros(void) {
  for (int i = 0; i < 50; ++i) {
    unsigned char* p = calloc(1000 + 37 * i, 1000);
    CHECK(is_shared(p) && all_are(p, (1000 + 37 * i) * 1000, 0));
    memset(p, 255, malloc_usable_size(p));
    free(p);
  }
  errno = 0;
  CHECK(calloc(huge, 3) == NULL && errno == ENOMEM);
  errno = 0;
  CHECK(malloc(huge) == NULL && errno == ENOMEM);
}

static void test_alignments(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t alignment = 16; alignment <= 8 << 20; alignment *= 2) {
    void *a = aligned_alloc(alignment, 3 * large), *b = memalign(alignment, large + 1), *c = NULL;
    CHECK(posix_memalign(&c, alignment, 100000) == 0);
    CHECK(is_shared(a) && is_shared(b) && is_shared(c));
    CHECK((uintptr_t)a % alignment == 0 && (uintptr_t)b % alignment == 0 && (uintptr_t)c % alignment == 0);
    CHECK(malloc_usable_size(a) >= 3 * large && malloc_usable_size(b) > large &&
          malloc_usable_size(c) >= 100000);
    free(a), free(b), free(c);
  }
  void *v = valloc(large), *w = pvalloc(large + 1), *x = NULL;
  CHECK((uintptr_t)v % page == 0 && (uintptr_t)w % page == 0 && malloc_usable_size(w) >= large + page);
  CHECK(posix_memalign(&x, 24, large) == EINVAL && x == NULL);
  free(v), free(w), free(NULL);
  CHECK(malloc_usable_size(NULL) == 0);
  errno = 77;
  v = malloc(large);
  free(v);
  CHECK(errno == 77);
}

/* Allocators that lie upon malloc give pages back in this way, and take it that they are zero then. */
static void test_advice(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char* p = aligned_alloc(page, large);
  static const int advices[] = {MADV_DONTNEED, MADV_FREE};
  for (int i = 0; i < 2; ++i) {
    memset(p, 7, large);
    CHECK(madvise(p + page, large - 3 * page, advices[i]) == 0);
    CHECK(all_are(p, page, 7) && all_are(p + page, large - 3 * page, 0) &&
          all_are(p + large - 2 * page, 2 * page, 7));
  }
  CHECK(madvise(p, large, MADV_WILLNEED) == 0);
  errno = 0;
  CHECK(madvise(p + 1, page, MADV_DONTNEED) == -1 && errno == EINVAL);
  unsigned char* ordinary = mmap(NULL, large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(ordinary, 7, large);
  CHECK(madvise(ordinary, large, MADV_DONTNEED) == 0 && all_are(ordinary, large, 0));
  munmap(ordinary, large);
  free(p);
}

/* --- threads: blocks of all sizes, freed by whoever finds them --- */

enum { places = 64, steps = 250000 };
static struct {
  pthread_mutex_t lock;
  unsigned char* block;
  size_t bytes;
  unsigned char mark;
} shelf[places];

static int intact(const unsigned char* p, size_t n, int mark) {
  return p[0] == mark && p[n / 2] == mark && p[n - 1] == mark;
}

static void* mix(void* seed) {
  unsigned int state = *(unsigned int*)seed;
  long wrong = 0;
  for (int i = 0; i < steps; ++i) {
    const int at = rand_r(&state) % places;
    const int kind = rand_r(&state) % 64;
    const size_t bytes = kind == 0   ? 1 + rand_r(&state) % 2000000
                         : kind < 12 ? 1 + rand_r(&state) % 100000
                                     : 1 + rand_r(&state) % 5000;
    pthread_mutex_lock(&shelf[at].lock);
    unsigned char* p = shelf[at].block;
    if (p != NULL) wrong += !intact(p, shelf[at].bytes, shelf[at].mark);
    const unsigned char mark = (unsigned char)(rand_r(&state) | 1);
    if (kind % 4 == 0 && p != NULL) {
      p = realloc(p, bytes);
      wrong += p[0] != shelf[at].mark;
    } else {
      free(p);
      p = kind % 4 == 1 ? calloc(1, bytes) : malloc(bytes);
      if (kind % 4 == 1) wrong += !intact(p, bytes, 0);
    }
    p[0] = p[bytes / 2] = p[bytes - 1] = mark;
    shelf[at].block = p;
    shelf[at].bytes = bytes;
    shelf[at].mark = mark;
    pthread_mutex_unlock(&shelf[at].lock);
  }
  return (void*)wrong;
}

static void test_threads(void) {
  pthread_t threads[4];
  unsigned int seeds[4];
  for (int i = 0; i < places; ++i) pthread_mutex_init(&shelf[i].lock, NULL);
  for (int i = 0; i < 4; ++i) {
    seeds[i] = (unsigned int)(getpid() * 4 + i);
    CHECK(pthread_create(&threads[i], NULL, mix, &seeds[i]) == 0);
  }
  for (int i = 0; i < 4; ++i) {
    void* wrong;
    pthread_join(threads[i], &wrong);
    CHECK(wrong == NULL);
  }
  for (int i = 0; i < places; ++i) free(shelf[i].block);
}

/* --- fork --- */

static int status_of(pid_t child) {
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static void fill(unsigned* block, size_t words, unsigned first) {
  for (size_t i = 0; i < words; ++i) block[i] = first + (unsigned)i * 2654435761u;
}
static int is_filled(const unsigned* block, size_t words, unsigned first) {
  for (size_t i = 0; i < words; ++i)
    if (block[i] != first + (unsigned)i * 2654435761u) return 0;
  return 1;
}

static void test_fork(void) {
  const size_t words = 10 << 20;
  unsigned* block = malloc(words * sizeof *block);
  CHECK(is_shared(block));
  fill(block, words, 1);
  int ready[2], go[2];
  char c = 0;
  CHECK(pipe(ready) == 0 && pipe(go) == 0);
  const pid_t child = fork();
  if (child == 0) {
    if (read(go[0], &c, 1) != 1) _exit(1); /* the parent has written meanwhile */
    if (!is_filled(block, words, 1)) _exit(2);
    fill(block, words, 3);
    char* more = malloc(large);
    memset(more, 1, large);
    if (is_shared(more) || is_shared(block)) _exit(3);
    block = realloc(block, 2 * words * sizeof *block);
    if (!is_filled(block, words, 3)) _exit(4);
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(is_filled(block, words, 3) ? 0 : 1);
    if (status_of(grandchild) != 0) _exit(5);
    free(block), free(more);
    _exit(write(ready[1], &c, 1) == 1 ? 0 : 6);
  }
  CHECK(child > 0);
  close(ready[1]), close(go[0]); /* a child that has failed is no reason to wait */
  fill(block, words, 2);
  CHECK(write(go[1], &c, 1) == 1 && read(ready[0], &c, 1) == 1);
  CHECK(is_filled(block, words, 2));
  CHECK(status_of(child) == 0 && is_shared(block));
  free(block);
  close(ready[0]), close(go[1]);
}

/* As the guard page of a stack. */
static void test_fork_with_guard(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char* p = aligned_alloc(page, large);
  memset(p, 5, large);
  CHECK(is_shared(p) && mprotect(p, page, PROT_NONE) == 0);
  const pid_t child = fork();
  if (child == 0) _exit(all_are(p + page, large - page, 5) ? 0 : 1);
  CHECK(child > 0 && status_of(child) == 0);
  CHECK(mprotect(p, page, PROT_READ | PROT_WRITE) == 0 && all_are(p, large, 5));
  free(p);
}

static volatile int stop;
static void* churn(void* unused) {
  while (!stop) {
    char* p = malloc(100000);
    p[0] = p[99999] = 1;
    free(p);
  }
  return unused;
}

/* As a library with a lock that it takes around fork, and that its threads hold when they allocate. */
static pthread_mutex_t lock_of_others = PTHREAD_MUTEX_INITIALIZER;
static void lock_others(void) {
  pthread_mutex_lock(&lock_of_others);
}
static void unlock_others(void) {
  pthread_mutex_unlock(&lock_of_others);
}

static volatile long* pair_of_others; /* equal whenever that lock is free */
static void* churn_locked(void* unused) {
  while (!stop) {
    lock_others();
    ++pair_of_others[0];
    for (volatile int i = 0; i < 5000; ++i) continue;
    ++pair_of_others[10000];
    char* p = malloc(100000);
    char* q = realloc(malloc(100000), 300000);
    p[99999] = q[299999] = 1;
    free(p), free(realloc(q, 200000));
    unlock_others();
  }
  return unused;
}

/* Other threads hold the heap's lock all the time: no child may be stuck with it, nor fork with a lock of theirs. */
static void test_fork_with_threads(void) {
  pthread_t threads[4];
  pair_of_others = calloc(10001, sizeof *pair_of_others);
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, i < 3 ? churn : churn_locked, NULL);
  for (int i = 0; i < 30; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int k = 0; k < 10; ++k) free(malloc(large));
      if (pair_of_others[0] != pair_of_others[10000]) _exit(8);
      _exit(7);
    }
    CHECK(status_of(child) == 7);
  }
  stop = 1;
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  free((void*)pair_of_others);
}

/* Address space for the copy is refused: the child says so, and the parent goes on. */
static void test_fork_without_memory(void) {
  char* block = malloc(large);
  struct rlimit before, none;
  getrlimit(RLIMIT_AS, &before);
  none = before;
  none.rlim_cur = 1 << 20;
  int told[2];
  CHECK(pipe(told) == 0);
  setrlimit(RLIMIT_AS, &none);
  const int error = dup(STDERR_FILENO);
  dup2(told[1], STDERR_FILENO);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  dup2(error, STDERR_FILENO);
  setrlimit(RLIMIT_AS, &before);
  close(error), close(told[1]);
  char text[300] = "";
  CHECK(child > 0 && status_of(child) == 127);
  CHECK(read(told[0], text, sizeof text - 1) > 0 &&
        strstr(text, "no memory to copy the shared heap") != NULL);
  close(told[0]);
  memset(block, 1, large);
  free(block);
}

static void test_other_programs(void) {
  char* block = malloc(large);
  char line[100] = "";
  CHECK(system("test $(ls / | wc -l) -gt 0") == 0);
  FILE* p = popen("echo here", "r");
  CHECK(p != NULL && fgets(line, sizeof line, p) != NULL && strcmp(line, "here\n") == 0 && pclose(p) == 0);
  free(block);
}

int main(int argc, char** argv) {
  unsigned char *before = malloc(large), *during, *after;
  CHECK(!is_shared(before));
  pthread_atfork(lock_others, unlock_others, unlock_others);
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  test_where();
  test_realloc();
  test_growth();
  test_zeros();
  test_alignments();
  test_advice();
  test_threads();
  test_fork();
  test_fork_with_guard();
  test_fork_with_threads();
  test_fork_without_memory();
  test_other_programs();
  during = malloc(large);
  memset(during, 1, large);
  MPI_Finalize();
  after = malloc(large);
  CHECK(is_shared(during) && all_are(during, large, 1) && !is_shared(after));
  free(before), free(during);
  MPI_Session session;
  for (int i = 0; i < 3; ++i) {
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    during = malloc(large);
    CHECK(is_shared(during));
    memset(during, i, large);
    MPI_Session_finalize(&session);
    after = realloc(after, (i + 2) * large);
    CHECK(!is_shared(after) && all_are(during, large, i));
    free(during);
  }
  free(after);
  return 0;
}
