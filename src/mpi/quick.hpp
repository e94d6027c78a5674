// The fast path of messages: no argument is wrong, no tool is registered for events, and the
// message leaves, or is there, at once; and of waits and tests of a few that are complete, without
// an error. The generated entries of functions with the rule `quick`
// (abi/supplement.tsv) try it first. True: it is done, return MPI_SUCCESS. False: nothing has
// happened, except perhaps some polls; the entry goes on as in all other functions, finds out what
// is wrong, or waits.
#pragma once

#include <mutex>
#include <utility>

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

[[gnu::always_inline]] inline message_request* message_of(process& p, MPI_Request handle) {
  mpi::request* const r = p.handles.requests.find(handle);
  return r != nullptr && r->ends() == mpi::request::lifetime::pooled ? static_cast<message_request*>(r)
                                                                     : nullptr;
}

// What these requests have come to. `others`: one is no message, has an error, is null, inactive or
// no request at all, or they are more than a few and not all sends that have left: to read them
// twice takes longer than the ordinary way. With `stop`, no more is looked at than up to the first
// that is incomplete. Without the gate: nobody changes the result of a complete message but its
// owner, who has called this.
enum class tally { complete, incomplete, others };
constexpr int few = 16;
[[gnu::always_inline]] inline tally look(process& p, int count, const MPI_Request requests[],
                                         bool stop = false) {
  const MPI_Request sent = p.message_requests.sent.handle();
  tally found = tally::complete;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == sent) continue;
    const message_request* const r = count <= few ? message_of(p, requests[i]) : nullptr;
    if (r == nullptr) return tally::others;
    if (!r->complete()) {
      found = tally::incomplete;
      if (stop) return found;
    } else if (!r->has_ended_well()) {
      return tally::others;
    }
  }
  return found;
}

// All are complete: takes their outcomes. Under the gate.
[[gnu::always_inline]] inline void take(process& p, int count, MPI_Request requests[],
                                        MPI_Status statuses[]) {
  const MPI_Request sent = p.message_requests.sent.handle();
  const bool told = statuses != MPI_STATUSES_IGNORE;
  for (int i = 0; i < count; ++i) {
    const MPI_Request one = std::exchange(requests[i], MPI_REQUEST_NULL);
    if (one != sent) {
      if (message_request* const r = message_of(p, one))  // a program may have written it twice
        r->end_well(told ? &statuses[i] : MPI_STATUS_IGNORE);
    } else if (told) {
      set_status(&statuses[i], p.message_requests.sent.result());
    }
  }
}

[[gnu::always_inline]] inline process* find(int count, const MPI_Request requests[], MPI_Status statuses[]) {
  return count >= 0 && (count == 0 || !no_address(requests)) &&
                 (statuses == MPI_STATUSES_IGNORE || !no_address(statuses))
             ? undisturbed()
             : nullptr;
}

[[gnu::always_inline]] inline bool Waitall(function f, int count, MPI_Request requests[],
                                           MPI_Status statuses[]) {
  process* const p = find(count, requests, statuses);
  if (p == nullptr || look(*p, count, requests, true) != tally::complete) return false;
  p->activity.note_call(f);
  const std::lock_guard guard(p->gate());
  if (p->core().p2p->poll_is_due()) [[unlikely]]
    p->core().p2p->progress();
  take(*p, count, requests, statuses);
  return true;
}

[[gnu::always_inline]] inline bool Wait(function f, MPI_Request* request, MPI_Status* status) {
  return Waitall(f, 1, request, status);
}

// Polls once if something is missing.
[[gnu::always_inline]] inline bool Testall(function f, int count, MPI_Request requests[], int* flag,
                                           MPI_Status statuses[]) {
  process* const p = no_address(flag) ? nullptr : find(count, requests, statuses);
  if (p == nullptr) return false;
  tally found = look(*p, count, requests);
  if (found == tally::others) return false;
  p->activity.note_call(f);
  const std::lock_guard guard(p->gate());
  if (found == tally::incomplete) {
    p->core().p2p->progress();
    found = look(*p, count, requests, true);
    if (found == tally::others) return false;
    p->note_poll(found == tally::complete);
  } else if (p->core().p2p->poll_is_due()) [[unlikely]] {
    p->core().p2p->progress();
  }
  *flag = found == tally::complete;
  if (*flag) take(*p, count, requests, statuses);
  return true;
}

[[gnu::always_inline]] inline bool Test(function f, MPI_Request* request, int* flag, MPI_Status* status) {
  return Testall(f, 1, request, flag, status);
}

}  // namespace loadstone::mpi::quick
