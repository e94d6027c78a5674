/* Wrong arguments: the right class, and a message that names the call, the argument, its value and what was
 * expected. */
#include "check.h"

static void says(int code, const char* a, const char* b) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(code, text, &length);
  if (strstr(text, a) == NULL || strstr(text, b) == NULL) {
    fprintf(stderr, "rank %d: \"%s\" does not say \"%s\" and \"%s\"\n", rank, text, a, b);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static int handled, handled_code;
static void handler(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  ++handled;
  handled_code = *code;
}

static int own_code;
static int refuse(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  return own_code;
}

static MPI_File handled_file;
static void file_handler(MPI_File* file, int* code, ...) {
  handled_file = *file;
  ++handled;
  handled_code = *code;
}

/* Errors on files are the file's, or the null file's, and return by default ("I/O Error Handling"); those of
 * communicators, which are fatal here, are none of them. */
static void files(void) {
  MPI_File file = MPI_FILE_NULL;
  MPI_Errhandler mine, got, other;
  MPI_Offset offset;
  int code, n, before = handled;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_File_get_errhandler(MPI_FILE_NULL, &got);
  CHECK(got == MPI_ERRORS_RETURN);
  CHECK_FAILS(code = MPI_File_open(MPI_COMM_WORLD, "nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
              MPI_ERR_NO_SUCH_FILE);
  says(code, "MPI_File_open", "nowhere/at/all");
  CHECK_FAILS(MPI_File_open(MPI_COMM_NULL, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_ERR_COMM);
  CHECK_FAILS(MPI_File_open(MPI_COMM_WORLD, NULL, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_ERR_ARG);
  CHECK_FAILS(MPI_File_delete("nowhere/at/all", MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
  CHECK_FAILS(MPI_File_get_position(MPI_FILE_NULL, &offset), MPI_ERR_FILE);
  CHECK_FAILS(MPI_File_read((MPI_File)(long)0x12345678, &n, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_FILE);
  CHECK_FAILS(MPI_File_close(&file), MPI_ERR_FILE);
  CHECK(MPI_Register_datarep("x", NULL, NULL, NULL, NULL) != MPI_SUCCESS);

  MPI_File_create_errhandler(file_handler, &mine);
  MPI_Comm_create_errhandler(handler, &other);
  CHECK_FAILS(MPI_File_set_errhandler(MPI_FILE_NULL, other), MPI_ERR_ARG);
  CHECK_FAILS(MPI_File_set_errhandler((MPI_File)(long)0x12345678, mine), MPI_ERR_FILE);
  CHECK(MPI_File_set_errhandler(MPI_FILE_NULL, mine) == MPI_SUCCESS);
  MPI_File_get_errhandler(MPI_FILE_NULL, &got);
  CHECK(got == mine);
  MPI_Errhandler_free(&got);
  MPI_Errhandler_free(&mine);
  code = MPI_File_delete("nowhere/at/all", MPI_INFO_NULL);
  CHECK(handled == before + 1 && handled_code == code && handled_file == MPI_FILE_NULL);
  MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_QUOTA);
  CHECK(handled == before + 2 && handled_code == MPI_ERR_QUOTA);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  CHECK_FAILS(MPI_File_delete("nowhere/at/all", MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
  CHECK(handled == before + 2);
  MPI_Errhandler_free(&other);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  int x = 0, code, flag;
  MPI_Status status;
  MPI_Comm comm, none = MPI_COMM_NULL;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

  CHECK_FAILS(code = MPI_Send(&x, 1, MPI_INT, size, 0, comm), MPI_ERR_RANK);
  char number[16];
  snprintf(number, sizeof number, "%d", size);
  says(code, "MPI_Send", number);
  says(code, "dest", "expected");
  CHECK_FAILS(code = MPI_Send(&x, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
  says(code, "count", "-1");
  CHECK_FAILS(code = MPI_Send(&x, 1, MPI_INT, 0, -5, comm), MPI_ERR_TAG);
  says(code, "tag", "-5");
  CHECK_FAILS(MPI_Send(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm), MPI_ERR_RANK);
  CHECK_FAILS(MPI_Recv(&x, 1, MPI_INT, size, 0, comm, &status), MPI_ERR_RANK);
  CHECK_FAILS(MPI_Recv(&x, 1, MPI_DATATYPE_NULL, 0, 0, comm, &status), MPI_ERR_TYPE);
  CHECK_FAILS(MPI_Send(&x, 1, MPI_INT, 0, 0, none), MPI_ERR_COMM);
  CHECK_FAILS(MPI_Bcast(&x, 1, MPI_INT, size, comm), MPI_ERR_ROOT);
  CHECK_FAILS(MPI_Allreduce(&x, &x, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER);
  double d = 0, e;
  CHECK_FAILS(code = MPI_Allreduce(&d, &e, 1, MPI_DOUBLE, MPI_BAND, comm), MPI_ERR_OP);

  /* Promises that the program makes, and breaks. */
  MPI_Info promises;
  MPI_Message message;
  MPI_Info_create(&promises);
  MPI_Info_set(promises, "mpi_assert_no_any_source", "true");
  MPI_Info_set(promises, "mpi_assert_no_any_tag", "true");
  for (int way = 0; way < 2; ++way) {
    MPI_Comm strict;
    if (way == 0) {
      MPI_Comm_dup_with_info(comm, promises, &strict);
    } else {
      MPI_Comm_dup(comm, &strict);
      MPI_Comm_set_info(strict, promises);
    }
    CHECK_FAILS(code = MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, strict, &status), MPI_ERR_RANK);
    says(code, "MPI_Recv", "mpi_assert_no_any_source");
    CHECK_FAILS(code = MPI_Irecv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, strict, &request), MPI_ERR_TAG);
    says(code, "MPI_Irecv", "mpi_assert_no_any_tag");
    CHECK_FAILS(code = MPI_Improbe(MPI_ANY_SOURCE, 0, strict, &flag, &message, &status), MPI_ERR_RANK);
    CHECK_FAILS(code = MPI_Recv(&x, 1, MPI_INT, size, 0, strict, &status), MPI_ERR_RANK);
    says(code, "source", "expected");
    CHECK_FAILS(code = MPI_Recv(&x, 1, MPI_INT, 0, -5, strict, &status), MPI_ERR_TAG);
    MPI_Comm_free(&strict);
  }
  MPI_Info_free(&promises);
  CHECK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status) == MPI_SUCCESS);

  MPI_Datatype raw;
  MPI_Type_contiguous(2, MPI_INT, &raw);
  CHECK_FAILS(MPI_Send(&x, 0, raw, 0, 0, comm), MPI_ERR_TYPE);
  MPI_Datatype stale = raw;
  MPI_Type_free(&raw);
  CHECK_FAILS(MPI_Type_commit(&stale), MPI_ERR_TYPE);
  CHECK_FAILS(MPI_Type_free(&(MPI_Datatype){MPI_INT}), MPI_ERR_TYPE);
  MPI_Comm old;
  MPI_Comm_dup(MPI_COMM_SELF, &old);
  MPI_Comm freed = old;
  MPI_Comm_free(&old);
  CHECK_FAILS(MPI_Comm_rank(freed, &x), MPI_ERR_COMM);
  CHECK_FAILS(MPI_Comm_size((MPI_Comm)(long)0x7fffffff, &x), MPI_ERR_COMM);
  CHECK_FAILS(MPI_Comm_size((MPI_Comm)MPI_INT, &x), MPI_ERR_COMM);
  CHECK_FAILS(MPI_Comm_free(&(MPI_Comm){MPI_COMM_WORLD}), MPI_ERR_COMM);
  request = (MPI_Request)(long)0x12345678;
  CHECK_FAILS(MPI_Wait(&request, &status), MPI_ERR_REQUEST);
  request = MPI_REQUEST_NULL;
  CHECK_FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST);
  CHECK_FAILS(MPI_Request_free(&request), MPI_ERR_REQUEST);
  CHECK_FAILS(MPI_Start(&request), MPI_ERR_REQUEST);
  CHECK_FAILS(MPI_Comm_remote_size(comm, &x), MPI_ERR_COMM);
  CHECK_FAILS(MPI_Comm_split(comm, -3, 0, &old), MPI_ERR_ARG);
  CHECK_FAILS(MPI_Cartdim_get(comm, &x), MPI_ERR_TOPOLOGY);
  CHECK_FAILS(MPI_Topo_test(comm, NULL), MPI_ERR_ARG);
  CHECK_FAILS(MPI_Intercomm_merge(comm, 0, &old), MPI_ERR_COMM);

  /* Handlers of the program. */
  MPI_Errhandler mine, got;
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_set_errhandler(comm, mine);
  MPI_Comm_get_errhandler(comm, &got);
  CHECK(got == mine);
  MPI_Errhandler_free(&got);
  MPI_Errhandler_free(&mine);
  CHECK(mine == MPI_ERRHANDLER_NULL);
  code = MPI_Send(&x, 1, MPI_INT, -7, 0, comm);
  CHECK(handled == 1 && handled_code == code && code != MPI_SUCCESS);
  MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  CHECK(handled == 2 && handled_code == MPI_ERR_OTHER);
  MPI_Comm child;
  MPI_Comm_dup(comm, &child); /* inherited */
  MPI_Send(&x, 1, MPI_INT, -7, 0, child);
  CHECK(handled == 3);
  MPI_Comm_free(&child);

  int error_class, error_code;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Add_error_class(&error_class);
  MPI_Add_error_code(error_class, &error_code);
  MPI_Add_error_string(error_code, "a special one");
  MPI_Error_string(error_code, text, &x);
  CHECK(strcmp(text, "a special one") == 0);
  /* The program's string and nothing else, also when a call has failed with it. */
  int key;
  own_code = error_code;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  CHECK(MPI_Comm_delete_attr(MPI_COMM_SELF, key) == error_code);
  MPI_Error_string(error_code, text, &x);
  CHECK(strcmp(text, "a special one") == 0 && x == (int)strlen(text));
  own_code = error_class;
  CHECK(MPI_Comm_delete_attr(MPI_COMM_SELF, key) == error_class);
  MPI_Error_string(error_class, text, &x);
  CHECK(text[0] == '\0' && x == 0);
  own_code = MPI_SUCCESS;
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  MPI_Comm_free_keyval(&key);
  MPI_Error_class(error_code, &x);
  CHECK(x == error_class);
  MPI_Initialized(&flag);
  CHECK(flag);
  files();
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
