// Gather and scatter.
//
//   linear    the root exchanges a message with each member: p-1 messages, each block copied once,
//             which is the least on one machine.
//   binomial  for short blocks and many members, where p-1 messages at the root take longer than
//             more copies. The blocks of a subtree travel as one packed message: log p steps; a
//             block is copied up to log p times.
//
// In the tree, the member whose rank relative to the root is `relative` handles the blocks
// [relative, relative + span), one after the other; the root's own block is the first. All blocks
// have the same packed size. The v forms are always linear, because only the root knows the sizes.
#include <algorithm>

#include "coll/algorithms.hpp"
#include "coll/packed.hpp"

namespace loadstone::coll {

void gather_linear(builder& b, const team& t, buffer mine, const blocks* all, std::int32_t root,
                   bool in_place) {
  if (t.rank != root) {
    b.send(t, root, mine);
    return;
  }
  for (std::int32_t i = 0; i < t.size; ++i)
    if (i != root) b.receive(t, i, all->of(i));
  if (!in_place) b.copy(mine, all->of(root));
}

void scatter_linear(builder& b, const team& t, const blocks* all, buffer mine, std::int32_t root,
                    bool in_place) {
  if (t.rank != root) {
    b.receive(t, root, mine);
    return;
  }
  for (std::int32_t i = 0; i < t.size; ++i)
    if (i != root) b.send(t, i, all->of(i));
  if (!in_place) b.copy(all->of(root), mine);
}

namespace {

struct subtree {
  std::int32_t relative, size, root;
  std::int32_t mask = 1;  // distance to the parent
  subtree(const team& t, std::int32_t root_rank)
      : relative((t.rank - root_rank + t.size) % t.size), size(t.size), root(root_rank) {
    while (mask < size && !(relative & mask)) mask <<= 1;
  }
  std::int32_t members(std::int32_t of, std::int32_t distance) const { return std::min(distance, size - of); }
  std::int32_t rank_of(std::int32_t r) const { return (r + root) % size; }
};

}  // namespace

void gather_binomial(builder& b, const team& t, buffer mine, const blocks* all, std::int32_t root,
                     bool in_place) {
  const subtree tree(t, root);
  const std::int64_t block = packed_bytes(t.rank == root ? all->of(root) : mine);
  const std::int32_t span = tree.members(tree.relative, tree.mask);
  if (t.rank != root && span == 1) {
    b.send(t, tree.rank_of(tree.relative - tree.mask), mine);
    return;
  }
  std::byte* area = b.scratch_bytes(span * block);
  for (std::int32_t distance = 1; distance < tree.mask && tree.relative + distance < tree.size;
       distance <<= 1) {
    const std::int32_t child = tree.relative + distance;
    b.receive(t, tree.rank_of(child),
              bytes_at(area + distance * block, tree.members(child, distance) * block));
  }
  if (t.rank != root) {
    b.copy(mine, bytes_at(area, block));
    b.then();
    b.send(t, tree.rank_of(tree.relative - tree.mask), bytes_at(area, span * block));
    return;
  }
  if (!in_place) b.copy(mine, all->of(root));
  b.then();
  for (std::int32_t r = 1; r < tree.size; ++r)
    b.copy(bytes_at(area + r * block, block), all->of(tree.rank_of(r)));
}

void scatter_binomial(builder& b, const team& t, const blocks* all, buffer mine, std::int32_t root,
                      bool in_place) {
  const subtree tree(t, root);
  const std::int64_t block = packed_bytes(t.rank == root ? all->of(root) : mine);
  const std::int32_t span = tree.members(tree.relative, tree.mask);
  if (t.rank != root && span == 1) {
    b.receive(t, tree.rank_of(tree.relative - tree.mask), mine);
    return;
  }
  std::byte* area = b.scratch_bytes(span * block);
  if (t.rank == root) {
    for (std::int32_t r = 1; r < tree.size; ++r)
      b.copy(all->of(tree.rank_of(r)), bytes_at(area + r * block, block));
  } else {
    b.receive(t, tree.rank_of(tree.relative - tree.mask), bytes_at(area, span * block));
    b.then();
  }
  for (std::int32_t distance = tree.mask >> 1; distance > 0; distance >>= 1) {
    const std::int32_t child = tree.relative + distance;
    if (child >= tree.size) continue;
    b.send(t, tree.rank_of(child), bytes_at(area + distance * block, tree.members(child, distance) * block));
  }
  if (t.rank != root) {
    b.copy(bytes_at(area, block), mine);
  } else if (!in_place) {
    b.copy(all->of(root), mine);
  }
}

}  // namespace loadstone::coll
