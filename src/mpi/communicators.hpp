// The communicators of a process: makes MPI_COMM_WORLD and MPI_COMM_SELF, gives ids and handles to
// new ones, and keeps freed ones until no message uses them any more.
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

  // To be called when the core is open: from then on bootstrap() may be used.
  void open();
  void make_world();
  void end_world();                             // makes the handles of the two invalid
  void clear();                                 // deletes the two, and all freed ones
  communicator* self() const { return self_; }  // MPI_COMM_SELF; null before MPI_Init

  // A new id, for a communicator whose making this process leads. `across_jobs`: may processes of
  // several jobs be in it?
  std::uint64_t new_id(bool across_jobs);
  // For messages between processes that have no communicator in common yet: ranks are peer numbers.
  p2p::scope& bootstrap() { return bootstrap_; }

  // Gives a new communicator a handle, and the error handler and the session of its parent, if it
  // has one.
  MPI_Comm add(std::unique_ptr<communicator> c, communicator* parent);
  // Drops one reference: of the user's handle, or of a request. Deletes the communicator when it is
  // not in use any more.
  void release(communicator* c);
  void sweep();  // deletes freed communicators whose last message is complete; under the gate
  // Visits all that have a handle, and the two of MPI_Init. Other threads may free communicators
  // meanwhile; those that are visited stay.
  void for_each(const std::function<void(communicator&)>& visit);

 private:
  process& owner_;
  communicator *world_ = nullptr, *self_ = nullptr;
  p2p::scope bootstrap_;
  std::atomic<std::uint32_t> next_id_{16};
  std::vector<communicator*> freed_;  // freed by the user, and still in use
};

}  // namespace loadstone::mpi
