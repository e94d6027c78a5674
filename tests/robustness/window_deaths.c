/* Ranks that die, or sleep, where one-sided communication needs them. usage: window_deaths RANKS WHERE [sleep|stop] [created]
 * `created`: the window is ordinary memory, not the library's.
 * Rank 1 is the one that dies, sleeps for ever, or stops with all its threads, there:
 *   holds    with the exclusive lock of rank 0's window, which all others want
 *   fence    before a fence
 *   posted   between its post and its wait, while the others have not started
 *   started  between its start and its complete, while the others wait
 *   target   while all others have it locked and put into its memory
 *   copying  while all others put small blocks into its memory, and nobody is in a call of MPI there */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, sleeps, stops;

static void leave(void) {
  fprintf(stdout, "there\n");
  fflush(stdout);
  usleep(300000); /* the others come to where they need us */
  for (;;)
    if (sleeps)
      pause();
    else if (stops)
      raise(SIGSTOP);
    else
      raise(SIGKILL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 3 || size != atoi(argv[1]) || size < 2) MPI_Abort(MPI_COMM_WORLD, 3);
  const char* const where = argv[2];
  sleeps = argc > 3 && strcmp(argv[3], "sleep") == 0;
  stops = argc > 3 && strcmp(argv[3], "stop") == 0;
  const int dies = rank == 1, created = strcmp(argv[argc - 1], "created") == 0;
  enum { blocks = 1 << 14, words = 4 * blocks };
  long *base = NULL, *small = NULL;
  MPI_Win win;
  if (created)
    MPI_Win_create(base = calloc(words, sizeof(long)), words * sizeof(long), sizeof(long), MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
  else
    MPI_Win_allocate(words * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Group all, others, one;
  MPI_Win_get_group(win, &all);
  const int victim = 1;
  MPI_Group_incl(all, 1, &victim, &one);
  MPI_Group_excl(all, 1, &victim, &others);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(where, "holds") == 0) {
    if (!dies) usleep(100000);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    if (dies) leave();
    MPI_Win_unlock(0, win);
  } else if (strcmp(where, "fence") == 0) {
    MPI_Win_fence(0, win);
    if (dies) leave();
    MPI_Win_fence(0, win);
  } else if (strcmp(where, "posted") == 0) {
    if (dies) {
      MPI_Win_post(others, 0, win);
      leave();
    } else {
      usleep(100000);
      MPI_Win_start(one, 0, win);
      MPI_Put(&rank, 1, MPI_INT, 1, rank, 1, MPI_INT, win);
      MPI_Win_complete(win);
      MPI_Win_fence(0, win);
    }
  } else if (strcmp(where, "started") == 0) {
    if (dies) {
      MPI_Win_start(others, 0, win);
      leave();
    } else {
      MPI_Win_post(one, 0, win);
      MPI_Win_wait(win);
    }
  } else if (strcmp(where, "target") == 0) {
    if (dies) leave();
    MPI_Win_lock_all(0, win);
    for (long i = 0;; ++i) {
      MPI_Put(&i, 1, MPI_LONG, 1, rank, 1, MPI_LONG, win);
      MPI_Win_flush(1, win);
    }
  } else if (strcmp(where, "copying") == 0) {
    if (dies) leave();
    MPI_Datatype apart;
    MPI_Type_vector(blocks, 1, 4, MPI_LONG, &apart);
    MPI_Type_commit(&apart);
    small = calloc(blocks, sizeof(long));
    MPI_Win_lock_all(0, win);
    for (;;) {
      MPI_Put(small, blocks, MPI_LONG, 1, 0, 1, apart, win);
      MPI_Win_flush(1, win);
    }
  } else {
    MPI_Abort(MPI_COMM_WORLD, 4);
  }
  fprintf(stdout, "went on\n");
  MPI_Finalize();
  return 0;
}
