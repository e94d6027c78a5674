// The receiving end of the inbox: messages in order, but past a slot that a producer has claimed
// and not published (a *gap*), which is voided when that producer is dead.
#pragma once

#include <chrono>
#include <optional>

#include "memory/job.hpp"
#include "transport/inbox.hpp"
#include "transport/lane.hpp"
#include "transport/peer_memory.hpp"

namespace loadstone::transport {

class inbox_lane {
 public:
  inbox_lane(memory::job& job, peer_memory& memory) : job_(job), memory_(memory) {}
  void open(front& own, std::uint64_t first_position);

  bool at_hand() const { return inbox_.front() != nullptr; }
  bool arrived() { return inbox_.pending() && inbox_.find() != nullptr; }

  // At most one: does not poll the next slot, whose line would have to travel.
  template <class Take>
  lane_state take_one(Take&& take) {
    return take_some(1, take) != 0 ? lane_state::taken : lane_state::empty;
  }
  template <class Take>
  std::uint32_t take_some(std::uint32_t most, Take&& take) {
    std::uint32_t handled = 0;
    for (slot* s = inbox_.first(); inbox_.published(s); s = inbox_.first()) {
      take(*s, s->source, true, false);
      inbox_.release(*s);
      if (++handled == most) break;
    }
    return handled;
  }
  // Everything that is published by now, past gaps. Reads the tail word, which senders fight for.
  template <class Take>
  bool take_past_gaps(Take&& take);
  // An empty poll: is it time for one past gaps?
  bool poll_past_gaps() {
    constexpr std::uint32_t every = 64;
    return gap_ || ++idle_ % every == 0;
  }
  bool gap() const { return gap_; }
  // Something that was to come before is not there: perhaps it is behind a gap.
  void suspect_gap() { gap_ = true; }

  // --- sleeping (models/sleep.pml) ---
  // Sets the sleep bit. False: there is a message.
  bool set_sleep_bit();
  // Behind that, and after a poll of all other lanes: how long the sleep may be. Nothing: there
  // is a message now.
  std::optional<std::chrono::nanoseconds> longest_sleep();

  std::uint64_t voided() const { return voided_; }

 private:
  void check_first_holder();  // voids the first slot if whoever claimed it is dead

  memory::job& job_;
  peer_memory& memory_;
  inbox_lines* lines_ = nullptr;
  std::uint32_t slots_ = 0;
  inbox::consumer inbox_;
  std::uint32_t idle_ = 0;  // empty polls
  bool gap_ = false;        // an unpublished slot stands in front
  bool gap_before_sleep_ = false;
  std::uint32_t gap_sleeps_ = 0;
  std::uint64_t voided_ = 0;
};

template <class Take>
bool inbox_lane::take_past_gaps(Take&& take) {
  // So many that everything published by now is among them: find() gives the oldest first.
  std::uint32_t most = slots_;
  bool any = false;
  slot* s = nullptr;
  while (most != 0 && (s = inbox_.find()) != nullptr) {
    --most;
    any = true;
    take(*s, s->source, true, false);
    inbox_.release_found(s);
  }
  gap_ = s == nullptr && inbox_.pending();
  if (gap_ && !any && ++idle_ % 4096 == 0) check_first_holder();
  return any;
}

static_assert(lane<inbox_lane>);

}  // namespace loadstone::transport
