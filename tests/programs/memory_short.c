/* A rank whose memory for messages is used up (LOADSTONE_ARENA_LIMIT): what is kept only to save time makes room
 * for what is needed, and a message that cannot be sent is an error of the call that sends it, after which no
 * other takes its place. */
#include "check.h"

enum { longest = 300000, many = 1000 };
static unsigned char out[longest], in[longest];

/* Leaves cells of all lengths behind, those that are passed to and fro as well. */
static void exchange_all_lengths(int peer) {
  for (int bytes = 300; bytes < longest; bytes *= 2) {
    for (int i = 0; i < 40; ++i) {
      memset(out, i + rank, (size_t)bytes);
      MPI_Sendrecv(out, bytes, MPI_BYTE, peer, 1, in, bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      CHECK(in[0] == (unsigned char)(i + peer) && in[bytes - 1] == (unsigned char)(i + peer));
    }
  }
}

/* `many` at once, of which each needs something in the sender's memory; received later. */
static void send_many(void) {
  static MPI_Request requests[many];
  static int numbers[many];
  const int go = 1;
  if (rank == 0) {
    for (int i = 0; i < many; ++i) {
      numbers[i] = i;
      CHECK(MPI_Issend(&numbers[i], 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[i]) == MPI_SUCCESS);
    }
    MPI_Send(&go, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    CHECK(MPI_Waitall(many, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  } else if (rank == 1) {
    int said = 0;
    MPI_Recv(&said, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < many; ++i) {
      int number = -1;
      MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(number == i);
    }
  }
}

/* Until there is no more memory: `Isend`, or (`persistent`) `Start`. */
static void send_until_refused(int persistent) {
  enum { most = 100000 };
  static MPI_Request requests[most];
  int sent = 0, code = MPI_SUCCESS, class = 0;
  const int go = 1;
  if (rank == 0) {
    for (; sent < most; ++sent) {
      MPI_Request* r = &requests[sent];
      if (persistent) {
        MPI_Ssend_init(&out[sent], 1, MPI_BYTE, 1, 7, MPI_COMM_WORLD, r);
        code = MPI_Start(r);
      } else {
        code = MPI_Issend(&out[sent], 1, MPI_BYTE, 1, 7, MPI_COMM_WORLD, r);
      }
      if (code != MPI_SUCCESS) break;
    }
    MPI_Error_class(code, &class);
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    CHECK(class == MPI_ERR_NO_MEM && strstr(text, persistent ? "MPI_Start" : "MPI_Issend") != NULL);
    if (persistent)
      CHECK(MPI_Request_free(&requests[sent]) == MPI_SUCCESS);
    else
      CHECK(requests[sent] == MPI_REQUEST_NULL && strstr(text, "rank 1") != NULL);
    /* Nothing is left that waits for an answer to a message which has not been sent. */
    MPI_Request both = MPI_REQUEST_NULL;
    code = MPI_Sendrecv(out, longest, MPI_BYTE, 1, 9, in, longest, MPI_BYTE, 1, 9, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_NO_MEM);
    code = MPI_Isendrecv(out, longest, MPI_BYTE, 1, 9, in, longest, MPI_BYTE, 1, 9, MPI_COMM_WORLD, &both);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_NO_MEM && both == MPI_REQUEST_NULL);
    MPI_Send(&sent, 1, MPI_INT, 1, 8, MPI_COMM_WORLD); /* short, and leaves at once */
    CHECK(MPI_Waitall(sent, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    for (int i = 0; persistent && i < sent; ++i) MPI_Request_free(&requests[i]);
    MPI_Send(&go, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&sent, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < sent; ++i) {
      unsigned char byte = 0;
      MPI_Recv(&byte, 1, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(byte == (unsigned char)(i * 7));
    }
    int said = 0;
    MPI_Recv(&said, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(said == go);
  }
}

/* A collective that one of them cannot send in ends the job: nobody waits for it for ever. */
static void reduce_without_memory(void) {
  static int sums[longest / sizeof(int)];
  MPI_Request request;
  if (rank == 1)
    while (MPI_Issend(out, 1, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &request) == MPI_SUCCESS) {
    }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Allreduce(out, sums, longest / sizeof(int), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (argc > 2) reduce_without_memory();
  if (rank < 2) exchange_all_lengths(1 - rank);
  MPI_Barrier(MPI_COMM_WORLD);
  send_many();
  for (int i = 0; i < longest; ++i) out[i] = (unsigned char)(i * 7);
  for (int persistent = 0; persistent < 2; ++persistent) {
    if (on_loadstone()) send_until_refused(persistent);
    if (rank < 2) exchange_all_lengths(1 - rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < longest; ++i) out[i] = (unsigned char)(i * 7);
  }
  MPI_Finalize();
  return 0;
}
