/* The progress thread as a program sees it: what is outstanding comes to its end while the program computes, that is, looks
 * at its own memory and calls nothing; at little cost; and no function of the program runs anywhere but in its own threads.
 * usage: progress RANKS on|off [multiple]     with LOADSTONE_PROGRESS to match */
#include <dirent.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { large = 4 << 20, numbers = 200000, small = 3 };
static unsigned char out[large], in[large];
static int terms[numbers], sums[numbers];
static int on;

static int threads(void) {
  int n = 0;
  DIR* d = opendir("/proc/self/task");
  CHECK(d != NULL);
  for (struct dirent* e; (e = readdir(d)) != NULL;) n += e->d_name[0] != '.';
  closedir(d);
  return n;
}

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A thread that has been joined may stand in the list of the kernel for a moment yet. */
static int only_this_thread(void) {
  const double end = seconds(CLOCK_MONOTONIC) + 10;
  while (threads() != 1 && seconds(CLOCK_MONOTONIC) < end) usleep(1000);
  return threads() == 1;
}

/* What is awaited appears in memory. Half a minute only bounds a defect. */
#define COMPUTES_UNTIL(condition)                               \
  do {                                                          \
    const double end = seconds(CLOCK_MONOTONIC) + 30;           \
    while (!(condition)) CHECK(seconds(CLOCK_MONOTONIC) < end); \
  } while (0)

static void wildcard(void) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int round = 1; round <= 5; ++round) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    memset(out, round, large);
    memset(in, 0, large);
    MPI_Irecv(in, large, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(out, large, MPI_BYTE, to, round, MPI_COMM_WORLD, &requests[1]);
    if (on && size > 1) COMPUTES_UNTIL(((volatile unsigned char*)in)[large - 1] == round);
    MPI_Waitall(2, requests, statuses);
    CHECK(statuses[0].MPI_SOURCE == from && statuses[0].MPI_TAG == round);
    for (int i = 0; i < large; i += 511) CHECK(in[i] == round);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void collectives(void) {
  for (int round = 1; round <= 5; ++round) {
    for (int n = small; n <= numbers; n += numbers - small) {
      MPI_Request request;
      for (int i = 0; i < n; ++i) terms[i] = rank + i + round;
      memset(sums, 0, sizeof sums);
      MPI_Iallreduce(terms, sums, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
      const int last = size * (n - 1 + round) + size * (size - 1) / 2;
      if (on) COMPUTES_UNTIL(((volatile int*)sums)[n - 1] == last);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      for (int i = 0; i < n; ++i) CHECK(sums[i] == size * (i + round) + size * (size - 1) / 2);

      const int root = round % size;
      for (int i = 0; i < n; ++i) terms[i] = rank == root ? i + round : -1;
      MPI_Ibcast(terms, n, MPI_INT, root, MPI_COMM_WORLD, &request);
      if (on) COMPUTES_UNTIL(((volatile int*)terms)[n - 1] == n - 1 + round);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      for (int i = 0; i < n; ++i) CHECK(terms[i] == i + round);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

static pthread_t program_thread;
static void add(void* a, void* b, int* n, MPI_Datatype* type) {
  (void)type;
  CHECK(pthread_equal(pthread_self(), program_thread));
  for (int i = 0; i < *n; ++i) ((int*)b)[i] += ((int*)a)[i];
}

/* A reduction by the program's own function waits for the program; what comes before it does not. */
static void function_of_the_program(void) {
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  program_thread = pthread_self();
  const struct timespec moment = {0, 20 * 1000 * 1000};
  for (int round = 0; round < 10; ++round) {
    MPI_Request request;
    for (int i = 0; i < numbers; ++i) terms[i] = rank + i;
    MPI_Iallreduce(terms, sums, numbers, MPI_INT, op, MPI_COMM_WORLD, &request);
    if (round % 2 == rank % 2) nanosleep(&moment, NULL);
    if (round % 3 == 0) {
      for (int flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    } else {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < numbers; ++i) CHECK(sums[i] == size * i + size * (size - 1) / 2);
  }
  MPI_Op_free(&op);
}

/* A receive that nobody answers for a while. */
static void cost(void) {
  MPI_Request request;
  MPI_Irecv(in, large, MPI_BYTE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(threads() == (on ? 2 : 1));
  const struct timespec second = {1, 0};
  double process = seconds(CLOCK_PROCESS_CPUTIME_ID);
  nanosleep(&second, NULL);
  CHECK(seconds(CLOCK_PROCESS_CPUTIME_ID) - process < 0.05);
  process = seconds(CLOCK_PROCESS_CPUTIME_ID);
  double own = seconds(CLOCK_THREAD_CPUTIME_ID);
  for (const double end = own + 0.5; seconds(CLOCK_THREAD_CPUTIME_ID) < end;) continue;
  own = seconds(CLOCK_THREAD_CPUTIME_ID) - own;
  CHECK(seconds(CLOCK_PROCESS_CPUTIME_ID) - process - own < 0.05);
  MPI_Sendrecv(out, 1, MPI_BYTE, (rank + 1) % size, 9, NULL, 0, MPI_BYTE, MPI_PROC_NULL, 9, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The child has no such thread, and the parent keeps its own. */
static void fork_here(void) {
  MPI_Request request;
  MPI_Irecv(in, large, MPI_BYTE, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &request);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) _exit(threads() == 1 ? 0 : 1);
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  wildcard();
}

int main(int argc, char** argv) {
  int provided;
  const int wanted = argc > 3 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, wanted, &provided);
  start_world(argc, argv);
  if (!on_loadstone()) return MPI_Finalize();
  CHECK(provided == wanted && argc > 2);
  on = strcmp(argv[2], "on") == 0;
  CHECK(threads() == 1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(out, large, MPI_BYTE, 0, MPI_COMM_WORLD);
  CHECK(threads() == 1); /* nothing was left outstanding */
  wildcard();
  collectives();
  function_of_the_program();
  CHECK(threads() == (on ? 2 : 1));
  cost();
  fork_here();
  /* Pending: a send that was given up, which leaves all the same. Everybody's receive is behind its own send. */
  MPI_Request request;
  memset(out, 77, large);
  MPI_Isend(out, large, MPI_BYTE, (rank + 1) % size, 1, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Recv(in, large, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in[large - 1] == 77);
  MPI_Finalize();
  return only_this_thread() ? 0 : 1;
}
