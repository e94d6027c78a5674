// Explicit packing (MPI §5.2). The native representation is the packed form of datatype/type.hpp, without a header.
#include "mpi/generated/impl.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

int check_room(call& c, std::int64_t position, std::int64_t bytes, std::int64_t room, int error) {
  if (position < 0 || position > room) {
    return c.fail(MPI_ERR_ARG, "position is {}; expected 0 to {}, the size of the buffer", position, room);
  }
  if (bytes > room - position) {
    return c.fail(error, "{} bytes are needed at position {}; the buffer has {} bytes", bytes, position, room);
  }
  return MPI_SUCCESS;
}

}  // namespace

int impl::Pack(call& c, const void* inbuf, std::int64_t incount, datatype& datatype, void* outbuf, std::int64_t outsize,
               std::int64_t* position, communicator&) {
  const std::int64_t bytes = incount * datatype.core()->size();
  if (const int error = check_room(c, *position, bytes, outsize, MPI_ERR_TRUNCATE)) return error;
  loadstone::datatype::pack(inbuf, incount, *datatype.core(), 0, bytes, static_cast<std::byte*>(outbuf) + *position);
  *position += bytes;
  return MPI_SUCCESS;
}

int impl::Unpack(call& c, const void* inbuf, std::int64_t insize, std::int64_t* position, void* outbuf, std::int64_t outcount,
                 datatype& datatype, communicator&) {
  const std::int64_t bytes = outcount * datatype.core()->size();
  if (const int error = check_room(c, *position, bytes, insize, MPI_ERR_TRUNCATE)) return error;
  loadstone::datatype::unpack(outbuf, outcount, *datatype.core(), 0, bytes, static_cast<const std::byte*>(inbuf) + *position);
  *position += bytes;
  return MPI_SUCCESS;
}

int impl::Pack_size(call&, std::int64_t incount, datatype& datatype, communicator&, std::int64_t* size) {
  *size = incount * datatype.core()->size();
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
