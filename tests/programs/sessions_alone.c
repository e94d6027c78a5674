/* A program of sessions that never calls MPI_Init: each rank that has closed them all has done what it owes, and may end
   long before the others. */
#include <unistd.h>

#include "check.h"

/* Buffered sends look for the buffer of the communicator, of its session, of the process ("Buffer Allocation
   and Usage"). */
static int buffers(MPI_Session session, MPI_Comm comm, int self) {
  static char ours[1000 + MPI_BSEND_OVERHEAD], theirs[64 + MPI_BSEND_OVERHEAD],
      its[1000 + MPI_BSEND_OVERHEAD];
  static char data[1000], back[1000];
  void* p;
  int n;
  MPI_Buffer_attach(ours, sizeof ours);
  if (MPI_Bsend(data, 1000, MPI_BYTE, self, 0, comm) != MPI_SUCCESS) return 21;
  MPI_Recv(back, 1000, MPI_BYTE, self, 0, comm, MPI_STATUS_IGNORE);
  MPI_Session_attach_buffer(session, theirs, sizeof theirs); /* too small, but nearer */
  if (MPI_Bsend(data, 1000, MPI_BYTE, self, 0, comm) == MPI_SUCCESS) return 22;
  if (MPI_Bsend(data, 64, MPI_BYTE, self, 0, comm) != MPI_SUCCESS) return 23;
  MPI_Recv(back, 1000, MPI_BYTE, self, 0, comm, MPI_STATUS_IGNORE);
  MPI_Comm_attach_buffer(comm, its, sizeof its);
  if (MPI_Bsend(data, 1000, MPI_BYTE, self, 0, comm) != MPI_SUCCESS) return 24;
  MPI_Recv(back, 1000, MPI_BYTE, self, 0, comm, MPI_STATUS_IGNORE);
  MPI_Comm_detach_buffer(comm, &p, &n);
  if (p != its || n != (int)sizeof its) return 25;
  MPI_Session_detach_buffer(session, &p, &n);
  if (p != theirs) return 26;
  if (MPI_Bsend(data, 1000, MPI_BYTE, self, 0, comm) != MPI_SUCCESS) return 27;
  MPI_Recv(back, 1000, MPI_BYTE, self, 0, comm, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&p, &n);
  return p == ours ? 0 : 28;
}

static int wrong;
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
  if (on_loadstone()) { /* others crash, or keep to buffers of their own */
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (wrong == 0) wrong = buffers(session, comm, rank);
  }
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
  return rank;
}

int main(void) {
  use(3);
  const int rank = use(1);
  if (rank < 0) return 1;
  if (wrong != 0) {
    fprintf(stderr, "check %d\n", wrong);
    return wrong;
  }
  if (rank == 0) {
    usleep(200 * 1000);
    /* Others are gone: what needs none of them goes on. */
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_finalize(&session);
  }
  return 0;
}
