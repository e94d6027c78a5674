// Scan and exclusive scan.
//
//   direct    every member sends its operand to all above it, and folds what it gets from the
//             highest rank down: p(p-1)/2 messages, one step deep. For results that do not depend
//             on the algorithm: in areas it is done in the same order.
//   doubling  (Hillis and Steele 1986, with exchanges) the usual one, as follows.
//
// In step k each group of 2^(k+1) neighbouring members is two halves, which exchange their
// reductions; the upper half folds what it gets into its prefix. log p steps of n bytes, at most 2
// log p reductions; rank order is kept.
#include "coll/accumulator.hpp"

namespace loadstone::coll {

namespace {

// Calls below(buffer) for each group of lower members, the nearest first. The buffer holds the
// reduction of that group, and may not be written.
template <class Fold>
void prefix_doubling(builder& b, const team& t, const operand& o, const void* input, Fold below) {
  accumulator group(b, o, input, std::nullopt);  // the reduction of the own group, of `mask` members
  for (std::int32_t mask = 1; mask < t.size; mask <<= 1) {
    const std::int32_t partner = t.rank ^ mask;
    if (partner >= t.size) continue;
    const buffer incoming = group.incoming();
    b.receive(t, partner, incoming);
    b.send(t, partner, group.value());
    b.then();
    if (partner < t.rank) below(incoming);
    if (2 * mask >= t.size) continue;  // the reduction of this group is not needed any more
    if (partner < t.rank) {
      group.fold_lower();
    } else {
      group.fold_higher();
    }
  }
}

}  // namespace

void scan_doubling(builder& b, const team& t, const operand& o, const void* input, void* result) {
  // In place, the own contribution is both the start of the prefix and what others get: so keep a
  // copy.
  const void* own = input;
  if (input == result) {
    void* kept = b.scratch(o.count, o.type);
    b.copy(o.at(input), o.at(kept));
    own = kept;
  }
  const void* prefix = own;
  prefix_doubling(b, t, o, own, [&](buffer x) {
    b.reduce(x.address, prefix, result, o.count, o.type, o.op);
    prefix = result;
  });
  if (t.rank == 0) b.copy(o.at(input), o.at(result));
}

void exscan_doubling(builder& b, const team& t, const operand& o, const void* input, void* result) {
  const void* own = input;
  if (input == result && t.rank != 0) {
    void* kept = b.scratch(o.count, o.type);
    b.copy(o.at(input), o.at(kept));
    own = kept;
  }
  bool first = true;
  prefix_doubling(b, t, o, own, [&](buffer x) {
    if (first) {
      b.copy(x, o.at(result));
    } else {
      b.reduce(x.address, result, result, o.count, o.type, o.op);
    }
    first = false;
  });
}

namespace {

// Every member sends its operand to all above it. Returns where those of the members below lie, one
// after the other.
void* from_below(builder& b, const team& t, const operand& o, const void* input) {
  void* const below = b.scratch(o.count * t.rank, o.type);
  for (std::int32_t i = t.rank + 1; i < t.size; ++i) b.send(t, i, o.at(input));
  for (std::int32_t i = 0; i < t.rank; ++i) b.receive(t, i, o.at(element(below, i * o.count, o.type)));
  b.then();
  return below;
}

// The first `count` of them, from the highest down, and `higher` above them.
void fold_down(builder& b, const operand& o, const void* below, std::int32_t count, const void* higher,
               void* result) {
  for (std::int32_t i = count - 1; i >= 0; --i) {
    b.reduce(element(below, i * o.count, o.type), higher, result, o.count, o.type, o.op);
    higher = result;
  }
}

}  // namespace

void scan_direct(builder& b, const team& t, const operand& o, const void* input, void* result) {
  void* const below = from_below(b, t, o, input);
  if (t.rank == 0) return b.copy(o.at(input), o.at(result));
  fold_down(b, o, below, t.rank, input, result);
}

void exscan_direct(builder& b, const team& t, const operand& o, const void* input, void* result) {
  void* const below = from_below(b, t, o, input);
  if (t.rank == 0) return;
  const void* const highest = element(below, (t.rank - 1) * o.count, o.type);
  if (t.rank == 1) return b.copy(o.at(highest), o.at(result));
  fold_down(b, o, below, t.rank - 1, highest, result);
}

}  // namespace loadstone::coll
