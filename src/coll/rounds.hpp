// A reduction by memory that all members map: a round at a time goes through their blocks
// (areas.hpp), so that it stays in the cache on its way. For round n:
//
//   put    our operand, into our block: two rounds ahead, as a block has two halves
//   sum    share by share, out of the blocks of all, in rank order, into our result if we want it,
//          and into the block of its member if others do: when all have put round n and taken round
//          n - 2. Who runs claims the shares that nobody sums; with a core for each member, it sums
//          its own, which then need not be put. Of two, the sum that both want is written where the
//          operand of the other was: each writes lines that it has read last, which costs a third
//          of writing those that the other has.
//   take   what we want and others have summed, into our result: when all shares are summed
//
// After that the half is put again. So each member has to run once for each round, and, with fewer
// cores than members, nobody waits for one to run so that it may sum. Whoever sums the last share
// of a round wakes the others.
//
// Condition: contiguous types; a block for each member, or all go on with messages.
// Cost: n bytes put, n summed of each member by all together, n taken, less what one sums itself; a
// meeting for each round. What one member reads is stored past the caches, where that is measured
// to be cheaper (copy/store_choice.hpp).
// Source: R. Rabenseifner, "Optimization of Collective Reduction Operations", 2004 (each reduces a
// share, then all gather them); Worringer, dissertation, 6.6 (in pieces); Stricker, 5.7 (two
// halves, and no barrier at the end).
// Model: models/coll_rounds.pml.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coll/areas.hpp"
#include "coll/joint.hpp"
#include "copy/store_choice.hpp"
#include "datatype/op.hpp"

namespace loadstone::coll {

// How a reduction is cut: into a share for each member, and all of them into rounds.
class round_shares {
 public:
  struct range {
    std::int64_t first, count;
  };
  // `begins`: of each share, and the end of the last. `most`: elements of a share in a round.
  void cut(std::span<const std::int64_t> begins, std::int64_t most);
  std::int64_t begin_of(std::int32_t share) const { return begins_[static_cast<std::size_t>(share)]; }
  std::int64_t piece() const { return piece_; }    // elements of a share in a round
  std::int64_t rounds() const { return rounds_; }  // 0: there is nothing to reduce
  range in_round(std::int64_t round, std::int32_t share) const;

 private:
  std::vector<std::int64_t> begins_;
  std::int64_t piece_ = 1, rounds_ = 0;
};

class round_work {
 public:
  using result_of = reduction_work::result_of;
  // Of all shares together. The same at all members; tests have less.
  static inline std::int64_t round_bytes = model::round_of_blocks;

  // More than one member. `shares`: where the share of each begins, and the end of the last. The
  // result of own_slice begins at `result`, others at their element of it. In place, input and
  // result are the same, but not for own_slice.
  void open(std::int32_t members, std::int32_t rank, const reduction_work::form& f,
            const datatype::type& type, const datatype::op& op, std::span<const std::int64_t> shares,
            const void* input, void* result);

  void offer_in(areas& a);
  bool go_on(areas& a);
  // A member had no memory for its block: nothing has been done, which all find alike.
  bool refused() const { return refused_; }
  const datatype::op& op() const { return *op_; }
  std::int64_t taken() const { return taken_; }

 private:
  using range = round_shares::range;
  std::size_t bytes(std::int64_t elements) const {
    return static_cast<std::size_t>(elements * type_->size());
  }
  // Two halves, each with a piece of every share and the sum of our own.
  std::size_t half_bytes() const { return static_cast<std::size_t>(members_ + 1) * apart_; }
  std::byte* piece_at(std::byte* block, std::int64_t round, std::int32_t share) const {
    return block + static_cast<std::size_t>(round % 2) * half_bytes() +
           static_cast<std::size_t>(share) * apart_;
  }
  std::byte* sum_at(std::int64_t round, std::int32_t share) const {
    if (goes_back_) return piece_at(blocks_[static_cast<std::size_t>(1 - share)], round, share);
    return piece_at(blocks_[static_cast<std::size_t>(share)], round, members_);
  }
  bool all_have_come(areas& a);
  void begin(areas& a);
  bool sums(std::int32_t share) const { return helps_ || share == rank_; }
  // Does another member want it?
  bool wanted_by_others(std::int32_t share) const;
  std::byte* result_of_share(std::int32_t share, const range& r) const;
  void put(std::int64_t round);
  void sum(std::int64_t round, std::int32_t share);
  void take(std::int64_t round);
  member_set not_ready(areas& a, std::int64_t round) const;
  bool is_summed(areas& a, std::int64_t round) const;
  void sum_what_is_left(areas& a, std::int64_t round);

  std::int32_t members_ = 0, rank_ = 0;
  reduction_work::form form_{};
  const datatype::type* type_ = nullptr;
  const datatype::op* op_ = nullptr;
  round_shares shares_;             // a member sums its own
  std::vector<std::byte*> blocks_;  // of all members, when all have come
  const std::byte* input_ = nullptr;
  std::byte* result_ = nullptr;
  std::size_t apart_ = 0;     // bytes from one piece to the next: whole lines
  std::int64_t at_once_ = 1;  // elements that are summed in a near cache
  std::vector<std::byte> room_;
  bool helps_ = false;       // sums shares of others
  bool goes_back_ = false;   // a sum lies where the operand of the other was
  member_set summed_by_us_;  // shares of the present round
  copy::store_choice* stores_ = nullptr;
  copy::store_way way_ = copy::store_way::through;  // of what one member reads, in this round
  std::int64_t taken_ = 0;                          // rounds
  std::uint64_t shape_ = 0;                         // as reduction_work
  bool begun_ = false;                              // all have come
  bool refused_ = false;
  bool disagreed_ = false;  // as reduction_work
  bool unmapped_ = false;   // a block of another: we take part without any data, and all are told
};

}  // namespace loadstone::coll
