// The buffer of buffered sends of a process, a communicator or a session: memory that the user has
// attached, or automatic (allocated for each message). A message gets a *segment* of it, which is
// free again when the message has left.
//
// All functions are called under the gate, but for flush() and detach(), which wait and take it
// themselves.
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
  // A segment for a message of `bytes`; nullptr: there is no space. It is in use until the request
  // that bind() gets is complete.
  struct segment;
  segment* reserve(process& p, std::int64_t bytes);
  static std::byte* data(segment* s);
  static void bind(segment* s, p2p::request* r);
  bool empty(process& p);  // frees segments whose messages have left, then says whether any is in use
  // Waits until all messages in the buffer have left.
  bool flush(process& p, const wait::reason& why);
  // A request that completes when all messages that are in the buffer now have left.
  std::unique_ptr<p2p::request> flush_later(process& p);
  // Waits like flush(), then gives the user's memory back.
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
