/* The tool interface: control variables before MPI_Init, figures that move, categories. */
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
  CHECK(MPI_T_event_get_num(&total) == MPI_SUCCESS && total == 0);
  CHECK(MPI_T_event_get_index("anything", &index) == MPI_T_ERR_INVALID_NAME);
  MPI_T_pvar_get_num(&total);
  CHECK(figures == total);
  MPI_Finalize();
  return MPI_T_finalize() == MPI_SUCCESS ? 0 : 10;
}
