/* Communicators without number: 20 000 alive at once, each with traffic of its own, and 100 000 made and
 * freed in a loop without the process growing. usage: many RANKS [ALIVE MADE] */
#include <unistd.h>

#include "check.h"

static long resident_kilobytes(void) {
  long kilobytes = 0;
  char line[256];
  FILE* f = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "VmRSS: %ld", &kilobytes) == 1) break;
  fclose(f);
  return kilobytes;
}

static void make(int i, MPI_Comm* comm) {
  MPI_Request request;
  MPI_Group group;
  switch (i % 5) {
    case 0:
      MPI_Comm_dup(MPI_COMM_WORLD, comm);
      break;
    case 1:
      MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, comm);
      break;
    case 2:
      MPI_Comm_idup(MPI_COMM_WORLD, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
    default:
      MPI_Comm_group(MPI_COMM_WORLD, &group);
      if (i % 5 == 3)
        MPI_Comm_create(MPI_COMM_WORLD, group, comm);
      else
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, comm);
      MPI_Group_free(&group);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  int alive = argc > 2 ? atoi(argv[2]) : 20000, made = argc > 3 ? atoi(argv[3]) : 100000;
  if (!on_loadstone()) alive = made = 500; /* "Error Handling" (terms): resources are limited */
  MPI_Comm* comms = malloc((size_t)alive * sizeof *comms);
  MPI_Request* requests = malloc((size_t)alive * sizeof *requests);
  int *out = malloc((size_t)alive * sizeof *out), *in = malloc((size_t)alive * sizeof *in);
  for (int i = 0; i < alive; ++i) make(i, &comms[i]);

  /* One message in each, from everybody to the next, sent in one order and received in the other: it must be
   * the communicator that tells them apart. */
  for (int i = 0; i < alive; ++i) {
    int me, n;
    MPI_Comm_rank(comms[i], &me);
    MPI_Comm_size(comms[i], &n);
    CHECK(n == size && me == (i % 5 == 1 ? size - 1 - rank : rank));
    out[i] = i * size + me;
    MPI_Isend(&out[i], 1, MPI_INT, (me + 1) % n, 0, comms[i], &requests[i]);
  }
  for (int i = alive - 1; i >= 0; --i) {
    int me;
    MPI_Comm_rank(comms[i], &me);
    MPI_Recv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], MPI_STATUS_IGNORE);
    CHECK(in[i] == i * size + (me + size - 1) % size);
  }
  MPI_Waitall(alive, requests, MPI_STATUSES_IGNORE);
  if (rank == 0) usleep(300000);    /* so late that the others ask for it */
  for (int i = 0; i < alive; ++i) { /* collectives, outstanding in all of them at once */
    in[i] = 0;
    out[i] = i % 7;
    MPI_Iallreduce(&out[i], &in[i], 1, MPI_INT, MPI_SUM, comms[i], &requests[i]);
  }
  MPI_Waitall(alive, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < alive; ++i) CHECK(in[i] == i % 7 * size);
  for (int i = 0; i < alive; ++i) MPI_Comm_free(&comms[i]);

  long before = 0;
  for (int i = 0; i < made; ++i) {
    MPI_Comm comm;
    int one = 1, sum = 0;
    make(i, &comm);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == size);
    MPI_Comm_free(&comm);
    if (i == made / 10) before = resident_kilobytes();
  }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const long after = resident_kilobytes();
  if (on_loadstone() && after > before + 2048) {
    fprintf(stderr, "many.c: rank %d of %d: grew from %ld to %ld kB while communicators came and went\n",
            rank, size, before, after);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
#else
  (void)before;
#endif
  free(comms), free(requests), free(out), free(in);
  MPI_Finalize();
  return 0;
}
