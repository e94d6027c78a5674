// What a schedule does with data that stays where it is (joint.hpp, edges.hpp, rounds.hpp,
// chain.hpp, streams.hpp): one of six kinds of work that all members share, or nothing.
#pragma once

#include <cstdint>

#include "coll/areas.hpp"
#include "coll/chain.hpp"
#include "coll/edges.hpp"
#include "coll/joint.hpp"
#include "coll/rounds.hpp"
#include "coll/streams.hpp"

namespace loadstone::coll {

class staying_work {
 public:
  // While the schedule is written: what it is.
  exchange_work& exchange(std::int32_t members) {
    what_ = kind::exchange;
    exchange_.open(members);
    return exchange_;
  }
  edge_work& edges(bool moves) {
    what_ = kind::edges;
    edges_.open(moves);
    return edges_;
  }
  reduction_work& reduction() {
    what_ = kind::reduction;
    return reduction_;
  }
  round_work& rounds() {
    what_ = kind::rounds;
    return rounds_;
  }
  chain_work& chain() {
    what_ = kind::chain;
    return chain_;
  }
  stream_work& streams(std::int32_t members, std::int32_t rank, stream_work::form f) {
    what_ = kind::streams;
    streams_.open(members, rank, f);
    return streams_;
  }
  void clear() {
    give_back();
    what_ = kind::nothing;
  }
  void give_back() {  // the memory that it has allocated
    if (what_ == kind::edges) edges_.give_back();
  }

  // Does our part need our slot from the start?
  bool publishes() const { return what_ != kind::streams || streams_.is_giver(); }
  // Our part is made known. With a core for every member the others are woken, to do theirs; with
  // fewer, only who has its part done.
  void offer(areas& a);
  // Is there an operation of the user in it?
  bool of_user() const;
  // A thread of the program goes on with it.
  void leave(areas& a) {
    if (what_ == kind::edges) edges_.announce(a);
  }
  // Does what there is to do. True: all that concerns us is done; otherwise whoever does it wakes
  // us. `alone`: nobody waits for it.
  bool go_on(areas& a, bool alone);
  // A member had no memory: nothing has been done, which all find alike.
  bool refused() const {
    return what_ == kind::rounds  ? rounds_.refused()
           : what_ == kind::chain ? chain_.refused()
                                  : what_ == kind::streams && streams_.refused();
  }
  // All is done, by whomever: with this error.
  std::int32_t end(areas& a);
  // It is given up: from here on nobody touches our memory.
  void withdraw(areas& a);

  // How far it has come: for who waits only.
  std::int64_t parts_done(areas& a) const {
    return what_ == kind::chain     ? chain_.done_by_all(a)
           : what_ == kind::streams ? streams_.parts_done()
                                    : rounds_.taken();
  }

 private:
  enum class kind : std::uint8_t { nothing, exchange, edges, reduction, rounds, chain, streams };

  kind what_ = kind::nothing;
  exchange_work exchange_;
  edge_work edges_;
  reduction_work reduction_;
  round_work rounds_;
  chain_work chain_;
  stream_work streams_;
};

}  // namespace loadstone::coll
