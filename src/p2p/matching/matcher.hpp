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
  matcher(std::uint32_t self, std::uint32_t processes) : self_(self), channels_(processes) {}

  // --- receives ---
  // Of a (sender, communicator); stays where it is until forget().
  channel& channel_of(std::uint64_t context, std::uint32_t process) { return channels_.at(context, process); }
  // `from`: null for a receive from any source.
  void post(posted_receive* r, const match_key& key, channel* from) {
    posted_.append(r, key, from == nullptr ? nullptr : &from->posted);
  }
  // Without wildcards, with the tag of the last one; false: nothing has been done, use post().
  bool post_next(posted_receive* r, channel& from, std::int32_t tag) {
    return posted_.append_next(r, from.posted, tag);
  }
  void unpost(posted_receive* r) { posted_.remove(r); }
  bool may_advertise(const match_key& key) const { return posted_.may_advertise(key); }
  std::size_t posted() const { return posted_.size(); }

  // --- messages that come ---
  // Null: its communicator has been freed here (drop_late says what becomes of it).
  channel* channel_of_arrival(const match_key& key, std::uint32_t sequence) {
    return channels_.of_arrival(key.context, key.process, sequence);
  }
  // The receive that a message of this channel matches, left in its list.
  posted_receive* find(const match_key& key, channel& from) const { return posted_.find(key, from.posted); }
  // Its number is due. `ahead`: it came out of a queue, perhaps before older ones.
  void check_order(channel& from, const match_key& key, std::uint32_t sequence, bool ahead) {
    if (!from.order.next_of_all(sequence)) [[unlikely]]
      check_gap(from.order, key, sequence, ahead);
  }
  // For most messages, in three looks: the channel asked for last, its list, and its number.
  channel* newest_channel(std::uint64_t context, std::uint32_t process) const {
    return channels_.newest(context, process);
  }
  posted_receive* next(const channel& from, std::int32_t tag) const { return posted_.next(from.posted, tag); }
  void unpost_next(channel& from) { posted_.remove_next(from.posted); }
  // A message for a communicator that is gone is thrown away.
  void drop_late(const match_key& key, std::uint32_t sequence) {
    if (channels_.fetch_late(key.context, key.process, sequence)) left_.remove(key);
  }

  // --- unexpected messages ---
  void keep(unexpected_message* m) { unexpected_.append(m); }
  void take(unexpected_message* m) { unexpected_.remove(m); }
  unexpected_message* find_unexpected(const match_key& key) { return unexpected_.find(key); }
  unexpected_message* first_unexpected() const { return unexpected_.first(); }
  std::size_t unexpected() const { return unexpected_.size(); }

  // --- messages that stay with their senders ---
  void leave(channel& from, const match_key& key, std::uint32_t sequence) {
    if (from.order.leave(sequence)) left_.add(key);
  }
  bool may_be_left(const match_key& wanted) const { return left_.size() != 0 && left_.may_hold(wanted); }
  std::size_t left() const { return left_.size(); }

  // --- communicators that go ---
  void close(std::uint64_t context) { channels_.close(context); }  // once, then forget() for each process
  bool closed(std::uint64_t context) const { return channels_.closed(context); }
  void forget(std::uint64_t context, std::uint32_t process) { channels_.drop(context, process); }
  std::size_t channels_known() const { return channels_.size(); }

 private:
  void check_gap(message_order& s, const match_key& key, std::uint32_t sequence, bool ahead);

  const std::uint32_t self_;
  posted_receives posted_;
  unexpected_messages unexpected_;
  channels channels_;
  kept_index left_;
};

}  // namespace loadstone::p2p
