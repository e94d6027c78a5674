/* A program of sessions that never calls MPI_Init: each rank that has closed them all has done what it owes, and may end
   long before the others. */
#include <mpi.h>
#include <unistd.h>

static int use(int times) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  int rank = -1;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "alone", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < times; ++i) MPI_Barrier(comm);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
  return rank;
}

int main(void) {
  use(3);
  const int rank = use(1);
  if (rank < 0) return 1;
  if (rank == 0) {
    usleep(200 * 1000);
    /* Others are gone: what needs none of them goes on. */
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_finalize(&session);
  }
  return 0;
}
