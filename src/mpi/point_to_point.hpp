// What the chapters on messages share.
#pragma once

#include <string>

#include "mpi/request_object.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

constexpr int core_tag(int tag) {
  return tag == MPI_ANY_TAG ? p2p::any_tag : tag;
}

// What went wrong with a message, in words; `capacity`: as below.
std::string message_problem(const p2p::outcome& result, std::int64_t capacity);
// Reports what went wrong with a message; `capacity`: bytes of the receive buffer, -1 = not known.
int message_error(call& c, const p2p::outcome& result, std::int64_t capacity);

int send_blocking(call& c, const void* buf, std::int64_t count, datatype& type, int dest, int tag,
                  communicator& comm, p2p::send_mode mode);
int receive_blocking(call& c, void* buf, std::int64_t count, datatype& type, int source, int tag,
                     communicator& comm, p2p::outcome* result);

// Under the gate; the peer is not MPI_PROC_NULL. `waits`: the caller stays in the library until it
// is complete. `spent`: an operation that is done with, to be used again; may be null.
p2p::request* start_send(process& p, const void* buf, std::int64_t count, datatype& type, int dest, int tag,
                         communicator& comm, p2p::send_mode mode, p2p::request* spent);
p2p::request* start_receive(process& p, void* buf, std::int64_t count, datatype& type, int source, int tag,
                            communicator& comm, bool waits, p2p::request* spent = nullptr);

// Copies the message into the buffer attached to the communicator, its session or the process, and
// sends from there. Takes the gate. The peer is not MPI_PROC_NULL. MPI_ERR_BUFFER when there is no
// room.
int send_buffered(call& c, const void* buf, std::int64_t count, datatype& type, int dest, int tag,
                  communicator& comm);
// The same, already under the gate; no message is recorded.
int start_buffered(process& p, const void* buf, std::int64_t count, const loadstone::datatype::type& type,
                   int dest, int tag, communicator& comm);

}  // namespace loadstone::mpi
