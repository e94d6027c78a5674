/* Windows are made, described, and freed: attributes, names, groups, info, error handlers. */
#include "windows.h"

static void attributes(MPI_Win win, const void* base, MPI_Aint bytes, int unit, int flavor) {
  void* value;
  int flag;
  CHECK(MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag) == MPI_SUCCESS && flag && value == base);
  CHECK(MPI_Win_get_attr(win, MPI_WIN_SIZE, &value, &flag) == MPI_SUCCESS && flag &&
        *(MPI_Aint*)value == bytes);
  CHECK(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &value, &flag) == MPI_SUCCESS && flag &&
        *(int*)value == unit);
  CHECK(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &flag) == MPI_SUCCESS && flag);
  CHECK(*(int*)value == flavor);
  CHECK(MPI_Win_get_attr(win, MPI_WIN_MODEL, &value, &flag) == MPI_SUCCESS && flag);
  CHECK(*(int*)value == MPI_WIN_UNIFIED);
}

static void group_of(MPI_Win win, MPI_Comm comm) {
  MPI_Group of_win, of_comm;
  int result;
  MPI_Win_get_group(win, &of_win);
  MPI_Comm_group(comm, &of_comm);
  MPI_Group_compare(of_win, of_comm, &result);
  CHECK(result == MPI_IDENT);
  MPI_Group_free(&of_win);
  MPI_Group_free(&of_comm);
}

static void flavors(MPI_Comm comm) {
  static const int flavor_of[] = {MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE,
                                  MPI_WIN_FLAVOR_SHARED};
  for (int kind = created; kind < kinds; ++kind) {
    MPI_Win win;
    int me;
    MPI_Comm_rank(comm, &me);
    const MPI_Aint bytes = 64 * (me + 1);
    void* memory = make_window(kind, bytes, 1 + me, comm, &win);
    CHECK(memory != NULL);
    attributes(win, memory, bytes, 1 + me, flavor_of[kind]);
    group_of(win, comm);
    free_window(kind, memory, &win);
  }
  MPI_Win win;
  CHECK(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &win) == MPI_SUCCESS);
  attributes(win, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
  group_of(win, comm);
  MPI_Win_free(&win);
  CHECK(win == MPI_WIN_NULL);
}

static void expect_part(MPI_Win win, int of, MPI_Aint bytes, int unit, int has_address) {
  MPI_Aint found;
  int found_unit;
  void* base = &found;
  CHECK(MPI_Win_shared_query(win, of, &found, &found_unit, &base) == MPI_SUCCESS);
  CHECK(found == bytes && found_unit == unit && (base != NULL) == has_address);
}

/* Parts without memory have no address, but where all lie one behind the other. MPI_PROC_NULL: the first that has
 * some. */
static void queries_of_nothing(void) {
  MPI_Win win;
  MPI_Info apart;
  void* memory;
  MPI_Info_create(&apart);
  MPI_Info_set(apart, "alloc_shared_noncontig", "true");
  const int is_odd = rank % 2;
  MPI_Win_allocate_shared(is_odd * 64, 8 + rank, apart, MPI_COMM_WORLD, &memory, &win);
  CHECK((memory != NULL) == is_odd);
  for (int i = 0; i < size; ++i) expect_part(win, i, i % 2 * 64, 8 + i, i % 2);
  expect_part(win, MPI_PROC_NULL, size > 1 ? 64 : 0, size > 1 ? 9 : 8, size > 1);
  MPI_Win_free(&win);
  MPI_Win_allocate_shared(is_odd * 64, 8 + rank, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int i = 0; i < size; ++i) expect_part(win, i, i % 2 * 64, 8 + i, size > 1);
  expect_part(win, MPI_PROC_NULL, size > 1 ? 64 : 0, size > 1 ? 9 : 8, size > 1);
  if (size > 1) {
    MPI_Aint bytes;
    int unit;
    char *first, *second;
    MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
    MPI_Win_shared_query(win, 1, &bytes, &unit, &second);
    CHECK(first == second);
  }
  MPI_Win_free(&win);
  MPI_Win_allocate_shared(0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  CHECK(memory == NULL);
  expect_part(win, 0, 0, 1, 0);
  expect_part(win, MPI_PROC_NULL, 0, 1, 0);
  MPI_Win_free(&win);
  MPI_Win_allocate(is_odd * 64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  CHECK((memory != NULL) == is_odd);
  expect_part(win, rank, is_odd * 64, 8, is_odd);
  MPI_Win_fence(0, win);
  MPI_Put(NULL, 0, MPI_INT, size - 1, 0, 0, MPI_INT, win);
  MPI_Get(NULL, 0, MPI_INT, 0, 0, 0, MPI_INT, win);
  MPI_Accumulate(NULL, 0, MPI_INT, 0, 0, 0, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  char word;
  MPI_Win_create(is_odd ? &word : NULL, is_odd, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  expect_part(win, rank, is_odd, 1, is_odd);
  MPI_Win_free(&win);
  MPI_Info_free(&apart);
}

/* Ranks and groups are those of the communicator, however that was made; it may go before the window. */
static void of_communicator(MPI_Comm comm) {
  MPI_Win win;
  int me, n, word = -1;
  flavors(comm);
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &n);
  MPI_Win_create(&word, sizeof word, sizeof word, MPI_INFO_NULL, comm, &win);
  MPI_Comm_free(&comm);
  const int value = 100 + me;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (me + 1) % n, 0, win);
  MPI_Put(&value, 1, MPI_INT, (me + 1) % n, 0, 1, MPI_INT, win);
  MPI_Win_unlock((me + 1) % n, win);
  MPI_Win_fence(0, win);
  CHECK(word == 100 + (me + n - 1) % n);
  MPI_Win_free(&win);
}

static void communicators(void) {
  MPI_Comm comm, half, between;
  MPI_Group all, some;
  const int side = rank < size / 2, periods = 1;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  of_communicator(comm);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 1, &comm);
  of_communicator(comm);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  const int without_first[1][3] = {{1, size - 1, 1}};
  if (size > 1 && rank > 0) {
    MPI_Group_range_incl(all, 1, (int(*)[3])without_first, &some);
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &comm);
    of_communicator(comm);
    MPI_Group_free(&some);
  }
  MPI_Group_free(&all);
  if (size == 1) return;
  MPI_Comm_split(MPI_COMM_WORLD, side, -rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? size - 1 : size / 2 - 1, 0, &between);
  MPI_Intercomm_merge(between, side, &comm);
  of_communicator(comm);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

/* Some have no memory, or none at all. */
static void empty(void) {
  for (int kind = created; kind < kinds; ++kind) {
    MPI_Win win;
    void* memory = make_window(kind, rank % 2 == 0 ? 0 : 8, 8, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, win);
    free_window(kind, memory, &win);
    memory = make_window(kind, 0, 1, MPI_COMM_WORLD, &win);
    free_window(kind, memory, &win);
  }
  queries_of_nothing();
  MPI_Win win;
  CHECK(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win) == MPI_SUCCESS);
  MPI_Win_free(&win);
}

/* Thousands at a time, and freed in another order than made. */
static void many(void) {
  enum { number = 2000 };
  static MPI_Win wins[number];
  static int words[number];
  for (int i = 0; i < number; ++i)
    CHECK(MPI_Win_create(&words[i], sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &wins[i]) == MPI_SUCCESS);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int i = 0; i < number; i += 97) {
    const int word = rank * number + i;
    MPI_Win_fence(0, wins[i]);
    MPI_Put(&word, 1, MPI_INT, to, 0, 1, MPI_INT, wins[i]);
    MPI_Win_fence(0, wins[i]);
    CHECK(words[i] == from * number + i);
  }
  for (int i = number - 1; i >= 0; --i) MPI_Win_free(&wins[i]);
}

static void names(MPI_Win win) {
  char text[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Win_get_name(win, text, &length);
  CHECK(length == 0 && text[0] == '\0');
  MPI_Win_set_name(win, "halo");
  MPI_Win_get_name(win, text, &length);
  CHECK(length == 4 && strcmp(text, "halo") == 0);
  char too_long[2 * MPI_MAX_OBJECT_NAME]; /* is cut off (7.8, "Naming Objects") */
  memset(too_long, 'x', sizeof too_long);
  too_long[sizeof too_long - 1] = '\0';
  CHECK(MPI_Win_set_name(win, too_long) == MPI_SUCCESS);
  MPI_Win_get_name(win, text, &length);
  CHECK(length == MPI_MAX_OBJECT_NAME - 1 && strncmp(text, too_long, MPI_MAX_OBJECT_NAME - 1) == 0);
  MPI_Win_get_name(MPI_WIN_NULL, text, &length);
  CHECK(strcmp(text, "MPI_WIN_NULL") == 0);
}

static void expect(MPI_Info info, const char* key, const char* value) {
  char text[MPI_MAX_INFO_VAL + 1];
  int length = sizeof text, flag;
  MPI_Info_get_string(info, key, &length, text, &flag);
  if (value == NULL) {
    CHECK(!flag);
    return;
  }
  if (!flag || strcmp(text, value) != 0)
    fprintf(stderr, "%s is %s, not %s\n", key, flag ? text : "not there", value);
  CHECK(flag && strcmp(text, value) == 0);
}

/* The hints that an implementation heeds are its choice (section 12.2.7, "Window Info"). */
static void infos(void) {
  MPI_Win win;
  MPI_Info given, used;
  void* memory;
  MPI_Info_create(&given);
  MPI_Info_set(given, "no_locks", "true");
  MPI_Info_set(given, "accumulate_ordering", "rar,waw");
  MPI_Info_set(given, "accumulate_ops", "same_op");
  MPI_Info_set(given, "mpi_minimum_memory_alignment", "4096");
  MPI_Info_set(given, "same_size", "perhaps");
  MPI_Info_set(given, "made_up", "true");
  CHECK(MPI_Win_allocate(100, 1, given, MPI_COMM_WORLD, &memory, &win) == MPI_SUCCESS);
  CHECK(MPI_Win_get_info(win, &used) == MPI_SUCCESS && used != MPI_INFO_NULL);
  if (on_loadstone()) {
    CHECK((uintptr_t)memory % 4096 == 0);
    expect(used, "no_locks", "true");
    expect(used, "accumulate_ordering", "rar,waw");
    expect(used, "accumulate_ops", "same_op");
    expect(used, "mpi_accumulate_granularity", "0");
    expect(used, "mpi_minimum_memory_alignment", "4096");
    expect(used, "same_size", "false");
    expect(used, "made_up", NULL);
    expect(used, "alloc_shared_noncontig", NULL);
    expect(used, "mpi_memory_alloc_kinds", "mpi,system");
    expect(used, "mpi_assert_memory_alloc_kinds", NULL);
  }
  MPI_Info_free(&used);
  MPI_Info_free(&given);
  MPI_Info_create(&given);
  MPI_Info_set(given, "no_locks", "false");
  MPI_Info_set(given, "mpi_minimum_memory_alignment", "8");
  CHECK(MPI_Win_set_info(win, given) == MPI_SUCCESS);
  MPI_Win_get_info(win, &used);
  if (on_loadstone()) {
    expect(used, "no_locks", "false");
    expect(used, "accumulate_ordering", "rar,waw");
    expect(used, "mpi_minimum_memory_alignment", "4096");
  }
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  MPI_Win_unlock(rank, win);
  MPI_Info_free(&used);
  MPI_Info_free(&given);
  MPI_Win_free(&win);
  MPI_Info_create(&given);
  MPI_Info_set(given, "mpi_assert_memory_alloc_kinds", "system,mpi:alloc_mem");
  MPI_Win_create_dynamic(given, MPI_COMM_WORLD, &win);
  MPI_Win_get_info(win, &used);
  if (on_loadstone()) {
    expect(used, "mpi_assert_memory_alloc_kinds", "system,mpi:alloc_mem");
    expect(used, "mpi_memory_alloc_kinds", "system,mpi:alloc_mem");
  }
  MPI_Info_free(&used);
  MPI_Info_free(&given);
  MPI_Win_free(&win);
}

/* --- attributes --- */

static int deleted, order[8];
static MPI_Win of_deleted;
static int forget(MPI_Win win, int key, void* value, void* extra) {
  (void)key;
  CHECK(*(int*)extra == 7);
  of_deleted = win;
  order[deleted++] = *(int*)value;
  return MPI_SUCCESS;
}
static int refuse(MPI_Win win, int key, void* value, void* extra) {
  (void)win, (void)key, (void)value;
  return --*(int*)extra >= 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void caching(void) {
  MPI_Win win;
  int word, seven = 7, keys[3], values[] = {10, 11, 12}, flag, refusals = 1;
  void* found;
  MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  for (int i = 0; i < 3; ++i) {
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, forget, &keys[i], &seven);
    MPI_Win_get_attr(win, keys[i], &found, &flag);
    CHECK(!flag);
    MPI_Win_set_attr(win, keys[i], &values[i]);
  }
  MPI_Win_get_attr(win, keys[1], &found, &flag);
  CHECK(flag && found == &values[1]);
  MPI_Win_delete_attr(win, keys[1]);
  CHECK(deleted == 1 && order[0] == 11 && of_deleted == win);
  CHECK_FAILS(MPI_Win_set_attr(win, MPI_WIN_BASE, NULL), MPI_ERR_KEYVAL);
  CHECK_FAILS(MPI_Win_delete_attr(win, MPI_WIN_SIZE), MPI_ERR_KEYVAL);
  CHECK_FAILS(MPI_Win_get_attr(win, MPI_KEYVAL_INVALID, &found, &flag), MPI_ERR_KEYVAL);
  int stubborn;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, refuse, &stubborn, &refusals);
  MPI_Win_set_attr(win, stubborn, NULL);
  const MPI_Win before = win;
  CHECK_FAILS(MPI_Win_free(&win), MPI_ERR_OTHER);
  CHECK(win == before);
  CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
  CHECK(deleted == 3);
  if (on_loadstone()) CHECK(order[1] == 12 && order[2] == 10); /* the one set last first */
  for (int i = 0; i < 3; ++i) MPI_Win_free_keyval(&keys[i]);
  MPI_Win_free_keyval(&stubborn);
}

/* --- error handlers --- */

static int handled, handled_class;
static MPI_Win of_handled;
static void handle(MPI_Win* win, int* code, ...) {
  ++handled;
  of_handled = *win;
  MPI_Error_class(*code, &handled_class);
}

static void error_handlers(void) {
  MPI_Win win;
  MPI_Errhandler mine, found;
  int word, code;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_get_errhandler(win, &found); /* not inherited (12.6.1, "Error Handlers") */
  CHECK(found == MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&found);
  MPI_Win_create_errhandler(handle, &mine);
  MPI_Win_set_errhandler(win, mine);
  MPI_Win_get_errhandler(win, &found);
  CHECK(found == mine);
  MPI_Errhandler_free(&found);
  MPI_Errhandler_free(&mine);
  MPI_Add_error_code(MPI_ERR_OTHER, &code);
  CHECK(MPI_Win_call_errhandler(win, code) == MPI_SUCCESS);
  CHECK(handled == 1 && of_handled == win && handled_class == MPI_ERR_OTHER);
  CHECK(MPI_Win_lock(12345, 0, 0, win) != MPI_SUCCESS);
  CHECK(handled == 2 && handled_class == MPI_ERR_LOCKTYPE);
  MPI_Win_free(&win);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  flavors(MPI_COMM_WORLD);
  flavors(MPI_COMM_SELF);
  MPI_Comm reversed, part;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  flavors(reversed);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
  flavors(part);
  MPI_Comm_free(&part);
  communicators();
  empty();
  MPI_Win win;
  int word;
  MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, reversed, &win);
  MPI_Comm_free(&reversed); /* the window lives on */
  names(win);
  MPI_Win_fence(0, win);
  if (rank == size - 1) MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* ranks are those of the window */
  MPI_Win_fence(0, win);
  if (rank == size - 1) CHECK(word == rank);
  MPI_Win_free(&win);
  many();
  infos();
  caching();
  error_handlers();
  MPI_Finalize();
  return 0;
}
