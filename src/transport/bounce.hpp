// Bounce buffers of a sender: payload that fits no lane is copied into a cell of its arena, which
// the message names and its receiver gives back (cells.hpp); through the caches or past them
// (copy/store_choice.hpp).
#pragma once

#include "transport/cells.hpp"
#include "transport/filling.hpp"
#include "transport/peer_memory.hpp"

namespace loadstone::transport {

class bounce_buffers {
 public:
  bounce_buffers(memory::arena& arena, std::size_t limit, bool always_past = false)
      : arena_(arena), cells_(arena, limit), stores_(always_past) {}

  filling begin(const outgoing& m, bool whole);  // nothing: no cell is free
  void finish(const outgoing& m, filling& f);
  // It does not leave after all.
  static void drop(filling& f) { give_back(*f.cell); }
  std::uint64_t name_of(const filling& f) const {
    return f.cell == nullptr ? 0 : local_address::of(arena_.address_of(f.cell)).bits;
  }

 private:
  memory::arena& arena_;
  cells cells_;
  copy::store_choice stores_;
};

}  // namespace loadstone::transport
