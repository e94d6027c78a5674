// Sends and receives, blocking and not (MPI §3.2, §3.7). Buffered sends: buffered_send.cpp.
#include "mpi/point_to_point.hpp"

#include "mpi/generated/impl.hpp"
#include "mpi/message_request_inl.hpp"

namespace loadstone::mpi {

std::string message_problem(const p2p::outcome& result, std::int64_t capacity) {
  if (result.error == MPI_ERR_NO_MEM) {
    const std::string whose =
        result.source >= 0 ? fmt::format(" to rank {} with tag {}", result.source, result.tag) : "";
    return fmt::format("no memory is left for the message{}: it has not been sent", whose);
  }
  if (result.error != MPI_ERR_TRUNCATE) {
    std::string failed =
        fmt::format("the transfer of the message with rank {} and tag {} failed", result.source, result.tag);
    if (result.error != MPI_ERR_BUFFER) return failed;
    return failed +
           (result.unreachable != nullptr
                ? fmt::format(": this process has no memory at {} that its buffer needs", result.unreachable)
                : fmt::format(": a part of the buffer is not memory of its process, rank {}'s perhaps",
                              result.source));
  }
  std::string text = fmt::format("the message from rank {} with tag {} is longer than the receive buffer",
                                 result.source, result.tag);
  if (capacity >= 0) text += fmt::format(" of {} bytes", capacity);
  return text;
}

int message_error(call& c, const p2p::outcome& result, std::int64_t capacity) {
  if (result.error == MPI_SUCCESS) return MPI_SUCCESS;
  return c.fail(result.error, "{}", message_problem(result, capacity));
}

int send_blocking(call& c, const void* buf, std::int64_t count, datatype& type, int dest, int tag,
                  communicator& comm, p2p::send_mode mode) {
  if (dest == MPI_PROC_NULL) return MPI_SUCCESS;
  p2p::outcome result;
  {
    const std::lock_guard guard(c.process().gate());
    c.process().core().p2p->send_wait(comm.messages(), {buf, count, type.core()}, dest, tag, mode,
                                      reason_for(c, comm, dest, tag, "send"), &result);
  }
  return result.error == MPI_SUCCESS ? MPI_SUCCESS : message_error(c, result, -1);
}

int receive_blocking(call& c, void* buf, std::int64_t count, datatype& type, int source, int tag,
                     communicator& comm, p2p::outcome* result) {
  if (source == MPI_PROC_NULL) {
    *result = proc_null_result();
    return MPI_SUCCESS;
  }
  {
    const std::lock_guard guard(c.process().gate());
    c.process().core().p2p->receive_wait(comm.messages(), {buf, count, type.core()}, source, core_tag(tag),
                                         reason_for(c, comm, source, tag, "receive"), result);
  }
  return result->error == MPI_SUCCESS ? MPI_SUCCESS : message_error(c, *result, count * type.core()->size());
}

namespace {

int send_nonblocking(call& c, const void* buf, std::int64_t count, datatype& type, int dest, int tag,
                     communicator& comm, p2p::send_mode mode, MPI_Request* handle) {
  process& p = c.process();
  const std::lock_guard guard(p.gate());
  const p2p::tried found =
      dest == MPI_PROC_NULL
          ? p2p::tried::sent
          : p.core().p2p->send_now(comm.messages(), {buf, count, type.core()}, dest, tag, mode);
  if (found == p2p::tried::sent) {
    *handle = p.message_requests.sent.handle();
    return MPI_SUCCESS;
  }
  message_request* r = new_message(c, &comm, handle);
  if (r == nullptr) [[unlikely]]
    return MPI_ERR_OTHER;
  p2p::request* const sent = p.core().p2p->send(comm.messages(), {buf, count, type.core()}, dest, tag, mode,
                                                false, r->take_spent(), found);
  r->is(sent);
  if (!has_not_left(*sent)) [[likely]]
    return MPI_SUCCESS;
  const int code = message_error(c, sent->result, -1);
  r->end();
  *handle = MPI_REQUEST_NULL;
  return code;
}

}  // namespace

int impl::Send(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
               communicator& comm) {
  return send_blocking(c, buf, count, datatype, dest, tag, comm, p2p::send_mode::standard);
}

int impl::Ssend(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                communicator& comm) {
  return send_blocking(c, buf, count, datatype, dest, tag, comm, p2p::send_mode::synchronous);
}

int impl::Rsend(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                communicator& comm) {
  return send_blocking(c, buf, count, datatype, dest, tag, comm, p2p::send_mode::ready);
}

int impl::Recv(call& c, void* buf, std::int64_t count, datatype& datatype, int source, int tag,
               communicator& comm, MPI_Status* status) {
  p2p::outcome result;
  const int code = receive_blocking(c, buf, count, datatype, source, tag, comm, &result);
  set_status(status, result);
  return code;
}

int impl::Isend(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                communicator& comm, MPI_Request* request) {
  return send_nonblocking(c, buf, count, datatype, dest, tag, comm, p2p::send_mode::standard, request);
}

int impl::Issend(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                 communicator& comm, MPI_Request* request) {
  return send_nonblocking(c, buf, count, datatype, dest, tag, comm, p2p::send_mode::synchronous, request);
}

int impl::Irsend(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                 communicator& comm, MPI_Request* request) {
  return send_nonblocking(c, buf, count, datatype, dest, tag, comm, p2p::send_mode::ready, request);
}

int impl::Irecv(call& c, void* buf, std::int64_t count, datatype& datatype, int source, int tag,
                communicator& comm, MPI_Request* request) {
  process& p = c.process();
  const std::lock_guard guard(p.gate());
  message_request* r = new_message(c, &comm, request);
  if (r == nullptr) [[unlikely]]
    return MPI_ERR_OTHER;
  if (source == MPI_PROC_NULL)
    r->is(proc_null_result());
  else
    r->is(p.core().p2p->receive(comm.messages(), {buf, count, datatype.core()}, source, core_tag(tag), false,
                                r->take_spent()));
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
