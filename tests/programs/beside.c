/* Large messages that are open while their owners wait for something else: data of all sizes in all forms of an exchange;
 * and nobody who waits is kept by a peer that has left the library.
 * usage: beside RANKS */
#include <time.h>

#include "check.h"

enum { largest = 6 << 20, forms = 6, away_ms = 600 };

static unsigned char *out, *in, *expected;
static int left, right;

static void fill(unsigned char* to, int n, int from, int round) {
  for (int i = 0; i < n; ++i) to[i] = (unsigned char)(i * 7 + (i >> 9) + from * 31 + round);
}

static void exchange(int form, int n, int from, int to, int source) {
  MPI_Request r[2];
  switch (form) {
    case 0:
      MPI_Isend(out, n, MPI_BYTE, to, 0, MPI_COMM_WORLD, &r[0]);
      MPI_Recv(in, from, MPI_BYTE, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&r[0], MPI_STATUS_IGNORE);
      break;
    case 1:
      MPI_Irecv(in, from, MPI_BYTE, source, 0, MPI_COMM_WORLD, &r[0]);
      MPI_Send(out, n, MPI_BYTE, to, 0, MPI_COMM_WORLD);
      MPI_Wait(&r[0], MPI_STATUS_IGNORE);
      break;
    case 2: /* the receive first */
    case 3:
      MPI_Irecv(in, from, MPI_BYTE, source, 0, MPI_COMM_WORLD, &r[0]);
      MPI_Isend(out, n, MPI_BYTE, to, 0, MPI_COMM_WORLD, &r[1]);
      MPI_Wait(&r[form - 2], MPI_STATUS_IGNORE);
      MPI_Wait(&r[3 - form], MPI_STATUS_IGNORE);
      break;
    case 4: { /* something of the peer's that comes at once */
      int there = 0;
      MPI_Isend(out, n, MPI_BYTE, to, 0, MPI_COMM_WORLD, &r[0]);
      MPI_Irecv(in, from, MPI_BYTE, source, 0, MPI_COMM_WORLD, &r[1]);
      MPI_Sendrecv(&n, 1, MPI_INT, to, 1, &there, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      while (!there) MPI_Test(&r[1], &there, MPI_STATUS_IGNORE);
      MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
      break;
    }
    default: /* everybody's */
      MPI_Isend(out, n, MPI_BYTE, to, 0, MPI_COMM_WORLD, &r[0]);
      MPI_Irecv(in, from, MPI_BYTE, source, 0, MPI_COMM_WORLD, &r[1]);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  }
}

static void check_data(void) {
  static const int sizes[] = {0, 1000, 70000, 262143, 262144, 262145, 1000003, 5 << 20};
  enum { count = sizeof sizes / sizeof *sizes };
  for (int form = 0; form < forms; ++form)
    for (int round = 0; round < 3 * count; ++round) {
      /* The second and third time, of other lengths in both directions. */
      const int mine = sizes[(round + (round / count) * rank) % count],
                theirs = sizes[(round + (round / count) * left) % count];
      fill(out, mine, rank, round);
      fill(expected, theirs, left, round);
      memset(in, 0xee, (size_t)theirs + 1);
      exchange(form, mine, theirs, right, round % 2 ? MPI_ANY_SOURCE : left);
      CHECK(memcmp(in, expected, (size_t)theirs) == 0);
      CHECK(in[theirs] == 0xee);
    }
}

static void rest(int ms) {
  const struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
  nanosleep(&t, NULL);
}

/* Rank 0 has sent much, and waits for a message of rank 1's; then it is away. Rank 1 receives meanwhile: by waiting for that,
 * or for a token. What it has begun to take with rank 0's help it gets, or it goes without. Of more
 * ranks than there are cores nobody would be kept. */
static void check_leaving(int bytes, int back, int receiver_waits) {
  MPI_Request r[2];
  int token = 0;
  fill(out, rank == 0 ? bytes : back, rank, back);
  fill(expected, rank == 0 ? back : bytes, 1 - rank, back);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Isend(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Recv(in, back, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!receiver_waits) MPI_Send(&token, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    CHECK(memcmp(in, expected, (size_t)back) == 0);
    rest(away_ms);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    const double begin = MPI_Wtime();
    MPI_Irecv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, back, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &r[1]);
    if (!receiver_waits) MPI_Recv(&token, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    CHECK(memcmp(in, expected, (size_t)bytes) == 0);
    /* Without the kernel's help it takes the sender. */
    if (getenv("LOADSTONE_VM") == NULL) CHECK(1000 * (MPI_Wtime() - begin) < away_ms);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  }
}

/* Nobody receives for long what rank 0 has sent: that does not keep it. */
static void check_unreceived(int bytes) {
  MPI_Request r;
  int token = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    const double begin = MPI_Wtime();
    MPI_Isend(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &r);
    MPI_Recv(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(1000 * (MPI_Wtime() - begin) < away_ms / 2);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    rest(1);
    MPI_Send(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    rest(away_ms);
    MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  out = malloc(largest);
  in = malloc(largest);
  expected = malloc(largest);
  /* First, while nothing is known of what is quicker, and large messages go through cells. */
  if (size == 2) {
    static const int sizes[] = {300000, 1 << 20, 5 << 20}, back[] = {4, 300000};
    for (int s = 0; s < 3; ++s) {
      check_unreceived(sizes[s]);
      for (int who = 0; who < 4; ++who) check_leaving(sizes[s], back[who % 2], who / 2);
    }
  }
  check_data();
  free(out);
  free(in);
  free(expected);
  MPI_Finalize();
  return 0;
}
