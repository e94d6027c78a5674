#include "coll/staying.hpp"

namespace loadstone::coll {

void staying_work::offer(areas& a) {
  if (what_ != kind::streams) a.end_exchanges();
  if (what_ == kind::edges) {
    edges_.offer_in(a);
    a.publish_to(edges_.partners());
    return;
  }
  if (what_ == kind::exchange)
    exchange_.offer_in(a);
  else if (what_ == kind::rounds)
    rounds_.offer_in(a);
  else if (what_ == kind::chain)
    chain_.offer_in(a);
  else if (what_ == kind::streams)
    streams_.offer_in(a);
  else
    reduction_.offer_in(a);
  if (!publishes()) return;
  if (a.crowded())
    a.publish_quietly();
  else
    a.publish(areas::all);
}

bool staying_work::of_user() const {
  return (what_ == kind::reduction && !reduction_.op().predefined()) ||
         (what_ == kind::rounds && !rounds_.op().predefined()) ||
         (what_ == kind::chain && !chain_.op().predefined());
}

bool staying_work::go_on(areas& a, bool alone) {
  return what_ == kind::exchange  ? exchange_.go_on(a)
         : what_ == kind::edges   ? edges_.go_on(a, alone)
         : what_ == kind::rounds  ? rounds_.go_on(a)
         : what_ == kind::chain   ? chain_.go_on(a)
         : what_ == kind::streams ? streams_.go_on(a)
                                  : reduction_.go_on(a);
}

std::int32_t staying_work::end(areas& a) {
  if (what_ == kind::exchange)
    exchange_.tell_valgrind();
  else if (what_ == kind::edges)
    edges_.tell_valgrind();
  else if (what_ == kind::reduction)
    reduction_.tell_valgrind(a.rank());
  if (what_ == kind::edges) return edges_.error(a);
  if (what_ == kind::streams) return streams_.error();
  // Relaxed: it came with what is done (sync: joint-left, round-summed, chain-folded).
  return a.offer_of(a.rank()).error.load(std::memory_order_relaxed);
}

void staying_work::withdraw(areas& a) {
  if (what_ == kind::exchange) exchange_.withdraw(a);
  if (what_ == kind::edges) edges_.withdraw(a);
  if (what_ == kind::reduction) reduction_.withdraw(a);
}

}  // namespace loadstone::coll
