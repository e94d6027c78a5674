// Buffered sends and the buffers they need (MPI §3.4, §3.6): of the process, of a communicator, of
// a session.
#include "mpi/bsend_buffer.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/message_request_inl.hpp"
#include "mpi/point_to_point.hpp"
#include "mpi/session.hpp"

namespace loadstone::mpi {
namespace {

// The buffer to use: the communicator's, else its session's, else the process's, the first that is
// attached (MPI §3.6).
bsend_buffer& buffer_for(process& p, communicator& comm) {
  if (comm.buffer.attached()) return comm.buffer;
  if (comm.session_buffer != nullptr && comm.session_buffer->attached()) return *comm.session_buffer;
  return p.buffer;
}

}  // namespace

int start_buffered(process& p, const void* buf, std::int64_t count, const loadstone::datatype::type& type,
                   int dest, int tag, communicator& comm) {
  bsend_buffer& buffer = buffer_for(p, comm);
  const std::int64_t bytes = count * type.size();
  if (!buffer.attached()) return MPI_ERR_BUFFER;
  bsend_buffer::segment* segment = buffer.reserve(p, bytes);
  if (segment == nullptr) return MPI_ERR_BUFFER;
  std::byte* data = bsend_buffer::data(segment);
  loadstone::datatype::pack(buf, count, type, 0, bytes, data);
  const auto* packed = loadstone::datatype::predefined_type(loadstone::datatype::basic::packed);
  bsend_buffer::bind(segment, p.core().p2p->send(comm.messages(), {data, bytes, packed}, dest, tag,
                                                 p2p::send_mode::buffered));
  return MPI_SUCCESS;
}

int send_buffered(call& c, const void* buf, std::int64_t count, datatype& type, int dest, int tag,
                  communicator& comm) {
  auto& p = c.process();
  const std::lock_guard guard(p.gate());
  if (p.core().p2p->poll_is_due()) p.core().p2p->progress();  // as a buffered send never waits
  int error = start_buffered(p, buf, count, *type.core(), dest, tag, comm);
  if (error != MPI_SUCCESS) {
    p.core().p2p->progress();  // messages that have left meanwhile free their segments
    error = start_buffered(p, buf, count, *type.core(), dest, tag, comm);
  }
  if (error == MPI_SUCCESS) return MPI_SUCCESS;
  if (!buffer_for(p, comm).attached())
    return c.fail(error, "no buffer is attached; expected MPI_Buffer_attach before");
  return c.fail(error, "a message of {} bytes does not fit into what is free of the attached buffer",
                count * type.core()->size());
}

namespace {

int attach(call& c, bsend_buffer& to, void* address, std::int64_t bytes) {
  const std::lock_guard guard(c.process().gate());
  if (to.attached())
    return c.fail(MPI_ERR_BUFFER, "a buffer is attached already; expected it to be detached first");
  to.attach(address, bytes);
  return MPI_SUCCESS;
}

int detach(call& c, bsend_buffer& from, void* address, std::int64_t* bytes) {
  if (!from.detach(c.process(), static_cast<void**>(address), bytes,
                   {call_number(c), -2, 0, 0, "buffered sends"})) {
    wait_for_the_end();
  }
  return MPI_SUCCESS;
}

int flush(call& c, bsend_buffer& buffer) {
  if (!buffer.flush(c.process(), {call_number(c), -2, 0, 0, "buffered sends"})) wait_for_the_end();
  return MPI_SUCCESS;
}

int flush_later(call& c, bsend_buffer& buffer, communicator* where, MPI_Request* handle) {
  const std::lock_guard guard(c.process().gate());
  message_request* r = new_message(c, where, handle);
  if (r == nullptr) [[unlikely]]
    return MPI_ERR_OTHER;
  r->is(buffer.flush_later(c.process()).release());
  return MPI_SUCCESS;
}

}  // namespace

int impl::Bsend(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                communicator& comm) {
  return dest == MPI_PROC_NULL ? MPI_SUCCESS : send_buffered(c, buf, count, datatype, dest, tag, comm);
}

// Complete as soon as the message is in the buffer.
int impl::Ibsend(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                 communicator& comm, MPI_Request* request) {
  if (dest != MPI_PROC_NULL) {
    if (const int error = send_buffered(c, buf, count, datatype, dest, tag, comm)) return error;
  }
  *request = c.process().message_requests.sent.handle();
  return MPI_SUCCESS;
}

int impl::Buffer_attach(call& c, void* buffer, std::int64_t size) {
  return attach(c, c.process().buffer, buffer, size);
}

int impl::Buffer_detach(call& c, void* address, std::int64_t* size) {
  return detach(c, c.process().buffer, address, size);
}

int impl::Buffer_flush(call& c) {
  return flush(c, c.process().buffer);
}

int impl::Buffer_iflush(call& c, MPI_Request* request) {
  return flush_later(c, c.process().buffer, nullptr, request);
}

int impl::Comm_attach_buffer(call& c, communicator& comm, void* buffer, std::int64_t size) {
  return attach(c, comm.buffer, buffer, size);
}

int impl::Comm_detach_buffer(call& c, communicator& comm, void* address, std::int64_t* size) {
  return detach(c, comm.buffer, address, size);
}

int impl::Comm_flush_buffer(call& c, communicator& comm) {
  return flush(c, comm.buffer);
}

int impl::Comm_iflush_buffer(call& c, communicator& comm, MPI_Request* request) {
  return flush_later(c, comm.buffer, &comm, request);
}

int impl::Session_attach_buffer(call& c, session& session, void* buffer, std::int64_t size) {
  return attach(c, *session.buffer, buffer, size);
}

int impl::Session_detach_buffer(call& c, session& session, void* address, std::int64_t* size) {
  return detach(c, *session.buffer, address, size);
}

int impl::Session_flush_buffer(call& c, session& session) {
  return flush(c, *session.buffer);
}

int impl::Session_iflush_buffer(call& c, session& session, MPI_Request* request) {
  return flush_later(c, *session.buffer, nullptr, request);
}

}  // namespace loadstone::mpi
