/* Published names: seen by all, unique, withdrawn with their port, gone with the process that published them; from several threads. */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static void name_of(char* text, const char* what, int of, int number) {
  snprintf(text, MPI_MAX_PORT_NAME, "%s %d.%d", what, of, number);
}

static void is_at(const char* service, const char* port) {
  char found[MPI_MAX_PORT_NAME];
  memset(found, 1, sizeof found);
  MPI_Lookup_name(service, MPI_INFO_NULL, found);
  CHECK(strcmp(found, port) == 0);
}

static void everybody_sees_all(void) {
  char service[MPI_MAX_PORT_NAME], port[MPI_MAX_PORT_NAME], found[MPI_MAX_PORT_NAME];
  name_of(service, "service", rank, 0);
  name_of(port, "port", rank, 0);
  CHECK_FAILS(MPI_Lookup_name(service, MPI_INFO_NULL, found), MPI_ERR_NAME);
  CHECK_FAILS(MPI_Unpublish_name(service, MPI_INFO_NULL, port), MPI_ERR_SERVICE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Publish_name(service, MPI_INFO_NULL, port);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) {
    name_of(service, "service", r, 0);
    name_of(port, "port", r, 0);
    is_at(service, port);
    CHECK_FAILS(MPI_Publish_name(service, MPI_INFO_NULL, "another"), MPI_ERR_SERVICE);
    CHECK_FAILS(MPI_Unpublish_name(service, MPI_INFO_NULL, "another"), MPI_ERR_SERVICE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  name_of(service, "service", rank, 0);
  name_of(port, "port", rank, 0);
  is_at(service, port);
  MPI_Unpublish_name(service, MPI_INFO_NULL, port);
  CHECK_FAILS(MPI_Unpublish_name(service, MPI_INFO_NULL, port), MPI_ERR_SERVICE);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) {
    name_of(service, "service", r, 0);
    CHECK_FAILS(MPI_Lookup_name(service, MPI_INFO_NULL, found), MPI_ERR_NAME);
  }
}

static void one_of_all_has_it(void) {
  for (int i = 0; i < 20; ++i) {
    char port[MPI_MAX_PORT_NAME];
    name_of(port, "port", rank, i);
    const int had = MPI_Publish_name("the one", MPI_INFO_NULL, port) == MPI_SUCCESS;
    int all = 0;
    MPI_Allreduce(&had, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == 1);
    if (had) is_at("the one", port);
    if (had) MPI_Unpublish_name("the one", MPI_INFO_NULL, port);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void odd_names(void) {
  char longest[MPI_MAX_PORT_NAME + 1], found[MPI_MAX_PORT_NAME];
  MPI_Info info;
  memset(longest, 'a' + rank % 26, MPI_MAX_PORT_NAME);
  longest[MPI_MAX_PORT_NAME] = '\0';
  CHECK_FAILS(MPI_Publish_name(longest, MPI_INFO_NULL, "p"), MPI_ERR_SERVICE);
  CHECK_FAILS(MPI_Unpublish_name(longest, MPI_INFO_NULL, "p"), MPI_ERR_SERVICE);
  CHECK_FAILS(MPI_Lookup_name(longest, MPI_INFO_NULL, found), MPI_ERR_NAME);
  CHECK_FAILS(MPI_Publish_name("s", MPI_INFO_NULL, longest), MPI_ERR_PORT);
  CHECK_FAILS(MPI_Unpublish_name("s", MPI_INFO_NULL, longest), MPI_ERR_PORT);
  CHECK_FAILS(MPI_Publish_name("", MPI_INFO_NULL, "p"), MPI_ERR_SERVICE);
  CHECK_FAILS(MPI_Unpublish_name("", MPI_INFO_NULL, "p"), MPI_ERR_SERVICE);
  CHECK_FAILS(MPI_Lookup_name("", MPI_INFO_NULL, found), MPI_ERR_NAME);
  longest[MPI_MAX_PORT_NAME - 1] = '\0';
  MPI_Info_create(&info);
  MPI_Info_set(info, "a key that nobody knows", "true");
  MPI_Publish_name(longest, info, longest);
  is_at(longest, longest);
  MPI_Unpublish_name(longest, info, longest);
  MPI_Info_free(&info);
}

static void* many_in_a_row(void* number) {
  char service[MPI_MAX_PORT_NAME], port[MPI_MAX_PORT_NAME];
  for (int i = 0; i < 50; ++i) {
    name_of(service, "of a thread", rank, *(int*)number);
    name_of(port, "port", *(int*)number, i);
    MPI_Publish_name(service, MPI_INFO_NULL, port);
    is_at(service, port);
    MPI_Unpublish_name(service, MPI_INFO_NULL, port);
  }
  return NULL;
}

int main(int argc, char** argv) {
  MPI_Session session;
  char found[MPI_MAX_PORT_NAME], service[MPI_MAX_PORT_NAME];
  int provided;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
  MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Info_free(&info);
  snprintf(service, sizeof service, "of a session %ld", (long)getpid());
  MPI_Publish_name(service, MPI_INFO_NULL, "p");
  is_at(service, "p");
  MPI_Unpublish_name(service, MPI_INFO_NULL, "p");
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Session_finalize(&session);
  start_world(argc, argv);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  everybody_sees_all();
  one_of_all_has_it();
  odd_names();

  pthread_t threads[8];
  int numbers[8];
  for (int i = 0; i < 8; ++i) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, many_in_a_row, &numbers[i]) == 0);
  }
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);

  /* The last rank ends, and what it has published with it. */
  if (size > 1 && rank == size - 1) MPI_Publish_name("of the last", MPI_INFO_NULL, "p");
  MPI_Barrier(MPI_COMM_WORLD);
  if (size > 1 && rank == 0) {
    int code, class = MPI_SUCCESS;
    while (class == MPI_SUCCESS) {
      code = MPI_Lookup_name("of the last", MPI_INFO_NULL, found);
      MPI_Error_class(code, &class);
      usleep(1000);
    }
    CHECK(class == MPI_ERR_NAME);
  }
  MPI_Finalize();
  return 0;
}
