// Put and get by each way. `at` says where the data is, and is inside the window; sizes are equal
// and not 0.
#pragma once

#include "deposit/user_memory.hpp"
#include "rma/window.hpp"

namespace loadstone::rma {

void direct_put(std::byte* at, const local_data& origin, const remote_data& where);
void direct_get(const std::byte* at, const local_data& result, const remote_data& where);

base::status outcome_of(deposit::reached r);
// code::refused: the system does not let us, or not any more; some of it may have been done.
base::status system_put(window& w, const place& at, const local_data& origin, const remote_data& where);
base::status system_get(window& w, const place& at, const local_data& result, const remote_data& where);

}  // namespace loadstone::rma
