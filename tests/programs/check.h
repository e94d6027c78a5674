/* What every program here begins with. Usage: <program> <expected size of MPI_COMM_WORLD> */
#ifndef LOADSTONE_TESTS_CHECK_H
#define LOADSTONE_TESTS_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

#define CHECK(condition)                                                                                   \
  do {                                                                                                     \
    if (!(condition)) {                                                                                    \
      fprintf(stderr, "%s:%d: rank %d of %d: not true: %s\n", __FILE__, __LINE__, rank, size, #condition); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                        \
    }                                                                                                      \
  } while (0)

/* The call fails with this class; the communicator's handler must be MPI_ERRORS_RETURN. */
#define CHECK_FAILS(call, error_class)                                                                    \
  do {                                                                                                    \
    int code_ = (call), class_ = MPI_SUCCESS;                                                             \
    MPI_Error_class(code_, &class_);                                                                      \
    if (class_ != (error_class)) {                                                                        \
      char text_[MPI_MAX_ERROR_STRING];                                                                   \
      int length_;                                                                                        \
      MPI_Error_string(code_, text_, &length_);                                                           \
      fprintf(stderr, "%s:%d: rank %d of %d: %s: class %d instead of %s: %s\n", __FILE__, __LINE__, rank, \
              size, #call, class_, #error_class, text_);                                                  \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                       \
    }                                                                                                     \
  } while (0)

/* The programs run on another library of the same ABI, too (abi/other_library_programs). What the standard
 * leaves open is asked of Loadstone only; where the other library is wrong, it is passed over. Each use names
 * the section of MPI-5.0, by its title: numbers differ between editions. */
static inline int on_loadstone(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(text, &length);
  return strncmp(text, "Loadstone ", 10) == 0;
}

/* The last message of this class contains this. */
static inline void error_says(int error_class, const char* what) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(error_class, text, &length);
  if (strstr(text, what) == NULL) fprintf(stderr, "says: %s; expected: %s\n", text, what);
  CHECK(!on_loadstone() || strstr(text, what) != NULL);
}

static inline void start_world(int argc, char** argv) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1) CHECK(size == atoi(argv[1]));
}

#endif
