/* On memory that loses lines: messages arrive intact, and the performance variables tell of the repairs. */
#include "check.h"

enum { ROUNDS = 300, MOST = 20000 };

static unsigned long long figure(const char* name) {
  MPI_T_pvar_session session;
  MPI_T_pvar_handle handle;
  int index, count;
  unsigned long long value = 0;
  CHECK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
  return value;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init(&argc, &argv);
  CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
  start_world(argc, argv);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  unsigned char *out = malloc(MOST), *in = malloc(MOST);
  for (int round = 0; round < ROUNDS; ++round) {
    const int bytes = round % 3 == 0 ? MOST - round : round % 90;
    memset(out, rank + round, MOST);
    memset(in, 0xff, MOST);
    MPI_Sendrecv(out, bytes, MPI_BYTE, right, round, in, bytes, MPI_BYTE, left, round, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < bytes; ++i) CHECK(in[i] == (unsigned char)(left + round));
  }
  if (!on_loadstone()) return MPI_Finalize(); /* variables of ours */
  unsigned long long mine[2] = {figure("integrity_damaged"), figure("integrity_repeated")}, all[2];
  MPI_Allreduce(mine, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  const char* parameters = getenv("LOADSTONE_TEST");
  if (parameters != NULL && strstr(parameters, "poor_loses=") != NULL)
    CHECK(all[0] > 0 && all[1] > 0);
  else
    CHECK(all[0] == 0 && all[1] == 0);
  free(out);
  free(in);
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
