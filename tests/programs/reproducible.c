/* Reductions of numbers whose sums are rounded: prints a digest of all bits of all results. In a communicator of its own
 * each, so that the first of them are done by messages, and several times in each form: with the word `same` they must not
 * differ; with `reductions` blocking ones must not, but scans may.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 20000 };
static int rank, size;
static double mine[most], got[most];

/* Of whole words; what is multiplied out of the top comes back at the bottom. */
static uint64_t digest(uint64_t h, const void* data, size_t bytes) {
  uint64_t word;
  for (size_t i = 0; i < bytes; i += sizeof word) {
    memcpy(&word, (const char*)data + i, sizeof word);
    h = (h ^ word) * 1099511628211u;
    h ^= h >> 32;
  }
  return h;
}

/* Of the results of all ranks. */
static uint64_t of_all(uint64_t h) {
  uint64_t all[64], sum = 1469598103934665603u;
  MPI_Allgather(&h, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) sum = digest(sum, &all[i], sizeof all[i]);
  return sum;
}

enum { blocking, non_blocking, persistent };
/* The first of them by messages. */
static const int form_of[] = {blocking, blocking,     blocking,     blocking,
                              blocking, non_blocking, non_blocking, persistent};

static void begin(MPI_Comm comm, int what, int count, int root, int form, MPI_Request* request) {
  const int each = count / size, prepared = form == persistent;
  const MPI_Datatype t = MPI_DOUBLE;
  switch (what) {
    case 0:
      if (form == blocking) MPI_Allreduce(mine, got, count, t, MPI_SUM, comm);
      if (form == non_blocking) MPI_Iallreduce(mine, got, count, t, MPI_SUM, comm, request);
      if (prepared) MPI_Allreduce_init(mine, got, count, t, MPI_SUM, comm, MPI_INFO_NULL, request);
      break;
    case 1:
      if (form == blocking) MPI_Reduce(mine, got, count, t, MPI_SUM, root, comm);
      if (form == non_blocking) MPI_Ireduce(mine, got, count, t, MPI_SUM, root, comm, request);
      if (prepared) MPI_Reduce_init(mine, got, count, t, MPI_SUM, root, comm, MPI_INFO_NULL, request);
      break;
    case 2:
      if (form == blocking) MPI_Reduce_scatter_block(mine, got, each, t, MPI_SUM, comm);
      if (form == non_blocking) MPI_Ireduce_scatter_block(mine, got, each, t, MPI_SUM, comm, request);
      if (prepared) MPI_Reduce_scatter_block_init(mine, got, each, t, MPI_SUM, comm, MPI_INFO_NULL, request);
      break;
    case 3:
      if (form == blocking) MPI_Scan(mine, got, count, t, MPI_SUM, comm);
      if (form == non_blocking) MPI_Iscan(mine, got, count, t, MPI_SUM, comm, request);
      if (prepared) MPI_Scan_init(mine, got, count, t, MPI_SUM, comm, MPI_INFO_NULL, request);
      break;
    default:
      if (form == blocking) MPI_Exscan(mine, got, count, t, MPI_SUM, comm);
      if (form == non_blocking) MPI_Iexscan(mine, got, count, t, MPI_SUM, comm, request);
      if (prepared) MPI_Exscan_init(mine, got, count, t, MPI_SUM, comm, MPI_INFO_NULL, request);
  }
}

static uint64_t once(MPI_Comm comm, int what, int count, int root, int form) {
  MPI_Request request;
  memset(got, 0, sizeof got);
  begin(comm, what, count, root, form, &request);
  if (form == persistent) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    memset(got, 0, sizeof got);
    MPI_Start(&request);
  }
  if (form != blocking) MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (form == persistent) MPI_Request_free(&request);
  return digest(1469598103934665603u, got, sizeof got);
}

int main(int argc, char** argv) {
  static const int counts[] = {1, 3, 200, 1500, most};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int same = argc > 1 && strcmp(argv[1], "same") == 0;
  const int reductions = argc > 1 && strcmp(argv[1], "reductions") == 0;
  uint64_t seed = 88172645463325252u + (uint64_t)rank * 2654435761u, all = 1469598103934665603u;
  for (int i = 0; i < most; i++) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    mine[i] = (double)(seed % 1000003) / 7.0 * (i % 3 ? 1e-9 : 1e6);
  }
  for (int what = 0; what < 5; what++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
      for (int root = 0; root < (what == 1 ? size : 1); root += size > 4 ? (size - 1) / 2 : 1) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        uint64_t first = 0;
        for (size_t i = 0; i < sizeof form_of / sizeof *form_of; i++) {
          const uint64_t h = once(comm, what, counts[c], root, form_of[i]);
          if (i == 0) first = h;
          if (h != first && (same || (reductions && what < 3 && form_of[i] == blocking))) {
            fprintf(stderr,
                    "reproducible: rank %d: operation %d of %d elements differs in repetition %zu, form %d\n",
                    rank, what, counts[c], i, form_of[i]);
            MPI_Abort(MPI_COMM_WORLD, 1);
          }
        }
        MPI_Comm_free(&comm);
        const uint64_t h = of_all(first);
        all = digest(all, &h, sizeof h);
      }
  if (rank == 0) printf("digest %016llx\n", (unsigned long long)all);
  MPI_Finalize();
  return 0;
}
