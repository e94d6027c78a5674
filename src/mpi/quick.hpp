// The fast path of messages: no argument is wrong, no tool is registered for events, and the
// message leaves, or is there, at once. The generated entries of functions with the rule `quick`
// (abi/supplement.tsv) try it first. True: it is done, return MPI_SUCCESS. False: nothing has
// happened, except perhaps some polls; the entry goes on as in all other functions, finds out what
// is wrong, or waits.
#pragma once

#include <mutex>

#include "mpi/checks.hpp"
#include "mpi/message_request_inl.hpp"
#include "mpi/process.hpp"

namespace loadstone::mpi::quick {

// The process, if MPI is in use and no tool wants events; else null.
[[gnu::always_inline]] inline process* undisturbed() {
  process* const p = process::known();
  return p != nullptr && p->running() && !p->deferred_events.in_use() ? p : nullptr;
}

// The checks that all of them share, and the objects of the handles. False: not the fast path.
struct place {
  process* owner;
  communicator* where;
  const loadstone::datatype::type* type;
};
[[gnu::always_inline]] inline bool find(function f, const void* buf, std::int64_t count,
                                        MPI_Datatype datatype, int peer, MPI_Comm comm, place* found) {
  process* const p = undisturbed();
  if (p == nullptr) return false;
  communicator* const where = p->handles.comms.find(comm);
  const mpi::datatype* const type = p->handles.types.find(datatype);
  // A buffer in the first page is correct in few cases (no data, MPI_BOTTOM): of these, only null
  // with count 0 is handled here.
  if (where == nullptr || type == nullptr || !type->committed() || !is_rank(peer, where->remote_size()) ||
      static_cast<std::uint64_t>(count) > static_cast<std::uint64_t>(type->core()->most()) ||
      (no_address(buf) && (buf != nullptr || count != 0)))
    return false;
  p->activity.note_call(f);
  *found = {p, where, type->core()};
  return true;
}

[[gnu::always_inline]] inline bool Send(function f, const void* buf, std::int64_t count,
                                        MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  place at;
  if (tag < 0 || !find(f, buf, count, datatype, dest, comm, &at)) return false;
  const std::lock_guard guard(at.owner->gate());
  return at.owner->core().p2p->send_now(at.where->messages(), {buf, count, at.type}, dest, tag,
                                        p2p::send_mode::standard) == p2p::tried::sent;
}

[[gnu::always_inline]] inline bool Recv(function f, void* buf, std::int64_t count, MPI_Datatype datatype,
                                        int source, int tag, MPI_Comm comm, MPI_Status* status) {
  place at;
  // One branch for both conditions.
  if (((tag < 0) | (status != MPI_STATUS_IGNORE && no_address(status))) ||
      !find(f, buf, count, datatype, source, comm, &at))
    return false;
  p2p::outcome result;
  {
    const std::lock_guard guard(at.owner->gate());
    if (!at.owner->core().p2p->receive_now(at.where->messages(), {buf, count, at.type}, source, tag, &result))
      return false;
  }
  set_status(status, result);
  return true;
}

[[gnu::always_inline]] inline bool Isend(function f, const void* buf, std::int64_t count,
                                         MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                                         MPI_Request* request) {
  if (no_address(request) || !Send(f, buf, count, datatype, dest, tag, comm)) return false;
  *request = process::known()->message_requests.sent.handle();
  return true;
}

// Posts the receive if that needs no more than the request and the operation of an earlier message.
[[gnu::always_inline]] inline bool Irecv(function f, void* buf, std::int64_t count, MPI_Datatype datatype,
                                         int source, int tag, MPI_Comm comm, MPI_Request* request) {
  place at;
  if (tag < 0 || no_address(request) || !find(f, buf, count, datatype, source, comm, &at)) return false;
  process& p = *at.owner;
  const std::lock_guard guard(p.gate());
  message_request* const r = p.message_requests.next();
  if (r == nullptr || r->operation() == nullptr ||
      !p.core().p2p->post(at.where->messages(), {buf, count, at.type}, source, tag, r->operation()))
    return false;
  *request = p.message_requests.take()->begin(at.where);
  return true;
}

}  // namespace loadstone::mpi::quick
