// What a receiver knows of the messages of one (sender, communicator): how far they have come, and where the receives
// posted for them hang. Found by both ends of a match without a hash: a receive has it from its communicator and
// rank, a message from its sender's number, as long as the sender stays with one communicator.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "p2p/bins.hpp"
#include "p2p/streams.hpp"

namespace loadstone::p2p {

struct message_request;

struct channel {
  std::uint64_t context = 0;
  stream order;
  bin<message_request>* posted = nullptr;  // the list of receives that was looked for last
};

class channels {
 public:
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
  void drop(std::uint64_t context, std::uint32_t process) {
    const auto found = table_.find(key{context, process});
    if (found == table_.end()) return;
    channel& c = found->second;
    if (c.posted != nullptr) c.posted->known_at = nullptr;
    if (newest_[process] == &c) newest_[process] = &none_;
    table_.erase(found);
  }

 private:
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
  [[gnu::noinline]] channel& find(std::uint64_t context, std::uint32_t process) {
    channel& c = table_[key{context, process}];
    c.context = context;
    newest_[process] = &c;
    return c;
  }

  std::unordered_map<key, channel, hash> table_;  // nodes do not move
  std::vector<channel*> newest_;                  // by process: asked for last
  channel none_{~std::uint64_t{0}, {}, nullptr};  // of no communicator
};

}  // namespace loadstone::p2p
