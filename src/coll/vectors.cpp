// The v and w forms of gather, scatter and alltoall.
//
//   gatherv, scatterv   in areas. The root knows all sizes, and each member its own, which is the
//                       same in a program that is right: what is longer than most_in_slot is a
//                       message. A slot says so, too: so where sizes differ, nobody waits for ever.
//                       Cost: as gather and scatter in areas, or as messages.
//   edges               (edges.hpp) alltoall, of which nobody knows the counts of others, so each
//                       says what it has itself; the others where it is set. Condition: areas, and
//                       buffers that are reached. Cost: one copy of each byte, or two of short ones
//                       and of types with gaps.
#include <algorithm>
#include <vector>

#include "coll/block_writer.hpp"
#include "coll/blocks.hpp"
#include "coll/choices.hpp"
#include "coll/edge_writer.hpp"
#include "coll/last_comer.hpp"

namespace loadstone::coll {

namespace {
// Of what is longer, a root may be no more than two operations ahead, and messages are as quick.
constexpr std::int64_t most_in_slot = area_slot::most_behind;
}  // namespace

void gatherv_area(builder& b, area_writer& w, buffer mine, const blocks* all, std::int32_t root,
                  bool in_place) {
  const team& t = w.members();
  const bool at_root = t.rank == root;
  block_writer each(w);
  std::vector<std::size_t> received(at_root ? static_cast<std::size_t>(t.size) : 0);
  if (at_root) {
    for (std::int32_t i = 0; i < t.size; ++i)
      if (i != root && packed_bytes(all->of(i)) > most_in_slot)
        received[static_cast<std::size_t>(i)] = each.receive(i, all->of(i));
    if (!in_place) b.copy(mine, all->of(root));
  } else if (packed_bytes(mine) <= most_in_slot) {
    w.put(mine);
  } else {
    b.send(t, root, mine);
    each.put_none();
  }
  last_comer last(w);
  to_root(w, last, root, [] {});
  if (w.crowded()) last.all_go_on();
  if (!at_root) return;
  for (std::int32_t i = 0; i < t.size; ++i)
    if (i != root) each.take(i, all->of(i), received[static_cast<std::size_t>(i)], false);
}

void scatterv_area(builder& b, area_writer& w, const blocks* all, buffer mine, std::int32_t root,
                   bool in_place) {
  const team& t = w.members();
  block_writer each(w);
  if (t.rank != root) {
    const std::size_t received = packed_bytes(mine) > most_in_slot ? each.receive(root, mine) : 0;
    each.hear(root, received);
    return each.take(root, mine, received, true);
  }
  constexpr auto in_words = [](std::int64_t bytes) { return (bytes + 7) / 8 * 8; };
  std::int64_t end = in_words(t.size * static_cast<std::int64_t>(sizeof(block_in_slot)));
  std::vector<std::int64_t> at(static_cast<std::size_t>(t.size));
  for (std::int32_t i = 0; i < t.size; ++i) {
    const std::int64_t bytes = packed_bytes(all->of(i));
    if (i == root || bytes > most_in_slot || end + bytes > choices::area_bytes) continue;
    at[static_cast<std::size_t>(i)] = end;
    end += in_words(bytes);
  }
  for (std::int32_t i = 0; i < t.size; ++i)
    if (i != root && at[static_cast<std::size_t>(i)] == 0) b.send(t, i, all->of(i));
  each.put_room(std::min(end, choices::area_bytes));
  for (std::int32_t i = 0; i < t.size; ++i)
    if (i != root) each.put_block(i, all->of(i), at[static_cast<std::size_t>(i)]);
  w.publish();
  if (!in_place) b.copy(all->of(root), mine);
}

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
