/* Programs that do something wrong, one a mode; tests/robustness/run.py says what must come of it.
 * Usage: misuse <mode> */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* No mapping of any size can be made from here on; small allocations still find room in the heap. */
static void limit_address_space(void) {
  unsigned long pages = 0;
  /* The heap grows by a megabyte now, which the last block keeps from going back. */
  void* volatile blocks[16], * volatile last;
  for (int i = 0; i < 16; ++i) blocks[i] = malloc(64 << 10);
  last = malloc(64);
  for (int i = 0; i < 16; ++i) free(blocks[i]);
  (void)last;
  FILE* f = fopen("/proc/self/statm", "r");
  if (f == NULL || fscanf(f, "%lu", &pages) != 1) exit(9);
  fclose(f);
  struct rlimit limit = {pages * (unsigned long)sysconf(_SC_PAGESIZE), RLIM_INFINITY};
  if (setrlimit(RLIMIT_AS, &limit) != 0) exit(9);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  int rank, size, value = 0;
  if (strcmp(mode, "before-init") == 0) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    puts("went on");
    return 0;
  }
  const char* place = getenv("LOADSTONE_RANK");
  if (strncmp(mode, "no-init", 7) == 0 && place != NULL && strcmp(place, "1") == 0) return 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(mode, "after-finalize") == 0) {
    MPI_Finalize();
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    puts("went on");
    return 0;
  } else if (strcmp(mode, "init-twice") == 0) {
    MPI_Init(&argc, &argv);
    puts("went on");
  } else if (strcmp(mode, "abort") == 0) {
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 17);
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(mode, "exit") == 0) {
    if (rank == 1) exit(0); /* owes MPI_Finalize */
    MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(mode, "no-init") == 0) {
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (strcmp(mode, "no-init-received") == 0) {
    MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(mode, "no-init-barrier") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(mode, "leave-exchanging") == 0) { /* longer than it takes to believe polls */
    if (rank == 1) exit(0);
    for (double start = MPI_Wtime(); value == 0;) {
      int over = MPI_Wtime() - start > 11, flag = 0, here = 0;
      MPI_Request r[2];
      MPI_Irecv(&here, 1, MPI_INT, 2 - rank, 0, MPI_COMM_WORLD, &r[0]);
      MPI_Isend(&over, 1, MPI_INT, 2 - rank, 0, MPI_COMM_WORLD, &r[1]);
      while (!flag) MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
      value = over || here;
      usleep(200); /* other tests run beside this one */
    }
    puts("went on");
  } else if (strncmp(mode, "leave", 5) == 0) { /* all owe MPI_Finalize, and may be forgiven */
    static char large[1 << 20];
    MPI_Request r;
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(mode, "leave-polled") == 0 && rank != 1) {
      int flag = 0;
      MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
      while (!flag) {
        if (rank == 0)
          MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
        else
          MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        usleep(200); /* other tests run beside this one */
      }
      puts("went on");
    }
    if (strcmp(mode, "leave-unsent") == 0) {
      if (rank == 1) MPI_Isend(large, sizeof large, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &r);
      if (rank == 0) {
        sleep(1);
        MPI_Recv(large, sizeof large, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        puts("went on");
      }
    }
    if (rank == 0) puts("all output");
    return 0;
  } else if (strcmp(mode, "late") ==
             0) { /* behind a rank 0 that is another program; waits as long as it takes */
    if (size != 3) return 3;
    if (rank == 1) sleep(2);
    if (rank == 1) MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2) MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2) puts("all output");
  } else if (strcmp(mode, "exit-status") == 0) {
    if (rank == 1) exit(5);
    MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(mode, "crash") == 0) {
    if (rank == 1) *(volatile int*)8 = 1;
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(mode, "bad-rank") == 0) {
    if (rank == 1) MPI_Send(&value, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(mode, "truncates") ==
             0) { /* the second of three requests, and nobody looks at statuses */
    int in[3], out[3] = {1, 2, 3};
    MPI_Request requests[3];
    for (int i = 0; i < 3; ++i) MPI_Irecv(in + i, 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 3; ++i) MPI_Send(out, i == 1 ? 3 : 1, MPI_INT, rank, i, MPI_COMM_WORLD);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  } else if (strcmp(mode, "cycle") == 0) {
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(mode, "cycle-of-requests") == 0) { /* the first request is done, the second never */
    MPI_Comm dup;
    MPI_Request r[2];
    int out = rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Irecv(&value, 1, MPI_INT, (rank + size - 1) % size, 8, dup, &r[0]);
    MPI_Irecv(&value, 1, MPI_INT, (rank + 1) % size, 9, dup, &r[1]);
    MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, 8, dup);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  } else if (strcmp(mode, "out-of-memory") == 0) {
    void* p;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int error = MPI_Alloc_mem((MPI_Aint)64 << 20, MPI_INFO_NULL, &p), class, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Error_class(error, &class);
    MPI_Error_string(error, text, &length);
    printf("class %s: %s\n", class == MPI_ERR_NO_MEM ? "MPI_ERR_NO_MEM" : "other", text);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(mode, "no-address-space") == 0) {
    /* Rank 1 has nothing left to map rank 0's memory with: its cells, its queue, its inbox, its partitions. */
    static char data[20000];
    const char* what = argc > 2 ? argv[2] : "";
    const int parts = strcmp(what, "parts") == 0;
    MPI_Request r;
    if (parts && rank == 0) {
      MPI_Psend_init(data, 2, 4, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
      for (int round = 0; round < 3; ++round) {
        MPI_Start(&r);
        MPI_Pready_range(0, 1, r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
      }
    } else if (rank == 0) {
      int n = strcmp(what, "queue") == 0 ? 100000 : strcmp(what, "cell") == 0 ? 1 : 0;
      int bytes = strcmp(what, "cell") == 0 ? 4096 : 4;
      for (int i = 0; i < n; ++i) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(data, 4, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      /* What messages need of the allocator is there before. */
      MPI_Sendrecv(data, 4, MPI_BYTE, 1, 1, data + 8, 4, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      limit_address_space();
      if (parts) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Precv_init(data, 2, 4, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
        for (int round = 0; round < 3; ++round) MPI_Start(&r), MPI_Wait(&r, MPI_STATUS_IGNORE);
      } else if (strcmp(what, "inbox") != 0) {
        for (int i = 0; i < 100000; ++i)
          MPI_Recv(data, 4096, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      if (!parts) MPI_Send(data, 4, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
      puts("went on");
    }
  } else if (strcmp(mode, "spawns") == 0) {
    /* A rank that starts another MPI program: that one is a job of its own. */
    char command[4096];
    if (argc < 3) return 2;
    snprintf(command, sizeof command, "%s 1", argv[2]);
    int status = system(command);
    MPI_Barrier(MPI_COMM_WORLD);
    if (status != 0) return 4;
  } else {
    fprintf(stderr, "misuse: no mode '%s'\n", mode);
    return 2;
  }
  MPI_Finalize();
  return 0;
}
