// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

int PMPI_Get_address([[maybe_unused]] const void *location, [[maybe_unused]] MPI_Aint *address) try {
  call c(function::Get_address);
  if (no_address(address)) [[unlikely]] return c.no_address(2, "address", bits_of(address));
  return c.finish(impl::Get_address(c, location, address));
} catch (...) {
  return caught(function::Get_address);
}
LOADSTONE_ALIAS(MPI_Get_address)

int PMPI_Get_elements([[maybe_unused]] const MPI_Status *status, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] int *count) try {
  call c(function::Get_elements);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(count)) [[unlikely]] return c.no_address(3, "count", bits_of(count));
  std::int64_t count_ = 0;
  const int code = impl::Get_elements(c, status, *datatype_, &count_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *count = narrow_or_undefined(count_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Get_elements);
}
LOADSTONE_ALIAS(MPI_Get_elements)

int PMPI_Get_elements_c([[maybe_unused]] const MPI_Status *status, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Count *count) try {
  call c(function::Get_elements_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(count)) [[unlikely]] return c.no_address(3, "count", bits_of(count));
  return c.finish(impl::Get_elements(c, status, *datatype_, count));
} catch (...) {
  return caught(function::Get_elements_c);
}
LOADSTONE_ALIAS(MPI_Get_elements_c)

int PMPI_Get_elements_x([[maybe_unused]] const MPI_Status *status, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Count *count) try {
  call c(function::Get_elements_x);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(count)) [[unlikely]] return c.no_address(3, "count", bits_of(count));
  return c.finish(impl::Get_elements(c, status, *datatype_, count));
} catch (...) {
  return caught(function::Get_elements_x);
}
LOADSTONE_ALIAS(MPI_Get_elements_x)

int PMPI_Op_commutative([[maybe_unused]] MPI_Op op, [[maybe_unused]] int *commute) try {
  call c(function::Op_commutative);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 1, "op", "MPI_Op", handle_bits(op));
  if (no_address(commute)) [[unlikely]] return c.no_address(2, "commute", bits_of(commute));
  return c.finish(impl::Op_commutative(c, *op_, commute));
} catch (...) {
  return caught(function::Op_commutative);
}
LOADSTONE_ALIAS(MPI_Op_commutative)

int PMPI_Op_create([[maybe_unused]] MPI_User_function *user_fn, [[maybe_unused]] int commute,
    [[maybe_unused]] MPI_Op *op) try {
  call c(function::Op_create);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(user_fn)) [[unlikely]] return c.no_address(1, "user_fn", bits_of(user_fn));
  if (no_address(op)) [[unlikely]] return c.no_address(3, "op", bits_of(op));
  return c.finish(impl::Op_create(c, user_fn, commute, op));
} catch (...) {
  return caught(function::Op_create);
}
LOADSTONE_ALIAS(MPI_Op_create)

int PMPI_Op_create_c([[maybe_unused]] MPI_User_function_c *user_fn, [[maybe_unused]] int commute,
    [[maybe_unused]] MPI_Op *op) try {
  call c(function::Op_create_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(user_fn)) [[unlikely]] return c.no_address(1, "user_fn", bits_of(user_fn));
  if (no_address(op)) [[unlikely]] return c.no_address(3, "op", bits_of(op));
  return c.finish(impl::Op_create_c(c, user_fn, commute, op));
} catch (...) {
  return caught(function::Op_create_c);
}
LOADSTONE_ALIAS(MPI_Op_create_c)

int PMPI_Op_free([[maybe_unused]] MPI_Op *op) try {
  call c(function::Op_free);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(op)) [[unlikely]] return c.no_address(1, "op", bits_of(op));
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(*op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 1, "op", "MPI_Op", handle_bits(*op));
  if (op_table::is_predefined(*op)) [[unlikely]]
    return c.predefined_handle(MPI_ERR_OP, 1, "op", "MPI_Op", handle_bits(*op));
  const int code = impl::Op_free(c, *op_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Op_free);
}
LOADSTONE_ALIAS(MPI_Op_free)

int PMPI_Pack([[maybe_unused]] const void *inbuf, [[maybe_unused]] int incount,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] void *outbuf, [[maybe_unused]] int outsize,
    [[maybe_unused]] int *position, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Pack);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "incount", incount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(incount, 1, *datatype_)) [[unlikely]] return c.too_many(2, "incount", incount, 1, *datatype_);
  if (outsize < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 5, "outsize", outsize, "at least 0");
  if (no_address(position)) [[unlikely]] return c.no_address(6, "position", bits_of(position));
  std::int64_t position_ = *position;
  if (no_address(inbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inbuf, incount, *datatype_, 1, "inbuf")) return wrong;
  }
  if (no_address(outbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, outbuf, incount * datatype_->core()->size(), 4,
        "outbuf")) return wrong;
  }
  const int code = impl::Pack(c, inbuf, incount, *datatype_, outbuf, outsize, &position_, *comm_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  if (!fits_int(position_)) [[unlikely]] return c.too_large(6, "position", position_);
  *position = static_cast<int>(position_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Pack);
}
LOADSTONE_ALIAS(MPI_Pack)

int PMPI_Pack_c([[maybe_unused]] const void *inbuf, [[maybe_unused]] MPI_Count incount,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] void *outbuf, [[maybe_unused]] MPI_Count outsize,
    [[maybe_unused]] MPI_Count *position, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Pack_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "incount", incount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(incount, 1, *datatype_)) [[unlikely]] return c.too_many(2, "incount", incount, 1, *datatype_);
  if (outsize < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 5, "outsize", outsize, "at least 0");
  if (no_address(position)) [[unlikely]] return c.no_address(6, "position", bits_of(position));
  if (no_address(inbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inbuf, incount, *datatype_, 1, "inbuf")) return wrong;
  }
  if (no_address(outbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, outbuf, incount * datatype_->core()->size(), 4,
        "outbuf")) return wrong;
  }
  return c.finish(impl::Pack(c, inbuf, incount, *datatype_, outbuf, outsize, position, *comm_));
} catch (...) {
  return caught(function::Pack_c);
}
LOADSTONE_ALIAS(MPI_Pack_c)

int PMPI_Pack_external([[maybe_unused]] const char *datarep, [[maybe_unused]] const void *inbuf,
    [[maybe_unused]] int incount, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] void *outbuf,
    [[maybe_unused]] MPI_Aint outsize, [[maybe_unused]] MPI_Aint *position) try {
  call c(function::Pack_external);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(datarep)) [[unlikely]] return c.no_address(1, "datarep", bits_of(datarep));
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "incount", incount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(incount, 1, *datatype_)) [[unlikely]] return c.too_many(3, "incount", incount, 1, *datatype_);
  if (outsize < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 6, "outsize", outsize, "at least 0");
  if (no_address(position)) [[unlikely]] return c.no_address(7, "position", bits_of(position));
  if (no_address(inbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inbuf, incount, *datatype_, 2, "inbuf")) return wrong;
  }
  if (no_address(outbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, outbuf, incount * datatype_->core()->size(), 5,
        "outbuf")) return wrong;
  }
  return c.finish(impl::Pack_external(c, datarep, inbuf, incount, *datatype_, outbuf, outsize, position));
} catch (...) {
  return caught(function::Pack_external);
}
LOADSTONE_ALIAS(MPI_Pack_external)

int PMPI_Pack_external_c([[maybe_unused]] const char *datarep, [[maybe_unused]] const void *inbuf,
    [[maybe_unused]] MPI_Count incount, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] void *outbuf,
    [[maybe_unused]] MPI_Count outsize, [[maybe_unused]] MPI_Count *position) try {
  call c(function::Pack_external_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(datarep)) [[unlikely]] return c.no_address(1, "datarep", bits_of(datarep));
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "incount", incount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(incount, 1, *datatype_)) [[unlikely]] return c.too_many(3, "incount", incount, 1, *datatype_);
  if (outsize < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 6, "outsize", outsize, "at least 0");
  if (no_address(position)) [[unlikely]] return c.no_address(7, "position", bits_of(position));
  if (no_address(inbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inbuf, incount, *datatype_, 2, "inbuf")) return wrong;
  }
  if (no_address(outbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, outbuf, incount * datatype_->core()->size(), 5,
        "outbuf")) return wrong;
  }
  return c.finish(impl::Pack_external(c, datarep, inbuf, incount, *datatype_, outbuf, outsize, position));
} catch (...) {
  return caught(function::Pack_external_c);
}
LOADSTONE_ALIAS(MPI_Pack_external_c)

int PMPI_Pack_external_size([[maybe_unused]] const char *datarep, [[maybe_unused]] int incount,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Aint *size) try {
  call c(function::Pack_external_size);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(datarep)) [[unlikely]] return c.no_address(1, "datarep", bits_of(datarep));
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "incount", incount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(size)) [[unlikely]] return c.no_address(4, "size", bits_of(size));
  return c.finish(impl::Pack_external_size(c, datarep, incount, *datatype_, size));
} catch (...) {
  return caught(function::Pack_external_size);
}
LOADSTONE_ALIAS(MPI_Pack_external_size)

int PMPI_Pack_external_size_c([[maybe_unused]] const char *datarep, [[maybe_unused]] MPI_Count incount,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Count *size) try {
  call c(function::Pack_external_size_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(datarep)) [[unlikely]] return c.no_address(1, "datarep", bits_of(datarep));
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "incount", incount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(size)) [[unlikely]] return c.no_address(4, "size", bits_of(size));
  return c.finish(impl::Pack_external_size(c, datarep, incount, *datatype_, size));
} catch (...) {
  return caught(function::Pack_external_size_c);
}
LOADSTONE_ALIAS(MPI_Pack_external_size_c)

int PMPI_Pack_size([[maybe_unused]] int incount, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int *size) try {
  call c(function::Pack_size);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 3, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "incount", incount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(size)) [[unlikely]] return c.no_address(4, "size", bits_of(size));
  std::int64_t size_ = 0;
  const int code = impl::Pack_size(c, incount, *datatype_, *comm_, &size_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *size = narrow_or_undefined(size_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Pack_size);
}
LOADSTONE_ALIAS(MPI_Pack_size)

int PMPI_Pack_size_c([[maybe_unused]] MPI_Count incount, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Count *size) try {
  call c(function::Pack_size_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 3, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "incount", incount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(size)) [[unlikely]] return c.no_address(4, "size", bits_of(size));
  return c.finish(impl::Pack_size(c, incount, *datatype_, *comm_, size));
} catch (...) {
  return caught(function::Pack_size_c);
}
LOADSTONE_ALIAS(MPI_Pack_size_c)

int PMPI_Type_commit([[maybe_unused]] MPI_Datatype *datatype) try {
  call c(function::Type_commit);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(datatype)) [[unlikely]] return c.no_address(1, "datatype", bits_of(datatype));
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(*datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(*datatype));
  return c.finish(impl::Type_commit(c, *datatype_));
} catch (...) {
  return caught(function::Type_commit);
}
LOADSTONE_ALIAS(MPI_Type_commit)

int PMPI_Type_contiguous([[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_contiguous);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(3, "newtype", bits_of(newtype));
  return c.finish(impl::Type_contiguous(c, count, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_contiguous);
}
LOADSTONE_ALIAS(MPI_Type_contiguous)

int PMPI_Type_contiguous_c([[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_contiguous_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(3, "newtype", bits_of(newtype));
  return c.finish(impl::Type_contiguous(c, count, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_contiguous_c);
}
LOADSTONE_ALIAS(MPI_Type_contiguous_c)

int PMPI_Type_create_darray([[maybe_unused]] int size, [[maybe_unused]] int rank, [[maybe_unused]] int ndims,
    [[maybe_unused]] const int array_of_gsizes[], [[maybe_unused]] const int array_of_distribs[],
    [[maybe_unused]] const int array_of_dargs[], [[maybe_unused]] const int array_of_psizes[],
    [[maybe_unused]] int order, [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_darray);
  if (!c.running()) [[unlikely]] return c.outside();
  if (size <= 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 1, "size", size, "at least 1");
  if (ndims <= 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "ndims", ndims, "at least 1");
  {
    const int wrong = check_counts(c, array_of_gsizes, ndims, 1, MPI_ERR_ARG, 4, "array_of_gsizes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_distribs, ndims, 5, "array_of_distribs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_dargs, ndims, 6, "array_of_dargs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_psizes, ndims, 7, "array_of_psizes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 9, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(10, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_darray(c, size, rank, ndims, base::integers{array_of_gsizes,
      sizeof *array_of_gsizes}, array_of_distribs, array_of_dargs, array_of_psizes, order, *oldtype_,
      newtype));
} catch (...) {
  return caught(function::Type_create_darray);
}
LOADSTONE_ALIAS(MPI_Type_create_darray)

int PMPI_Type_create_darray_c([[maybe_unused]] int size, [[maybe_unused]] int rank,
    [[maybe_unused]] int ndims, [[maybe_unused]] const MPI_Count array_of_gsizes[],
    [[maybe_unused]] const int array_of_distribs[], [[maybe_unused]] const int array_of_dargs[],
    [[maybe_unused]] const int array_of_psizes[], [[maybe_unused]] int order,
    [[maybe_unused]] MPI_Datatype oldtype, [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_darray_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (size <= 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 1, "size", size, "at least 1");
  if (ndims <= 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "ndims", ndims, "at least 1");
  {
    const int wrong = check_counts(c, array_of_gsizes, ndims, 1, MPI_ERR_ARG, 4, "array_of_gsizes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_distribs, ndims, 5, "array_of_distribs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_dargs, ndims, 6, "array_of_dargs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_psizes, ndims, 7, "array_of_psizes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 9, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(10, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_darray(c, size, rank, ndims, base::integers{array_of_gsizes,
      sizeof *array_of_gsizes}, array_of_distribs, array_of_dargs, array_of_psizes, order, *oldtype_,
      newtype));
} catch (...) {
  return caught(function::Type_create_darray_c);
}
LOADSTONE_ALIAS(MPI_Type_create_darray_c)

int PMPI_Type_create_f90_complex([[maybe_unused]] int p, [[maybe_unused]] int r,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_f90_complex);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(newtype)) [[unlikely]] return c.no_address(3, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_f90_complex(c, p, r, newtype));
} catch (...) {
  return caught(function::Type_create_f90_complex);
}
LOADSTONE_ALIAS(MPI_Type_create_f90_complex)

int PMPI_Type_create_f90_integer([[maybe_unused]] int r, [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_f90_integer);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(newtype)) [[unlikely]] return c.no_address(2, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_f90_integer(c, r, newtype));
} catch (...) {
  return caught(function::Type_create_f90_integer);
}
LOADSTONE_ALIAS(MPI_Type_create_f90_integer)

int PMPI_Type_create_f90_real([[maybe_unused]] int p, [[maybe_unused]] int r,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_f90_real);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(newtype)) [[unlikely]] return c.no_address(3, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_f90_real(c, p, r, newtype));
} catch (...) {
  return caught(function::Type_create_f90_real);
}
LOADSTONE_ALIAS(MPI_Type_create_f90_real)

int PMPI_Type_create_hindexed([[maybe_unused]] int count, [[maybe_unused]] const int array_of_blocklengths[],
    [[maybe_unused]] const MPI_Aint array_of_displacements[], [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_hindexed);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  {
    const int wrong = check_counts(c, array_of_blocklengths, count, 0, MPI_ERR_ARG, 2,
        "array_of_blocklengths");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_displacements, count, 3, "array_of_displacements");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_hindexed(c, count, base::integers{array_of_blocklengths,
      sizeof *array_of_blocklengths}, base::integers{array_of_displacements, sizeof *array_of_displacements},
      *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_create_hindexed);
}
LOADSTONE_ALIAS(MPI_Type_create_hindexed)

int PMPI_Type_create_hindexed_c([[maybe_unused]] MPI_Count count,
    [[maybe_unused]] const MPI_Count array_of_blocklengths[],
    [[maybe_unused]] const MPI_Count array_of_displacements[], [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_hindexed_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  {
    const int wrong = check_counts(c, array_of_blocklengths, count, 0, MPI_ERR_ARG, 2,
        "array_of_blocklengths");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_displacements, count, 3, "array_of_displacements");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_hindexed(c, count, base::integers{array_of_blocklengths,
      sizeof *array_of_blocklengths}, base::integers{array_of_displacements, sizeof *array_of_displacements},
      *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_create_hindexed_c);
}
LOADSTONE_ALIAS(MPI_Type_create_hindexed_c)

int PMPI_Type_create_hindexed_block([[maybe_unused]] int count, [[maybe_unused]] int blocklength,
    [[maybe_unused]] const MPI_Aint array_of_displacements[], [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_hindexed_block);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (blocklength < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "blocklength", blocklength, "at least 0");
  {
    const int wrong = check_present(c, array_of_displacements, count, 3, "array_of_displacements");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_hindexed_block(c, count, blocklength,
      base::integers{array_of_displacements, sizeof *array_of_displacements}, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_create_hindexed_block);
}
LOADSTONE_ALIAS(MPI_Type_create_hindexed_block)

int PMPI_Type_create_hindexed_block_c([[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Count blocklength, [[maybe_unused]] const MPI_Count array_of_displacements[],
    [[maybe_unused]] MPI_Datatype oldtype, [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_hindexed_block_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (blocklength < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "blocklength", blocklength, "at least 0");
  {
    const int wrong = check_present(c, array_of_displacements, count, 3, "array_of_displacements");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_hindexed_block(c, count, blocklength,
      base::integers{array_of_displacements, sizeof *array_of_displacements}, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_create_hindexed_block_c);
}
LOADSTONE_ALIAS(MPI_Type_create_hindexed_block_c)

int PMPI_Type_create_hvector([[maybe_unused]] int count, [[maybe_unused]] int blocklength,
    [[maybe_unused]] MPI_Aint stride, [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_hvector);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (blocklength < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "blocklength", blocklength, "at least 0");
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_hvector(c, count, blocklength, stride, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_create_hvector);
}
LOADSTONE_ALIAS(MPI_Type_create_hvector)

int PMPI_Type_create_hvector_c([[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Count blocklength,
    [[maybe_unused]] MPI_Count stride, [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_hvector_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (blocklength < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "blocklength", blocklength, "at least 0");
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_hvector(c, count, blocklength, stride, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_create_hvector_c);
}
LOADSTONE_ALIAS(MPI_Type_create_hvector_c)

int PMPI_Type_create_indexed_block([[maybe_unused]] int count, [[maybe_unused]] int blocklength,
    [[maybe_unused]] const int array_of_displacements[], [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_indexed_block);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (blocklength < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "blocklength", blocklength, "at least 0");
  {
    const int wrong = check_present(c, array_of_displacements, count, 3, "array_of_displacements");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_indexed_block(c, count, blocklength,
      base::integers{array_of_displacements, sizeof *array_of_displacements}, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_create_indexed_block);
}
LOADSTONE_ALIAS(MPI_Type_create_indexed_block)

int PMPI_Type_create_indexed_block_c([[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Count blocklength,
    [[maybe_unused]] const MPI_Count array_of_displacements[], [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_indexed_block_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (blocklength < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "blocklength", blocklength, "at least 0");
  {
    const int wrong = check_present(c, array_of_displacements, count, 3, "array_of_displacements");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_indexed_block(c, count, blocklength,
      base::integers{array_of_displacements, sizeof *array_of_displacements}, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_create_indexed_block_c);
}
LOADSTONE_ALIAS(MPI_Type_create_indexed_block_c)

int PMPI_Type_create_keyval([[maybe_unused]] MPI_Type_copy_attr_function *type_copy_attr_fn,
    [[maybe_unused]] MPI_Type_delete_attr_function *type_delete_attr_fn, [[maybe_unused]] int *type_keyval,
    [[maybe_unused]] void *extra_state) try {
  call c(function::Type_create_keyval);
  if (no_address(type_copy_attr_fn) && type_copy_attr_fn != nullptr
      && type_copy_attr_fn != MPI_TYPE_DUP_FN) [[unlikely]]
    return c.no_address(1, "type_copy_attr_fn", bits_of(type_copy_attr_fn));
  if (no_address(type_delete_attr_fn) && type_delete_attr_fn != nullptr) [[unlikely]]
    return c.no_address(2, "type_delete_attr_fn", bits_of(type_delete_attr_fn));
  if (no_address(type_keyval)) [[unlikely]] return c.no_address(3, "type_keyval", bits_of(type_keyval));
  return c.finish(impl::Type_create_keyval(c, type_copy_attr_fn, type_delete_attr_fn, type_keyval,
      extra_state));
} catch (...) {
  return caught(function::Type_create_keyval);
}
LOADSTONE_ALIAS(MPI_Type_create_keyval)

int PMPI_Type_create_resized([[maybe_unused]] MPI_Datatype oldtype, [[maybe_unused]] MPI_Aint lb,
    [[maybe_unused]] MPI_Aint extent, [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_resized);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(4, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_resized(c, *oldtype_, lb, extent, newtype));
} catch (...) {
  return caught(function::Type_create_resized);
}
LOADSTONE_ALIAS(MPI_Type_create_resized)

int PMPI_Type_create_resized_c([[maybe_unused]] MPI_Datatype oldtype, [[maybe_unused]] MPI_Count lb,
    [[maybe_unused]] MPI_Count extent, [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_resized_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(4, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_resized(c, *oldtype_, lb, extent, newtype));
} catch (...) {
  return caught(function::Type_create_resized_c);
}
LOADSTONE_ALIAS(MPI_Type_create_resized_c)

int PMPI_Type_create_struct([[maybe_unused]] int count, [[maybe_unused]] const int array_of_blocklengths[],
    [[maybe_unused]] const MPI_Aint array_of_displacements[],
    [[maybe_unused]] const MPI_Datatype array_of_types[], [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_struct);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  {
    const int wrong = check_counts(c, array_of_blocklengths, count, 0, MPI_ERR_ARG, 2,
        "array_of_blocklengths");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_displacements, count, 3, "array_of_displacements");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, array_of_types, count, false, 4, "array_of_types");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_struct(c, count, base::integers{array_of_blocklengths,
      sizeof *array_of_blocklengths}, base::integers{array_of_displacements, sizeof *array_of_displacements},
      array_of_types, newtype));
} catch (...) {
  return caught(function::Type_create_struct);
}
LOADSTONE_ALIAS(MPI_Type_create_struct)

int PMPI_Type_create_struct_c([[maybe_unused]] MPI_Count count,
    [[maybe_unused]] const MPI_Count array_of_blocklengths[],
    [[maybe_unused]] const MPI_Count array_of_displacements[],
    [[maybe_unused]] const MPI_Datatype array_of_types[], [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_struct_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  {
    const int wrong = check_counts(c, array_of_blocklengths, count, 0, MPI_ERR_ARG, 2,
        "array_of_blocklengths");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_displacements, count, 3, "array_of_displacements");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, array_of_types, count, false, 4, "array_of_types");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_struct(c, count, base::integers{array_of_blocklengths,
      sizeof *array_of_blocklengths}, base::integers{array_of_displacements, sizeof *array_of_displacements},
      array_of_types, newtype));
} catch (...) {
  return caught(function::Type_create_struct_c);
}
LOADSTONE_ALIAS(MPI_Type_create_struct_c)

int PMPI_Type_create_subarray([[maybe_unused]] int ndims, [[maybe_unused]] const int array_of_sizes[],
    [[maybe_unused]] const int array_of_subsizes[], [[maybe_unused]] const int array_of_starts[],
    [[maybe_unused]] int order, [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_subarray);
  if (!c.running()) [[unlikely]] return c.outside();
  if (ndims <= 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 1, "ndims", ndims, "at least 1");
  {
    const int wrong = check_counts(c, array_of_sizes, ndims, 1, MPI_ERR_ARG, 2, "array_of_sizes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, array_of_subsizes, ndims, 1, MPI_ERR_ARG, 3, "array_of_subsizes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, array_of_starts, ndims, 0, MPI_ERR_ARG, 4, "array_of_starts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(7, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_subarray(c, ndims, base::integers{array_of_sizes, sizeof *array_of_sizes},
      base::integers{array_of_subsizes, sizeof *array_of_subsizes}, base::integers{array_of_starts,
      sizeof *array_of_starts}, order, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_create_subarray);
}
LOADSTONE_ALIAS(MPI_Type_create_subarray)

int PMPI_Type_create_subarray_c([[maybe_unused]] int ndims, [[maybe_unused]] const MPI_Count array_of_sizes[],
    [[maybe_unused]] const MPI_Count array_of_subsizes[], [[maybe_unused]] const MPI_Count array_of_starts[],
    [[maybe_unused]] int order, [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_create_subarray_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (ndims <= 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 1, "ndims", ndims, "at least 1");
  {
    const int wrong = check_counts(c, array_of_sizes, ndims, 1, MPI_ERR_ARG, 2, "array_of_sizes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, array_of_subsizes, ndims, 1, MPI_ERR_ARG, 3, "array_of_subsizes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, array_of_starts, ndims, 0, MPI_ERR_ARG, 4, "array_of_starts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(7, "newtype", bits_of(newtype));
  return c.finish(impl::Type_create_subarray(c, ndims, base::integers{array_of_sizes, sizeof *array_of_sizes},
      base::integers{array_of_subsizes, sizeof *array_of_subsizes}, base::integers{array_of_starts,
      sizeof *array_of_starts}, order, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_create_subarray_c);
}
LOADSTONE_ALIAS(MPI_Type_create_subarray_c)

int PMPI_Type_delete_attr([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int type_keyval) try {
  call c(function::Type_delete_attr);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  return c.finish(impl::Type_delete_attr(c, *datatype_, type_keyval));
} catch (...) {
  return caught(function::Type_delete_attr);
}
LOADSTONE_ALIAS(MPI_Type_delete_attr)

int PMPI_Type_dup([[maybe_unused]] MPI_Datatype oldtype, [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_dup);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(2, "newtype", bits_of(newtype));
  return c.finish(impl::Type_dup(c, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_dup);
}
LOADSTONE_ALIAS(MPI_Type_dup)

int PMPI_Type_free([[maybe_unused]] MPI_Datatype *datatype) try {
  call c(function::Type_free);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(datatype)) [[unlikely]] return c.no_address(1, "datatype", bits_of(datatype));
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(*datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(*datatype));
  if (datatype_table::is_predefined(*datatype)) [[unlikely]]
    return c.predefined_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(*datatype));
  const int code = impl::Type_free(c, *datatype_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *datatype = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Type_free);
}
LOADSTONE_ALIAS(MPI_Type_free)

int PMPI_Type_free_keyval([[maybe_unused]] int *type_keyval) try {
  call c(function::Type_free_keyval);
  if (no_address(type_keyval)) [[unlikely]] return c.no_address(1, "type_keyval", bits_of(type_keyval));
  return c.finish(impl::Type_free_keyval(c, type_keyval));
} catch (...) {
  return caught(function::Type_free_keyval);
}
LOADSTONE_ALIAS(MPI_Type_free_keyval)

int PMPI_Type_get_attr([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int type_keyval,
    [[maybe_unused]] void *attribute_val, [[maybe_unused]] int *flag) try {
  call c(function::Type_get_attr);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(attribute_val)) [[unlikely]] return c.no_address(3, "attribute_val", bits_of(attribute_val));
  if (no_address(flag)) [[unlikely]] return c.no_address(4, "flag", bits_of(flag));
  return c.finish(impl::Type_get_attr(c, *datatype_, type_keyval, attribute_val, flag));
} catch (...) {
  return caught(function::Type_get_attr);
}
LOADSTONE_ALIAS(MPI_Type_get_attr)

int PMPI_Type_get_contents([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int max_integers,
    [[maybe_unused]] int max_addresses, [[maybe_unused]] int max_datatypes,
    [[maybe_unused]] int array_of_integers[], [[maybe_unused]] MPI_Aint array_of_addresses[],
    [[maybe_unused]] MPI_Datatype array_of_datatypes[]) try {
  call c(function::Type_get_contents);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (max_integers < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "max_integers", max_integers, "at least 0");
  if (max_addresses < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 3, "max_addresses", max_addresses, "at least 0");
  if (max_datatypes < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 4, "max_datatypes", max_datatypes, "at least 0");
  if (no_address(array_of_integers) && max_integers > 0) [[unlikely]]
    return c.no_address(5, "array_of_integers", bits_of(array_of_integers));
  if (no_address(array_of_addresses) && max_addresses > 0) [[unlikely]]
    return c.no_address(6, "array_of_addresses", bits_of(array_of_addresses));
  if (no_address(array_of_datatypes) && max_datatypes > 0) [[unlikely]]
    return c.no_address(7, "array_of_datatypes", bits_of(array_of_datatypes));
  return c.finish(impl::Type_get_contents(c, *datatype_, max_integers, max_addresses, max_datatypes,
      array_of_integers, array_of_addresses, array_of_datatypes));
} catch (...) {
  return caught(function::Type_get_contents);
}
LOADSTONE_ALIAS(MPI_Type_get_contents)

int PMPI_Type_get_contents_c([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Count max_integers,
    [[maybe_unused]] MPI_Count max_addresses, [[maybe_unused]] MPI_Count max_large_counts,
    [[maybe_unused]] MPI_Count max_datatypes, [[maybe_unused]] int array_of_integers[],
    [[maybe_unused]] MPI_Aint array_of_addresses[], [[maybe_unused]] MPI_Count array_of_large_counts[],
    [[maybe_unused]] MPI_Datatype array_of_datatypes[]) try {
  call c(function::Type_get_contents_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (max_integers < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "max_integers", max_integers, "at least 0");
  if (max_addresses < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 3, "max_addresses", max_addresses, "at least 0");
  if (max_large_counts < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 4, "max_large_counts", max_large_counts, "at least 0");
  if (max_datatypes < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 5, "max_datatypes", max_datatypes, "at least 0");
  if (no_address(array_of_integers) && max_integers > 0) [[unlikely]]
    return c.no_address(6, "array_of_integers", bits_of(array_of_integers));
  if (no_address(array_of_addresses) && max_addresses > 0) [[unlikely]]
    return c.no_address(7, "array_of_addresses", bits_of(array_of_addresses));
  if (no_address(array_of_large_counts) && max_large_counts > 0) [[unlikely]]
    return c.no_address(8, "array_of_large_counts", bits_of(array_of_large_counts));
  if (no_address(array_of_datatypes) && max_datatypes > 0) [[unlikely]]
    return c.no_address(9, "array_of_datatypes", bits_of(array_of_datatypes));
  return c.finish(impl::Type_get_contents_c(c, *datatype_, max_integers, max_addresses, max_large_counts,
      max_datatypes, array_of_integers, array_of_addresses, array_of_large_counts, array_of_datatypes));
} catch (...) {
  return caught(function::Type_get_contents_c);
}
LOADSTONE_ALIAS(MPI_Type_get_contents_c)

int PMPI_Type_get_envelope([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int *num_integers,
    [[maybe_unused]] int *num_addresses, [[maybe_unused]] int *num_datatypes,
    [[maybe_unused]] int *combiner) try {
  call c(function::Type_get_envelope);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(num_integers)) [[unlikely]] return c.no_address(2, "num_integers", bits_of(num_integers));
  std::int64_t num_integers_ = 0;
  if (no_address(num_addresses)) [[unlikely]] return c.no_address(3, "num_addresses", bits_of(num_addresses));
  std::int64_t num_addresses_ = 0;
  if (no_address(num_datatypes)) [[unlikely]] return c.no_address(4, "num_datatypes", bits_of(num_datatypes));
  std::int64_t num_datatypes_ = 0;
  if (no_address(combiner)) [[unlikely]] return c.no_address(5, "combiner", bits_of(combiner));
  const int code = impl::Type_get_envelope(c, *datatype_, &num_integers_, &num_addresses_, &num_datatypes_,
      combiner);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *num_integers = narrow_or_undefined(num_integers_);
  *num_addresses = narrow_or_undefined(num_addresses_);
  *num_datatypes = narrow_or_undefined(num_datatypes_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Type_get_envelope);
}
LOADSTONE_ALIAS(MPI_Type_get_envelope)

int PMPI_Type_get_envelope_c([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Count *num_integers,
    [[maybe_unused]] MPI_Count *num_addresses, [[maybe_unused]] MPI_Count *num_large_counts,
    [[maybe_unused]] MPI_Count *num_datatypes, [[maybe_unused]] int *combiner) try {
  call c(function::Type_get_envelope_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(num_integers)) [[unlikely]] return c.no_address(2, "num_integers", bits_of(num_integers));
  if (no_address(num_addresses)) [[unlikely]] return c.no_address(3, "num_addresses", bits_of(num_addresses));
  if (no_address(num_large_counts)) [[unlikely]]
    return c.no_address(4, "num_large_counts", bits_of(num_large_counts));
  if (no_address(num_datatypes)) [[unlikely]] return c.no_address(5, "num_datatypes", bits_of(num_datatypes));
  if (no_address(combiner)) [[unlikely]] return c.no_address(6, "combiner", bits_of(combiner));
  return c.finish(impl::Type_get_envelope_c(c, *datatype_, num_integers, num_addresses, num_large_counts,
      num_datatypes, combiner));
} catch (...) {
  return caught(function::Type_get_envelope_c);
}
LOADSTONE_ALIAS(MPI_Type_get_envelope_c)

int PMPI_Type_get_extent([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Aint *lb,
    [[maybe_unused]] MPI_Aint *extent) try {
  call c(function::Type_get_extent);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(lb)) [[unlikely]] return c.no_address(2, "lb", bits_of(lb));
  if (no_address(extent)) [[unlikely]] return c.no_address(3, "extent", bits_of(extent));
  return c.finish(impl::Type_get_extent(c, *datatype_, lb, extent));
} catch (...) {
  return caught(function::Type_get_extent);
}
LOADSTONE_ALIAS(MPI_Type_get_extent)

int PMPI_Type_get_extent_c([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Count *lb,
    [[maybe_unused]] MPI_Count *extent) try {
  call c(function::Type_get_extent_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(lb)) [[unlikely]] return c.no_address(2, "lb", bits_of(lb));
  if (no_address(extent)) [[unlikely]] return c.no_address(3, "extent", bits_of(extent));
  return c.finish(impl::Type_get_extent(c, *datatype_, lb, extent));
} catch (...) {
  return caught(function::Type_get_extent_c);
}
LOADSTONE_ALIAS(MPI_Type_get_extent_c)

int PMPI_Type_get_extent_x([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Count *lb,
    [[maybe_unused]] MPI_Count *extent) try {
  call c(function::Type_get_extent_x);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(lb)) [[unlikely]] return c.no_address(2, "lb", bits_of(lb));
  if (no_address(extent)) [[unlikely]] return c.no_address(3, "extent", bits_of(extent));
  return c.finish(impl::Type_get_extent(c, *datatype_, lb, extent));
} catch (...) {
  return caught(function::Type_get_extent_x);
}
LOADSTONE_ALIAS(MPI_Type_get_extent_x)

int PMPI_Type_get_name([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] char *type_name,
    [[maybe_unused]] int *resultlen) try {
  call c(function::Type_get_name);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(type_name)) [[unlikely]] return c.no_address(2, "type_name", bits_of(type_name));
  if (no_address(resultlen)) [[unlikely]] return c.no_address(3, "resultlen", bits_of(resultlen));
  return c.finish(impl::Type_get_name(c, datatype, type_name, resultlen));
} catch (...) {
  return caught(function::Type_get_name);
}
LOADSTONE_ALIAS(MPI_Type_get_name)

int PMPI_Type_get_true_extent([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Aint *true_lb,
    [[maybe_unused]] MPI_Aint *true_extent) try {
  call c(function::Type_get_true_extent);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(true_lb)) [[unlikely]] return c.no_address(2, "true_lb", bits_of(true_lb));
  if (no_address(true_extent)) [[unlikely]] return c.no_address(3, "true_extent", bits_of(true_extent));
  return c.finish(impl::Type_get_true_extent(c, *datatype_, true_lb, true_extent));
} catch (...) {
  return caught(function::Type_get_true_extent);
}
LOADSTONE_ALIAS(MPI_Type_get_true_extent)

int PMPI_Type_get_true_extent_c([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Count *true_lb,
    [[maybe_unused]] MPI_Count *true_extent) try {
  call c(function::Type_get_true_extent_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(true_lb)) [[unlikely]] return c.no_address(2, "true_lb", bits_of(true_lb));
  if (no_address(true_extent)) [[unlikely]] return c.no_address(3, "true_extent", bits_of(true_extent));
  return c.finish(impl::Type_get_true_extent(c, *datatype_, true_lb, true_extent));
} catch (...) {
  return caught(function::Type_get_true_extent_c);
}
LOADSTONE_ALIAS(MPI_Type_get_true_extent_c)

int PMPI_Type_get_true_extent_x([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Count *true_lb,
    [[maybe_unused]] MPI_Count *true_extent) try {
  call c(function::Type_get_true_extent_x);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(true_lb)) [[unlikely]] return c.no_address(2, "true_lb", bits_of(true_lb));
  if (no_address(true_extent)) [[unlikely]] return c.no_address(3, "true_extent", bits_of(true_extent));
  return c.finish(impl::Type_get_true_extent(c, *datatype_, true_lb, true_extent));
} catch (...) {
  return caught(function::Type_get_true_extent_x);
}
LOADSTONE_ALIAS(MPI_Type_get_true_extent_x)

int PMPI_Type_get_value_index([[maybe_unused]] MPI_Datatype value_type,
    [[maybe_unused]] MPI_Datatype index_type, [[maybe_unused]] MPI_Datatype *pair_type) try {
  call c(function::Type_get_value_index);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const value_type_ = c.handles().types.find(value_type);
  if (value_type_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "value_type", "MPI_Datatype", handle_bits(value_type));
  [[maybe_unused]] mpi::datatype* const index_type_ = c.handles().types.find(index_type);
  if (index_type_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "index_type", "MPI_Datatype", handle_bits(index_type));
  if (no_address(pair_type)) [[unlikely]] return c.no_address(3, "pair_type", bits_of(pair_type));
  return c.finish(impl::Type_get_value_index(c, *value_type_, *index_type_, pair_type));
} catch (...) {
  return caught(function::Type_get_value_index);
}
LOADSTONE_ALIAS(MPI_Type_get_value_index)

int PMPI_Type_indexed([[maybe_unused]] int count, [[maybe_unused]] const int array_of_blocklengths[],
    [[maybe_unused]] const int array_of_displacements[], [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_indexed);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  {
    const int wrong = check_counts(c, array_of_blocklengths, count, 0, MPI_ERR_ARG, 2,
        "array_of_blocklengths");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_displacements, count, 3, "array_of_displacements");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_indexed(c, count, base::integers{array_of_blocklengths,
      sizeof *array_of_blocklengths}, base::integers{array_of_displacements, sizeof *array_of_displacements},
      *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_indexed);
}
LOADSTONE_ALIAS(MPI_Type_indexed)

int PMPI_Type_indexed_c([[maybe_unused]] MPI_Count count,
    [[maybe_unused]] const MPI_Count array_of_blocklengths[],
    [[maybe_unused]] const MPI_Count array_of_displacements[], [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_indexed_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  {
    const int wrong = check_counts(c, array_of_blocklengths, count, 0, MPI_ERR_ARG, 2,
        "array_of_blocklengths");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, array_of_displacements, count, 3, "array_of_displacements");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_indexed(c, count, base::integers{array_of_blocklengths,
      sizeof *array_of_blocklengths}, base::integers{array_of_displacements, sizeof *array_of_displacements},
      *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_indexed_c);
}
LOADSTONE_ALIAS(MPI_Type_indexed_c)

int PMPI_Type_match_size([[maybe_unused]] int typeclass, [[maybe_unused]] int size,
    [[maybe_unused]] MPI_Datatype *datatype) try {
  call c(function::Type_match_size);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(datatype)) [[unlikely]] return c.no_address(3, "datatype", bits_of(datatype));
  return c.finish(impl::Type_match_size(c, typeclass, size, datatype));
} catch (...) {
  return caught(function::Type_match_size);
}
LOADSTONE_ALIAS(MPI_Type_match_size)

int PMPI_Type_set_attr([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int type_keyval,
    [[maybe_unused]] void *attribute_val) try {
  call c(function::Type_set_attr);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  return c.finish(impl::Type_set_attr(c, *datatype_, type_keyval, attribute_val));
} catch (...) {
  return caught(function::Type_set_attr);
}
LOADSTONE_ALIAS(MPI_Type_set_attr)

int PMPI_Type_set_name([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] const char *type_name) try {
  call c(function::Type_set_name);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(type_name)) [[unlikely]] return c.no_address(2, "type_name", bits_of(type_name));
  return c.finish(impl::Type_set_name(c, *datatype_, type_name));
} catch (...) {
  return caught(function::Type_set_name);
}
LOADSTONE_ALIAS(MPI_Type_set_name)

int PMPI_Type_size([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int *size) try {
  call c(function::Type_size);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(size)) [[unlikely]] return c.no_address(2, "size", bits_of(size));
  std::int64_t size_ = 0;
  const int code = impl::Type_size(c, *datatype_, &size_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *size = narrow_or_undefined(size_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Type_size);
}
LOADSTONE_ALIAS(MPI_Type_size)

int PMPI_Type_size_c([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Count *size) try {
  call c(function::Type_size_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(size)) [[unlikely]] return c.no_address(2, "size", bits_of(size));
  return c.finish(impl::Type_size(c, *datatype_, size));
} catch (...) {
  return caught(function::Type_size_c);
}
LOADSTONE_ALIAS(MPI_Type_size_c)

int PMPI_Type_size_x([[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Count *size) try {
  call c(function::Type_size_x);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 1, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(size)) [[unlikely]] return c.no_address(2, "size", bits_of(size));
  return c.finish(impl::Type_size(c, *datatype_, size));
} catch (...) {
  return caught(function::Type_size_x);
}
LOADSTONE_ALIAS(MPI_Type_size_x)

int PMPI_Type_vector([[maybe_unused]] int count, [[maybe_unused]] int blocklength,
    [[maybe_unused]] int stride, [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_vector);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (blocklength < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "blocklength", blocklength, "at least 0");
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_vector(c, count, blocklength, stride, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_vector);
}
LOADSTONE_ALIAS(MPI_Type_vector)

int PMPI_Type_vector_c([[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Count blocklength,
    [[maybe_unused]] MPI_Count stride, [[maybe_unused]] MPI_Datatype oldtype,
    [[maybe_unused]] MPI_Datatype *newtype) try {
  call c(function::Type_vector_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (blocklength < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "blocklength", blocklength, "at least 0");
  [[maybe_unused]] mpi::datatype* const oldtype_ = c.handles().types.find(oldtype);
  if (oldtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "oldtype", "MPI_Datatype", handle_bits(oldtype));
  if (no_address(newtype)) [[unlikely]] return c.no_address(5, "newtype", bits_of(newtype));
  return c.finish(impl::Type_vector(c, count, blocklength, stride, *oldtype_, newtype));
} catch (...) {
  return caught(function::Type_vector_c);
}
LOADSTONE_ALIAS(MPI_Type_vector_c)

int PMPI_Unpack([[maybe_unused]] const void *inbuf, [[maybe_unused]] int insize,
    [[maybe_unused]] int *position, [[maybe_unused]] void *outbuf, [[maybe_unused]] int outcount,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Unpack);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (insize < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "insize", insize, "at least 0");
  if (no_address(position)) [[unlikely]] return c.no_address(3, "position", bits_of(position));
  std::int64_t position_ = *position;
  if (outcount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 5, "outcount", outcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(6, "datatype", datatype);
  if (beyond(outcount, 1, *datatype_)) [[unlikely]] return c.too_many(5, "outcount", outcount, 1, *datatype_);
  if (no_address(inbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inbuf, outcount * datatype_->core()->size(), 1,
        "inbuf")) return wrong;
  }
  if (no_address(outbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, outbuf, outcount, *datatype_, 4, "outbuf")) return wrong;
  }
  const int code = impl::Unpack(c, inbuf, insize, &position_, outbuf, outcount, *datatype_, *comm_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  if (!fits_int(position_)) [[unlikely]] return c.too_large(3, "position", position_);
  *position = static_cast<int>(position_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Unpack);
}
LOADSTONE_ALIAS(MPI_Unpack)

int PMPI_Unpack_c([[maybe_unused]] const void *inbuf, [[maybe_unused]] MPI_Count insize,
    [[maybe_unused]] MPI_Count *position, [[maybe_unused]] void *outbuf, [[maybe_unused]] MPI_Count outcount,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Unpack_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (insize < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "insize", insize, "at least 0");
  if (no_address(position)) [[unlikely]] return c.no_address(3, "position", bits_of(position));
  if (outcount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 5, "outcount", outcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(6, "datatype", datatype);
  if (beyond(outcount, 1, *datatype_)) [[unlikely]] return c.too_many(5, "outcount", outcount, 1, *datatype_);
  if (no_address(inbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inbuf, outcount * datatype_->core()->size(), 1,
        "inbuf")) return wrong;
  }
  if (no_address(outbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, outbuf, outcount, *datatype_, 4, "outbuf")) return wrong;
  }
  return c.finish(impl::Unpack(c, inbuf, insize, position, outbuf, outcount, *datatype_, *comm_));
} catch (...) {
  return caught(function::Unpack_c);
}
LOADSTONE_ALIAS(MPI_Unpack_c)

int PMPI_Unpack_external([[maybe_unused]] const char datarep[], [[maybe_unused]] const void *inbuf,
    [[maybe_unused]] MPI_Aint insize, [[maybe_unused]] MPI_Aint *position, [[maybe_unused]] void *outbuf,
    [[maybe_unused]] int outcount, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::Unpack_external);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(datarep)) [[unlikely]] return c.no_address(1, "datarep", bits_of(datarep));
  if (insize < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "insize", insize, "at least 0");
  if (no_address(position)) [[unlikely]] return c.no_address(4, "position", bits_of(position));
  if (outcount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 6, "outcount", outcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(7, "datatype", datatype);
  if (beyond(outcount, 1, *datatype_)) [[unlikely]] return c.too_many(6, "outcount", outcount, 1, *datatype_);
  if (no_address(inbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inbuf, outcount * datatype_->core()->size(), 2,
        "inbuf")) return wrong;
  }
  if (no_address(outbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, outbuf, outcount, *datatype_, 5, "outbuf")) return wrong;
  }
  return c.finish(impl::Unpack_external(c, datarep, inbuf, insize, position, outbuf, outcount, *datatype_));
} catch (...) {
  return caught(function::Unpack_external);
}
LOADSTONE_ALIAS(MPI_Unpack_external)

int PMPI_Unpack_external_c([[maybe_unused]] const char datarep[], [[maybe_unused]] const void *inbuf,
    [[maybe_unused]] MPI_Count insize, [[maybe_unused]] MPI_Count *position, [[maybe_unused]] void *outbuf,
    [[maybe_unused]] MPI_Count outcount, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::Unpack_external_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(datarep)) [[unlikely]] return c.no_address(1, "datarep", bits_of(datarep));
  if (insize < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "insize", insize, "at least 0");
  if (no_address(position)) [[unlikely]] return c.no_address(4, "position", bits_of(position));
  if (outcount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 6, "outcount", outcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(7, "datatype", datatype);
  if (beyond(outcount, 1, *datatype_)) [[unlikely]] return c.too_many(6, "outcount", outcount, 1, *datatype_);
  if (no_address(inbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inbuf, outcount * datatype_->core()->size(), 2,
        "inbuf")) return wrong;
  }
  if (no_address(outbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, outbuf, outcount, *datatype_, 5, "outbuf")) return wrong;
  }
  return c.finish(impl::Unpack_external(c, datarep, inbuf, insize, position, outbuf, outcount, *datatype_));
} catch (...) {
  return caught(function::Unpack_external_c);
}
LOADSTONE_ALIAS(MPI_Unpack_external_c)

MPI_Op PMPI_Op_fromint([[maybe_unused]] int op) {
  return process::current().handles.ops.whole(op);
}
LOADSTONE_ALIAS(MPI_Op_fromint)

int PMPI_Op_toint([[maybe_unused]] MPI_Op op) {
  return static_cast<int>(handle_bits(op));
}
LOADSTONE_ALIAS(MPI_Op_toint)

MPI_Datatype PMPI_Type_fromint([[maybe_unused]] int datatype) {
  return process::current().handles.types.whole(datatype);
}
LOADSTONE_ALIAS(MPI_Type_fromint)

int PMPI_Type_toint([[maybe_unused]] MPI_Datatype datatype) {
  return static_cast<int>(handle_bits(datatype));
}
LOADSTONE_ALIAS(MPI_Type_toint)

}  // extern "C"
