// Allreduce. Each partial result is computed from the same operands in the same order on all
// members, so all get the same bits.
//
//   doubling   (recursive doubling) for few members. log p steps of n bytes. If p is no power of
//              two, the first members pair up before, and get the result at the end: 2 steps more.
//              Neighbouring ranks combine first, so rank order is kept.
//   by_root    for more processes than cores. Reduce to rank 0 and broadcast: 2(p-1) messages in
//              all instead of p log p.
//   scattered  for long vectors. Direct reduce-scatter, then direct allgather of the slices:
//              2 n (p-1)/p bytes per process.
//   halving    for vectors of medium length and many members (Rabenseifner 2004): recursive
//              halving, then the same way back: 2 log p steps, 2 n (p-1)/p bytes. Neighbouring
//              ranks combine first, so rank order is kept. Other numbers than powers of two as
//              above.
#include <vector>

#include "coll/accumulator.hpp"
#include "coll/blocks.hpp"
#include "coll/slices.hpp"

namespace loadstone::coll {

void allreduce_doubling(builder& b, const team& t, const operand& o, const void* input, void* result) {
  std::int32_t power = 1;
  while (2 * power <= t.size) power <<= 1;
  const std::int32_t extra = t.size - power;  // so many pairs (2i, 2i + 1) at the front act as one member

  accumulator sum(b, o, input, result);
  std::int32_t position = t.rank - extra;
  if (t.rank < 2 * extra) {
    if (t.rank % 2 == 0) {
      b.send(t, t.rank + 1, sum.value());
      b.then();
      b.receive(t, t.rank + 1, o.at(result), 1);
      return;
    }
    b.receive(t, t.rank - 1, sum.incoming());
    b.then();
    sum.fold_lower();
    position = t.rank / 2;
  }
  auto member = [&](std::int32_t p) { return p < extra ? 2 * p + 1 : p + extra; };
  for (std::int32_t mask = 1; mask < power; mask <<= 1) {
    const std::int32_t partner = position ^ mask;
    const bool last = 2 * mask == power;
    b.receive(t, member(partner), sum.incoming(last && partner > position));
    b.send(t, member(partner), sum.value());
    b.then();
    if (partner > position) {
      sum.fold_higher();
    } else {
      sum.fold_lower(last);
    }
  }
  sum.finish();
  if (t.rank < 2 * extra) b.send(t, t.rank - 1, o.at(result), 1);
}

void allreduce_by_root(builder& b, const team& t, const operand& o, const void* input, void* result) {
  reduce_binomial(b, t, o, input, result, 0);
  b.then();
  bcast_binomial(b, t, o.at(result), 0);
}

void allreduce_scattered(builder& b, const team& t, const operand& o, const void* input, void* result) {
  const std::vector<std::int64_t> first = even_slices(o.count, t.size);
  reduce_scatter_direct(b, t, o, first, input, element(result, first[t.rank], o.type), input == result);
  b.then();
  allgather_direct(b, t, sliced_blocks(result, first, o.type));
}

void allreduce_halving(builder& b, const team& t, const operand& o, const void* input, void* result) {
  std::int32_t power = 1;
  while (2 * power <= t.size) power <<= 1;
  const std::int32_t extra = t.size - power;
  const bool paired = t.rank < 2 * extra;
  if (paired && t.rank % 2 == 0) {
    b.send(t, t.rank + 1, o.at(input));
    b.then();  // in place: it must have left before it is overwritten
    b.receive(t, t.rank + 1, o.at(result), 1);
    return;
  }
  void* const incoming = b.scratch(paired ? o.count : (o.count + 1) / 2, o.type);
  const void* value = input;  // with what has been folded into it
  if (paired) {
    b.receive(t, t.rank - 1, o.at(incoming));
    b.then();
    b.reduce(incoming, value, result, o.count, o.type, o.op);
    value = result;
  }
  const std::int32_t position = paired ? t.rank / 2 : t.rank - extra;
  auto member = [&](std::int32_t p) { return p < extra ? 2 * p + 1 : p + extra; };
  auto elements = [&](std::int64_t from, std::int64_t end) { return part(o.at(result), from, end - from); };
  auto of_value = [&](std::int64_t from, std::int64_t end) { return part(o.at(value), from, end - from); };

  // What is reduced here: a half of it less with each step.
  std::vector<std::int64_t> first = {0}, last = {o.count};
  for (std::int32_t mask = 1; mask < power; mask <<= 1) {
    const std::int64_t from = first.back(), end = last.back(), middle = from + (end - from) / 2;
    const bool upper = (position & mask) != 0;
    const buffer kept = upper ? of_value(middle, end) : of_value(from, middle),
                 sum = upper ? elements(middle, end) : elements(from, middle),
                 got{incoming, kept.count, &o.type};
    b.receive(t, member(position ^ mask), got);
    b.send(t, member(position ^ mask), upper ? of_value(from, middle) : of_value(middle, end));
    b.then();
    if (upper || o.op.commutative()) {
      b.reduce(incoming, kept.address, const_cast<void*>(sum.address), kept.count, o.type, o.op);
    } else {
      b.reduce(kept.address, incoming, incoming, kept.count, o.type, o.op);
      b.copy(got, sum);
    }
    value = result;
    first.push_back(upper ? middle : from);
    last.push_back(upper ? end : middle);
  }
  b.copy(o.at(value), o.at(result));  // of one member alone
  for (std::int32_t mask = power / 2; mask > 0; mask >>= 1) {
    const buffer mine = elements(first.back(), last.back());
    const bool upper = (position & mask) != 0;
    const std::int64_t border = upper ? first.back() : last.back();
    first.pop_back();
    last.pop_back();
    b.receive(t, member(position ^ mask),
              upper ? elements(first.back(), border) : elements(border, last.back()));
    b.send(t, member(position ^ mask), mine);
    b.then();
  }
  if (paired) b.send(t, t.rank - 1, o.at(result), 1);
}

}  // namespace loadstone::coll
