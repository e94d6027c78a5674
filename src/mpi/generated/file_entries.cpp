// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

int PMPI_File_call_errhandler([[maybe_unused]] MPI_File fh, [[maybe_unused]] int errorcode) try {
  call c(function::File_call_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  if (fh != MPI_FILE_NULL && c.handles().files.find(fh) == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(fh);
  return c.finish(impl::File_call_errhandler(c, fh, errorcode));
} catch (...) {
  return caught(function::File_call_errhandler);
}
LOADSTONE_ALIAS(MPI_File_call_errhandler)

int PMPI_File_close([[maybe_unused]] MPI_File *fh) try {
  call c(function::File_close);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  if (no_address(fh)) [[unlikely]] return c.no_address(1, "fh", bits_of(fh));
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(*fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(*fh));
  c.on(*fh_);
  const int code = impl::File_close(c, *fh_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *fh = MPI_FILE_NULL;
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::File_close);
}
LOADSTONE_ALIAS(MPI_File_close)

int PMPI_File_create_errhandler([[maybe_unused]] MPI_File_errhandler_function *file_errhandler_fn,
    [[maybe_unused]] MPI_Errhandler *errhandler) try {
  call c(function::File_create_errhandler);
  if (no_address(file_errhandler_fn)) [[unlikely]]
    return c.no_address(1, "file_errhandler_fn", bits_of(file_errhandler_fn));
  if (no_address(errhandler)) [[unlikely]] return c.no_address(2, "errhandler", bits_of(errhandler));
  return c.finish(impl::File_create_errhandler(c, file_errhandler_fn, errhandler));
} catch (...) {
  return caught(function::File_create_errhandler);
}
LOADSTONE_ALIAS(MPI_File_create_errhandler)

int PMPI_File_delete([[maybe_unused]] const char *filename, [[maybe_unused]] MPI_Info info) try {
  call c(function::File_delete);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  if (no_address(filename)) [[unlikely]] return c.no_address(1, "filename", bits_of(filename));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  return c.finish(impl::File_delete(c, filename, info_));
} catch (...) {
  return caught(function::File_delete);
}
LOADSTONE_ALIAS(MPI_File_delete)

int PMPI_File_get_amode([[maybe_unused]] MPI_File fh, [[maybe_unused]] int *amode) try {
  call c(function::File_get_amode);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(amode)) [[unlikely]] return c.no_address(2, "amode", bits_of(amode));
  return c.finish(impl::File_get_amode(c, *fh_, amode));
} catch (...) {
  return caught(function::File_get_amode);
}
LOADSTONE_ALIAS(MPI_File_get_amode)

int PMPI_File_get_atomicity([[maybe_unused]] MPI_File fh, [[maybe_unused]] int *flag) try {
  call c(function::File_get_atomicity);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(flag)) [[unlikely]] return c.no_address(2, "flag", bits_of(flag));
  return c.finish(impl::File_get_atomicity(c, *fh_, flag));
} catch (...) {
  return caught(function::File_get_atomicity);
}
LOADSTONE_ALIAS(MPI_File_get_atomicity)

int PMPI_File_get_byte_offset([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] MPI_Offset *disp) try {
  call c(function::File_get_byte_offset);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(disp)) [[unlikely]] return c.no_address(3, "disp", bits_of(disp));
  return c.finish(impl::File_get_byte_offset(c, *fh_, offset, disp));
} catch (...) {
  return caught(function::File_get_byte_offset);
}
LOADSTONE_ALIAS(MPI_File_get_byte_offset)

int PMPI_File_get_errhandler([[maybe_unused]] MPI_File file,
    [[maybe_unused]] MPI_Errhandler *errhandler) try {
  call c(function::File_get_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  if (file != MPI_FILE_NULL && c.handles().files.find(file) == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_FILE, 1, "file", "MPI_File", handle_bits(file));
  c.on(file);
  if (no_address(errhandler)) [[unlikely]] return c.no_address(2, "errhandler", bits_of(errhandler));
  return c.finish(impl::File_get_errhandler(c, file, errhandler));
} catch (...) {
  return caught(function::File_get_errhandler);
}
LOADSTONE_ALIAS(MPI_File_get_errhandler)

int PMPI_File_get_group([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Group *group) try {
  call c(function::File_get_group);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(group)) [[unlikely]] return c.no_address(2, "group", bits_of(group));
  return c.finish(impl::File_get_group(c, *fh_, group));
} catch (...) {
  return caught(function::File_get_group);
}
LOADSTONE_ALIAS(MPI_File_get_group)

int PMPI_File_get_info([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Info *info_used) try {
  call c(function::File_get_info);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(info_used)) [[unlikely]] return c.no_address(2, "info_used", bits_of(info_used));
  return c.finish(impl::File_get_info(c, *fh_, info_used));
} catch (...) {
  return caught(function::File_get_info);
}
LOADSTONE_ALIAS(MPI_File_get_info)

int PMPI_File_get_position([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset *offset) try {
  call c(function::File_get_position);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(offset)) [[unlikely]] return c.no_address(2, "offset", bits_of(offset));
  return c.finish(impl::File_get_position(c, *fh_, offset));
} catch (...) {
  return caught(function::File_get_position);
}
LOADSTONE_ALIAS(MPI_File_get_position)

int PMPI_File_get_position_shared([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset *offset) try {
  call c(function::File_get_position_shared);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(offset)) [[unlikely]] return c.no_address(2, "offset", bits_of(offset));
  return c.finish(impl::File_get_position_shared(c, *fh_, offset));
} catch (...) {
  return caught(function::File_get_position_shared);
}
LOADSTONE_ALIAS(MPI_File_get_position_shared)

int PMPI_File_get_size([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset *size) try {
  call c(function::File_get_size);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(size)) [[unlikely]] return c.no_address(2, "size", bits_of(size));
  return c.finish(impl::File_get_size(c, *fh_, size));
} catch (...) {
  return caught(function::File_get_size);
}
LOADSTONE_ALIAS(MPI_File_get_size)

int PMPI_File_get_type_extent([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Aint *extent) try {
  call c(function::File_get_type_extent);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(extent)) [[unlikely]] return c.no_address(3, "extent", bits_of(extent));
  return c.finish(impl::File_get_type_extent(c, *fh_, *datatype_, extent));
} catch (...) {
  return caught(function::File_get_type_extent);
}
LOADSTONE_ALIAS(MPI_File_get_type_extent)

int PMPI_File_get_type_extent_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Count *extent) try {
  call c(function::File_get_type_extent_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 2, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (no_address(extent)) [[unlikely]] return c.no_address(3, "extent", bits_of(extent));
  return c.finish(impl::File_get_type_extent(c, *fh_, *datatype_, extent));
} catch (...) {
  return caught(function::File_get_type_extent_c);
}
LOADSTONE_ALIAS(MPI_File_get_type_extent_c)

int PMPI_File_get_view([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset *disp,
    [[maybe_unused]] MPI_Datatype *etype, [[maybe_unused]] MPI_Datatype *filetype,
    [[maybe_unused]] char *datarep) try {
  call c(function::File_get_view);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(disp)) [[unlikely]] return c.no_address(2, "disp", bits_of(disp));
  if (no_address(etype)) [[unlikely]] return c.no_address(3, "etype", bits_of(etype));
  if (no_address(filetype)) [[unlikely]] return c.no_address(4, "filetype", bits_of(filetype));
  if (no_address(datarep)) [[unlikely]] return c.no_address(5, "datarep", bits_of(datarep));
  return c.finish(impl::File_get_view(c, *fh_, disp, etype, filetype, datarep));
} catch (...) {
  return caught(function::File_get_view);
}
LOADSTONE_ALIAS(MPI_File_get_view)

int PMPI_File_iread([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iread);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iread(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iread);
}
LOADSTONE_ALIAS(MPI_File_iread)

int PMPI_File_iread_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iread_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iread(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iread_c);
}
LOADSTONE_ALIAS(MPI_File_iread_c)

int PMPI_File_iread_all([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iread_all);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iread_all(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iread_all);
}
LOADSTONE_ALIAS(MPI_File_iread_all)

int PMPI_File_iread_all_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iread_all_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iread_all(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iread_all_c);
}
LOADSTONE_ALIAS(MPI_File_iread_all_c)

int PMPI_File_iread_at([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iread_at);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(6, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_iread_at(c, *fh_, offset, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iread_at);
}
LOADSTONE_ALIAS(MPI_File_iread_at)

int PMPI_File_iread_at_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iread_at_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(6, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_iread_at(c, *fh_, offset, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iread_at_c);
}
LOADSTONE_ALIAS(MPI_File_iread_at_c)

int PMPI_File_iread_at_all([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iread_at_all);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(6, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_iread_at_all(c, *fh_, offset, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iread_at_all);
}
LOADSTONE_ALIAS(MPI_File_iread_at_all)

int PMPI_File_iread_at_all_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iread_at_all_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(6, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_iread_at_all(c, *fh_, offset, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iread_at_all_c);
}
LOADSTONE_ALIAS(MPI_File_iread_at_all_c)

int PMPI_File_iread_shared([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iread_shared);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iread_shared(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iread_shared);
}
LOADSTONE_ALIAS(MPI_File_iread_shared)

int PMPI_File_iread_shared_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iread_shared_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iread_shared(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iread_shared_c);
}
LOADSTONE_ALIAS(MPI_File_iread_shared_c)

int PMPI_File_iwrite([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iwrite);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iwrite(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iwrite);
}
LOADSTONE_ALIAS(MPI_File_iwrite)

int PMPI_File_iwrite_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iwrite_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iwrite(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iwrite_c);
}
LOADSTONE_ALIAS(MPI_File_iwrite_c)

int PMPI_File_iwrite_all([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iwrite_all);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iwrite_all(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iwrite_all);
}
LOADSTONE_ALIAS(MPI_File_iwrite_all)

int PMPI_File_iwrite_all_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iwrite_all_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iwrite_all(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iwrite_all_c);
}
LOADSTONE_ALIAS(MPI_File_iwrite_all_c)

int PMPI_File_iwrite_at([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] const void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iwrite_at);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(6, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_iwrite_at(c, *fh_, offset, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iwrite_at);
}
LOADSTONE_ALIAS(MPI_File_iwrite_at)

int PMPI_File_iwrite_at_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iwrite_at_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(6, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_iwrite_at(c, *fh_, offset, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iwrite_at_c);
}
LOADSTONE_ALIAS(MPI_File_iwrite_at_c)

int PMPI_File_iwrite_at_all([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] const void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iwrite_at_all);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(6, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_iwrite_at_all(c, *fh_, offset, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iwrite_at_all);
}
LOADSTONE_ALIAS(MPI_File_iwrite_at_all)

int PMPI_File_iwrite_at_all_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iwrite_at_all_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(6, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_iwrite_at_all(c, *fh_, offset, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iwrite_at_all_c);
}
LOADSTONE_ALIAS(MPI_File_iwrite_at_all_c)

int PMPI_File_iwrite_shared([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iwrite_shared);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iwrite_shared(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iwrite_shared);
}
LOADSTONE_ALIAS(MPI_File_iwrite_shared)

int PMPI_File_iwrite_shared_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::File_iwrite_shared_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(5, "request", bits_of(request));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_iwrite_shared(c, *fh_, buf, count, *datatype_, request));
} catch (...) {
  return caught(function::File_iwrite_shared_c);
}
LOADSTONE_ALIAS(MPI_File_iwrite_shared_c)

int PMPI_File_open([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] const char *filename,
    [[maybe_unused]] int amode, [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_File *fh) try {
  call c(function::File_open);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  if (no_address(filename)) [[unlikely]] return c.no_address(2, "filename", bits_of(filename));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 4, "info", "MPI_Info", handle_bits(info));
  if (no_address(fh)) [[unlikely]] return c.no_address(5, "fh", bits_of(fh));
  return c.finish(impl::File_open(c, *comm_, filename, amode, info_, fh));
} catch (...) {
  return caught(function::File_open);
}
LOADSTONE_ALIAS(MPI_File_open)

int PMPI_File_preallocate([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset size) try {
  call c(function::File_preallocate);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  return c.finish(impl::File_preallocate(c, *fh_, size));
} catch (...) {
  return caught(function::File_preallocate);
}
LOADSTONE_ALIAS(MPI_File_preallocate)

int PMPI_File_read([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read);
}
LOADSTONE_ALIAS(MPI_File_read)

int PMPI_File_read_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_c);
}
LOADSTONE_ALIAS(MPI_File_read_c)

int PMPI_File_read_all([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_all);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read_all(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_all);
}
LOADSTONE_ALIAS(MPI_File_read_all)

int PMPI_File_read_all_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_all_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read_all(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_all_c);
}
LOADSTONE_ALIAS(MPI_File_read_all_c)

int PMPI_File_read_all_begin([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_read_all_begin);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read_all_begin(c, *fh_, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_read_all_begin);
}
LOADSTONE_ALIAS(MPI_File_read_all_begin)

int PMPI_File_read_all_begin_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_read_all_begin_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read_all_begin(c, *fh_, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_read_all_begin_c);
}
LOADSTONE_ALIAS(MPI_File_read_all_begin_c)

int PMPI_File_read_all_end([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_all_end);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(3, "status", bits_of(status));
  return c.finish(impl::File_read_all_end(c, *fh_, buf, status));
} catch (...) {
  return caught(function::File_read_all_end);
}
LOADSTONE_ALIAS(MPI_File_read_all_end)

int PMPI_File_read_at([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_at);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(6, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_read_at(c, *fh_, offset, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_at);
}
LOADSTONE_ALIAS(MPI_File_read_at)

int PMPI_File_read_at_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_at_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(6, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_read_at(c, *fh_, offset, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_at_c);
}
LOADSTONE_ALIAS(MPI_File_read_at_c)

int PMPI_File_read_at_all([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_at_all);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(6, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_read_at_all(c, *fh_, offset, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_at_all);
}
LOADSTONE_ALIAS(MPI_File_read_at_all)

int PMPI_File_read_at_all_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_at_all_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(6, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_read_at_all(c, *fh_, offset, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_at_all_c);
}
LOADSTONE_ALIAS(MPI_File_read_at_all_c)

int PMPI_File_read_at_all_begin([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_read_at_all_begin);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_read_at_all_begin(c, *fh_, offset, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_read_at_all_begin);
}
LOADSTONE_ALIAS(MPI_File_read_at_all_begin)

int PMPI_File_read_at_all_begin_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_read_at_all_begin_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_read_at_all_begin(c, *fh_, offset, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_read_at_all_begin_c);
}
LOADSTONE_ALIAS(MPI_File_read_at_all_begin_c)

int PMPI_File_read_at_all_end([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_at_all_end);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(3, "status", bits_of(status));
  return c.finish(impl::File_read_at_all_end(c, *fh_, buf, status));
} catch (...) {
  return caught(function::File_read_at_all_end);
}
LOADSTONE_ALIAS(MPI_File_read_at_all_end)

int PMPI_File_read_ordered([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_ordered);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read_ordered(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_ordered);
}
LOADSTONE_ALIAS(MPI_File_read_ordered)

int PMPI_File_read_ordered_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_ordered_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read_ordered(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_ordered_c);
}
LOADSTONE_ALIAS(MPI_File_read_ordered_c)

int PMPI_File_read_ordered_begin([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_read_ordered_begin);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read_ordered_begin(c, *fh_, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_read_ordered_begin);
}
LOADSTONE_ALIAS(MPI_File_read_ordered_begin)

int PMPI_File_read_ordered_begin_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_read_ordered_begin_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read_ordered_begin(c, *fh_, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_read_ordered_begin_c);
}
LOADSTONE_ALIAS(MPI_File_read_ordered_begin_c)

int PMPI_File_read_ordered_end([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_ordered_end);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(3, "status", bits_of(status));
  return c.finish(impl::File_read_ordered_end(c, *fh_, buf, status));
} catch (...) {
  return caught(function::File_read_ordered_end);
}
LOADSTONE_ALIAS(MPI_File_read_ordered_end)

int PMPI_File_read_shared([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_shared);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read_shared(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_shared);
}
LOADSTONE_ALIAS(MPI_File_read_shared)

int PMPI_File_read_shared_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_read_shared_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_read_shared(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_read_shared_c);
}
LOADSTONE_ALIAS(MPI_File_read_shared_c)

int PMPI_File_seek([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] int whence) try {
  call c(function::File_seek);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  return c.finish(impl::File_seek(c, *fh_, offset, whence));
} catch (...) {
  return caught(function::File_seek);
}
LOADSTONE_ALIAS(MPI_File_seek)

int PMPI_File_seek_shared([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] int whence) try {
  call c(function::File_seek_shared);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  return c.finish(impl::File_seek_shared(c, *fh_, offset, whence));
} catch (...) {
  return caught(function::File_seek_shared);
}
LOADSTONE_ALIAS(MPI_File_seek_shared)

int PMPI_File_set_atomicity([[maybe_unused]] MPI_File fh, [[maybe_unused]] int flag) try {
  call c(function::File_set_atomicity);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  return c.finish(impl::File_set_atomicity(c, *fh_, flag));
} catch (...) {
  return caught(function::File_set_atomicity);
}
LOADSTONE_ALIAS(MPI_File_set_atomicity)

int PMPI_File_set_errhandler([[maybe_unused]] MPI_File file, [[maybe_unused]] MPI_Errhandler errhandler) try {
  call c(function::File_set_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  if (file != MPI_FILE_NULL && c.handles().files.find(file) == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_FILE, 1, "file", "MPI_File", handle_bits(file));
  c.on(file);
  [[maybe_unused]] mpi::errhandler* const errhandler_ = c.handles().errhandlers.find(errhandler);
  if (errhandler_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_ERRHANDLER, 2, "errhandler", "MPI_Errhandler", handle_bits(errhandler));
  if (!errhandler_->fits(errhandler_kind::file)) [[unlikely]]
    return c.wrong_errhandler(2, "errhandler", "file");
  return c.finish(impl::File_set_errhandler(c, file, *errhandler_));
} catch (...) {
  return caught(function::File_set_errhandler);
}
LOADSTONE_ALIAS(MPI_File_set_errhandler)

int PMPI_File_set_info([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Info info) try {
  call c(function::File_set_info);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  return c.finish(impl::File_set_info(c, *fh_, info_));
} catch (...) {
  return caught(function::File_set_info);
}
LOADSTONE_ALIAS(MPI_File_set_info)

int PMPI_File_set_size([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset size) try {
  call c(function::File_set_size);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  return c.finish(impl::File_set_size(c, *fh_, size));
} catch (...) {
  return caught(function::File_set_size);
}
LOADSTONE_ALIAS(MPI_File_set_size)

int PMPI_File_set_view([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset disp,
    [[maybe_unused]] MPI_Datatype etype, [[maybe_unused]] MPI_Datatype filetype,
    [[maybe_unused]] const char *datarep, [[maybe_unused]] MPI_Info info) try {
  call c(function::File_set_view);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  [[maybe_unused]] mpi::datatype* const etype_ = c.handles().types.find(etype);
  if (etype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "etype", "MPI_Datatype", handle_bits(etype));
  if (!etype_->committed()) [[unlikely]] return c.not_committed(3, "etype", etype);
  [[maybe_unused]] mpi::datatype* const filetype_ = c.handles().types.find(filetype);
  if (filetype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "filetype", "MPI_Datatype", handle_bits(filetype));
  if (!filetype_->committed()) [[unlikely]] return c.not_committed(4, "filetype", filetype);
  if (no_address(datarep)) [[unlikely]] return c.no_address(5, "datarep", bits_of(datarep));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 6, "info", "MPI_Info", handle_bits(info));
  return c.finish(impl::File_set_view(c, *fh_, disp, *etype_, *filetype_, datarep, info_));
} catch (...) {
  return caught(function::File_set_view);
}
LOADSTONE_ALIAS(MPI_File_set_view)

int PMPI_File_sync([[maybe_unused]] MPI_File fh) try {
  call c(function::File_sync);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  return c.finish(impl::File_sync(c, *fh_));
} catch (...) {
  return caught(function::File_sync);
}
LOADSTONE_ALIAS(MPI_File_sync)

int PMPI_File_write([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write);
}
LOADSTONE_ALIAS(MPI_File_write)

int PMPI_File_write_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_c);
}
LOADSTONE_ALIAS(MPI_File_write_c)

int PMPI_File_write_all([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_all);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write_all(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_all);
}
LOADSTONE_ALIAS(MPI_File_write_all)

int PMPI_File_write_all_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_all_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write_all(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_all_c);
}
LOADSTONE_ALIAS(MPI_File_write_all_c)

int PMPI_File_write_all_begin([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_write_all_begin);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write_all_begin(c, *fh_, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_write_all_begin);
}
LOADSTONE_ALIAS(MPI_File_write_all_begin)

int PMPI_File_write_all_begin_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_write_all_begin_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write_all_begin(c, *fh_, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_write_all_begin_c);
}
LOADSTONE_ALIAS(MPI_File_write_all_begin_c)

int PMPI_File_write_all_end([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_all_end);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(3, "status", bits_of(status));
  return c.finish(impl::File_write_all_end(c, *fh_, buf, status));
} catch (...) {
  return caught(function::File_write_all_end);
}
LOADSTONE_ALIAS(MPI_File_write_all_end)

int PMPI_File_write_at([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] const void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_at);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(6, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_write_at(c, *fh_, offset, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_at);
}
LOADSTONE_ALIAS(MPI_File_write_at)

int PMPI_File_write_at_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_at_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(6, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_write_at(c, *fh_, offset, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_at_c);
}
LOADSTONE_ALIAS(MPI_File_write_at_c)

int PMPI_File_write_at_all([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] const void *buf, [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_at_all);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(6, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_write_at_all(c, *fh_, offset, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_at_all);
}
LOADSTONE_ALIAS(MPI_File_write_at_all)

int PMPI_File_write_at_all_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_at_all_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(6, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_write_at_all(c, *fh_, offset, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_at_all_c);
}
LOADSTONE_ALIAS(MPI_File_write_at_all_c)

int PMPI_File_write_at_all_begin([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] const void *buf, [[maybe_unused]] int count,
    [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_write_at_all_begin);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_write_at_all_begin(c, *fh_, offset, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_write_at_all_begin);
}
LOADSTONE_ALIAS(MPI_File_write_at_all_begin)

int PMPI_File_write_at_all_begin_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] MPI_Offset offset,
    [[maybe_unused]] const void *buf, [[maybe_unused]] MPI_Count count,
    [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_write_at_all_begin_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 4, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 5, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(5, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(4, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 3, "buf")) return wrong;
  }
  return c.finish(impl::File_write_at_all_begin(c, *fh_, offset, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_write_at_all_begin_c);
}
LOADSTONE_ALIAS(MPI_File_write_at_all_begin_c)

int PMPI_File_write_at_all_end([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_at_all_end);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(3, "status", bits_of(status));
  return c.finish(impl::File_write_at_all_end(c, *fh_, buf, status));
} catch (...) {
  return caught(function::File_write_at_all_end);
}
LOADSTONE_ALIAS(MPI_File_write_at_all_end)

int PMPI_File_write_ordered([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_ordered);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write_ordered(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_ordered);
}
LOADSTONE_ALIAS(MPI_File_write_ordered)

int PMPI_File_write_ordered_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_ordered_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write_ordered(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_ordered_c);
}
LOADSTONE_ALIAS(MPI_File_write_ordered_c)

int PMPI_File_write_ordered_begin([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_write_ordered_begin);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write_ordered_begin(c, *fh_, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_write_ordered_begin);
}
LOADSTONE_ALIAS(MPI_File_write_ordered_begin)

int PMPI_File_write_ordered_begin_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype) try {
  call c(function::File_write_ordered_begin_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write_ordered_begin(c, *fh_, buf, count, *datatype_));
} catch (...) {
  return caught(function::File_write_ordered_begin_c);
}
LOADSTONE_ALIAS(MPI_File_write_ordered_begin_c)

int PMPI_File_write_ordered_end([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_ordered_end);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(3, "status", bits_of(status));
  return c.finish(impl::File_write_ordered_end(c, *fh_, buf, status));
} catch (...) {
  return caught(function::File_write_ordered_end);
}
LOADSTONE_ALIAS(MPI_File_write_ordered_end)

int PMPI_File_write_shared([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] int count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_shared);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write_shared(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_shared);
}
LOADSTONE_ALIAS(MPI_File_write_shared)

int PMPI_File_write_shared_c([[maybe_unused]] MPI_File fh, [[maybe_unused]] const void *buf,
    [[maybe_unused]] MPI_Count count, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] MPI_Status *status) try {
  call c(function::File_write_shared_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  [[maybe_unused]] mpi::file* const fh_ = c.handles().files.find(fh);
  if (fh_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_FILE, 1, "fh", "MPI_File", handle_bits(fh));
  c.on(*fh_);
  if (count < 0) [[unlikely]] return c.wrong_number(MPI_ERR_COUNT, 3, "count", count, "at least 0");
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (beyond(count, 1, *datatype_)) [[unlikely]] return c.too_many(3, "count", count, 1, *datatype_);
  if (no_address(status) && status != nullptr) [[unlikely]] return c.no_address(5, "status", bits_of(status));
  if (no_address(buf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, buf, count, *datatype_, 2, "buf")) return wrong;
  }
  return c.finish(impl::File_write_shared(c, *fh_, buf, count, *datatype_, status));
} catch (...) {
  return caught(function::File_write_shared_c);
}
LOADSTONE_ALIAS(MPI_File_write_shared_c)

int PMPI_Register_datarep([[maybe_unused]] const char *datarep,
    [[maybe_unused]] MPI_Datarep_conversion_function *read_conversion_fn,
    [[maybe_unused]] MPI_Datarep_conversion_function *write_conversion_fn,
    [[maybe_unused]] MPI_Datarep_extent_function *dtype_file_extent_fn,
    [[maybe_unused]] void *extra_state) try {
  call c(function::Register_datarep);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  if (no_address(datarep)) [[unlikely]] return c.no_address(1, "datarep", bits_of(datarep));
  if (no_address(read_conversion_fn) && read_conversion_fn != nullptr) [[unlikely]]
    return c.no_address(2, "read_conversion_fn", bits_of(read_conversion_fn));
  if (no_address(write_conversion_fn) && write_conversion_fn != nullptr) [[unlikely]]
    return c.no_address(3, "write_conversion_fn", bits_of(write_conversion_fn));
  if (no_address(dtype_file_extent_fn)) [[unlikely]]
    return c.no_address(4, "dtype_file_extent_fn", bits_of(dtype_file_extent_fn));
  return c.finish(impl::Register_datarep(c, datarep, read_conversion_fn, write_conversion_fn,
      dtype_file_extent_fn, extra_state));
} catch (...) {
  return caught(function::Register_datarep);
}
LOADSTONE_ALIAS(MPI_Register_datarep)

int PMPI_Register_datarep_c([[maybe_unused]] const char *datarep,
    [[maybe_unused]] MPI_Datarep_conversion_function_c *read_conversion_fn,
    [[maybe_unused]] MPI_Datarep_conversion_function_c *write_conversion_fn,
    [[maybe_unused]] MPI_Datarep_extent_function *dtype_file_extent_fn,
    [[maybe_unused]] void *extra_state) try {
  call c(function::Register_datarep_c);
  if (!c.running()) [[unlikely]] return c.outside();
  c.on_files();
  if (no_address(datarep)) [[unlikely]] return c.no_address(1, "datarep", bits_of(datarep));
  if (no_address(read_conversion_fn) && read_conversion_fn != nullptr) [[unlikely]]
    return c.no_address(2, "read_conversion_fn", bits_of(read_conversion_fn));
  if (no_address(write_conversion_fn) && write_conversion_fn != nullptr) [[unlikely]]
    return c.no_address(3, "write_conversion_fn", bits_of(write_conversion_fn));
  if (no_address(dtype_file_extent_fn)) [[unlikely]]
    return c.no_address(4, "dtype_file_extent_fn", bits_of(dtype_file_extent_fn));
  return c.finish(impl::Register_datarep_c(c, datarep, read_conversion_fn, write_conversion_fn,
      dtype_file_extent_fn, extra_state));
} catch (...) {
  return caught(function::Register_datarep_c);
}
LOADSTONE_ALIAS(MPI_Register_datarep_c)

MPI_File PMPI_File_fromint([[maybe_unused]] int file) {
  return process::current().handles.files.whole(file);
}
LOADSTONE_ALIAS(MPI_File_fromint)

int PMPI_File_toint([[maybe_unused]] MPI_File file) {
  return static_cast<int>(handle_bits(file));
}
LOADSTONE_ALIAS(MPI_File_toint)

}  // extern "C"
