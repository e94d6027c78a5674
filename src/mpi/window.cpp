#include "mpi/window.hpp"

#include <fmt/core.h>

#include "mpi/process.hpp"

namespace loadstone::mpi {
namespace {

int flavor_of(rma::flavor kind) {
  switch (kind) {
    case rma::flavor::created:
      return MPI_WIN_FLAVOR_CREATE;
    case rma::flavor::allocated:
      return MPI_WIN_FLAVOR_ALLOCATE;
    case rma::flavor::shared:
      return MPI_WIN_FLAVOR_SHARED;
    default:
      return MPI_WIN_FLAVOR_DYNAMIC;
  }
}

}  // namespace

// The error handler of a new window is MPI_ERRORS_ARE_FATAL, whatever its communicator's is (MPI
// §12.6.1).
window::window(process& owner, const communicator& comm, rma::flavor kind)
    : epochs(comm.size(), comm.rank()),
      hints(kind),
      owner_(owner),
      kind_(kind),
      rank_(comm.rank()),
      size_(comm.size()),
      group_(comm.local(), comm.session_buffer) {
  shape.flavor = flavor_of(kind);
  set_error_handler(&owner.handlers.errors_are_fatal);
}

window::~window() {
  if (errhandler* handler = error_handler_.get()) owner_.release(handler);
}

void window::set_error_handler(errhandler* handler) {
  if (errhandler* old = error_handler_.exchange(handler)) owner_.release(old);
}

std::string window::name() const {
  const std::lock_guard guard(lock_);
  return name_;
}

std::string window::described() const {
  const std::string known_as = name();
  return known_as.empty() ? fmt::format("{:#x}", core().id()) : fmt::format("\"{}\"", known_as);
}

void window::set_name(std::string_view name) {
  const std::lock_guard guard(lock_);
  name_ = name;
}

}  // namespace loadstone::mpi
