// What the engine keeps about the members of a communicator.
#pragma once

#include <unordered_map>
#include <vector>

#include "p2p/engine.hpp"
#include "p2p/matching/channels.hpp"

namespace loadstone::p2p {

struct scope::sequences {
  struct member {
    std::uint32_t process = 0;
    std::uint32_t sent = 0;      // messages to it
    std::uint32_t ordinary = 0;  // the same, up to the last that was not deposited into an advert
    channel* from = nullptr;     // messages from it; null: nothing was posted for it yet

    void has_left() { ordinary = ++sent; }
  };
  std::vector<member> members;                              // by rank
  bool identity = false;                                    // rank r is process r
  std::unordered_map<std::uint32_t, std::int32_t> rank_of;  // otherwise
  member& of(std::int32_t rank) { return members[static_cast<std::size_t>(rank)]; }
};

void attach(scope& where);  // makes them
inline scope::sequences& sequences_of(scope& where) {
  if (where.sequence == nullptr) [[unlikely]]
    attach(where);
  return *where.sequence;
}
std::int32_t rank_of(scope& where, std::uint32_t process);

}  // namespace loadstone::p2p
