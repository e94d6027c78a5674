// The areas of all members (area_layout.hpp) as one member sees them: of one sequence of
// collectives of a communicator, or of one persistent collective. In them, collectives are stores,
// flags and loads; no message travels.
//
// Order: the operations of a sequence are done one after the other, in the order of their numbers,
// which is the same at all members. So whoever has published number n is past all that are lower.
//
// Slots: an operation uses those that its number says, and for longer data the halves of its
// parity. Nobody closes an operation with a barrier: whoever is going to write there sees to it
// that all others are past the operation that it was last written for (ready()). What has been seen
// is remembered, and most operations show it by the way.
//
// Memory: an area is given back when all others have left it (area_memory.hpp).
//
// Model: models/coll_area.pml.
#pragma once

#include <cstdint>
#include <vector>

#include "coll/area_blocks.hpp"
#include "coll/arrivals.hpp"
#include "coll/member_set.hpp"
#include "coll/offers.hpp"
#include "coll/signature.hpp"

namespace loadstone::coll {

class schedule;

// Schedules begin in the order in which they are started.
class schedule_line {
 public:
  bool is_empty() const { return first_ == nullptr && !running_; }
  void join(schedule& s);   // and begins it, if none is before it
  bool leave(schedule& s);  // it is over; true: go_on() is owed
  void go_on();             // begins the next one

 private:
  schedule* first_ = nullptr;
  bool running_ = false;
};

class areas : public area_blocks {
 public:
  static constexpr std::int32_t nobody = -1, all = -2;

  using area_blocks::area_blocks;

  schedule_line& line() { return line_; }

  // --- one operation. `number`: that of the communicator, or 0: the next. Each function that is
  // called `…_is` or `ready` only looks; false: not yet, and somebody will wake us.
  void begin(std::uint32_t number, bool counted, const signature& does);
  void finish(bool used_slots);
  void look_for_nobody() { looking_ = looking::nothing; }  // messages are awaited
  // May our slot be written, with so many bytes? An offer, and with that the block of its parity?
  bool ready(std::uint64_t bytes);
  bool ready_for_offer() { return ready(0) && half_is_ready(); }
  void publish(std::int32_t to);
  bool published_is(std::int32_t by);
  bool all_published_is();  // by members [0, below) but us
  bool published_is_below(std::int32_t below);
  // Flags, as many rounds as wait::flag_barrier has.
  void tell(std::uint32_t round);
  bool told_is(std::uint32_t round);
  void past_barrier() { past_all_ = number_ - 1; }
  // Counters. True: we are the last to come.
  bool arrive();
  void let_go(std::int32_t whom);
  bool let_go_is();

  // With fewer cores than members: is it of no use to give our core to those that share it? They
  // have all come, or the one whom the wait is for runs on another.
  bool waits_for_other_cores();

  // Trees by levels (levels.hpp). A slot is passed to who is named then: once towards the root, and
  // once, with a mark of its own, when the root has heard from all and gives them something.
  void pass(bool back);
  void read_by(std::int32_t rank);
  bool passed_is(std::int32_t by, bool back);

  // --- data that does not fit a slot (joint.hpp)
  // Our slot is made known, and nobody is woken for that.
  void publish_quietly();
  // The same; nobody but `members` reads it. With a core for each, they are woken.
  void publish_to(const member_set& members);
  void unpublish();
  bool has_come(std::int32_t member);     // has it published its slot?
  bool await(const member_set& members);  // they have something to do yet; false
  void wake(std::int32_t member) { memory_.endpoint().wake(process_of(member)); }
  void wake_all();
  void wake_helpers();  // as many as there are cores beside ours

 private:
  friend class missing_members;
  enum class looking : std::uint8_t { nothing, slot, one, many, flag, release, work, tree };
  std::uint64_t mark() const { return mark_; }
  // What goes both ways has no root, so a bit of that is free.
  std::uint64_t mark_back() const { return mark() ^ 0x80; }
  void told_finished(std::uint64_t number);
  [[gnu::cold]] void tell_those_who_want();
  struct use {
    std::uint64_t number = 0;
    member_set readers = member_set::all();
  };
  bool past(const use& u) { return past_all_ >= u.number || all_are_past(u); }
  bool all_are_past(const use& u);
  bool half_is_ready();
  void note_use(const member_set& readers) { uses_[slot_] = {number_, readers}; }
  // To one member, all others or nobody, who look for what we have stored whenever they attend.
  void announce(std::int32_t whom);
  bool is_past(std::int32_t rank, std::uint64_t number);
  bool wait_for(looking what, std::int32_t index);
  bool is_missing(std::int32_t rank) const;

  schedule_line line_;
  std::uint64_t mark_ = 0;  // of the operation
  use uses_[area_slots];    // the last operation that each of our slots was written for
  struct {
    std::uint64_t number = 0;
    std::size_t slot = 0;
  } halves_[2];                 // that each of our halves was
  std::uint64_t past_all_ = 0;  // operations that all others are past
  std::uint64_t told_ = 0;      // what `finished` of our own says
  std::int32_t heard_ = 0;      // of those that are looked for, so many have published
  looking looking_ = looking::nothing;
  std::int32_t looking_at_ = 0;  // a rank or a round
  member_set awaited_;
  arrivals arrivals_{size()};
};

}  // namespace loadstone::coll
