// The lives of a process's communicators: MPI_COMM_WORLD and MPI_COMM_SELF, ids and handles for new
// ones, and those that are freed but still used by messages.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "mpi/communicator.hpp"

namespace loadstone::mpi {

class communicators {
 public:
  explicit communicators(process& owner) : owner_(owner) {}
  ~communicators() { clear(); }
  communicators(const communicators&) = delete;
  communicators& operator=(const communicators&) = delete;

  // The core is open: messages between processes that share no communicator yet are possible.
  void open();
  void make_world();
  void end_world();                             // their handles are invalid from here on
  void clear();                                 // deletes all that have no handle of the user
  communicator* self() const { return self_; }  // MPI_COMM_SELF; null before MPI_Init

  // A fresh id for a communicator that this process leads.
  std::uint64_t new_id();
  // Between processes that share no communicator yet: ranks are process numbers.
  p2p::scope& bootstrap() { return bootstrap_; }

  // Gives it a handle, and the error handler and the session of the parent, if it has one.
  MPI_Comm add(std::unique_ptr<communicator> c, communicator* parent);
  // The user's handle, or a request, lets go. Deleted when nothing uses it any more.
  void release(communicator* c);
  void sweep();  // deletes what waited for its last message; under the gate
  // Visits all that have a handle, and the two of MPI_Init. Others may be freed meanwhile by other
  // threads, not these.
  void for_each(const std::function<void(communicator&)>& visit);

 private:
  process& owner_;
  communicator *world_ = nullptr, *self_ = nullptr;
  p2p::scope bootstrap_;
  std::atomic<std::uint32_t> next_id_{16};
  std::vector<communicator*> freed_;  // still used
};

}  // namespace loadstone::mpi
