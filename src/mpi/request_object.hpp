// A request of the API: a handle around an operation of the engines, or around a user's
// (generalized).
//
// States: inactive (persistent ones only) → active → complete → (persistent: inactive, others:
// gone).
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <utility>

#include "mpi.h"
#include "mpi/communicator.hpp"
#include "mpi/handle_table.hpp"
#include "p2p/request.hpp"

namespace loadstone::mpi {

class call;
class process;

class request {
 public:
  // What becomes of it when its operation is complete and has been waited for.
  enum class lifetime : std::uint8_t {
    shared,      // stays: it stands for every send that had left when its call returned
    pooled,      // a message: goes back to the pool
    owned,       // is deleted
    persistent,  // becomes inactive
  };
  request(process& p, communicator* where, lifetime ends);
  virtual ~request();  // lets go of the operation; if it is not complete, it finishes on its own
  request(const request&) = delete;
  request& operator=(const request&) = delete;

  MPI_Request handle() const { return handle_; }
  void set_handle(MPI_Request handle) { handle_ = handle; }
  process& owner() const { return owner_; }
  communicator* where() const { return where_; }  // whose error handler takes its errors; may be null
  lifetime ends() const { return ends_; }
  bool persistent() const { return ends_ == lifetime::persistent; }
  bool active() const { return active_; }
  bool complete() const {
    // sync: request-complete
    return operation_ == nullptr || operation_->complete.load(std::memory_order_acquire);
  }
  const p2p::outcome& result() const { return operation_ != nullptr ? operation_->result : result_; }
  p2p::request* operation() const { return operation_; }
  virtual std::int64_t capacity() const;  // bytes of the receive buffer; -1: it is no receive under way

  // Begins an inactive persistent request. Called under the gate. An error class.
  virtual int start();
  virtual bool can_cancel() const { return false; }
  virtual int cancel();  // takes the gate if it needs it
  // The status of a complete request; for generalized ones asks the user. No lock held. Returns the
  // error code.
  virtual int query(MPI_Status* status);
  // After query, when the request is done with (the user's free function of generalized ones). An
  // error code.
  virtual int retire() { return MPI_SUCCESS; }
  virtual bool generalized() const { return false; }
  // MPI_Request_free: removes the handle and deletes this, now or when the operation is complete.
  virtual int give_up();
  // Complete → inactive: drops the operation. Under the gate. Only for persistent requests.
  virtual void deactivate();

 protected:
  process& owner_;
  communicator* where_;
  MPI_Request handle_ = MPI_REQUEST_NULL;
  p2p::request* operation_ = nullptr;  // null while active: complete at once, with result_
  p2p::outcome result_;
  bool active_ = false;

  void drop_operation();  // under the gate; if it is not complete, it finishes on its own

 private:
  const lifetime ends_;
};

// A message in flight: not persistent. Without an operation it is complete at once (PROC_NULL).
// While it is in use, `where` counts it as a user.
class message_request final : public request {
 public:
  explicit message_request(process& p) : request(p, nullptr, lifetime::pooled) {}
  ~message_request() override;
  // All under the gate. begin() gives it a fresh handle, which end() takes away; in between it is
  // told what it is.
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
  // The same with its status, of one that is complete. False: it has failed, or is of an unusual
  // kind, and nothing has been done.
  bool end_well(MPI_Status* status);
  // Between begin() and is(): operation() is that of an earlier message, done with, for this one to
  // use, or null. It may be used in its place; taken, it is no longer this object's.
  p2p::request* take_spent() { return std::exchange(operation_, nullptr); }
  bool can_cancel() const override { return true; }
  int cancel() override;
  int give_up() override;

 private:
  friend class message_pool;
  void rest();  // its operation has been seen to
  message_request* next_idle_ = nullptr;
  request_table::place* place_ = nullptr;
};

// Stands for every send that had left when its call returned: nothing has to be made for such a
// send, and nothing has to be found out by whoever waits for it.
class sent_request final : public request {
 public:
  explicit sent_request(process& p) : request(p, nullptr, lifetime::shared) { active_ = true; }
  bool can_cancel() const override { return true; }
  int cancel() override { return MPI_SUCCESS; }  // too late, which is no error
  int give_up() override { return MPI_SUCCESS; }
};

// The requests of messages, kept, with their places in the table of handles, when they are done
// with. Under the gate.
class message_pool {
 public:
  explicit message_pool(process& owner) : owner_(owner) {}
  message_request* next() const { return idle_; }  // that take() will give; null: one has to be made first
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
  std::deque<message_request> all_;  // does not move them
  message_request* idle_ = nullptr;
};

// Gives an operation back to its engine, under the gate. A message that is still under way finishes
// on its own.
void discard(process& p, p2p::request* r);

// Gives the request a handle; on exhaustion deletes it and returns an error class. Takes the gate.
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
// All but MPI_ERROR; null: ignored.
inline void set_status(MPI_Status* status, const p2p::outcome& result) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = result.source == -2 ? MPI_ANY_SOURCE : result.source;
  status->MPI_TAG = result.tag == p2p::any_tag ? MPI_ANY_TAG : result.tag;
  set_status_bytes(status, result.bytes);
  set_status_cancelled(status, result.cancelled);
}

p2p::outcome proc_null_result();

}  // namespace loadstone::mpi
