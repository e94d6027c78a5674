/* The tool interface: control variables before MPI_Init, figures that move, categories. */
#include <stdint.h>
#include <time.h>

#include "check.h"

static int find(const char* name, int kind, unsigned long long* value, MPI_T_pvar_session session) {
  int index, count;
  MPI_T_pvar_handle handle;
  if (MPI_T_pvar_get_index(name, kind, &index) != MPI_SUCCESS) return 0;
  if (MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) != MPI_SUCCESS || count != 1) return 0;
  if (MPI_T_pvar_read(session, handle, value) != MPI_SUCCESS) return 0;
  if (MPI_T_pvar_start(session, handle) != MPI_T_ERR_PVAR_NO_STARTSTOP) return 0;
  return MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS && handle == MPI_T_PVAR_HANDLE_NULL;
}

/* --- events --- */

static int unexpected, freed, accessible = MPI_SUCCESS;
static long long seen[3], stamp, slept_ns;

static void on_unexpected(MPI_T_event_instance event, MPI_T_event_registration handle, MPI_T_cb_safety safety,
                          void* data) {
  MPI_Count when;
  int source = -1;
  int64_t words[3], one;
  CHECK(safety == MPI_T_CB_REQUIRE_MPI_RESTRICTED && data == &unexpected && handle != NULL);
  CHECK(MPI_T_event_copy(event, words) == MPI_SUCCESS);
  if (words[0] != rank) return; /* a rank that is further on: any call may poll */
  CHECK(MPI_T_event_read(event, 1, &one) == MPI_SUCCESS && one == words[1]);
  CHECK(MPI_T_event_read(event, 3, &one) == MPI_T_ERR_INVALID_INDEX);
  CHECK(MPI_T_event_get_timestamp(event, &when) == MPI_SUCCESS);
  CHECK(MPI_T_event_get_source(event, &source) == MPI_SUCCESS && source == 0);
  accessible = MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &handle); /* not from here */
  for (int i = 0; i < 3; ++i) seen[i] = words[i];
  stamp = when;
  ++unexpected;
}
static void on_awake(MPI_T_event_instance event, MPI_T_event_registration handle, MPI_T_cb_safety safety,
                     void* data) {
  int64_t ns;
  (void)handle, (void)safety, (void)data;
  if (MPI_T_event_read(event, 0, &ns) == MPI_SUCCESS) slept_ns += ns;
}
static void on_freed(MPI_T_event_registration handle, MPI_T_cb_safety safety, void* data) {
  (void)handle, (void)safety, (void)data;
  ++freed;
}

static void message_to_myself(int tag, int n) {
  char data[64] = {0};
  MPI_Request r;
  MPI_Isend(data, n, MPI_CHAR, 0, tag, MPI_COMM_SELF, &r);
  MPI_Recv(data, n, MPI_CHAR, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void test_events(void) {
  int index, elements = 8, bind, length = 64;
  char name[64];
  MPI_Datatype types[8];
  MPI_Aint places[8];
  MPI_Count before, after;
  MPI_T_event_registration handle, awake;
  CHECK(MPI_T_event_get_index("unexpected_message", &index) == MPI_SUCCESS);
  CHECK(MPI_T_event_get_info(index, name, &length, NULL, types, places, &elements, NULL, NULL, NULL, NULL,
                             &bind) == MPI_SUCCESS);
  CHECK(strcmp(name, "unexpected_message") == 0 && elements == 3 && types[2] == MPI_INT64_T &&
        places[2] == 16);
  CHECK(MPI_T_event_handle_alloc(1000, NULL, MPI_INFO_NULL, &handle) == MPI_T_ERR_INVALID_INDEX);
  CHECK(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &handle) == MPI_SUCCESS);
  message_to_myself(1, 1); /* no callback yet */
  CHECK(MPI_T_event_register_callback(handle, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_INFO_NULL, &unexpected,
                                      on_unexpected) == MPI_SUCCESS);
  MPI_T_source_get_timestamp(0, &before);
  message_to_myself(17, 33);
  MPI_T_source_get_timestamp(0, &after);
  CHECK(unexpected == 1 && seen[0] == rank && seen[1] == 17 && seen[2] == 33);
  CHECK(before <= stamp && stamp <= after);
  CHECK(accessible == MPI_T_ERR_NOT_ACCESSIBLE);

  CHECK(MPI_T_event_handle_free(handle, NULL, NULL) == MPI_SUCCESS);
  CHECK(MPI_T_event_handle_free(handle, NULL, NULL) == MPI_T_ERR_INVALID_HANDLE);
  message_to_myself(19, 1);
  CHECK(unexpected == 1);

  /* Sleep: one of two ranks lets the other wait. */
  CHECK(MPI_T_event_get_index("awake", &index) == MPI_SUCCESS);
  CHECK(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &awake) == MPI_SUCCESS);
  CHECK(MPI_T_event_register_callback(awake, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL, NULL,
                                      on_awake) == MPI_SUCCESS);
  if (size > 1) {
    MPI_Barrier(MPI_COMM_WORLD);
    const struct timespec pause = {1, 0};
    if (rank == 0) nanosleep(&pause, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0) CHECK(slept_ns > 50000000);
  }
  CHECK(MPI_T_event_handle_free(awake, NULL, on_freed) == MPI_SUCCESS && freed == 1);
}

int main(int argc, char** argv) {
  int provided, n, index, count, length, verbosity, bind, scope;
  char value[256], name[64];
  MPI_Datatype type;
  MPI_T_enum none;
  MPI_T_cvar_handle handle;
  if (MPI_T_cvar_get_num(&n) != MPI_T_ERR_NOT_INITIALIZED) return 1;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 2;
  if (MPI_T_cvar_get_num(&n) != MPI_SUCCESS || n < 5) return 3;
  if (MPI_T_cvar_get_index("LOADSTONE_EAGER_LIMIT", &index) != MPI_SUCCESS) return 4;
  if (MPI_T_cvar_get_index("LOADSTONE_NOTHING", &count) != MPI_T_ERR_INVALID_NAME) return 5;
  length = sizeof name;
  if (MPI_T_cvar_get_info(index, name, &length, &verbosity, &type, &none, NULL, NULL, &bind, &scope) !=
      MPI_SUCCESS)
    return 6;
  if (strcmp(name, "LOADSTONE_EAGER_LIMIT") != 0 || type != MPI_CHAR || bind != MPI_T_BIND_NO_OBJECT)
    return 7;
  if (MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS || count > (int)sizeof value)
    return 8;
  strcpy(value, "0"); /* everything beyond nothing is a rendezvous */
  if (MPI_T_cvar_write(handle, value) != MPI_SUCCESS) return 9;

  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  CHECK(MPI_T_cvar_read(handle, value) == MPI_SUCCESS && strcmp(value, "0") == 0);
  CHECK(MPI_T_cvar_write(handle, value) == MPI_T_ERR_CVAR_SET_NOT_NOW);
  CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS && handle == MPI_T_CVAR_HANDLE_NULL);

  MPI_T_pvar_session session;
  unsigned long long before = 0, after = 0;
  CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
  CHECK(find("messages_self", MPI_T_PVAR_CLASS_COUNTER, &before, session));
  for (int i = 0; i < 7; ++i)
    MPI_Sendrecv(&i, 1, MPI_INT, 0, 0, &n, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  CHECK(find("messages_self", MPI_T_PVAR_CLASS_COUNTER, &after, session));
  CHECK(after == before + 7);
  MPI_Request request; /* with that limit a blocking send to oneself would wait for its receive */
  MPI_Isend(&n, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
  CHECK(find("unexpected_length", MPI_T_PVAR_CLASS_LEVEL, &after, session) && after >= 1);
  int received = 0;
  MPI_Recv(&received, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(received == n);
  CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS && session == MPI_T_PVAR_SESSION_NULL);

  CHECK(MPI_T_category_get_num(&n) == MPI_SUCCESS && n >= 2);
  int controls = 0, figures = 0, total;
  for (int i = 0; i < n; ++i) {
    int c, p, inner, indices[64];
    length = sizeof name;
    CHECK(MPI_T_category_get_info(i, name, &length, NULL, NULL, &c, &p, &inner) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_index(name, &index) == MPI_SUCCESS && index == i);
    CHECK(MPI_T_category_get_cvars(i, 64, indices) == MPI_SUCCESS);
    controls += c, figures += p;
  }
  MPI_T_cvar_get_num(&total);
  CHECK(controls == total);
  int events = 0, inner_events;
  CHECK(MPI_T_category_get_num(&n) == MPI_SUCCESS);
  for (int i = 0; i < n; ++i, events += inner_events)
    CHECK(MPI_T_category_get_num_events(i, &inner_events) == MPI_SUCCESS);
  CHECK(MPI_T_event_get_num(&total) == MPI_SUCCESS && total == events && total >= 4);
  CHECK(MPI_T_event_get_index("anything", &index) == MPI_T_ERR_INVALID_NAME);
  MPI_T_pvar_get_num(&total);
  CHECK(figures == total);
  test_events();
  MPI_Finalize();
  return MPI_T_finalize() == MPI_SUCCESS ? 0 : 10;
}
