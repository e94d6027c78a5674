// Files are opened, closed and deleted, and their size is set (MPI §14.2).
#include <bit>
#include <cerrno>

#include "base/fault.hpp"
#include "mpi/agreement.hpp"
#include "mpi/call.hpp"
#include "mpi/datatype_object.hpp"
#include "mpi/file.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

constexpr int one_of = MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY;
constexpr int all_modes = one_of | MPI_MODE_APPEND | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE |
                          MPI_MODE_EXCL | MPI_MODE_SEQUENTIAL | MPI_MODE_UNIQUE_OPEN;

// What is wrong with an access mode; null: nothing.
const char* wrong_mode(int amode) {
  if ((amode & ~all_modes) != 0) return "flags of MPI_MODE_ that are for files";
  if (std::popcount(static_cast<unsigned>(amode & one_of)) != 1)
    return "exactly one of MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY";
  if ((amode & MPI_MODE_RDONLY) != 0 && (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0)
    return "no MPI_MODE_CREATE or MPI_MODE_EXCL with MPI_MODE_RDONLY";
  if ((amode & MPI_MODE_RDWR) != 0 && (amode & MPI_MODE_SEQUENTIAL) != 0)
    return "no MPI_MODE_SEQUENTIAL with MPI_MODE_RDWR";
  return nullptr;
}

// All members fail together where one of them has to, or where they do not say the same.
int agree_on_mode(call& c, communicator& comm, int amode) {
  const char* const wrong = wrong_mode(amode);
  std::vector<int> all(static_cast<std::size_t>(comm.size()));
  if (const int error = gather_everywhere(c, comm, comm.view(), &amode, sizeof amode, all.data()))
    return error;
  if (wrong != nullptr)
    return c.fail(MPI_ERR_AMODE, "argument 3 (amode) is {:#x}; expected {}", amode, wrong);
  for (int i = 0; i < comm.size(); ++i) {
    if (const int other = all[static_cast<std::size_t>(i)]; other != amode)
      return c.fail(
          MPI_ERR_NOT_SAME,
          "argument 3 (amode) is {:#x} at rank {}, and {:#x} at rank {}; expected the same at all ranks",
          amode, comm.rank(), other, i);
  }
  return MPI_SUCCESS;
}

// The same number at all members; `what` names the argument.
int agree_on(call& c, file& f, std::int64_t number, const char* what) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(f.comm().size()));
  if (const int e = f.together(c).allgather(&number, sizeof number, all.data()))
    return file_failed(c, f, {-e, "the processes that opened the file could not reach each other"});
  for (int i = 0; i < f.comm().size(); ++i) {
    if (const std::int64_t other = all[static_cast<std::size_t>(i)]; other != number)
      return c.fail(MPI_ERR_NOT_SAME,
                    "{}: argument 2 ({}) is {} here, and {} at rank {}; expected the same at all ranks",
                    f.describe(), what, number, other, i);
  }
  return MPI_SUCCESS;
}

int check_size(call& c, file& f, std::int64_t size) {
  if (const int error = agree_on(c, f, size, "size")) return error;
  if (size < 0)
    return c.fail(MPI_ERR_ARG, "{}: argument 2 (size) is {}; expected at least 0", f.describe(), size);
  if (!f.core().writable())
    return c.fail(MPI_ERR_READ_ONLY, "{}: it was opened with MPI_MODE_RDONLY", f.describe());
  if (f.sequential())
    return c.fail(MPI_ERR_UNSUPPORTED_OPERATION, "{}: it was opened with MPI_MODE_SEQUENTIAL", f.describe());
  if (f.split.operation != nullptr)
    return c.fail(MPI_ERR_OTHER, "{}: {}_begin has begun; expected its end first", f.describe(),
                  f.split.name);
  return MPI_SUCCESS;
}

}  // namespace

int impl::File_open(call& c, communicator& comm, const char* filename, int amode, info* info, MPI_File* fh) {
  process& p = c.process();
  if (comm.is_inter())
    return c.fail(MPI_ERR_COMM, "argument 1 (comm) is an inter-communicator; expected an intra-communicator");
  if (comm.across_jobs())
    return c.fail(MPI_ERR_COMM, "argument 1 (comm) has processes of several jobs; expected those of one");
  if (const int error = agree_on_mode(c, comm, amode)) return error;
  std::uint64_t id = 0;
  std::unique_ptr<communicator> own;
  if (const int error = agree_on_id(c, comm, &id)) return error;
  if (const int error = make_communicator(c, id, comm.local(), nullptr, &own)) return error;
  own->session_buffer = comm.session_buffer;
  auto made = std::make_unique<file>(p, std::move(own), filename, amode,
                                     info != nullptr ? info->content() : info::pairs{});
  file& f = *made;
  LOADSTONE_FAULT_POINT("file.opening");
  if (io::trouble why = f.core().open(f.together(c), (amode & MPI_MODE_APPEND) != 0); !why.ok())
    return file_failed(c, f, why);
  const MPI_File handle = p.handles.files.insert(&f);
  if (handle == MPI_FILE_NULL) return c.fail(MPI_ERR_OTHER, "no more file handles are free");
  f.set_handle(handle);
  *fh = handle;
  made.release();
  return MPI_SUCCESS;
}

// An error that comes out here leaves no file: it goes to the handler that the file has had.
int impl::File_close(call& c, file& f) {
  if (f.split.operation != nullptr)
    return c.fail(MPI_ERR_OTHER, "{}: {}_begin has begun; expected its end first", f.describe(),
                  f.split.name);
  f.later().drain();
  LOADSTONE_FAULT_POINT("file.closing");
  const io::trouble why = f.core().close(f.together(c), (f.amode() & MPI_MODE_DELETE_ON_CLOSE) != 0);
  const int code = why.ok() ? MPI_SUCCESS : file_failed(c, f, why);
  if (code != MPI_SUCCESS) {
    f.error_handler()->acquire();  // of the call: the file's reference goes with the file
    c.on_last(*f.error_handler());
  }
  c.handles().files.remove(f.handle());
  delete &f;
  return code;
}

int impl::File_delete(call& c, const char* filename, info*) {
  const io::trouble why = c.process().core().io->storage().remove(filename);
  if (why.ok()) return MPI_SUCCESS;
  return c.fail(error_class_of(why, MPI_ERR_IO),
                "argument 1 (filename) is {}: {}; expected a file that exists", filename, why.what);
}

int impl::File_set_size(call& c, file& f, std::int64_t size) {
  if (const int error = check_size(c, f, size)) return error;
  const io::trouble why = f.core().resize(f.together(c), size);
  return why.ok() ? MPI_SUCCESS : file_failed(c, f, why);
}

int impl::File_preallocate(call& c, file& f, std::int64_t size) {
  if (const int error = check_size(c, f, size)) return error;
  const io::trouble why = f.core().reserve(f.together(c), size);
  return why.ok() ? MPI_SUCCESS : file_failed(c, f, why);
}

int impl::File_sync(call& c, file& f) {
  if (f.split.operation != nullptr)
    return c.fail(MPI_ERR_OTHER, "{}: {}_begin has begun; expected its end first", f.describe(),
                  f.split.name);
  const io::trouble why = f.core().sync(f.together(c));
  return why.ok() ? MPI_SUCCESS : file_failed(c, f, why);
}

int impl::File_set_atomicity(call& c, file& f, int flag) {
  if (const int error = agree_on(c, f, flag != 0, "flag")) return error;
  const io::trouble why = f.core().set_atomic(f.together(c), flag != 0);
  return why.ok() ? MPI_SUCCESS : file_failed(c, f, why);
}

// --- what can be asked ---

int impl::File_get_size(call& c, file& f, std::int64_t* size) {
  const io::trouble why = f.core().size(size);
  return why.ok() ? MPI_SUCCESS : file_failed(c, f, why);
}

int impl::File_get_group(call& c, file& f, MPI_Group* group) {
  *group = new_group(c.process(), f.comm().local(), f.comm().session_buffer);
  return *group == MPI_GROUP_NULL ? c.fail(MPI_ERR_OTHER, "no more group handles are free") : MPI_SUCCESS;
}

int impl::File_get_amode(call&, file& f, int* amode) {
  *amode = f.amode();
  return MPI_SUCCESS;
}

int impl::File_get_atomicity(call&, file& f, int* flag) {
  *flag = f.core().atomic();
  return MPI_SUCCESS;
}

int impl::File_set_info(call&, file& f, info* info) {
  if (info != nullptr) f.hints.take(info->content());
  f.core().set_hints(f.hints.effect());
  return MPI_SUCCESS;
}

int impl::File_get_info(call& c, file& f, MPI_Info* info) {
  return give_info(c, f.hints.in_use(), info);
}

}  // namespace loadstone::mpi
