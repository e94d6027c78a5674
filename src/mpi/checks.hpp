// The checks that generated entries make inline, and the roles of a process in a rooted collective.
#pragma once

#include <climits>
#include <cstdint>

#include "mpi.h"
#include "mpi/communicator.hpp"
#include "mpi/datatype_object.hpp"
#include "mpi/op_object.hpp"
#include "mpi/window.hpp"

namespace loadstone::mpi {

// Null and all sentinels of the ABI are in the first page of the address space, where a program has
// no memory. So one comparison finds them all.
inline constexpr std::uintptr_t first_page = 4096;
template <class T>
std::uintptr_t bits_of(T* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}
template <class T>
bool no_address(T* address) {
  return bits_of(address) < first_page;
}

inline bool is_rank(int rank, int size) {
  return static_cast<unsigned>(rank) < static_cast<unsigned>(size);
}
inline bool is_destination(int rank, const communicator& c) {
  return is_rank(rank, c.remote_size()) || rank == MPI_PROC_NULL;
}
inline bool is_source(int rank, const communicator& c) {
  return is_destination(rank, c) ||
         (rank == MPI_ANY_SOURCE &&
          !c.promises.no_any_source.load(std::memory_order_relaxed));  // relaxed: see there
}
inline bool is_receive_tag(int tag, const communicator& c) {
  return tag >= 0 || (tag == MPI_ANY_TAG &&
                      !c.promises.no_any_tag.load(std::memory_order_relaxed));  // relaxed: see there
}
inline bool is_root(int root, const communicator& c) {
  return is_rank(root, c.remote_size()) || (c.is_inter() && (root == MPI_ROOT || root == MPI_PROC_NULL));
}
inline bool is_target(int rank, const window& w) {
  return is_rank(rank, w.size()) || rank == MPI_PROC_NULL;
}

// Which arguments of a rooted collective are significant in this process (MPI §6.2.3): those for
// the root, or those for the processes that send to it or receive from it.
struct roles {
  bool at_root, contributes, takes_part;
  roles(int root, const communicator& c)
      : at_root(c.is_inter() ? root == MPI_ROOT : root == c.rank()),
        contributes(!c.is_inter() || root >= 0),
        takes_part(at_root || contributes) {}
};

// May a reduction use this operation on this type? MPI_REPLACE and MPI_NO_OP are for one-sided
// calls only.
inline bool reduces(MPI_Op handle, const op& o, const datatype& t) {
  return o.defined_on(t) && handle != MPI_REPLACE && handle != MPI_NO_OP;
}

// Do `count` elements, `times` over, have more bytes than 64 bits can count? Elements of size 0
// never do.
inline bool beyond(std::int64_t count, std::int64_t times, const datatype& t) {
  std::int64_t all;
  if (t.core()->size() == 0) return false;
  return __builtin_mul_overflow(count, times, &all) || all > t.core()->most();
}

// A result as int: MPI_UNDEFINED if it does not fit.
inline int narrow_or_undefined(std::int64_t value) {
  return value > INT_MAX || value < INT_MIN ? MPI_UNDEFINED : static_cast<int>(value);
}
inline bool fits_int(std::int64_t value) {
  return value >= INT_MIN && value <= INT_MAX;
}

}  // namespace loadstone::mpi
