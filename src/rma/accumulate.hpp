// Accumulates: operations that change a target's data, atomic for each element against all other
// accumulates.
//
// What an element is changed by depends only on its kind, its alignment and the way of the memory:
//
//   direct, an element of 1, 2, 4 or 8 bytes, aligned    an atomic instruction, or under the lock
//                                                        while its range is in bulk (bulk.hpp)
//   direct, any other element; system, all               under the target's range lock (ranges.hpp)
//   asked                                                the target does one of these
#pragma once

#include <cstdint>

#include "datatype/op.hpp"
#include "rma/element.hpp"
#include "rma/window.hpp"

namespace loadstone::rma {

// MPI_Accumulate (`result` null) and MPI_Get_accumulate. `op` is predefined; with no_op, `origin`
// is not read. Complete as put() and get() are.
trouble accumulate(window& w, std::int32_t rank, const local_data& origin, const local_data* result,
                   const remote_data& where, const datatype::op& op);
// One element of a predefined type.
trouble fetch_and_op(window& w, std::int32_t rank, const void* origin, void* result,
                     const datatype::type& type, std::int64_t displacement, const datatype::op& op);
trouble compare_and_swap(window& w, std::int32_t rank, const void* origin, const void* compare, void* result,
                         const datatype::type& type, std::int64_t displacement);

// What has come by message for our own memory: by the same means. The gate is held, in a handler or
// not, and they never wait.
//
// Changes elements, and returns how many, from the first on. Fewer than there are: somebody holds a
// lock, and the rest is to be tried again later. `in` and `out` are packed (element.hpp).
std::int64_t accumulate_here(window& w, const element& what, datatype::op_kind op, element_run at,
                             const std::byte* in, std::byte* out);
// The same for runs of a piece (wire_layout.hpp), all or nothing. False: somebody holds a lock.
struct piece_runs {
  const std::byte* first;
  std::uint32_t count;
};
bool accumulate_whole_here(window& w, const element& what, datatype::op_kind op, piece_runs runs,
                           const std::byte* in, std::byte* out);
// False: nothing has been done, try again later.
bool compare_and_swap_here(window& w, std::byte* at, const std::byte* in, const std::byte* compare,
                           std::byte* out, std::int64_t bytes);
// One element of ordinary memory, which an origin waits for. `compare` null: an accumulate. False:
// it is not there any more, or somebody holds its lock.
bool change_one_here(window& w, const element& what, datatype::op_kind op, std::byte* at, const std::byte* in,
                     const std::byte* compare, std::byte* out);
// A process that has a lock of these bytes; if one of them has died, that one. Asks the system.
std::optional<std::uint32_t> holder_here(window& w, std::byte* from, std::int64_t bytes, bool* dead);

}  // namespace loadstone::rma
