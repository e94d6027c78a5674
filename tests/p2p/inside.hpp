// For tests: what an engine remembers of communicators, which is nobody else's business. An
// explicit instantiation may name what is private.
#pragma once

#include "p2p/state.hpp"

namespace loadstone::testing {

template <auto Member>
struct opened_engine {
  friend const p2p::engine::state& inside(const p2p::engine& e) { return *(e.*Member); }
};
template struct opened_engine<&p2p::engine::state_>;
const p2p::engine::state& inside(const p2p::engine& e);

// Channels, lists of adverts, messages that were left in senders' queues.
inline std::size_t remembered_of(const p2p::engine& e) {
  const p2p::engine::state& s = inside(e);
  return s.incoming.size() + s.adverts.size() + s.kept.size();
}

}  // namespace loadstone::testing
