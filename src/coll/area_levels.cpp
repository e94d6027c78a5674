// The collectives in areas, along the levels of the machine (levels.hpp), for data that fits a slot
// and members that have a core each. Each member puts its part once towards the root, which the one
// above it folds into its own; what the root has then comes back the same way, in the same slots:
// one line is enough for the mark and 48 bytes, and of each cache and package only the leader's
// crosses.
//
// Cost: on each level a line, and a step for each of those below; depth: the levels, and where a
// group is larger than the fan, log of it. A flat operation (area.cpp) has one step, but each
// member's line goes to all others. Reductions fold neighbours first, so the order of operands is
// kept, their brackets are not; where a group is not of neighbours, operations have to commute.
// Source: as in levels.hpp.
#include "coll/algorithms.hpp"
#include "coll/area_writer.hpp"
#include "coll/packed.hpp"

namespace loadstone::coll {

void barrier_levels(area_writer& w) {
  const levels::seat in = w.seat_to(0), out = w.seat_from(0);
  for (const auto& group : in.below)
    for (const std::int32_t one : group)
      if (one != w.members().rank) w.be_passed(one);
  if (in.above >= 0) {
    w.put(nothing());
    w.pass_up(in);
    w.be_passed(out.above, true);
  }
  w.pass_down(out, true);
}

void bcast_levels(area_writer& w, buffer data, std::int32_t root) {
  const levels::seat out = w.seat_from(root);
  if (out.above >= 0) {
    w.be_passed(out.above);
    w.take(out.above, data);
  }
  if (out.below.empty()) return;
  w.put(data);
  w.pass_down(out, false);
}

namespace {

// What we and all below us give, folded: where it lies. `last`: where that of the last group shall
// be, if it is not where our own is.
const void* fold_below(builder& b, area_writer& w, const levels::seat& in, const operand& o,
                       const void* input, void* last) {
  const void* sum = input;
  for (std::size_t i = 0; i < in.below.size(); ++i) {
    void* const into =
        i + 1 == in.below.size() && last != nullptr && last != sum ? last : b.scratch(o.count, o.type);
    w.combine_group(in.below[i], o, sum, into);
    sum = into;
  }
  return sum;
}

}  // namespace

void reduce_levels(builder& b, area_writer& w, const operand& o, const void* input, void* result,
                   std::int32_t root) {
  const levels::seat in = w.seat_to(root);
  const void* const sum = fold_below(b, w, in, o, input, in.above < 0 ? result : nullptr);
  if (in.above < 0) {
    if (sum != result) b.copy(o.at(sum), o.at(result));
    return;
  }
  w.put(o.at(sum));
  w.pass_up(in);
}

void allreduce_levels(builder& b, area_writer& w, const operand& o, const void* input, void* result) {
  const levels::seat in = w.seat_to(0), out = w.seat_from(0);
  const void* const sum = fold_below(b, w, in, o, input, in.above < 0 ? result : nullptr);
  if (in.above < 0) {
    if (sum != result) b.copy(o.at(sum), o.at(result));
  } else {
    w.put(o.at(sum));
    w.pass_up(in);
    w.be_passed(out.above, true);
    w.take(out.above, o.at(result));
  }
  if (!out.below.empty()) w.answer(o.at(result), w.members().rank);
  w.pass_down(out, true);
}

// Of an allreduce, each keeps its own. What it does not need costs less than a line of each of many
// members, from which it would take its own otherwise.
void reduce_scatter_levels(builder& b, area_writer& w, const operand& o, std::span<const std::int64_t> first,
                           const void* input, void* result) {
  const std::int32_t rank = w.members().rank;
  void* const all = b.scratch(o.count, o.type);
  allreduce_levels(b, w, o, input, all);
  const std::int64_t mine = first[rank + 1] - first[rank];
  b.copy(part(o.at(all), first[rank], mine), {result, mine, &o.type});
}

}  // namespace loadstone::coll
