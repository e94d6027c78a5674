/* Attributes: callbacks and their order, sentinels, predefined ones, the end of MPI_COMM_SELF. */
#include "check.h"

static int copies, deletes, order[8], expect_finalize;

static int copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)keyval;
  ++copies;
  *(void**)out = (char*)in + *(int*)extra;
  *flag = 1;
  return MPI_SUCCESS;
}
static int no_copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)keyval, (void)extra, (void)in, (void)out;
  *flag = 0;
  return MPI_SUCCESS;
}
static int delete_one(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)extra;
  if (deletes < 8) order[deletes] = (int)(long)value;
  ++deletes;
  if (expect_finalize) { /* LIFO, and MPI still works */
    int flag;
    MPI_Finalized(&flag);
    CHECK(!flag && order[deletes - 1] == 4 - deletes);
    MPI_Comm_rank(MPI_COMM_WORLD, &flag);
    CHECK(flag == rank);
  }
  return MPI_SUCCESS;
}
static int refuse(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  return MPI_ERR_OTHER;
}
static int type_copy(MPI_Datatype type, int keyval, void* extra, void* in, void* out, int* flag) {
  (void)type, (void)keyval, (void)extra;
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int *value, flag, key, dup_key, null_key, no_key, plus = 5;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
  CHECK(flag && *value >= 32767);
  int message = 3, back = 0;
  MPI_Sendrecv(&message, 1, MPI_INT, 0, *value, &back, 1, MPI_INT, 0, *value, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  CHECK(back == 3);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
  CHECK(flag && (*value == 1 || (*value == 0 && !on_loadstone()))); /* "Environmental Inquiries": 0 or 1 */
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag);
  CHECK(!flag || *value >= size);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
  CHECK(flag && *value >= MPI_ERR_LASTCODE);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag);
  CHECK(flag && *value == 0);

  MPI_Comm dup, second;
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  MPI_Comm_create_keyval(copy, delete_one, &key, &plus);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup_key, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &null_key, NULL);
  MPI_Comm_create_keyval(no_copy, MPI_COMM_NULL_DELETE_FN, &no_key, NULL);
  MPI_Comm_set_attr(dup, key, (void*)100);
  MPI_Comm_set_attr(dup, dup_key, &plus);
  MPI_Comm_set_attr(dup, null_key, &plus);
  MPI_Comm_set_attr(dup, no_key, &plus);
  MPI_Comm_set_attr(dup, key, (void*)200); /* replaces: the old value is deleted */
  CHECK(deletes == 1 && order[0] == 100);
  MPI_Comm_dup(dup, &second);
  void* got;
  MPI_Comm_get_attr(second, key, &got, &flag);
  CHECK(flag && copies == 1 && got == (void*)205);
  MPI_Comm_get_attr(second, dup_key, &got, &flag);
  CHECK(flag && got == &plus);
  MPI_Comm_get_attr(second, null_key, &got, &flag);
  CHECK(!flag);
  MPI_Comm_get_attr(second, no_key, &got, &flag);
  CHECK(!flag);
  const int freed_key = key;
  MPI_Comm_free_keyval(&key);
  CHECK(key == MPI_KEYVAL_INVALID);
  MPI_Comm_set_errhandler(second, MPI_ERRORS_RETURN);
  /* "Caching Functions": a freed keyval is there as long as a value is attached under it. */
  MPI_Comm third;
  MPI_Comm_get_attr(second, freed_key, &got, &flag);
  CHECK(flag && got == (void*)205);
  MPI_Comm_get_attr(MPI_COMM_SELF, freed_key, &got, &flag);
  CHECK(!flag);
  MPI_Comm_dup(second, &third);
  MPI_Comm_get_attr(third, freed_key, &got, &flag);
  CHECK(flag && copies == 2 && got == (void*)210);
  MPI_Comm_set_attr(third, freed_key, (void*)300);
  CHECK(deletes == 2 && order[1] == 210);
  MPI_Comm_delete_attr(third, freed_key);
  CHECK(deletes == 3 && order[2] == 300);
  MPI_Comm_get_attr(third, freed_key, &got, &flag);
  CHECK(!flag);
  MPI_Comm_free(&third);
  /* Erroneous; which errors are found is the library's choice ("Error Handling"). */
  if (on_loadstone()) CHECK_FAILS(MPI_Comm_free_keyval(&(int){freed_key}), MPI_ERR_KEYVAL);
  MPI_Comm_free(&second); /* a freed keyval still deletes its values */
  CHECK(deletes == 4 && order[3] == 205);
  MPI_Comm_delete_attr(dup, dup_key);
  MPI_Comm_get_attr(dup, dup_key, &got, &flag);
  CHECK(!flag);
  MPI_Comm_free(&dup);
  CHECK(deletes == 5 && order[4] == 200);
  /* Nothing is attached any more: as above. */
  if (on_loadstone()) CHECK_FAILS(MPI_Comm_get_attr(MPI_COMM_SELF, freed_key, &got, &flag), MPI_ERR_KEYVAL);

  int bad_key;
  MPI_Comm_dup(MPI_COMM_SELF, &dup);
  MPI_Comm_set_errhandler(dup, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &bad_key, NULL);
  MPI_Comm_set_attr(dup, bad_key, NULL);
  CHECK_FAILS(MPI_Comm_delete_attr(dup, bad_key), MPI_ERR_OTHER);
  MPI_Comm_get_attr(dup, bad_key, &got, &flag);
  CHECK(flag);
  CHECK_FAILS(MPI_Comm_set_attr(dup, MPI_TAG_UB, NULL), MPI_ERR_KEYVAL);

  MPI_Datatype type, copied;
  int type_key;
  MPI_Type_create_keyval(type_copy, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_set_attr(type, type_key, &plus);
  MPI_Type_dup(type, &copied);
  MPI_Type_get_attr(copied, type_key, &got, &flag);
  CHECK(flag && got == &plus);
  MPI_Type_delete_attr(copied, type_key);
  MPI_Type_get_attr(copied, type_key, &got, &flag);
  CHECK(!flag);
  const int freed_type_key = type_key;
  MPI_Type_free_keyval(&type_key);
  MPI_Type_get_attr(type, freed_type_key, &got, &flag);
  CHECK(flag && got == &plus);
  MPI_Type_get_attr(copied, freed_type_key, &got, &flag);
  CHECK(!flag);
  MPI_Type_delete_attr(type, freed_type_key);
  if (on_loadstone()) CHECK_FAILS(MPI_Type_get_attr(type, freed_type_key, &got, &flag), MPI_ERR_KEYVAL);
  MPI_Type_free(&type);
  MPI_Type_free(&copied);

  deletes = 0;
  expect_finalize = 1;
  for (int i = 1; i <= 3; ++i) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_one, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, (void*)(long)i);
  }
  MPI_Finalize();
  if (deletes != 3) return 1;
  return 0;
}
