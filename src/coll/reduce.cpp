// Reduce.
//
//   binomial   log p steps of n bytes, p-1 messages, log p reductions at the root. A subtree covers
//              neighbouring ranks, and its root folds them in rising order. For a commutative
//              operation ranks count from the root. Any other is reduced to rank 0 in rank order,
//              which sends the result to the root (one message more).
//   scattered  for long vectors (Rabenseifner's idea, with a direct exchange). Every member reduces
//              one p-th of the elements for all, and the root collects them: 2 n (p-1)/p bytes per
//              process, and all take part in the reductions. Keeps rank order as well.
#include <vector>

#include "coll/accumulator.hpp"
#include "coll/blocks.hpp"
#include "coll/slices.hpp"

namespace loadstone::coll {

void reduce_binomial(builder& b, const team& t, const operand& o, const void* input, void* result,
                     std::int32_t root) {
  const std::int32_t top = o.op.commutative() ? root : 0;
  const std::int32_t relative = (t.rank - top + t.size) % t.size;
  auto member = [&](std::int32_t r) { return (r + top) % t.size; };
  const std::optional<void*> mine = t.rank == root && top == root ? std::optional(result) : std::nullopt;

  accumulator sum(b, o, input, mine);
  std::int32_t mask = 1;
  for (; mask < t.size && !(relative & mask); mask <<= 1) {
    if (relative + mask >= t.size) continue;
    const bool last = relative + 2 * mask >= t.size || (relative & (2 * mask));
    b.receive(t, member(relative + mask), sum.incoming(last));
    b.then();
    sum.fold_higher();
  }
  if (relative != 0) {
    b.send(t, member(relative - mask), sum.value());
  } else if (top == root) {
    sum.finish();
  }
  if (top == root) return;
  if (t.rank == top) b.send(t, root, sum.value(), 1);
  if (t.rank == root) {
    b.then();  // in place: the own contribution must have left before it is overwritten
    b.receive(t, top, o.at(result), 1);
  }
}

void reduce_scattered(builder& b, const team& t, const operand& o, const void* input, void* result,
                      std::int32_t root) {
  const std::vector<std::int64_t> first = even_slices(o.count, t.size);
  const bool at_root = t.rank == root;
  const std::int64_t mine = first[t.rank + 1] - first[t.rank];
  void* slice = at_root ? element(result, first[t.rank], o.type) : b.scratch(mine, o.type);
  reduce_scatter_direct(b, t, o, first, input, slice, at_root && input == result);
  b.then();
  const sliced_blocks all(result, first, o.type);
  gather_linear(b, t, {slice, mine, &o.type}, at_root ? &all : nullptr, root, true);
}

}  // namespace loadstone::coll
