/* Null and sentinels wherever a pointer is: an error that names call and argument, or success where the
 * standard allows the value. Never a crash, never a hang. The calls are generated (pointers.py).
 *
 * usage: pointers [<first call> <first value>]. A call that crashes or hangs is named, and the program ends
 * with 99: the test goes on behind it (pointers_test.py). */
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { rooms = 20, room = 8448 };
static char scratch[rooms][room] __attribute__((aligned(64)));
static char buffer[2][4096] __attribute__((aligned(64)));
static int zeros[64], ones[64], ranges[1][3] = {{0, 0, 1}};
static MPI_Count large_zeros[64], large_ones[64];
static int distributions[1] = {MPI_DISTRIBUTE_BLOCK}, no_arguments[1] = {MPI_DISTRIBUTE_DFLT_DARG};
static char bsend_room[65536], *arguments[] = {(char*)"program", NULL};
static MPI_Comm comm, cart, graph, dist, pair = MPI_COMM_NULL, inter = MPI_COMM_NULL;
static MPI_Group group, remote_group;
static MPI_Info info;
static MPI_Session session;
static MPI_Datatype derived, absolute, ints[4], absolutes[4];
static MPI_Request no_requests[4], no_request, parts[2];
static MPI_Status status[4], good_status;
static MPI_Win win, dynamic, posted; /* the first is locked */
static char exposed[64];
static int comm_key, type_key, win_key, own_class, own_code;
static int absolute_data;
static int rank, size, two;

static MPI_T_cvar_handle cvar;
static MPI_T_pvar_session tool_session;
static MPI_T_pvar_handle pvar;
static MPI_T_event_registration registration;
static char cvar_name[256], pvar_name[256], category_name[256], event_name[256];
static char service_name[32]; /* each rank has one of its own */
static int pvar_class;

/* Handles that a call makes, or takes away. */
static MPI_Comm h_comm;
static MPI_Group h_group;
static MPI_Datatype h_type;
static MPI_Op h_op;
static MPI_Info h_info;
static MPI_Errhandler h_errhandler;
static MPI_Request h_persistent, helper;
static MPI_Session h_session;
static MPI_Message h_message;
static MPI_Win h_win;
static MPI_T_cvar_handle h_cvar;
static MPI_T_pvar_handle h_pvar;
static MPI_T_pvar_session h_pvar_session;

static uintptr_t wrong; /* what stands in the place of a pointer */

static void callback(void) {}
static int query(void* extra, MPI_Status* s) {
  (void)extra;
  MPI_Status_set_elements(s, MPI_INT, 0);
  MPI_Status_set_cancelled(s, 0);
  s->MPI_SOURCE = s->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void* extra) {
  return (void)extra, MPI_SUCCESS;
}
static int cancel(void* extra, int complete) {
  return (void)extra, (void)complete, MPI_SUCCESS;
}

static MPI_Comm* fresh_comm(void) {
  return MPI_Comm_dup(MPI_COMM_SELF, &h_comm), &h_comm;
}
static MPI_Group* fresh_group(void) {
  return MPI_Comm_group(comm, &h_group), &h_group;
}
static MPI_Datatype* fresh_type(void) {
  return MPI_Type_contiguous(2, MPI_INT, &h_type), &h_type;
}
static MPI_Info* fresh_info(void) {
  return MPI_Info_create(&h_info), &h_info;
}
static MPI_Session* fresh_session(void) {
  return MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &h_session), &h_session;
}
static MPI_Op* fresh_op(void) {
  return MPI_Op_create((MPI_User_function*)(void (*)(void))callback, 1, &h_op), &h_op;
}
static MPI_Errhandler* fresh_errhandler(void) {
  MPI_Comm_create_errhandler((MPI_Comm_errhandler_function*)(void (*)(void))callback, &h_errhandler);
  return &h_errhandler;
}
static MPI_Request* fresh_persistent(void) {
  return MPI_Recv_init(buffer[1], 1, MPI_INT, MPI_PROC_NULL, 0, comm, &h_persistent), &h_persistent;
}
static MPI_Request* fresh_receive(void) {
  return MPI_Irecv(buffer[1], 1, MPI_INT, 0, 77, comm, &h_persistent), &h_persistent;
}
static int amount; /* of the data that calls are about */
static void to_self(void) {
  MPI_Send(buffer[0], amount, MPI_INT, 0, 0, comm);
}
static void from_self(void) {
  MPI_Irecv(scratch[0], 1, MPI_INT, 0, 0, comm, &helper);
}
static MPI_Message* fresh_message(void) {
  to_self();
  return MPI_Mprobe(0, 0, comm, &h_message, MPI_STATUS_IGNORE), &h_message;
}
static MPI_Win* fresh_win(void) {
  return MPI_Win_create(exposed, sizeof exposed, 1, MPI_INFO_NULL, comm, &h_win), &h_win;
}
static MPI_T_cvar_handle* fresh_cvar(void) {
  int n;
  return MPI_T_cvar_handle_alloc(0, NULL, &h_cvar, &n), &h_cvar;
}
static MPI_T_pvar_handle* fresh_pvar(void) {
  int n;
  return MPI_T_pvar_handle_alloc(tool_session, 0, NULL, &h_pvar, &n), &h_pvar;
}
static MPI_T_pvar_session* fresh_pvar_session(void) {
  return MPI_T_pvar_session_create(&h_pvar_session), &h_pvar_session;
}
static MPI_T_event_registration fresh_registration(void) {
  MPI_T_event_registration r;
  return MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &r), r;
}
static void* fresh_memory(void) {
  void* p;
  return MPI_Alloc_mem(64, MPI_INFO_NULL, &p), p;
}
static int key_made;
static int* fresh_key_comm(void) {
  return MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key_made, NULL), &key_made;
}
static int* fresh_key_type(void) {
  return MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key_made, NULL), &key_made;
}
static int* fresh_key_win(void) {
  return MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key_made, NULL), &key_made;
}
static int* fresh_room(void) { /* of a text */
  static int length;
  return length = 64, &length;
}
static void detach(void) {
  void* p;
  int n;
  MPI_Buffer_detach(&p, &n);
  MPI_Comm_detach_buffer(comm, &p, &n);
  MPI_Session_detach_buffer(session, &p, &n);
}
static void attach(void) {
  detach();
  MPI_Buffer_attach(bsend_room, sizeof bsend_room);
}

/* Takes the messages that are left, and ends what a call has begun. */
static void drain(void) {
  int flag;
  if (helper !=
      MPI_REQUEST_NULL) { /* the receive for a synchronous or ready send that may not have happened */
    MPI_Cancel(&helper);
    MPI_Wait(&helper, MPI_STATUS_IGNORE);
  }
  if (h_message != MPI_MESSAGE_NULL) MPI_Mrecv(scratch[0], 1, MPI_INT, &h_message, MPI_STATUS_IGNORE);
  for (;;) {
    MPI_Message m;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &m, MPI_STATUS_IGNORE);
    if (!flag) return;
    MPI_Mrecv(scratch[0], 1, MPI_INT, &m, MPI_STATUS_IGNORE);
  }
}
static void end_request(void) {
  int flag;
  MPI_Test(&h_persistent, &flag, MPI_STATUS_IGNORE); /* a receive before somebody else takes its message */
  if (!flag) drain();
  if (!flag) MPI_Wait(&h_persistent, MPI_STATUS_IGNORE);
}

#include "pointer_calls.h"

static void prepare(void) {
  int n, weights[1] = {3}, neighbour[1] = {0};
  MPI_Aint address;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(service_name, sizeof service_name, "service-%d", rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  two = size == 2;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int i = 0; i < 64; ++i) ones[i] = 1, large_ones[i] = 1;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_group(comm, &group);
  MPI_Cart_create(comm, 1, ones, ones, 0, &cart);
  MPI_Graph_create(comm, 1, ones, zeros, 0, &graph);
  MPI_Dist_graph_create_adjacent(comm, 1, neighbour, weights, 1, neighbour, weights, MPI_INFO_NULL, 0, &dist);
  remote_group = group;
  if (two) {
    MPI_Comm_dup(MPI_COMM_WORLD, &pair);
    MPI_Intercomm_create(comm, 0, pair, 1 - rank, 0, &inter);
    MPI_Comm_remote_group(inter, &remote_group);
  }
  MPI_Info_create(&info);
  MPI_Info_set(info, "k", "v");
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Get_address(&absolute_data, &address);
  MPI_Type_create_hindexed(1, ones, &address, MPI_INT, &absolute);
  MPI_Type_create_hindexed(1, ones, &address, MPI_INT, &derived);
  MPI_Type_commit(&absolute);
  for (int i = 0; i < 4; ++i) ints[i] = MPI_INT, absolutes[i] = absolute, no_requests[i] = MPI_REQUEST_NULL;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, NULL);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win_key, NULL);
  MPI_Win_create(exposed, sizeof exposed, 1, MPI_INFO_NULL, comm, &win);
  MPI_Win_create(exposed, sizeof exposed, 1, MPI_INFO_NULL, comm, &posted);
  MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &dynamic);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Win_set_errhandler(posted, MPI_ERRORS_RETURN);
  MPI_Win_set_errhandler(dynamic, MPI_ERRORS_RETURN);
  MPI_Win_lock_all(0, win);
  MPI_Add_error_class(&own_class);
  MPI_Add_error_code(own_class, &own_code);
  MPI_Sendrecv(buffer[0], 1, MPI_INT, 0, 0, buffer[1], 1, MPI_INT, 0, 0, comm, &good_status);
  MPI_Psend_init(buffer[0], 1, 1, MPI_INT, 0, 5, comm, MPI_INFO_NULL, &parts[0]);
  MPI_Precv_init(buffer[1], 1, 1, MPI_INT, 0, 5, comm, MPI_INFO_NULL, &parts[1]);
  MPI_Startall(2, parts);

  MPI_T_init_thread(MPI_THREAD_SINGLE, &n);
  MPI_T_cvar_handle_alloc(0, NULL, &cvar, &n);
  MPI_T_pvar_session_create(&tool_session);
  MPI_T_pvar_handle_alloc(tool_session, 0, NULL, &pvar, &n);
  MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &registration);
  MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL,
                                (MPI_T_event_cb_function*)(void (*)(void))callback);
  MPI_T_cvar_get_info(0, cvar_name, (n = 256, &n), NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  MPI_T_pvar_get_info(0, pvar_name, (n = 256, &n), NULL, &pvar_class, NULL, NULL, NULL, NULL, NULL, NULL,
                      NULL, NULL);
  MPI_T_category_get_info(0, category_name, (n = 256, &n), NULL, NULL, NULL, NULL, NULL);
  MPI_T_event_get_info(0, event_name, (n = 256, &n), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
}

static void reset(void) {
  memset(scratch, 0, sizeof scratch);
  memset(buffer, 0, sizeof buffer);
  for (int i = 0; i < 4; ++i) status[i] = good_status, no_requests[i] = MPI_REQUEST_NULL;
  h_persistent = no_request = helper = MPI_REQUEST_NULL;
  h_message = MPI_MESSAGE_NULL;
}

/* Which call is under way, for the signal handlers. */
static volatile int now, which;
static const char* volatile value = "";
static void died(int signal_number) {
  char line[512];
  const int n = snprintf(line, sizeof line, "call %d %d: %s, %s = %s: %s\n", now, which, calls[now].function,
                         calls[now].argument, value, signal_number == SIGALRM ? "a hang" : "a crash");
  if (write(STDOUT_FILENO, line, (size_t)n) < 0) _exit(98);
  _exit(99);
}

static long made, mistakes;
static void complain(const char* what, int code, const char* words) {
  printf("%s, %s = %s: %d, expected %s: %s\n", calls[now].function, calls[now].argument, value, code, what,
         words);
  ++mistakes;
}

static void check(char expected, int wanted, int code) {
  const struct call* c = &calls[now];
  char words[MPI_MAX_ERROR_STRING] = "";
  int class = MPI_SUCCESS, length;
  ++made;
  if (code != MPI_SUCCESS) MPI_Error_string(code, words, &length);
  MPI_Error_class(code, &class);
  if (expected == 's' && class != wanted) complain("what the right call returns", code, words);
  if (expected != 'e') return;
  if (c->tool ? class != MPI_T_ERR_INVALID
              : class != MPI_ERR_ARG && class != MPI_ERR_BUFFER && class != MPI_ERR_BASE)
    complain("an error of the argument", code, words);
  else if (!c->tool && (strstr(words, c->function) == NULL || strstr(words, c->argument) == NULL))
    complain("the names of call and argument", code, words);
}

int main(int argc, char** argv) {
  const int first = argc > 2 ? atoi(argv[1]) : 0, count = (int)(sizeof calls / sizeof *calls);
  MPI_Init(NULL, NULL);
  prepare();
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = SIGHUP; i <= SIGTERM; ++i) {
    if (i == SIGSEGV || i == SIGBUS || i == SIGABRT || i == SIGFPE || i == SIGILL || i == SIGALRM)
      signal(i, died);
  }
  for (now = first; now < count; ++now) {
    const struct call* c = &calls[now];
    if (c->two && !two) continue;
    alarm(60);
    if (c->argument[0] == '=') {
      which = 0;
      value = "right";
      amount = strcmp(c->argument, "=without data") != 0;
      reset();
      check('s', c->returns, c->make());
      drain();
      continue;
    }
    for (which = argc > 2 && now == first ? atoi(argv[2]) : 0; c->expected[which] != '\0'; ++which) {
      reset();
      amount = 1;
      wrong = values[which].bits;
      value = values[which].name;
      check(c->expected[which], c->returns, c->make());
      drain();
    }
  }
  alarm(60);
  value = "at the end";
  now = 0;
  MPI_Pready(0, parts[0]);
  MPI_Waitall(2, parts, MPI_STATUSES_IGNORE);
  MPI_Request_free(&parts[0]);
  MPI_Request_free(&parts[1]);
  detach();
  MPI_Session_finalize(&session);
  printf("%ld calls, %ld wrong\n", made, mistakes);
  MPI_Finalize();
  return mistakes != 0;
}
