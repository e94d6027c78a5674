/* Forms of a message of few bytes between pairs of ranks, and a master that serves workers. A part of patterns.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#pragma once

static void isend_recv_wait(int n) {
  MPI_Isend(out, n, MPI_LONG, peer, 0, MPI_COMM_WORLD, requests);
  MPI_Recv(in, n, MPI_LONG, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}
static void irecv_send_wait(int n) {
  MPI_Irecv(in, n, MPI_LONG, peer, 0, MPI_COMM_WORLD, requests);
  MPI_Send(out, n, MPI_LONG, peer, 0, MPI_COMM_WORLD);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}
static void sendrecv(int n) {
  MPI_Sendrecv(out, n, MPI_LONG, peer, 0, in, n, MPI_LONG, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void shift(int n) {
  MPI_Sendrecv(out, n, MPI_LONG, (rank + 1) % size, 0, in, n, MPI_LONG, (rank + size - 1) % size, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void sendrecv_replace(int n) {
  MPI_Sendrecv_replace(out, n, MPI_LONG, peer, 0, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Receives are the first `count` of the requests, sends those behind them. */
static void begin_exchange(int count, int n) {
  for (int i = 0; i < count; i++) MPI_Irecv(in + i * n, n, MPI_LONG, peer, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < count; i++)
    MPI_Isend(out + i * n, n, MPI_LONG, peer, i, MPI_COMM_WORLD, &requests[count + i]);
}
static void test_loop(int n) {
  begin_exchange(1, n);
  for (int i = 0; i < 2; i++)
    for (int done = 0; !done;) MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
}
static void testall_loop(int n) {
  begin_exchange(some, n);
  for (int done = 0; !done;) MPI_Testall(2 * some, requests, &done, MPI_STATUSES_IGNORE);
}
static void testany_loop(int n) {
  begin_exchange(some, n);
  for (int index = 0, done; index != MPI_UNDEFINED;) {
    MPI_Testany(2 * some, requests, &index, &done, MPI_STATUS_IGNORE);
    if (!done) index = 0;
  }
}
static void waitall(int n) {
  begin_exchange(many, n);
  MPI_Waitall(2 * many, requests, MPI_STATUSES_IGNORE);
}
static void waitany(int n) {
  begin_exchange(many, n);
  for (int i = 0, index; i < many; i++) MPI_Waitany(many, requests, &index, MPI_STATUS_IGNORE);
  MPI_Waitall(many, requests + many, MPI_STATUSES_IGNORE);
}
static void waitsome(int n) {
  int which[some];
  begin_exchange(some, n);
  for (int left = some, done; left > 0; left -= done)
    MPI_Waitsome(some, requests, &done, which, MPI_STATUSES_IGNORE);
  MPI_Waitall(some, requests + some, MPI_STATUSES_IGNORE);
}
static void backwards(int n) { /* messages that nobody has asked for are taken last first */
  for (int i = 0; i < some; i++) MPI_Isend(out + i * n, n, MPI_LONG, peer, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = some; i-- > 0;) MPI_Recv(in + i * n, n, MPI_LONG, peer, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(some, requests, MPI_STATUSES_IGNORE);
}

static void send(int n) {
  MPI_Send(out, n, MPI_LONG, peer, 0, MPI_COMM_WORLD);
}
static void bsend(int n) {
  MPI_Bsend(out, n, MPI_LONG, peer, 0, MPI_COMM_WORLD);
}
static void ssend(int n) {
  MPI_Ssend(out, n, MPI_LONG, peer, 0, MPI_COMM_WORLD);
}
static void recv(int n) {
  MPI_Recv(in, n, MPI_LONG, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void take_any(int n) {
  MPI_Recv(in, n, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
}
static void probe_recv(int n) {
  MPI_Probe(peer, 0, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_LONG, &n);
  recv(n);
}
static void iprobe_recv(int n) {
  for (int there = 0; !there;) MPI_Iprobe(peer, 0, MPI_COMM_WORLD, &there, &status);
  MPI_Get_count(&status, MPI_LONG, &n);
  recv(n);
}
static void mprobe_mrecv(int n) {
  MPI_Message message;
  MPI_Mprobe(peer, 0, MPI_COMM_WORLD, &message, &status);
  MPI_Get_count(&status, MPI_LONG, &n);
  MPI_Mrecv(in, n, MPI_LONG, &message, MPI_STATUS_IGNORE);
}
static void improbe_imrecv(int n) {
  MPI_Message message;
  for (int there = 0; !there;) MPI_Improbe(peer, 0, MPI_COMM_WORLD, &there, &message, &status);
  MPI_Imrecv(in, n, MPI_LONG, &message, requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}

static void attach(int n) {
  (void)n;
  MPI_Buffer_attach(memory_of(1 << 20), 1 << 20);
}
static void detach(void) {
  void* buffer;
  int bytes;
  MPI_Buffer_detach(&buffer, &bytes);
  free(buffer);
}

static void self_isend_recv(int n) {
  MPI_Isend(out, n, MPI_LONG, rank, 0, MPI_COMM_WORLD, requests);
  MPI_Recv(in, n, MPI_LONG, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}
static void self_irecv_send(int n) {
  MPI_Irecv(in, n, MPI_LONG, rank, 0, MPI_COMM_WORLD, requests);
  MPI_Send(out, n, MPI_LONG, rank, 0, MPI_COMM_WORLD);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}
static void self_sendrecv(int n) {
  MPI_Sendrecv(out, n, MPI_LONG, rank, 0, in, n, MPI_LONG, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void irecv_cancel(int n) {
  MPI_Irecv(in, n, MPI_LONG, peer, 1, MPI_COMM_WORLD, requests);
  MPI_Cancel(requests);
  MPI_Wait(requests, &status);
}
static int cancelled(int n) {
  int was = 0;
  (void)n;
  MPI_Test_cancelled(&status, &was);
  return was;
}

/* Every worker asks rank 0 and is answered; how long what it asks is, and with which tag, is not known before. */
static void ask(int n) {
  MPI_Send(out, n, MPI_LONG, 0, rank, MPI_COMM_WORLD);
  MPI_Recv(in, n, MPI_LONG, 0, rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void serve_probed(int n) {
  if (rank != 0) ask(n);
  for (int i = 1; rank == 0 && i < size; i++) {
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_LONG, &n);
    MPI_Recv(in, n, MPI_LONG, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(in, n, MPI_LONG, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD);
  }
}
static void serve_any(int n) {
  if (rank != 0) ask(n);
  for (int i = 1; rank == 0 && i < size; i++) {
    take_any(n);
    MPI_Send(in, n, MPI_LONG, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD);
  }
}
static int served(int n) {
  return rank == 0 || from_self(n);
}

static void prepare_messages(int n) {
  for (int i = 0; i < some; i++) {
    MPI_Recv_init(in + i * n, n, MPI_LONG, peer, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Send_init(out + i * n, n, MPI_LONG, peer, i, MPI_COMM_WORLD, &requests[some + i]);
  }
}
static void start_all(int n) {
  (void)n;
  MPI_Startall(2 * some, requests);
  MPI_Waitall(2 * some, requests, MPI_STATUSES_IGNORE);
}
static void start_each(int n) {
  (void)n;
  MPI_Start(&requests[0]), MPI_Start(&requests[some]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_Wait(&requests[some], MPI_STATUS_IGNORE);
}
static void prepare_parts(int n) {
  MPI_Precv_init(in, parts, n, MPI_LONG, peer, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Psend_init(out, parts, n, MPI_LONG, peer, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
}
static void partitioned(int n) {
  (void)n;
  MPI_Startall(2, requests);
  for (int i = 0; i < parts; i++) MPI_Pready(i, requests[1]);
  for (int i = 0; i < parts; i++)
    for (int there = 0; !there;) MPI_Parrived(requests[0], i, &there);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
static int parts_from_peer(int n) {
  return from_peer(parts * n);
}
static void on_each(int n) {
  for (int i = 0; i < some; i++)
    MPI_Sendrecv(out + i * n, n, MPI_LONG, peer, 0, in + i * n, n, MPI_LONG, peer, 0, comms[i],
                 MPI_STATUS_IGNORE);
}

static const need buffer = {attach, detach};
static const need prepared = {prepare_messages, free_requests};
static const need prepared_parts = {prepare_parts, free_requests};
static const pattern messages[] = {
    {"Isend, Recv, Wait; 8 B", one, isend_recv_wait, NULL, from_peer},
    {"Isend, Recv, Wait; 1 KiB", kib, isend_recv_wait, NULL, from_peer},
    {"Irecv, Send, Wait; 8 B", one, irecv_send_wait, NULL, from_peer},
    {"Sendrecv; 8 B", one, sendrecv, NULL, from_peer},
    {"Sendrecv; 1 KiB", kib, sendrecv, NULL, from_peer},
    {"Sendrecv round all ranks; 8 B", one, shift, NULL, from_left},
    {"Sendrecv_replace; 8 B", one, sendrecv_replace, NULL, replaced},
    {"Sendrecv_replace; 1 KiB", kib, sendrecv_replace, NULL, replaced},
    {"Irecv, Isend, Test in a loop; 8 B", one, test_loop, NULL, from_peer},
    {"16 of them, Testall in a loop; 8 B", one, testall_loop, NULL, some_from_peer},
    {"16 of them, Testany in a loop; 8 B", one, testany_loop, NULL, some_from_peer},
    {"16 of them, Waitsome; 8 B", one, waitsome, NULL, some_from_peer},
    {"64 of them, Waitany; 8 B", one, waitany, NULL, many_from_peer},
    {"64 of them, Waitall; 8 B", one, waitall, NULL, many_from_peer},
    {"16 Isend, Recv backwards; 8 B", one, backwards, NULL, some_from_peer},
    {"there and back, Bsend; 8 B", one, bsend, recv, from_peer, &buffer},
    {"there and back, Bsend; 1 KiB", kib, bsend, recv, from_peer, &buffer},
    {"there and back, Ssend; 8 B", one, ssend, recv, from_peer},
    {"there and back, Recv of any; 8 B", one, send, take_any, from_peer},
    {"there and back, Probe; 8 B", one, send, probe_recv, from_peer},
    {"there and back, Iprobe in a loop; 8 B", one, send, iprobe_recv, from_peer},
    {"there and back, Mprobe, Mrecv; 8 B", one, send, mprobe_mrecv, from_peer},
    {"there and back, Mprobe, Mrecv; 1 KiB", kib, send, mprobe_mrecv, from_peer},
    {"there and back, Improbe, Imrecv; 8 B", one, send, improbe_imrecv, from_peer},
    {"master: Probe of any, Recv, Send; 8 B", one, serve_probed, NULL, served},
    {"master: Recv of any, Send; 8 B", one, serve_any, NULL, served},
    {"to self, Isend, Recv, Wait; 8 B", one, self_isend_recv, NULL, from_self},
    {"to self, Irecv, Send, Wait; 8 B", one, self_irecv_send, NULL, from_self},
    {"to self, Sendrecv; 8 B", one, self_sendrecv, NULL, from_self},
    {"to self, Sendrecv; 1 KiB", kib, self_sendrecv, NULL, from_self},
    {"Irecv, Cancel, Wait", one, irecv_cancel, NULL, cancelled},
    {"persistent, Start, Wait; 8 B", one, start_each, NULL, from_peer, &prepared},
    {"16 persistent, Startall; 8 B", one, start_all, NULL, some_from_peer, &prepared},
    {"partitioned, 8 parts of 8 B", one, partitioned, NULL, parts_from_peer, &prepared_parts},
    {"Sendrecv on each of 16 comms; 8 B", one, on_each, NULL, some_from_peer, &duplicates},
};
