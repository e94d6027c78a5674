/* Who waits does not compute: rank 0 comes half a second late to each of these calls, and the others may use a
 * tenth of that of processor time meanwhile (not wall time: other processes on the machine do not count).
 * With `short`: to barriers, broadcasts and allreduces only, which may use 0.02 s.
 * usage: idle RANKS [threads|short] */
#include <time.h>

#include "check.h"

enum { late = 0, kept_messages = 5000, large = 1 << 20 };
static char data[large];
static double used_before, may_use = 0.05;

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void come_late(void) {
  const struct timespec half = {0, 500000000};
  nanosleep(&half, NULL);
}

/* Around the call that waits. */
static void from_here(void) {
  used_before = processor_seconds();
}
static void to_here(const char* what) {
  const double used = processor_seconds() - used_before;
  if (used <= may_use || !on_loadstone()) return;
  fprintf(stderr, "idle.c: rank %d of %d: %s used %.3f s of processor time in half a second of waiting\n",
          rank, size, what, used);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define WAITS(call) (from_here(), (call), to_here(#call))

/* What rank 0 does for the calls that wait for a message, or for one to be received. */
static void send_to_all(int tag, int n) {
  for (int peer = 1; peer < size; ++peer) MPI_Send(data, n, MPI_CHAR, peer, tag, MPI_COMM_WORLD);
}
static void receive_from_all(int tag) {
  for (int peer = 1; peer < size; ++peer)
    MPI_Recv(data, large, MPI_CHAR, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receive(void) {
  if (rank == late) return send_to_all(1, 1);
  WAITS(MPI_Recv(data, 1, MPI_CHAR, late, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void probe(void) {
  if (rank == late) return send_to_all(1, 1);
  WAITS(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_Recv(data, 1, MPI_CHAR, late, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void matched_probe(void) {
  MPI_Message message;
  if (rank == late) return send_to_all(1, large);
  WAITS(MPI_Mprobe(late, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
  MPI_Mrecv(data, large, MPI_CHAR, &message, MPI_STATUS_IGNORE);
}

/* More than the receiver takes in stands in its sender's queue. */
static void keep(int tag) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == late)
    for (int i = 0; i < kept_messages; ++i) send_to_all(tag, 64);
  MPI_Barrier(MPI_COMM_WORLD);
}
static void take_kept(int tag) {
  for (int i = 0; i < kept_messages && rank != late; ++i)
    MPI_Recv(data, 64, MPI_CHAR, late, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void before_kept(void) {
  keep(7);
}
static void probe_past_kept(void) {
  if (rank == late) {
    send_to_all(1, 1);
  } else {
    MPI_Status status;
    WAITS(MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status));
    CHECK(status.MPI_SOURCE == late && status.MPI_TAG == 1);
    MPI_Recv(data, 1, MPI_CHAR, late, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  take_kept(7);
}
static void matched_probe_past_kept(void) {
  if (rank == late) {
    send_to_all(1, 1);
  } else {
    MPI_Message message;
    MPI_Status status;
    WAITS(MPI_Mprobe(late, 1, MPI_COMM_WORLD, &message, &status));
    CHECK(status.MPI_SOURCE == late && status.MPI_TAG == 1);
    MPI_Mrecv(data, 1, MPI_CHAR, &message, MPI_STATUS_IGNORE);
  }
  take_kept(7);
}
static void receive_past_kept(void) {
  receive();
  take_kept(7);
}

static void synchronous_send(void) {
  if (rank == late) return receive_from_all(1);
  WAITS(MPI_Ssend(data, 1, MPI_CHAR, late, 1, MPI_COMM_WORLD));
}

static void large_send(void) {
  if (rank == late) return receive_from_all(1);
  WAITS(MPI_Send(data, large, MPI_CHAR, late, 1, MPI_COMM_WORLD));
}

static void detach_buffer(void) {
  static char buffer[large + MPI_BSEND_OVERHEAD];
  void* at;
  int n;
  if (rank == late) return receive_from_all(1);
  MPI_Buffer_attach(buffer, sizeof buffer);
  MPI_Bsend(data, large, MPI_CHAR, late, 1, MPI_COMM_WORLD);
  WAITS(MPI_Buffer_detach(&at, &n));
}

/* Two receives, one of which is never answered before the end. */
static MPI_Request two[2];
static void post_two(void) {
  if (rank == late) return;
  MPI_Irecv(data, 1, MPI_CHAR, late, 2, MPI_COMM_WORLD, &two[0]);
  MPI_Irecv(data + 1, 1, MPI_CHAR, late, 1, MPI_COMM_WORLD, &two[1]);
}
static void answer_both(void) {
  if (rank == late) {
    send_to_all(2, 1);
  } else {
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
  }
}
static void wait_one(void) {
  if (rank == late) send_to_all(1, 1);
  if (rank != late) WAITS(MPI_Wait(&two[1], MPI_STATUS_IGNORE));
  answer_both();
}
static void wait_any(void) {
  int which;
  if (rank == late) send_to_all(1, 1);
  if (rank != late) WAITS(MPI_Waitany(2, two, &which, MPI_STATUS_IGNORE));
  answer_both();
}
static void wait_some(void) {
  int n, which[2];
  if (rank == late) send_to_all(1, 1);
  if (rank != late) WAITS(MPI_Waitsome(2, two, &n, which, MPI_STATUSES_IGNORE));
  answer_both();
}
static void wait_all(void) {
  if (rank == late) {
    send_to_all(1, 1);
    send_to_all(2, 1);
  } else {
    WAITS(MPI_Waitall(2, two, MPI_STATUSES_IGNORE));
  }
}

static void barrier(void) {
  WAITS(MPI_Barrier(MPI_COMM_WORLD));
}
static void broadcast(void) {
  WAITS(MPI_Bcast(data, 1, MPI_CHAR, late, MPI_COMM_WORLD));
}
static void allreduce(void) {
  int one = 1, sum = 0;
  WAITS(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  CHECK(sum == size);
}
static void large_allreduce(void) {
  static int in[100000], out[100000];
  WAITS(MPI_Allreduce(in, out, 100000, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
}
static void wait_for_collective(void) {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  WAITS(MPI_Wait(&request, MPI_STATUS_IGNORE));
}
static void duplicate(void) {
  MPI_Comm copy;
  WAITS(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
  MPI_Comm_free(&copy);
}
static void duplicate_in_background(void) {
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  WAITS(MPI_Wait(&request, MPI_STATUS_IGNORE));
  MPI_Comm_free(&copy);
}
static void split(void) {
  MPI_Comm part;
  WAITS(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &part));
  MPI_Comm_free(&part);
}
static void from_group(void) {
  MPI_Group group;
  MPI_Comm made;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  WAITS(MPI_Comm_create_from_group(group, "idle", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made));
  MPI_Group_free(&group);
  MPI_Comm_free(&made);
}

static void in_areas(void) { /* what has been done twice goes by areas */
  int one = 1, sum = 0;
  for (int i = 0; i < 4; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(data, large, MPI_CHAR, late, MPI_COMM_WORLD);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
}
static void large_broadcast(void) {
  WAITS(MPI_Bcast(data, large, MPI_CHAR, late, MPI_COMM_WORLD));
}

/* `before` runs in time on every rank; then rank 0 is late for `call`. */
typedef struct {
  void (*before)(void);
  void (*call)(void);
} waiting;
static const waiting table[] = {{NULL, receive},
                                {NULL, probe},
                                {NULL, matched_probe},
                                {before_kept, probe_past_kept},
                                {before_kept, matched_probe_past_kept},
                                {before_kept, receive_past_kept},
                                {NULL, synchronous_send},
                                {NULL, large_send},
                                {NULL, detach_buffer},
                                {post_two, wait_one},
                                {post_two, wait_any},
                                {post_two, wait_some},
                                {post_two, wait_all},
                                {NULL, barrier},
                                {NULL, broadcast},
                                {NULL, allreduce},
                                {NULL, large_allreduce},
                                {NULL, wait_for_collective},
                                {NULL, duplicate},
                                {NULL, duplicate_in_background},
                                {NULL, split},
                                {NULL, from_group}};
static const waiting short_table[] = {{in_areas, barrier},     {NULL, broadcast},
                                      {NULL, allreduce},       {NULL, large_broadcast},
                                      {NULL, large_allreduce}, {NULL, wait_for_collective}};

int main(int argc, char** argv) {
  setenv("LOADSTONE_UNEXPECTED", "65536", 1); /* so that messages are soon left with their sender */
  int provided;
  const int is_short = argc > 2 && strcmp(argv[2], "short") == 0;
  MPI_Init_thread(&argc, &argv, argc > 2 && !is_short ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  start_world(argc, argv);
  if (is_short) may_use = 0.02;
  const waiting* const all = is_short ? short_table : table;
  const size_t n = is_short ? sizeof short_table / sizeof short_table[0] : sizeof table / sizeof table[0];
  for (size_t i = 0; i < n; ++i) {
    if (all[i].before) all[i].before();
    if (rank == late) come_late();
    all[i].call();
  }
  const int measured = on_loadstone();
  if (rank == late) come_late();
  from_here();
  MPI_Finalize();
  const double used = processor_seconds() - used_before;
  if (measured && used >= 0.1) {
    fprintf(stderr, "idle.c: rank %d of %d: MPI_Finalize used %.3f s of processor time\n", rank, size, used);
    return 1;
  }
  return 0;
}
