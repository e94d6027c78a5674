// What the engine keeps about the members of a communicator.
#pragma once

#include <algorithm>
#include <ranges>
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

  explicit sequences(const std::vector<std::uint32_t>& peers) : members(peers.size()) {
    for (std::size_t r = 0; r < peers.size(); ++r) members[r].process = peers[r];
    identity = std::ranges::equal(peers, std::views::iota(0u, static_cast<std::uint32_t>(peers.size())));
    for (std::size_t r = 0; r < peers.size() && !identity; ++r)
      rank_of.emplace(peers[r], static_cast<std::int32_t>(r));
  }
  member& of(std::int32_t rank) { return members[static_cast<std::size_t>(rank)]; }
};

inline scope::sequences& sequences_of(scope& where) {
  if (where.sequence == nullptr) [[unlikely]]
    where.sequence = std::make_shared<scope::sequences>(where.peers);
  return *where.sequence;
}
inline std::int32_t rank_of(scope& where, std::uint32_t process) {
  const scope::sequences& known = sequences_of(where);
  if (known.identity) return process < where.peers.size() ? static_cast<std::int32_t>(process) : any_source;
  const auto found = known.rank_of.find(process);
  return found == known.rank_of.end() ? any_source : found->second;
}

}  // namespace loadstone::p2p
