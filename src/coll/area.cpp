// The collectives in areas (areas.hpp), for data that fits a slot. No message travels.
//
// There are two forms, which all members choose alike:
//   flags     a core for every member. Whoever has put its data publishes it, and each reads what
//             it needs from the slots of the others: one step deep. A barrier has log p rounds
//             (wait/flag_barrier.hpp).
//   counters  more members than cores. Members count themselves in; the last to come does the work
//             for all, such as the whole reduction, and lets the others go. So each process runs
//             once, where it would run for each partner else.
//
// Reductions are folded from the highest rank down, always `lower op higher`: the same operands in
// the same order at all members, whichever of them does it.
//
// Cost: flags: a line and n bytes from each partner; counters: an atomic instruction on a line that
// all change, and a change of processes for each member. Source: Worringer, dissertation, 6.5
// (barriers in shared memory); Stricker, 5.7 (no barrier closes an operation).
#include "coll/area_writer.hpp"
#include "coll/blocks.hpp"
#include "coll/last_comer.hpp"

namespace loadstone::coll {

void barrier_area(area_writer& w) {
  if (w.crowded()) return w.everybody();
  w.rounds();
}

void bcast_area(area_writer& w, buffer data, std::int32_t root) {
  if (w.members().rank == root) {
    w.put(data);
    w.publish();
    return;
  }
  w.hear(root);
  w.take(root, data);
}

void reduce_area(builder& b, area_writer& w, const operand& o, const void* input, void* result,
                 std::int32_t root) {
  const bool at_root = w.members().rank == root;
  const std::int32_t p = w.members().size;
  w.put(o.at(input));
  void* const sum = at_root ? result : w.crowded() ? b.scratch(o.count, o.type) : nullptr;
  last_comer last(w);
  to_root(w, last, root, [&] {
    w.combine(p, o, sum, 0, o.count);
    if (!at_root) w.answer(o.at(sum));
  });
  if (!w.crowded()) return;
  if (at_root) w.take(0, o.at(result));
  last.all_go_on();
}

void allreduce_area(area_writer& w, const operand& o, const void* input, void* result) {
  const std::int32_t p = w.members().size;
  w.put(o.at(input));
  if (!w.crowded()) {
    w.everybody();
    return w.combine(p, o, result, 0, o.count);
  }
  last_comer last(w);
  last.arrive();
  w.combine(p, o, result, 0, o.count);
  w.answer(o.at(result));
  last.let_go();
  last.others_go_on();
  last.be_let_go();
  w.take(0, o.at(result));
  last.all_go_on();
}

namespace {
// Nobody reads what the last one would give.
void give_to_higher(area_writer& w, buffer mine) {
  if (w.members().rank == w.members().size - 1) return;
  w.put(mine);
  w.publish();
}
}  // namespace

void scan_area(area_writer& w, const operand& o, const void* input, void* result) {
  const std::int32_t rank = w.members().rank;
  give_to_higher(w, o.at(input));
  w.hear_below(rank);
  w.combine(rank, o, result, 0, o.count, input);
}

void exscan_area(area_writer& w, const operand& o, const void* input, void* result) {
  const std::int32_t rank = w.members().rank;
  give_to_higher(w, o.at(input));
  w.hear_below(rank);
  if (rank > 0) w.combine(rank, o, result, 0, o.count);
}

void reduce_scatter_area(builder& b, area_writer& w, const operand& o, std::span<const std::int64_t> first,
                         const void* input, void* result) {
  const std::int32_t rank = w.members().rank, p = w.members().size;
  const operand mine{first[rank + 1] - first[rank], o.type, o.op};
  w.put(o.at(input));
  if (!w.crowded()) {
    w.everybody();
    return w.combine(p, mine, result, first[rank], o.count);
  }
  last_comer last(w);
  last.arrive();
  void* const all = b.scratch(o.count, o.type);
  w.combine(p, o, all, 0, o.count);
  w.answer(o.at(all));
  last.let_go();
  b.copy(part(o.at(all), first[rank], mine.count), mine.at(result));
  last.others_go_on();
  last.be_let_go();
  w.take_elements(0, mine, first[rank], o.count, result);
  last.all_go_on();
}

void allgather_area(area_writer& w, const blocks& all) {
  const team& t = w.members();
  w.put(all.of(t.rank));
  w.everybody();
  for (std::int32_t i = 0; i < t.size; ++i)
    if (i != t.rank) w.take(i, all.of(i));
}

void gather_area(builder& b, area_writer& w, buffer mine, const blocks* all, std::int32_t root,
                 bool in_place) {
  const team& t = w.members();
  const bool at_root = t.rank == root;
  if (!at_root) {
    w.put(mine);
  } else if (!in_place) {
    b.copy(mine, all->of(root));
  }
  last_comer last(w);
  to_root(w, last, root, [] {});
  if (w.crowded()) last.all_go_on();
  if (!at_root) return;
  for (std::int32_t i = 0; i < t.size; ++i)
    if (i != root) w.take(i, all->of(i));
}

void scatter_area(builder& b, area_writer& w, buffer all, buffer mine, std::int32_t root, bool in_place) {
  const team& t = w.members();
  if (t.rank != root) {
    w.hear(root);
    return w.take_part(root, t.rank, mine);
  }
  w.put({all.address, all.count * t.size, all.type});
  w.publish();
  if (!in_place) b.copy(part(all, t.rank * all.count, all.count), mine);
}

// `to` and `from`: the first of equal blocks.
void alltoall_area(area_writer& w, buffer to, buffer from, bool in_place) {
  const team& t = w.members();
  const auto block = [&](std::int32_t i) { return part(from, i * from.count, from.count); };
  w.put({to.address, to.count * t.size, to.type});
  const buffer own = in_place ? buffer{} : part(to, t.rank * to.count, to.count);
  w.everybody(own, block(t.rank));
  for (std::int32_t i = 0; i < t.size; ++i)
    if (i != t.rank) w.take_part(i, t.rank, block(i));
}

}  // namespace loadstone::coll
