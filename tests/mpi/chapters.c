#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seat.h"

struct requests_in_hand {
  atomic_long request[max_threads]; /* a generalized request that the next thread completes */
  atomic_int taken, copies, deletes, sum;
  MPI_Request partitioned[2];
};

static int right_of(const struct seat* s) {
  return (s->room->rank + 1) % s->room->size;
}
static int left_of(const struct seat* s) {
  return (s->room->rank + s->room->size - 1) % s->room->size;
}
/* --- messages --- */

enum { longest = 20000 };

static void messages(const struct seat* s) {
  static const int lengths[] = {0, 1, 10, 100, 1000, 5000, longest};
  const MPI_Comm comm = s->room->together;
  const int right = right_of(s), left = left_of(s), tag = s->thread;
  int* out = malloc(longest * sizeof *out);
  int* in = malloc(longest * sizeof *in);
  for (int round = 0; round < s->room->rounds; ++round) {
    const int n = lengths[round % 7];
    MPI_Request r[2];
    MPI_Status status;
    for (int i = 0; i < n; ++i) out[i] = value_of(s->room->rank, s->thread, round, i), in[i] = -1;
    switch (round % 6) {
      case 0:
        OK(MPI_Sendrecv(out, n, MPI_INT, right, tag, in, n, MPI_INT, left, tag, comm, &status));
        break;
      case 1:
        OK(MPI_Irecv(in, n, MPI_INT, left, tag, comm, &r[0]));
        OK(MPI_Issend(out, n, MPI_INT, right, tag, comm, &r[1]));
        OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        break;
      case 2:
        OK(MPI_Isend(out, n, MPI_INT, right, tag, comm, &r[0]));
        OK(MPI_Recv(in, n, MPI_INT, MPI_ANY_SOURCE, tag, comm, &status));
        CHECK(status.MPI_SOURCE == left && status.MPI_TAG == tag);
        OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
        break;
      case 3:
        memcpy(in, out, (size_t)n * sizeof *in);
        OK(MPI_Sendrecv_replace(in, n, MPI_INT, right, tag, left, tag, comm, &status));
        break;
      case 4:
        OK(MPI_Isendrecv(out, n, MPI_INT, right, tag, in, n, MPI_INT, left, tag, comm, &r[0]));
        for (int done = 0; !done;) OK(MPI_Test(&r[0], &done, MPI_STATUS_IGNORE));
        break;
      default: /* the receiver is certainly there: ready mode */
        OK(MPI_Irecv(in, n, MPI_INT, left, tag, comm, &r[0]));
        OK(MPI_Sendrecv(NULL, 0, MPI_INT, left, tag + 100, NULL, 0, MPI_INT, right, tag + 100, comm,
                        MPI_STATUS_IGNORE));
        OK(MPI_Rsend(out, n, MPI_INT, right, tag, comm));
        OK(MPI_Wait(&r[0], &status));
        break;
    }
    for (int i = 0; i < n; ++i) CHECK(in[i] == value_of(left, s->thread, round, i));
  }
  free(out);
  free(in);
}

/* Every thread receives whatever comes, from anybody: nothing is lost, nothing comes twice. */
static void wildcards(const struct seat* s) {
  struct room* room = s->room;
  if (s->thread == 0) atomic_store(&room->hands->sum, 0);
  pthread_barrier_wait(&room->meeting);
  for (int round = 0; round < room->rounds; ++round) {
    int out = 1, in = 0;
    MPI_Request r;
    MPI_Status status;
    OK(MPI_Isend(&out, 1, MPI_INT, right_of(s), s->thread, room->crowded, &r));
    if (round % 2 == 0) {
      OK(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, room->crowded, &status));
    } else {
      MPI_Message message;
      OK(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, room->crowded, &message, &status));
      OK(MPI_Mrecv(&in, 1, MPI_INT, &message, &status));
    }
    CHECK(status.MPI_SOURCE == left_of(s) && status.MPI_TAG < room->threads);
    atomic_fetch_add(&room->hands->sum, in);
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
  }
  pthread_barrier_wait(&room->meeting);
  CHECK(atomic_load(&room->hands->sum) == room->rounds * room->threads);
}

static void probes(const struct seat* s) {
  const MPI_Comm comm = s->room->together;
  const int tag = 200 + s->thread;
  int out[64], in[64];
  for (int round = 0; round < s->room->rounds; ++round) {
    const int n = round % 64;
    int count, flag = 0;
    MPI_Request r;
    MPI_Status status;
    MPI_Message message;
    for (int i = 0; i < n; ++i) out[i] = value_of(s->room->rank, s->thread, round, i);
    OK(MPI_Isend(out, n, MPI_INT, right_of(s), tag, comm, &r));
    switch (round % 4) {
      case 0:
        OK(MPI_Probe(MPI_ANY_SOURCE, tag, comm, &status));
        OK(MPI_Recv(in, 64, MPI_INT, status.MPI_SOURCE, tag, comm, &status));
        break;
      case 1:
        while (!flag) OK(MPI_Iprobe(left_of(s), tag, comm, &flag, &status));
        OK(MPI_Recv(in, 64, MPI_INT, left_of(s), tag, comm, &status));
        break;
      case 2:
        while (!flag) OK(MPI_Improbe(left_of(s), tag, comm, &flag, &message, &status));
        OK(MPI_Mrecv(in, 64, MPI_INT, &message, &status));
        break;
      default: {
        MPI_Request receive;
        OK(MPI_Mprobe(MPI_ANY_SOURCE, tag, comm, &message, &status));
        OK(MPI_Imrecv(in, 64, MPI_INT, &message, &receive));
        OK(MPI_Wait(&receive, &status));
      }
    }
    OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK(count == n && status.MPI_SOURCE == left_of(s));
    for (int i = 0; i < n; ++i) CHECK(in[i] == value_of(left_of(s), s->thread, round, i));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
  }
}

static void buffered(const struct seat* s) {
  const MPI_Comm comm = s->room->own[s->thread];
  const int bytes = 4 * (400 + MPI_BSEND_OVERHEAD);
  char* space = malloc((size_t)bytes);
  OK(MPI_Comm_attach_buffer(comm, s->thread % 2 ? MPI_BUFFER_AUTOMATIC : (void*)space, bytes));
  for (int round = 0; round < s->room->rounds; ++round) {
    int out[100], in[100];
    for (int i = 0; i < 100; ++i) out[i] = value_of(s->room->rank, s->thread, round, i);
    OK(MPI_Bsend(out, 100, MPI_INT, right_of(s), 0, comm));
    OK(MPI_Recv(in, 100, MPI_INT, left_of(s), 0, comm, MPI_STATUS_IGNORE));
    for (int i = 0; i < 100; ++i) CHECK(in[i] == value_of(left_of(s), s->thread, round, i));
    OK(MPI_Comm_flush_buffer(comm));
  }
  void* back;
  int size;
  OK(MPI_Comm_detach_buffer(comm, &back, &size));
  free(space);
}

/* --- requests --- */

static void requests(const struct seat* s) {
  const MPI_Comm comm = s->room->together;
  enum { several = 5 };
  int out[several], in[several], indices[several], flag, index, n;
  MPI_Request r[2 * several], one;
  MPI_Status statuses[2 * several], status;
  const int tag = 300 + 10 * s->thread;
  for (int i = 0; i < several; ++i) {
    OK(MPI_Recv_init(&in[i], 1, MPI_INT, left_of(s), tag + i, comm, &r[i]));
    OK(i % 2 ? MPI_Send_init(&out[i], 1, MPI_INT, right_of(s), tag + i, comm, &r[several + i])
             : MPI_Ssend_init(&out[i], 1, MPI_INT, right_of(s), tag + i, comm, &r[several + i]));
  }
  for (int round = 0; round < s->room->rounds; ++round) {
    for (int i = 0; i < several; ++i) out[i] = value_of(s->room->rank, s->thread, round, i), in[i] = -1;
    OK(MPI_Startall(2 * several, r));
    switch (round % 6) {
      case 0:
        OK(MPI_Waitall(2 * several, r, statuses));
        break;
      case 1:
        for (int done = 0; done < 2 * several; ++done) OK(MPI_Waitany(2 * several, r, &index, &status));
        break;
      case 2:
        for (int done = 0; done < 2 * several; done += flag)
          OK(MPI_Testany(2 * several, r, &index, &flag, &status));
        break;
      case 3:
        for (int done = 0; done < several; done += n) OK(MPI_Waitsome(several, r, &n, indices, statuses));
        for (int done = 0; done < several; done += n)
          OK(MPI_Testsome(several, r + several, &n, indices, statuses));
        break;
      case 4:
        for (flag = 0; !flag;) OK(MPI_Testall(2 * several, r, &flag, statuses));
        break;
      default:
        for (flag = 0; !flag;) OK(MPI_Request_get_status(r[0], &flag, &status));
        OK(MPI_Waitall(2 * several, r, MPI_STATUSES_IGNORE));
    }
    for (int i = 0; i < several; ++i) CHECK(in[i] == value_of(left_of(s), s->thread, round, i));
    OK(MPI_Irecv(in, 1, MPI_INT, left_of(s), tag + 9, comm, &one)); /* nobody sends that */
    OK(MPI_Cancel(&one));
    OK(MPI_Wait(&one, &status));
    OK(MPI_Test_cancelled(&status, &flag));
    CHECK(flag);
  }
  for (int i = 0; i < 2 * several; ++i) OK(MPI_Request_free(&r[i]));
  OK(MPI_Isend(out, 1, MPI_INT, right_of(s), tag, comm, &one)); /* given up while active */
  OK(MPI_Request_free(&one));
  OK(MPI_Recv(in, 1, MPI_INT, left_of(s), tag, comm, MPI_STATUS_IGNORE));
}

static int say_nothing(void* extra, MPI_Status* status) {
  (void)extra;
  MPI_Status_set_elements(status, MPI_INT, 7);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int count_free(void* extra) {
  ++*(int*)extra;
  return MPI_SUCCESS;
}
static int no_cancel(void* extra, int complete) {
  (void)extra, (void)complete;
  return MPI_SUCCESS;
}

/* Each thread waits for a generalized request that another thread completes. */
static void generalized(const struct seat* s) {
  struct requests_in_hand* hands = s->room->hands;
  const int next = (s->thread + 1) % s->room->threads;
  for (int round = 0; round < s->room->rounds; ++round) {
    int freed = 0, count;
    MPI_Request mine, theirs;
    MPI_Status status;
    OK(MPI_Grequest_start(say_nothing, count_free, no_cancel, &freed, &mine));
    atomic_store(&hands->request[s->thread], (long)mine);
    long got;
    while ((got = atomic_exchange(&hands->request[next], 0)) == 0) sched_yield();
    theirs = (MPI_Request)got;
    OK(MPI_Grequest_complete(theirs));
    OK(MPI_Wait(&mine, &status));
    OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK(freed == 1 && count == 7);
  }
}

/* --- collectives --- */

static void collectives(const struct seat* s) {
  const MPI_Comm comm = s->room->own[s->thread];
  const int size = s->room->size, me = s->room->rank;
  int* a = malloc((size_t)size * 8 * sizeof *a);
  int* b = malloc((size_t)size * 8 * sizeof *b);
  int* counts = malloc((size_t)size * sizeof *counts);
  int* places = malloc((size_t)size * sizeof *places);
  for (int round = 0; round < s->room->rounds; ++round) {
    const int root = round % size;
    int x = me + round, y = -1;
    OK(MPI_Barrier(comm));
    OK(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm));
    CHECK(y == size * (size - 1) / 2 + size * round);
    y = me == root ? round : -1;
    OK(MPI_Bcast(&y, 1, MPI_INT, root, comm));
    CHECK(y == round);
    OK(MPI_Reduce(&x, &y, 1, MPI_INT, MPI_MAX, root, comm));
    if (me == root) CHECK(y == size - 1 + round);
    OK(MPI_Scan(&x, &y, 1, MPI_INT, MPI_SUM, comm));
    CHECK(y == me * (me + 1) / 2 + (me + 1) * round);
    OK(MPI_Exscan(&x, &y, 1, MPI_INT, MPI_SUM, comm));
    if (me > 0) CHECK(y == me * (me - 1) / 2 + me * round);
    OK(MPI_Gather(&x, 1, MPI_INT, a, 1, MPI_INT, root, comm));
    if (me == root)
      for (int i = 0; i < size; ++i) {
        CHECK(a[i] == i + round);
        a[i] *= 2;
      }
    OK(MPI_Scatter(a, 1, MPI_INT, &y, 1, MPI_INT, root, comm));
    CHECK(y == 2 * x);
    OK(MPI_Allgather(&x, 1, MPI_INT, a, 1, MPI_INT, comm));
    for (int i = 0; i < size; ++i) CHECK(a[i] == i + round);
    for (int i = 0; i < size; ++i) a[i] = 100 * me + i + round, counts[i] = 1, places[i] = i;
    OK(MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, comm));
    for (int i = 0; i < size; ++i) {
      CHECK(b[i] == 100 * i + me + round);
      b[i] = -1;
    }
    OK(MPI_Alltoallv(a, counts, places, MPI_INT, b, counts, places, MPI_INT, comm));
    for (int i = 0; i < size; ++i) CHECK(b[i] == 100 * i + me + round);
    OK(MPI_Allgatherv(&x, 1, MPI_INT, b, counts, places, MPI_INT, comm));
    for (int i = 0; i < size; ++i) {
      CHECK(b[i] == i + round);
      a[i] = i;
    }
    OK(MPI_Reduce_scatter_block(a, &y, 1, MPI_INT, MPI_SUM, comm));
    CHECK(y == me * size);
    OK(MPI_Reduce_scatter(a, &y, counts, MPI_INT, MPI_SUM, comm));
    CHECK(y == me * size);
  }
  free(a), free(b), free(counts), free(places);
}

static void outstanding(const struct seat* s) {
  const MPI_Comm comm = s->room->own[s->thread];
  const int size = s->room->size, me = s->room->rank;
  enum { several = 6 };
  MPI_Request r[several], kept[3];
  int in[several], out[several], index, flag;
  int* all = malloc((size_t)size * sizeof *all);
  int k_in[2] = {0, 0}, k_out[2] = {0, 0};
  OK(MPI_Allreduce_init(&k_in[0], &k_out[0], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &kept[0]));
  OK(MPI_Bcast_init(&k_in[1], 1, MPI_INT, 0, comm, MPI_INFO_NULL, &kept[1]));
  OK(MPI_Barrier_init(comm, MPI_INFO_NULL, &kept[2]));
  for (int round = 0; round < s->room->rounds; ++round) {
    for (int i = 0; i < several; ++i) in[i] = me + i + round, out[i] = -1;
    OK(MPI_Iallreduce(&in[0], &out[0], 1, MPI_INT, MPI_SUM, comm, &r[0]));
    OK(MPI_Ibarrier(comm, &r[1]));
    if (me == 0) out[2] = round;
    OK(MPI_Ibcast(&out[2], 1, MPI_INT, 0, comm, &r[2]));
    OK(MPI_Iallgather(&in[3], 1, MPI_INT, all, 1, MPI_INT, comm, &r[3]));
    OK(MPI_Iscan(&in[4], &out[4], 1, MPI_INT, MPI_SUM, comm, &r[4]));
    OK(MPI_Ireduce(&in[5], &out[5], 1, MPI_INT, MPI_MIN, 0, comm, &r[5]));
    switch (round % 3) {
      case 0:
        OK(MPI_Waitall(several, r, MPI_STATUSES_IGNORE));
        break;
      case 1:
        for (int i = several - 1; i >= 0; --i) OK(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
        break;
      default:
        for (int done = 0; done < several; done += flag)
          OK(MPI_Testany(several, r, &index, &flag, MPI_STATUS_IGNORE));
    }
    CHECK(out[0] == size * (size - 1) / 2 + size * round && out[2] == round);
    for (int i = 0; i < size; ++i) CHECK(all[i] == i + 3 + round);
    CHECK(out[4] == me * (me + 1) / 2 + (me + 1) * (4 + round));
    if (me == 0) CHECK(out[5] == 5 + round);
    k_in[0] = round, k_in[1] = me == 0 ? round : -1;
    OK(MPI_Startall(3, kept));
    OK(MPI_Waitall(3, kept, MPI_STATUSES_IGNORE));
    CHECK(k_out[0] == round * size && k_in[1] == round);
  }
  for (int i = 0; i < 3; ++i) OK(MPI_Request_free(&kept[i]));
  free(all);
}

static void neighbours(const struct seat* s) {
  const int dims[1] = {s->room->size}, periods[1] = {1};
  MPI_Comm ring;
  MPI_Request r;
  OK(MPI_Cart_create(s->room->own[s->thread], 1, dims, periods, s->thread % 2, &ring));
  int me, source, dest;
  OK(MPI_Comm_rank(ring, &me));
  OK(MPI_Cart_shift(ring, 0, 1, &source, &dest));
  for (int round = 0; round < s->room->rounds; ++round) {
    int x = me * 10 + round, two[2] = {x, x}, got[2] = {-1, -1};
    OK(MPI_Neighbor_allgather(&x, 1, MPI_INT, got, 1, MPI_INT, ring));
    CHECK(got[0] == source * 10 + round && got[1] == dest * 10 + round);
    OK(MPI_Ineighbor_alltoall(two, 1, MPI_INT, got, 1, MPI_INT, ring, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(got[0] == source * 10 + round && got[1] == dest * 10 + round);
  }
  OK(MPI_Comm_free(&ring));
}

/* --- objects --- */

static int copy_value(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)key;
  atomic_fetch_add((atomic_int*)extra, 1);
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}
static int delete_value(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value;
  atomic_fetch_sub((atomic_int*)extra, 1);
  return MPI_SUCCESS;
}

static void communicators(const struct seat* s) {
  const MPI_Comm own = s->room->own[s->thread];
  const int size = s->room->size, me = s->room->rank;
  MPI_Group group;
  OK(MPI_Comm_group(s->room->together, &group));
  for (int round = 0; round < s->room->rounds; ++round) {
    MPI_Comm dup, half, made, late, typed;
    MPI_Request r;
    int x = 1, y, result, key, length;
    char name[MPI_MAX_OBJECT_NAME], wanted[32];
    atomic_int alive = 0;
    OK(MPI_Comm_create_keyval(copy_value, delete_value, &key, (void*)&alive));
    OK(MPI_Comm_set_attr(own, key, &x));
    OK(MPI_Comm_dup(own, &dup));
    CHECK(atomic_load(&alive) == 1);
    snprintf(wanted, sizeof wanted, "dup %d of thread %d", round, s->thread);
    OK(MPI_Comm_set_name(dup, wanted));
    OK(MPI_Comm_get_name(dup, name, &length));
    CHECK(strcmp(name, wanted) == 0);
    OK(MPI_Comm_split(dup, me % 2, -me, &half));
    OK(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, half));
    CHECK(y == (size + 1 - me % 2) / 2);
    OK(MPI_Comm_idup(half, &late, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Comm_create_group(s->room->together, group, s->thread, &made));
    OK(MPI_Comm_compare(made, own, &result));
    CHECK(result == MPI_CONGRUENT);
    OK(MPI_Comm_split_type(made, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &typed));
    OK(MPI_Bcast(&x, 1, MPI_INT, 0, typed));
    OK(MPI_Barrier(late));
    OK(MPI_Isend(&x, 1, MPI_INT, right_of(s), 0, made, &r)); /* freed while in use */
    OK(MPI_Recv(&y, 1, MPI_INT, left_of(s), 0, made, MPI_STATUS_IGNORE));
    OK(MPI_Comm_free(&made));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Comm_free(&typed));
    OK(MPI_Comm_free(&late));
    OK(MPI_Comm_free(&half));
    OK(MPI_Comm_disconnect(&dup));
    CHECK(atomic_load(&alive) == 0);
    OK(MPI_Comm_delete_attr(own, key));
    OK(MPI_Comm_free_keyval(&key));
  }
  OK(MPI_Group_free(&group));
}

/* All threads of a rank set, read and delete under one key of one communicator: each value is deleted once.
 */
static void attributes(const struct seat* s) {
  struct room* room = s->room;
  struct requests_in_hand* hands = room->hands;
  static const int predefined[] = {MPI_TAG_UB, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE};
  if (s->thread == 0) {
    int key;
    atomic_store(&hands->deletes, 0);
    OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_value, &key, (void*)&hands->deletes));
    atomic_store(&hands->copies, key);
  }
  pthread_barrier_wait(&room->meeting);
  const int key = atomic_load(&hands->copies);
  for (int round = 0; round < room->rounds; ++round) {
    int flag;
    void* value;
    OK(MPI_Comm_set_attr(room->together, key, &room->own[s->thread]));
    OK(MPI_Comm_get_attr(room->together, key, &value, &flag));
    if (flag) CHECK(value >= (void*)&room->own[0] && value < (void*)&room->own[max_threads]);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, predefined[round % 3], &value, &flag));
    CHECK(flag);
  }
  pthread_barrier_wait(&room->meeting);
  if (s->thread == 0) {
    int k = key;
    OK(MPI_Comm_delete_attr(room->together, key));
    CHECK(atomic_load(&hands->deletes) == -room->rounds * room->threads);
    OK(MPI_Comm_free_keyval(&k));
  }
  pthread_barrier_wait(&room->meeting);
}

static void datatypes(const struct seat* s) {
  const MPI_Comm comm = s->room->together;
  const int tag = 400 + s->thread;
  for (int round = 0; round < s->room->rounds; ++round) {
    int in[32], out[32], bytes, position = 0;
    char packed[256];
    MPI_Datatype vector, dup, row, real;
    MPI_Aint low, extent;
    MPI_Request r;
    for (int i = 0; i < 32; ++i) out[i] = value_of(s->room->rank, s->thread, round, i), in[i] = -1;
    OK(MPI_Type_vector(4, 2, 4, MPI_INT, &vector));
    OK(MPI_Type_create_resized(vector, 0, 64, &row));
    OK(MPI_Type_free(&vector));
    OK(MPI_Type_commit(&row));
    OK(MPI_Type_dup(row, &dup));
    OK(MPI_Type_free(&row));
    OK(MPI_Type_create_f90_real(6 + s->thread % 2, 30, &real));
    OK(MPI_Type_get_extent(dup, &low, &extent));
    CHECK(extent == 64);
    OK(MPI_Isend(out, 2, dup, right_of(s), tag, comm, &r));
    OK(MPI_Recv(in, 2, dup, left_of(s), tag, comm, MPI_STATUS_IGNORE));
    OK(MPI_Type_free(&dup)); /* a send may still need it */
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    for (int i = 0; i < 32; ++i) CHECK(in[i] == (i % 4 < 2 ? value_of(left_of(s), s->thread, round, i) : -1));
    OK(MPI_Pack_size(2, s->room->type, comm, &bytes));
    CHECK(bytes <= (int)sizeof packed);
    OK(MPI_Pack(out, 2, s->room->type, packed, sizeof packed, &position, comm));
    position = 0;
    OK(MPI_Unpack(packed, sizeof packed, &position, in, 2, s->room->type, comm));
    CHECK(in[0] == out[0]);
  }
}

static void partitioned(const struct seat* s) {
  const MPI_Comm comm = s->room->own[s->thread];
  enum { parts = 4, each = 30 };
  int out[parts * each] = {0}, in[parts * each], flag;
  MPI_Request r[2];
  OK(MPI_Psend_init(out, parts, each, MPI_INT, right_of(s), 1, comm, MPI_INFO_NULL, &r[0]));
  OK(MPI_Precv_init(in, parts / 2, each * 2, MPI_INT, left_of(s), 1, comm, MPI_INFO_NULL, &r[1]));
  for (int round = 0; round < s->room->rounds; ++round) {
    for (int i = 0; i < parts * each; ++i) out[i] = value_of(s->room->rank, s->thread, round, i);
    OK(MPI_Startall(2, r));
    for (int i = parts - 1; i >= 0; --i) OK(MPI_Pready(i, r[0]));
    for (flag = 0; !flag;) OK(MPI_Parrived(r[1], round % 2, &flag));
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < parts * each; ++i) CHECK(in[i] == value_of(left_of(s), s->thread, round, i));
  }
  OK(MPI_Request_free(&r[0]));
  OK(MPI_Request_free(&r[1]));
}

/* One operation; each thread marks its own partition ready, and waits for the one of the other side. */
static void partitions_of_threads(const struct seat* s) {
  struct room* room = s->room;
  MPI_Request* r = room->hands->partitioned;
  static int buffers[64][2][max_threads]; /* by rank: ranks may be threads of one process */
  int(*mine)[max_threads] = buffers[room->rank % 64];
  if (s->thread == 0) {
    OK(MPI_Psend_init(mine[0], room->threads, 1, MPI_INT, right_of(s), 2, room->together, MPI_INFO_NULL,
                      &r[0]));
    OK(MPI_Precv_init(mine[1], room->threads, 1, MPI_INT, left_of(s), 2, room->together, MPI_INFO_NULL,
                      &r[1]));
  }
  for (int round = 0; round < room->rounds; ++round) {
    if (s->thread == 0) OK(MPI_Startall(2, r));
    pthread_barrier_wait(&room->meeting);
    mine[0][s->thread] = value_of(room->rank, s->thread, round, 0);
    OK(MPI_Pready(s->thread, r[0]));
    for (int flag = 0; !flag;) OK(MPI_Parrived(r[1], s->thread, &flag));
    CHECK(mine[1][s->thread] == value_of(left_of(s), s->thread, round, 0));
    pthread_barrier_wait(&room->meeting);
    if (s->thread == 0) OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    pthread_barrier_wait(&room->meeting);
  }
  if (s->thread == 0) {
    OK(MPI_Request_free(&r[0]));
    OK(MPI_Request_free(&r[1]));
  }
}

static void intercommunicators(const struct seat* s) {
  const int size = s->room->size, me = s->room->rank, first = (size + 1) / 2;
  if (size < 2) return;
  for (int round = 0; round < s->room->rounds / 4 + 1; ++round) {
    MPI_Comm half, inter, dup, merged;
    MPI_Request r;
    int x = me, y = -1, others, low = me < first;
    OK(MPI_Comm_split(s->room->own[s->thread], !low, me, &half));
    OK(MPI_Intercomm_create(half, 0, s->room->together, low ? first : 0, 500 + s->thread, &inter));
    OK(MPI_Comm_remote_size(inter, &others));
    CHECK(others == (low ? size - first : first));
    OK(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MAX, inter));
    CHECK(y == (low ? size - 1 : first - 1));
    OK(MPI_Ibarrier(inter, &r));
    OK(MPI_Comm_dup(inter, &dup));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Intercomm_merge(dup, !low, &merged));
    OK(MPI_Comm_rank(merged, &y));
    CHECK(y == me);
    if (me == 0) OK(MPI_Send(&x, 1, MPI_INT, 0, 0, inter));
    if (me == first) OK(MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, MPI_STATUS_IGNORE));
    OK(MPI_Comm_free(&merged));
    OK(MPI_Comm_free(&dup));
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&half));
  }
}

static void infos(const struct seat* s) {
  for (int round = 0; round < s->room->rounds; ++round) {
    MPI_Info info, copy, got;
    char key[32], value[32], found[32];
    int n, flag, room = sizeof found;
    OK(MPI_Info_create(&info));
    for (int i = 0; i < 5; ++i) {
      snprintf(key, sizeof key, "key %d", i);
      snprintf(value, sizeof value, "%d of %d", i + round, s->thread);
      OK(MPI_Info_set(info, key, value));
    }
    OK(MPI_Info_dup(info, &copy));
    OK(MPI_Info_delete(info, "key 1"));
    OK(MPI_Info_get_nkeys(copy, &n));
    CHECK(n == 5);
    OK(MPI_Info_get_string(copy, "key 4", &room, found, &flag));
    CHECK(flag && strcmp(found, value) == 0);
    snprintf(key, sizeof key, "hint of thread %d", s->thread);
    MPI_Info hint;
    OK(MPI_Info_create(&hint));
    OK(MPI_Info_set(hint, key, value));
    OK(MPI_Comm_set_info(s->room->together, hint)); /* of all threads at once */
    OK(MPI_Comm_get_info(s->room->together, &got));
    OK(MPI_Info_free(&hint));
    OK(MPI_Info_free(&got));
    OK(MPI_Info_free(&info));
    OK(MPI_Info_free(&copy));
  }
}

static atomic_int handled;
static void on_error(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  atomic_fetch_add(&handled, 1);
}

static void errors(const struct seat* s) {
  MPI_Comm dup;
  OK(MPI_Comm_dup(s->room->own[s->thread], &dup));
  for (int round = 0; round < s->room->rounds; ++round) {
    int error_class, code, got, length;
    char text[MPI_MAX_ERROR_STRING], wanted[64];
    MPI_Errhandler handler, back;
    OK(MPI_Add_error_class(&error_class));
    OK(MPI_Add_error_code(error_class, &code));
    snprintf(wanted, sizeof wanted, "error %d of thread %d", round, s->thread);
    OK(MPI_Add_error_string(code, wanted));
    OK(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, wanted) == 0);
    OK(MPI_Error_class(code, &got));
    CHECK(got == error_class);
    OK(MPI_Remove_error_string(code));
    OK(MPI_Remove_error_code(code));
    OK(MPI_Remove_error_class(error_class));
    OK(MPI_Comm_create_errhandler(on_error, &handler));
    OK(MPI_Comm_set_errhandler(dup, handler));
    OK(MPI_Errhandler_free(&handler));
    const int before = atomic_load(&handled);
    code = MPI_Send(&got, 1, MPI_INT, s->room->size + 3, 0, dup);
    OK(MPI_Error_class(code, &got));
    CHECK(got == MPI_ERR_RANK && atomic_load(&handled) > before);
    OK(MPI_Comm_get_errhandler(dup, &back));
    OK(MPI_Errhandler_free(&back));
    OK(MPI_Comm_set_errhandler(dup, MPI_ERRORS_RETURN));
    code = MPI_Send(&got, -1, MPI_INT, 0, 0, dup);
    OK(MPI_Error_string(code, text, &length));
    OK(MPI_Error_class(code, &got));
    CHECK(got == MPI_ERR_COUNT);
  }
  OK(MPI_Comm_free(&dup));
}

static void sessions(const struct seat* s) {
  for (int round = 0; round < s->room->rounds / 4 + 1; ++round) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Info info;
    int sets, x = 1, y;
    char name[64];
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session));
    OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets));
    CHECK(sets >= 2);
    OK(MPI_Session_get_info(session, &info));
    OK(MPI_Info_free(&info));
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    snprintf(name, sizeof name, "thread %d", s->thread);
    OK(MPI_Comm_create_from_group(group, name, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm));
    OK(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm));
    CHECK(y == s->room->size);
    OK(MPI_Session_attach_buffer(session, MPI_BUFFER_AUTOMATIC, 0));
    OK(MPI_Bsend(&x, 1, MPI_INT, right_of(s), 0, comm));
    OK(MPI_Recv(&y, 1, MPI_INT, left_of(s), 0, comm, MPI_STATUS_IGNORE));
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Session_finalize(&session));
  }
}

static void user_max(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i)
    if (((int*)in)[i] > ((int*)inout)[i]) ((int*)inout)[i] = ((int*)in)[i];
}

static void operations(const struct seat* s) {
  for (int round = 0; round < s->room->rounds; ++round) {
    MPI_Op op;
    int x[3] = {s->room->rank, round, s->thread}, y[3], commutes;
    OK(MPI_Op_create(user_max, round % 2, &op));
    OK(MPI_Op_commutative(op, &commutes));
    CHECK(commutes == round % 2);
    OK(MPI_Allreduce(x, y, 3, MPI_INT, op, s->room->own[s->thread]));
    CHECK(y[0] == s->room->size - 1 && y[1] == round && y[2] == s->thread);
    OK(MPI_Reduce_local(x, y, 3, MPI_INT, op));
    OK(MPI_Op_free(&op));
  }
}

static void figures(const struct seat* s) {
  MPI_T_pvar_session session;
  MPI_T_pvar_handle handle;
  int provided, index, count;
  OK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
  OK(MPI_T_pvar_session_create(&session));
  for (int round = 0; round < s->room->rounds; ++round) {
    unsigned long long value;
    OK(MPI_T_pvar_get_index("messages_short", MPI_T_PVAR_CLASS_COUNTER, &index));
    OK(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count));
    OK(MPI_T_pvar_read(session, handle, &value));
    OK(MPI_T_pvar_handle_free(session, &handle));
    CHECK(MPI_Wtime() > 0);
  }
  OK(MPI_T_pvar_session_free(&session));
  OK(MPI_T_finalize());
}

const struct chapter chapters[] = {
    {"messages", messages, 0},
    {"probes", probes, 0},
    {"buffered", buffered, 0},
    {"requests", requests, 0},
    {"collectives", collectives, 0},
    {"outstanding", outstanding, 0},
    {"neighbours", neighbours, 0},
    {"communicators", communicators, 0},
    {"datatypes", datatypes, 0},
    {"partitioned", partitioned, 0},
    {"intercommunicators", intercommunicators, 0},
    {"infos", infos, 0},
    {"errors", errors, 0},
    {"sessions", sessions, 0},
    {"operations", operations, 0},
    {"figures", figures, 0},
    {"wildcards", wildcards, 1},
    {"generalized", generalized, 1},
    {"attributes", attributes, 1},
    {"partitions_of_threads", partitions_of_threads, 1},
    {"windows", windows_of_threads, 1},
};
const int chapter_count = sizeof chapters / sizeof chapters[0];

void open_room(struct room* r, int threads, int rounds) {
  memset(r, 0, sizeof *r);
  r->threads = threads;
  r->rounds = rounds;
  MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &r->size);
  MPI_Comm_dup(MPI_COMM_WORLD, &r->together);
  MPI_Comm_dup(MPI_COMM_WORLD, &r->crowded);
  for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &r->own[i]);
  MPI_Type_vector(2, 1, 2, MPI_INT, &r->type);
  MPI_Type_commit(&r->type);
  pthread_barrier_init(&r->meeting, NULL, (unsigned)threads);
  r->hands = calloc(1, sizeof *r->hands);
}

void close_room(struct room* r) {
  free(r->hands);
  pthread_barrier_destroy(&r->meeting);
  MPI_Type_free(&r->type);
  for (int i = 0; i < r->threads; ++i) MPI_Comm_free(&r->own[i]);
  MPI_Comm_free(&r->crowded);
  MPI_Comm_free(&r->together);
}

/* On a communicator of the thread's number all ranks have the same order, whatever the other threads do. */
void mixed_chapters(const struct seat* s) {
  for (int i = 0; i < chapter_count; ++i) {
    const struct chapter* c = &chapters[(i + 3 * s->thread) % chapter_count];
    if (!c->in_step) c->work(s);
  }
}
