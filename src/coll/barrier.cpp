// Barrier.
//
// tree: gather to rank 0 and release, along a binomial tree. 2(p-1) messages, 2 log p steps deep. With more
//   processes than cores what counts is the number of wake-ups, and this has the fewest.
// dissemination (Hensgen, Finkel, Manber 1988): in round k everyone tells the member 2^k above. p log p
//   messages, log p deep: when every process has a core.
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

}  // namespace loadstone::coll
