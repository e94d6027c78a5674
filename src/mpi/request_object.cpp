#include "mpi/request_object.hpp"

#include <unistd.h>

#include <cstring>

#include "coll/schedule.hpp"
#include "mpi/message_request_inl.hpp"
#include "mpi/waiting.hpp"
#include "p2p/message_request.hpp"

namespace loadstone::mpi {

void wait_for_the_end() {
  for (;;) pause();
}

void discard(process& p, p2p::request* r) {
  switch (r->kind) {
    case p2p::request_kind::send:
    case p2p::request_kind::receive:
      p.core().p2p->free(r);
      break;
    case p2p::request_kind::collective:
      p.core().coll->destroy(static_cast<coll::schedule*>(r));
      break;
    default:
      delete r;
      break;
  }
}

request::request(process& p, communicator* where, lifetime ends) : owner_(p), where_(where), ends_(ends) {
  if (where_ != nullptr) where_->references.fetch_add(1, std::memory_order_relaxed);  // the caller holds one
}

request::~request() {
  if (operation_ != nullptr) {
    const std::lock_guard guard(owner_.gate());
    drop_operation();
  }
  if (where_ != nullptr) owner_.communicators.release(where_);
}

void request::drop_operation() {
  // A send that the user has freed must still leave before MPI_Finalize returns.
  // sync: request-complete
  if (operation_->kind == p2p::request_kind::send && !operation_->complete.load(std::memory_order_acquire)) {
    owner_.adopt(operation_);
  } else {
    discard(owner_, operation_);
  }
  operation_ = nullptr;
}

std::int64_t request::capacity() const {
  if (operation_ == nullptr || operation_->kind != p2p::request_kind::receive) return -1;
  return static_cast<const p2p::message_request*>(operation_)->bytes;
}

int request::start() {
  return MPI_ERR_REQUEST;
}
int request::cancel() {
  return MPI_ERR_REQUEST;
}

int request::give_up() {
  {
    const std::lock_guard guard(owner_.gate());
    owner_.handles.requests.remove(handle_);
  }
  delete this;
  return MPI_SUCCESS;
}

int request::query(MPI_Status* status) {
  set_status(status, result());
  return result().error;
}

void request::deactivate() {
  active_ = false;
  if (operation_ != nullptr) {
    discard(owner_, operation_);
    operation_ = nullptr;
  }
}

message_request::~message_request() {
  // The process ends with messages that it has not waited for: the engine that they belong to is
  // gone.
  where_ = nullptr;
  operation_ = nullptr;
}

bool message_pool::grow() {
  message_request& r = all_.emplace_back(owner_);
  r.handle_ = owner_.handles.requests.insert(&r);
  if (r.handle_ == MPI_REQUEST_NULL) {
    all_.pop_back();
    return false;
  }
  r.place_ = &owner_.handles.requests.place_of(r.handle_);
  r.active_ = true;  // always, as it is active whenever it has a handle
  owner_.handles.requests.suspend(*r.place_);
  give(&r);
  return true;
}

int message_request::give_up() {
  const std::lock_guard guard(owner_.gate());
  end();
  return MPI_SUCCESS;
}

int message_request::cancel() {
  if (operation_ == nullptr) return MPI_SUCCESS;
  const std::lock_guard guard(owner_.gate());
  owner_.core().p2p->cancel(operation_);
  return MPI_SUCCESS;
}

int publish(process& p, request* r, MPI_Request* handle) {
  {
    const std::lock_guard guard(p.gate());
    r->set_handle(p.handles.requests.insert(r));
  }
  if (r->handle() == MPI_REQUEST_NULL) {
    delete r;
    return MPI_ERR_OTHER;
  }
  *handle = r->handle();
  return MPI_SUCCESS;
}

// --- statuses --- Of the five private words two hold the number of bytes and one whether the
// operation was cancelled.

std::int64_t status_bytes(const MPI_Status& status) {
  std::int64_t bytes;
  std::memcpy(&bytes, &status.MPI_internal[0], sizeof bytes);
  return bytes;
}

bool status_cancelled(const MPI_Status& status) {
  return status.MPI_internal[2] != 0;
}

void set_empty_status(MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = MPI_SUCCESS;
  set_status_bytes(status, 0);
  set_status_cancelled(status, false);
}

p2p::outcome proc_null_result() {
  p2p::outcome result;
  result.source = MPI_PROC_NULL;
  result.tag = p2p::any_tag;
  return result;
}

}  // namespace loadstone::mpi
