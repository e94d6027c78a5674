/* A rank whose calls all find at once what they want, and never wait: what it has posted, and a peer waits for, comes to
 * its end all the same. */
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { large = 1 << 20, several = 3, stop = 1, go = 2, own = 3, bulk = 4 };
static int out[large], in[large];

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One call, or one and what completes it, of those that need no peer. */
static int word;
static MPI_Request persistent;
static void to_myself(void) {
  MPI_Request r;
  int got;
  MPI_Isend(&word, 1, MPI_INT, 0, own, MPI_COMM_SELF, &r);
  MPI_Recv(&got, 1, MPI_INT, 0, own, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Request_free(&r);
}
static void sends(void) {
  MPI_Send(&word, 1, MPI_INT, 1, go, MPI_COMM_WORLD);
}
static void buffered(void) {
  MPI_Bsend(&word, 1, MPI_INT, 1, go, MPI_COMM_WORLD);
}
static void starts(void) {
  MPI_Start(&persistent);
  MPI_Wait(&persistent, MPI_STATUS_IGNORE);
}
static void roots(void) {
  MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
}
/* To nobody: only the second call of each may look around. */
static void waits(void) {
  MPI_Request r;
  MPI_Isend(&word, 1, MPI_INT, MPI_PROC_NULL, go, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
static void tests(void) {
  int flag;
  MPI_Request r;
  MPI_Isend(&word, 1, MPI_INT, MPI_PROC_NULL, go, MPI_COMM_WORLD, &r);
  MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
  CHECK(flag);
}
enum form { waitall, testall, waitany, testany, waitsome, forms };
static void of_several(enum form f) {
  MPI_Request r[several];
  int flag = 1, n, indices[several];
  for (int i = 0; i < several; ++i) MPI_Isend(&word, 1, MPI_INT, MPI_PROC_NULL, go, MPI_COMM_WORLD, &r[i]);
  if (f == waitall) MPI_Waitall(several, r, MPI_STATUSES_IGNORE);
  if (f == testall) MPI_Testall(several, r, &flag, MPI_STATUSES_IGNORE);
  for (int i = 0; i < several && f == waitany; ++i) MPI_Waitany(several, r, &n, MPI_STATUS_IGNORE);
  for (int i = 0; i < several && f == testany; ++i) MPI_Testany(several, r, &n, &flag, MPI_STATUS_IGNORE);
  if (f == waitsome) MPI_Waitsome(several, r, &n, indices, MPI_STATUSES_IGNORE);
  CHECK(flag);
  for (int i = 0; i < several; ++i) CHECK(r[i] == MPI_REQUEST_NULL);
}
static void all_waited(void) {
  of_several(waitall);
}
static void all_tested(void) {
  of_several(testall);
}
static void any_waited(void) {
  of_several(waitany);
}
static void any_tested(void) {
  of_several(testany);
}
static void some_waited(void) {
  of_several(waitsome);
}

static const struct {
  void (*what)(void);
  int messages, broadcasts; /* to rank 1, with each */
} calls[] = {{to_myself, 0, 0},  {sends, 1, 0},      {buffered, 1, 0},   {starts, 1, 0},
             {roots, 0, 1},      {waits, 0, 0},      {tests, 0, 0},      {all_waited, 0, 0},
             {all_tested, 0, 0}, {any_waited, 0, 0}, {any_tested, 0, 0}, {some_waited, 0, 0}};
enum { kinds = sizeof calls / sizeof calls[0] };

/* From any source: a receive that names it may be filled by its sender alone. */
static void never_waits(int kind) {
  MPI_Request receive;
  MPI_Irecv(in, large, MPI_INT, MPI_ANY_SOURCE, bulk, MPI_COMM_WORLD, &receive);
  MPI_Barrier(MPI_COMM_WORLD);
  /* Slow enough that a peer without a core finds few messages when it comes. Half a minute only bounds a defect. */
  const double end = seconds() + 30;
  word = 0;
  while (((volatile int*)in)[large - 1] != kind) {
    calls[kind].what();
    usleep(20);
    if (seconds() > end) {
      fprintf(stderr, "kind %d: what was posted has not come\n", kind);
      CHECK(0);
    }
  }
  word = stop;
  if (calls[kind].messages != 0 || calls[kind].broadcasts != 0) calls[kind].what();
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
}

static void waits_for_the_other(int kind) {
  MPI_Request request;
  int got = 0;
  for (int i = 0; i < large; ++i) out[i] = kind;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(out, large, MPI_INT, 0, bulk, MPI_COMM_WORLD, &request);
  while (calls[kind].messages != 0 && got != stop)
    MPI_Recv(&got, 1, MPI_INT, 0, go, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  while (calls[kind].broadcasts != 0 && got != stop) MPI_Bcast(&got, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  static char attached[1 << 20];
  MPI_Buffer_attach(attached, sizeof attached);
  MPI_Send_init(&word, 1, MPI_INT, 1, go, MPI_COMM_WORLD, &persistent);
  /* Section 3.5 leaves open how soon. */
  for (int kind = 0; kind < kinds && on_loadstone(); ++kind) {
    in[large - 1] = -1;
    if (rank == 0) never_waits(kind);
    if (rank == 1) waits_for_the_other(kind);
  }
  MPI_Request_free(&persistent);
  int bytes;
  void* buffer;
  MPI_Buffer_detach(&buffer, &bytes);
  MPI_Finalize();
  return 0;
}
