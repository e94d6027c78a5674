/* A program of the kind users have, compiled against one library with the standard ABI and run on another: it
 * uses handles, statuses, sentinels, callbacks and constants of all sorts. Prints the library it runs on and
 * "portable: passed". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

#define EXPECT(condition)                                                         \
  do {                                                                            \
    if (!(condition)) {                                                           \
      printf("rank %d, line %d: %s does not hold\n", rank, __LINE__, #condition); \
      fflush(stdout);                                                             \
      MPI_Abort(MPI_COMM_WORLD, 3);                                               \
    }                                                                             \
  } while (0)

static void ring(void) {
  int right = (rank + 1) % size, left = (rank + size - 1) % size, in[3] = {0, 0, 0}, out[3] = {rank, 7, -1},
      count = 0;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Irecv(in, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 3, MPI_INT, right, 42, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  EXPECT(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
  EXPECT(in[0] == left && in[1] == 7 && in[2] == -1);
  EXPECT(statuses[0].MPI_SOURCE == left && statuses[0].MPI_TAG == 42);
  MPI_Get_count(&statuses[0], MPI_INT, &count);
  EXPECT(count == 3);
  MPI_Sendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
               &statuses[0]);
  EXPECT(statuses[0].MPI_SOURCE == MPI_PROC_NULL && statuses[0].MPI_TAG == MPI_ANY_TAG);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void product(void* in, void* inout, int* length, MPI_Datatype* type) {
  if (*type != MPI_DOUBLE) abort();
  for (int i = 0; i < *length; i++) ((double*)inout)[i] *= ((double*)in)[i];
}

static void collectives(void) {
  double mine = rank + 1.0, all = 0, expected = 1;
  int sum = rank, *gathered = calloc((size_t)size, sizeof(int));
  MPI_Op op;
  struct {
    double value;
    int where;
  } pair = {(double)(rank * 3 % size), rank}, best;
  MPI_Op_create(product, 1, &op);
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  for (int i = 0; i < size; i++) expected *= i + 1.0;
  EXPECT(all == expected && op == MPI_OP_NULL);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(sum == size * (size - 1) / 2);
  MPI_Allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) EXPECT(gathered[i] == i);
  MPI_Allreduce(&pair, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  EXPECT(best.where >= 0 && best.where < size);
  MPI_Bcast(&sum, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  free(gathered);
}

static int copies;
static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)key;
  copies += *(int*)extra;
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static void communicators(void) {
  MPI_Comm half, twin;
  MPI_Group group;
  int key, key2, found = 0, result, step = 5, value = 9, *got = NULL, members, *upper = NULL;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_group(half, &group);
  MPI_Group_size(group, &members);
  EXPECT(members == (size + 1 - rank % 2) / 2);
  MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, &step);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key2, NULL);
  MPI_Comm_set_attr(half, key, &value);
  MPI_Comm_set_attr(half, key2, &value);
  MPI_Comm_dup(half, &twin);
  EXPECT(copies == 5);
  MPI_Comm_get_attr(twin, key, &got, &found);
  EXPECT(found && got == &value);
  MPI_Comm_get_attr(twin, key2, &got, &found);
  EXPECT(!found);
  MPI_Comm_compare(half, twin, &result);
  EXPECT(result == MPI_CONGRUENT);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &upper, &found);
  EXPECT(found && *upper >= 32767);
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &result);
  EXPECT(strcmp(name, "MPI_COMM_WORLD") == 0);
  EXPECT(MPI_Comm_fromint(MPI_Comm_toint(half)) == half && MPI_Comm_toint(MPI_COMM_WORLD) == 0x101);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free_keyval(&key2);
  EXPECT(key == MPI_KEYVAL_INVALID);
  MPI_Group_free(&group);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&half);
  EXPECT(half == MPI_COMM_NULL && group == MPI_GROUP_NULL);
}

static void datatypes(void) {
  int matrix[4][4], column[4] = {0}, bytes, position = 0;
  MPI_Datatype type, pieces;
  MPI_Aint lower, extent, displacements[2] = {0, 8};
  int lengths[2] = {1, 2};
  MPI_Datatype kinds[2] = {MPI_DOUBLE, MPI_CHAR};
  char packed[64];
  for (int i = 0; i < 16; i++) matrix[i / 4][i % 4] = i;
  MPI_Type_vector(4, 1, 4, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv(&matrix[0][1], 1, type, 0, 0, column, 4, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  EXPECT(column[0] == 1 && column[3] == 13);
  MPI_Pack(&matrix[0][2], 1, type, packed, sizeof packed, &position, MPI_COMM_WORLD);
  EXPECT(position == 16);
  MPI_Type_create_struct(2, lengths, displacements, kinds, &pieces);
  MPI_Type_size(pieces, &bytes);
  MPI_Type_get_extent(pieces, &lower, &extent);
  EXPECT(bytes == 10 && lower == 0 && extent == 16);
  MPI_Type_free(&pieces);
  MPI_Type_free(&type);
}

static int handled;
static void handler(MPI_Comm* comm, int* code, ...) {
  int error_class;
  MPI_Error_class(*code, &error_class);
  if (*comm == MPI_COMM_SELF && error_class == MPI_ERR_RANK) handled++;
}

static void errors(void) {
  int code, error_class, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Errhandler mine, old;
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &old);
  EXPECT(old == MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  code = MPI_Send(&rank, 1, MPI_INT, 77, 0, MPI_COMM_SELF);
  MPI_Error_class(code, &error_class);
  EXPECT(error_class == MPI_ERR_RANK);
  MPI_Error_string(code, text, &length);
  EXPECT(length > 0 && text[length] == '\0');
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, mine);
  MPI_Send(&rank, 1, MPI_INT, 77, 0, MPI_COMM_SELF);
  EXPECT(handled == 1);
  MPI_Errhandler_free(&mine);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

static void infos(void) {
  MPI_Info info;
  char value[32];
  int length = sizeof value, found;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Info_get_string(info, "key", &length, value, &found);
  EXPECT(found && length == 6 && strcmp(value, "value") == 0);
  MPI_Info_free(&info);
  EXPECT(info == MPI_INFO_NULL);
}

int main(int argc, char** argv) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, provided, major, minor;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1) EXPECT(size == atoi(argv[1]));
  EXPECT(provided >= MPI_THREAD_FUNNELED);
  MPI_Abi_get_version(&major, &minor);
  EXPECT(major == MPI_ABI_VERSION && minor >= MPI_ABI_SUBVERSION);
  MPI_Get_library_version(version, &length);
  if (rank == 0) printf("on %.40s\n", version);
  ring();
  collectives();
  communicators();
  datatypes();
  errors();
  infos();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("portable: passed");
  MPI_Finalize();
  return 0;
}
