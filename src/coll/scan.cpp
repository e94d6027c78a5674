// Scan and exclusive scan by doubling (Hillis and Steele 1986, with exchanges). In step k each
// group of 2^(k+1) neighbouring members is two halves, which exchange their reductions; the upper
// half folds what it gets into its prefix. log p steps of n bytes, at most 2 log p reductions; rank
// order is kept.
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
  if (input != result) b.copy(o.at(input), o.at(result));
  // In place, the own contribution is both the start of the prefix and what others get: so keep a
  // copy.
  const void* own = input;
  if (input == result) {
    void* kept = b.scratch(o.count, o.type);
    b.copy(o.at(input), o.at(kept));
    own = kept;
  }
  prefix_doubling(b, t, o, own, [&](buffer x) { b.reduce(x.address, result, o.count, o.type, o.op); });
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
      b.reduce(x.address, result, o.count, o.type, o.op);
    }
    first = false;
  });
}

}  // namespace loadstone::coll
