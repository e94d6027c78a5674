// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

int PMPI_Attr_delete([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int keyval) try {
  call c(function::Attr_delete);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  return c.finish(impl::Comm_delete_attr(c, *comm_, keyval));
} catch (...) {
  return caught(function::Attr_delete);
}
LOADSTONE_ALIAS(MPI_Attr_delete)

int PMPI_Attr_get([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int keyval,
    [[maybe_unused]] void *attribute_val, [[maybe_unused]] int *flag) try {
  call c(function::Attr_get);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(attribute_val)) [[unlikely]] return c.no_address(3, "attribute_val", bits_of(attribute_val));
  if (no_address(flag)) [[unlikely]] return c.no_address(4, "flag", bits_of(flag));
  return c.finish(impl::Comm_get_attr(c, *comm_, keyval, attribute_val, flag));
} catch (...) {
  return caught(function::Attr_get);
}
LOADSTONE_ALIAS(MPI_Attr_get)

int PMPI_Attr_put([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int keyval,
    [[maybe_unused]] void *attribute_val) try {
  call c(function::Attr_put);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  return c.finish(impl::Comm_set_attr(c, *comm_, keyval, attribute_val));
} catch (...) {
  return caught(function::Attr_put);
}
LOADSTONE_ALIAS(MPI_Attr_put)

int PMPI_Comm_accept([[maybe_unused]] const char *port_name, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Comm *newcomm) try {
  call c(function::Comm_accept);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 4, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 3, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  if (no_address(newcomm)) [[unlikely]] return c.no_address(5, "newcomm", bits_of(newcomm));
  return c.unsupported();
} catch (...) {
  return caught(function::Comm_accept);
}
LOADSTONE_ALIAS(MPI_Comm_accept)

int PMPI_Comm_attach_buffer([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] void *buffer,
    [[maybe_unused]] int size) try {
  call c(function::Comm_attach_buffer);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "size", size, "at least 0");
  if (no_address(buffer) && buffer != MPI_BUFFER_AUTOMATIC) [[unlikely]] {
    if (const int wrong = check_buffer(c, buffer, size, 2, "buffer")) return wrong;
  }
  return c.finish(impl::Comm_attach_buffer(c, *comm_, buffer, size));
} catch (...) {
  return caught(function::Comm_attach_buffer);
}
LOADSTONE_ALIAS(MPI_Comm_attach_buffer)

int PMPI_Comm_attach_buffer_c([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] void *buffer,
    [[maybe_unused]] MPI_Count size) try {
  call c(function::Comm_attach_buffer_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "size", size, "at least 0");
  if (no_address(buffer) && buffer != MPI_BUFFER_AUTOMATIC) [[unlikely]] {
    if (const int wrong = check_buffer(c, buffer, size, 2, "buffer")) return wrong;
  }
  return c.finish(impl::Comm_attach_buffer(c, *comm_, buffer, size));
} catch (...) {
  return caught(function::Comm_attach_buffer_c);
}
LOADSTONE_ALIAS(MPI_Comm_attach_buffer_c)

int PMPI_Comm_call_errhandler([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int errorcode) try {
  call c(function::Comm_call_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  return c.finish(impl::Comm_call_errhandler(c, *comm_, errorcode));
} catch (...) {
  return caught(function::Comm_call_errhandler);
}
LOADSTONE_ALIAS(MPI_Comm_call_errhandler)

int PMPI_Comm_compare([[maybe_unused]] MPI_Comm comm1, [[maybe_unused]] MPI_Comm comm2,
    [[maybe_unused]] int *result) try {
  call c(function::Comm_compare);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm1_ = c.handles().comms.find(comm1);
  if (comm1_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm1", "MPI_Comm", handle_bits(comm1));
  c.on(*comm1_);
  [[maybe_unused]] mpi::communicator* const comm2_ = c.handles().comms.find(comm2);
  if (comm2_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 2, "comm2", "MPI_Comm", handle_bits(comm2));
  if (no_address(result)) [[unlikely]] return c.no_address(3, "result", bits_of(result));
  return c.finish(impl::Comm_compare(c, *comm1_, *comm2_, result));
} catch (...) {
  return caught(function::Comm_compare);
}
LOADSTONE_ALIAS(MPI_Comm_compare)

int PMPI_Comm_connect([[maybe_unused]] const char *port_name, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] int root, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Comm *newcomm) try {
  call c(function::Comm_connect);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 4, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 3, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  if (no_address(newcomm)) [[unlikely]] return c.no_address(5, "newcomm", bits_of(newcomm));
  return c.unsupported();
} catch (...) {
  return caught(function::Comm_connect);
}
LOADSTONE_ALIAS(MPI_Comm_connect)

int PMPI_Comm_create([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Group group,
    [[maybe_unused]] MPI_Comm *newcomm) try {
  call c(function::Comm_create);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 2, "group", "MPI_Group", handle_bits(group));
  if (no_address(newcomm)) [[unlikely]] return c.no_address(3, "newcomm", bits_of(newcomm));
  return c.finish(impl::Comm_create(c, *comm_, *group_, newcomm));
} catch (...) {
  return caught(function::Comm_create);
}
LOADSTONE_ALIAS(MPI_Comm_create)

int PMPI_Comm_create_errhandler([[maybe_unused]] MPI_Comm_errhandler_function *comm_errhandler_fn,
    [[maybe_unused]] MPI_Errhandler *errhandler) try {
  call c(function::Comm_create_errhandler);
  if (no_address(comm_errhandler_fn)) [[unlikely]]
    return c.no_address(1, "comm_errhandler_fn", bits_of(comm_errhandler_fn));
  if (no_address(errhandler)) [[unlikely]] return c.no_address(2, "errhandler", bits_of(errhandler));
  return c.finish(impl::Comm_create_errhandler(c, comm_errhandler_fn, errhandler));
} catch (...) {
  return caught(function::Comm_create_errhandler);
}
LOADSTONE_ALIAS(MPI_Comm_create_errhandler)

int PMPI_Comm_create_from_group([[maybe_unused]] MPI_Group group, [[maybe_unused]] const char *stringtag,
    [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Errhandler errhandler,
    [[maybe_unused]] MPI_Comm *newcomm) try {
  call c(function::Comm_create_from_group);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::errhandler* const errhandler_ = c.handles().errhandlers.find(errhandler);
  if (errhandler_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_ERRHANDLER, 4, "errhandler", "MPI_Errhandler", handle_bits(errhandler));
  if (!errhandler_->fits(errhandler_kind::communicator)) [[unlikely]]
    return c.wrong_errhandler(4, "errhandler", "communicator");
  c.on(*errhandler_);
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group", "MPI_Group", handle_bits(group));
  if (no_address(stringtag)) [[unlikely]] return c.no_address(2, "stringtag", bits_of(stringtag));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 3, "info", "MPI_Info", handle_bits(info));
  if (no_address(newcomm)) [[unlikely]] return c.no_address(5, "newcomm", bits_of(newcomm));
  return c.finish(impl::Comm_create_from_group(c, *group_, stringtag, info_, *errhandler_, newcomm));
} catch (...) {
  return caught(function::Comm_create_from_group);
}
LOADSTONE_ALIAS(MPI_Comm_create_from_group)

int PMPI_Comm_create_group([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Group group,
    [[maybe_unused]] int tag, [[maybe_unused]] MPI_Comm *newcomm) try {
  call c(function::Comm_create_group);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 2, "group", "MPI_Group", handle_bits(group));
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 3, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(newcomm)) [[unlikely]] return c.no_address(4, "newcomm", bits_of(newcomm));
  return c.finish(impl::Comm_create_group(c, *comm_, *group_, tag, newcomm));
} catch (...) {
  return caught(function::Comm_create_group);
}
LOADSTONE_ALIAS(MPI_Comm_create_group)

int PMPI_Comm_create_keyval([[maybe_unused]] MPI_Comm_copy_attr_function *comm_copy_attr_fn,
    [[maybe_unused]] MPI_Comm_delete_attr_function *comm_delete_attr_fn, [[maybe_unused]] int *comm_keyval,
    [[maybe_unused]] void *extra_state) try {
  call c(function::Comm_create_keyval);
  if (no_address(comm_copy_attr_fn) && comm_copy_attr_fn != nullptr
      && comm_copy_attr_fn != MPI_COMM_DUP_FN) [[unlikely]]
    return c.no_address(1, "comm_copy_attr_fn", bits_of(comm_copy_attr_fn));
  if (no_address(comm_delete_attr_fn) && comm_delete_attr_fn != nullptr) [[unlikely]]
    return c.no_address(2, "comm_delete_attr_fn", bits_of(comm_delete_attr_fn));
  if (no_address(comm_keyval)) [[unlikely]] return c.no_address(3, "comm_keyval", bits_of(comm_keyval));
  return c.finish(impl::Comm_create_keyval(c, comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval,
      extra_state));
} catch (...) {
  return caught(function::Comm_create_keyval);
}
LOADSTONE_ALIAS(MPI_Comm_create_keyval)

int PMPI_Comm_delete_attr([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int comm_keyval) try {
  call c(function::Comm_delete_attr);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  return c.finish(impl::Comm_delete_attr(c, *comm_, comm_keyval));
} catch (...) {
  return caught(function::Comm_delete_attr);
}
LOADSTONE_ALIAS(MPI_Comm_delete_attr)

int PMPI_Comm_detach_buffer([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] void *buffer_addr,
    [[maybe_unused]] int *size) try {
  call c(function::Comm_detach_buffer);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(buffer_addr)) [[unlikely]] return c.no_address(2, "buffer_addr", bits_of(buffer_addr));
  if (no_address(size)) [[unlikely]] return c.no_address(3, "size", bits_of(size));
  std::int64_t size_ = 0;
  const int code = impl::Comm_detach_buffer(c, *comm_, buffer_addr, &size_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  if (!fits_int(size_)) [[unlikely]] return c.too_large(3, "size", size_);
  *size = static_cast<int>(size_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Comm_detach_buffer);
}
LOADSTONE_ALIAS(MPI_Comm_detach_buffer)

int PMPI_Comm_detach_buffer_c([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] void *buffer_addr,
    [[maybe_unused]] MPI_Count *size) try {
  call c(function::Comm_detach_buffer_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(buffer_addr)) [[unlikely]] return c.no_address(2, "buffer_addr", bits_of(buffer_addr));
  if (no_address(size)) [[unlikely]] return c.no_address(3, "size", bits_of(size));
  return c.finish(impl::Comm_detach_buffer(c, *comm_, buffer_addr, size));
} catch (...) {
  return caught(function::Comm_detach_buffer_c);
}
LOADSTONE_ALIAS(MPI_Comm_detach_buffer_c)

int PMPI_Comm_disconnect([[maybe_unused]] MPI_Comm *comm) try {
  call c(function::Comm_disconnect);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(comm)) [[unlikely]] return c.no_address(1, "comm", bits_of(comm));
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(*comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(*comm));
  if (communicator_table::is_predefined(*comm)) [[unlikely]]
    return c.predefined_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(*comm));
  c.on(*comm_);
  const int code = impl::Comm_disconnect(c, *comm_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Comm_disconnect);
}
LOADSTONE_ALIAS(MPI_Comm_disconnect)

int PMPI_Comm_dup([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Comm *newcomm) try {
  call c(function::Comm_dup);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(newcomm)) [[unlikely]] return c.no_address(2, "newcomm", bits_of(newcomm));
  return c.finish(impl::Comm_dup(c, *comm_, newcomm));
} catch (...) {
  return caught(function::Comm_dup);
}
LOADSTONE_ALIAS(MPI_Comm_dup)

int PMPI_Comm_dup_with_info([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Comm *newcomm) try {
  call c(function::Comm_dup_with_info);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  if (no_address(newcomm)) [[unlikely]] return c.no_address(3, "newcomm", bits_of(newcomm));
  return c.finish(impl::Comm_dup_with_info(c, *comm_, info_, newcomm));
} catch (...) {
  return caught(function::Comm_dup_with_info);
}
LOADSTONE_ALIAS(MPI_Comm_dup_with_info)

int PMPI_Comm_flush_buffer([[maybe_unused]] MPI_Comm comm) try {
  call c(function::Comm_flush_buffer);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  return c.finish(impl::Comm_flush_buffer(c, *comm_));
} catch (...) {
  return caught(function::Comm_flush_buffer);
}
LOADSTONE_ALIAS(MPI_Comm_flush_buffer)

int PMPI_Comm_free([[maybe_unused]] MPI_Comm *comm) try {
  call c(function::Comm_free);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(comm)) [[unlikely]] return c.no_address(1, "comm", bits_of(comm));
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(*comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(*comm));
  if (communicator_table::is_predefined(*comm)) [[unlikely]]
    return c.predefined_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(*comm));
  c.on(*comm_);
  const int code = impl::Comm_free(c, *comm_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Comm_free);
}
LOADSTONE_ALIAS(MPI_Comm_free)

int PMPI_Comm_free_keyval([[maybe_unused]] int *comm_keyval) try {
  call c(function::Comm_free_keyval);
  if (no_address(comm_keyval)) [[unlikely]] return c.no_address(1, "comm_keyval", bits_of(comm_keyval));
  return c.finish(impl::Comm_free_keyval(c, comm_keyval));
} catch (...) {
  return caught(function::Comm_free_keyval);
}
LOADSTONE_ALIAS(MPI_Comm_free_keyval)

int PMPI_Comm_get_attr([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int comm_keyval,
    [[maybe_unused]] void *attribute_val, [[maybe_unused]] int *flag) try {
  call c(function::Comm_get_attr);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(attribute_val)) [[unlikely]] return c.no_address(3, "attribute_val", bits_of(attribute_val));
  if (no_address(flag)) [[unlikely]] return c.no_address(4, "flag", bits_of(flag));
  return c.finish(impl::Comm_get_attr(c, *comm_, comm_keyval, attribute_val, flag));
} catch (...) {
  return caught(function::Comm_get_attr);
}
LOADSTONE_ALIAS(MPI_Comm_get_attr)

int PMPI_Comm_get_errhandler([[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Errhandler *errhandler) try {
  call c(function::Comm_get_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(errhandler)) [[unlikely]] return c.no_address(2, "errhandler", bits_of(errhandler));
  return c.finish(impl::Comm_get_errhandler(c, *comm_, errhandler));
} catch (...) {
  return caught(function::Comm_get_errhandler);
}
LOADSTONE_ALIAS(MPI_Comm_get_errhandler)

int PMPI_Comm_get_info([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info *info_used) try {
  call c(function::Comm_get_info);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(info_used)) [[unlikely]] return c.no_address(2, "info_used", bits_of(info_used));
  return c.finish(impl::Comm_get_info(c, *comm_, info_used));
} catch (...) {
  return caught(function::Comm_get_info);
}
LOADSTONE_ALIAS(MPI_Comm_get_info)

int PMPI_Comm_get_name([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] char *comm_name,
    [[maybe_unused]] int *resultlen) try {
  call c(function::Comm_get_name);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(comm_name)) [[unlikely]] return c.no_address(2, "comm_name", bits_of(comm_name));
  if (no_address(resultlen)) [[unlikely]] return c.no_address(3, "resultlen", bits_of(resultlen));
  return c.finish(impl::Comm_get_name(c, comm, comm_name, resultlen));
} catch (...) {
  return caught(function::Comm_get_name);
}
LOADSTONE_ALIAS(MPI_Comm_get_name)

int PMPI_Comm_get_parent([[maybe_unused]] MPI_Comm *parent) try {
  call c(function::Comm_get_parent);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(parent)) [[unlikely]] return c.no_address(1, "parent", bits_of(parent));
  return c.finish(impl::Comm_get_parent(c, parent));
} catch (...) {
  return caught(function::Comm_get_parent);
}
LOADSTONE_ALIAS(MPI_Comm_get_parent)

int PMPI_Comm_group([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Group *group) try {
  call c(function::Comm_group);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(group)) [[unlikely]] return c.no_address(2, "group", bits_of(group));
  return c.finish(impl::Comm_group(c, *comm_, group));
} catch (...) {
  return caught(function::Comm_group);
}
LOADSTONE_ALIAS(MPI_Comm_group)

int PMPI_Comm_idup([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Comm *newcomm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Comm_idup);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(newcomm)) [[unlikely]] return c.no_address(2, "newcomm", bits_of(newcomm));
  if (no_address(request)) [[unlikely]] return c.no_address(3, "request", bits_of(request));
  return c.finish(impl::Comm_idup(c, *comm_, newcomm, request));
} catch (...) {
  return caught(function::Comm_idup);
}
LOADSTONE_ALIAS(MPI_Comm_idup)

int PMPI_Comm_idup_with_info([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Comm *newcomm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Comm_idup_with_info);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  if (no_address(newcomm)) [[unlikely]] return c.no_address(3, "newcomm", bits_of(newcomm));
  if (no_address(request)) [[unlikely]] return c.no_address(4, "request", bits_of(request));
  return c.finish(impl::Comm_idup_with_info(c, *comm_, info_, newcomm, request));
} catch (...) {
  return caught(function::Comm_idup_with_info);
}
LOADSTONE_ALIAS(MPI_Comm_idup_with_info)

int PMPI_Comm_iflush_buffer([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Comm_iflush_buffer);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(request)) [[unlikely]] return c.no_address(2, "request", bits_of(request));
  return c.finish(impl::Comm_iflush_buffer(c, *comm_, request));
} catch (...) {
  return caught(function::Comm_iflush_buffer);
}
LOADSTONE_ALIAS(MPI_Comm_iflush_buffer)

int PMPI_Comm_join([[maybe_unused]] int fd, [[maybe_unused]] MPI_Comm *intercomm) try {
  call c(function::Comm_join);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(intercomm)) [[unlikely]] return c.no_address(2, "intercomm", bits_of(intercomm));
  return c.unsupported();
} catch (...) {
  return caught(function::Comm_join);
}
LOADSTONE_ALIAS(MPI_Comm_join)

int PMPI_Comm_rank([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int *rank) try {
  call c(function::Comm_rank);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(rank)) [[unlikely]] return c.no_address(2, "rank", bits_of(rank));
  return c.finish(impl::Comm_rank(c, *comm_, rank));
} catch (...) {
  return caught(function::Comm_rank);
}
LOADSTONE_ALIAS(MPI_Comm_rank)

int PMPI_Comm_remote_group([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Group *group) try {
  call c(function::Comm_remote_group);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(group)) [[unlikely]] return c.no_address(2, "group", bits_of(group));
  return c.finish(impl::Comm_remote_group(c, *comm_, group));
} catch (...) {
  return caught(function::Comm_remote_group);
}
LOADSTONE_ALIAS(MPI_Comm_remote_group)

int PMPI_Comm_remote_size([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int *size) try {
  call c(function::Comm_remote_size);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(size)) [[unlikely]] return c.no_address(2, "size", bits_of(size));
  return c.finish(impl::Comm_remote_size(c, *comm_, size));
} catch (...) {
  return caught(function::Comm_remote_size);
}
LOADSTONE_ALIAS(MPI_Comm_remote_size)

int PMPI_Comm_set_attr([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int comm_keyval,
    [[maybe_unused]] void *attribute_val) try {
  call c(function::Comm_set_attr);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  return c.finish(impl::Comm_set_attr(c, *comm_, comm_keyval, attribute_val));
} catch (...) {
  return caught(function::Comm_set_attr);
}
LOADSTONE_ALIAS(MPI_Comm_set_attr)

int PMPI_Comm_set_errhandler([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Errhandler errhandler) try {
  call c(function::Comm_set_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  [[maybe_unused]] mpi::errhandler* const errhandler_ = c.handles().errhandlers.find(errhandler);
  if (errhandler_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_ERRHANDLER, 2, "errhandler", "MPI_Errhandler", handle_bits(errhandler));
  if (!errhandler_->fits(errhandler_kind::communicator)) [[unlikely]]
    return c.wrong_errhandler(2, "errhandler", "communicator");
  return c.finish(impl::Comm_set_errhandler(c, *comm_, *errhandler_));
} catch (...) {
  return caught(function::Comm_set_errhandler);
}
LOADSTONE_ALIAS(MPI_Comm_set_errhandler)

int PMPI_Comm_set_info([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info) try {
  call c(function::Comm_set_info);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  return c.finish(impl::Comm_set_info(c, *comm_, info_));
} catch (...) {
  return caught(function::Comm_set_info);
}
LOADSTONE_ALIAS(MPI_Comm_set_info)

int PMPI_Comm_set_name([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] const char *comm_name) try {
  call c(function::Comm_set_name);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(comm_name)) [[unlikely]] return c.no_address(2, "comm_name", bits_of(comm_name));
  return c.finish(impl::Comm_set_name(c, *comm_, comm_name));
} catch (...) {
  return caught(function::Comm_set_name);
}
LOADSTONE_ALIAS(MPI_Comm_set_name)

int PMPI_Comm_size([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int *size) try {
  call c(function::Comm_size);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(size)) [[unlikely]] return c.no_address(2, "size", bits_of(size));
  return c.finish(impl::Comm_size(c, *comm_, size));
} catch (...) {
  return caught(function::Comm_size);
}
LOADSTONE_ALIAS(MPI_Comm_size)

int PMPI_Comm_spawn([[maybe_unused]] const char *command, [[maybe_unused]] char *argv[],
    [[maybe_unused]] int maxprocs, [[maybe_unused]] MPI_Info info, [[maybe_unused]] int root,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Comm *intercomm,
    [[maybe_unused]] int array_of_errcodes[]) try {
  call c(function::Comm_spawn);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 6, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 5, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  if (no_address(intercomm)) [[unlikely]] return c.no_address(7, "intercomm", bits_of(intercomm));
  if (no_address(array_of_errcodes) && array_of_errcodes != nullptr) [[unlikely]]
    return c.no_address(8, "array_of_errcodes", bits_of(array_of_errcodes));
  return c.unsupported();
} catch (...) {
  return caught(function::Comm_spawn);
}
LOADSTONE_ALIAS(MPI_Comm_spawn)

int PMPI_Comm_spawn_multiple([[maybe_unused]] int count, [[maybe_unused]] char *array_of_commands[],
    [[maybe_unused]] char **array_of_argv[], [[maybe_unused]] const int array_of_maxprocs[],
    [[maybe_unused]] const MPI_Info array_of_info[], [[maybe_unused]] int root,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Comm *intercomm,
    [[maybe_unused]] int array_of_errcodes[]) try {
  call c(function::Comm_spawn_multiple);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_root(root, *comm_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_ROOT, 6, "root", root, comm_->remote_size(), comm_->is_inter()
        ? ", MPI_ROOT or MPI_PROC_NULL" : "");
  if (no_address(intercomm)) [[unlikely]] return c.no_address(8, "intercomm", bits_of(intercomm));
  if (no_address(array_of_errcodes) && array_of_errcodes != nullptr) [[unlikely]]
    return c.no_address(9, "array_of_errcodes", bits_of(array_of_errcodes));
  return c.unsupported();
} catch (...) {
  return caught(function::Comm_spawn_multiple);
}
LOADSTONE_ALIAS(MPI_Comm_spawn_multiple)

int PMPI_Comm_split([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int color, [[maybe_unused]] int key,
    [[maybe_unused]] MPI_Comm *newcomm) try {
  call c(function::Comm_split);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(newcomm)) [[unlikely]] return c.no_address(4, "newcomm", bits_of(newcomm));
  return c.finish(impl::Comm_split(c, *comm_, color, key, newcomm));
} catch (...) {
  return caught(function::Comm_split);
}
LOADSTONE_ALIAS(MPI_Comm_split)

int PMPI_Comm_split_type([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int split_type,
    [[maybe_unused]] int key, [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Comm *newcomm) try {
  call c(function::Comm_split_type);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 4, "info", "MPI_Info", handle_bits(info));
  if (no_address(newcomm)) [[unlikely]] return c.no_address(5, "newcomm", bits_of(newcomm));
  return c.finish(impl::Comm_split_type(c, *comm_, split_type, key, info_, newcomm));
} catch (...) {
  return caught(function::Comm_split_type);
}
LOADSTONE_ALIAS(MPI_Comm_split_type)

int PMPI_Comm_test_inter([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int *flag) try {
  call c(function::Comm_test_inter);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(flag)) [[unlikely]] return c.no_address(2, "flag", bits_of(flag));
  return c.finish(impl::Comm_test_inter(c, *comm_, flag));
} catch (...) {
  return caught(function::Comm_test_inter);
}
LOADSTONE_ALIAS(MPI_Comm_test_inter)

int PMPI_Group_compare([[maybe_unused]] MPI_Group group1, [[maybe_unused]] MPI_Group group2,
    [[maybe_unused]] int *result) try {
  call c(function::Group_compare);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group1_ = c.handles().groups.find(group1);
  if (group1_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group1", "MPI_Group", handle_bits(group1));
  [[maybe_unused]] mpi::group* const group2_ = c.handles().groups.find(group2);
  if (group2_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 2, "group2", "MPI_Group", handle_bits(group2));
  if (no_address(result)) [[unlikely]] return c.no_address(3, "result", bits_of(result));
  return c.finish(impl::Group_compare(c, *group1_, *group2_, result));
} catch (...) {
  return caught(function::Group_compare);
}
LOADSTONE_ALIAS(MPI_Group_compare)

int PMPI_Group_difference([[maybe_unused]] MPI_Group group1, [[maybe_unused]] MPI_Group group2,
    [[maybe_unused]] MPI_Group *newgroup) try {
  call c(function::Group_difference);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group1_ = c.handles().groups.find(group1);
  if (group1_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group1", "MPI_Group", handle_bits(group1));
  [[maybe_unused]] mpi::group* const group2_ = c.handles().groups.find(group2);
  if (group2_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 2, "group2", "MPI_Group", handle_bits(group2));
  if (no_address(newgroup)) [[unlikely]] return c.no_address(3, "newgroup", bits_of(newgroup));
  return c.finish(impl::Group_difference(c, *group1_, *group2_, newgroup));
} catch (...) {
  return caught(function::Group_difference);
}
LOADSTONE_ALIAS(MPI_Group_difference)

int PMPI_Group_excl([[maybe_unused]] MPI_Group group, [[maybe_unused]] int n,
    [[maybe_unused]] const int ranks[], [[maybe_unused]] MPI_Group *newgroup) try {
  call c(function::Group_excl);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group", "MPI_Group", handle_bits(group));
  if (n < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "n", n, "at least 0");
  {
    const int wrong = check_present(c, ranks, n, 3, "ranks");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(newgroup)) [[unlikely]] return c.no_address(4, "newgroup", bits_of(newgroup));
  return c.finish(impl::Group_excl(c, *group_, n, ranks, newgroup));
} catch (...) {
  return caught(function::Group_excl);
}
LOADSTONE_ALIAS(MPI_Group_excl)

int PMPI_Group_free([[maybe_unused]] MPI_Group *group) try {
  call c(function::Group_free);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(group)) [[unlikely]] return c.no_address(1, "group", bits_of(group));
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(*group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group", "MPI_Group", handle_bits(*group));
  const int code = impl::Group_free(c, *group_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Group_free);
}
LOADSTONE_ALIAS(MPI_Group_free)

int PMPI_Group_from_session_pset([[maybe_unused]] MPI_Session session, [[maybe_unused]] const char *pset_name,
    [[maybe_unused]] MPI_Group *newgroup) try {
  call c(function::Group_from_session_pset);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  if (no_address(pset_name)) [[unlikely]] return c.no_address(2, "pset_name", bits_of(pset_name));
  if (no_address(newgroup)) [[unlikely]] return c.no_address(3, "newgroup", bits_of(newgroup));
  return c.finish(impl::Group_from_session_pset(c, *session_, pset_name, newgroup));
} catch (...) {
  return caught(function::Group_from_session_pset);
}
LOADSTONE_ALIAS(MPI_Group_from_session_pset)

int PMPI_Group_incl([[maybe_unused]] MPI_Group group, [[maybe_unused]] int n,
    [[maybe_unused]] const int ranks[], [[maybe_unused]] MPI_Group *newgroup) try {
  call c(function::Group_incl);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group", "MPI_Group", handle_bits(group));
  if (n < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "n", n, "at least 0");
  {
    const int wrong = check_present(c, ranks, n, 3, "ranks");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(newgroup)) [[unlikely]] return c.no_address(4, "newgroup", bits_of(newgroup));
  return c.finish(impl::Group_incl(c, *group_, n, ranks, newgroup));
} catch (...) {
  return caught(function::Group_incl);
}
LOADSTONE_ALIAS(MPI_Group_incl)

int PMPI_Group_intersection([[maybe_unused]] MPI_Group group1, [[maybe_unused]] MPI_Group group2,
    [[maybe_unused]] MPI_Group *newgroup) try {
  call c(function::Group_intersection);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group1_ = c.handles().groups.find(group1);
  if (group1_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group1", "MPI_Group", handle_bits(group1));
  [[maybe_unused]] mpi::group* const group2_ = c.handles().groups.find(group2);
  if (group2_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 2, "group2", "MPI_Group", handle_bits(group2));
  if (no_address(newgroup)) [[unlikely]] return c.no_address(3, "newgroup", bits_of(newgroup));
  return c.finish(impl::Group_intersection(c, *group1_, *group2_, newgroup));
} catch (...) {
  return caught(function::Group_intersection);
}
LOADSTONE_ALIAS(MPI_Group_intersection)

int PMPI_Group_range_excl([[maybe_unused]] MPI_Group group, [[maybe_unused]] int n,
    [[maybe_unused]] int ranges[][3], [[maybe_unused]] MPI_Group *newgroup) try {
  call c(function::Group_range_excl);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group", "MPI_Group", handle_bits(group));
  if (n < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "n", n, "at least 0");
  if (no_address(ranges) && n > 0) [[unlikely]] return c.no_address(3, "ranges", bits_of(ranges));
  if (no_address(newgroup)) [[unlikely]] return c.no_address(4, "newgroup", bits_of(newgroup));
  return c.finish(impl::Group_range_excl(c, *group_, n, ranges, newgroup));
} catch (...) {
  return caught(function::Group_range_excl);
}
LOADSTONE_ALIAS(MPI_Group_range_excl)

int PMPI_Group_range_incl([[maybe_unused]] MPI_Group group, [[maybe_unused]] int n,
    [[maybe_unused]] int ranges[][3], [[maybe_unused]] MPI_Group *newgroup) try {
  call c(function::Group_range_incl);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group", "MPI_Group", handle_bits(group));
  if (n < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "n", n, "at least 0");
  if (no_address(ranges) && n > 0) [[unlikely]] return c.no_address(3, "ranges", bits_of(ranges));
  if (no_address(newgroup)) [[unlikely]] return c.no_address(4, "newgroup", bits_of(newgroup));
  return c.finish(impl::Group_range_incl(c, *group_, n, ranges, newgroup));
} catch (...) {
  return caught(function::Group_range_incl);
}
LOADSTONE_ALIAS(MPI_Group_range_incl)

int PMPI_Group_rank([[maybe_unused]] MPI_Group group, [[maybe_unused]] int *rank) try {
  call c(function::Group_rank);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group", "MPI_Group", handle_bits(group));
  if (no_address(rank)) [[unlikely]] return c.no_address(2, "rank", bits_of(rank));
  return c.finish(impl::Group_rank(c, *group_, rank));
} catch (...) {
  return caught(function::Group_rank);
}
LOADSTONE_ALIAS(MPI_Group_rank)

int PMPI_Group_size([[maybe_unused]] MPI_Group group, [[maybe_unused]] int *size) try {
  call c(function::Group_size);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group", "MPI_Group", handle_bits(group));
  if (no_address(size)) [[unlikely]] return c.no_address(2, "size", bits_of(size));
  return c.finish(impl::Group_size(c, *group_, size));
} catch (...) {
  return caught(function::Group_size);
}
LOADSTONE_ALIAS(MPI_Group_size)

int PMPI_Group_translate_ranks([[maybe_unused]] MPI_Group group1, [[maybe_unused]] int n,
    [[maybe_unused]] const int ranks1[], [[maybe_unused]] MPI_Group group2,
    [[maybe_unused]] int ranks2[]) try {
  call c(function::Group_translate_ranks);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group1_ = c.handles().groups.find(group1);
  if (group1_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group1", "MPI_Group", handle_bits(group1));
  if (n < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "n", n, "at least 0");
  {
    const int wrong = check_present(c, ranks1, n, 3, "ranks1");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::group* const group2_ = c.handles().groups.find(group2);
  if (group2_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 4, "group2", "MPI_Group", handle_bits(group2));
  if (no_address(ranks2) && n > 0) [[unlikely]] return c.no_address(5, "ranks2", bits_of(ranks2));
  return c.finish(impl::Group_translate_ranks(c, *group1_, n, ranks1, *group2_, ranks2));
} catch (...) {
  return caught(function::Group_translate_ranks);
}
LOADSTONE_ALIAS(MPI_Group_translate_ranks)

int PMPI_Group_union([[maybe_unused]] MPI_Group group1, [[maybe_unused]] MPI_Group group2,
    [[maybe_unused]] MPI_Group *newgroup) try {
  call c(function::Group_union);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::group* const group1_ = c.handles().groups.find(group1);
  if (group1_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group1", "MPI_Group", handle_bits(group1));
  [[maybe_unused]] mpi::group* const group2_ = c.handles().groups.find(group2);
  if (group2_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 2, "group2", "MPI_Group", handle_bits(group2));
  if (no_address(newgroup)) [[unlikely]] return c.no_address(3, "newgroup", bits_of(newgroup));
  return c.finish(impl::Group_union(c, *group1_, *group2_, newgroup));
} catch (...) {
  return caught(function::Group_union);
}
LOADSTONE_ALIAS(MPI_Group_union)

int PMPI_Intercomm_create([[maybe_unused]] MPI_Comm local_comm, [[maybe_unused]] int local_leader,
    [[maybe_unused]] MPI_Comm peer_comm, [[maybe_unused]] int remote_leader, [[maybe_unused]] int tag,
    [[maybe_unused]] MPI_Comm *newintercomm) try {
  call c(function::Intercomm_create);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const local_comm_ = c.handles().comms.find(local_comm);
  if (local_comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "local_comm", "MPI_Comm", handle_bits(local_comm));
  c.on(*local_comm_);
  if (!is_rank(local_leader, local_comm_->size())) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 2, "local_leader", local_leader, local_comm_->size(), "");
  if (tag < 0) [[unlikely]] return c.wrong_number(MPI_ERR_TAG, 5, "tag", tag, "0 to 2147483647 (MPI_TAG_UB)");
  if (no_address(newintercomm)) [[unlikely]] return c.no_address(6, "newintercomm", bits_of(newintercomm));
  return c.finish(impl::Intercomm_create(c, *local_comm_, local_leader, peer_comm, remote_leader, tag,
      newintercomm));
} catch (...) {
  return caught(function::Intercomm_create);
}
LOADSTONE_ALIAS(MPI_Intercomm_create)

int PMPI_Intercomm_create_from_groups([[maybe_unused]] MPI_Group local_group,
    [[maybe_unused]] int local_leader, [[maybe_unused]] MPI_Group remote_group,
    [[maybe_unused]] int remote_leader, [[maybe_unused]] const char *stringtag,
    [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Errhandler errhandler,
    [[maybe_unused]] MPI_Comm *newintercomm) try {
  call c(function::Intercomm_create_from_groups);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::errhandler* const errhandler_ = c.handles().errhandlers.find(errhandler);
  if (errhandler_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_ERRHANDLER, 7, "errhandler", "MPI_Errhandler", handle_bits(errhandler));
  if (!errhandler_->fits(errhandler_kind::communicator)) [[unlikely]]
    return c.wrong_errhandler(7, "errhandler", "communicator");
  c.on(*errhandler_);
  [[maybe_unused]] mpi::group* const local_group_ = c.handles().groups.find(local_group);
  if (local_group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "local_group", "MPI_Group", handle_bits(local_group));
  [[maybe_unused]] mpi::group* const remote_group_ = c.handles().groups.find(remote_group);
  if (remote_group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 3, "remote_group", "MPI_Group", handle_bits(remote_group));
  if (no_address(stringtag)) [[unlikely]] return c.no_address(5, "stringtag", bits_of(stringtag));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 6, "info", "MPI_Info", handle_bits(info));
  if (no_address(newintercomm)) [[unlikely]] return c.no_address(8, "newintercomm", bits_of(newintercomm));
  return c.finish(impl::Intercomm_create_from_groups(c, *local_group_, local_leader, *remote_group_,
      remote_leader, stringtag, info_, *errhandler_, newintercomm));
} catch (...) {
  return caught(function::Intercomm_create_from_groups);
}
LOADSTONE_ALIAS(MPI_Intercomm_create_from_groups)

int PMPI_Intercomm_merge([[maybe_unused]] MPI_Comm intercomm, [[maybe_unused]] int high,
    [[maybe_unused]] MPI_Comm *newintracomm) try {
  call c(function::Intercomm_merge);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const intercomm_ = c.handles().comms.find(intercomm);
  if (intercomm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "intercomm", "MPI_Comm", handle_bits(intercomm));
  c.on(*intercomm_);
  if (no_address(newintracomm)) [[unlikely]] return c.no_address(3, "newintracomm", bits_of(newintracomm));
  return c.finish(impl::Intercomm_merge(c, *intercomm_, high, newintracomm));
} catch (...) {
  return caught(function::Intercomm_merge);
}
LOADSTONE_ALIAS(MPI_Intercomm_merge)

int PMPI_Keyval_create([[maybe_unused]] MPI_Copy_function *copy_fn,
    [[maybe_unused]] MPI_Delete_function *delete_fn, [[maybe_unused]] int *keyval,
    [[maybe_unused]] void *extra_state) try {
  call c(function::Keyval_create);
  if (no_address(copy_fn) && copy_fn != nullptr && copy_fn != MPI_DUP_FN) [[unlikely]]
    return c.no_address(1, "copy_fn", bits_of(copy_fn));
  if (no_address(delete_fn) && delete_fn != nullptr) [[unlikely]]
    return c.no_address(2, "delete_fn", bits_of(delete_fn));
  if (no_address(keyval)) [[unlikely]] return c.no_address(3, "keyval", bits_of(keyval));
  return c.finish(impl::Comm_create_keyval(c, copy_fn, delete_fn, keyval, extra_state));
} catch (...) {
  return caught(function::Keyval_create);
}
LOADSTONE_ALIAS(MPI_Keyval_create)

int PMPI_Keyval_free([[maybe_unused]] int *keyval) try {
  call c(function::Keyval_free);
  if (no_address(keyval)) [[unlikely]] return c.no_address(1, "keyval", bits_of(keyval));
  return c.finish(impl::Comm_free_keyval(c, keyval));
} catch (...) {
  return caught(function::Keyval_free);
}
LOADSTONE_ALIAS(MPI_Keyval_free)

int PMPI_Session_attach_buffer([[maybe_unused]] MPI_Session session, [[maybe_unused]] void *buffer,
    [[maybe_unused]] int size) try {
  call c(function::Session_attach_buffer);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "size", size, "at least 0");
  if (no_address(buffer) && buffer != MPI_BUFFER_AUTOMATIC) [[unlikely]] {
    if (const int wrong = check_buffer(c, buffer, size, 2, "buffer")) return wrong;
  }
  return c.finish(impl::Session_attach_buffer(c, *session_, buffer, size));
} catch (...) {
  return caught(function::Session_attach_buffer);
}
LOADSTONE_ALIAS(MPI_Session_attach_buffer)

int PMPI_Session_attach_buffer_c([[maybe_unused]] MPI_Session session, [[maybe_unused]] void *buffer,
    [[maybe_unused]] MPI_Count size) try {
  call c(function::Session_attach_buffer_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "size", size, "at least 0");
  if (no_address(buffer) && buffer != MPI_BUFFER_AUTOMATIC) [[unlikely]] {
    if (const int wrong = check_buffer(c, buffer, size, 2, "buffer")) return wrong;
  }
  return c.finish(impl::Session_attach_buffer(c, *session_, buffer, size));
} catch (...) {
  return caught(function::Session_attach_buffer_c);
}
LOADSTONE_ALIAS(MPI_Session_attach_buffer_c)

int PMPI_Session_call_errhandler([[maybe_unused]] MPI_Session session, [[maybe_unused]] int errorcode) try {
  call c(function::Session_call_errhandler);
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  return c.finish(impl::Session_call_errhandler(c, *session_, errorcode));
} catch (...) {
  return caught(function::Session_call_errhandler);
}
LOADSTONE_ALIAS(MPI_Session_call_errhandler)

int PMPI_Session_create_errhandler([[maybe_unused]] MPI_Session_errhandler_function *session_errhandler_fn,
    [[maybe_unused]] MPI_Errhandler *errhandler) try {
  call c(function::Session_create_errhandler);
  if (no_address(session_errhandler_fn)) [[unlikely]]
    return c.no_address(1, "session_errhandler_fn", bits_of(session_errhandler_fn));
  if (no_address(errhandler)) [[unlikely]] return c.no_address(2, "errhandler", bits_of(errhandler));
  return c.finish(impl::Session_create_errhandler(c, session_errhandler_fn, errhandler));
} catch (...) {
  return caught(function::Session_create_errhandler);
}
LOADSTONE_ALIAS(MPI_Session_create_errhandler)

int PMPI_Session_detach_buffer([[maybe_unused]] MPI_Session session, [[maybe_unused]] void *buffer_addr,
    [[maybe_unused]] int *size) try {
  call c(function::Session_detach_buffer);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  if (no_address(buffer_addr)) [[unlikely]] return c.no_address(2, "buffer_addr", bits_of(buffer_addr));
  if (no_address(size)) [[unlikely]] return c.no_address(3, "size", bits_of(size));
  std::int64_t size_ = 0;
  const int code = impl::Session_detach_buffer(c, *session_, buffer_addr, &size_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  if (!fits_int(size_)) [[unlikely]] return c.too_large(3, "size", size_);
  *size = static_cast<int>(size_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Session_detach_buffer);
}
LOADSTONE_ALIAS(MPI_Session_detach_buffer)

int PMPI_Session_detach_buffer_c([[maybe_unused]] MPI_Session session, [[maybe_unused]] void *buffer_addr,
    [[maybe_unused]] MPI_Count *size) try {
  call c(function::Session_detach_buffer_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  if (no_address(buffer_addr)) [[unlikely]] return c.no_address(2, "buffer_addr", bits_of(buffer_addr));
  if (no_address(size)) [[unlikely]] return c.no_address(3, "size", bits_of(size));
  return c.finish(impl::Session_detach_buffer(c, *session_, buffer_addr, size));
} catch (...) {
  return caught(function::Session_detach_buffer_c);
}
LOADSTONE_ALIAS(MPI_Session_detach_buffer_c)

int PMPI_Session_finalize([[maybe_unused]] MPI_Session *session) try {
  call c(function::Session_finalize);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(session)) [[unlikely]] return c.no_address(1, "session", bits_of(session));
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(*session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(*session));
  c.on(*session_);
  const int code = impl::Session_finalize(c, *session_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *session = MPI_SESSION_NULL;
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Session_finalize);
}
LOADSTONE_ALIAS(MPI_Session_finalize)

int PMPI_Session_flush_buffer([[maybe_unused]] MPI_Session session) try {
  call c(function::Session_flush_buffer);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  return c.finish(impl::Session_flush_buffer(c, *session_));
} catch (...) {
  return caught(function::Session_flush_buffer);
}
LOADSTONE_ALIAS(MPI_Session_flush_buffer)

int PMPI_Session_get_errhandler([[maybe_unused]] MPI_Session session,
    [[maybe_unused]] MPI_Errhandler *errhandler) try {
  call c(function::Session_get_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  if (no_address(errhandler)) [[unlikely]] return c.no_address(2, "errhandler", bits_of(errhandler));
  return c.finish(impl::Session_get_errhandler(c, *session_, errhandler));
} catch (...) {
  return caught(function::Session_get_errhandler);
}
LOADSTONE_ALIAS(MPI_Session_get_errhandler)

int PMPI_Session_get_info([[maybe_unused]] MPI_Session session, [[maybe_unused]] MPI_Info *info_used) try {
  call c(function::Session_get_info);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  if (no_address(info_used)) [[unlikely]] return c.no_address(2, "info_used", bits_of(info_used));
  return c.finish(impl::Session_get_info(c, *session_, info_used));
} catch (...) {
  return caught(function::Session_get_info);
}
LOADSTONE_ALIAS(MPI_Session_get_info)

int PMPI_Session_get_nth_pset([[maybe_unused]] MPI_Session session, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] int n, [[maybe_unused]] int *pset_len, [[maybe_unused]] char *pset_name) try {
  call c(function::Session_get_nth_pset);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  if (no_address(pset_len)) [[unlikely]] return c.no_address(4, "pset_len", bits_of(pset_len));
  if (no_address(pset_name) && *pset_len > 0) [[unlikely]]
    return c.no_address(5, "pset_name", bits_of(pset_name));
  return c.finish(impl::Session_get_nth_pset(c, *session_, info_, n, pset_len, pset_name));
} catch (...) {
  return caught(function::Session_get_nth_pset);
}
LOADSTONE_ALIAS(MPI_Session_get_nth_pset)

int PMPI_Session_get_num_psets([[maybe_unused]] MPI_Session session, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] int *npset_names) try {
  call c(function::Session_get_num_psets);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  if (no_address(npset_names)) [[unlikely]] return c.no_address(3, "npset_names", bits_of(npset_names));
  return c.finish(impl::Session_get_num_psets(c, *session_, info_, npset_names));
} catch (...) {
  return caught(function::Session_get_num_psets);
}
LOADSTONE_ALIAS(MPI_Session_get_num_psets)

int PMPI_Session_get_pset_info([[maybe_unused]] MPI_Session session, [[maybe_unused]] const char *pset_name,
    [[maybe_unused]] MPI_Info *info) try {
  call c(function::Session_get_pset_info);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  if (no_address(pset_name)) [[unlikely]] return c.no_address(2, "pset_name", bits_of(pset_name));
  if (no_address(info)) [[unlikely]] return c.no_address(3, "info", bits_of(info));
  return c.finish(impl::Session_get_pset_info(c, *session_, pset_name, info));
} catch (...) {
  return caught(function::Session_get_pset_info);
}
LOADSTONE_ALIAS(MPI_Session_get_pset_info)

int PMPI_Session_iflush_buffer([[maybe_unused]] MPI_Session session,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Session_iflush_buffer);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  if (no_address(request)) [[unlikely]] return c.no_address(2, "request", bits_of(request));
  return c.finish(impl::Session_iflush_buffer(c, *session_, request));
} catch (...) {
  return caught(function::Session_iflush_buffer);
}
LOADSTONE_ALIAS(MPI_Session_iflush_buffer)

int PMPI_Session_init([[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Errhandler errhandler,
    [[maybe_unused]] MPI_Session *session) try {
  call c(function::Session_init);
  [[maybe_unused]] mpi::errhandler* const errhandler_ = c.handles().errhandlers.find(errhandler);
  if (errhandler_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_ERRHANDLER, 2, "errhandler", "MPI_Errhandler", handle_bits(errhandler));
  if (!errhandler_->fits(errhandler_kind::session)) [[unlikely]]
    return c.wrong_errhandler(2, "errhandler", "session");
  c.on(*errhandler_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(session)) [[unlikely]] return c.no_address(3, "session", bits_of(session));
  return c.finish(impl::Session_init(c, info_, *errhandler_, session));
} catch (...) {
  return caught(function::Session_init);
}
LOADSTONE_ALIAS(MPI_Session_init)

int PMPI_Session_set_errhandler([[maybe_unused]] MPI_Session session,
    [[maybe_unused]] MPI_Errhandler errhandler) try {
  call c(function::Session_set_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::session* const session_ = c.handles().sessions.find(session);
  if (session_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_SESSION, 1, "session", "MPI_Session", handle_bits(session));
  c.on(*session_);
  [[maybe_unused]] mpi::errhandler* const errhandler_ = c.handles().errhandlers.find(errhandler);
  if (errhandler_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_ERRHANDLER, 2, "errhandler", "MPI_Errhandler", handle_bits(errhandler));
  if (!errhandler_->fits(errhandler_kind::session)) [[unlikely]]
    return c.wrong_errhandler(2, "errhandler", "session");
  return c.finish(impl::Session_set_errhandler(c, *session_, *errhandler_));
} catch (...) {
  return caught(function::Session_set_errhandler);
}
LOADSTONE_ALIAS(MPI_Session_set_errhandler)

MPI_Comm PMPI_Comm_fromint([[maybe_unused]] int comm) {
  return process::current().handles.comms.whole(comm);
}
LOADSTONE_ALIAS(MPI_Comm_fromint)

int PMPI_Comm_toint([[maybe_unused]] MPI_Comm comm) {
  return static_cast<int>(handle_bits(comm));
}
LOADSTONE_ALIAS(MPI_Comm_toint)

MPI_Group PMPI_Group_fromint([[maybe_unused]] int group) {
  return process::current().handles.groups.whole(group);
}
LOADSTONE_ALIAS(MPI_Group_fromint)

int PMPI_Group_toint([[maybe_unused]] MPI_Group group) {
  return static_cast<int>(handle_bits(group));
}
LOADSTONE_ALIAS(MPI_Group_toint)

MPI_Session PMPI_Session_fromint([[maybe_unused]] int session) {
  return process::current().handles.sessions.whole(session);
}
LOADSTONE_ALIAS(MPI_Session_fromint)

int PMPI_Session_toint([[maybe_unused]] MPI_Session session) {
  return static_cast<int>(handle_bits(session));
}
LOADSTONE_ALIAS(MPI_Session_toint)

}  // extern "C"
