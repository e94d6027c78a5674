/* What a program can ask before, during and after; memory; time. */
#include "check.h"

int main(int argc, char** argv) {
  int flag, n, m;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Initialized(&flag);
  if (flag) return 1;
  MPI_Get_version(&n, &m);
  if (n != 5 || m != 0) return 2;
  MPI_Get_library_version(text, &n);
  if (n != (int)strlen(text)) return 3;
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Initialized(&flag);
  CHECK(flag);
  MPI_Finalized(&flag);
  CHECK(!flag);
  MPI_Get_processor_name(text, &n);
  CHECK(n > 0 && n == (int)strlen(text));
  const double start = MPI_Wtime();
  CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1e-3 && MPI_Wtime() >= start);
  void* blocks[10];
  for (int i = 0; i < 10; ++i) {
    MPI_Alloc_mem(1000 << i, MPI_INFO_NULL, &blocks[i]);
    CHECK(blocks[i] != NULL && ((size_t)blocks[i] & 15) == 0);
    memset(blocks[i], i, (size_t)(1000 << i));
  }
  /* Library memory on both sides of a message. */
  MPI_Sendrecv(blocks[8], 256000, MPI_CHAR, (rank + 1) % size, 0, blocks[9], 256000, MPI_CHAR,
               (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(((char*)blocks[9])[255999] == 8 && ((char*)blocks[9])[256000] == 9);
  for (int i = 0; i < 10; ++i) MPI_Free_mem(blocks[i]);
  MPI_Pcontrol(1);
  MPI_Comm parent;
  MPI_Comm_get_parent(&parent);
  CHECK(parent == MPI_COMM_NULL);
  MPI_Finalize();
  MPI_Finalized(&flag);
  return flag ? 0 : 4;
}
