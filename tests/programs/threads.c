/* MPI_THREAD_MULTIPLE: the chapters of the standard from several threads of each rank at once: each chapter
 * in all threads, then every thread in another chapter. Usage: threads <ranks> <threads> */
#include "check.h"
#include "mpi/chapters.h"

enum { rounds = 8 };

static const struct chapter* now;

static void* one_chapter(void* seat) {
  now->work(seat);
  return NULL;
}

static void* all_mixed(void* seat) {
  mixed_chapters(seat);
  return NULL;
}

static void in_threads(struct room* r, void* (*work)(void*)) {
  pthread_t threads[max_threads];
  struct seat seats[max_threads];
  for (int i = 0; i < r->threads; ++i) {
    seats[i].room = r;
    seats[i].thread = i;
    CHECK(pthread_create(&threads[i], NULL, work, &seats[i]) == 0);
  }
  for (int i = 0; i < r->threads; ++i) pthread_join(threads[i], NULL);
}

static void* not_the_main_thread(void* flag) {
  MPI_Is_thread_main(flag);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, flag;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  start_world(argc, argv);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Query_thread(&provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Is_thread_main(&flag);
  CHECK(flag);
  pthread_t other;
  pthread_create(&other, NULL, not_the_main_thread, &flag);
  pthread_join(other, NULL);
  CHECK(!flag);
  CHECK(argc > 2 && atoi(argv[2]) <= max_threads);
  struct room r;
  open_room(&r, atoi(argv[2]), rounds);
  for (int i = 0; i < chapter_count; ++i) {
    now = &chapters[i];
    in_threads(&r, one_chapter);
  }
  in_threads(&r, all_mixed);
  close_room(&r);
  MPI_Finalize();
  return 0;
}
