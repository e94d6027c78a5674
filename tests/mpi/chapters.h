/* The chapters of the standard, each as work for one thread of a rank while its other threads do the same or
 * something else (MPI_THREAD_MULTIPLE). Used by tests whose ranks are threads of one process
 * (threads_test.cpp) and by a program under mpiexec (tests/programs/threads.c). */
#ifndef LOADSTONE_TESTS_CHAPTERS_H
#define LOADSTONE_TESTS_CHAPTERS_H

#include <mpi.h>
#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { max_threads = 8 };

/* What the threads of one rank share. */
struct room {
  int rank, size, threads, rounds;
  MPI_Comm together;         /* one for all threads of all ranks: tags keep them apart */
  MPI_Comm crowded;          /* the same, for messages that any thread may take */
  MPI_Comm own[max_threads]; /* one for the threads of this number */
  MPI_Datatype type;         /* used by all threads */
  pthread_barrier_t meeting; /* of the threads of this rank */
  struct requests_in_hand* hands;
};

struct seat {
  struct room* room;
  int thread;
};

struct chapter {
  const char* name;
  void (*work)(const struct seat* s);
  int in_step; /* all threads of a rank are in it at the same time */
};

/* One of them, in a file of its own (windows.c). */
void windows_of_threads(const struct seat* s);

extern const struct chapter chapters[];
extern const int chapter_count;

/* One thread, before and after the chapters. */
void open_room(struct room* r, int threads, int rounds);
void close_room(struct room* r);
/* All chapters that need no step, beginning with another one in each thread. */
void mixed_chapters(const struct seat* s);

#ifdef __cplusplus
}
#endif
#endif
