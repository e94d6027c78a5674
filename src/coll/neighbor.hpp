// The neighbourhood collectives.
#pragma once

#include "coll/algorithms.hpp"
#include "coll/area_writer.hpp"
#include "coll/engine.hpp"

namespace loadstone::coll {

// Block i of `to` goes to destination i, block i of `from` comes from source i; negative entries
// are skipped.
void neighbor_exchange(builder& b, const team& t, const engine::neighbours& n, const blocks& to,
                       const blocks& from);
// Without messages; where the lists of all members are short enough (engine::neighbours::most).
void neighbor_edges(builder& b, area_writer& w, const engine::neighbours& n, const blocks& to,
                    const blocks& from);

}  // namespace loadstone::coll
