// The v and w forms of gather, scatter and alltoall as edges (edges.hpp): nobody knows the counts
// of others, so each says what it has itself.
//
// Condition: areas, and buffers that are reached. Cost: one copy of each byte, or two of short ones
// and of types with gaps.
#include "coll/blocks.hpp"
#include "coll/edge_writer.hpp"

namespace loadstone::coll {

void gather_edges(builder& b, area_writer& w, buffer mine, const blocks* all, std::int32_t root,
                  bool in_place) {
  const team& t = w.members();
  edge_writer e(b, w);
  if (t.rank != root) {
    e.gives(root, mine, place_among_others(t.rank, root));
  } else {
    for (std::int32_t i = 0; i < t.size; ++i)
      if (i != root) e.takes(i, all->of(i), 0);
  }
  e.offer();
  if (t.rank == root && !in_place) b.copy(mine, all->of(root));
  e.work();
}

void scatter_edges(builder& b, area_writer& w, const blocks* all, buffer mine, std::int32_t root,
                   bool in_place) {
  const team& t = w.members();
  edge_writer e(b, w);
  if (t.rank != root) {
    e.takes(root, mine, place_among_others(t.rank, root));
  } else {
    for (std::int32_t i = 0; i < t.size; ++i)
      if (i != root) e.gives(i, all->of(i), 0);
  }
  e.offer();
  if (t.rank == root && !in_place) b.copy(all->of(root), mine);
  e.work();
}

// Null: in place. What is received then lies where it is sent from.
void alltoall_edges(builder& b, area_writer& w, const blocks* to, const blocks& from) {
  const team& t = w.members();
  const blocks& sent = to != nullptr ? *to : from;
  edge_writer e(b, w, to == nullptr);
  for (std::int32_t i = 0; i < t.size; ++i) {
    if (i == t.rank) continue;
    e.gives(i, sent.of(i), place_among_others(t.rank, i));
    e.takes(i, from.of(i), place_among_others(t.rank, i));
  }
  e.offer();
  if (to != nullptr) b.copy(to->of(t.rank), from.of(t.rank));
  e.work();
}

}  // namespace loadstone::coll
