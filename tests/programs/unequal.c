/* MPI_Gatherv and MPI_Scatterv again and again: counts that change from call to call in the same arrays, nothing at all,
 * short blocks beside long ones, gaps and another order at the root, types with gaps at either end, in place, roots by
 * turns, several communicators, 64-bit counts, and the other forms of the calls between. Then the same of the v forms in
 * which all exchange. */
#include "check.h"

enum { LONGEST = 3000, MOST = 16 };
static int out[2 * MOST * LONGEST], in[2 * MOST * LONGEST];
static int counts[MOST], places[MOST];
static MPI_Datatype spread; /* an int, and a gap of one */

static int value(int from, int to, int turn, int i) {
  return (from * 37 + to) * 1000003 + turn * 7919 + i;
}

/* For the blocks of a communicator of n: the last one comes first. Counts are the same again two turns later. */
static void make_lists(int n, int turn) {
  static const int lengths[] = {2, 0, 1, 127, 128, 129, 5, LONGEST};
  int end = 1;
  for (int r = n - 1; r >= 0; r--) {
    const int set = turn / 6 * 2 + turn % 2;
    counts[r] = lengths[(set * 5 + r * (1 + set % 3)) % 8];
    places[r] = end;
    end += counts[r] + r % 3;
  }
  CHECK(end <= MOST * LONGEST);
}

/* Elements are `step` ints apart. */
static void fill(int from, int to, int turn, int at, int count, int step) {
  for (int i = 0; i < count; i++) out[(at + i) * step] = value(from, to, turn, i);
}
static void expect(int from, int to, int turn, int at, int count, int step) {
  for (int i = 0; i < count; i++) {
    CHECK(in[(at + i) * step] == value(from, to, turn, i));
    CHECK(step == 1 || in[(at + i) * step + 1] == -1);
  }
}
static void clear(void) {
  for (size_t i = 0; i < sizeof in / sizeof *in; i++) in[i] = -1;
}

enum form { blocking, wide, non_blocking, persistent, forms };

static void finish(enum form f, MPI_Request* request) {
  if (f < non_blocking) return;
  if (f == persistent) MPI_Start(request);
  MPI_Wait(request, MPI_STATUS_IGNORE);
  if (f == persistent) MPI_Request_free(request);
}

static void gather_to(enum form f, const void* mine, int count, MPI_Datatype type, MPI_Datatype type_there,
                      int root, int n, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Count counts_c[MOST];
  MPI_Aint places_c[MOST];
  for (int r = 0; r < n; r++) counts_c[r] = counts[r], places_c[r] = places[r];
  if (f == wide) MPI_Gatherv_c(mine, count, type, in, counts_c, places_c, type_there, root, comm);
  if (f == blocking) MPI_Gatherv(mine, count, type, in, counts, places, type_there, root, comm);
  if (f == non_blocking)
    MPI_Igatherv(mine, count, type, in, counts, places, type_there, root, comm, &request);
  if (f == persistent)
    MPI_Gatherv_init(mine, count, type, in, counts, places, type_there, root, comm, MPI_INFO_NULL, &request);
  finish(f, &request);
}

static void scatter_from(enum form f, MPI_Datatype type_there, void* mine, int count, MPI_Datatype type,
                         int root, int n, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Count counts_c[MOST];
  MPI_Aint places_c[MOST];
  for (int r = 0; r < n; r++) counts_c[r] = counts[r], places_c[r] = places[r];
  if (f == wide) MPI_Scatterv_c(out, counts_c, places_c, type_there, mine, count, type, root, comm);
  if (f == blocking) MPI_Scatterv(out, counts, places, type_there, mine, count, type, root, comm);
  if (f == non_blocking)
    MPI_Iscatterv(out, counts, places, type_there, mine, count, type, root, comm, &request);
  if (f == persistent)
    MPI_Scatterv_init(out, counts, places, type_there, mine, count, type, root, comm, MPI_INFO_NULL,
                      &request);
  finish(f, &request);
}

static void with_a_root(MPI_Comm comm, int turn) {
  int me, n;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &n);
  const int root = turn / 2 % n, in_place = turn % 5 == 4 && me == root;
  const enum form f = turn % 7 == 6     ? non_blocking
                      : turn % 11 == 10 ? persistent
                      : turn % 3 == 2   ? wide
                                        : blocking;
  const MPI_Datatype mine = turn % 4 == 3 && me % 2 == 0 ? spread : MPI_INT;
  const MPI_Datatype there =
      turn % 4 >= 2 && me == root ? spread : MPI_INT; /* significant at the root only */
  const int step = mine == spread ? 2 : 1, step_there = there == spread ? 2 : 1;
  make_lists(n, turn);
  clear();
  fill(me, root, turn, 0, counts[me], step);
  if (in_place)
    for (int i = 0; i < counts[me]; i++) in[(places[me] + i) * step_there] = value(me, root, turn, i);
  gather_to(f, in_place ? MPI_IN_PLACE : out, counts[me], mine, there, root, n, comm);
  for (int r = 0; me == root && r < n; r++) expect(r, root, turn, places[r], counts[r], step_there);
  for (size_t i = 0; me != root && i < sizeof in / sizeof *in; i += 97) CHECK(in[i] == -1);

  clear();
  if (me == root)
    for (int r = 0; r < n; r++) fill(root, r, turn, places[r], counts[r], step_there);
  scatter_from(f, there, in_place ? MPI_IN_PLACE : in, counts[me], mine, root, n, comm);
  if (!in_place) expect(root, me, turn, 0, counts[me], step);
  CHECK(in[in_place ? 0 : counts[me] * step] == -1);
}

static void among_all(MPI_Comm comm, int turn) {
  int me, n;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &n);
  const int in_place = turn % 5 == 4;
  make_lists(n, turn);
  clear();
  fill(me, 0, turn, 0, counts[me], 1);
  if (in_place) memcpy(in + places[me], out, sizeof(int) * (size_t)counts[me]);
  MPI_Allgatherv(in_place ? MPI_IN_PLACE : out, counts[me], MPI_INT, in, counts, places, MPI_INT, comm);
  for (int r = 0; r < n; r++) expect(r, 0, turn, places[r], counts[r], 1);

  /* What r gives to me is as long as what I give to r. */
  static int both[MOST], where[MOST];
  int end = 0;
  for (int r = n - 1; r >= 0; r--) {
    both[r] = counts[(me + r) % n], where[r] = end;
    end += both[r] + 1;
  }
  clear();
  for (int r = 0; r < n; r++) fill(me, r, turn, where[r], both[r], 1);
  if (in_place) memcpy(in, out, sizeof(int) * (size_t)end);
  MPI_Alltoallv(in_place ? MPI_IN_PLACE : out, both, where, MPI_INT, in, both, where, MPI_INT, comm);
  for (int r = 0; r < n; r++) expect(r, me, turn, where[r], both[r], 1);

  int total = 0, first = 0;
  for (int r = 0; r < n; r++) {
    if (r < me) first += counts[r];
    total += counts[r];
  }
  clear();
  int* const from = in_place ? in : out;
  for (int i = 0; i < total; i++) from[i] = me + i;
  MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : out, in, counts, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < counts[me]; i++) CHECK(in[i] == n * (first + i) + n * (n - 1) / 2);
}

/* The lower half collects from the upper one, and gives to it. */
static void between_groups(MPI_Comm inter, int lower, int turn) {
  int me, others;
  MPI_Comm_rank(inter, &me);
  MPI_Comm_remote_size(inter, &others);
  const int root = 0, at_root = lower && me == root,
            argument = !lower    ? root
                       : at_root ? MPI_ROOT
                                 : MPI_PROC_NULL;
  int n = others;
  if (!lower) MPI_Comm_size(inter, &n);
  make_lists(n, turn);
  clear();
  if (!lower) fill(me, root, turn, 0, counts[me], 1);
  MPI_Gatherv(out, lower ? 0 : counts[me], MPI_INT, in, counts, places, MPI_INT, argument, inter);
  for (int r = 0; at_root && r < n; r++) expect(r, root, turn, places[r], counts[r], 1);
  clear();
  for (int r = 0; at_root && r < n; r++) fill(root, r, turn, places[r], counts[r], 1);
  MPI_Scatterv(out, counts, places, MPI_INT, in, lower ? 0 : counts[me], MPI_INT, argument, inter);
  if (!lower) expect(root, me, turn, 0, counts[me], 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  CHECK(size <= MOST);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spread);
  MPI_Type_commit(&spread);
  MPI_Comm again, reversed, half, inter = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &again);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  const int lower = rank < size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, lower, 0, &half);
  if (size > 1) MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, lower ? size / 2 : 0, 1, &inter);
  for (int turn = 0; turn < 60; turn++) {
    with_a_root(MPI_COMM_WORLD, turn);
    with_a_root(again, turn + 1);
    with_a_root(reversed, turn);
    with_a_root(half, turn);
    among_all(turn % 2 ? again : MPI_COMM_WORLD, turn);
    among_all(half, turn);
    if (inter != MPI_COMM_NULL && turn % 3 == 0) between_groups(inter, lower, turn);
  }
  if (inter != MPI_COMM_NULL) MPI_Comm_free(&inter);
  MPI_Comm_free(&half), MPI_Comm_free(&reversed), MPI_Comm_free(&again);
  MPI_Type_free(&spread);
  MPI_Finalize();
  return 0;
}
