/* A member that is late is no disagreement, and whoever asks it what it does goes on with what else it has to do: also when
 * the member has not called MPI_Init yet. */
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"

/* The ranks of this job meet here before MPI_Init: they have one parent. */
static struct sockaddr_un meeting_place(socklen_t* length) {
  struct sockaddr_un place = {.sun_family = AF_UNIX};
  const int n = snprintf(place.sun_path + 1, sizeof place.sun_path - 1, "loadstone-late-%d", (int)getppid());
  *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
  return place;
}

static void wait_to_be_called(void) {
  socklen_t length;
  const struct sockaddr_un place = meeting_place(&length);
  const int s = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(s, (const struct sockaddr*)&place, length) != 0 || listen(s, 1) != 0) exit(2);
  const int caller = accept(s, NULL, NULL);
  if (caller < 0) exit(2);
  close(caller);
  close(s);
}

static void call(void) {
  socklen_t length;
  const struct sockaddr_un place = meeting_place(&length);
  const int s = socket(AF_UNIX, SOCK_STREAM, 0);
  while (connect(s, (const struct sockaddr*)&place, length) != 0) usleep(1000);
  close(s);
}

int main(int argc, char** argv) {
  /* The last of three starts when the first has met the second. */
  const int last = argc > 2 && strcmp(argv[2], "last") == 0;
  if (last) wait_to_be_called();
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  CHECK(size == 3 && last == (rank == 2));
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Request all;
  int told = last ? 7 : 0;
  CHECK(MPI_Ibcast(&told, 1, MPI_INT, 2, MPI_COMM_WORLD, &all) == MPI_SUCCESS);
  if (!last) {
    const int first_two[] = {0, 1};
    MPI_Group world, group;
    MPI_Comm pair;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, first_two, &group);
    CHECK(MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &pair) == MPI_SUCCESS);
    /* Long enough for the one who waits to ask everybody whom it waits for. */
    if (rank == 1) usleep(700 * 1000);
    CHECK(MPI_Barrier(pair) == MPI_SUCCESS);
    if (rank == 0) call();
    MPI_Comm_free(&pair);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
  }
  CHECK(MPI_Wait(&all, MPI_STATUS_IGNORE) == MPI_SUCCESS && told == 7);
  /* Two seconds are many questions. */
  if (rank == 1) sleep(2);
  CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
  if (rank == 1) sleep(2);
  CHECK(MPI_Bcast(&told, 1, MPI_INT, 1, MPI_COMM_WORLD) == MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}
