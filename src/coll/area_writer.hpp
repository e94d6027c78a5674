// Writes what a collective does in areas (areas.hpp), beside the builder that it is written into.
// An algorithm reads as: put() our data in our slot and publish() it; hear() others;
// take() their data, fold() it into a reduction. Nothing of that happens while writing.
//
// Where the members have not met yet, the schedule has three parts: they tell each other where
// their areas are, by messages; then comes what is done in areas, or, if one has none, what is done
// by messages.
#pragma once

#include <cstddef>
#include <optional>

#include "coll/algorithms.hpp"
#include "coll/areas.hpp"
#include "coll/builder.hpp"
#include "coll/levels.hpp"

namespace loadstone::coll {

class area_writer {
 public:
  area_writer(builder& b, const team& t) : b_(b), team_(t) {}
  // Along levels.
  area_writer(builder& b, const team& t, const levels& l, const model::fans& in, const model::fans& out)
      : b_(b), team_(t), levels_(&l), in_(in), out_(out) {}
  bool by_levels() const { return levels_ != nullptr; }

  // `shared()` writes what is done in areas, `messages()` what is done without: where there are
  // none, where buffers are not reached, or where a member has no memory for a block.
  enum class needs : std::uint8_t { slots, buffers, blocks };
  template <class Shared, class Messages>
  void write(areas& a, needs what, Shared&& shared, Messages&& messages) {
    if (a.decided() == areas::state::refused) return messages();
    const bool met = a.decided() == areas::state::shared;
    if (met && what == needs::buffers && !a.buffers()) return messages();
    enter(a);
    std::size_t choose = 0;
    if (!met) {
      introduce(a);
      choose = add(schedule::action::choose);
      if (what == needs::buffers) b_.s_.steps_[choose].phase = 1;
    }
    add(schedule::action::begin);
    shared();
    if (met && what != needs::blocks) return;
    const std::size_t end = add(schedule::action::go_on, areas::all);
    if (!met) lead_here(choose);
    if (work_ != 0) lead_here(work_);
    messages();
    lead_here(end);
  }

  bool crowded() const { return b_.s_.areas_->crowded(); }
  const team& members() const { return team_; }

  void put(buffer data);  // into our slot; publish() makes it known, or that we arrive (last_comer.hpp)
  void publish(std::int32_t to = areas::all);
  void hear(std::int32_t from = areas::all);
  void hear_below(std::int32_t rank);
  // All have put what they give, and it may be read. While they come, what a member has for itself
  // is copied.
  void everybody(buffer own = {}, buffer own_place = {});

  void take(std::int32_t from, buffer to);
  void take_part(std::int32_t from, std::int32_t part, buffer to);  // of as many as there are members
  // Elements from `first` on, of `put` elements.
  void take_elements(std::int32_t from, const operand& o, std::int64_t first, std::int64_t put, void* to);
  // The reduction of what the members [0, above) have put, from the highest down, in `result`: of
  // the elements from `first` on, of `put` elements. `highest`: where the operand of member `above`
  // lies, which is folded first.
  void combine(std::int32_t above, const operand& o, void* result, std::int64_t first, std::int64_t put,
               std::optional<const void*> highest = {});

  // --- along the levels of the machine (levels.hpp)

  // Where we are in the tree to `root`, and in the one from there.
  levels::seat seat_to(std::int32_t root) const { return levels_->seat_of(team_.rank, root, in_); }
  levels::seat seat_from(std::int32_t root) const { return levels_->seat_of(team_.rank, root, out_); }
  // Our slot is made known to one, or to all below us, the farthest first. `back`: on the way from
  // the root, which has heard from all.
  void pass_up(const levels::seat& at);
  void pass_down(const levels::seat& at, bool back);
  void be_passed(std::int32_t from, bool back = false);
  // What the members of a group have put, and ours, which lies at `mine`, folded in rank order.
  void combine_group(std::span<const std::int32_t> group, const operand& o, const void* mine, void* result);

  // --- data that stays where it is (joint.hpp)
  exchange_work& exchange();
  edge_work& edges(bool moves = false);
  reduction_work& reduction();
  round_work& reduction_in_rounds();
  chain_work& reduction_in_chain();
  stream_work& streams(stream_work::form f);
  void offer();
  void work();  // until all that concerns us is done
  // A barrier by flags.
  void rounds();
  // What has been folded for others, into a slot that all have put into.
  void answer(buffer data, std::int32_t in_slot_of = 0);

 private:
  friend class last_comer;
  friend class block_writer;
  std::size_t add(schedule::action what, std::int32_t peer = areas::nobody, std::int32_t number = -1);
  void lead_here(std::size_t step);
  void* room_for_lower(const operand& o);
  // `higher`: none if that operand is what the next rank has put.
  void fold_slot(std::int32_t from, const operand& o, std::int64_t first, std::int64_t put, void* room,
                 std::optional<const void*> higher, void* result);
  void enter(areas& a);
  void introduce(areas& a);

  builder& b_;
  const team& team_;
  const levels* levels_ = nullptr;
  model::fans in_{}, out_{};
  std::size_t work_ = 0;  // a step
};

}  // namespace loadstone::coll
