/* Events of the tool interface for callbacks that may only run where everything is allowed, or one at a time:
 * they are kept until the program's call ends, in order, none is lost, and what the queue cannot hold is
 * counted. */
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "check.h"

enum { threads = 4, rounds = 100, many = 3000 };

static int event_index; /* unexpected_message */

/* The request is started before the receive: the message is unexpected. */
static void message_to_myself(int tag) {
  int sent = tag, got = -1;
  MPI_Request r;
  MPI_Isend(&sent, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &r);
  MPI_Recv(&got, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  CHECK(got == sent);
}

/* Counts what it is given of this process's own messages, whatever the level. */
typedef struct {
  int calls, inside, freed, last_tag, out_of_order;
  MPI_Count dropped, stamp;
  MPI_T_cb_safety safety;
  int slow;                             /* gives others the time to come in between */
  int nested;                           /* so many messages, once, from within the callback */
  MPI_T_event_registration free_inside; /* its own registration, once */
} tally;

static void on_freed(MPI_T_event_registration handle, MPI_T_cb_safety safety, void* data) {
  CHECK(handle != NULL && safety == MPI_T_CB_REQUIRE_NONE);
  ++((tally*)data)->freed;
}
static void on_dropped(MPI_Count count, MPI_T_event_registration handle, int source, MPI_T_cb_safety safety,
                       void* data) {
  int n;
  CHECK(MPI_T_source_get_num(&n) == MPI_SUCCESS && 0 <= source && source < n && handle != NULL);
  CHECK(safety == MPI_T_CB_REQUIRE_NONE);
  message_to_myself(7); /* everything is allowed here, too */
  ((tally*)data)->dropped += count;
}
static void on_event(MPI_T_event_instance event, MPI_T_event_registration handle, MPI_T_cb_safety safety,
                     void* data) {
  tally* t = data;
  int64_t words[3];
  MPI_Count stamp;
  int source;
  MPI_T_source_order ordering;
  CHECK(t->inside++ == 0 && handle != NULL); /* it need not be thread safe */
  CHECK(MPI_T_event_copy(event, words) == MPI_SUCCESS);
  if (words[0] != rank) { /* of a rank that is further on; any call may poll */
    --t->inside;
    return;
  }
  CHECK(words[2] == sizeof(int));
  CHECK(MPI_T_event_get_timestamp(event, &stamp) == MPI_SUCCESS);
  CHECK(MPI_T_event_get_source(event, &source) == MPI_SUCCESS);
  CHECK(MPI_T_source_get_info(source, NULL, NULL, NULL, NULL, &ordering, NULL, NULL, NULL) == MPI_SUCCESS);
  CHECK(ordering == MPI_T_SOURCE_ORDERED);
  t->out_of_order += stamp < t->stamp;
  t->stamp = stamp;
  t->last_tag = (int)words[1];
  t->safety = safety;
  ++t->calls;
  const struct timespec moment = {0, 20000};
  if (t->slow) nanosleep(&moment, NULL);
  int nested = t->nested;
  t->nested = 0;
  for (int i = 0; i < nested; ++i) message_to_myself(1000 + i);
  if (t->free_inside != NULL) {
    handle = t->free_inside;
    t->free_inside = NULL;
    CHECK(MPI_T_event_handle_free(handle, t, on_freed) == MPI_SUCCESS);
    CHECK(t->freed == 0); /* not while its callback runs */
  }
  /* The instance is there to the end, whatever has been called meanwhile. */
  CHECK(MPI_T_event_read(event, 1, &words[0]) == MPI_SUCCESS && words[0] == words[1]);
  --t->inside;
}

static MPI_T_event_registration attach(MPI_T_cb_safety safety, tally* t) {
  MPI_T_event_registration handle;
  CHECK(MPI_T_event_handle_alloc(event_index, NULL, MPI_INFO_NULL, &handle) == MPI_SUCCESS);
  CHECK(MPI_T_event_register_callback(handle, safety, MPI_INFO_NULL, t, on_event) == MPI_SUCCESS);
  CHECK(MPI_T_event_set_dropped_handler(handle, on_dropped) == MPI_SUCCESS);
  return handle;
}
static void detach(MPI_T_event_registration handle, tally* t) {
  CHECK(MPI_T_event_handle_free(handle, t, on_freed) == MPI_SUCCESS && t->freed == 1);
}

static void test_told_at_the_end_of_the_call(void) {
  tally t = {0};
  MPI_T_event_registration handle = attach(MPI_T_CB_REQUIRE_NONE, &t);
  for (int i = 0; i < rounds; ++i) {
    message_to_myself(i);
    CHECK(t.calls == i + 1 && t.last_tag == i && t.safety == MPI_T_CB_REQUIRE_NONE);
  }
  detach(handle, &t);
  message_to_myself(1);
  CHECK(t.calls == rounds && t.dropped == 0 && t.out_of_order == 0);
}

static void test_callback_that_communicates(void) {
  tally t = {.nested = 10}, other = {0};
  MPI_T_event_registration handle = attach(MPI_T_CB_REQUIRE_NONE, &t);
  MPI_T_event_registration watching = attach(MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, &other);
  message_to_myself(1); /* in its callback ten more come; they are told later, at a call of ours */
  message_to_myself(2);
  CHECK(other.calls == 12 && other.safety != MPI_T_CB_REQUIRE_NONE);
  MPI_Barrier(MPI_COMM_SELF);
  CHECK(t.calls == 12 && t.last_tag == 2 && t.out_of_order == 0 && t.dropped == 0);
  detach(watching, &other);
  detach(handle, &t);
}

static void test_full_queue(void) {
  tally t = {.nested = many};
  MPI_T_event_registration handle = attach(MPI_T_CB_REQUIRE_NONE, &t);
  for (int i = 0; i < 4; ++i) message_to_myself(i);
  MPI_Barrier(MPI_COMM_SELF);
  MPI_Barrier(MPI_COMM_SELF);
  CHECK(t.dropped > 0 && t.calls >= 4 + 256);
  /* Each is told or counted: ours, those of the first callback, and those of the dropped handler. */
  CHECK(t.calls + t.dropped >= 4 + many + 1);
  detach(handle, &t);
}

static void test_free_from_the_callback(void) {
  tally t = {0};
  t.free_inside = attach(MPI_T_CB_REQUIRE_NONE, &t);
  message_to_myself(1);
  CHECK(t.calls == 1 && t.freed == 1);
  message_to_myself(2);
  CHECK(t.calls == 1 && t.freed == 1);
}

/* What waits when the handle goes, or the interface, is told before. */
static void test_what_waits_at_the_end(void) {
  tally t = {.nested = 5};
  MPI_T_event_registration handle = attach(MPI_T_CB_REQUIRE_NONE, &t);
  message_to_myself(1);
  detach(handle, &t);
  CHECK(t.calls == 6);

  tally last = {.nested = 5};
  int provided;
  CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
  handle = attach(MPI_T_CB_REQUIRE_NONE, &last);
  message_to_myself(1);
  CHECK(MPI_T_finalize() == MPI_SUCCESS);
  CHECK(last.calls == 6);
  detach(handle, &last);
}

/* An operation runs inside a call that holds locks: the inquiries it makes are not the end of that call. */
static int in_operation;
static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
  MPI_Aint low, extent;
  ++in_operation;
  for (int i = 0; i < *length; ++i) {
    MPI_Type_get_extent(*type, &low, &extent);
    ((int*)inout)[i] += ((int*)in)[i];
  }
  --in_operation;
}
static void on_any(MPI_T_event_instance event, MPI_T_event_registration handle, MPI_T_cb_safety safety,
                   void* data) {
  (void)event, (void)handle;
  CHECK(safety == MPI_T_CB_REQUIRE_NONE && in_operation == 0);
  ++*(int*)data;
}
static void test_operations(void) {
  int told = 0, sum[64], mine[64];
  MPI_Op op;
  MPI_T_event_registration handle;
  CHECK(MPI_T_event_handle_alloc(event_index, NULL, MPI_INFO_NULL, &handle) == MPI_SUCCESS);
  CHECK(MPI_T_event_register_callback(handle, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &told, on_any) ==
        MPI_SUCCESS);
  MPI_Op_create(add, 1, &op);
  for (int i = 0; i < 64; ++i) mine[i] = rank + i;
  for (int n = 0; n < rounds; ++n) {
    const int to = (rank + 1) % size, from = (rank + size - 1) % size;
    int got;
    MPI_Request r;
    MPI_Isend(&n, 1, MPI_INT, to, n, MPI_COMM_WORLD, &r); /* arrives in the middle of the reduction */
    MPI_Allreduce(mine, sum, 64, MPI_INT, op, MPI_COMM_WORLD);
    for (int i = 0; i < 64; ++i) CHECK(sum[i] == size * i + size * (size - 1) / 2);
    MPI_Recv(&got, 1, MPI_INT, from, n, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Op_free(&op);
  CHECK(MPI_T_event_handle_free(handle, NULL, NULL) == MPI_SUCCESS);
  CHECK(told > 0);
}

static void* send_to_myself(void* number) {
  for (int i = 0; i < rounds; ++i) message_to_myself(10000 * (int)(intptr_t)number + i);
  return NULL;
}
/* With threads that call at once a RESTRICTED callback promises too little where the event happens. */
static void test_threads(MPI_T_cb_safety safety) {
  tally t = {.slow = 1};
  pthread_t all[threads];
  MPI_T_event_registration handle = attach(safety, &t);
  for (int i = 0; i < threads; ++i)
    CHECK(pthread_create(&all[i], NULL, send_to_myself, (void*)(intptr_t)i) == 0);
  for (int i = 0; i < threads; ++i) pthread_join(all[i], NULL);
  MPI_Barrier(MPI_COMM_SELF);
  CHECK(t.calls == threads * rounds && t.dropped == 0 && t.safety == MPI_T_CB_REQUIRE_NONE);
  CHECK(t.out_of_order == 0);
  detach(handle, &t);
}

int main(int argc, char** argv) {
  int provided;
  CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  start_world(argc, argv);
  CHECK(MPI_T_event_get_index("unexpected_message", &event_index) == MPI_SUCCESS);
  test_told_at_the_end_of_the_call();
  test_callback_that_communicates();
  test_full_queue();
  test_free_from_the_callback();
  test_what_waits_at_the_end();
  test_operations();
  test_threads(MPI_T_CB_REQUIRE_NONE);
  test_threads(MPI_T_CB_REQUIRE_MPI_RESTRICTED);
  MPI_Finalize();
  return MPI_T_finalize() == MPI_SUCCESS ? 0 : 1;
}
