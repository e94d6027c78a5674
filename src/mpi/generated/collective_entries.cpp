// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

int PMPI_Allgather([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Allgather);
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
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 4, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Allgather(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      recvcount, *recvtype_, *comm_));
} catch (...) {
  return caught(function::Allgather);
}
LOADSTONE_ALIAS(MPI_Allgather)

int PMPI_Allgather_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Allgather_c);
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
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 4, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Allgather(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      recvcount, *recvtype_, *comm_));
} catch (...) {
  return caught(function::Allgather_c);
}
LOADSTONE_ALIAS(MPI_Allgather_c)

int PMPI_Allgatherv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] const int displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Allgatherv);
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
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Allgatherv(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs, sizeof *displs}, *recvtype_,
      *comm_));
} catch (...) {
  return caught(function::Allgatherv);
}
LOADSTONE_ALIAS(MPI_Allgatherv)

int PMPI_Allgatherv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Allgatherv_c);
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
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Allgatherv(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs, sizeof *displs}, *recvtype_,
      *comm_));
} catch (...) {
  return caught(function::Allgatherv_c);
}
LOADSTONE_ALIAS(MPI_Allgatherv_c)

int PMPI_Allreduce([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Allreduce);
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
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && count > 0 && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Allreduce(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_));
} catch (...) {
  return caught(function::Allreduce);
}
LOADSTONE_ALIAS(MPI_Allreduce)

int PMPI_Allreduce_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Allreduce_c);
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
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && count > 0 && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Allreduce(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_));
} catch (...) {
  return caught(function::Allreduce_c);
}
LOADSTONE_ALIAS(MPI_Allreduce_c)

int PMPI_Alltoall([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Alltoall);
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
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 4, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Alltoall(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      recvcount, *recvtype_, *comm_));
} catch (...) {
  return caught(function::Alltoall);
}
LOADSTONE_ALIAS(MPI_Alltoall)

int PMPI_Alltoall_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Alltoall_c);
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
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 4, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Alltoall(c, sendbuf, sendbuf != MPI_IN_PLACE ? sendcount : 0, *sendtype_, recvbuf,
      recvcount, *recvtype_, *comm_));
} catch (...) {
  return caught(function::Alltoall_c);
}
LOADSTONE_ALIAS(MPI_Alltoall_c)

int PMPI_Alltoallv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const int sendcounts[],
    [[maybe_unused]] const int sdispls[], [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const int recvcounts[],
    [[maybe_unused]] const int rdispls[], [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Alltoallv);
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
  return c.finish(impl::Alltoallv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, *sendtype_, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, *recvtype_, *comm_));
} catch (...) {
  return caught(function::Alltoallv);
}
LOADSTONE_ALIAS(MPI_Alltoallv)

int PMPI_Alltoallv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const MPI_Count sendcounts[],
    [[maybe_unused]] const MPI_Aint sdispls[], [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const MPI_Count recvcounts[],
    [[maybe_unused]] const MPI_Aint rdispls[], [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Alltoallv_c);
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
  return c.finish(impl::Alltoallv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, *sendtype_, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, *recvtype_, *comm_));
} catch (...) {
  return caught(function::Alltoallv_c);
}
LOADSTONE_ALIAS(MPI_Alltoallv_c)

int PMPI_Alltoallw([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const int sendcounts[],
    [[maybe_unused]] const int sdispls[], [[maybe_unused]] const MPI_Datatype sendtypes[],
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const int recvcounts[],
    [[maybe_unused]] const int rdispls[], [[maybe_unused]] const MPI_Datatype recvtypes[],
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Alltoallw);
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
  return c.finish(impl::Alltoallw(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, sendtypes, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, recvtypes, *comm_));
} catch (...) {
  return caught(function::Alltoallw);
}
LOADSTONE_ALIAS(MPI_Alltoallw)

int PMPI_Alltoallw_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const MPI_Count sendcounts[],
    [[maybe_unused]] const MPI_Aint sdispls[], [[maybe_unused]] const MPI_Datatype sendtypes[],
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const MPI_Count recvcounts[],
    [[maybe_unused]] const MPI_Aint rdispls[], [[maybe_unused]] const MPI_Datatype recvtypes[],
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Alltoallw_c);
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
  return c.finish(impl::Alltoallw(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, sendtypes, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, recvtypes, *comm_));
} catch (...) {
  return caught(function::Alltoallw_c);
}
LOADSTONE_ALIAS(MPI_Alltoallw_c)

int PMPI_Barrier([[maybe_unused]] MPI_Comm comm) try {
  call c(function::Barrier);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  return c.finish(impl::Barrier(c, *comm_));
} catch (...) {
  return caught(function::Barrier);
}
LOADSTONE_ALIAS(MPI_Barrier)

int PMPI_Bcast([[maybe_unused]] void *buffer, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Bcast);
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
  if (role.takes_part && no_address(buffer)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buffer, count, *datatype_, 1, "buffer")) return wrong;
  }
  return c.finish(impl::Bcast(c, buffer, role.takes_part ? count : 0, *datatype_, root, *comm_));
} catch (...) {
  return caught(function::Bcast);
}
LOADSTONE_ALIAS(MPI_Bcast)

int PMPI_Bcast_c([[maybe_unused]] void *buffer, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Bcast_c);
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
  if (role.takes_part && no_address(buffer)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buffer, count, *datatype_, 1, "buffer")) return wrong;
  }
  return c.finish(impl::Bcast(c, buffer, role.takes_part ? count : 0, *datatype_, root, *comm_));
} catch (...) {
  return caught(function::Bcast_c);
}
LOADSTONE_ALIAS(MPI_Bcast_c)

int PMPI_Exscan([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Exscan);
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
  return c.finish(impl::Exscan(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_));
} catch (...) {
  return caught(function::Exscan);
}
LOADSTONE_ALIAS(MPI_Exscan)

int PMPI_Exscan_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Exscan_c);
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
  return c.finish(impl::Exscan(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_));
} catch (...) {
  return caught(function::Exscan_c);
}
LOADSTONE_ALIAS(MPI_Exscan_c)

int PMPI_Gather([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Gather);
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
  return c.finish(impl::Gather(c, sendbuf, role.contributes && sendbuf != MPI_IN_PLACE ? sendcount : 0,
      *sendtype_, recvbuf, role.at_root ? recvcount : 0, *recvtype_, root, *comm_));
} catch (...) {
  return caught(function::Gather);
}
LOADSTONE_ALIAS(MPI_Gather)

int PMPI_Gather_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Gather_c);
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
  return c.finish(impl::Gather(c, sendbuf, role.contributes && sendbuf != MPI_IN_PLACE ? sendcount : 0,
      *sendtype_, recvbuf, role.at_root ? recvcount : 0, *recvtype_, root, *comm_));
} catch (...) {
  return caught(function::Gather_c);
}
LOADSTONE_ALIAS(MPI_Gather_c)

int PMPI_Gatherv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] const int displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Gatherv);
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
  if (role.contributes && no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.at_root && no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Gatherv(c, sendbuf, role.contributes && sendbuf != MPI_IN_PLACE ? sendcount : 0,
      *sendtype_, recvbuf, base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs,
      sizeof *displs}, *recvtype_, root, *comm_));
} catch (...) {
  return caught(function::Gatherv);
}
LOADSTONE_ALIAS(MPI_Gatherv)

int PMPI_Gatherv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Gatherv_c);
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
  if (role.contributes && no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sendcount, *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.at_root && no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *recvtype_, 4, "recvbuf")) return wrong;
  }
  return c.finish(impl::Gatherv(c, sendbuf, role.contributes && sendbuf != MPI_IN_PLACE ? sendcount : 0,
      *sendtype_, recvbuf, base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs,
      sizeof *displs}, *recvtype_, root, *comm_));
} catch (...) {
  return caught(function::Gatherv_c);
}
LOADSTONE_ALIAS(MPI_Gatherv_c)

int PMPI_Reduce([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Reduce);
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
  return c.finish(impl::Reduce(c, sendbuf, recvbuf, role.takes_part ? count : 0, *datatype_, *op_, root,
      *comm_));
} catch (...) {
  return caught(function::Reduce);
}
LOADSTONE_ALIAS(MPI_Reduce)

int PMPI_Reduce_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Reduce_c);
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
  return c.finish(impl::Reduce(c, sendbuf, recvbuf, role.takes_part ? count : 0, *datatype_, *op_, root,
      *comm_));
} catch (...) {
  return caught(function::Reduce_c);
}
LOADSTONE_ALIAS(MPI_Reduce_c)

int PMPI_Reduce_local([[maybe_unused]] const void *inbuf, [[maybe_unused]] void *inoutbuf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op) try {
  call c(function::Reduce_local);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (inbuf == inoutbuf && inbuf != nullptr && count > 0 && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "inbuf", 2, "inoutbuf", inbuf);
  if (no_address(inbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inbuf, count, *datatype_, 1, "inbuf")) return wrong;
  }
  if (no_address(inoutbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inoutbuf, count, *datatype_, 2, "inoutbuf")) return wrong;
  }
  return c.finish(impl::Reduce_local(c, inbuf, inoutbuf, count, *datatype_, *op_));
} catch (...) {
  return caught(function::Reduce_local);
}
LOADSTONE_ALIAS(MPI_Reduce_local)

int PMPI_Reduce_local_c([[maybe_unused]] const void *inbuf, [[maybe_unused]] void *inoutbuf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Op op) try {
  call c(function::Reduce_local_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 5, "op", "MPI_Op", handle_bits(op));
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (inbuf == inoutbuf && inbuf != nullptr && count > 0 && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "inbuf", 2, "inoutbuf", inbuf);
  if (no_address(inbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inbuf, count, *datatype_, 1, "inbuf")) return wrong;
  }
  if (no_address(inoutbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, inoutbuf, count, *datatype_, 2, "inoutbuf")) return wrong;
  }
  return c.finish(impl::Reduce_local(c, inbuf, inoutbuf, count, *datatype_, *op_));
} catch (...) {
  return caught(function::Reduce_local_c);
}
LOADSTONE_ALIAS(MPI_Reduce_local_c)

int PMPI_Reduce_scatter([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Reduce_scatter);
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
  return c.finish(impl::Reduce_scatter(c, sendbuf, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
      *datatype_, *op_, *comm_));
} catch (...) {
  return caught(function::Reduce_scatter);
}
LOADSTONE_ALIAS(MPI_Reduce_scatter)

int PMPI_Reduce_scatter_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Reduce_scatter_c);
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
  return c.finish(impl::Reduce_scatter(c, sendbuf, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
      *datatype_, *op_, *comm_));
} catch (...) {
  return caught(function::Reduce_scatter_c);
}
LOADSTONE_ALIAS(MPI_Reduce_scatter_c)

int PMPI_Reduce_scatter_block([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] int recvcount, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Reduce_scatter_block);
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
  return c.finish(impl::Reduce_scatter_block(c, sendbuf, recvbuf, recvcount, *datatype_, *op_, *comm_));
} catch (...) {
  return caught(function::Reduce_scatter_block);
}
LOADSTONE_ALIAS(MPI_Reduce_scatter_block)

int PMPI_Reduce_scatter_block_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Reduce_scatter_block_c);
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
  return c.finish(impl::Reduce_scatter_block(c, sendbuf, recvbuf, recvcount, *datatype_, *op_, *comm_));
} catch (...) {
  return caught(function::Reduce_scatter_block_c);
}
LOADSTONE_ALIAS(MPI_Reduce_scatter_block_c)

int PMPI_Scan([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Scan);
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
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && count > 0 && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Scan(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_));
} catch (...) {
  return caught(function::Scan);
}
LOADSTONE_ALIAS(MPI_Scan)

int PMPI_Scan_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Scan_c);
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
  if (!reduces(op, *op_, *datatype_)) [[unlikely]] return c.wrong_op(5, "op", op, datatype);
  if (sendbuf == recvbuf && sendbuf != nullptr && count > 0 && datatype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 2, "recvbuf", sendbuf);
  if (no_address(sendbuf) && (sendbuf != MPI_IN_PLACE || comm_->is_inter())) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, count, *datatype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, count, *datatype_, 2, "recvbuf")) return wrong;
  }
  return c.finish(impl::Scan(c, sendbuf, recvbuf, count, *datatype_, *op_, *comm_));
} catch (...) {
  return caught(function::Scan_c);
}
LOADSTONE_ALIAS(MPI_Scan_c)

int PMPI_Scatter([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Scatter);
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
  return c.finish(impl::Scatter(c, sendbuf, role.at_root ? sendcount : 0, *sendtype_, recvbuf,
      role.contributes && recvbuf != MPI_IN_PLACE ? recvcount : 0, *recvtype_, root, *comm_));
} catch (...) {
  return caught(function::Scatter);
}
LOADSTONE_ALIAS(MPI_Scatter)

int PMPI_Scatter_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Scatter_c);
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
  return c.finish(impl::Scatter(c, sendbuf, role.at_root ? sendcount : 0, *sendtype_, recvbuf,
      role.contributes && recvbuf != MPI_IN_PLACE ? recvcount : 0, *recvtype_, root, *comm_));
} catch (...) {
  return caught(function::Scatter_c);
}
LOADSTONE_ALIAS(MPI_Scatter_c)

int PMPI_Scatterv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const int sendcounts[],
    [[maybe_unused]] const int displs[], [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Scatterv);
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
  if (role.at_root && no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.contributes && no_address(recvbuf) && (recvbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 5, "recvbuf")) return wrong;
  }
  return c.finish(impl::Scatterv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{displs, sizeof *displs}, *sendtype_, recvbuf, role.contributes && recvbuf != MPI_IN_PLACE
      ? recvcount : 0, *recvtype_, root, *comm_));
} catch (...) {
  return caught(function::Scatterv);
}
LOADSTONE_ALIAS(MPI_Scatterv)

int PMPI_Scatterv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const MPI_Count sendcounts[],
    [[maybe_unused]] const MPI_Aint displs[], [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] MPI_Count recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Scatterv_c);
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
  if (role.at_root && no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{displs, sizeof *displs}, comm_->remote_size(), *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (role.contributes && no_address(recvbuf) && (recvbuf != MPI_IN_PLACE || comm_->is_inter()
      || !role.at_root)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, recvcount, *recvtype_, 5, "recvbuf")) return wrong;
  }
  return c.finish(impl::Scatterv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{displs, sizeof *displs}, *sendtype_, recvbuf, role.contributes && recvbuf != MPI_IN_PLACE
      ? recvcount : 0, *recvtype_, root, *comm_));
} catch (...) {
  return caught(function::Scatterv_c);
}
LOADSTONE_ALIAS(MPI_Scatterv_c)

}  // extern "C"
