// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

int PMPI_Abi_get_fortran_booleans([[maybe_unused]] int logical_size, [[maybe_unused]] void *logical_true,
    [[maybe_unused]] void *logical_false, [[maybe_unused]] int *is_set) try {
  call c(function::Abi_get_fortran_booleans);
  if (no_address(logical_true)) [[unlikely]] return c.no_address(2, "logical_true", bits_of(logical_true));
  if (no_address(logical_false)) [[unlikely]] return c.no_address(3, "logical_false", bits_of(logical_false));
  if (no_address(is_set)) [[unlikely]] return c.no_address(4, "is_set", bits_of(is_set));
  return c.finish(impl::Abi_get_fortran_booleans(c, logical_size, logical_true, logical_false, is_set));
} catch (...) {
  return caught(function::Abi_get_fortran_booleans);
}
LOADSTONE_ALIAS(MPI_Abi_get_fortran_booleans)

int PMPI_Abi_get_fortran_info([[maybe_unused]] MPI_Info *info) try {
  call c(function::Abi_get_fortran_info);
  if (no_address(info)) [[unlikely]] return c.no_address(1, "info", bits_of(info));
  return c.finish(impl::Abi_get_fortran_info(c, info));
} catch (...) {
  return caught(function::Abi_get_fortran_info);
}
LOADSTONE_ALIAS(MPI_Abi_get_fortran_info)

int PMPI_Abi_get_info([[maybe_unused]] MPI_Info *info) try {
  call c(function::Abi_get_info);
  if (no_address(info)) [[unlikely]] return c.no_address(1, "info", bits_of(info));
  return c.finish(impl::Abi_get_info(c, info));
} catch (...) {
  return caught(function::Abi_get_info);
}
LOADSTONE_ALIAS(MPI_Abi_get_info)

int PMPI_Abi_get_version([[maybe_unused]] int *abi_major, [[maybe_unused]] int *abi_minor) try {
  call c(function::Abi_get_version);
  if (no_address(abi_major)) [[unlikely]] return c.no_address(1, "abi_major", bits_of(abi_major));
  if (no_address(abi_minor)) [[unlikely]] return c.no_address(2, "abi_minor", bits_of(abi_minor));
  return c.finish(impl::Abi_get_version(c, abi_major, abi_minor));
} catch (...) {
  return caught(function::Abi_get_version);
}
LOADSTONE_ALIAS(MPI_Abi_get_version)

int PMPI_Abi_set_fortran_booleans([[maybe_unused]] int logical_size, [[maybe_unused]] void *logical_true,
    [[maybe_unused]] void *logical_false) try {
  call c(function::Abi_set_fortran_booleans);
  if (no_address(logical_true)) [[unlikely]] return c.no_address(2, "logical_true", bits_of(logical_true));
  if (no_address(logical_false)) [[unlikely]] return c.no_address(3, "logical_false", bits_of(logical_false));
  return c.finish(impl::Abi_set_fortran_booleans(c, logical_size, logical_true, logical_false));
} catch (...) {
  return caught(function::Abi_set_fortran_booleans);
}
LOADSTONE_ALIAS(MPI_Abi_set_fortran_booleans)

int PMPI_Abi_set_fortran_info([[maybe_unused]] MPI_Info info) try {
  call c(function::Abi_set_fortran_info);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  return c.finish(impl::Abi_set_fortran_info(c, info_));
} catch (...) {
  return caught(function::Abi_set_fortran_info);
}
LOADSTONE_ALIAS(MPI_Abi_set_fortran_info)

int PMPI_Abort([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int errorcode) try {
  call c(function::Abort);
  if (!c.running()) [[unlikely]] return c.outside();
  return c.finish(impl::Abort(c, comm, errorcode));
} catch (...) {
  return caught(function::Abort);
}
LOADSTONE_ALIAS(MPI_Abort)

int PMPI_Add_error_class([[maybe_unused]] int *errorclass) try {
  call c(function::Add_error_class);
  if (no_address(errorclass)) [[unlikely]] return c.no_address(1, "errorclass", bits_of(errorclass));
  return c.finish(impl::Add_error_class(c, errorclass));
} catch (...) {
  return caught(function::Add_error_class);
}
LOADSTONE_ALIAS(MPI_Add_error_class)

int PMPI_Add_error_code([[maybe_unused]] int errorclass, [[maybe_unused]] int *errorcode) try {
  call c(function::Add_error_code);
  if (no_address(errorcode)) [[unlikely]] return c.no_address(2, "errorcode", bits_of(errorcode));
  return c.finish(impl::Add_error_code(c, errorclass, errorcode));
} catch (...) {
  return caught(function::Add_error_code);
}
LOADSTONE_ALIAS(MPI_Add_error_code)

int PMPI_Add_error_string([[maybe_unused]] int errorcode, [[maybe_unused]] const char *string) try {
  call c(function::Add_error_string);
  if (no_address(string)) [[unlikely]] return c.no_address(2, "string", bits_of(string));
  return c.finish(impl::Add_error_string(c, errorcode, string));
} catch (...) {
  return caught(function::Add_error_string);
}
LOADSTONE_ALIAS(MPI_Add_error_string)

int PMPI_Alloc_mem([[maybe_unused]] MPI_Aint size, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] void *baseptr) try {
  call c(function::Alloc_mem);
  if (!c.running()) [[unlikely]] return c.outside();
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 1, "size", size, "at least 0");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  if (no_address(baseptr)) [[unlikely]] return c.no_address(3, "baseptr", bits_of(baseptr));
  return c.finish(impl::Alloc_mem(c, size, info_, baseptr));
} catch (...) {
  return caught(function::Alloc_mem);
}
LOADSTONE_ALIAS(MPI_Alloc_mem)

int PMPI_Close_port([[maybe_unused]] const char *port_name) try {
  call c(function::Close_port);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(port_name)) [[unlikely]] return c.no_address(1, "port_name", bits_of(port_name));
  return c.unsupported();
} catch (...) {
  return caught(function::Close_port);
}
LOADSTONE_ALIAS(MPI_Close_port)

int PMPI_Errhandler_free([[maybe_unused]] MPI_Errhandler *errhandler) try {
  call c(function::Errhandler_free);
  if (no_address(errhandler)) [[unlikely]] return c.no_address(1, "errhandler", bits_of(errhandler));
  [[maybe_unused]] mpi::errhandler* const errhandler_ = c.handles().errhandlers.find(*errhandler);
  if (errhandler_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_ERRHANDLER, 1, "errhandler", "MPI_Errhandler", handle_bits(*errhandler));
  const int code = impl::Errhandler_free(c, *errhandler_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *errhandler = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Errhandler_free);
}
LOADSTONE_ALIAS(MPI_Errhandler_free)

int PMPI_Error_class([[maybe_unused]] int errorcode, [[maybe_unused]] int *errorclass) try {
  call c(function::Error_class);
  if (no_address(errorclass)) [[unlikely]] return c.no_address(2, "errorclass", bits_of(errorclass));
  return c.finish(impl::Error_class(c, errorcode, errorclass));
} catch (...) {
  return caught(function::Error_class);
}
LOADSTONE_ALIAS(MPI_Error_class)

int PMPI_Error_string([[maybe_unused]] int errorcode, [[maybe_unused]] char *string,
    [[maybe_unused]] int *resultlen) try {
  call c(function::Error_string);
  if (no_address(string)) [[unlikely]] return c.no_address(2, "string", bits_of(string));
  if (no_address(resultlen)) [[unlikely]] return c.no_address(3, "resultlen", bits_of(resultlen));
  return c.finish(impl::Error_string(c, errorcode, string, resultlen));
} catch (...) {
  return caught(function::Error_string);
}
LOADSTONE_ALIAS(MPI_Error_string)

int PMPI_Finalize() try {
  call c(function::Finalize);
  if (!c.running()) [[unlikely]] return c.outside();
  return c.finish(impl::Finalize(c));
} catch (...) {
  return caught(function::Finalize);
}
LOADSTONE_ALIAS(MPI_Finalize)

int PMPI_Finalized([[maybe_unused]] int *flag) try {
  call c(function::Finalized);
  if (no_address(flag)) [[unlikely]] return c.no_address(1, "flag", bits_of(flag));
  return c.finish(impl::Finalized(c, flag));
} catch (...) {
  return caught(function::Finalized);
}
LOADSTONE_ALIAS(MPI_Finalized)

int PMPI_Free_mem([[maybe_unused]] void *base) try {
  call c(function::Free_mem);
  if (!c.running()) [[unlikely]] return c.outside();
  return c.finish(impl::Free_mem(c, base));
} catch (...) {
  return caught(function::Free_mem);
}
LOADSTONE_ALIAS(MPI_Free_mem)

int PMPI_Get_hw_resource_info([[maybe_unused]] MPI_Info *hw_info) try {
  call c(function::Get_hw_resource_info);
  if (no_address(hw_info)) [[unlikely]] return c.no_address(1, "hw_info", bits_of(hw_info));
  return c.finish(impl::Get_hw_resource_info(c, hw_info));
} catch (...) {
  return caught(function::Get_hw_resource_info);
}
LOADSTONE_ALIAS(MPI_Get_hw_resource_info)

int PMPI_Get_library_version([[maybe_unused]] char *version, [[maybe_unused]] int *resultlen) try {
  call c(function::Get_library_version);
  if (no_address(version)) [[unlikely]] return c.no_address(1, "version", bits_of(version));
  if (no_address(resultlen)) [[unlikely]] return c.no_address(2, "resultlen", bits_of(resultlen));
  return c.finish(impl::Get_library_version(c, version, resultlen));
} catch (...) {
  return caught(function::Get_library_version);
}
LOADSTONE_ALIAS(MPI_Get_library_version)

int PMPI_Get_processor_name([[maybe_unused]] char *name, [[maybe_unused]] int *resultlen) try {
  call c(function::Get_processor_name);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(name)) [[unlikely]] return c.no_address(1, "name", bits_of(name));
  if (no_address(resultlen)) [[unlikely]] return c.no_address(2, "resultlen", bits_of(resultlen));
  return c.finish(impl::Get_processor_name(c, name, resultlen));
} catch (...) {
  return caught(function::Get_processor_name);
}
LOADSTONE_ALIAS(MPI_Get_processor_name)

int PMPI_Get_version([[maybe_unused]] int *version, [[maybe_unused]] int *subversion) try {
  call c(function::Get_version);
  if (no_address(version)) [[unlikely]] return c.no_address(1, "version", bits_of(version));
  if (no_address(subversion)) [[unlikely]] return c.no_address(2, "subversion", bits_of(subversion));
  return c.finish(impl::Get_version(c, version, subversion));
} catch (...) {
  return caught(function::Get_version);
}
LOADSTONE_ALIAS(MPI_Get_version)

int PMPI_Info_create([[maybe_unused]] MPI_Info *info) try {
  call c(function::Info_create);
  if (no_address(info)) [[unlikely]] return c.no_address(1, "info", bits_of(info));
  return c.finish(impl::Info_create(c, info));
} catch (...) {
  return caught(function::Info_create);
}
LOADSTONE_ALIAS(MPI_Info_create)

int PMPI_Info_create_env([[maybe_unused]] int argc, [[maybe_unused]] char *argv[],
    [[maybe_unused]] MPI_Info *info) try {
  call c(function::Info_create_env);
  if (no_address(argv) && argv != nullptr && argc > 0) [[unlikely]]
    return c.no_address(2, "argv", bits_of(argv));
  if (no_address(info)) [[unlikely]] return c.no_address(3, "info", bits_of(info));
  return c.finish(impl::Info_create_env(c, argc, argv, info));
} catch (...) {
  return caught(function::Info_create_env);
}
LOADSTONE_ALIAS(MPI_Info_create_env)

int PMPI_Info_delete([[maybe_unused]] MPI_Info info, [[maybe_unused]] const char *key) try {
  call c(function::Info_delete);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(key)) [[unlikely]] return c.no_address(2, "key", bits_of(key));
  return c.finish(impl::Info_delete(c, info_, key));
} catch (...) {
  return caught(function::Info_delete);
}
LOADSTONE_ALIAS(MPI_Info_delete)

int PMPI_Info_dup([[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Info *newinfo) try {
  call c(function::Info_dup);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(newinfo)) [[unlikely]] return c.no_address(2, "newinfo", bits_of(newinfo));
  return c.finish(impl::Info_dup(c, info_, newinfo));
} catch (...) {
  return caught(function::Info_dup);
}
LOADSTONE_ALIAS(MPI_Info_dup)

int PMPI_Info_free([[maybe_unused]] MPI_Info *info) try {
  call c(function::Info_free);
  if (no_address(info)) [[unlikely]] return c.no_address(1, "info", bits_of(info));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(*info);
  if (info_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(*info));
  if (info_table::is_predefined(*info)) [[unlikely]]
    return c.predefined_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(*info));
  const int code = impl::Info_free(c, info_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *info = MPI_INFO_NULL;
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Info_free);
}
LOADSTONE_ALIAS(MPI_Info_free)

int PMPI_Info_get([[maybe_unused]] MPI_Info info, [[maybe_unused]] const char *key,
    [[maybe_unused]] int valuelen, [[maybe_unused]] char *value, [[maybe_unused]] int *flag) try {
  call c(function::Info_get);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(key)) [[unlikely]] return c.no_address(2, "key", bits_of(key));
  if (valuelen < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "valuelen", valuelen, "at least 0");
  if (no_address(value) && valuelen > 0) [[unlikely]] return c.no_address(4, "value", bits_of(value));
  if (no_address(flag)) [[unlikely]] return c.no_address(5, "flag", bits_of(flag));
  return c.finish(impl::Info_get(c, info_, key, valuelen, value, flag));
} catch (...) {
  return caught(function::Info_get);
}
LOADSTONE_ALIAS(MPI_Info_get)

int PMPI_Info_get_nkeys([[maybe_unused]] MPI_Info info, [[maybe_unused]] int *nkeys) try {
  call c(function::Info_get_nkeys);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(nkeys)) [[unlikely]] return c.no_address(2, "nkeys", bits_of(nkeys));
  return c.finish(impl::Info_get_nkeys(c, info_, nkeys));
} catch (...) {
  return caught(function::Info_get_nkeys);
}
LOADSTONE_ALIAS(MPI_Info_get_nkeys)

int PMPI_Info_get_nthkey([[maybe_unused]] MPI_Info info, [[maybe_unused]] int n,
    [[maybe_unused]] char *key) try {
  call c(function::Info_get_nthkey);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(key)) [[unlikely]] return c.no_address(3, "key", bits_of(key));
  return c.finish(impl::Info_get_nthkey(c, info_, n, key));
} catch (...) {
  return caught(function::Info_get_nthkey);
}
LOADSTONE_ALIAS(MPI_Info_get_nthkey)

int PMPI_Info_get_string([[maybe_unused]] MPI_Info info, [[maybe_unused]] const char *key,
    [[maybe_unused]] int *buflen, [[maybe_unused]] char *value, [[maybe_unused]] int *flag) try {
  call c(function::Info_get_string);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(key)) [[unlikely]] return c.no_address(2, "key", bits_of(key));
  if (no_address(buflen)) [[unlikely]] return c.no_address(3, "buflen", bits_of(buflen));
  if (no_address(value) && *buflen > 0) [[unlikely]] return c.no_address(4, "value", bits_of(value));
  if (no_address(flag)) [[unlikely]] return c.no_address(5, "flag", bits_of(flag));
  return c.finish(impl::Info_get_string(c, info_, key, buflen, value, flag));
} catch (...) {
  return caught(function::Info_get_string);
}
LOADSTONE_ALIAS(MPI_Info_get_string)

int PMPI_Info_get_valuelen([[maybe_unused]] MPI_Info info, [[maybe_unused]] const char *key,
    [[maybe_unused]] int *valuelen, [[maybe_unused]] int *flag) try {
  call c(function::Info_get_valuelen);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(key)) [[unlikely]] return c.no_address(2, "key", bits_of(key));
  if (no_address(valuelen)) [[unlikely]] return c.no_address(3, "valuelen", bits_of(valuelen));
  if (no_address(flag)) [[unlikely]] return c.no_address(4, "flag", bits_of(flag));
  return c.finish(impl::Info_get_valuelen(c, info_, key, valuelen, flag));
} catch (...) {
  return caught(function::Info_get_valuelen);
}
LOADSTONE_ALIAS(MPI_Info_get_valuelen)

int PMPI_Info_set([[maybe_unused]] MPI_Info info, [[maybe_unused]] const char *key,
    [[maybe_unused]] const char *value) try {
  call c(function::Info_set);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(key)) [[unlikely]] return c.no_address(2, "key", bits_of(key));
  if (no_address(value)) [[unlikely]] return c.no_address(3, "value", bits_of(value));
  return c.finish(impl::Info_set(c, info_, key, value));
} catch (...) {
  return caught(function::Info_set);
}
LOADSTONE_ALIAS(MPI_Info_set)

int PMPI_Init([[maybe_unused]] int *argc, [[maybe_unused]] char ***argv) try {
  call c(function::Init);
  if (no_address(argc) && argc != nullptr) [[unlikely]] return c.no_address(1, "argc", bits_of(argc));
  if (no_address(argv) && argv != nullptr) [[unlikely]] return c.no_address(2, "argv", bits_of(argv));
  return c.finish(impl::Init(c, argc, argv));
} catch (...) {
  return caught(function::Init);
}
LOADSTONE_ALIAS(MPI_Init)

int PMPI_Init_thread([[maybe_unused]] int *argc, [[maybe_unused]] char ***argv, [[maybe_unused]] int required,
    [[maybe_unused]] int *provided) try {
  call c(function::Init_thread);
  if (no_address(argc) && argc != nullptr) [[unlikely]] return c.no_address(1, "argc", bits_of(argc));
  if (no_address(argv) && argv != nullptr) [[unlikely]] return c.no_address(2, "argv", bits_of(argv));
  if (no_address(provided)) [[unlikely]] return c.no_address(4, "provided", bits_of(provided));
  return c.finish(impl::Init_thread(c, argc, argv, required, provided));
} catch (...) {
  return caught(function::Init_thread);
}
LOADSTONE_ALIAS(MPI_Init_thread)

int PMPI_Initialized([[maybe_unused]] int *flag) try {
  call c(function::Initialized);
  if (no_address(flag)) [[unlikely]] return c.no_address(1, "flag", bits_of(flag));
  return c.finish(impl::Initialized(c, flag));
} catch (...) {
  return caught(function::Initialized);
}
LOADSTONE_ALIAS(MPI_Initialized)

int PMPI_Is_thread_main([[maybe_unused]] int *flag) try {
  call c(function::Is_thread_main);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(flag)) [[unlikely]] return c.no_address(1, "flag", bits_of(flag));
  return c.finish(impl::Is_thread_main(c, flag));
} catch (...) {
  return caught(function::Is_thread_main);
}
LOADSTONE_ALIAS(MPI_Is_thread_main)

int PMPI_Lookup_name([[maybe_unused]] const char *service_name, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] char *port_name) try {
  call c(function::Lookup_name);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(service_name)) [[unlikely]] return c.no_address(1, "service_name", bits_of(service_name));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  if (no_address(port_name)) [[unlikely]] return c.no_address(3, "port_name", bits_of(port_name));
  return c.finish(impl::Lookup_name(c, service_name, info_, port_name));
} catch (...) {
  return caught(function::Lookup_name);
}
LOADSTONE_ALIAS(MPI_Lookup_name)

int PMPI_Open_port([[maybe_unused]] MPI_Info info, [[maybe_unused]] char *port_name) try {
  call c(function::Open_port);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(port_name)) [[unlikely]] return c.no_address(2, "port_name", bits_of(port_name));
  return c.unsupported();
} catch (...) {
  return caught(function::Open_port);
}
LOADSTONE_ALIAS(MPI_Open_port)

int PMPI_Pcontrol([[maybe_unused]] const int level, ...) try {
  call c(function::Pcontrol);
  if (!c.running()) [[unlikely]] return c.outside();
  return c.finish(impl::Pcontrol(c, level));
} catch (...) {
  return caught(function::Pcontrol);
}
LOADSTONE_ALIAS(MPI_Pcontrol)

int PMPI_Publish_name([[maybe_unused]] const char *service_name, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] const char *port_name) try {
  call c(function::Publish_name);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(service_name)) [[unlikely]] return c.no_address(1, "service_name", bits_of(service_name));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  if (no_address(port_name)) [[unlikely]] return c.no_address(3, "port_name", bits_of(port_name));
  return c.finish(impl::Publish_name(c, service_name, info_, port_name));
} catch (...) {
  return caught(function::Publish_name);
}
LOADSTONE_ALIAS(MPI_Publish_name)

int PMPI_Query_thread([[maybe_unused]] int *provided) try {
  call c(function::Query_thread);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(provided)) [[unlikely]] return c.no_address(1, "provided", bits_of(provided));
  return c.finish(impl::Query_thread(c, provided));
} catch (...) {
  return caught(function::Query_thread);
}
LOADSTONE_ALIAS(MPI_Query_thread)

int PMPI_Remove_error_class([[maybe_unused]] int errorclass) try {
  call c(function::Remove_error_class);
  return c.finish(impl::Remove_error_class(c, errorclass));
} catch (...) {
  return caught(function::Remove_error_class);
}
LOADSTONE_ALIAS(MPI_Remove_error_class)

int PMPI_Remove_error_code([[maybe_unused]] int errorcode) try {
  call c(function::Remove_error_code);
  return c.finish(impl::Remove_error_code(c, errorcode));
} catch (...) {
  return caught(function::Remove_error_code);
}
LOADSTONE_ALIAS(MPI_Remove_error_code)

int PMPI_Remove_error_string([[maybe_unused]] int errorcode) try {
  call c(function::Remove_error_string);
  return c.finish(impl::Remove_error_string(c, errorcode));
} catch (...) {
  return caught(function::Remove_error_string);
}
LOADSTONE_ALIAS(MPI_Remove_error_string)

int PMPI_Unpublish_name([[maybe_unused]] const char *service_name, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] const char *port_name) try {
  call c(function::Unpublish_name);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(service_name)) [[unlikely]] return c.no_address(1, "service_name", bits_of(service_name));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  if (no_address(port_name)) [[unlikely]] return c.no_address(3, "port_name", bits_of(port_name));
  return c.finish(impl::Unpublish_name(c, service_name, info_, port_name));
} catch (...) {
  return caught(function::Unpublish_name);
}
LOADSTONE_ALIAS(MPI_Unpublish_name)

MPI_Aint PMPI_Aint_add([[maybe_unused]] MPI_Aint base, [[maybe_unused]] MPI_Aint disp) {
  return impl::Aint_add(base, disp);
}
LOADSTONE_ALIAS(MPI_Aint_add)

MPI_Aint PMPI_Aint_diff([[maybe_unused]] MPI_Aint addr1, [[maybe_unused]] MPI_Aint addr2) {
  return impl::Aint_diff(addr1, addr2);
}
LOADSTONE_ALIAS(MPI_Aint_diff)

double PMPI_Wtick() {
  return impl::Wtick();
}
LOADSTONE_ALIAS(MPI_Wtick)

double PMPI_Wtime() {
  return impl::Wtime();
}
LOADSTONE_ALIAS(MPI_Wtime)

MPI_Errhandler PMPI_Errhandler_fromint([[maybe_unused]] int errhandler) {
  return process::current().handles.errhandlers.whole(errhandler);
}
LOADSTONE_ALIAS(MPI_Errhandler_fromint)

int PMPI_Errhandler_toint([[maybe_unused]] MPI_Errhandler errhandler) {
  return static_cast<int>(handle_bits(errhandler));
}
LOADSTONE_ALIAS(MPI_Errhandler_toint)

MPI_Info PMPI_Info_fromint([[maybe_unused]] int info) {
  return process::current().handles.infos.whole(info);
}
LOADSTONE_ALIAS(MPI_Info_fromint)

int PMPI_Info_toint([[maybe_unused]] MPI_Info info) {
  return static_cast<int>(handle_bits(info));
}
LOADSTONE_ALIAS(MPI_Info_toint)

MPI_Message PMPI_Message_fromint([[maybe_unused]] int message) {
  return process::current().handles.messages.whole(message);
}
LOADSTONE_ALIAS(MPI_Message_fromint)

int PMPI_Message_toint([[maybe_unused]] MPI_Message message) {
  return static_cast<int>(handle_bits(message));
}
LOADSTONE_ALIAS(MPI_Message_toint)

}  // extern "C"
