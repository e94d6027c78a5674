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

static int handled, handled_code;
static MPI_Comm handled_comm;
static void handle(MPI_Comm* comm, int* code, ...) {
  ++handled;
  handled_code = *code;
  handled_comm = *comm;
}
static void handle_session(MPI_Session* session, int* code, ...) {
  handled += *session == MPI_SESSION_NULL;
  handled_code = *code;
}
static int is_class(int code, int wanted) {
  int found = -1;
  MPI_Error_class(code, &found);
  return found == wanted;
}

/* Errors of the calls that make communicators from groups, and sessions, go to the handler that they are
   given ("Error Handling"): nothing else could take them here, and what is left ends the job. */
static int failures(MPI_Group world) {
  MPI_Errhandler mine, for_sessions;
  MPI_Comm comm = MPI_COMM_SELF;
  int size, code;
  handled = 0;
  MPI_Group_size(world, &size);
  MPI_Comm_create_errhandler(handle, &mine);
  code = MPI_Intercomm_create_from_groups(world, size, MPI_GROUP_EMPTY, 0, "none", MPI_INFO_NULL,
                                          MPI_ERRORS_RETURN, &comm);
  if (!is_class(code, MPI_ERR_ARG)) return 31;
  code =
      MPI_Intercomm_create_from_groups(world, size, MPI_GROUP_EMPTY, 0, "none", MPI_INFO_NULL, mine, &comm);
  if (code == MPI_SUCCESS || handled != 1 || handled_code != code || handled_comm != MPI_COMM_NULL) return 32;
  if (size > 1) {
    MPI_Group others;
    int rank;
    MPI_Group_rank(world, &rank);
    MPI_Group_excl(world, 1, &rank, &others);
    if (!is_class(MPI_Comm_create_from_group(others, "x", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm),
                  MPI_ERR_GROUP))
      return 33;
    code = MPI_Comm_create_from_group(others, "x", MPI_INFO_NULL, mine, &comm);
    if (code == MPI_SUCCESS || handled != 2 || handled_code != code) return 34;
    MPI_Group_free(&others);
  }
  handled = 0;
  code = MPI_Comm_create_from_group(world, NULL, MPI_INFO_NULL, mine, &comm);
  if (!is_class(code, MPI_ERR_ARG) || handled != 1) return 35;
  code = MPI_Comm_create_from_group(MPI_GROUP_NULL, "x", MPI_INFO_NULL, mine, &comm);
  if (!is_class(code, MPI_ERR_GROUP) || handled != 2) return 36;
  MPI_Session_create_errhandler(handle_session, &for_sessions);
  code = MPI_Session_init(MPI_INFO_NULL, for_sessions, NULL);
  if (!is_class(code, MPI_ERR_ARG) || handled != 3 || handled_code != code) return 37;
  if (!is_class(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, NULL), MPI_ERR_ARG)) return 38;
  MPI_Errhandler_free(&mine);
  MPI_Errhandler_free(&for_sessions);
  return 0;
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
    if (wrong == 0) wrong = failures(group);
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
