// What a receiver knows of the messages of one (sender, communicator): how far they have come, and
// where the receives posted for them hang. Found by both ends of a match without a hash: a receive
// has it from its communicator and rank, a message from its sender's number, as long as the sender
// stays with one communicator. A message that comes when its communicator has been freed here has
// no channel, and nobody will receive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "p2p/matching/closed_contexts.hpp"
#include "p2p/matching/message_order.hpp"
#include "p2p/matching/posted.hpp"

namespace loadstone::p2p {

struct channel {
  std::uint64_t context = 0;
  message_order order;
  bin<posted_receive>* posted = nullptr;  // the list of receives that was looked for last
  // Its communicator is gone, and messages that were left are still in their sender's queue.
  bool over = false;
};

class channels {
 public:
  struct key {
    std::uint64_t context;
    std::uint32_t process;
    friend bool operator==(const key&, const key&) = default;
  };
  struct hash {
    std::size_t operator()(const key& k) const {
      const std::uint64_t h = (k.context ^ std::uint64_t{k.process} << 40) * 0x9e3779b97f4a7c15u;
      return h ^ h >> 32;
    }
  };

  // `processes`: their numbers are below that.
  explicit channels(std::uint32_t processes) : newest_(processes, &none_) {}
  channels(const channels&) = delete;
  channels& operator=(const channels&) = delete;

  // Stays where it is until drop().
  channel& at(std::uint64_t context, std::uint32_t process) {
    channel* c = newest_[process];
    if (c->context == context) [[likely]]
      return *c;
    return find(context, process);
  }
  // Null unless it is the one of this process that was asked for last.
  channel* newest(std::uint64_t context, std::uint32_t process) const {
    channel* c = newest_[process];
    return c->context == context ? c : nullptr;
  }
  // Of a message that has come. Null: it is late, its communicator has been freed here.
  channel* of_arrival(std::uint64_t context, std::uint32_t process, std::uint32_t sequence) {
    channel* c = newest_[process];
    if (c->context == context) [[likely]]
      return c;
    return find_of_arrival(context, process, sequence);
  }
  // A late message comes out of its sender's queue. True: it had been left there before its
  // communicator went.
  bool fetch_late(std::uint64_t context, std::uint32_t process, std::uint32_t sequence) {
    const auto found = table_.find(key{context, process});
    if (found == table_.end() || !found->second.order.fetch(sequence)) return false;
    if (!found->second.order.holds_left()) table_.erase(found);
    return true;
  }
  // A communicator is freed: close() once, drop() for each of its processes.
  void close(std::uint64_t context) { closed_.add(context); }
  bool closed(std::uint64_t context) const { return closed_.contains(context); }
  void drop(std::uint64_t context, std::uint32_t process) {
    const auto found = table_.find(key{context, process});
    if (found == table_.end()) return;
    channel& c = found->second;
    if (c.posted != nullptr) c.posted->known_at = nullptr;
    if (newest_[process] == &c) newest_[process] = &none_;
    if (c.order.holds_left())
      c.posted = nullptr, c.over = true;
    else
      table_.erase(found);
  }
  std::size_t size() const { return table_.size(); }

 private:
  [[gnu::noinline]] channel& find(std::uint64_t context, std::uint32_t process) {
    channel& c = table_[key{context, process}];
    c.context = context;
    newest_[process] = &c;
    return c;
  }

  // Out of line: the sender's communicator is another one than that of its last message. What comes
  // first through a channel is number 0.
  [[gnu::noinline]] channel* find_of_arrival(std::uint64_t context, std::uint32_t process,
                                             std::uint32_t sequence) {
    const auto found = table_.find(key{context, process});
    if (found == table_.end())
      return sequence != 0 || closed_.contains(context) ? nullptr : &find(context, process);
    if (found->second.over) return nullptr;
    return newest_[process] = &found->second;
  }

  std::unordered_map<key, channel, hash> table_;  // nodes do not move
  closed_contexts closed_;
  std::vector<channel*> newest_;                         // by process: asked for last
  channel none_{~std::uint64_t{0}, {}, nullptr, false};  // of no communicator
};

}  // namespace loadstone::p2p
