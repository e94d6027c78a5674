// All rings of a process (ring.hpp): those it has made for peers that send it much in a row, and
// how many of others' it has accepted. A ring is offered by its receiver, in a message; its sender
// accepts or refuses it. Condition: one thread receives here. Cost: a ring in the receiver's arena,
// and a mapping that stays pinned at the sender.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "transport/lane.hpp"
#include "transport/peer_table.hpp"

namespace loadstone::transport {

class ring_lane {
 public:
  // `most`: rings to be made here, and to be accepted; `after`: messages in a row before one is
  // offered.
  ring_lane(peer_table& peers, peer_memory& memory, std::uint32_t most_made, std::uint32_t most_accepted,
            std::uint32_t after)
      : peers_(peers), memory_(memory), after_(after), most_made_(most_made), most_accepted_(most_accepted) {}

  void make_no_more() { most_made_ = 0; }
  bool empty() const { return rings_.empty(); }
  bool at_hand() const { return !rings_.empty() && arrived(); }
  bool arrived() const {
    return std::any_of(rings_.begin(), rings_.end(), [](const auto& in) { return in->front() != nullptr; });
  }
  template <class Take>
  lane_state take_one(Take&& take) {
    std::uint32_t source;
    return take_some(1, take, &source) != 0 ? lane_state::taken
           : not_due_                       ? lane_state::not_due
                                            : lane_state::empty;
  }
  // Up to `most` of each ring; of one ring, if it is one. How many; `source`: whose was the last.
  template <class Take>
  std::uint32_t take_some(std::uint32_t most, Take&& take, std::uint32_t* source);
  // The next one of one sender.
  template <class Take>
  [[gnu::always_inline]] lane_state take_from(ring_receiver& in, Take& take);
  // Has take_some() found a message that is not due?
  bool not_due() const { return not_due_; }

  // A message of that peer has come by the inbox or a queue. True: a ring should be offered to it.
  bool heard(std::uint32_t source) { return ++peers_.met(source).by_inbox == after_; }
  // A ring for that peer, to be offered as this local_address; and if the offer does not leave,
  // withdraw().
  std::optional<std::uint64_t> make_for(std::uint32_t index);
  void withdraw(std::uint32_t index);
  void accept(std::uint32_t index, local_address where);

 private:
  void drop(ring_receiver& in);

  peer_table& peers_;
  peer_memory& memory_;
  std::vector<std::unique_ptr<ring_receiver>> rings_;
  const std::uint32_t after_;
  std::uint32_t most_made_;
  const std::uint32_t most_accepted_;
  std::uint32_t accepted_ = 0;
  bool not_due_ = false;
};

template <class Take>
inline lane_state ring_lane::take_from(ring_receiver& in, Take& take) {
  slot* s = in.front();
  if (s == nullptr) return lane_state::empty;
  if (s->handler == ring_refused) [[unlikely]] {
    drop(in);
    return lane_state::empty;
  }
  if (s->sequence != take.due(in.source(), s->kind)) [[unlikely]]
    return lane_state::not_due;
  take(*s, in.source(), true, false);
  in.release(*s);
  return lane_state::taken;
}

template <class Take>
std::uint32_t ring_lane::take_some(std::uint32_t most, Take&& take, std::uint32_t* source) {
  std::uint32_t all = 0;
  not_due_ = false;
  for (std::size_t i = 0; i < rings_.size(); ++i) {  // a ring that is refused goes while we look
    ring_receiver& in = *rings_[i];
    const std::uint32_t whose = in.source();
    std::uint32_t handled = 0;
    lane_state last = lane_state::empty;
    while (handled < most && (last = take_from(in, take)) == lane_state::taken) ++handled;
    if (last == lane_state::not_due) [[unlikely]]
      not_due_ = true;
    if (handled == 0) continue;
    all += handled;
    *source = whose;
    if (most == 1) break;
  }
  return all;
}

static_assert(lane<ring_lane>);

}  // namespace loadstone::transport
