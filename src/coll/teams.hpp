// The teams (builder.hpp) of a communicator: its local group, and its remote one.
#pragma once

#include "coll/builder.hpp"
#include "coll/engine.hpp"

namespace loadstone::coll {

inline team local_team(const group_view& g) {
  return {g.local, g.rank, g.local_size};
}
inline team remote_team(const group_view& g) {
  return {g.remote, g.rank, g.remote_size};
}

}  // namespace loadstone::coll
