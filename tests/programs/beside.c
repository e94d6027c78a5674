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

/* Rank 2 sends its token after so long. */
static void send_token(int to, int ms) {
  rest(ms);
  MPI_Send(&ms, 1, MPI_INT, to, 2, MPI_COMM_WORLD);
}

static void wait_for_token(void) {
  int ms;
  const double begin = MPI_Wtime();
  MPI_Recv(&ms, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(1000 * (MPI_Wtime() - begin) < away_ms / 2);
}

/* Rank 0 has sent, and waits for rank 2's token, or for nothing; then it is away. Rank 1 receives meanwhile: by waiting for
 * that, or for a token of its own. */
static void check_leaving(int bytes, int sender_waits, int receiver_waits, int token_ms) {
  MPI_Request r;
  fill(out, bytes, 0, token_ms);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Isend(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &r);
    if (sender_waits) wait_for_token();
    rest(away_ms);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    const double begin = MPI_Wtime();
    MPI_Irecv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &r);
    if (!receiver_waits) wait_for_token();
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK(memcmp(in, out, (size_t)bytes) == 0);
    /* Without the kernel's help it takes the sender. */
    if (getenv("LOADSTONE_VM") == NULL) CHECK(1000 * (MPI_Wtime() - begin) < away_ms);
  } else if (rank == 2) {
    if (sender_waits) send_token(0, token_ms);
    if (!receiver_waits) send_token(1, token_ms);
  }
}

/* Nobody receives for long what rank 0 has sent: that does not keep it. */
static void check_unreceived(int bytes) {
  MPI_Request r;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Isend(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &r);
    wait_for_token();
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    rest(away_ms);
    MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 2) {
    send_token(0, 1);
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
  check_data();
  if (size >= 3) {
    static const int sizes[] = {262144, 1 << 20, 5 << 20};
    for (int s = 0; s < 3; ++s) {
      check_unreceived(sizes[s]);
      for (int who = 0; who < 4; ++who) check_leaving(sizes[s], who % 2, who / 2, s);
    }
  }
  free(out);
  free(in);
  free(expected);
  MPI_Finalize();
  return 0;
}
