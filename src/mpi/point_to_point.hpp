// What the files about messages share: starting a send, buffered sends, and errors of messages.
#pragma once

#include <string>

#include "mpi/request_object.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

constexpr int core_tag(int tag) {
  return tag == MPI_ANY_TAG ? p2p::any_tag : tag;
}

// A sentence about what went wrong with a message; `capacity` as in message_error().
std::string message_problem(const p2p::outcome& result, std::int64_t capacity);
// Reports what went wrong with a message; `capacity`: bytes of the receive buffer, -1 = not known.
int message_error(call& c, const p2p::outcome& result, std::int64_t capacity);

int send_blocking(call& c, const void* buf, std::int64_t count, datatype& type, int dest, int tag,
                  communicator& comm, p2p::send_mode mode);
int receive_blocking(call& c, void* buf, std::int64_t count, datatype& type, int source, int tag,
                     communicator& comm, p2p::outcome* result);

// Has a send failed for lack of memory, at once? Then nothing has left, and what is sent next must
// not take its place unseen: the call that starts it fails. Under the gate.
inline bool has_not_left(const p2p::request& send) {
  return send.result.error == MPI_ERR_NO_MEM && send.complete.load(std::memory_order_relaxed);
}

// A buffered send: copies the message into the buffer that is attached to the communicator, its
// session or the process, and sends from there. MPI_ERR_BUFFER: no space. Takes the gate. The peer
// is not MPI_PROC_NULL.
int send_buffered(call& c, const void* buf, std::int64_t count, datatype& type, int dest, int tag,
                  communicator& comm);
// The same for callers that hold the gate; records no error message.
int start_buffered(process& p, const void* buf, std::int64_t count, const loadstone::datatype::type& type,
                   int dest, int tag, communicator& comm);

}  // namespace loadstone::mpi
