/* What calls on windows say when a member has died, and what is left to do afterwards: the call fails with
 * MPI_ERR_PROC_ABORTED, its epoch is over, the window is not free because of the death and nothing else, and those who
 * live go on with each other. usage: window_survivors RANKS allocated|created [unshared]
 * Rank 1 dies. Meanwhile the process that would end the job is stopped. */
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, shares;
static const int dead = 1;

static void go_on(int by_alarm) {
  kill(getppid(), SIGCONT);
  if (by_alarm) _exit(5);
}

static void check(int code, int wanted, const char* what, const char* where) {
  int class = MPI_SUCCESS, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Error_class(code, &class);
  if (class == wanted) return;
  MPI_Error_string(code, text, &length);
  fprintf(stderr, "rank %d, %s: %s: class %d instead of %d: %s\n", rank, where, what, class, wanted, text);
  go_on(0);
  MPI_Abort(MPI_COMM_WORLD, 4);
}
#define IS(call, class) check(call, class, #call, where)

enum { locks, alls, completes, starts, fences, tests, waits, windows };
static MPI_Win win[windows];
static int64_t* memory[windows];

/* No epoch is open, and the one reason against freeing the window is the death: which it takes a while to find, so
 * that not every window is tried. */
static void is_over(int which, const char* where) {
  int64_t word = 1;
  IS(MPI_Put(&word, 1, MPI_INT64_T, rank, 0, 1, MPI_INT64_T, win[which]), MPI_ERR_RMA_SYNC);
  if (which % 2 == 0) IS(MPI_Win_free(&win[which]), MPI_ERR_PROC_ABORTED);
}

static void make(int which, int created) {
  const MPI_Aint bytes = 64 * (MPI_Aint)sizeof(int64_t);
  if (which == alls && shares) {
    MPI_Win_allocate_shared(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory[which], &win[which]);
  } else if (created) {
    memory[which] = calloc(1, (size_t)bytes);
    MPI_Win_create(memory[which], bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win[which]);
  } else {
    MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory[which], &win[which]);
  }
  MPI_Win_set_errhandler(win[which], MPI_ERRORS_RETURN);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 3 || size != atoi(argv[1]) || size < 2) MPI_Abort(MPI_COMM_WORLD, 3);
  shares = argc == 3;
  for (int w = 0; w < windows; ++w) make(w, strcmp(argv[2], "created") == 0);
  MPI_Group all, victim, living;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &dead, &victim);
  MPI_Group_excl(all, 1, &dead,
                 &living); /* the calling process among them, and before the dead one in `most` */
  MPI_Group most;
  MPI_Group_union(living, victim, &most);

  const char* where = "before";
  if (rank == dead) {
    IS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win[locks]), MPI_SUCCESS);
    IS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win[alls]), MPI_SUCCESS);
    IS(MPI_Win_post(living, 0, win[completes]), MPI_SUCCESS);
  } else {
    IS(MPI_Win_post(living, 0, win[completes]), MPI_SUCCESS);
    IS(MPI_Win_post(living, 0, win[starts]), MPI_SUCCESS);
    IS(MPI_Win_post(victim, 0, win[waits]), MPI_SUCCESS);
    IS(MPI_Win_post(most, 0, win[tests]), MPI_SUCCESS);
    IS(MPI_Win_start(most, 0, win[completes]), MPI_SUCCESS);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == dead) {
    usleep(100000); /* the others wait already */
    kill(getppid(), SIGSTOP);
    raise(SIGKILL);
  }
  signal(SIGALRM, go_on);
  alarm(30);
  int64_t word = 7 + rank;

  where = "lock";
  IS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win[locks]), MPI_ERR_PROC_ABORTED);
  IS(MPI_Win_unlock(0, win[locks]), MPI_ERR_RMA_SYNC);
  IS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[locks]), MPI_ERR_PROC_ABORTED);
  is_over(locks, where);

  where = "lock_all"; /* at once where memory is shared, or one's own is locked */
  if (!shares && rank != 0) {
    IS(MPI_Win_lock_all(0, win[alls]), MPI_SUCCESS);
    IS(MPI_Put(&word, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, win[alls]), MPI_ERR_PROC_ABORTED);
    IS(MPI_Win_unlock_all(win[alls]), MPI_SUCCESS);
  } else {
    IS(MPI_Win_lock_all(0, win[alls]), MPI_ERR_PROC_ABORTED);
  }
  IS(MPI_Win_unlock_all(win[alls]), MPI_ERR_RMA_SYNC);
  if (rank != 0) { /* what had been taken was given back */
    IS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win[alls]), MPI_SUCCESS);
    IS(MPI_Win_unlock(rank, win[alls]), MPI_SUCCESS);
  }
  is_over(alls, where);

  where = "start";
  IS(MPI_Win_start(most, 0, win[starts]), MPI_ERR_PROC_ABORTED);
  IS(MPI_Win_complete(win[starts]), MPI_ERR_RMA_SYNC);
  IS(MPI_Win_start(living, 0, win[starts]), MPI_SUCCESS);
  for (int r = 0; r < size; ++r)
    if (r != dead) IS(MPI_Put(&word, 1, MPI_INT64_T, r, rank, 1, MPI_INT64_T, win[starts]), MPI_SUCCESS);
  IS(MPI_Win_complete(win[starts]), MPI_SUCCESS);
  IS(MPI_Win_wait(win[starts]), MPI_SUCCESS);
  for (int r = 0; r < size; ++r)
    if (r != dead && memory[starts][r] != 7 + r) check(MPI_ERR_OTHER, MPI_SUCCESS, "what was put", where);
  is_over(starts, where);

  /* Where the memory of the dead one is mapped, nothing has failed. */
  where = "complete";
  int seen = MPI_SUCCESS;
  for (int r = 0; r < size; ++r) {
    const int code = MPI_Put(&word, 1, MPI_INT64_T, r, rank, 1, MPI_INT64_T, win[completes]);
    if (r == dead)
      seen = code;
    else
      check(code, MPI_SUCCESS, "MPI_Put", where);
  }
  const int code = MPI_Win_complete(win[completes]);
  if (code != MPI_SUCCESS) IS(code, MPI_ERR_PROC_ABORTED);
  if (seen != MPI_SUCCESS) IS(seen, MPI_ERR_PROC_ABORTED);
  printf("complete: %s\n", code != MPI_SUCCESS   ? "fails"
                           : seen != MPI_SUCCESS ? "failed before"
                                                 : "succeeds");
  IS(MPI_Win_complete(win[completes]), MPI_ERR_RMA_SYNC);
  IS(MPI_Win_wait(win[completes]), MPI_SUCCESS); /* all that live have completed */
  is_over(completes, where);

  where = "fence";
  IS(MPI_Win_fence(0, win[fences]), MPI_ERR_PROC_ABORTED);
  is_over(fences, where);

  where = "wait";
  IS(MPI_Win_wait(win[waits]), MPI_ERR_PROC_ABORTED);
  IS(MPI_Win_wait(win[waits]), MPI_ERR_RMA_SYNC);
  IS(MPI_Win_post(living, 0, win[waits]), MPI_ERR_PROC_ABORTED); /* who has completed is not known any more */
  is_over(waits, where);

  where = "test";
  int flag = 0, result;
  while ((result = MPI_Win_test(win[tests], &flag)) == MPI_SUCCESS && !flag);
  IS(result, MPI_ERR_PROC_ABORTED);
  IS(MPI_Win_test(win[tests], &flag), MPI_ERR_RMA_SYNC);
  is_over(tests, where);

  printf("survived: rank %d\n", rank);
  fflush(stdout);
  if (rank == 0) {
    for (int r = 2; r < size; ++r) MPI_Recv(NULL, 0, MPI_INT, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    go_on(0);
  } else {
    MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  for (;;) pause();
}
