// Space for buffered sends: a process's, a communicator's or a session's. Attached by the user, or
// automatic (allocated as messages need it).
//
// All calls are made under the gate but for those that wait, which take it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi.h"
#include "p2p/engine.hpp"

namespace loadstone::mpi {

class process;

class bsend_buffer {
 public:
  bool attached() const { return attached_; }
  bool automatic() const { return automatic_; }
  void attach(void* address, std::int64_t bytes);  // address == MPI_BUFFER_AUTOMATIC: automatic
  // Room for one message of `bytes`; nullptr: there is none. The segment is in use until the
  // request given to bind() is complete.
  struct segment;
  segment* reserve(process& p, std::int64_t bytes);
  static std::byte* data(segment* s);
  static void bind(segment* s, p2p::request* r);
  bool empty(process& p);  // after freeing what is complete
  // Waits until everything sent from here so far has left.
  bool flush(process& p, const wait::reason& why);
  // Completes, as a request of the engine, when everything sent from here so far has left.
  std::unique_ptr<p2p::request> flush_later(process& p);
  // Waits like flush, then gives the user's memory back.
  bool detach(process& p, void** address, std::int64_t* bytes, const wait::reason& why);
  ~bsend_buffer();

 private:
  struct flush_request;
  static void sent(p2p::request& r, void* context);
  void reap(process& p);

  bool attached_ = false, automatic_ = false;
  std::byte* base_ = nullptr;
  std::int64_t bytes_ = 0;
  std::vector<segment*> segments_;  // by offset
};

}  // namespace loadstone::mpi
