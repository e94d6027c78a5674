/* Dynamic windows whose targets are asked by messages (LOADSTONE_VM=0): memory that is not attached. The call
 * that completes the operation tells, and synchronises all the same. */
#include "windows.h"

enum { large = 1 << 20 }; /* several pieces */

static char mine[large], elsewhere[large];

static void is_refused(int code) {
  int class;
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_RMA_RANGE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  /* Only the first half of what the others take for one piece of memory. */
  CHECK(MPI_Win_attach(win, mine, large / 2) == MPI_SUCCESS);
  MPI_Aint at, none, others[2 * 64];
  MPI_Get_address(mine, &at);
  MPI_Get_address(elsewhere, &none);
  MPI_Aint both[2] = {at, none};
  MPI_Allgather(both, 2, MPI_AINT, others, 2, MPI_AINT, MPI_COMM_WORLD);
  const int target = (rank + 1) % size;
  const MPI_Aint good = others[2 * target], bad = others[2 * target + 1];
  char* buffer = malloc(large);

  for (int round = 0; round < 3; ++round) {
    memset(buffer, 'a' + rank, large);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
    int put = MPI_Put(buffer, 8, MPI_CHAR, target, bad, 8, MPI_CHAR, win);
    int unlock = MPI_Win_unlock(target, win);
    is_refused(put != MPI_SUCCESS ? put : unlock); /* without messages the put knows at once */
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    is_refused(MPI_Get(buffer, large, MPI_CHAR, target, good, large, MPI_CHAR, win));
    CHECK(MPI_Win_unlock(target, win) == MPI_SUCCESS);

    CHECK(MPI_Win_fence(0, win) == MPI_SUCCESS);
    put = MPI_Put(buffer, 8, MPI_CHAR, target, bad, 8, MPI_CHAR, win);
    int fence = MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    is_refused(put != MPI_SUCCESS ? put : fence);

    /* The window works as before. */
    memset(buffer, 'a' + rank, large);
    MPI_Win_lock_all(0, win);
    CHECK(MPI_Put(buffer, 8, MPI_CHAR, target, good, 8, MPI_CHAR, win) == MPI_SUCCESS);
    put = MPI_Put(buffer, 8, MPI_CHAR, target, bad, 8, MPI_CHAR, win);
    int flush = MPI_Win_flush(target, win);
    is_refused(put != MPI_SUCCESS ? put : flush);
    CHECK(MPI_Win_unlock_all(win) == MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(mine[0] == 'a' + (rank + size - 1) % size && mine[7] == mine[0] && mine[8] == 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  free(buffer);
  CHECK(MPI_Win_detach(win, mine) == MPI_SUCCESS);
  CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}
