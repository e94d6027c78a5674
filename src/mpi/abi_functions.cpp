// MPI_Abi_*: inquiries about the ABI, and about a Fortran binding on top of this library; and
// MPI_Get_version.
#include <bit>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>

#include "mpi/call.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/info.hpp"

namespace loadstone::mpi {
namespace {

// What a Fortran binding on top of this library has told it, each thing once (MPI-5.0 §20). We have
// no Fortran binding.
struct fortran_side {
  std::mutex lock;
  struct booleans {
    bool set = false;
    unsigned char true_bits[16], false_bits[16];
  } logical[5];  // sizes 1, 2, 4, 8, 16
  std::optional<info::pairs> sizes;
};

fortran_side& fortran() {
  static fortran_side f;
  return f;
}

// 1, 2, 4, 8, 16 → 0 … 4; -1 for anything else.
int size_index(int size) {
  return size >= 1 && size <= 16 && std::has_single_bit(static_cast<unsigned>(size))
             ? std::countr_zero(static_cast<unsigned>(size))
             : -1;
}

int not_a_size(call& c, int size) {
  return c.fail(MPI_ERR_ARG, "argument 1 (logical_size) is {}; expected 1, 2, 4, 8 or 16", size);
}

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

int impl::Abi_get_info(call& c, MPI_Info* info) {
  return give_info(c,
                   {{"mpi_aint_size", std::to_string(sizeof(MPI_Aint))},
                    {"mpi_count_size", std::to_string(sizeof(MPI_Count))},
                    {"mpi_offset_size", std::to_string(sizeof(MPI_Offset))}},
                   info);
}

int impl::Abi_get_fortran_info(call& c, MPI_Info* info) {
  fortran_side& f = fortran();
  const std::lock_guard guard(f.lock);
  *info = MPI_INFO_NULL;
  return f.sizes ? give_info(c, *f.sizes, info) : MPI_SUCCESS;
}

int impl::Abi_set_fortran_info(call& c, mpi::info* info) {
  fortran_side& f = fortran();
  const std::lock_guard guard(f.lock);
  if (f.sizes) return c.fail(MPI_ERR_ABI, "the properties of Fortran are set already");
  f.sizes = info->content();
  return MPI_SUCCESS;
}

int impl::Abi_set_fortran_booleans(call& c, int logical_size, void* logical_true, void* logical_false) {
  const int index = size_index(logical_size);
  if (index < 0) return not_a_size(c, logical_size);
  fortran_side& f = fortran();
  const std::lock_guard guard(f.lock);
  fortran_side::booleans& b = f.logical[index];
  if (b.set) return c.fail(MPI_ERR_ABI, "the booleans of {} bytes are set already", logical_size);
  std::memcpy(b.true_bits, logical_true, static_cast<std::size_t>(logical_size));
  std::memcpy(b.false_bits, logical_false, static_cast<std::size_t>(logical_size));
  b.set = true;
  return MPI_SUCCESS;
}

int impl::Abi_get_fortran_booleans(call& c, int logical_size, void* logical_true, void* logical_false,
                                   int* is_set) {
  const int index = size_index(logical_size);
  if (index < 0) return not_a_size(c, logical_size);
  fortran_side& f = fortran();
  const std::lock_guard guard(f.lock);
  const fortran_side::booleans& b = f.logical[index];
  *is_set = b.set ? 1 : 0;
  if (b.set) {
    std::memcpy(logical_true, b.true_bits, static_cast<std::size_t>(logical_size));
    std::memcpy(logical_false, b.false_bits, static_cast<std::size_t>(logical_size));
  }
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
