// MPI_Abi_*: what this library says about the ABI and about a Fortran binding on top of it; MPI_Get_version.
#include <cstring>
#include <mutex>

#include "mpi/call.hpp"
#include "mpi/generated/impl.hpp"

namespace loadstone::mpi {
namespace {

// Set once, by a Fortran library (MPI-5.0 §20.4); there is none of ours.
struct fortran_booleans {
  std::mutex lock;
  bool set = false;
  int size = 0;
  unsigned char true_bits[16], false_bits[16];
};

fortran_booleans& booleans() {
  static fortran_booleans b;
  return b;
}

bool is_logical_size(int size) { return size == 1 || size == 2 || size == 4 || size == 8 || size == 16; }

}  // namespace

int impl::Get_version(call&, int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int impl::Abi_get_version(call&, int* abi_major, int* abi_minor) {
  *abi_major = MPI_ABI_VERSION;
  *abi_minor = MPI_ABI_SUBVERSION;
  return MPI_SUCCESS;
}

int impl::Abi_set_fortran_booleans(call& c, int logical_size, void* logical_true, void* logical_false) {
  if (!is_logical_size(logical_size)) {
    return c.fail(MPI_ERR_ARG, "argument 1 (logical_size) is {}; expected 1, 2, 4, 8 or 16", logical_size);
  }
  fortran_booleans& b = booleans();
  const std::lock_guard guard(b.lock);
  if (b.set) return c.fail(MPI_ERR_ABI, "the Fortran booleans are already set");
  const auto size = static_cast<std::size_t>(logical_size);
  std::memcpy(b.true_bits, logical_true, size);
  std::memcpy(b.false_bits, logical_false, size);
  b.size = logical_size;
  b.set = true;
  return MPI_SUCCESS;
}

int impl::Abi_get_fortran_booleans(call& c, int logical_size, void* logical_true, void* logical_false, int* is_set) {
  if (!is_logical_size(logical_size)) {
    return c.fail(MPI_ERR_ARG, "argument 1 (logical_size) is {}; expected 1, 2, 4, 8 or 16", logical_size);
  }
  fortran_booleans& b = booleans();
  const std::lock_guard guard(b.lock);
  *is_set = b.set && b.size == logical_size ? 1 : 0;
  if (*is_set != 0) {
    std::memcpy(logical_true, b.true_bits, static_cast<std::size_t>(logical_size));
    std::memcpy(logical_false, b.false_bits, static_cast<std::size_t>(logical_size));
  }
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
