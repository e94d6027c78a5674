// No lock is held while a thread waits: as long as one thread of a rank sleeps in a call, whichever it is,
// the others make all the calls they like, and the one that ends the wait among them.
#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "mpi/ranks.hpp"

namespace loadstone::testing {
namespace {

constexpr int tag = 5;
constexpr int many = 1 << 20;  // does not fit into a cell
std::vector<char>& room() {
  static std::vector<char> r(2 * many + MPI_BSEND_OVERHEAD);
  return r;
}
MPI_Request handed;

void send_one(MPI_Comm c) {
  int x = 7;
  MPI_Send(&x, 1, MPI_INT, 0, tag, c);
}
void receive_one(MPI_Comm c) {
  int x = 0;
  MPI_Recv(&x, 1, MPI_INT, 0, tag, c, MPI_STATUS_IGNORE);
  EXPECT_EQ(x, 7);
}
void receive_many(MPI_Comm c) {
  std::vector<char> in(many);
  MPI_Recv(in.data(), many, MPI_CHAR, 0, tag, c, MPI_STATUS_IGNORE);
}

int query(void*, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
int nothing(void*) {
  return MPI_SUCCESS;
}
int no_cancel(void*, int) {
  return MPI_SUCCESS;
}

struct kind {
  const char* name;
  void (*wait)(MPI_Comm c);
  void (*release)(MPI_Comm c);
};
const kind kinds[] = {
    {"Recv", receive_one, send_one},
    {"Probe",
     [](MPI_Comm c) {
       MPI_Probe(MPI_ANY_SOURCE, tag, c, MPI_STATUS_IGNORE);
       receive_one(c);
     },
     [](MPI_Comm c) {
       MPI_Request r;
       int x = 7;
       MPI_Isend(&x, 1, MPI_INT, 0, tag, c, &r);
       MPI_Wait(&r, MPI_STATUS_IGNORE);
     }},
    {"Mprobe",
     [](MPI_Comm c) {
       MPI_Message m;
       int x = 0;
       MPI_Mprobe(0, MPI_ANY_TAG, c, &m, MPI_STATUS_IGNORE);
       MPI_Mrecv(&x, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
       EXPECT_EQ(x, 7);
     },
     send_one},
    {"Wait",
     [](MPI_Comm c) {
       MPI_Request r;
       int x = 0;
       MPI_Irecv(&x, 1, MPI_INT, 0, tag, c, &r);
       MPI_Wait(&r, MPI_STATUS_IGNORE);
     },
     send_one},
    {"Waitall",
     [](MPI_Comm c) {
       MPI_Request r[2];
       int x[2];
       for (int i = 0; i < 2; ++i) MPI_Irecv(&x[i], 1, MPI_INT, 0, tag, c, &r[i]);
       MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
     },
     [](MPI_Comm c) {
       send_one(c);
       send_one(c);
     }},
    {"Waitany",
     [](MPI_Comm c) {
       MPI_Request r[2];
       int x[2], index;
       for (int i = 0; i < 2; ++i) MPI_Irecv(&x[i], 1, MPI_INT, 0, tag, c, &r[i]);
       for (int i = 0; i < 2; ++i) MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
     },
     [](MPI_Comm c) {
       send_one(c);
       send_one(c);
     }},
    {"Ssend",
     [](MPI_Comm c) {
       int x = 7;
       MPI_Ssend(&x, 1, MPI_INT, 0, tag, c);
     },
     receive_one},
    {"Comm_detach_buffer",
     [](MPI_Comm c) {
       void* back;
       int size;
       std::vector<char> out(many);
       MPI_Comm_attach_buffer(c, room().data(), static_cast<int>(room().size()));
       MPI_Bsend(out.data(), many, MPI_CHAR, 0, tag, c);
       MPI_Comm_detach_buffer(c, &back, &size);
     },
     receive_many},
    {"generalized request",
     [](MPI_Comm c) {
       MPI_Request mine = MPI_REQUEST_NULL;
       MPI_Grequest_start(query, nothing, no_cancel, nullptr, &mine);
       handed = mine;
       int x = 7;
       MPI_Send(&x, 1, MPI_INT, 0, tag, c);  // tells where it is
       MPI_Wait(&mine, MPI_STATUS_IGNORE);
     },
     [](MPI_Comm c) {
       receive_one(c);
       MPI_Grequest_complete(handed);
     }},
};

class waiting : public ::testing::TestWithParam<int> {};

TEST_P(waiting, holds_no_lock) {
  const kind& k = kinds[GetParam()];
  run_ranks(1, [&] {
    mpi::process& self = mpi::process::current();
    const auto sleeps = [&] {
      const std::lock_guard guard(self.gate());
      return self.core().endpoint->counts().sleeps;
    };
    MPI_Comm c;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    for (int round = 0; round < 3; ++round) {
      const auto before = sleeps();
      std::thread waiter([&] {
        mpi::process::bind_to_thread(&self);
        k.wait(c);
      });
      while (sleeps() == before) std::this_thread::yield();
      MPI_Comm dup;
      int flag, x = 1, y = 0;
      MPI_Comm_dup(MPI_COMM_SELF, &dup);
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, dup, &flag, MPI_STATUS_IGNORE);
      MPI_Sendrecv(&x, 1, MPI_INT, 0, 0, &y, 1, MPI_INT, 0, 0, dup, MPI_STATUS_IGNORE);
      EXPECT_EQ(y, 1);
      MPI_Barrier(dup);
      MPI_Comm_free(&dup);
      k.release(c);
      waiter.join();
    }
    MPI_Comm_free(&c);
  });
}

INSTANTIATE_TEST_SUITE_P(calls, waiting, ::testing::Range(0, static_cast<int>(std::size(kinds))));

}  // namespace
}  // namespace loadstone::testing
