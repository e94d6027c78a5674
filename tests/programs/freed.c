/* Communicators that come and go around every kind of operation: messages of all lengths and modes
 * (persistent, synchronous, matched by probes, cancelled), non-blocking collectives, partitioned
 * communication, blocking messages that both ends wait for. A communicator is freed while its requests
 * are pending, right after they are complete, or later; what it leaves on its way must trouble nobody:
 * envelopes behind their data, adverts that come too late, cancelled messages. Several communicators
 * are in flight at once.
 *
 * All members of a communicator draw the same operations from its seed, and so know what each buffer
 * must hold.
 *
 * Usage: freed <ranks> [<threads> [<rounds>]]    LOADSTONE_TEST_SEED: of the first round */
#include <pthread.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { in_flight = 4, most_operations = 5, most_requests = 8, most_partitions = 4, unused_tag = 30000 };

typedef uint64_t random_state;

static uint64_t next(random_state* s) {
  uint64_t z = (*s += 0x9e3779b97f4a7c15u);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
static int below(random_state* s, int n) {
  return (int)(next(s) % (uint64_t)n);
}

static unsigned char content(uint64_t seed, size_t i) {
  return (unsigned char)(seed * 31 + i * 7 + (i >> 8) * 13 + (i >> 16));
}
static unsigned char* painted(size_t bytes, uint64_t seed) {
  unsigned char* made = malloc(bytes + 1);
  for (size_t i = 0; i < bytes; ++i) made[i] = content(seed, i);
  return made;
}
static void expect(const unsigned char* data, size_t bytes, uint64_t seed) {
  for (size_t i = 0; i < bytes; ++i) CHECK(data[i] == content(seed, i));
}

/* What is to be checked when an operation is complete. */
struct expected {
  unsigned char* data;
  size_t bytes;
  uint64_t seed;
};
struct operation {
  MPI_Request requests[most_requests];
  int pending, persistent[most_requests];
  unsigned char* blocks[2 * most_requests];
  int block_count;
  struct expected expected[2 * most_requests];
  int expected_count;
  int probed, tag; /* messages still to be taken by matched probes, from anybody */
};
struct flight {
  MPI_Comm comm;
  int used;
  struct operation operations[most_operations];
};

static unsigned char* keep(struct operation* o, unsigned char* block) {
  return o->blocks[o->block_count++] = block;
}
static unsigned char* room_for(struct operation* o, size_t bytes, uint64_t seed) {
  unsigned char* block = keep(o, malloc(bytes + 1));
  o->expected[o->expected_count++] = (struct expected){block, bytes, seed};
  return block;
}
static MPI_Request* add(struct operation* o, int persistent) {
  o->persistent[o->pending] = persistent;
  return &o->requests[o->pending++];
}

static size_t draw_size(random_state* s) {
  static const size_t sizes[] = {0,     1,     80,    97,     3000,   16385,  65536,
                                 65537, 65600, 90000, 100000, 262144, 262145, 700001};
  return sizes[below(s, (int)(sizeof sizes / sizeof *sizes))];
}

static void one_message(struct operation* o, MPI_Comm comm, int me, int n, int tag, random_state* s) {
  const int from = below(s, n), to = below(s, n), count = 1 + below(s, 3);
  const int send_form = below(s, 4), receive_form = below(s, 4);
  const uint64_t seed = next(s);
  o->tag = tag;
  for (int i = 0; i < count; ++i) {
    const size_t bytes = draw_size(s);
    const uint64_t of_this = seed + (uint64_t)i;
    if (me == to) {
      if (receive_form == 3) {
        ++o->probed;
        o->expected[o->expected_count++] = (struct expected){NULL, bytes, of_this};
      } else {
        unsigned char* to_here = room_for(o, bytes, of_this);
        const int source = receive_form == 1 ? MPI_ANY_SOURCE : from;
        if (receive_form == 2) {
          MPI_Request* r = add(o, 1);
          MPI_Recv_init(to_here, (int)bytes, MPI_BYTE, source, tag, comm, r);
          MPI_Start(r);
        } else {
          MPI_Irecv(to_here, (int)bytes, MPI_BYTE, source, tag, comm, add(o, 0));
        }
      }
    }
    if (me == from) {
      unsigned char* data = keep(o, painted(bytes, of_this));
      if (send_form == 0) {
        MPI_Request* r = add(o, 1);
        MPI_Send_init(data, (int)bytes, MPI_BYTE, to, tag, comm, r);
        MPI_Start(r);
      } else if (send_form == 1) {
        MPI_Issend(data, (int)bytes, MPI_BYTE, to, tag, comm, add(o, 0));
      } else {
        MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, comm, add(o, 0));
      }
    }
  }
}

static void everybody_to_everybody(struct operation* o, MPI_Comm comm, int me, int n, random_state* s) {
  static const size_t sizes[] = {8, 5000, 66000, 66000, 140000, 262144};
  const int times = 1 + below(s, 3);
  const size_t bytes = sizes[below(s, n > 4 ? 5 : 6)];
  for (int t = 0; t < times; ++t) {
    const uint64_t seed = next(s);
    unsigned char *out = keep(o, malloc(bytes * (size_t)n)), *in = keep(o, malloc(bytes * (size_t)n));
    for (int p = 0; p < n; ++p)
      for (size_t i = 0; i < bytes; ++i)
        out[(size_t)p * bytes + i] = content(seed + (uint64_t)(me * 64 + p), i);
    MPI_Ialltoall(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, comm, add(o, 0));
    /* As many as there are places for. */
    for (int p = 0; p < n && o->expected_count < 2 * most_requests; ++p)
      o->expected[o->expected_count++] =
          (struct expected){in + (size_t)p * bytes, bytes, seed + (uint64_t)(p * 64 + me)};
  }
}

static void from_one_to_all(struct operation* o, MPI_Comm comm, int me, int n, random_state* s) {
  const int root = below(s, n);
  const size_t bytes = draw_size(s);
  const uint64_t seed = next(s);
  unsigned char* data = room_for(o, bytes, seed);
  if (me == root)
    for (size_t i = 0; i < bytes; ++i) data[i] = content(seed, i);
  MPI_Ibcast(data, (int)bytes, MPI_BYTE, root, comm, add(o, 0));
  MPI_Ibarrier(comm, add(o, 0));
}

static void largest_of_all(struct operation* o, MPI_Comm comm, int me, int n, random_state* s) {
  const size_t bytes = draw_size(s);
  const uint64_t seed = next(s);
  const int owner = below(s, n); /* has the greatest everywhere */
  unsigned char *mine = keep(o, painted(bytes, seed)), *all = room_for(o, bytes, seed);
  if (me != owner) memset(mine, 0, bytes);
  MPI_Iallreduce(mine, all, (int)bytes, MPI_UINT8_T, MPI_MAX, comm, add(o, 0));
}

static void in_partitions(struct operation* o, MPI_Comm comm, int me, int n, int tag, random_state* s) {
  const int from = below(s, n), to = below(s, n), partitions = 1 + below(s, most_partitions);
  const int started = below(s, 4) != 0;
  const size_t bytes = draw_size(s);
  const uint64_t seed = next(s);
  const size_t all = bytes * (size_t)partitions;
  MPI_Request none = MPI_REQUEST_NULL, *out = &none, *in = &none;
  if (me == from) {
    out = started ? add(o, 1) : &none;
    MPI_Psend_init(keep(o, painted(all, seed)), partitions, (MPI_Count)bytes, MPI_BYTE, to, tag, comm,
                   MPI_INFO_NULL, out);
    if (!started) MPI_Request_free(out);
  }
  if (me == to) {
    in = started ? add(o, 1) : &none;
    unsigned char* here = started ? room_for(o, all, seed) : keep(o, malloc(all + 1));
    MPI_Precv_init(here, partitions, (MPI_Count)bytes, MPI_BYTE, from, tag, comm, MPI_INFO_NULL, in);
    if (!started) MPI_Request_free(in);
  }
  if (!started) return;
  if (me == to) MPI_Start(in);
  if (me != from) return;
  MPI_Start(out);
  const int first = below(s, partitions);
  for (int i = 0; i < partitions; ++i) MPI_Pready((first + i) % partitions, *out);
}

static void cancelled_receives(MPI_Comm comm, int n, random_state* s) {
  const int from = below(s, n), count = 1 + below(s, 2);
  for (int i = 0; i < count; ++i) {
    const size_t bytes = draw_size(s);
    unsigned char* nothing = malloc(bytes + 1);
    MPI_Request r;
    MPI_Status status;
    int cancelled = 0;
    MPI_Irecv(nothing, (int)bytes, MPI_BYTE, from, unused_tag, comm, &r);
    MPI_Cancel(&r);
    MPI_Wait(&r, &status);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK(cancelled);
    free(nothing);
  }
}

static void cancelled_sends(MPI_Comm comm, int me, int n, random_state* s) {
  const int to = below(s, n), count = 1 + below(s, 3);
  /* Whether a send can be cancelled is the library's choice (3.8.4, 'Cancel'): ours can, where memory is mapped. */
  const char* parameters = getenv("LOADSTONE_TEST");
  if (!on_loadstone() || (parameters != NULL && strstr(parameters, "transport=") != NULL)) return;
  for (int i = 0; i < count; ++i) {
    const size_t bytes = draw_size(s);
    unsigned char* data = painted(bytes, 1);
    MPI_Request r;
    MPI_Status status;
    int cancelled = 0;
    if (me != to || below(s, 2) == 0) {
      MPI_Issend(data, (int)bytes, MPI_BYTE, to, unused_tag + 1, comm, &r);
      MPI_Cancel(&r);
      MPI_Wait(&r, &status);
      MPI_Test_cancelled(&status, &cancelled);
      CHECK(cancelled);
    }
    free(data);
  }
}

/* Neighbours exchange a message that both wait for. */
static void awaited(MPI_Comm comm, int me, int n, int tag, random_state* s) {
  const size_t bytes = draw_size(s);
  const uint64_t seed = next(s);
  const int upwards = below(s, 2), peer = me ^ 1;
  if (peer >= n) return;
  if ((me & 1) == upwards) {
    unsigned char* data = painted(bytes, seed);
    MPI_Send(data, (int)bytes, MPI_BYTE, peer, tag, comm);
    free(data);
  } else {
    unsigned char* here = malloc(bytes + 1);
    MPI_Recv(here, (int)bytes, MPI_BYTE, peer, tag, comm, MPI_STATUS_IGNORE);
    expect(here, bytes, seed);
    free(here);
  }
}

static void look_around(MPI_Comm comm) {
  int flag;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
}

/* What is left of a communicator's operations; afterwards it has none. */
static void complete(struct flight* f, random_state* own) {
  if (!f->used) return;
  /* First what needs the communicator. */
  for (struct operation* o = f->operations; o < f->operations + most_operations; ++o) {
    for (int i = 0, at = 0; i < o->probed; ++i) {
      MPI_Message message;
      MPI_Status status;
      int bytes;
      MPI_Mprobe(MPI_ANY_SOURCE, o->tag, f->comm, &message, &status);
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      while (o->expected[at].data != NULL) ++at;
      CHECK(o->expected[at].bytes == (size_t)bytes);
      o->expected[at].data = keep(o, malloc((size_t)bytes + 1));
      MPI_Imrecv(o->expected[at].data, bytes, MPI_BYTE, &message, add(o, 0));
    }
    o->probed = 0;
  }
  const int early = f->comm != MPI_COMM_NULL && below(own, 2) == 0;
  if (early) MPI_Comm_free(&f->comm);
  for (struct operation* o = f->operations; o < f->operations + most_operations; ++o) {
    if (below(own, 2) == 0) {
      MPI_Waitall(o->pending, o->requests, MPI_STATUSES_IGNORE);
    } else {
      for (int i = 0, done = 0; i < o->pending; ++i, done = 0)
        while (!done) MPI_Test(&o->requests[i], &done, MPI_STATUS_IGNORE);
    }
  }
  if (f->comm != MPI_COMM_NULL) MPI_Comm_free(&f->comm);
  for (struct operation* o = f->operations; o < f->operations + most_operations; ++o) {
    for (int i = 0; i < o->pending; ++i)
      if (o->persistent[i]) MPI_Request_free(&o->requests[i]);
    for (int i = 0; i < o->expected_count; ++i)
      expect(o->expected[i].data, o->expected[i].bytes, o->expected[i].seed);
    for (int i = 0; i < o->block_count; ++i) free(o->blocks[i]);
  }
  memset(f, 0, sizeof *f);
}

static void start(struct flight* f, random_state s, random_state* own) {
  int me, n;
  MPI_Comm_rank(f->comm, &me);
  MPI_Comm_size(f->comm, &n);
  f->used = 1;
  int needed = 0;
  const int operations = 1 + below(&s, most_operations);
  for (int i = 0; i < operations; ++i) {
    struct operation* o = &f->operations[i];
    random_state of_this = next(&s);
    if (below(own, 4) == 0) usleep((useconds_t)below(own, 300));
    if (below(own, 4) == 0) look_around(f->comm);
    switch (below(&s, 10)) {
      case 0:
      case 1:
      case 2:
        one_message(o, f->comm, me, n, i, &of_this);
        break;
      case 3:
      case 4:
        everybody_to_everybody(o, f->comm, me, n, &of_this);
        break;
      case 5:
        from_one_to_all(o, f->comm, me, n, &of_this);
        break;
      case 6:
        largest_of_all(o, f->comm, me, n, &of_this);
        break;
      case 7:
        in_partitions(o, f->comm, me, n, i, &of_this);
        break;
      case 8:
        below(&of_this, 2) != 0 ? cancelled_receives(f->comm, n, &of_this)
                                : cancelled_sends(f->comm, me, n, &of_this);
        break;
      default:
        awaited(f->comm, me, n, i, &of_this);
    }
    needed |= o->probed != 0;
  }
  if (!needed && below(own, 3) == 0) MPI_Comm_free(&f->comm); /* its requests are pending */
}

/* The same kind everywhere; some processes may get none. */
static MPI_Comm make(MPI_Comm parent, MPI_Comm another, random_state* s, int* color) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request r;
  MPI_Group all, some;
  int me, n, members[64], count = 0;
  MPI_Comm_rank(parent, &me);
  MPI_Comm_size(parent, &n);
  const int kind = below(s, 6);
  const uint64_t colors = next(s);
  *color = 0;
  switch (kind) {
    case 0:
      *color = (int)(colors >> me % 60 & 1);
      MPI_Comm_split(parent, (colors >> (me + 7) % 60 & 7) == 7 ? MPI_UNDEFINED : *color, -me, &made);
      break;
    case 1:
      MPI_Comm_idup(parent, &made, &r);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
      break;
    case 2:
      for (int p = 0; p < n; ++p)
        if (p == n - 1 || (colors >> p % 60 & 1) != 0) members[count++] = p;
      MPI_Comm_group(parent, &all);
      MPI_Group_incl(all, count, members, &some);
      MPI_Comm_create(parent, some, &made);
      MPI_Group_free(&all);
      MPI_Group_free(&some);
      break;
    case 3:
      if (another != MPI_COMM_NULL) parent = another;
      /* fall through */
    default:
      MPI_Comm_dup(parent, &made);
  }
  return made;
}

struct strand {
  MPI_Comm parent;
  int rounds;
  random_state seed;
};

static void* run(void* context) {
  struct strand* mine = context;
  random_state s = mine->seed, own = s * 4 + (uint64_t)rank;
  struct flight* flights = calloc(in_flight, sizeof *flights);
  MPI_Comm whole = MPI_COMM_NULL; /* a communicator to be copied: of all, and freed now and then */
  for (int round = 0; round < mine->rounds; ++round) {
    struct flight* f = &flights[round % in_flight];
    complete(f, &own);
    int color;
    const uint64_t seed = next(&s);
    f->comm = make(mine->parent, whole, &s, &color);
    if (f->comm != MPI_COMM_NULL) start(f, seed + (uint64_t)color, &own);
    if (below(&s, 8) == 0) {
      if (whole != MPI_COMM_NULL)
        MPI_Comm_free(&whole);
      else
        MPI_Comm_dup(mine->parent, &whole);
    }
    if (below(&s, 3) == 0) complete(f, &own);
  }
  for (int i = 0; i < in_flight; ++i) complete(&flights[(mine->rounds + i) % in_flight], &own);
  if (whole != MPI_COMM_NULL) MPI_Comm_free(&whole);
  free(flights);
  return NULL;
}

int main(int argc, char** argv) {
  enum { most_threads = 8 };
  const int threads = argc > 2 ? atoi(argv[2]) : 1, rounds = argc > 3 ? atoi(argv[3]) : 60;
  int provided;
  MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  start_world(argc, argv);
  CHECK(threads <= most_threads && size <= 64);
  const char* text = getenv("LOADSTONE_TEST_SEED");
  uint64_t seed =
      text != NULL ? strtoull(text, NULL, 10) : (uint64_t)time(NULL) * 1000 + (uint64_t)getpid() % 1000;
  MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("seed %llu (LOADSTONE_TEST_SEED)\n", (unsigned long long)seed), fflush(stdout);
  struct strand strands[most_threads];
  pthread_t others[most_threads];
  for (int t = 0; t < threads; ++t) {
    strands[t] = (struct strand){MPI_COMM_NULL, rounds, seed + (uint64_t)t * 1000003};
    MPI_Comm_dup(MPI_COMM_WORLD, &strands[t].parent);
  }
  for (int t = 1; t < threads; ++t) CHECK(pthread_create(&others[t], NULL, run, &strands[t]) == 0);
  run(&strands[0]);
  for (int t = 1; t < threads; ++t) pthread_join(others[t], NULL);
  for (int t = 0; t < threads; ++t) MPI_Comm_free(&strands[t].parent);
  MPI_Finalize();
  return 0;
}
