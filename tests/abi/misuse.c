/* Programs that end because of a mistake: the mistake is the argument. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void anytime(void) {
  int flag, code, error_class, length, major, minor, key;
  char text[MPI_MAX_ERROR_STRING], version[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Info info, twin;
  MPI_Errhandler h;
  if (MPI_Initialized(&flag) || MPI_Finalized(&flag) || MPI_Get_version(&major, &minor) || major != 5)
    exit(21);
  if (MPI_Get_library_version(version, &length)) exit(22);
  if (MPI_Info_create(&info) || MPI_Info_set(info, "k", "v") || MPI_Info_dup(info, &twin)) exit(23);
  length = 0;
  if (MPI_Info_get_string(twin, "k", &length, text, &flag) || !flag || length != 2) exit(24);
  if (MPI_Info_delete(twin, "k") || MPI_Info_get_nkeys(twin, &length) || length != 0) exit(25);
  if (MPI_Info_free(&info) || MPI_Info_free(&twin)) exit(26);
  if (MPI_Add_error_class(&error_class) || MPI_Add_error_code(error_class, &code)) exit(27);
  if (MPI_Add_error_string(code, "mine") || MPI_Error_string(code, text, &length) || strcmp(text, "mine"))
    exit(28);
  if (MPI_Error_class(code, &flag) || flag != error_class) exit(29);
  if (MPI_Remove_error_string(code) || MPI_Remove_error_code(code) || MPI_Remove_error_class(error_class))
    exit(30);
  if (MPI_Session_create_errhandler((MPI_Session_errhandler_function*)(void (*)(void))exit, &h) ||
      MPI_Errhandler_free(&h))
    exit(31);
  if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL) ||
      MPI_Comm_free_keyval(&key))
    exit(32);
  if (MPI_Abi_get_version(&major, &minor) || major != 1) exit(33);
  if (MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_SELF)) != MPI_COMM_SELF) exit(34);
}

int main(int argc, char** argv) {
  const char* mistake = argc > 1 ? argv[1] : "";
  int rank = 0, size, buffer[2] = {0, 0};
  if (!strcmp(mistake, "before_init")) MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(mistake, "anytime")) anytime();
  MPI_Init(&argc, &argv);
  if (!strcmp(mistake, "init_twice")) MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1) {
    if (!strcmp(mistake, "rank")) MPI_Send(buffer, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
    if (!strcmp(mistake, "stale")) MPI_Send(buffer, 1, (MPI_Datatype)0x12345678, 0, 0, MPI_COMM_WORLD);
    if (!strcmp(mistake, "no_object")) MPI_Info_set(MPI_INFO_NULL, "a", "b");
    if (!strcmp(mistake, "unsupported")) MPI_Comm_join(0, (MPI_Comm*)buffer);
    if (!strcmp(mistake, "called")) MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_QUOTA);
    if (!strcmp(mistake, "abort_handler")) {
      MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT);
      MPI_Send(buffer, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
    }
    if (!strcmp(mistake, "abort_part")) {  // the others wait in the barrier below
      MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT);
      MPI_Send(buffer, 1, MPI_INT, 77, 0, MPI_COMM_SELF);
    }
    if (!strcmp(mistake, "spawns")) {  // and looks at no error
      MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
      for (int i = 0; i < 3; ++i)
        if (MPI_Comm_spawn("x", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, (MPI_Comm*)buffer,
                           MPI_ERRCODES_IGNORE) != MPI_ERR_UNSUPPORTED_OPERATION)
          exit(35);
    }
    if (!strcmp(mistake, "abort_self")) MPI_Abort(MPI_COMM_SELF, 3);
  }
  if (!strcmp(mistake, "everywhere")) MPI_Send(buffer, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (!strcmp(mistake, "anytime")) {
    anytime();
    puts("any time");
    return 0;
  }
  if (!strcmp(mistake, "after_finalize")) MPI_Comm_size(MPI_COMM_WORLD, &size);
  puts("survived");
  return 0;
}
