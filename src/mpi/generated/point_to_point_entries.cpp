// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

int PMPI_Bsend([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Bsend);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Bsend(c, buf, count, *datatype_, dest, tag, *comm_));
} catch (...) {
  return caught(function::Bsend);
}
LOADSTONE_ALIAS(MPI_Bsend)

int PMPI_Bsend_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Bsend_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Bsend(c, buf, count, *datatype_, dest, tag, *comm_));
} catch (...) {
  return caught(function::Bsend_c);
}
LOADSTONE_ALIAS(MPI_Bsend_c)

int PMPI_Bsend_init([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Bsend_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Bsend_init(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Bsend_init);
}
LOADSTONE_ALIAS(MPI_Bsend_init)

int PMPI_Bsend_init_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Bsend_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Bsend_init(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Bsend_init_c);
}
LOADSTONE_ALIAS(MPI_Bsend_init_c)

int PMPI_Buffer_attach([[maybe_unused]] void *buffer, [[maybe_unused]] int size) try {
  call c(function::Buffer_attach);
  if (!c.running()) [[unlikely]] return c.outside();
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "size", size, "at least 0");
  if (no_address(buffer) && buffer != MPI_BUFFER_AUTOMATIC) [[unlikely]] {
    if (const int wrong = check_buffer(c, buffer, size, 1, "buffer")) return wrong;
  }
  return c.finish(impl::Buffer_attach(c, buffer, size));
} catch (...) {
  return caught(function::Buffer_attach);
}
LOADSTONE_ALIAS(MPI_Buffer_attach)

int PMPI_Buffer_attach_c([[maybe_unused]] void *buffer, [[maybe_unused]] MPI_Count size) try {
  call c(function::Buffer_attach_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "size", size, "at least 0");
  if (no_address(buffer) && buffer != MPI_BUFFER_AUTOMATIC) [[unlikely]] {
    if (const int wrong = check_buffer(c, buffer, size, 1, "buffer")) return wrong;
  }
  return c.finish(impl::Buffer_attach(c, buffer, size));
} catch (...) {
  return caught(function::Buffer_attach_c);
}
LOADSTONE_ALIAS(MPI_Buffer_attach_c)

int PMPI_Buffer_detach([[maybe_unused]] void *buffer_addr, [[maybe_unused]] int *size) try {
  call c(function::Buffer_detach);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(buffer_addr)) [[unlikely]] return c.no_address(1, "buffer_addr", bits_of(buffer_addr));
  if (no_address(size)) [[unlikely]] return c.no_address(2, "size", bits_of(size));
  std::int64_t size_ = 0;
  const int code = impl::Buffer_detach(c, buffer_addr, &size_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  if (!fits_int(size_)) [[unlikely]] return c.too_large(2, "size", size_);
  *size = static_cast<int>(size_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Buffer_detach);
}
LOADSTONE_ALIAS(MPI_Buffer_detach)

int PMPI_Buffer_detach_c([[maybe_unused]] void *buffer_addr, [[maybe_unused]] MPI_Count *size) try {
  call c(function::Buffer_detach_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(buffer_addr)) [[unlikely]] return c.no_address(1, "buffer_addr", bits_of(buffer_addr));
  if (no_address(size)) [[unlikely]] return c.no_address(2, "size", bits_of(size));
  return c.finish(impl::Buffer_detach(c, buffer_addr, size));
} catch (...) {
  return caught(function::Buffer_detach_c);
}
LOADSTONE_ALIAS(MPI_Buffer_detach_c)

int PMPI_Buffer_flush() try {
  call c(function::Buffer_flush);
  if (!c.running()) [[unlikely]] return c.outside();
  return c.finish(impl::Buffer_flush(c));
} catch (...) {
  return caught(function::Buffer_flush);
}
LOADSTONE_ALIAS(MPI_Buffer_flush)

int PMPI_Buffer_iflush([[maybe_unused]] MPI_Request *request) try {
  call c(function::Buffer_iflush);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(request)) [[unlikely]] return c.no_address(1, "request", bits_of(request));
  return c.finish(impl::Buffer_iflush(c, request));
} catch (...) {
  return caught(function::Buffer_iflush);
}
LOADSTONE_ALIAS(MPI_Buffer_iflush)

int PMPI_Cancel([[maybe_unused]] MPI_Request *request) try {
  call c(function::Cancel);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(request)) [[unlikely]] return c.no_address(1, "request", bits_of(request));
  return c.finish(impl::Cancel(c, request));
} catch (...) {
  return caught(function::Cancel);
}
LOADSTONE_ALIAS(MPI_Cancel)

int PMPI_Get_count([[maybe_unused]] const MPI_Status *status, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] int *count) try {
  call c(function::Get_count);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(count)) [[unlikely]] return c.no_address(3, "count", bits_of(count));
  std::int64_t count_ = 0;
  const int code = impl::Get_count(c, status, *datatype_, &count_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *count = narrow_or_undefined(count_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Get_count);
}
LOADSTONE_ALIAS(MPI_Get_count)

int PMPI_Get_count_c([[maybe_unused]] const MPI_Status *status, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Count *count) try {
  call c(function::Get_count_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(count)) [[unlikely]] return c.no_address(3, "count", bits_of(count));
  return c.finish(impl::Get_count(c, status, *datatype_, count));
} catch (...) {
  return caught(function::Get_count_c);
}
LOADSTONE_ALIAS(MPI_Get_count_c)

int PMPI_Grequest_complete([[maybe_unused]] MPI_Request request) try {
  call c(function::Grequest_complete);
  if (!c.running()) [[unlikely]] return c.outside();
  return c.finish(impl::Grequest_complete(c, request));
} catch (...) {
  return caught(function::Grequest_complete);
}
LOADSTONE_ALIAS(MPI_Grequest_complete)

int PMPI_Grequest_start([[maybe_unused]] MPI_Grequest_query_function *query_fn,
    [[maybe_unused]] MPI_Grequest_free_function *free_fn,
    [[maybe_unused]] MPI_Grequest_cancel_function *cancel_fn, [[maybe_unused]] void *extra_state,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Grequest_start);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(query_fn)) [[unlikely]] return c.no_address(1, "query_fn", bits_of(query_fn));
  if (no_address(free_fn)) [[unlikely]] return c.no_address(2, "free_fn", bits_of(free_fn));
  if (no_address(cancel_fn)) [[unlikely]] return c.no_address(3, "cancel_fn", bits_of(cancel_fn));
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  return c.finish(impl::Grequest_start(c, query_fn, free_fn, cancel_fn, extra_state, request));
} catch (...) {
  return caught(function::Grequest_start);
}
LOADSTONE_ALIAS(MPI_Grequest_start)

int PMPI_Ibsend([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ibsend);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Ibsend(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Ibsend);
}
LOADSTONE_ALIAS(MPI_Ibsend)

int PMPI_Ibsend_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ibsend_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Ibsend(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Ibsend_c);
}
LOADSTONE_ALIAS(MPI_Ibsend_c)

int PMPI_Improbe([[maybe_unused]] int source, [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] int *flag, [[maybe_unused]] MPI_Message *message,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::Improbe);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 3, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(1, "source", source, comm_->remote_size());
  if (!is_receive_tag(tag, *comm_)) [[unlikely]] return c.wrong_receive_tag(2, "tag", tag);
  if (no_address(flag)) [[unlikely]] return c.no_address(4, "flag", bits_of(flag));
  if (no_address(message)) [[unlikely]] return c.no_address(5, "message", bits_of(message));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(6, "status", bits_of(status));
  return c.finish(impl::Improbe(c, source, tag, *comm_, flag, message, status));
} catch (...) {
  return caught(function::Improbe);
}
LOADSTONE_ALIAS(MPI_Improbe)

int PMPI_Imrecv([[maybe_unused]] void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Message *message,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Imrecv);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (no_address(message)) [[unlikely]] return c.no_address(4, "message", bits_of(message));
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, (*message != MPI_MESSAGE_NO_PROC) == 0 ? 0 : count, *datatype_,
        1, "buf")) return wrong;
  }
  return c.finish(impl::Imrecv(c, buf, count, *datatype_, message, request));
} catch (...) {
  return caught(function::Imrecv);
}
LOADSTONE_ALIAS(MPI_Imrecv)

int PMPI_Imrecv_c([[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Message *message,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Imrecv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (no_address(message)) [[unlikely]] return c.no_address(4, "message", bits_of(message));
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, (*message != MPI_MESSAGE_NO_PROC) == 0 ? 0 : count, *datatype_,
        1, "buf")) return wrong;
  }
  return c.finish(impl::Imrecv(c, buf, count, *datatype_, message, request));
} catch (...) {
  return caught(function::Imrecv_c);
}
LOADSTONE_ALIAS(MPI_Imrecv_c)

int PMPI_Iprobe([[maybe_unused]] int source, [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] int *flag, [[maybe_unused]] MPI_Status *status) try {
  call c(function::Iprobe);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 3, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(1, "source", source, comm_->remote_size());
  if (!is_receive_tag(tag, *comm_)) [[unlikely]] return c.wrong_receive_tag(2, "tag", tag);
  if (no_address(flag)) [[unlikely]] return c.no_address(4, "flag", bits_of(flag));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  return c.finish(impl::Iprobe(c, source, tag, *comm_, flag, status));
} catch (...) {
  return caught(function::Iprobe);
}
LOADSTONE_ALIAS(MPI_Iprobe)

[[gnu::noinline]] static int otherwise_MPI_Irecv([[maybe_unused]] void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int source, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Irecv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(4, "source", source, comm_->remote_size());
  if (!is_receive_tag(tag, *comm_)) [[unlikely]] return c.wrong_receive_tag(5, "tag", tag);
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, source == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Irecv(c, buf, count, *datatype_, source, tag, *comm_, request));
} catch (...) {
  return caught(function::Irecv);
}

int PMPI_Irecv([[maybe_unused]] void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] int source, [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  if (quick::Irecv(function::Irecv, buf, count, datatype, source, tag, comm,
      request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Irecv(buf, count, datatype, source, tag, comm, request);
} catch (...) {
  return caught(function::Irecv);
}
LOADSTONE_ALIAS(MPI_Irecv)

[[gnu::noinline]] static int otherwise_MPI_Irecv_c([[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int source,
    [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Irecv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(4, "source", source, comm_->remote_size());
  if (!is_receive_tag(tag, *comm_)) [[unlikely]] return c.wrong_receive_tag(5, "tag", tag);
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, source == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Irecv(c, buf, count, *datatype_, source, tag, *comm_, request));
} catch (...) {
  return caught(function::Irecv_c);
}

int PMPI_Irecv_c([[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int source, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  if (quick::Irecv(function::Irecv_c, buf, count, datatype, source, tag, comm,
      request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Irecv_c(buf, count, datatype, source, tag, comm, request);
} catch (...) {
  return caught(function::Irecv_c);
}
LOADSTONE_ALIAS(MPI_Irecv_c)

int PMPI_Irsend([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Irsend);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Irsend(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Irsend);
}
LOADSTONE_ALIAS(MPI_Irsend)

int PMPI_Irsend_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Irsend_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Irsend(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Irsend_c);
}
LOADSTONE_ALIAS(MPI_Irsend_c)

[[gnu::noinline]] static int otherwise_MPI_Isend([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Isend);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Isend(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Isend);
}

int PMPI_Isend([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  if (quick::Isend(function::Isend, buf, count, datatype, dest, tag, comm,
      request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Isend(buf, count, datatype, dest, tag, comm, request);
} catch (...) {
  return caught(function::Isend);
}
LOADSTONE_ALIAS(MPI_Isend)

[[gnu::noinline]] static int otherwise_MPI_Isend_c([[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest,
    [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Isend_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Isend(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Isend_c);
}

int PMPI_Isend_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  if (quick::Isend(function::Isend_c, buf, count, datatype, dest, tag, comm,
      request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Isend_c(buf, count, datatype, dest, tag, comm, request);
} catch (...) {
  return caught(function::Isend_c);
}
LOADSTONE_ALIAS(MPI_Isend_c)

int PMPI_Isendrecv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] int dest, [[maybe_unused]] int sendtag,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] int source, [[maybe_unused]] int recvtag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Isendrecv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 11, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, 1, *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, 1, *sendtype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (sendtag < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_TAG, 5, "sendtag", sendtag, "0 to 2147483647 (MPI_TAG_UB)");
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 7, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  if (beyond(recvcount, 1, *recvtype_)) [[unlikely]]
    return c.too_many(7, "recvcount", recvcount, 1, *recvtype_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(9, "source", source, comm_->remote_size());
  if (!is_receive_tag(recvtag, *comm_)) [[unlikely]] return c.wrong_receive_tag(10, "recvtag", recvtag);
  if (no_address(request)) [[unlikely]] return c.no_address(12, "request", bits_of(request));
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0 && recvcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 6, "recvbuf", sendbuf);
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, dest == MPI_PROC_NULL ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, source == MPI_PROC_NULL ? 0 : recvcount, *recvtype_, 6,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Isendrecv(c, sendbuf, sendcount, *sendtype_, dest, sendtag, recvbuf, recvcount,
      *recvtype_, source, recvtag, *comm_, request));
} catch (...) {
  return caught(function::Isendrecv);
}
LOADSTONE_ALIAS(MPI_Isendrecv)

int PMPI_Isendrecv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] int dest, [[maybe_unused]] int sendtag,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] MPI_Count recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int source, [[maybe_unused]] int recvtag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Isendrecv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 11, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, 1, *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, 1, *sendtype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (sendtag < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_TAG, 5, "sendtag", sendtag, "0 to 2147483647 (MPI_TAG_UB)");
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 7, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  if (beyond(recvcount, 1, *recvtype_)) [[unlikely]]
    return c.too_many(7, "recvcount", recvcount, 1, *recvtype_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(9, "source", source, comm_->remote_size());
  if (!is_receive_tag(recvtag, *comm_)) [[unlikely]] return c.wrong_receive_tag(10, "recvtag", recvtag);
  if (no_address(request)) [[unlikely]] return c.no_address(12, "request", bits_of(request));
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0 && recvcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 6, "recvbuf", sendbuf);
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, dest == MPI_PROC_NULL ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, source == MPI_PROC_NULL ? 0 : recvcount, *recvtype_, 6,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Isendrecv(c, sendbuf, sendcount, *sendtype_, dest, sendtag, recvbuf, recvcount,
      *recvtype_, source, recvtag, *comm_, request));
} catch (...) {
  return caught(function::Isendrecv_c);
}
LOADSTONE_ALIAS(MPI_Isendrecv_c)

int PMPI_Isendrecv_replace([[maybe_unused]] void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int sendtag,
    [[maybe_unused]] int source, [[maybe_unused]] int recvtag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Isendrecv_replace);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (sendtag < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_TAG, 5, "sendtag", sendtag, "0 to 2147483647 (MPI_TAG_UB)");
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(6, "source", source, comm_->remote_size());
  if (!is_receive_tag(recvtag, *comm_)) [[unlikely]] return c.wrong_receive_tag(7, "recvtag", recvtag);
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL && source == MPI_PROC_NULL ? 0 : count,
        *datatype_, 1, "buf")) return wrong;
  }
  return c.finish(impl::Isendrecv_replace(c, buf, count, *datatype_, dest, sendtag, source, recvtag, *comm_,
      request));
} catch (...) {
  return caught(function::Isendrecv_replace);
}
LOADSTONE_ALIAS(MPI_Isendrecv_replace)

int PMPI_Isendrecv_replace_c([[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int sendtag,
    [[maybe_unused]] int source, [[maybe_unused]] int recvtag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Isendrecv_replace_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (sendtag < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_TAG, 5, "sendtag", sendtag, "0 to 2147483647 (MPI_TAG_UB)");
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(6, "source", source, comm_->remote_size());
  if (!is_receive_tag(recvtag, *comm_)) [[unlikely]] return c.wrong_receive_tag(7, "recvtag", recvtag);
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL && source == MPI_PROC_NULL ? 0 : count,
        *datatype_, 1, "buf")) return wrong;
  }
  return c.finish(impl::Isendrecv_replace(c, buf, count, *datatype_, dest, sendtag, source, recvtag, *comm_,
      request));
} catch (...) {
  return caught(function::Isendrecv_replace_c);
}
LOADSTONE_ALIAS(MPI_Isendrecv_replace_c)

int PMPI_Issend([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Issend);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Issend(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Issend);
}
LOADSTONE_ALIAS(MPI_Issend)

int PMPI_Issend_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Issend_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Issend(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Issend_c);
}
LOADSTONE_ALIAS(MPI_Issend_c)

int PMPI_Mprobe([[maybe_unused]] int source, [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Message *message, [[maybe_unused]] MPI_Status *status) try {
  call c(function::Mprobe);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 3, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(1, "source", source, comm_->remote_size());
  if (!is_receive_tag(tag, *comm_)) [[unlikely]] return c.wrong_receive_tag(2, "tag", tag);
  if (no_address(message)) [[unlikely]] return c.no_address(4, "message", bits_of(message));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  return c.finish(impl::Mprobe(c, source, tag, *comm_, message, status));
} catch (...) {
  return caught(function::Mprobe);
}
LOADSTONE_ALIAS(MPI_Mprobe)

int PMPI_Mrecv([[maybe_unused]] void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Message *message, [[maybe_unused]] MPI_Status *status) try {
  call c(function::Mrecv);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (no_address(message)) [[unlikely]] return c.no_address(4, "message", bits_of(message));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, (*message != MPI_MESSAGE_NO_PROC) == 0 ? 0 : count, *datatype_,
        1, "buf")) return wrong;
  }
  return c.finish(impl::Mrecv(c, buf, count, *datatype_, message, status));
} catch (...) {
  return caught(function::Mrecv);
}
LOADSTONE_ALIAS(MPI_Mrecv)

int PMPI_Mrecv_c([[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Message *message,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::Mrecv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (no_address(message)) [[unlikely]] return c.no_address(4, "message", bits_of(message));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, (*message != MPI_MESSAGE_NO_PROC) == 0 ? 0 : count, *datatype_,
        1, "buf")) return wrong;
  }
  return c.finish(impl::Mrecv(c, buf, count, *datatype_, message, status));
} catch (...) {
  return caught(function::Mrecv_c);
}
LOADSTONE_ALIAS(MPI_Mrecv_c)

int PMPI_Parrived([[maybe_unused]] MPI_Request request, [[maybe_unused]] int partition,
    [[maybe_unused]] int *flag) try {
  call c(function::Parrived);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(flag)) [[unlikely]] return c.no_address(3, "flag", bits_of(flag));
  return c.finish(impl::Parrived(c, request, partition, flag));
} catch (...) {
  return caught(function::Parrived);
}
LOADSTONE_ALIAS(MPI_Parrived)

int PMPI_Pready([[maybe_unused]] int partition, [[maybe_unused]] MPI_Request request) try {
  call c(function::Pready);
  if (!c.running()) [[unlikely]] return c.outside();
  return c.finish(impl::Pready(c, partition, request));
} catch (...) {
  return caught(function::Pready);
}
LOADSTONE_ALIAS(MPI_Pready)

int PMPI_Pready_list([[maybe_unused]] int length, [[maybe_unused]] const int array_of_partitions[],
    [[maybe_unused]] MPI_Request request) try {
  call c(function::Pready_list);
  if (!c.running()) [[unlikely]] return c.outside();
  if (length < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 1, "length", length, "at least 0");
  {
    const int wrong = check_present(c, array_of_partitions, length, 2, "array_of_partitions");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  return c.finish(impl::Pready_list(c, length, array_of_partitions, request));
} catch (...) {
  return caught(function::Pready_list);
}
LOADSTONE_ALIAS(MPI_Pready_list)

int PMPI_Pready_range([[maybe_unused]] int partition_low, [[maybe_unused]] int partition_high,
    [[maybe_unused]] MPI_Request request) try {
  call c(function::Pready_range);
  if (!c.running()) [[unlikely]] return c.outside();
  return c.finish(impl::Pready_range(c, partition_low, partition_high, request));
} catch (...) {
  return caught(function::Pready_range);
}
LOADSTONE_ALIAS(MPI_Pready_range)

int PMPI_Precv_init([[maybe_unused]] void *buf, [[maybe_unused]] int partitions, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Precv_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (partitions < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "partitions", partitions, "at least 0");
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 5, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 6, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 8, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, partitions == 0 ? 0 : dest == MPI_PROC_NULL ? 0 : count,
        *datatype_, 1, "buf")) return wrong;
  }
  return c.finish(impl::Precv_init(c, buf, partitions, count, *datatype_, dest, tag, *comm_, info_, request));
} catch (...) {
  return caught(function::Precv_init);
}
LOADSTONE_ALIAS(MPI_Precv_init)

int PMPI_Precv_init_c([[maybe_unused]] void *buf, [[maybe_unused]] int partitions,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest,
    [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Precv_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (partitions < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "partitions", partitions, "at least 0");
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 5, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 6, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 8, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, partitions == 0 ? 0 : dest == MPI_PROC_NULL ? 0 : count,
        *datatype_, 1, "buf")) return wrong;
  }
  return c.finish(impl::Precv_init(c, buf, partitions, count, *datatype_, dest, tag, *comm_, info_, request));
} catch (...) {
  return caught(function::Precv_init_c);
}
LOADSTONE_ALIAS(MPI_Precv_init_c)

int PMPI_Probe([[maybe_unused]] int source, [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::Probe);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 3, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(1, "source", source, comm_->remote_size());
  if (!is_receive_tag(tag, *comm_)) [[unlikely]] return c.wrong_receive_tag(2, "tag", tag);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(4, "status", bits_of(status));
  return c.finish(impl::Probe(c, source, tag, *comm_, status));
} catch (...) {
  return caught(function::Probe);
}
LOADSTONE_ALIAS(MPI_Probe)

int PMPI_Psend_init([[maybe_unused]] const void *buf, [[maybe_unused]] int partitions,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest,
    [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Psend_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (partitions < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "partitions", partitions, "at least 0");
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 5, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 6, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 8, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, partitions == 0 ? 0 : dest == MPI_PROC_NULL ? 0 : count,
        *datatype_, 1, "buf")) return wrong;
  }
  return c.finish(impl::Psend_init(c, buf, partitions, count, *datatype_, dest, tag, *comm_, info_, request));
} catch (...) {
  return caught(function::Psend_init);
}
LOADSTONE_ALIAS(MPI_Psend_init)

int PMPI_Psend_init_c([[maybe_unused]] const void *buf, [[maybe_unused]] int partitions,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest,
    [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Psend_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (partitions < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "partitions", partitions, "at least 0");
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 5, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 6, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 8, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, partitions == 0 ? 0 : dest == MPI_PROC_NULL ? 0 : count,
        *datatype_, 1, "buf")) return wrong;
  }
  return c.finish(impl::Psend_init(c, buf, partitions, count, *datatype_, dest, tag, *comm_, info_, request));
} catch (...) {
  return caught(function::Psend_init_c);
}
LOADSTONE_ALIAS(MPI_Psend_init_c)

[[gnu::noinline]] static int otherwise_MPI_Recv([[maybe_unused]] void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int source, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Status *status) noexcept try {
  call c(function::Recv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(4, "source", source, comm_->remote_size());
  if (!is_receive_tag(tag, *comm_)) [[unlikely]] return c.wrong_receive_tag(5, "tag", tag);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(7, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, source == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Recv(c, buf, count, *datatype_, source, tag, *comm_, status));
} catch (...) {
  return caught(function::Recv);
}

int PMPI_Recv([[maybe_unused]] void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] int source, [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Status *status) try {
  if (quick::Recv(function::Recv, buf, count, datatype, source, tag, comm,
      status)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Recv(buf, count, datatype, source, tag, comm, status);
} catch (...) {
  return caught(function::Recv);
}
LOADSTONE_ALIAS(MPI_Recv)

[[gnu::noinline]] static int otherwise_MPI_Recv_c([[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int source,
    [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Status *status) noexcept try {
  call c(function::Recv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(4, "source", source, comm_->remote_size());
  if (!is_receive_tag(tag, *comm_)) [[unlikely]] return c.wrong_receive_tag(5, "tag", tag);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(7, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, source == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Recv(c, buf, count, *datatype_, source, tag, *comm_, status));
} catch (...) {
  return caught(function::Recv_c);
}

int PMPI_Recv_c([[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int source, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Status *status) try {
  if (quick::Recv(function::Recv_c, buf, count, datatype, source, tag, comm,
      status)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Recv_c(buf, count, datatype, source, tag, comm, status);
} catch (...) {
  return caught(function::Recv_c);
}
LOADSTONE_ALIAS(MPI_Recv_c)

int PMPI_Recv_init([[maybe_unused]] void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int source, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Recv_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(4, "source", source, comm_->remote_size());
  if (!is_receive_tag(tag, *comm_)) [[unlikely]] return c.wrong_receive_tag(5, "tag", tag);
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, source == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Recv_init(c, buf, count, *datatype_, source, tag, *comm_, request));
} catch (...) {
  return caught(function::Recv_init);
}
LOADSTONE_ALIAS(MPI_Recv_init)

int PMPI_Recv_init_c([[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int source, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Recv_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(4, "source", source, comm_->remote_size());
  if (!is_receive_tag(tag, *comm_)) [[unlikely]] return c.wrong_receive_tag(5, "tag", tag);
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, source == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Recv_init(c, buf, count, *datatype_, source, tag, *comm_, request));
} catch (...) {
  return caught(function::Recv_init_c);
}
LOADSTONE_ALIAS(MPI_Recv_init_c)

int PMPI_Request_free([[maybe_unused]] MPI_Request *request) try {
  call c(function::Request_free);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(request)) [[unlikely]] return c.no_address(1, "request", bits_of(request));
  return c.finish(impl::Request_free(c, request));
} catch (...) {
  return caught(function::Request_free);
}
LOADSTONE_ALIAS(MPI_Request_free)

int PMPI_Request_get_status([[maybe_unused]] MPI_Request request, [[maybe_unused]] int *flag,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::Request_get_status);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(flag)) [[unlikely]] return c.no_address(2, "flag", bits_of(flag));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(3, "status", bits_of(status));
  return c.finish(impl::Request_get_status(c, request, flag, status));
} catch (...) {
  return caught(function::Request_get_status);
}
LOADSTONE_ALIAS(MPI_Request_get_status)

int PMPI_Request_get_status_all([[maybe_unused]] int count,
    [[maybe_unused]] const MPI_Request array_of_requests[], [[maybe_unused]] int *flag,
    [[maybe_unused]] MPI_Status *array_of_statuses) try {
  call c(function::Request_get_status_all);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (no_address(array_of_requests) && count > 0) [[unlikely]]
    return c.no_address(2, "array_of_requests", bits_of(array_of_requests));
  if (no_address(flag)) [[unlikely]] return c.no_address(3, "flag", bits_of(flag));
  if (no_address(array_of_statuses) && array_of_statuses != nullptr) [[unlikely]]
    return c.no_address(4, "array_of_statuses", bits_of(array_of_statuses));
  return c.finish(impl::Request_get_status_all(c, count, array_of_requests, flag, array_of_statuses));
} catch (...) {
  return caught(function::Request_get_status_all);
}
LOADSTONE_ALIAS(MPI_Request_get_status_all)

int PMPI_Request_get_status_any([[maybe_unused]] int count,
    [[maybe_unused]] const MPI_Request array_of_requests[], [[maybe_unused]] int *indx,
    [[maybe_unused]] int *flag, [[maybe_unused]] MPI_Status *status) try {
  call c(function::Request_get_status_any);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (no_address(array_of_requests) && count > 0) [[unlikely]]
    return c.no_address(2, "array_of_requests", bits_of(array_of_requests));
  if (no_address(indx)) [[unlikely]] return c.no_address(3, "indx", bits_of(indx));
  if (no_address(flag)) [[unlikely]] return c.no_address(4, "flag", bits_of(flag));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  return c.finish(impl::Request_get_status_any(c, count, array_of_requests, indx, flag, status));
} catch (...) {
  return caught(function::Request_get_status_any);
}
LOADSTONE_ALIAS(MPI_Request_get_status_any)

int PMPI_Request_get_status_some([[maybe_unused]] int incount,
    [[maybe_unused]] const MPI_Request array_of_requests[], [[maybe_unused]] int *outcount,
    [[maybe_unused]] int array_of_indices[], [[maybe_unused]] MPI_Status *array_of_statuses) try {
  call c(function::Request_get_status_some);
  if (!c.running()) [[unlikely]] return c.outside();
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "incount", incount, "at least 0");
  if (no_address(array_of_requests) && incount > 0) [[unlikely]]
    return c.no_address(2, "array_of_requests", bits_of(array_of_requests));
  if (no_address(outcount)) [[unlikely]] return c.no_address(3, "outcount", bits_of(outcount));
  if (no_address(array_of_indices) && incount > 0) [[unlikely]]
    return c.no_address(4, "array_of_indices", bits_of(array_of_indices));
  if (no_address(array_of_statuses) && array_of_statuses != nullptr) [[unlikely]]
    return c.no_address(5, "array_of_statuses", bits_of(array_of_statuses));
  return c.finish(impl::Request_get_status_some(c, incount, array_of_requests, outcount, array_of_indices,
      array_of_statuses));
} catch (...) {
  return caught(function::Request_get_status_some);
}
LOADSTONE_ALIAS(MPI_Request_get_status_some)

int PMPI_Rsend([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Rsend);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Rsend(c, buf, count, *datatype_, dest, tag, *comm_));
} catch (...) {
  return caught(function::Rsend);
}
LOADSTONE_ALIAS(MPI_Rsend)

int PMPI_Rsend_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Rsend_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Rsend(c, buf, count, *datatype_, dest, tag, *comm_));
} catch (...) {
  return caught(function::Rsend_c);
}
LOADSTONE_ALIAS(MPI_Rsend_c)

int PMPI_Rsend_init([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Rsend_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Rsend_init(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Rsend_init);
}
LOADSTONE_ALIAS(MPI_Rsend_init)

int PMPI_Rsend_init_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Rsend_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Rsend_init(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Rsend_init_c);
}
LOADSTONE_ALIAS(MPI_Rsend_init_c)

[[gnu::noinline]] static int otherwise_MPI_Send([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm) noexcept try {
  call c(function::Send);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Send(c, buf, count, *datatype_, dest, tag, *comm_));
} catch (...) {
  return caught(function::Send);
}

int PMPI_Send([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm) try {
  if (quick::Send(function::Send, buf, count, datatype, dest, tag, comm)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Send(buf, count, datatype, dest, tag, comm);
} catch (...) {
  return caught(function::Send);
}
LOADSTONE_ALIAS(MPI_Send)

[[gnu::noinline]] static int otherwise_MPI_Send_c([[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest,
    [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm comm) noexcept try {
  call c(function::Send_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Send(c, buf, count, *datatype_, dest, tag, *comm_));
} catch (...) {
  return caught(function::Send_c);
}

int PMPI_Send_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm) try {
  if (quick::Send(function::Send_c, buf, count, datatype, dest, tag, comm)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Send_c(buf, count, datatype, dest, tag, comm);
} catch (...) {
  return caught(function::Send_c);
}
LOADSTONE_ALIAS(MPI_Send_c)

int PMPI_Send_init([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Send_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Send_init(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Send_init);
}
LOADSTONE_ALIAS(MPI_Send_init)

int PMPI_Send_init_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Send_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Send_init(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Send_init_c);
}
LOADSTONE_ALIAS(MPI_Send_init_c)

int PMPI_Sendrecv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] int dest, [[maybe_unused]] int sendtag,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] int source, [[maybe_unused]] int recvtag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::Sendrecv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 11, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, 1, *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, 1, *sendtype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (sendtag < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_TAG, 5, "sendtag", sendtag, "0 to 2147483647 (MPI_TAG_UB)");
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 7, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  if (beyond(recvcount, 1, *recvtype_)) [[unlikely]]
    return c.too_many(7, "recvcount", recvcount, 1, *recvtype_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(9, "source", source, comm_->remote_size());
  if (!is_receive_tag(recvtag, *comm_)) [[unlikely]] return c.wrong_receive_tag(10, "recvtag", recvtag);
  if (no_address(status) && status != nullptr) [[unlikely]]
    return c.no_address(12, "status", bits_of(status));
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0 && recvcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 6, "recvbuf", sendbuf);
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, dest == MPI_PROC_NULL ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, source == MPI_PROC_NULL ? 0 : recvcount, *recvtype_, 6,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Sendrecv(c, sendbuf, sendcount, *sendtype_, dest, sendtag, recvbuf, recvcount,
      *recvtype_, source, recvtag, *comm_, status));
} catch (...) {
  return caught(function::Sendrecv);
}
LOADSTONE_ALIAS(MPI_Sendrecv)

int PMPI_Sendrecv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] int dest, [[maybe_unused]] int sendtag,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] MPI_Count recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] int source, [[maybe_unused]] int recvtag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Status *status) try {
  call c(function::Sendrecv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 11, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, 1, *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, 1, *sendtype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (sendtag < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_TAG, 5, "sendtag", sendtag, "0 to 2147483647 (MPI_TAG_UB)");
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 7, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  if (beyond(recvcount, 1, *recvtype_)) [[unlikely]]
    return c.too_many(7, "recvcount", recvcount, 1, *recvtype_);
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(9, "source", source, comm_->remote_size());
  if (!is_receive_tag(recvtag, *comm_)) [[unlikely]] return c.wrong_receive_tag(10, "recvtag", recvtag);
  if (no_address(status) && status != nullptr) [[unlikely]]
    return c.no_address(12, "status", bits_of(status));
  if (sendbuf == recvbuf && sendbuf != nullptr && sendtype == recvtype && sendcount > 0 && recvcount > 0
      && sendtype_->core()->size() != 0) [[unlikely]]
    return c.aliased(1, "sendbuf", 6, "recvbuf", sendbuf);
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, dest == MPI_PROC_NULL ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, source == MPI_PROC_NULL ? 0 : recvcount, *recvtype_, 6,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Sendrecv(c, sendbuf, sendcount, *sendtype_, dest, sendtag, recvbuf, recvcount,
      *recvtype_, source, recvtag, *comm_, status));
} catch (...) {
  return caught(function::Sendrecv_c);
}
LOADSTONE_ALIAS(MPI_Sendrecv_c)

int PMPI_Sendrecv_replace([[maybe_unused]] void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int sendtag,
    [[maybe_unused]] int source, [[maybe_unused]] int recvtag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::Sendrecv_replace);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (sendtag < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_TAG, 5, "sendtag", sendtag, "0 to 2147483647 (MPI_TAG_UB)");
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(6, "source", source, comm_->remote_size());
  if (!is_receive_tag(recvtag, *comm_)) [[unlikely]] return c.wrong_receive_tag(7, "recvtag", recvtag);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(9, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL && source == MPI_PROC_NULL ? 0 : count,
        *datatype_, 1, "buf")) return wrong;
  }
  return c.finish(impl::Sendrecv_replace(c, buf, count, *datatype_, dest, sendtag, source, recvtag, *comm_,
      status));
} catch (...) {
  return caught(function::Sendrecv_replace);
}
LOADSTONE_ALIAS(MPI_Sendrecv_replace)

int PMPI_Sendrecv_replace_c([[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int sendtag,
    [[maybe_unused]] int source, [[maybe_unused]] int recvtag, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::Sendrecv_replace_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (sendtag < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_TAG, 5, "sendtag", sendtag, "0 to 2147483647 (MPI_TAG_UB)");
  if (!is_source(source, *comm_)) [[unlikely]]
    return c.wrong_source(6, "source", source, comm_->remote_size());
  if (!is_receive_tag(recvtag, *comm_)) [[unlikely]] return c.wrong_receive_tag(7, "recvtag", recvtag);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(9, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL && source == MPI_PROC_NULL ? 0 : count,
        *datatype_, 1, "buf")) return wrong;
  }
  return c.finish(impl::Sendrecv_replace(c, buf, count, *datatype_, dest, sendtag, source, recvtag, *comm_,
      status));
} catch (...) {
  return caught(function::Sendrecv_replace_c);
}
LOADSTONE_ALIAS(MPI_Sendrecv_replace_c)

int PMPI_Ssend([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Ssend);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Ssend(c, buf, count, *datatype_, dest, tag, *comm_));
} catch (...) {
  return caught(function::Ssend);
}
LOADSTONE_ALIAS(MPI_Ssend)

int PMPI_Ssend_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Ssend_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Ssend(c, buf, count, *datatype_, dest, tag, *comm_));
} catch (...) {
  return caught(function::Ssend_c);
}
LOADSTONE_ALIAS(MPI_Ssend_c)

int PMPI_Ssend_init([[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ssend_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Ssend_init(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Ssend_init);
}
LOADSTONE_ALIAS(MPI_Ssend_init)

int PMPI_Ssend_init_c([[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int dest, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ssend_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 2, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(2, "count", count, 1, *datatype_);
  if (!is_destination(dest, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "dest", dest, comm_->remote_size(), " or MPI_PROC_NULL");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(request)) [[unlikely]] return c.no_address(7, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, dest == MPI_PROC_NULL ? 0 : count, *datatype_, 1,
        "buf")) return wrong;
  }
  return c.finish(impl::Ssend_init(c, buf, count, *datatype_, dest, tag, *comm_, request));
} catch (...) {
  return caught(function::Ssend_init_c);
}
LOADSTONE_ALIAS(MPI_Ssend_init_c)

int PMPI_Start([[maybe_unused]] MPI_Request *request) try {
  call c(function::Start);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(request)) [[unlikely]] return c.no_address(1, "request", bits_of(request));
  return c.finish(impl::Start(c, request));
} catch (...) {
  return caught(function::Start);
}
LOADSTONE_ALIAS(MPI_Start)

int PMPI_Startall([[maybe_unused]] int count, [[maybe_unused]] MPI_Request array_of_requests[]) try {
  call c(function::Startall);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (no_address(array_of_requests) && count > 0) [[unlikely]]
    return c.no_address(2, "array_of_requests", bits_of(array_of_requests));
  return c.finish(impl::Startall(c, count, array_of_requests));
} catch (...) {
  return caught(function::Startall);
}
LOADSTONE_ALIAS(MPI_Startall)

int PMPI_Status_get_error([[maybe_unused]] const MPI_Status *status, [[maybe_unused]] int *error) try {
  call c(function::Status_get_error);
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  if (no_address(error)) [[unlikely]] return c.no_address(2, "error", bits_of(error));
  return c.finish(impl::Status_get_error(c, status, error));
} catch (...) {
  return caught(function::Status_get_error);
}
LOADSTONE_ALIAS(MPI_Status_get_error)

int PMPI_Status_get_source([[maybe_unused]] const MPI_Status *status, [[maybe_unused]] int *source) try {
  call c(function::Status_get_source);
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  if (no_address(source)) [[unlikely]] return c.no_address(2, "source", bits_of(source));
  return c.finish(impl::Status_get_source(c, status, source));
} catch (...) {
  return caught(function::Status_get_source);
}
LOADSTONE_ALIAS(MPI_Status_get_source)

int PMPI_Status_get_tag([[maybe_unused]] const MPI_Status *status, [[maybe_unused]] int *tag) try {
  call c(function::Status_get_tag);
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  if (no_address(tag)) [[unlikely]] return c.no_address(2, "tag", bits_of(tag));
  return c.finish(impl::Status_get_tag(c, status, tag));
} catch (...) {
  return caught(function::Status_get_tag);
}
LOADSTONE_ALIAS(MPI_Status_get_tag)

int PMPI_Status_set_cancelled([[maybe_unused]] MPI_Status *status, [[maybe_unused]] int flag) try {
  call c(function::Status_set_cancelled);
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  return c.finish(impl::Status_set_cancelled(c, status, flag));
} catch (...) {
  return caught(function::Status_set_cancelled);
}
LOADSTONE_ALIAS(MPI_Status_set_cancelled)

int PMPI_Status_set_elements([[maybe_unused]] MPI_Status *status, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] int count) try {
  call c(function::Status_set_elements);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  return c.finish(impl::Status_set_elements(c, status, *datatype_, count));
} catch (...) {
  return caught(function::Status_set_elements);
}
LOADSTONE_ALIAS(MPI_Status_set_elements)

int PMPI_Status_set_elements_c([[maybe_unused]] MPI_Status *status, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Count count) try {
  call c(function::Status_set_elements_c);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  return c.finish(impl::Status_set_elements(c, status, *datatype_, count));
} catch (...) {
  return caught(function::Status_set_elements_c);
}
LOADSTONE_ALIAS(MPI_Status_set_elements_c)

int PMPI_Status_set_elements_x([[maybe_unused]] MPI_Status *status, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Count count) try {
  call c(function::Status_set_elements_x);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  return c.finish(impl::Status_set_elements(c, status, *datatype_, count));
} catch (...) {
  return caught(function::Status_set_elements_x);
}
LOADSTONE_ALIAS(MPI_Status_set_elements_x)

int PMPI_Status_set_error([[maybe_unused]] MPI_Status *status, [[maybe_unused]] int error) try {
  call c(function::Status_set_error);
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  return c.finish(impl::Status_set_error(c, status, error));
} catch (...) {
  return caught(function::Status_set_error);
}
LOADSTONE_ALIAS(MPI_Status_set_error)

int PMPI_Status_set_source([[maybe_unused]] MPI_Status *status, [[maybe_unused]] int source) try {
  call c(function::Status_set_source);
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  return c.finish(impl::Status_set_source(c, status, source));
} catch (...) {
  return caught(function::Status_set_source);
}
LOADSTONE_ALIAS(MPI_Status_set_source)

int PMPI_Status_set_tag([[maybe_unused]] MPI_Status *status, [[maybe_unused]] int tag) try {
  call c(function::Status_set_tag);
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  return c.finish(impl::Status_set_tag(c, status, tag));
} catch (...) {
  return caught(function::Status_set_tag);
}
LOADSTONE_ALIAS(MPI_Status_set_tag)

[[gnu::noinline]] static int otherwise_MPI_Test([[maybe_unused]] MPI_Request *request,
    [[maybe_unused]] int *flag, [[maybe_unused]] MPI_Status *status) noexcept try {
  call c(function::Test);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(request)) [[unlikely]] return c.no_address(1, "request", bits_of(request));
  if (no_address(flag)) [[unlikely]] return c.no_address(2, "flag", bits_of(flag));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(3, "status", bits_of(status));
  return c.finish(impl::Test(c, request, flag, status));
} catch (...) {
  return caught(function::Test);
}

int PMPI_Test([[maybe_unused]] MPI_Request *request, [[maybe_unused]] int *flag,
    [[maybe_unused]] MPI_Status *status) try {
  if (quick::Test(function::Test, request, flag, status)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Test(request, flag, status);
} catch (...) {
  return caught(function::Test);
}
LOADSTONE_ALIAS(MPI_Test)

int PMPI_Test_cancelled([[maybe_unused]] const MPI_Status *status, [[maybe_unused]] int *flag) try {
  call c(function::Test_cancelled);
  if (no_address(status)) [[unlikely]] return c.no_address(1, "status", bits_of(status));
  if (no_address(flag)) [[unlikely]] return c.no_address(2, "flag", bits_of(flag));
  return c.finish(impl::Test_cancelled(c, status, flag));
} catch (...) {
  return caught(function::Test_cancelled);
}
LOADSTONE_ALIAS(MPI_Test_cancelled)

[[gnu::noinline]] static int otherwise_MPI_Testall([[maybe_unused]] int count,
    [[maybe_unused]] MPI_Request array_of_requests[], [[maybe_unused]] int *flag,
    [[maybe_unused]] MPI_Status *array_of_statuses) noexcept try {
  call c(function::Testall);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (no_address(array_of_requests) && count > 0) [[unlikely]]
    return c.no_address(2, "array_of_requests", bits_of(array_of_requests));
  if (no_address(flag)) [[unlikely]] return c.no_address(3, "flag", bits_of(flag));
  if (no_address(array_of_statuses) && array_of_statuses != nullptr) [[unlikely]]
    return c.no_address(4, "array_of_statuses", bits_of(array_of_statuses));
  return c.finish(impl::Testall(c, count, array_of_requests, flag, array_of_statuses));
} catch (...) {
  return caught(function::Testall);
}

int PMPI_Testall([[maybe_unused]] int count, [[maybe_unused]] MPI_Request array_of_requests[],
    [[maybe_unused]] int *flag, [[maybe_unused]] MPI_Status *array_of_statuses) try {
  if (quick::Testall(function::Testall, count, array_of_requests, flag,
      array_of_statuses)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Testall(count, array_of_requests, flag, array_of_statuses);
} catch (...) {
  return caught(function::Testall);
}
LOADSTONE_ALIAS(MPI_Testall)

int PMPI_Testany([[maybe_unused]] int count, [[maybe_unused]] MPI_Request array_of_requests[],
    [[maybe_unused]] int *indx, [[maybe_unused]] int *flag, [[maybe_unused]] MPI_Status *status) try {
  call c(function::Testany);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (no_address(array_of_requests) && count > 0) [[unlikely]]
    return c.no_address(2, "array_of_requests", bits_of(array_of_requests));
  if (no_address(indx)) [[unlikely]] return c.no_address(3, "indx", bits_of(indx));
  if (no_address(flag)) [[unlikely]] return c.no_address(4, "flag", bits_of(flag));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  return c.finish(impl::Testany(c, count, array_of_requests, indx, flag, status));
} catch (...) {
  return caught(function::Testany);
}
LOADSTONE_ALIAS(MPI_Testany)

int PMPI_Testsome([[maybe_unused]] int incount, [[maybe_unused]] MPI_Request array_of_requests[],
    [[maybe_unused]] int *outcount, [[maybe_unused]] int array_of_indices[],
    [[maybe_unused]] MPI_Status *array_of_statuses) try {
  call c(function::Testsome);
  if (!c.running()) [[unlikely]] return c.outside();
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "incount", incount, "at least 0");
  if (no_address(array_of_requests) && incount > 0) [[unlikely]]
    return c.no_address(2, "array_of_requests", bits_of(array_of_requests));
  if (no_address(outcount)) [[unlikely]] return c.no_address(3, "outcount", bits_of(outcount));
  if (no_address(array_of_indices) && incount > 0) [[unlikely]]
    return c.no_address(4, "array_of_indices", bits_of(array_of_indices));
  if (no_address(array_of_statuses) && array_of_statuses != nullptr) [[unlikely]]
    return c.no_address(5, "array_of_statuses", bits_of(array_of_statuses));
  return c.finish(impl::Testsome(c, incount, array_of_requests, outcount, array_of_indices,
      array_of_statuses));
} catch (...) {
  return caught(function::Testsome);
}
LOADSTONE_ALIAS(MPI_Testsome)

[[gnu::noinline]] static int otherwise_MPI_Wait([[maybe_unused]] MPI_Request *request,
    [[maybe_unused]] MPI_Status *status) noexcept try {
  call c(function::Wait);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(request)) [[unlikely]] return c.no_address(1, "request", bits_of(request));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(2, "status", bits_of(status));
  return c.finish(impl::Wait(c, request, status));
} catch (...) {
  return caught(function::Wait);
}

int PMPI_Wait([[maybe_unused]] MPI_Request *request, [[maybe_unused]] MPI_Status *status) try {
  if (quick::Wait(function::Wait, request, status)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Wait(request, status);
} catch (...) {
  return caught(function::Wait);
}
LOADSTONE_ALIAS(MPI_Wait)

[[gnu::noinline]] static int otherwise_MPI_Waitall([[maybe_unused]] int count,
    [[maybe_unused]] MPI_Request array_of_requests[],
    [[maybe_unused]] MPI_Status *array_of_statuses) noexcept try {
  call c(function::Waitall);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (no_address(array_of_requests) && count > 0) [[unlikely]]
    return c.no_address(2, "array_of_requests", bits_of(array_of_requests));
  if (no_address(array_of_statuses) && array_of_statuses != nullptr) [[unlikely]]
    return c.no_address(3, "array_of_statuses", bits_of(array_of_statuses));
  return c.finish(impl::Waitall(c, count, array_of_requests, array_of_statuses));
} catch (...) {
  return caught(function::Waitall);
}

int PMPI_Waitall([[maybe_unused]] int count, [[maybe_unused]] MPI_Request array_of_requests[],
    [[maybe_unused]] MPI_Status *array_of_statuses) try {
  if (quick::Waitall(function::Waitall, count, array_of_requests,
      array_of_statuses)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Waitall(count, array_of_requests, array_of_statuses);
} catch (...) {
  return caught(function::Waitall);
}
LOADSTONE_ALIAS(MPI_Waitall)

int PMPI_Waitany([[maybe_unused]] int count, [[maybe_unused]] MPI_Request array_of_requests[],
    [[maybe_unused]] int *indx, [[maybe_unused]] MPI_Status *status) try {
  call c(function::Waitany);
  if (!c.running()) [[unlikely]] return c.outside();
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "count", count, "at least 0");
  if (no_address(array_of_requests) && count > 0) [[unlikely]]
    return c.no_address(2, "array_of_requests", bits_of(array_of_requests));
  if (no_address(indx)) [[unlikely]] return c.no_address(3, "indx", bits_of(indx));
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(4, "status", bits_of(status));
  return c.finish(impl::Waitany(c, count, array_of_requests, indx, status));
} catch (...) {
  return caught(function::Waitany);
}
LOADSTONE_ALIAS(MPI_Waitany)

int PMPI_Waitsome([[maybe_unused]] int incount, [[maybe_unused]] MPI_Request array_of_requests[],
    [[maybe_unused]] int *outcount, [[maybe_unused]] int array_of_indices[],
    [[maybe_unused]] MPI_Status *array_of_statuses) try {
  call c(function::Waitsome);
  if (!c.running()) [[unlikely]] return c.outside();
  if (incount < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 1, "incount", incount, "at least 0");
  if (no_address(array_of_requests) && incount > 0) [[unlikely]]
    return c.no_address(2, "array_of_requests", bits_of(array_of_requests));
  if (no_address(outcount)) [[unlikely]] return c.no_address(3, "outcount", bits_of(outcount));
  if (no_address(array_of_indices) && incount > 0) [[unlikely]]
    return c.no_address(4, "array_of_indices", bits_of(array_of_indices));
  if (no_address(array_of_statuses) && array_of_statuses != nullptr) [[unlikely]]
    return c.no_address(5, "array_of_statuses", bits_of(array_of_statuses));
  return c.finish(impl::Waitsome(c, incount, array_of_requests, outcount, array_of_indices,
      array_of_statuses));
} catch (...) {
  return caught(function::Waitsome);
}
LOADSTONE_ALIAS(MPI_Waitsome)

MPI_Request PMPI_Request_fromint([[maybe_unused]] int request) {
  return process::current().handles.requests.whole(request);
}
LOADSTONE_ALIAS(MPI_Request_fromint)

int PMPI_Request_toint([[maybe_unused]] MPI_Request request) {
  return static_cast<int>(handle_bits(request));
}
LOADSTONE_ALIAS(MPI_Request_toint)

}  // extern "C"
