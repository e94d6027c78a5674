// A request of MPI: a handle, and the operation of an engine (p2p::request) that it stands for, or
// one of the user's (generalized requests).
//
// States: inactive (only persistent ones) → active → complete → inactive again if persistent, else
// gone.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <utility>

#include "mpi.h"
#include "mpi/communicator.hpp"
#include "mpi/handle_table.hpp"
#include "p2p/request.hpp"

namespace loadstone::mpi {

class call;
class file;
class process;

class request {
 public:
  // What happens to it when its operation is complete and a call has returned its outcome.
  enum class lifetime : std::uint8_t {
    shared,      // nothing: it stands for all sends that had left when their calls returned
    pooled,      // a message: goes back to the pool
    owned,       // is deleted
    persistent,  // becomes inactive
  };
  request(process& p, communicator* where, lifetime ends);
  virtual ~request();  // gives up the operation, which finishes by itself if it is not complete
  request(const request&) = delete;
  request& operator=(const request&) = delete;

  MPI_Request handle() const { return handle_; }
  void set_handle(MPI_Request handle) { handle_ = handle; }
  process& owner() const { return owner_; }
  communicator* where() const { return where_; }     // its error handler gets the errors; may be null
  virtual file* of_file() const { return nullptr; }  // the same, for access to files
  // What went wrong with a complete operation, if the request knows it; empty: its result says it.
  virtual std::string problem() const { return {}; }
  lifetime ends() const { return ends_; }
  bool persistent() const { return ends_ == lifetime::persistent; }
  bool active() const { return active_; }
  bool complete() const {
    // sync: request-complete
    return operation_ == nullptr || operation_->complete.load(std::memory_order_acquire);
  }
  const p2p::outcome& result() const { return operation_ != nullptr ? operation_->result : result_; }
  p2p::request* operation() const { return operation_; }
  virtual std::int64_t capacity() const;  // bytes of the receive buffer; -1: not an active receive

  // Starts an inactive persistent request. Under the gate. Returns an error class.
  virtual int start();
  virtual bool can_cancel() const { return false; }
  virtual int cancel();  // takes the gate if it needs it
  // Fills the status of a complete request; that of a generalized one comes from the user's
  // function, so no lock may be held. Returns the error code.
  virtual int query(MPI_Status* status);
  // Called after query(), when the request is not needed any more: calls the user's free function
  // of generalized ones. Returns an error code.
  virtual int retire() { return MPI_SUCCESS; }
  virtual bool generalized() const { return false; }
  // May the program itself still have to do something for it, or a thread that works on a file? For
  // reports of hangs. Under the gate.
  virtual bool ends_here() const { return false; }
  // MPI_Request_free: removes the handle, and deletes the request now or when the operation is
  // complete.
  virtual int give_up();
  // Makes a complete persistent request inactive: drops the operation. Under the gate.
  virtual void deactivate();

 protected:
  process& owner_;
  communicator* where_;
  MPI_Request handle_ = MPI_REQUEST_NULL;
  p2p::request* operation_ = nullptr;  // null while active: complete at once, with result_
  p2p::outcome result_;
  bool active_ = false;

  void drop_operation();  // under the gate; an operation that is not complete finishes by itself

 private:
  const lifetime ends_;
};

// The request of a non-blocking message. Without an operation it is complete (MPI_PROC_NULL). While
// it is in use, the communicator counts it as a user.
//
// It is used again and again: begin() gives it a new handle, is() tells what it stands for, end()
// or end_well() takes the handle away. The operation stays for the next message to use. All that
// under the gate.
class message_request final : public request {
 public:
  explicit message_request(process& p) : request(p, nullptr, lifetime::pooled) {}
  ~message_request() override;
  MPI_Request begin(communicator* where);
  void is(p2p::request* operation) {
    if (operation_ != nullptr) [[unlikely]]
      drop_operation();
    operation_ = operation;
  }
  void is(const p2p::outcome& result) {
    is(nullptr);
    result_ = result;
  }
  void end();
  bool has_ended_well() const;  // is the message complete, without an error?
  // end(), with the status, if it has ended well. Else returns false, and nothing has been done.
  bool end_well(MPI_Status* status);
  // Between begin() and is(), operation() is that of an earlier message, which is complete, or
  // null. The caller may take it for the next message; then it belongs to the caller.
  p2p::request* take_spent() { return std::exchange(operation_, nullptr); }
  bool can_cancel() const override { return true; }
  int cancel() override;
  int give_up() override;

 private:
  friend class message_pool;
  void rest();  // takes the handle away, and gives the request to the pool
  message_request* next_idle_ = nullptr;
  request_table::place* place_ = nullptr;
};

// The one request for all sends that had left when their calls returned. So nothing has to be made
// for such a send, and nothing has to be looked up to wait for it.
class sent_request final : public request {
 public:
  explicit sent_request(process& p) : request(p, nullptr, lifetime::shared) { active_ = true; }
  bool can_cancel() const override { return true; }
  int cancel() override { return MPI_SUCCESS; }  // too late, which is no error
  int give_up() override { return MPI_SUCCESS; }
};

// The requests of messages that are not in use. They keep their places in the table of handles.
// Under the gate.
class message_pool {
 public:
  explicit message_pool(process& owner) : sent(owner), owner_(owner) {}
  sent_request sent;                               // has a handle as long as MPI is in use
  message_request* next() const { return idle_; }  // what take() will return; null: it has to make one
  message_request* take() {                        // null: no handle is free
    if (idle_ == nullptr && !grow()) [[unlikely]]
      return nullptr;
    message_request* r = idle_;
    idle_ = r->next_idle_;
    return r;
  }
  void give(message_request* r) {
    r->next_idle_ = idle_;
    idle_ = r;
  }

 private:
  bool grow();

  process& owner_;
  std::deque<message_request> all_;  // a deque, as its elements do not move
  message_request* idle_ = nullptr;
};

// Gives an operation back to its engine, under the gate. A message that is not complete finishes by
// itself.
void discard(process& p, p2p::request* r);

// Gives the request a handle. If none is free, deletes the request and returns an error class.
// Takes the gate.
int publish(process& p, request* r, MPI_Request* handle);

void set_empty_status(MPI_Status* status);
std::int64_t status_bytes(const MPI_Status& status);
inline void set_status_bytes(MPI_Status* status, std::int64_t bytes) {
  std::memcpy(&status->MPI_internal[0], &bytes, sizeof bytes);
}
bool status_cancelled(const MPI_Status& status);
inline void set_status_cancelled(MPI_Status* status, bool cancelled) {
  status->MPI_internal[2] = cancelled;
}
// Sets all fields but MPI_ERROR. The status may be MPI_STATUS_IGNORE.
inline void set_status(MPI_Status* status, const p2p::outcome& result) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = result.source == -2 ? MPI_ANY_SOURCE : result.source;
  status->MPI_TAG = result.tag == p2p::any_tag ? MPI_ANY_TAG : result.tag;
  set_status_bytes(status, result.bytes);
  set_status_cancelled(status, result.cancelled);
}

p2p::outcome proc_null_result();

}  // namespace loadstone::mpi
