// Matching: which receive gets which message. It knows keys, order and lists. What a receive or a
// message is beside that, how its data moves and where a peer is, it does not.
//
// A receive looks among unexpected messages first, is then posted, and then looks for what senders
// have kept (may_be_left). A message first has to find its channel, looks among posted receives,
// has its number checked (check_order), and becomes unexpected or stays with its sender (leave).
// Both look for the oldest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "p2p/matching/channels.hpp"
#include "p2p/matching/kept_index.hpp"
#include "p2p/matching/posted.hpp"
#include "p2p/matching/unexpected_messages.hpp"

namespace loadstone::p2p {

[[noreturn]] void broken(const char* what);  // a defect of ours: says so and aborts

class matcher {
 public:
  // `self`: the number of this process, for reports; the numbers of all are below `processes`.
  matcher(std::uint32_t self, std::uint32_t processes) : senders(processes), self_(self) {}

  // What concerns one of them alone is asked there.
  posted_receives posted;
  unexpected_messages unexpected;
  channels senders;

  // --- receives ---
  // `from`: null for a receive from any source.
  void post(posted_receive* r, const match_key& key, channel* from) {
    posted.append(r, key, from == nullptr ? nullptr : &from->posted);
  }

  // --- messages that come ---
  // Null: its communicator has been freed here (drop_late says what becomes of it).
  channel* channel_of_arrival(const match_key& key, std::uint32_t sequence) {
    return senders.of_arrival(key.context, key.process, sequence);
  }
  // The receive that a message of this channel matches, left in its list.
  posted_receive* find(const match_key& key, channel& from) const { return posted.find(key, from.posted); }
  // Its number is due. `ahead`: it came out of a queue, perhaps before older ones.
  void check_order(channel& from, const match_key& key, std::uint32_t sequence, bool ahead) {
    if (!from.order.next_of_all(sequence)) [[unlikely]]
      check_gap(from.order, key, sequence, ahead);
  }
  // A message for a communicator that is gone is thrown away.
  void drop_late(const match_key& key, std::uint32_t sequence) {
    if (senders.fetch_late(key.context, key.process, sequence)) left_.remove(key);
  }

  // --- messages that stay with their senders ---
  void leave(channel& from, const match_key& key, std::uint32_t sequence) {
    if (from.order.leave(sequence)) left_.add(key);
  }
  bool may_be_left(const match_key& wanted) const { return left_.size() != 0 && left_.may_hold(wanted); }
  std::size_t left() const { return left_.size(); }

 private:
  void check_gap(message_order& s, const match_key& key, std::uint32_t sequence, bool ahead);

  const std::uint32_t self_;
  kept_index left_;
};

}  // namespace loadstone::p2p
