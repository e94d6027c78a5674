#include "mpi/file.hpp"

#include <cerrno>

#include "mpi/call.hpp"
#include "mpi/process.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

wait::reason why(const communicator& comm) {
  wait::reason r;
  r.peer = -2;
  r.communicator = comm.id() + 1;
  r.detail = "a file, in the background";
  return r;
}

io::open_how how(std::string path, int amode, const communicator& comm, const file_hints& hints) {
  io::open_how h;
  h.path = std::move(path);
  h.read = (amode & MPI_MODE_WRONLY) == 0;
  h.write = (amode & MPI_MODE_RDONLY) == 0;
  h.create = (amode & MPI_MODE_CREATE) != 0;
  h.exclusive = (amode & MPI_MODE_EXCL) != 0;
  h.permissions = hints.permissions();
  h.together = comm.id();
  h.buffered = hints.buffered();
  h.buffer_bytes = hints.buffer_bytes();
  h.buffer_always = hints.buffer_always();
  h.program_bytes = hints.program_bytes();
  return h;
}

// What is done in the background runs when it may: the two sequences have no common order.
coll::group_view alone(coll::group_view sequence) {
  sequence.other_tag = nullptr;
  return sequence;
}

}  // namespace

file::file(process& owner, std::unique_ptr<communicator> comm, std::string path, int amode,
           const info::pairs& given)
    : hints(given, path, io::usual_window(comm->size(), owner.core().io->job().header().cpus)),
      owner_(owner),
      amode_(amode),
      path_(path),
      comm_(comm.release()),
      blocking_(*owner.core().io, alone(comm_->view()), comm_->messages(), why(*comm_)),
      core_(*owner.core().io, how(std::move(path), amode, *comm_, hints)),
      later_(*owner.core().io, core_,
             io::team(*owner.core().io, alone(comm_->background_view()), comm_->messages(), why(*comm_))) {
  set_error_handler(owner.handlers.of_files.get());
  core_.set_hints(hints.effect());
}

file::~file() {
  if (errhandler* handler = error_handler_.get()) owner_.release(handler);
  owner_.communicators.release(comm_);
}

io::team& file::together(const call& c) {
  blocking_.set_reason(reason_for(c, *comm_, MPI_ANY_SOURCE, 0, "the other processes of a file"));
  return blocking_;
}

std::string file::describe() const {
  return fmt::format("file {}, rank {} of its {}", path_, comm_->rank(), comm_->size());
}

void file::set_error_handler(errhandler* handler) {
  if (errhandler* old = error_handler_.exchange(handler)) owner_.release(old);
}

int error_class_of(const io::trouble& why, int other) {
  switch (why.number) {
    case ENOENT:
      return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
      return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
      return MPI_ERR_ACCESS;
    case EROFS:
      return MPI_ERR_READ_ONLY;
    case ENOSPC:
      return MPI_ERR_NO_SPACE;
    case EDQUOT:
    case EFBIG:  // more than this process may write, or than the file system holds in a file
      return MPI_ERR_QUOTA;
    case ETXTBSY:
    case EBUSY:
      return MPI_ERR_FILE_IN_USE;
    case ENAMETOOLONG:
    case EISDIR:
    case ENOTDIR:
    case ELOOP:
    case ENXIO:
      return MPI_ERR_BAD_FILE;
    case ENOMEM:
      return MPI_ERR_NO_MEM;
    case ENOTSUP:
      return MPI_ERR_UNSUPPORTED_OPERATION;
    case EINVAL:
    case EOVERFLOW:
      return other == MPI_ERR_IO ? MPI_ERR_ARG : other;
    case ECANCELED:  // a conversion function of the program
      return MPI_ERR_CONVERSION;
    default:
      return why.number < 0 ? -why.number : other;
  }
}

int file_failed(call& c, const file& f, const io::trouble& why, int other) {
  const std::string where =
      why.offset >= 0 ? fmt::format(", {} bytes at offset {}", why.bytes, why.offset) : "";
  return c.fail(error_class_of(why, other), "{}: {}{}", f.describe(), why.what, where);
}

}  // namespace loadstone::mpi
