// Barrier.
//
//   dissemination  for a core to every process (Hensgen, Finkel, Manber 1988). In round k each
//                  member sends to the one 2^k above it: p log p messages, log p steps deep.
//   linear         for more processes than cores. All members send to rank 0, which then releases
//                  them: 2(p-1) messages, 2 steps deep, but rank 0 handles all. Each process has to
//                  be scheduled only once in a barrier, while every step of a tree takes another
//                  turn of all processes of a core.
//   tree           the same along a binomial tree, for so many members that rank 0 alone would be
//                  too slow: 2 log p steps deep.
//
// Measured on 2 cores, medians of 6 alternating rounds, µs (linear, tree, Open MPI): 6 members
// 15.7, 26.9, 10.5; 8 members 18.3, 39.7, 21.7; 16 members 46, 129, 80.
#include "coll/algorithms.hpp"
#include "coll/packed.hpp"

namespace loadstone::coll {

void barrier_tree(builder& b, const team& t) {
  std::int32_t mask = 1;
  for (; mask < t.size && !(t.rank & mask); mask <<= 1)
    if (t.rank + mask < t.size) b.receive(t, t.rank + mask, nothing());
  b.then();
  if (t.rank != 0) {
    b.send(t, t.rank - mask, nothing());
    b.receive(t, t.rank - mask, nothing(), 1);
    b.then();
  }
  for (mask >>= 1; mask > 0; mask >>= 1)
    if (t.rank + mask < t.size) b.send(t, t.rank + mask, nothing(), 1);
}

void barrier_dissemination(builder& b, const team& t) {
  for (std::int32_t distance = 1; distance < t.size; distance <<= 1) {
    b.receive(t, (t.rank - distance + t.size) % t.size, nothing());
    b.send(t, (t.rank + distance) % t.size, nothing());
    b.then();
  }
}

void barrier_linear(builder& b, const team& t) {
  if (t.rank != 0) {
    b.send(t, 0, nothing());
    b.receive(t, 0, nothing(), 1);
    return;
  }
  for (std::int32_t other = 1; other < t.size; ++other) b.receive(t, other, nothing());
  b.then();
  for (std::int32_t other = 1; other < t.size; ++other) b.send(t, other, nothing(), 1);
}

}  // namespace loadstone::coll
