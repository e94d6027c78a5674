// Bounce buffers of a sender: payload that fits no lane is copied into a cell, which the message
// names and its receiver gives back (cells.hpp), or keeps for its own next message to us
// (passed_cells.hpp); through the caches or past them (copy/store_choice.hpp).
#pragma once

#include "base/cpus.hpp"
#include "transport/cells.hpp"
#include "transport/filling.hpp"
#include "transport/passed_cells.hpp"

namespace loadstone::transport {

class bounce_buffers {
 public:
  // Bytes of cells that come back, and of those that are passed, at most.
  bounce_buffers(peer_memory& memory, std::size_t limit, std::size_t passed, bool always_past = false)
      : arena_(memory.arena()),
        cells_(arena_, limit, 2 * base::second_level_cache()),
        passed_(memory, passed, base::second_level_cache()),
        stores_(always_past) {}

  // `parts`: it may be published with the first. Nothing: no cell is free.
  filling begin(std::uint32_t peer, const outgoing& m, bool parts);
  void finish(const outgoing& m, filling& f);
  // It does not leave after all.
  void drop(std::uint32_t peer, filling& f);
  // Memory is short: all that nobody reads or writes goes. False: there is none.
  bool shed() { return cells_.shed() | passed_.shed(); }
  passed_cells& passed() { return passed_; }

 private:
  memory::arena& arena_;
  void take(std::uint32_t peer, const outgoing& m, bool followed, filling& f);

  cells cells_;
  passed_cells passed_;
  memory::pin filled_;  // of a peer's cell, until the next one is taken
  copy::store_choice stores_;
};

}  // namespace loadstone::transport
