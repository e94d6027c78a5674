// Put and get by each way. `at` says where the data is, and is inside the window; sizes are equal
// and not 0.
#pragma once

#include "base/guarded.hpp"
#include "deposit/user_memory.hpp"
#include "rma/choice.hpp"
#include "rma/collected.hpp"
#include "rma/window.hpp"

namespace loadstone::rma {

void direct_put(std::byte* at, const local_data& origin, const remote_data& where);
void direct_get(const std::byte* at, const local_data& result, const remote_data& where);

// From packed byte `from` on. As many blocks as if all were of the length of the first.
transfer shape_of(const remote_data& where, bool get, std::int64_t from = 0);
base::status outcome_of(deposit::reached r);
// Is our end there, if it is one block? The system's calls find out that it is not, and whose; a
// copy would end the process.
inline bool is_there(const local_data* here, bool written) {
  return here == nullptr || !here->type->in_one_block(here->count) ||
         base::first_missing(here->type->block_at(here->address), static_cast<std::size_t>(here->bytes()),
                             written) == nullptr;
}
// code::refused: the system does not let us, or not any more; some of it may have been done.
// Packed bytes [from, to); a get: to the end.
base::status system_put(window& w, const place& at, const local_data& origin, const remote_data& where,
                        std::int64_t from, std::int64_t to);
base::status system_get(window& w, const place& at, const local_data& result, const remote_data& where,
                        std::int64_t from);
// The same by reading what lies between the blocks, too, and copying them here.
base::status system_get_spans(window& w, const place& at, const local_data& result, const remote_data& where,
                              std::int64_t from);
// Why the system has said code::bad_address, byte by byte of each page. `written`: result.
trouble missing_memory(window& w, const place& at, const local_data* origin, const local_data* result,
                       const remote_data& where);
// Puts that were collected. Of those that cannot be done the others are; the first one is named.
trouble system_put(window& w, const target& t, const collection& all);

}  // namespace loadstone::rma
