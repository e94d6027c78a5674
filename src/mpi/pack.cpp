// Explicit packing (MPI §5.2). The native representation is the packed form of datatype/type.hpp,
// without a header.
#include <cstring>

#include "datatype/external32.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

// `bytes` below zero: more than 64 bits can count, which external32 can lead to, as its elements
// may be larger than ours.
int check_capacity(call& c, std::int64_t position, std::int64_t bytes, std::int64_t capacity, int error) {
  if (bytes < 0) return c.fail(MPI_ERR_COUNT, "the packed data would be more bytes than 64 bits count");
  if (position < 0 || position > capacity) {
    return c.fail(MPI_ERR_ARG, "position is {}; expected 0 to {}, the size of the buffer", position,
                  capacity);
  }
  if (bytes > capacity - position) {
    return c.fail(error, "{} bytes are needed at position {}; the buffer has {} bytes", bytes, position,
                  capacity);
  }
  return MPI_SUCCESS;
}

}  // namespace

int impl::Pack(call& c, const void* inbuf, std::int64_t incount, datatype& datatype, void* outbuf,
               std::int64_t outsize, std::int64_t* position, communicator&) {
  const std::int64_t bytes = incount * datatype.core()->size();
  if (const int error = check_capacity(c, *position, bytes, outsize, MPI_ERR_TRUNCATE)) return error;
  loadstone::datatype::pack(inbuf, incount, *datatype.core(), 0, bytes,
                            static_cast<std::byte*>(outbuf) + *position);
  *position += bytes;
  return MPI_SUCCESS;
}

int impl::Unpack(call& c, const void* inbuf, std::int64_t insize, std::int64_t* position, void* outbuf,
                 std::int64_t outcount, datatype& datatype, communicator&) {
  const std::int64_t bytes = outcount * datatype.core()->size();
  if (const int error = check_capacity(c, *position, bytes, insize, MPI_ERR_TRUNCATE)) return error;
  loadstone::datatype::unpack(outbuf, outcount, *datatype.core(), 0, bytes,
                              static_cast<const std::byte*>(inbuf) + *position);
  *position += bytes;
  return MPI_SUCCESS;
}

int impl::Pack_size(call&, std::int64_t incount, datatype& datatype, communicator&, std::int64_t* size) {
  if (__builtin_mul_overflow(incount, datatype.core()->size(), size)) *size = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

// --- external32 (MPI §5.3) ---

namespace {

int check_representation(call& c, const char* datarep) {
  if (std::strcmp(datarep, "external32") == 0) return MPI_SUCCESS;
  return c.fail(MPI_ERR_ARG, "argument 1 (datarep) is \"{}\"; expected \"external32\"", datarep);
}

}  // namespace

int impl::Pack_external_size(call& c, const char* datarep, std::int64_t incount, datatype& datatype,
                             std::int64_t* size) {
  if (const int error = check_representation(c, datarep)) return error;
  *size = loadstone::datatype::external32_size(incount, *datatype.core());
  if (*size < 0)
    return c.fail(MPI_ERR_VALUE_TOO_LARGE, "the size of {} elements does not fit 64 bits", incount);
  return MPI_SUCCESS;
}

int impl::Pack_external(call& c, const char* datarep, const void* inbuf, std::int64_t incount,
                        datatype& datatype, void* outbuf, std::int64_t outsize, std::int64_t* position) {
  if (const int error = check_representation(c, datarep)) return error;
  const std::int64_t bytes = loadstone::datatype::external32_size(incount, *datatype.core());
  if (const int error = check_capacity(c, *position, bytes, outsize, MPI_ERR_TRUNCATE)) return error;
  if (!loadstone::datatype::pack_external32(inbuf, incount, *datatype.core(),
                                            static_cast<std::byte*>(outbuf) + *position)
           .ok()) {
    return c.fail(MPI_ERR_NO_MEM, "out of memory");
  }
  *position += bytes;
  return MPI_SUCCESS;
}

int impl::Unpack_external(call& c, const char datarep[], const void* inbuf, std::int64_t insize,
                          std::int64_t* position, void* outbuf, std::int64_t outcount, datatype& datatype) {
  if (const int error = check_representation(c, datarep)) return error;
  const std::int64_t bytes = loadstone::datatype::external32_size(outcount, *datatype.core());
  if (const int error = check_capacity(c, *position, bytes, insize, MPI_ERR_TRUNCATE)) return error;
  const auto* from = static_cast<const std::byte*>(inbuf) + *position;
  if (!loadstone::datatype::unpack_external32(outbuf, outcount, *datatype.core(), from).ok()) {
    return c.fail(MPI_ERR_NO_MEM, "out of memory");
  }
  *position += bytes;
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
