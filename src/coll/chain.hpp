// A reduction that goes from member to member, by memory that all of them map, where members share
// cores. The highest copies its operand into a block of its arena; each one below folds its own
// into what lies there; and when the lowest has, all take what they want. All of that in pieces: a
// member folds as many as the one above it has, so that all cores have some.
//
// Every member reads its operand once, where it is, and nobody else copies one. In rounds
// (rounds.hpp) each is written into a block by one core, and read from there by another, which took
// most of the time.
//
// A word of each member says how many pieces it has folded. It also says that all from the highest
// down to it agree about the shares and have a block; or that this is not so, which goes down to
// the lowest, and from there to all.
//
// In rounds each member has to run for each of them, but those that run do the part of those that
// do not; here none is done before all have run one after the other, in the worst order a turn of
// all for each. So short vectors still go in rounds (model::chained_for_each), and all where each
// member has a core.
//
// Condition: contiguous types; a block for the highest member, or all go on with messages.
// Cost: n bytes folded by each member, and what it wants taken; each waits for all above it, while
// they run.
// Source: Worringer, dissertation, 6.6 (rpipe).
// Model: models/coll_chain.pml.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coll/areas.hpp"
#include "coll/joint.hpp"
#include "datatype/op.hpp"

namespace loadstone::coll {

class chain_work {
 public:
  using result_of = reduction_work::result_of;
  // Of a piece, and of those that lie in the block. The same at all members; tests have less.
  static inline std::int64_t piece_bytes = 64 * 1024, block_bytes = 1 << 20;

  // As round_work.
  void open(std::int32_t members, std::int32_t rank, const reduction_work::form& f,
            const datatype::type& type, const datatype::op& op, std::span<const std::int64_t> shares,
            const void* input, void* result);

  void offer_in(areas& a);
  bool go_on(areas& a);
  // The highest had no memory for the block: nothing has been done, which all find alike.
  bool refused() const { return refused_; }
  const datatype::op& op() const { return *op_; }
  // How far all have come together, of use to who waits for it only.
  std::int64_t done_by_all(areas& a) const;

 private:
  struct range {
    std::int64_t first, end;  // elements
  };
  // What a member's word says: nothing yet; so many pieces, and 1; or that nothing will come.
  static constexpr std::int64_t nothing = 0, stopped = -1;
  static constexpr std::int64_t folded(std::int64_t pieces) { return pieces + 1; }

  std::size_t bytes(std::int64_t elements) const {
    return static_cast<std::size_t>(elements * type_->size());
  }
  bool highest() const { return rank_ == members_ - 1; }
  range piece(std::int64_t k) const { return {k * piece_, std::min((k + 1) * piece_, elements_)}; }
  std::byte* place_of(std::int64_t k) const {
    return block_ + static_cast<std::size_t>(k % places_) * apart_;
  }
  std::int64_t word_of(areas& a, std::int32_t member) const;
  std::int64_t taken_by(areas& a, std::int32_t member) const;
  void say(areas& a, std::int64_t word);
  void stop(areas& a);
  bool agrees_with_above(areas& a);
  bool has_place(areas& a, std::int64_t k) const;
  void fold(std::int64_t k) const;
  void take(std::int64_t k) const;
  bool step(areas& a);
  member_set awaited(areas& a) const;

  std::int32_t members_ = 0, rank_ = 0;
  const datatype::type* type_ = nullptr;
  const datatype::op* op_ = nullptr;
  const std::byte* input_ = nullptr;
  std::byte* result_ = nullptr;  // of `wanted_`
  range wanted_{0, 0};
  std::int64_t elements_ = 0, piece_ = 1, pieces_ = 0;
  std::int64_t places_ = 1;  // pieces in the block
  std::size_t apart_ = 0;    // bytes from one to the next: whole lines
  range takes_{0, 0};        // the pieces that it lies in
  std::uint64_t shape_ = 0;  // as reduction_work

  std::byte* block_ = nullptr;  // null: it cannot be mapped, and we take part without any data
  std::int64_t folded_ = 0, taken_ = 0;
  bool agreed_ = false;  // with all above
  bool stopped_ = false;
  bool refused_ = false;
  bool first_word_ = false;  // the highest's, has been published, and nobody told
};

}  // namespace loadstone::coll
