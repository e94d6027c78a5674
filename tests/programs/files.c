/* Files: opened, closed, described; what the calls refuse, and with which class; representations; pipes and
 * devices; offsets beyond 2 GiB. file_random.cpp has the accesses themselves. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char folder[200], path[300], other[300];
static MPI_File f;
static const MPI_Info none = MPI_INFO_NULL;

static int open_it(const char* name, int amode) {
  return MPI_File_open(MPI_COMM_WORLD, name, amode, none, &f);
}

static void opening(void) {
  MPI_Errhandler handler;
  CHECK(MPI_File_get_errhandler(MPI_FILE_NULL, &handler) == MPI_SUCCESS && handler == MPI_ERRORS_RETURN);
  CHECK_FAILS(open_it(path, MPI_MODE_RDONLY), MPI_ERR_NO_SUCH_FILE);
  error_says(MPI_ERR_NO_SUCH_FILE, path);
  CHECK_FAILS(open_it(path, MPI_MODE_CREATE), MPI_ERR_AMODE);
  CHECK_FAILS(open_it(path, MPI_MODE_RDONLY | MPI_MODE_WRONLY), MPI_ERR_AMODE);
  CHECK_FAILS(open_it(path, MPI_MODE_RDONLY | MPI_MODE_CREATE), MPI_ERR_AMODE);
  CHECK_FAILS(open_it(path, MPI_MODE_RDONLY | MPI_MODE_EXCL), MPI_ERR_AMODE);
  CHECK_FAILS(open_it(path, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL), MPI_ERR_AMODE);
  CHECK_FAILS(open_it(path, MPI_MODE_RDWR | MPI_MODE_NOSTORE), MPI_ERR_AMODE);
  if (size > 1) {
    CHECK_FAILS(open_it(path, rank == 0 ? MPI_MODE_RDWR : MPI_MODE_WRONLY), MPI_ERR_NOT_SAME);
    error_says(MPI_ERR_NOT_SAME, "rank");
  }
  CHECK_FAILS(open_it(folder, MPI_MODE_RDONLY), MPI_ERR_BAD_FILE);
  char longest[5000];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  CHECK_FAILS(open_it(longest, MPI_MODE_RDWR | MPI_MODE_CREATE), MPI_ERR_BAD_FILE);
  CHECK_FAILS(MPI_File_delete(path, none), MPI_ERR_NO_SUCH_FILE);
  if (size > 1) { /* both groups of an inter-communicator are no group of a file */
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &inter);
    CHECK_FAILS(MPI_File_open(inter, path, MPI_MODE_RDWR | MPI_MODE_CREATE, none, &f), MPI_ERR_COMM);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
  }

  CHECK(open_it(path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL) == MPI_SUCCESS);
  CHECK_FAILS(open_it(path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL), MPI_ERR_FILE_EXISTS);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS && f == MPI_FILE_NULL);
  CHECK_FAILS(MPI_File_close(&f), MPI_ERR_FILE);

  struct stat is;
  CHECK(stat(path, &is) == 0 && is.st_size == 0);
  CHECK(open_it(path, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN) == MPI_SUCCESS);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  CHECK(stat(path, &is) != 0 && errno == ENOENT);

  MPI_Info info;
  char value[100];
  int there, amode, length = sizeof value;
  MPI_Info_create(&info);
  MPI_Info_set(info, "file_perm", "600");
  MPI_Info_set(info, "cb_buffer_size", "65536");
  MPI_Info_set(info, "cb_nodes", "none");
  MPI_Info_set(info, "nonsense", "true");
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_WRONLY | MPI_MODE_CREATE, info, &f) == MPI_SUCCESS);
  MPI_Info_free(&info);
  CHECK(stat(path, &is) == 0 && (is.st_mode & 0777) == 0600);
  CHECK(MPI_File_get_amode(f, &amode) == MPI_SUCCESS && amode == (MPI_MODE_WRONLY | MPI_MODE_CREATE));
  CHECK(MPI_File_get_info(f, &info) == MPI_SUCCESS);
  MPI_Info_get_string(info, "cb_buffer_size", &length, value, &there);
  CHECK(there && strcmp(value, "65536") == 0);
  length = sizeof value;
  MPI_Info_get_string(info, "cb_nodes", &length, value, &there);
  CHECK(!there || !on_loadstone());
  length = sizeof value;
  MPI_Info_get_string(info, "nonsense", &length, value, &there);
  CHECK(!there || !on_loadstone());
  MPI_Info_set(info, "cb_buffer_size", "4096");
  CHECK(MPI_File_set_info(f, info) == MPI_SUCCESS);
  MPI_Info_free(&info);
  CHECK(MPI_File_get_info(f, &info) == MPI_SUCCESS);
  length = sizeof value;
  MPI_Info_get_string(info, "cb_buffer_size", &length, value, &there);
  CHECK(there && strcmp(value, "4096") == 0);
  MPI_Info_set(info, "cb_buffer_size", "1099511627776"); /* is not done, and not said to be */
  CHECK(MPI_File_set_info(f, info) == MPI_SUCCESS);
  MPI_Info_free(&info);
  CHECK(MPI_File_get_info(f, &info) == MPI_SUCCESS);
  length = sizeof value;
  MPI_Info_get_string(info, "cb_buffer_size", &length, value, &there);
  CHECK(there && (strcmp(value, "16777216") == 0 || !on_loadstone()));
  MPI_Info_free(&info);

  MPI_Group group, world;
  int same;
  CHECK(MPI_File_get_group(f, &group) == MPI_SUCCESS);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_compare(group, world, &same);
  CHECK(same == MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  CHECK(MPI_File_f2c(MPI_File_c2f(f)) == f && MPI_File_fromint(MPI_File_toint(f)) == f);
  char byte = 1;
  MPI_Status st;
  CHECK_FAILS(MPI_File_read(f, &byte, 1, MPI_BYTE, &st), MPI_ERR_ACCESS);
  error_says(MPI_ERR_ACCESS, "MPI_MODE_WRONLY");
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

static void sizes(void) {
  MPI_Offset bytes;
  CHECK(open_it(path, MPI_MODE_RDWR) == MPI_SUCCESS);
  CHECK(MPI_File_set_size(f, 1000) == MPI_SUCCESS);
  CHECK(MPI_File_get_size(f, &bytes) == MPI_SUCCESS && bytes == 1000);
  CHECK(MPI_File_preallocate(f, 500) == MPI_SUCCESS);
  CHECK(MPI_File_get_size(f, &bytes) == MPI_SUCCESS && bytes == 1000);
  CHECK(MPI_File_preallocate(f, 5000) == MPI_SUCCESS);
  CHECK(MPI_File_get_size(f, &bytes) == MPI_SUCCESS && bytes == 5000);
  CHECK_FAILS(MPI_File_set_size(f, -1), MPI_ERR_ARG);
  if (size > 1) CHECK_FAILS(MPI_File_set_size(f, 10 + rank), MPI_ERR_NOT_SAME);
  CHECK(MPI_File_sync(f) == MPI_SUCCESS);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);

  CHECK(open_it(path, MPI_MODE_WRONLY | MPI_MODE_APPEND) == MPI_SUCCESS);
  CHECK(MPI_File_get_position(f, &bytes) == MPI_SUCCESS && bytes == 5000);
  CHECK(MPI_File_get_position_shared(f, &bytes) == MPI_SUCCESS && bytes == 5000);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);

  CHECK(open_it(path, MPI_MODE_RDONLY) == MPI_SUCCESS);
  CHECK_FAILS(MPI_File_set_size(f, 10), MPI_ERR_READ_ONLY);
  CHECK_FAILS(MPI_File_write(f, &bytes, 1, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
  CHECK_FAILS(MPI_File_write_at_all(f, 0, &bytes, 1, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

static int seen_class, seen_null;
static void note(MPI_File* where, int* code, ...) {
  MPI_Error_class(*code, &seen_class);
  seen_null = *where == MPI_FILE_NULL;
}

static void handlers(void) {
  MPI_Errhandler own, got;
  MPI_File_create_errhandler(note, &own);
  CHECK(MPI_File_set_errhandler(MPI_FILE_NULL, own) == MPI_SUCCESS);
  seen_class = 0;
  CHECK(open_it(other, MPI_MODE_RDONLY) != MPI_SUCCESS);
  CHECK(seen_class == MPI_ERR_NO_SUCH_FILE && seen_null);
  CHECK(open_it(path, MPI_MODE_RDONLY) == MPI_SUCCESS);
  CHECK(MPI_File_get_errhandler(f, &got) == MPI_SUCCESS && got == own); /* inherited */
  MPI_Errhandler_free(&got);
  CHECK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  seen_class = 0;
  CHECK(MPI_File_write(f, &seen_class, 1, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS);
  CHECK(seen_class == MPI_ERR_READ_ONLY && !seen_null);
  CHECK(MPI_File_call_errhandler(f, MPI_ERR_IO) == MPI_SUCCESS && seen_class == MPI_ERR_IO);
  MPI_Errhandler_free(&own);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

static void views(void) {
  MPI_Datatype type, odd, back, negative, overlapping, etype, filetype, uncommitted;
  MPI_Offset disp, at;
  char name[MPI_MAX_DATAREP_STRING];
  int counts[] = {1, 1}, down[] = {3, 0}, below[] = {-1, 2}, twice[] = {0, 0};
  MPI_Type_vector(2, 1, 2, MPI_INT, &type);
  MPI_Type_contiguous(3, MPI_SHORT, &odd);
  MPI_Type_indexed(2, counts, down, MPI_INT, &back);
  MPI_Type_indexed(2, counts, below, MPI_INT, &negative);
  MPI_Type_indexed(2, counts, twice, MPI_INT, &overlapping);
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  MPI_Type_commit(&type), MPI_Type_commit(&odd), MPI_Type_commit(&back), MPI_Type_commit(&negative);
  MPI_Type_commit(&overlapping);
  CHECK(open_it(path, MPI_MODE_RDWR) == MPI_SUCCESS);
  CHECK(MPI_File_get_view(f, &disp, &etype, &filetype, name) == MPI_SUCCESS);
  CHECK(disp == 0 && etype == MPI_BYTE && filetype == MPI_BYTE && strcmp(name, "native") == 0);
  CHECK_FAILS(MPI_File_set_view(f, 0, MPI_INT, odd, "native", none), MPI_ERR_TYPE);
  CHECK_FAILS(MPI_File_set_view(f, 0, MPI_INT, back, "native", none), MPI_ERR_TYPE);
  CHECK_FAILS(MPI_File_set_view(f, 0, MPI_INT, negative, "native", none), MPI_ERR_TYPE);
  CHECK_FAILS(MPI_File_set_view(f, 0, MPI_INT, overlapping, "native", none), MPI_ERR_TYPE);
  CHECK_FAILS(MPI_File_set_view(f, 0, MPI_INT, uncommitted, "native", none), MPI_ERR_TYPE);
  CHECK_FAILS(MPI_File_set_view(f, -5, MPI_INT, type, "native", none), MPI_ERR_ARG);
  CHECK_FAILS(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, type, "native", none), MPI_ERR_ARG);
  CHECK_FAILS(MPI_File_set_view(f, 0, MPI_INT, type, "unheard", none), MPI_ERR_UNSUPPORTED_DATAREP);
  if (size > 1) {
    CHECK_FAILS(MPI_File_set_view(f, 0, rank == 0 ? MPI_INT : MPI_CHAR, type, "native", none),
                MPI_ERR_NOT_SAME);
    CHECK_FAILS(MPI_File_set_view(f, 0, MPI_INT, type, rank == 0 ? "native" : "external32", none),
                MPI_ERR_NOT_SAME);
    /* an error of one is one of all */
    CHECK_FAILS(MPI_File_set_view(f, rank == 0 ? -5 : 0, MPI_INT, type, "native", none), MPI_ERR_ARG);
  }
  CHECK(MPI_File_set_view(f, 100, MPI_INT, type, "native", none) == MPI_SUCCESS);
  CHECK(MPI_File_get_view(f, &disp, &etype, &filetype, name) == MPI_SUCCESS);
  CHECK(disp == 100 && etype == MPI_INT && filetype != MPI_INT);
  MPI_Type_free(&filetype);
  CHECK(MPI_File_get_byte_offset(f, 3, &at) == MPI_SUCCESS && at == 100 + 12 + 8);
  CHECK_FAILS(MPI_File_get_byte_offset(f, -3, &at), MPI_ERR_ARG);
  CHECK_FAILS(MPI_File_get_byte_offset(f, INT64_MAX / 5, &at), MPI_ERR_ARG);
  /* the file has 5000 bytes: 408 whole pairs, and one int of the next */
  CHECK(MPI_File_seek(f, 0, MPI_SEEK_END) == MPI_SUCCESS && MPI_File_get_position(f, &at) == MPI_SUCCESS);
  CHECK(at == 2 * ((5000 - 100) / 12) + 1);
  CHECK(MPI_File_seek(f, -2, MPI_SEEK_CUR) == MPI_SUCCESS && MPI_File_get_position(f, &disp) == MPI_SUCCESS);
  CHECK(disp == at - 2);
  CHECK_FAILS(MPI_File_seek(f, -10000, MPI_SEEK_CUR), MPI_ERR_ARG);
  CHECK_FAILS(MPI_File_seek(f, 0, 77), MPI_ERR_ARG);
  if (size > 1) CHECK_FAILS(MPI_File_seek_shared(f, rank, MPI_SEEK_SET), MPI_ERR_NOT_SAME);
  CHECK(MPI_File_seek_shared(f, 7, MPI_SEEK_SET) == MPI_SUCCESS);
  CHECK(MPI_File_get_position_shared(f, &at) == MPI_SUCCESS && at == 7);
  int data[4] = {0};
  CHECK_FAILS(MPI_File_read_at(f, -1, data, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG);
  CHECK_FAILS(MPI_File_read_at(f, 0, data, 3, MPI_BYTE, MPI_STATUS_IGNORE),
              MPI_ERR_ARG); /* part of an etype */
  CHECK_FAILS(MPI_File_read_at(f, INT64_MAX / 5, data, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG);
  CHECK_FAILS(MPI_File_read_at(f, 0, data, -1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
  CHECK_FAILS(MPI_File_read_at(f, 0, data, 1, uncommitted, MPI_STATUS_IGNORE), MPI_ERR_TYPE);
  CHECK_FAILS(MPI_File_read_at(f, 0, NULL, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_BUFFER);

  /* split collectives: one at a time, with its own end */
  CHECK_FAILS(MPI_File_read_all_end(f, data, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  CHECK(MPI_File_read_all_begin(f, data, 1, MPI_INT) == MPI_SUCCESS);
  CHECK_FAILS(MPI_File_read_at_all_begin(f, 0, data, 1, MPI_INT), MPI_ERR_OTHER);
  error_says(MPI_ERR_OTHER, "MPI_File_read_all_begin");
  CHECK_FAILS(MPI_File_read_all(f, data, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  CHECK_FAILS(MPI_File_write_all_end(f, data, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  CHECK_FAILS(MPI_File_read_all_end(f, data + 1, MPI_STATUS_IGNORE), MPI_ERR_BUFFER);
  CHECK_FAILS(MPI_File_close(&f), MPI_ERR_OTHER);
  CHECK(MPI_File_read_all_end(f, data, MPI_STATUS_IGNORE) == MPI_SUCCESS);

  int flag = 1;
  CHECK(MPI_File_get_atomicity(f, &flag) == MPI_SUCCESS && !flag);
  if (size > 1) CHECK_FAILS(MPI_File_set_atomicity(f, rank == 0), MPI_ERR_NOT_SAME);
  CHECK(MPI_File_set_atomicity(f, 1) == MPI_SUCCESS);
  CHECK(MPI_File_get_atomicity(f, &flag) == MPI_SUCCESS && flag);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  /* A filetype whose extent is less than what it covers, as PnetCDF has them: the first is all right. */
  MPI_Datatype behind, file_and_header;
  int lengths[] = {8, 1};
  MPI_Aint places[] = {0, 8};
  MPI_Datatype parts[] = {MPI_BYTE, MPI_DATATYPE_NULL};
  const int whole = 4 * size, one = 4, first = 4 * rank;
  MPI_Type_create_subarray(1, &whole, &one, &first, MPI_ORDER_C, MPI_BYTE, &behind);
  parts[1] = behind;
  MPI_Type_create_struct(2, lengths, places, parts, &file_and_header);
  MPI_Type_commit(&file_and_header);
  CHECK(open_it(path, MPI_MODE_RDWR) == MPI_SUCCESS);
  CHECK(MPI_File_set_view(f, 0, MPI_BYTE, file_and_header, "native", none) == MPI_SUCCESS);
  int mine = 100 + rank, theirs = 0;
  CHECK(MPI_File_write_at_all(f, 8, &mine, 4, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", none) == MPI_SUCCESS);
  CHECK(MPI_File_read_at_all(f, 8 + 4 * ((rank + 1) % size), &theirs, 4, MPI_BYTE, MPI_STATUS_IGNORE) ==
        MPI_SUCCESS);
  CHECK(theirs == 100 + (rank + 1) % size);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  MPI_Type_free(&behind), MPI_Type_free(&file_and_header);
  /* data that overlaps may be read */
  CHECK(open_it(path, MPI_MODE_RDONLY) == MPI_SUCCESS);
  CHECK(MPI_File_set_view(f, 0, MPI_INT, overlapping, "native", none) == MPI_SUCCESS);
  CHECK(MPI_File_read_all(f, data, 4, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(data[0] == data[1] && data[2] == data[3]);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  MPI_Type_free(&type), MPI_Type_free(&odd), MPI_Type_free(&back), MPI_Type_free(&negative);
  MPI_Type_free(&overlapping), MPI_Type_free(&uncommitted);
}

/* A representation that keeps ints as shorts, plus what extra_state says. */
static int extent_of(MPI_Datatype type, MPI_Aint* extent, void* extra) {
  (void)extra;
  if (type == MPI_BYTE) return MPI_ERR_TYPE;
  *extent = 2;
  return MPI_SUCCESS;
}
static int to_short(void* user, MPI_Datatype type, int count, void* file, MPI_Offset position, void* extra) {
  (void)type;
  for (int i = 0; i < count; ++i) {
    const short s = (short)(((int*)user)[position + i] + *(int*)extra);
    memcpy((char*)file + 2 * i, &s, 2);
  }
  return MPI_SUCCESS;
}
static int from_short(void* user, MPI_Datatype type, int count, void* file, MPI_Offset position,
                      void* extra) {
  (void)type;
  for (int i = 0; i < count; ++i) {
    short s;
    memcpy(&s, (char*)file + 2 * i, 2);
    if (s == 0) return MPI_ERR_OTHER;
    ((int*)user)[position + i] = s - *(int*)extra;
  }
  return MPI_SUCCESS;
}

static int to_short_c(void* user, MPI_Datatype type, MPI_Count count, void* file, MPI_Offset position,
                      void* extra) {
  return to_short(user, type, (int)count, file, position, extra);
}
static int from_short_c(void* user, MPI_Datatype type, MPI_Count count, void* file, MPI_Offset position,
                        void* extra) {
  return from_short(user, type, (int)count, file, position, extra);
}

static int extent_in_memory(MPI_Datatype type, MPI_Aint* extent, void* extra) {
  int bytes;
  (void)extra;
  MPI_Type_size(type, &bytes);
  *extent = bytes;
  return MPI_SUCCESS;
}

/* MPI_CONVERSION_FN_NULL: data lies in the file as in memory. */
static void without_functions(void) {
  int out[6] = {1, 2, 3, 4, 5, 6}, in[6] = {0};
  MPI_Datatype every_second;
  MPI_Type_vector(3, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  CHECK(MPI_Register_datarep("as in memory", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_in_memory,
                             NULL) == MPI_SUCCESS);
  CHECK(MPI_Register_datarep_c("half", MPI_CONVERSION_FN_NULL_C, MPI_CONVERSION_FN_NULL_C, extent_of, NULL) ==
        MPI_SUCCESS);
  CHECK(open_it(path, MPI_MODE_RDWR) == MPI_SUCCESS);
  CHECK(MPI_File_set_view(f, 12 * rank, MPI_INT, MPI_INT, "as in memory", none) == MPI_SUCCESS);
  CHECK(MPI_File_write_at_all(f, 0, out, 1, every_second, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_File_read_at(f, 0, in, 1, every_second, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(in[0] == 1 && in[1] == 0 && in[2] == 3 && in[4] == 5);
  CHECK(MPI_File_set_view(f, 12 * rank, MPI_INT, MPI_INT, "native", none) == MPI_SUCCESS);
  CHECK(MPI_File_read_at(f, 0, in, 3, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(in[0] == 1 && in[1] == 3 && in[2] == 5);
  /* what has another length there, and no function to make it so */
  CHECK(MPI_File_set_view(f, 12 * rank, MPI_INT, MPI_INT, "half", none) == MPI_SUCCESS);
  if (on_loadstone()) {
    CHECK_FAILS(MPI_File_write_at(f, 0, out, 6, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_CONVERSION);
    CHECK_FAILS(MPI_File_read_at(f, 0, in, 6, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_CONVERSION);
  }
  MPI_Type_free(&every_second);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

static long most_memory(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss / 1024;
}

/* Data is converted part by part: the memory for it does not grow with the data. */
static void long_conversions(void) {
  enum { mib = 64, ints = mib * (1 << 20) / 4 };
  if (rank == 0) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "loadstone_io_buffer", "false");
    int* data = malloc(sizeof(int) * (size_t)ints);
    for (int i = 0; i < ints; ++i) data[i] = (int)((unsigned)i * 77 + 5);
    CHECK(MPI_File_open(MPI_COMM_SELF, other, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                        info, &f) == MPI_SUCCESS);
    CHECK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "external32", none) == MPI_SUCCESS);
    const long before = most_memory();
    MPI_Status status;
    int n;
    CHECK(MPI_File_write_at_all(f, 0, data, ints, MPI_INT, &status) == MPI_SUCCESS);
    MPI_Get_count(&status, MPI_INT, &n);
    CHECK(n == ints);
    for (int i = 0; i < ints; ++i) data[i] = 0;
    CHECK(MPI_File_read_at(f, 3, data, ints, MPI_INT, &status) == MPI_SUCCESS);
    MPI_Get_count(&status, MPI_INT, &n);
    CHECK(n == ints - 3);
    CHECK(!on_loadstone() || most_memory() - before < mib / 2);
    for (int i = 0; i < ints; ++i) CHECK(data[i] == (i < ints - 3 ? (int)((unsigned)(i + 3) * 77 + 5) : 0));
    free(data);
    CHECK(MPI_File_close(&f) == MPI_SUCCESS);
    MPI_Info_free(&info);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A file outlives the communicator that it was opened on, and its ranks are those of that one. */
static void communicators(void) {
  MPI_Comm of, inter;
  MPI_Group files, world;
  int in, result, number;
  for (int how = 0; how < (size > 1 ? 2 : 1); ++how) {
    if (how == 0) {
      MPI_Comm_dup(MPI_COMM_WORLD, &of);
    } else { /* the upper half first */
      const int upper = rank >= size / 2;
      MPI_Comm half;
      MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
      MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 5, &inter);
      CHECK_FAILS(MPI_File_open(inter, path, MPI_MODE_RDWR, none, &f), MPI_ERR_COMM);
      MPI_Intercomm_merge(inter, !upper, &of);
      MPI_Comm_free(&inter);
      MPI_Comm_free(&half);
    }
    MPI_Comm_rank(of, &number);
    CHECK(how == 0 ? number == rank : number == (rank + size - size / 2) % size);
    CHECK(MPI_File_open(of, path, MPI_MODE_RDWR, none, &f) == MPI_SUCCESS);
    MPI_Comm_free(&of);
    CHECK(MPI_File_set_size(f, 0) == MPI_SUCCESS);
    CHECK(MPI_File_write_ordered(f, &rank, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(MPI_File_sync(f) == MPI_SUCCESS);
    CHECK(MPI_File_read_at_all(f, (MPI_Offset)number * 4, &in, 4, MPI_BYTE, MPI_STATUS_IGNORE) ==
          MPI_SUCCESS);
    CHECK(in == rank);
    MPI_File_get_group(f, &files);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_compare(files, world, &result);
    CHECK(result == (how == 0 ? MPI_IDENT : MPI_SIMILAR));
    MPI_Group_free(&files);
    MPI_Group_free(&world);
    CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  }
}

static void representations(void) {
  static int more = 1000;
  char name[2 * MPI_MAX_DATAREP_STRING];
  memset(name, 'n', sizeof name);
  name[sizeof name - 1] = 0;
  CHECK_FAILS(MPI_Register_datarep("native", NULL, NULL, extent_of, NULL), MPI_ERR_DUP_DATAREP);
  CHECK_FAILS(MPI_Register_datarep(name, NULL, NULL, extent_of, NULL), MPI_ERR_ARG);
  CHECK(MPI_Register_datarep("shorts", from_short, to_short, extent_of, &more) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Register_datarep("shorts", from_short, to_short, extent_of, &more), MPI_ERR_DUP_DATAREP);
  CHECK(MPI_Register_datarep_c("shorts, large", from_short_c, to_short_c, extent_of, &more) == MPI_SUCCESS);
  int out1[3] = {5, 6, 7}, in1[3] = {0};
  CHECK(open_it(path, MPI_MODE_RDWR) == MPI_SUCCESS);
  CHECK(MPI_File_set_view(f, 6 * rank, MPI_INT, MPI_INT, "shorts, large", none) == MPI_SUCCESS);
  CHECK(MPI_File_write(f, out1, 3, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_File_read_at(f, 0, in1, 3, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
        memcmp(in1, out1, 12) == 0);
  CHECK(MPI_File_set_size(f, 0) == MPI_SUCCESS);
  CHECK_FAILS(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "shorts", none), MPI_ERR_TYPE);
  CHECK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "shorts", none) == MPI_SUCCESS);
  MPI_Aint extent;
  CHECK(MPI_File_get_type_extent(f, MPI_INT, &extent) == MPI_SUCCESS && extent == 2);
  const int out[2] = {rank, 7};
  int in[2] = {0, 0}, got;
  MPI_Status st;
  MPI_Offset bytes;
  CHECK(MPI_File_write_at_all(f, 2 * rank, out, 2, MPI_INT, &st) == MPI_SUCCESS);
  MPI_Get_count(&st, MPI_INT, &got);
  CHECK(got == 2);
  CHECK(MPI_File_sync(f) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_get_size(f, &bytes) == MPI_SUCCESS && bytes == 4 * size);
  CHECK(MPI_File_read_at(f, 2 * ((rank + 1) % size), in, 2, MPI_INT, &st) == MPI_SUCCESS);
  CHECK(in[0] == (rank + 1) % size && in[1] == 7);
  CHECK(MPI_File_set_size(f, 4 * size + 2) == MPI_SUCCESS);
  CHECK_FAILS(MPI_File_read_at(f, 2 * size, in, 1, MPI_INT, &st), MPI_ERR_CONVERSION);
  CHECK(MPI_File_set_view(f, 0, MPI_LONG, MPI_LONG, "external32", none) == MPI_SUCCESS);
  CHECK(MPI_File_get_type_extent(f, MPI_LONG, &extent) == MPI_SUCCESS && extent == 4);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

static void beyond(void) {
  const MPI_Offset far = 5000000000;
  int out = 4711 + rank, in = 0;
  CHECK(open_it(path, MPI_MODE_RDWR) == MPI_SUCCESS);
  CHECK(MPI_File_write_at_all(f, far + 4 * rank, &out, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  MPI_Offset bytes;
  CHECK(MPI_File_sync(f) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_get_size(f, &bytes) == MPI_SUCCESS && bytes == far + 4 * size);
  CHECK(MPI_File_read_at(f, far + 4 * (size - 1 - rank), &in, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(in == 4711 + size - 1 - rank);
  MPI_Datatype wide; /* blocks 3 GiB apart */
  MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)3 << 30, &wide);
  MPI_Type_commit(&wide);
  CHECK(MPI_File_set_view(f, 4 * rank, MPI_INT, wide, "native", none) == MPI_SUCCESS);
  const int three[3] = {rank, rank + 1, rank + 2};
  int back[3];
  CHECK(MPI_File_write_all(f, three, 3, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_File_seek(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
  CHECK(MPI_File_read(f, back, 3, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(memcmp(three, back, sizeof back) == 0);
  MPI_Type_free(&wide);
  CHECK(MPI_File_set_size(f, 0) == MPI_SUCCESS);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

static void devices(void) {
  char text[20] = "";
  MPI_Status st;
  MPI_Offset bytes;
  int n;
  CHECK(open_it("/dev/null", MPI_MODE_RDWR) == MPI_SUCCESS);
  CHECK(MPI_File_write_all(f, text, 20, MPI_BYTE, &st) == MPI_SUCCESS);
  CHECK(MPI_File_read_all(f, text, 20, MPI_BYTE, &st) == MPI_SUCCESS);
  MPI_Get_count(&st, MPI_BYTE, &n);
  CHECK(n == 0 && MPI_File_get_size(f, &bytes) == MPI_SUCCESS && bytes == 0);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  /* A pipe has its data in rank order. */
  if (rank == 0) CHECK(mkfifo(other, 0600) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  const int in = rank == 0 ? open(other, O_RDWR | O_NONBLOCK) : -1;
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(open_it(other, MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL) == MPI_SUCCESS);
  const char mine = (char)('a' + rank);
  CHECK_FAILS(MPI_File_write(f, &mine, 1, MPI_BYTE, &st), MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK_FAILS(MPI_File_seek(f, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(MPI_File_write_ordered(f, &mine, 1, MPI_BYTE, &st) == MPI_SUCCESS);
  CHECK(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, MPI_BYTE, "native", none) == MPI_SUCCESS);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  if (rank == 0) {
    CHECK(read(in, text, sizeof text) == size);
    for (int i = 0; i < size; ++i) CHECK(text[i] == 'a' + i);
    close(in);
    unlink(other);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A file may have so many bytes: an error that only one has comes out at all, and says where. */
static void too_large(void) {
  static char data[8192];
  struct rlimit before, small;
  MPI_Info at_once; /* in this process, whose limit it is */
  MPI_Info_create(&at_once);
  MPI_Info_set(at_once, "loadstone_io_buffer", "false");
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, at_once, &f) == MPI_SUCCESS);
  MPI_Info_free(&at_once);
  MPI_File_set_errhandler(f, MPI_ERRORS_RETURN);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = (rlim_t)8192 * (rlim_t)size - 4096;
  setrlimit(RLIMIT_FSIZE, &small);
  const int code = MPI_File_write_at_all(f, 8192 * rank, data, 8192, MPI_BYTE, MPI_STATUS_IGNORE);
  const int later = code == MPI_SUCCESS ? MPI_File_sync(f) : code;
  CHECK_FAILS(later, MPI_ERR_QUOTA);
  error_says(MPI_ERR_QUOTA, path);
  MPI_Request r;
  CHECK(MPI_File_iwrite_at(f, 8192 * size, data, 10, MPI_BYTE, &r) == MPI_SUCCESS);
  const int waited = MPI_Wait(&r, MPI_STATUS_IGNORE);
  CHECK_FAILS(waited == MPI_SUCCESS ? MPI_File_sync(f) : waited, MPI_ERR_QUOTA);
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

/* Requests: several at once, freed before they are complete, waited for together. */
static void requests(void) {
  static int out[64], in[64];
  MPI_Request r[3];
  MPI_Status st[3];
  int n;
  CHECK(open_it(path, MPI_MODE_RDWR) == MPI_SUCCESS);
  CHECK(MPI_File_set_size(f, 0) == MPI_SUCCESS);
  for (int i = 0; i < 64; ++i) out[i] = rank * 100 + i;
  const MPI_Offset mine = 256 * rank;
  CHECK(MPI_File_iwrite_at(f, mine, out, 32, MPI_INT, &r[0]) == MPI_SUCCESS);
  CHECK(MPI_File_iwrite_at(f, mine + 128, out + 32, 16, MPI_INT, &r[1]) == MPI_SUCCESS);
  CHECK(MPI_File_iwrite_at_all(f, mine + 192, out + 48, 16, MPI_INT, &r[2]) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_Waitall(3, r, st) == MPI_SUCCESS);
  MPI_Get_count(&st[0], MPI_INT, &n);
  CHECK(n == 32 && r[0] == MPI_REQUEST_NULL);
  CHECK(MPI_File_iread_at(f, mine, in, 64, MPI_INT, &r[0]) == MPI_SUCCESS);
  for (int done = 0; !done;) CHECK(MPI_Test(&r[0], &done, &st[0]) == MPI_SUCCESS);
  CHECK(memcmp(in, out, sizeof in) == 0);
  CHECK(MPI_File_iread_at(f, mine, in, 64, MPI_INT, &r[0]) == MPI_SUCCESS);
  CHECK(MPI_Request_free(&r[0]) == MPI_SUCCESS);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

/* Every form of access once: ranks write their own part, and read it back with the same form. */
#define PAIR(form, ...)                                                              \
  do {                                                                               \
    CHECK(MPI_File_write##form(f, __VA_ARGS__ out, 4, MPI_INT, &st) == MPI_SUCCESS); \
    MPI_Get_count(&st, MPI_INT, &n);                                                 \
    CHECK(n == 4);                                                                   \
    rewind_all();                                                                    \
    memset(in, 0, sizeof in);                                                        \
    CHECK(MPI_File_read##form(f, __VA_ARGS__ in, 4, MPI_INT, &st) == MPI_SUCCESS);   \
    CHECK(memcmp(in, out, sizeof in) == 0);                                          \
    rewind_all();                                                                    \
  } while (0)
#define LATER(form, ...)                                                             \
  do {                                                                               \
    CHECK(MPI_File_iwrite##form(f, __VA_ARGS__ out, 4, MPI_INT, &r) == MPI_SUCCESS); \
    CHECK(MPI_Wait(&r, &st) == MPI_SUCCESS);                                         \
    rewind_all();                                                                    \
    memset(in, 0, sizeof in);                                                        \
    CHECK(MPI_File_iread##form(f, __VA_ARGS__ in, 4, MPI_INT, &r) == MPI_SUCCESS);   \
    CHECK(MPI_Wait(&r, &st) == MPI_SUCCESS);                                         \
    MPI_Get_count(&st, MPI_INT, &n);                                                 \
    CHECK(n == 4 && memcmp(in, out, sizeof in) == 0);                                \
    rewind_all();                                                                    \
  } while (0)
#define SPLIT(form, ...)                                                                \
  do {                                                                                  \
    CHECK(MPI_File_write##form##_begin(f, __VA_ARGS__ out, 4, MPI_INT) == MPI_SUCCESS); \
    CHECK(MPI_File_write##form##_end(f, out, &st) == MPI_SUCCESS);                      \
    rewind_all();                                                                       \
    memset(in, 0, sizeof in);                                                           \
    CHECK(MPI_File_read##form##_begin(f, __VA_ARGS__ in, 4, MPI_INT) == MPI_SUCCESS);   \
    CHECK(MPI_File_read##form##_end(f, in, &st) == MPI_SUCCESS);                        \
    CHECK(memcmp(in, out, sizeof in) == 0);                                             \
    rewind_all();                                                                       \
  } while (0)

static void rewind_all(void) {
  CHECK(MPI_File_seek(f, 4 * rank, MPI_SEEK_SET) == MPI_SUCCESS);
  CHECK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
}

static void every_form(void) {
  const int out[4] = {rank, 2, 3, 4};
  int in[4], n;
  MPI_Status st;
  MPI_Request r;
  const MPI_Offset mine = 4 * rank;
  CHECK(open_it(path, MPI_MODE_RDWR) == MPI_SUCCESS);
  CHECK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", none) == MPI_SUCCESS);
  rewind_all();
  PAIR(_at, mine, );
  PAIR(_at_all, mine, );
  PAIR(, );
  PAIR(_all, );
  PAIR(_ordered, );
  LATER(_at, mine, );
  LATER(_at_all, mine, );
  LATER(, );
  LATER(_all, );
  SPLIT(_at_all, mine, );
  SPLIT(_all, );
  SPLIT(_ordered, );
  /* Who gets which part of the shared pointer is open; all of it is there. */
  CHECK(MPI_File_write_shared(f, out, 4, MPI_INT, &st) == MPI_SUCCESS);
  CHECK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
  CHECK(MPI_File_read_shared(f, in, 4, MPI_INT, &st) == MPI_SUCCESS);
  CHECK(in[0] >= 0 && in[0] < size && in[1] == 2 && in[2] == 3 && in[3] == 4);
  CHECK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
  CHECK(MPI_File_iwrite_shared(f, out, 4, MPI_INT, &r) == MPI_SUCCESS && MPI_Wait(&r, &st) == MPI_SUCCESS);
  CHECK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
  CHECK(MPI_File_iread_shared(f, in, 4, MPI_INT, &r) == MPI_SUCCESS && MPI_Wait(&r, &st) == MPI_SUCCESS);
  int sum = 0;
  MPI_Allreduce(in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size - 1) / 2 && in[3] == 4);
  CHECK(MPI_File_close(&f) == MPI_SUCCESS);
}

/* Ranks that write the same bytes: which of them stay is open, but what nobody has written stays as it was, also where as
 * many bytes are given as there are from the first to the last. Pieces of 3 bytes, 8 apart: more than can be told one by one. */
static void same_bytes(void) {
  enum { count = 1000, bytes = 8 * count };
  static char in[bytes], mine[4 * count];
  for (int many = 0; many < 2; many++) {
    const int blocks = many ? count : 1;
    char* expected = malloc(bytes);
    CHECK(open_it(path, MPI_MODE_RDWR) == MPI_SUCCESS && MPI_File_set_size(f, 0) == MPI_SUCCESS);
    memset(expected, 'z', bytes); /* passes through aggregators, and does not stay in the file */
    CHECK(MPI_File_write_at_all(f, 0, expected, bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    memset(expected, '-', bytes);
    if (rank == 0)
      CHECK(MPI_File_write_at(f, 0, expected, bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(MPI_File_sync(f) == MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Datatype parts, view;
    /* one: rank 0 bytes 0-7 and 12-15, rank 1 bytes 0-3; many: all 0-2 of every 8, ascending, odd ranks 4-4 too */
    int lengths[2] = {many        ? 3
                      : rank == 0 ? 8
                                  : 4,
                      many        ? rank % 2
                      : rank == 0 ? 4
                                  : 0},
        where[2] = {0, many ? 4 : 12};
    MPI_Type_indexed(2, lengths, where, MPI_BYTE, &parts);
    MPI_Type_create_resized(parts, 0, many ? 8 : 16, &view);
    MPI_Type_commit(&view);
    CHECK(MPI_File_set_view(f, 0, MPI_BYTE, view, "native", none) == MPI_SUCCESS);
    memset(mine, 'x', sizeof mine);
    const int n = blocks * (lengths[0] + lengths[1]);
    CHECK(MPI_File_write_at_all(f, 0, mine, !many && rank > 1 ? 0 : n, MPI_BYTE, MPI_STATUS_IGNORE) ==
          MPI_SUCCESS);
    CHECK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", none) == MPI_SUCCESS);
    CHECK(MPI_File_read_at_all(f, 0, in, bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    for (int i = 0; i < blocks; i++) {
      memset(expected + 8 * i, 'x', many ? 3 : 8);
      if (many && size > 1) expected[8 * i + 4] = 'x';
      if (!many) memset(expected + 12, 'x', 4);
    }
    CHECK(memcmp(in, expected, bytes) == 0);
    free(expected);
    MPI_Type_free(&parts);
    MPI_Type_free(&view);
    CHECK(MPI_File_close(&f) == MPI_SUCCESS);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  if (rank == 0) {
    strcpy(folder, "/tmp/files.XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
  }
  MPI_Bcast(folder, sizeof folder, MPI_BYTE, 0, MPI_COMM_WORLD);
  snprintf(path, sizeof path, "%s/file", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  opening();
  sizes();
  handlers();
  views();
  representations();
  without_functions();
  long_conversions();
  communicators();
  beyond();
  devices();
  too_large();
  requests();
  every_form();
  same_bytes();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK(unlink(path) == 0 && rmdir(folder) == 0);
  MPI_Finalize();
  return 0;
}
