// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

int PMPI_Iallgather([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iallgather);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendbuf != MPI_IN_PLACE && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (sendbuf != MPI_IN_PLACE && beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(8, "request", bits_of(request));
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 4, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iallgather(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      recvcount, *recvtype_, *comm_, request));
} catch (...) {
  return caught(function::Iallgather);
}
LOADSTONE_ALIAS(MPI_Iallgather)

int PMPI_Iallgather_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iallgather_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendbuf != MPI_IN_PLACE && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (sendbuf != MPI_IN_PLACE && beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(8, "request", bits_of(request));
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 4, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iallgather(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      recvcount, *recvtype_, *comm_, request));
} catch (...) {
  return caught(function::Iallgather_c);
}
LOADSTONE_ALIAS(MPI_Iallgather_c)

int PMPI_Iallgatherv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] const int displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iallgatherv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendbuf != MPI_IN_PLACE && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (sendbuf != MPI_IN_PLACE && beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  {
    const int wrong = check_counts(c, recvcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, displs, comm_->remote_size(), 6, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, comm_->remote_size(), *recvtype_, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iallgatherv(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs, sizeof *displs}, *recvtype_,
      *comm_, request));
} catch (...) {
  return caught(function::Iallgatherv);
}
LOADSTONE_ALIAS(MPI_Iallgatherv)

int PMPI_Iallgatherv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iallgatherv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendbuf != MPI_IN_PLACE && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (sendbuf != MPI_IN_PLACE && beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  {
    const int wrong = check_counts(c, recvcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, displs, comm_->remote_size(), 6, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, comm_->remote_size(), *recvtype_, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iallgatherv(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs, sizeof *displs}, *recvtype_,
      *comm_, request));
} catch (...) {
  return caught(function::Iallgatherv_c);
}
LOADSTONE_ALIAS(MPI_Iallgatherv_c)

int PMPI_Iallreduce([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iallreduce);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && count > 0 && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iallreduce(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_, request));
} catch (...) {
  return caught(function::Iallreduce);
}
LOADSTONE_ALIAS(MPI_Iallreduce)

int PMPI_Iallreduce_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iallreduce_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && count > 0 && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iallreduce(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_, request));
} catch (...) {
  return caught(function::Iallreduce_c);
}
LOADSTONE_ALIAS(MPI_Iallreduce_c)

int PMPI_Ialltoall([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ialltoall);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendbuf != MPI_IN_PLACE && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (sendbuf != MPI_IN_PLACE && beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(8, "request", bits_of(request));
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 4, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Ialltoall(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      recvcount, *recvtype_, *comm_, request));
} catch (...) {
  return caught(function::Ialltoall);
}
LOADSTONE_ALIAS(MPI_Ialltoall)

int PMPI_Ialltoall_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ialltoall_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendbuf != MPI_IN_PLACE && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (sendbuf != MPI_IN_PLACE && beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(8, "request", bits_of(request));
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 4, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Ialltoall(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      recvcount, *recvtype_, *comm_, request));
} catch (...) {
  return caught(function::Ialltoall_c);
}
LOADSTONE_ALIAS(MPI_Ialltoall_c)

int PMPI_Ialltoallv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const int sendcounts[],
    [[maybe_unused]] const int sdispls[], [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const int recvcounts[],
    [[maybe_unused]] const int rdispls[], [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ialltoallv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_counts(c, sendcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_present(c, sdispls, comm_->remote_size(), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(4, "sendtype", sendtype);
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_amounts(c, sendcounts, comm_->remote_size(), *sendtype_, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, comm_->remote_size(), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, comm_->remote_size(), *recvtype_, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, comm_->remote_size(), *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, comm_->remote_size(), *recvtype_, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ialltoallv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, *sendtype_, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, *recvtype_, *comm_, request));
} catch (...) {
  return caught(function::Ialltoallv);
}
LOADSTONE_ALIAS(MPI_Ialltoallv)

int PMPI_Ialltoallv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const MPI_Count sendcounts[],
    [[maybe_unused]] const MPI_Aint sdispls[], [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const MPI_Count recvcounts[],
    [[maybe_unused]] const MPI_Aint rdispls[], [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ialltoallv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_counts(c, sendcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_present(c, sdispls, comm_->remote_size(), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(4, "sendtype", sendtype);
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_amounts(c, sendcounts, comm_->remote_size(), *sendtype_, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, comm_->remote_size(), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, comm_->remote_size(), *recvtype_, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, comm_->remote_size(), *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, comm_->remote_size(), *recvtype_, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ialltoallv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, *sendtype_, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, *recvtype_, *comm_, request));
} catch (...) {
  return caught(function::Ialltoallv_c);
}
LOADSTONE_ALIAS(MPI_Ialltoallv_c)

int PMPI_Ialltoallw([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const int sendcounts[],
    [[maybe_unused]] const int sdispls[], [[maybe_unused]] const MPI_Datatype sendtypes[],
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const int recvcounts[],
    [[maybe_unused]] const int rdispls[], [[maybe_unused]] const MPI_Datatype recvtypes[],
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ialltoallw);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_counts(c, sendcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_present(c, sdispls, comm_->remote_size(), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_types(c, sendtypes, comm_->remote_size(), true, 4, "sendtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_amounts(c, sendcounts, comm_->remote_size(), sendtypes, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, comm_->remote_size(), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, recvtypes, comm_->remote_size(), true, 8, "recvtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, recvcounts, comm_->remote_size(), recvtypes, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, comm_->remote_size(), sendtypes, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, comm_->remote_size(), recvtypes, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ialltoallw(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, sendtypes, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, recvtypes, *comm_, request));
} catch (...) {
  return caught(function::Ialltoallw);
}
LOADSTONE_ALIAS(MPI_Ialltoallw)

int PMPI_Ialltoallw_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const MPI_Count sendcounts[],
    [[maybe_unused]] const MPI_Aint sdispls[], [[maybe_unused]] const MPI_Datatype sendtypes[],
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const MPI_Count recvcounts[],
    [[maybe_unused]] const MPI_Aint rdispls[], [[maybe_unused]] const MPI_Datatype recvtypes[],
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ialltoallw_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_counts(c, sendcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_present(c, sdispls, comm_->remote_size(), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_types(c, sendtypes, comm_->remote_size(), true, 4, "sendtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (sendbuf != MPI_IN_PLACE) {
    const int wrong = check_amounts(c, sendcounts, comm_->remote_size(), sendtypes, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, comm_->remote_size(), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, recvtypes, comm_->remote_size(), true, 8, "recvtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, recvcounts, comm_->remote_size(), recvtypes, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, comm_->remote_size(), sendtypes, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, comm_->remote_size(), recvtypes, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ialltoallw(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, sendtypes, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, recvtypes, *comm_, request));
} catch (...) {
  return caught(function::Ialltoallw_c);
}
LOADSTONE_ALIAS(MPI_Ialltoallw_c)

int PMPI_Ibarrier([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ibarrier);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(request)) [[unlikely]] return c.no_address(2, "request", bits_of(request));
  return c.finish(impl::Ibarrier(c, *comm_, request));
} catch (...) {
  return caught(function::Ibarrier);
}
LOADSTONE_ALIAS(MPI_Ibarrier)

int PMPI_Ibcast([[maybe_unused]] void *buffer, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ibcast);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 5, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 4, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.takes_part && count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  mpi::datatype* datatype_ = c.handles().types.find(MPI_BYTE);
  if (role.takes_part) datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (role.takes_part && beyond(count, 1, *datatype_)) [[unlikely]]
    return c.too_many(2, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(6, "request", bits_of(request));
  if (role.takes_part && no_address(buffer)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buffer, count, *datatype_, 1, "buffer")) return wrong;
  }
  return c.finish(impl::Ibcast(c, buffer, role.takes_part ? count : 0, *datatype_, root, *comm_, request));
} catch (...) {
  return caught(function::Ibcast);
}
LOADSTONE_ALIAS(MPI_Ibcast)

int PMPI_Ibcast_c([[maybe_unused]] void *buffer, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ibcast_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 5, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 4, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.takes_part && count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  mpi::datatype* datatype_ = c.handles().types.find(MPI_BYTE);
  if (role.takes_part) datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (role.takes_part && beyond(count, 1, *datatype_)) [[unlikely]]
    return c.too_many(2, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(6, "request", bits_of(request));
  if (role.takes_part && no_address(buffer)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buffer, count, *datatype_, 1, "buffer")) return wrong;
  }
  return c.finish(impl::Ibcast(c, buffer, role.takes_part ? count : 0, *datatype_, root, *comm_, request));
} catch (...) {
  return caught(function::Ibcast_c);
}
LOADSTONE_ALIAS(MPI_Ibcast_c)

int PMPI_Iexscan([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iexscan);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if ((comm_->rank() != 0 || sendbuf == MPI_IN_PLACE) && sendbuf == recvbuf && sendbuf != nullptr && count > 0
      && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if ((comm_->rank() != 0 || sendbuf == MPI_IN_PLACE) && no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iexscan(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_, request));
} catch (...) {
  return caught(function::Iexscan);
}
LOADSTONE_ALIAS(MPI_Iexscan)

int PMPI_Iexscan_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iexscan_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if ((comm_->rank() != 0 || sendbuf == MPI_IN_PLACE) && sendbuf == recvbuf && sendbuf != nullptr && count > 0
      && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if ((comm_->rank() != 0 || sendbuf == MPI_IN_PLACE) && no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iexscan(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_, request));
} catch (...) {
  return caught(function::Iexscan_c);
}
LOADSTONE_ALIAS(MPI_Iexscan_c)

int PMPI_Igather([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Igather);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 7, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.contributes && sendbuf != MPI_IN_PLACE && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (role.contributes && sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (role.contributes && sendbuf != MPI_IN_PLACE && beyond(sendcount, comm_->remote_size(),
      *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (role.at_root && recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  mpi::datatype* recvtype_ = c.handles().types.find(MPI_BYTE);
  if (role.at_root) recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (role.at_root && beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (role.contributes && role.at_root && sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype
      && sendcount > 0 && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 4, "recvbuf", sendbuf);
  if (role.contributes && no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.at_root && no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Igather(c, sendbuf, role.contributes && sendbuf != MPI_IN_PLACE ? sendcount : 0,
      *sendtype_, recvbuf, role.at_root ? recvcount : 0, *recvtype_, root, *comm_, request));
} catch (...) {
  return caught(function::Igather);
}
LOADSTONE_ALIAS(MPI_Igather)

int PMPI_Igather_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Igather_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 7, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.contributes && sendbuf != MPI_IN_PLACE && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (role.contributes && sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (role.contributes && sendbuf != MPI_IN_PLACE && beyond(sendcount, comm_->remote_size(),
      *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (role.at_root && recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  mpi::datatype* recvtype_ = c.handles().types.find(MPI_BYTE);
  if (role.at_root) recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (role.at_root && beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (role.contributes && role.at_root && sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype
      && sendcount > 0 && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 4, "recvbuf", sendbuf);
  if (role.contributes && no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.at_root && no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Igather(c, sendbuf, role.contributes && sendbuf != MPI_IN_PLACE ? sendcount : 0,
      *sendtype_, recvbuf, role.at_root ? recvcount : 0, *recvtype_, root, *comm_, request));
} catch (...) {
  return caught(function::Igather_c);
}
LOADSTONE_ALIAS(MPI_Igather_c)

int PMPI_Igatherv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] const int displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Igatherv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 8, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.contributes && sendbuf != MPI_IN_PLACE && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (role.contributes && sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (role.contributes && sendbuf != MPI_IN_PLACE && beyond(sendcount, comm_->remote_size(),
      *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (role.at_root) {
    const int wrong = check_counts(c, recvcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (role.at_root) {
    const int wrong = check_present(c, displs, comm_->remote_size(), 6, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  mpi::datatype* recvtype_ = c.handles().types.find(MPI_BYTE);
  if (role.at_root) recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  if (role.at_root) {
    const int wrong = check_amounts(c, recvcounts, comm_->remote_size(), *recvtype_, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (role.contributes && no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.at_root && no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Igatherv(c, sendbuf, role.contributes && sendbuf != MPI_IN_PLACE ? sendcount : 0,
      *sendtype_, recvbuf, base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs,
      sizeof *displs}, *recvtype_, root, *comm_, request));
} catch (...) {
  return caught(function::Igatherv);
}
LOADSTONE_ALIAS(MPI_Igatherv)

int PMPI_Igatherv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Igatherv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 8, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.contributes && sendbuf != MPI_IN_PLACE && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (role.contributes && sendbuf != MPI_IN_PLACE) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (role.contributes && sendbuf != MPI_IN_PLACE && beyond(sendcount, comm_->remote_size(),
      *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (role.at_root) {
    const int wrong = check_counts(c, recvcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (role.at_root) {
    const int wrong = check_present(c, displs, comm_->remote_size(), 6, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  mpi::datatype* recvtype_ = c.handles().types.find(MPI_BYTE);
  if (role.at_root) recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  if (role.at_root) {
    const int wrong = check_amounts(c, recvcounts, comm_->remote_size(), *recvtype_, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (role.contributes && no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.at_root && no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Igatherv(c, sendbuf, role.contributes && sendbuf != MPI_IN_PLACE ? sendcount : 0,
      *sendtype_, recvbuf, base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs,
      sizeof *displs}, *recvtype_, root, *comm_, request));
} catch (...) {
  return caught(function::Igatherv_c);
}
LOADSTONE_ALIAS(MPI_Igatherv_c)

int PMPI_Ireduce([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ireduce);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 6, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.takes_part && count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  mpi::datatype* datatype_ = c.handles().types.find(MPI_BYTE);
  if (role.takes_part) datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (role.takes_part && beyond(count, 1, *datatype_)) [[unlikely]]
    return c.too_many(3, "count", count, 1, *datatype_);
  mpi::op* op_ = c.handles().ops.find(MPI_SUM);
  if (role.takes_part) op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(8, "request", bits_of(request));
  if (role.takes_part && !reduces(op, *op_, *datatype_)) [[unlikely]]
    return c.wrong_op(5, "op", op, datatype);
  if (role.contributes && role.at_root && sendbuf == recvbuf && sendbuf != nullptr && count > 0
      && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (role.contributes && no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (role.at_root && no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Ireduce(c, sendbuf, recvbuf, role.takes_part ? count : 0, *datatype_, *op_, root,
      *comm_, request));
} catch (...) {
  return caught(function::Ireduce);
}
LOADSTONE_ALIAS(MPI_Ireduce)

int PMPI_Ireduce_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ireduce_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 6, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.takes_part && count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  mpi::datatype* datatype_ = c.handles().types.find(MPI_BYTE);
  if (role.takes_part) datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (role.takes_part && beyond(count, 1, *datatype_)) [[unlikely]]
    return c.too_many(3, "count", count, 1, *datatype_);
  mpi::op* op_ = c.handles().ops.find(MPI_SUM);
  if (role.takes_part) op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(8, "request", bits_of(request));
  if (role.takes_part && !reduces(op, *op_, *datatype_)) [[unlikely]]
    return c.wrong_op(5, "op", op, datatype);
  if (role.contributes && role.at_root && sendbuf == recvbuf && sendbuf != nullptr && count > 0
      && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (role.contributes && no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (role.at_root && no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Ireduce(c, sendbuf, recvbuf, role.takes_part ? count : 0, *datatype_, *op_, root,
      *comm_, request));
} catch (...) {
  return caught(function::Ireduce_c);
}
LOADSTONE_ALIAS(MPI_Ireduce_c)

int PMPI_Ireduce_scatter([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ireduce_scatter);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, recvcounts, comm_->size(), 0, MPI_ERR_COUNT, 3, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  {
    const int wrong = check_amounts(c, recvcounts, comm_->size(), *datatype_, 3, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && comm_->size() > 0
      && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{recvcounts, sizeof *recvcounts}, {},
        comm_->size(), *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, own_part(sendbuf, recvcounts, *comm_), *datatype_, 2,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ireduce_scatter(c, sendbuf, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
      *datatype_, *op_, *comm_, request));
} catch (...) {
  return caught(function::Ireduce_scatter);
}
LOADSTONE_ALIAS(MPI_Ireduce_scatter)

int PMPI_Ireduce_scatter_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ireduce_scatter_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, recvcounts, comm_->size(), 0, MPI_ERR_COUNT, 3, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  {
    const int wrong = check_amounts(c, recvcounts, comm_->size(), *datatype_, 3, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && comm_->size() > 0
      && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{recvcounts, sizeof *recvcounts}, {},
        comm_->size(), *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, own_part(sendbuf, recvcounts, *comm_), *datatype_, 2,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ireduce_scatter(c, sendbuf, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
      *datatype_, *op_, *comm_, request));
} catch (...) {
  return caught(function::Ireduce_scatter_c);
}
LOADSTONE_ALIAS(MPI_Ireduce_scatter_c)

int PMPI_Ireduce_scatter_block([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] int recvcount, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ireduce_scatter_block);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 3, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(recvcount, comm_->remote_size(), *datatype_)) [[unlikely]]
    return c.too_many(3, "recvcount", recvcount, comm_->remote_size(), *datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && recvcount > 0
      && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, recvcount, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Ireduce_scatter_block(c, sendbuf, recvbuf, recvcount, *datatype_, *op_, *comm_,
      request));
} catch (...) {
  return caught(function::Ireduce_scatter_block);
}
LOADSTONE_ALIAS(MPI_Ireduce_scatter_block)

int PMPI_Ireduce_scatter_block_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ireduce_scatter_block_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 3, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(recvcount, comm_->remote_size(), *datatype_)) [[unlikely]]
    return c.too_many(3, "recvcount", recvcount, comm_->remote_size(), *datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && recvcount > 0
      && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, recvcount, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Ireduce_scatter_block(c, sendbuf, recvbuf, recvcount, *datatype_, *op_, *comm_,
      request));
} catch (...) {
  return caught(function::Ireduce_scatter_block_c);
}
LOADSTONE_ALIAS(MPI_Ireduce_scatter_block_c)

int PMPI_Iscan([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iscan);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && count > 0 && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iscan(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_, request));
} catch (...) {
  return caught(function::Iscan);
}
LOADSTONE_ALIAS(MPI_Iscan)

int PMPI_Iscan_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iscan_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && count > 0 && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iscan(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_, request));
} catch (...) {
  return caught(function::Iscan_c);
}
LOADSTONE_ALIAS(MPI_Iscan_c)

int PMPI_Iscatter([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iscatter);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 7, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.at_root && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (role.at_root) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (role.at_root && beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (role.contributes && recvbuf != MPI_IN_PLACE && recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  mpi::datatype* recvtype_ = c.handles().types.find(MPI_BYTE);
  if (role.contributes && recvbuf != MPI_IN_PLACE) recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (role.contributes && recvbuf != MPI_IN_PLACE && beyond(recvcount, comm_->remote_size(),
      *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (role.contributes && role.at_root && recvbuf == sendbuf && recvbuf != nullptr && sendtype == recvtype
      && recvcount > 0 && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(4, "recvbuf", 1, "sendbuf", recvbuf);
  if (role.at_root && no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.contributes && no_address(recvbuf) && (recvbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iscatter(c, sendbuf, role.at_root ? sendcount : 0, *sendtype_, recvbuf,
      role.contributes && recvbuf != MPI_IN_PLACE ? recvcount : 0, *recvtype_, root, *comm_, request));
} catch (...) {
  return caught(function::Iscatter);
}
LOADSTONE_ALIAS(MPI_Iscatter)

int PMPI_Iscatter_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iscatter_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 7, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.at_root && sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (role.at_root) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (role.at_root && beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (role.contributes && recvbuf != MPI_IN_PLACE && recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  mpi::datatype* recvtype_ = c.handles().types.find(MPI_BYTE);
  if (role.contributes && recvbuf != MPI_IN_PLACE) recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (role.contributes && recvbuf != MPI_IN_PLACE && beyond(recvcount, comm_->remote_size(),
      *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (role.contributes && role.at_root && recvbuf == sendbuf && recvbuf != nullptr && sendtype == recvtype
      && recvcount > 0 && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(4, "recvbuf", 1, "sendbuf", recvbuf);
  if (role.at_root && no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.contributes && no_address(recvbuf) && (recvbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iscatter(c, sendbuf, role.at_root ? sendcount : 0, *sendtype_, recvbuf,
      role.contributes && recvbuf != MPI_IN_PLACE ? recvcount : 0, *recvtype_, root, *comm_, request));
} catch (...) {
  return caught(function::Iscatter_c);
}
LOADSTONE_ALIAS(MPI_Iscatter_c)

int PMPI_Iscatterv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const int sendcounts[],
    [[maybe_unused]] const int displs[], [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iscatterv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 8, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.at_root) {
    const int wrong = check_counts(c, sendcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (role.at_root) {
    const int wrong = check_present(c, displs, comm_->remote_size(), 3, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (role.at_root) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(4, "sendtype", sendtype);
  if (role.at_root) {
    const int wrong = check_amounts(c, sendcounts, comm_->remote_size(), *sendtype_, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (role.contributes && recvbuf != MPI_IN_PLACE && recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "recvcount", recvcount, "at least 0");
  mpi::datatype* recvtype_ = c.handles().types.find(MPI_BYTE);
  if (role.contributes && recvbuf != MPI_IN_PLACE) recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  if (role.contributes && recvbuf != MPI_IN_PLACE && beyond(recvcount, comm_->remote_size(),
      *recvtype_)) [[unlikely]]
    return c.too_many(6, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (role.at_root && no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.contributes && no_address(recvbuf) && (recvbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 5, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iscatterv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{displs, sizeof *displs}, *sendtype_, recvbuf, role.contributes && recvbuf != MPI_IN_PLACE
      ? recvcount : 0, *recvtype_, root, *comm_, request));
} catch (...) {
  return caught(function::Iscatterv);
}
LOADSTONE_ALIAS(MPI_Iscatterv)

int PMPI_Iscatterv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const MPI_Count sendcounts[],
    [[maybe_unused]] const MPI_Aint displs[], [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] MPI_Count recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Iscatterv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 8, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  [[maybe_unused]] const roles role(root, *comm_);
  if (role.at_root) {
    const int wrong = check_counts(c, sendcounts, comm_->remote_size(), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (role.at_root) {
    const int wrong = check_present(c, displs, comm_->remote_size(), 3, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  mpi::datatype* sendtype_ = c.handles().types.find(MPI_BYTE);
  if (role.at_root) sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(4, "sendtype", sendtype);
  if (role.at_root) {
    const int wrong = check_amounts(c, sendcounts, comm_->remote_size(), *sendtype_, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (role.contributes && recvbuf != MPI_IN_PLACE && recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "recvcount", recvcount, "at least 0");
  mpi::datatype* recvtype_ = c.handles().types.find(MPI_BYTE);
  if (role.contributes && recvbuf != MPI_IN_PLACE) recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  if (role.contributes && recvbuf != MPI_IN_PLACE && beyond(recvcount, comm_->remote_size(),
      *recvtype_)) [[unlikely]]
    return c.too_many(6, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (role.at_root && no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.contributes && no_address(recvbuf) && (recvbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 5, "recvbuf")) return wrong;
  }
  return c.finish(impl::Iscatterv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{displs, sizeof *displs}, *sendtype_, recvbuf, role.contributes && recvbuf != MPI_IN_PLACE
      ? recvcount : 0, *recvtype_, root, *comm_, request));
} catch (...) {
  return caught(function::Iscatterv_c);
}
LOADSTONE_ALIAS(MPI_Iscatterv_c)

}  // extern "C"
