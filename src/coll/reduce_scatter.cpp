// Reduce-scatter.
//
//   direct   every member sends to each other one that member's slice, and reduces its own slice in
//            rank order, which serves every operation. p-1 messages of n/p bytes out and in, one
//            step deep, (p-1) n/p bytes of reductions at each member. Scratch memory: n.
//   by_root  for short vectors. Reduce to rank 0, then scatter: 2(p-1) messages in all.
//   doubling for short vectors of few members: an allreduce by recursive doubling, of which each
//            keeps its slice. log p steps of n bytes.
//   halving  for vectors of medium length and many members: the same by recursive halving. 2 log p
//            steps, 2 n (p-1)/p bytes.
#include <vector>

#include "coll/accumulator.hpp"
#include "coll/blocks.hpp"

namespace loadstone::coll {

void reduce_scatter_direct(builder& b, const team& t, const operand& o, std::span<const std::int64_t> first,
                           const void* input, void* result, bool aliased) {
  const std::int64_t mine = first[t.rank + 1] - first[t.rank];
  const buffer own{element(input, first[t.rank], o.type), mine, &o.type};
  const std::int32_t highest = t.size - 1;
  // Folded from the highest rank downwards: so only the running value is written, and contributions
  // stay as they are.
  void* sum = aliased ? b.scratch(mine, o.type) : result;
  void* area = b.scratch(mine * t.size, o.type);
  auto contribution = [&](std::int32_t rank) {
    if (rank == t.rank) return own;
    if (rank == highest) return buffer{sum, mine, &o.type};
    return buffer{element(area, rank * mine, o.type), mine, &o.type};
  };
  class received final : public blocks {
   public:
    explicit received(const decltype(contribution)& f) : f_(f) {}
    buffer of(std::int32_t rank) const override { return f_(rank); }

   private:
    const decltype(contribution)& f_;
  } const from(contribution);
  const sliced_blocks to(input, first, o.type);
  exchange_pairwise(b, t, {to, from, t.size, false, true});
  b.then();
  // The result may overlap our own operand, which is folded before the last one, or is that one.
  const bool at_once = t.rank > 0 || o.op.predefined();
  const void* value = contribution(highest).address;
  for (std::int32_t i = highest - 1; i >= 0; --i) {
    void* const to = i == 0 && at_once ? result : sum;
    b.reduce(contribution(i).address, value, to, mine, o.type, o.op);
    value = to;
  }
  b.copy({value, mine, &o.type}, {result, mine, &o.type});
}

void reduce_scatter_by_root(builder& b, const team& t, const operand& o, std::span<const std::int64_t> first,
                            const void* input, void* result) {
  void* whole = t.rank == 0 ? b.scratch(o.count, o.type) : nullptr;
  reduce_binomial(b, t, o, input, whole, 0);
  b.then();
  const sliced_blocks slices(whole, first, o.type);
  const buffer mine{result, first[t.rank + 1] - first[t.rank], &o.type};
  scatter_linear(b, t, t.rank == 0 ? &slices : nullptr, mine, 0, false);
}

void reduce_scatter_whole(builder& b, const team& t, const operand& o, std::span<const std::int64_t> first,
                          const void* input, void* result, allreduce_function allreduce) {
  void* whole = b.scratch(o.count, o.type);
  allreduce(b, t, o, input, whole);
  b.then();
  const std::int64_t mine = first[t.rank + 1] - first[t.rank];
  b.copy(part(o.at(whole), first[t.rank], mine), {result, mine, &o.type});
}

}  // namespace loadstone::coll
