/* Counts beyond 2^31 through the _c functions. Small in memory: what is sent is never written, so that all
 * its pages are the one page of zeros, but for its end; what is received falls, block for block, on the same
 * few pages. usage: large RANKS */
#include <sys/mman.h>

#include "check.h"

enum { block = 1 << 16 };
static const MPI_Count blocks = (1 << 15) + 1;       /* 2^31 bytes, and one block */
static const MPI_Count count = 2147483648ll + block; /* the same in bytes */
static char *source, fold_memory[2 * block];
static MPI_Datatype
    fold; /* receives `count` bytes: all blocks but the last in the first place, that in the second */

/* Address space for n bytes, without memory. */
static char* reserve(MPI_Count n) {
  char* at =
      mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(at != MAP_FAILED);
  return at;
}

static void expect_fold(const char* what, int mark) {
  if (fold_memory[0] != 0 || fold_memory[block] != mark || fold_memory[2 * block - 1] != mark) {
    fprintf(stderr, "large.c: rank %d of %d: %s: %d, %d .. %d instead of 0, %d\n", rank, size, what,
            fold_memory[0], fold_memory[block], fold_memory[2 * block - 1], mark);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  memset(fold_memory, -1, sizeof fold_memory);
}
static void mark(int value) {
  source[count - block] = source[count - 1] = (char)value;
}

static void point_to_point(void) {
  MPI_Status status;
  MPI_Request request;
  MPI_Message message;
  MPI_Count n;
  mark(1);
  if (rank == 0) {
    MPI_Send_c(source, count, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Ssend_c(source, count, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    MPI_Isend_c(source, count, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(source, 77, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv_c(fold_memory, 1, fold, 0, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count_c(&status, MPI_CHAR, &n);
    CHECK(n == count);
    MPI_Get_elements_c(&status, fold, &n);
    CHECK(n == count);
    int small;
    MPI_Get_count(&status, MPI_CHAR, &small);
    CHECK(small == MPI_UNDEFINED); /* "Return Status": does not fit */
    expect_fold("send", 1);
    MPI_Probe(0, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count_c(&status, MPI_CHAR, &n);
    CHECK(n == count);
    MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv_c(fold_memory, 1, fold, &message, &status);
    expect_fold("synchronous send", 1);
    MPI_Irecv_c(fold_memory, 1, fold, 0, 2, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_fold("non-blocking send", 1);
    /* Room for more than 2^31, and a short message. */
    char* room = reserve(count);
    MPI_Recv_c(room, count, MPI_CHAR, 0, 3, MPI_COMM_WORLD, &status);
    MPI_Get_count_c(&status, MPI_CHAR, &n);
    CHECK(n == 77);
    munmap(room, (size_t)count);
  }
}

/* In binomial trees ranks pass on what has been folded: the mark is all that stays, and it does. */
static void collectives(void) {
  mark(2);
  if (rank == 0)
    MPI_Bcast_c(source, count, MPI_CHAR, 0, MPI_COMM_WORLD);
  else
    MPI_Bcast_c(fold_memory, 1, fold, 0, MPI_COMM_WORLD);
  if (rank != 0) expect_fold("bcast", 2);

  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair);
  if (rank < 2) {
    mark(3);
    if (rank ==
        0) /* the same place for both blocks: only the own one is copied, and the other comes on top */
      MPI_Gather_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, fold_memory, 1, fold, 0, pair);
    else
      MPI_Gather_c(source, count, MPI_CHAR, NULL, 0, MPI_DATATYPE_NULL, 0, pair);
    if (rank == 0) expect_fold("gather", 3);

    /* Blocks of the same bytes for everybody: the extent of the sent type is nothing. */
    MPI_Datatype whole, again;
    MPI_Type_contiguous_c(count, MPI_CHAR, &whole);
    MPI_Type_create_resized_c(whole, 0, 0, &again);
    MPI_Type_commit(&again);
    mark(4);
    MPI_Alltoall_c(source, 1, again, fold_memory, 1, fold, pair);
    expect_fold("alltoall", 4);
    const MPI_Count ones[2] = {1, 1};
    const MPI_Aint places[2] = {0, 0};
    MPI_Allgatherv_c(source, count, MPI_CHAR, fold_memory, ones, places, fold, pair);
    expect_fold("allgatherv", 4);
    MPI_Type_free(&whole);
    MPI_Type_free(&again);
    MPI_Comm_free(&pair);
  }
}

/* Elements without size: as many as one likes. The operation is told how many. */
static MPI_Count reduced;
static void operation(void* in, void* inout, MPI_Count* n, MPI_Datatype* type) {
  (void)in, (void)inout, (void)type;
  reduced += *n;
}
static void empty_elements(void) {
  const MPI_Count many = (MPI_Count)1 << 40;
  MPI_Datatype nothing;
  MPI_Op op;
  MPI_Request request;
  int out[1], in[1];
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_Op_create_c(operation, 1, &op);
  MPI_Reduce_local_c(out, in, many, nothing, op);
  CHECK(reduced == many);
  MPI_Reduce_c(out, in, many, nothing, op, 0, MPI_COMM_WORLD);
  CHECK(reduced % many == 0);
  MPI_Allreduce_c(out, in, many, nothing, op, MPI_COMM_WORLD);
  MPI_Irecv_c(in, many, nothing, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
  MPI_Send_c(out, many, nothing, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Alltoall_c(out, many, nothing, in, many, nothing, MPI_COMM_WORLD);
  MPI_Bcast_c(out, many, nothing, 0, MPI_COMM_WORLD);
  MPI_Gather_c(out, many, nothing, in, many, nothing, 0, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Type_free(&nothing);
}

/* --- real memory --- */

static unsigned char pattern(MPI_Count i) {
  return (unsigned char)((unsigned long long)i * 0x9e3779b97f4a7c15ull >> 56);
}
/* data[i] == factor * pattern(i) + more, in bytes. */
static void expect_pattern(const char* what, const unsigned char* data, MPI_Count n, int factor, int more) {
  for (MPI_Count i = 0; i < n; ++i) {
    if (data[i] == (unsigned char)(factor * pattern(i) + more)) continue;
    fprintf(stderr, "large.c: rank %d of %d: %s: byte %lld is wrong\n", rank, size, what, (long long)i);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static int enough_memory(void) {
  long long kilobytes = 0;
  char line[256];
  FILE* f = fopen("/proc/meminfo", "r");
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "MemAvailable: %lld", &kilobytes) == 1) break;
  fclose(f);
  return kilobytes > 8ll << 20;
}

static void in_real_memory(void) {
  const MPI_Count n = 2147483648ll + 8;
  unsigned char *data = (unsigned char*)reserve(n), *all;
  if (rank == 0) {
    for (MPI_Count i = 0; i < n; ++i) data[i] = pattern(i);
    MPI_Send_c(data, n, MPI_UINT8_T, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv_c(data, n, MPI_UINT8_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_pattern("receive", data, n, 1, 0);
    for (MPI_Count i = 0; i < n; ++i) data[i] += 3;
  }
  MPI_Bcast_c(data, n, MPI_UINT8_T, 1, MPI_COMM_WORLD);
  expect_pattern("bcast", data, n, 1, 3);
  MPI_Allreduce_c(MPI_IN_PLACE, data, n, MPI_UINT8_T, MPI_SUM, MPI_COMM_WORLD);
  expect_pattern("allreduce", data, n, 2, 6);
  if (rank == 0) munmap(data, (size_t)n);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    all = (unsigned char*)reserve(2 * n);
    memset(all, 9, (size_t)n);
    MPI_Gather_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, n, MPI_UINT8_T, 0, MPI_COMM_WORLD);
    expect_pattern("gather", all + n, n, 2, 6);
    for (MPI_Count i = 0; i < n; ++i) CHECK(all[i] == 9);
    munmap(all, (size_t)(2 * n));
  } else {
    MPI_Gather_c(data, n, MPI_UINT8_T, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    munmap(data, (size_t)n);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  if (argc > 2) {
    int enough = rank == 0 && enough_memory();
    MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (enough) in_real_memory();
    MPI_Finalize();
    return enough ? 0 : 77;
  }
  source = reserve(count);
  MPI_Datatype bytes, folded;
  MPI_Type_contiguous(block, MPI_CHAR, &bytes);
  MPI_Type_create_hvector_c(blocks - 1, 1, 0, bytes, &folded);
  const int lengths[2] = {1, 1};
  const MPI_Aint displacements[2] = {0, block};
  const MPI_Datatype parts[2] = {folded, bytes};
  MPI_Datatype both;
  MPI_Type_create_struct(2, lengths, displacements, parts, &both);
  MPI_Type_create_resized(both, 0, 0, &fold);
  MPI_Type_commit(&fold);
  MPI_Type_free(&bytes);
  MPI_Type_free(&folded);
  MPI_Type_free(&both);
  point_to_point();
  collectives();
  empty_elements();
  MPI_Type_free(&fold);
  munmap(source, (size_t)count);
  MPI_Finalize();
  return 0;
}
