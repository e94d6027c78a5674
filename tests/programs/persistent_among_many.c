/* A persistent collective that is started beside so many others that the numbers of these come round: each still gets its own
 * messages. The last rank starts the persistent one when the others have passed it on. */
#include "check.h"

enum { ROUNDS = 40000 };

int main(int argc, char** argv) {
  int kept = 0, passing = 0;
  MPI_Request persistent, other;
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  const int last = rank == size - 1;
  MPI_Bcast_init(&kept, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &persistent);
  for (int i = 0; i < ROUNDS; ++i) {
    kept = rank == 0 ? i : -1;
    passing = rank == 1 % size ? -2 - i : 0;
    if (!last) {
      MPI_Start(&persistent);
      MPI_Wait(&persistent, MPI_STATUS_IGNORE); /* in a chain nobody waits for those behind */
    }
    MPI_Ibcast(&passing, 1, MPI_INT, 1 % size, MPI_COMM_WORLD, &other);
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    CHECK(passing == -2 - i);
    if (last) {
      MPI_Start(&persistent);
      MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    }
    CHECK(kept == i);
  }
  MPI_Request_free(&persistent);
  MPI_Finalize();
  return 0;
}
