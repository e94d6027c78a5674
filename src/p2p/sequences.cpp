#include "p2p/sequences.hpp"

namespace loadstone::p2p {

void attach(scope& where) {
  if (where.sequence != nullptr) return;
  auto made = std::make_shared<scope::sequences>();
  made->members.resize(where.peers.size());
  made->identity = true;
  for (std::size_t r = 0; r < where.peers.size(); ++r) {
    made->members[r].process = where.peers[r];
    made->identity = made->identity && where.peers[r] == r;
  }
  if (!made->identity) {
    for (std::size_t r = 0; r < where.peers.size(); ++r)
      made->rank_of.emplace(where.peers[r], static_cast<std::int32_t>(r));
  }
  where.sequence = std::move(made);
}

std::int32_t rank_of(scope& where, std::uint32_t process) {
  const scope::sequences& known = sequences_of(where);
  if (known.identity) return process < where.peers.size() ? static_cast<std::int32_t>(process) : any_source;
  const auto found = known.rank_of.find(process);
  return found == known.rank_of.end() ? any_source : found->second;
}

}  // namespace loadstone::p2p
