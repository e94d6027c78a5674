// Pointers into job memory, whoever owns it: our own arena directly, a peer's through a pinned mapping.
#pragma once

#include "memory/arena.hpp"
#include "memory/mappings.hpp"
#include "transport/local_address.hpp"

namespace loadstone::transport {

// Valid while it lives.
struct reached {
  std::byte* at = nullptr;
  memory::pin pin;
};

class peer_memory {
 public:
  peer_memory(std::uint32_t self, memory::arena& arena, memory::mappings& mappings)
      : self_(self), arena_(arena), mappings_(mappings) {}

  base::result<reached> reach(memory::address where) {
    if (where.region.process == self_) return reached{static_cast<std::byte*>(arena_.pointer(where)), {}};
    auto pinned = mappings_.acquire(where.region);
    if (!pinned) return pinned.error();
    std::byte* at = pinned->at(where.offset);
    return reached{at, std::move(*pinned)};
  }

  std::uint32_t self() const { return self_; }
  memory::arena& arena() { return arena_; }
  memory::mappings& mappings() { return mappings_; }

 private:
  std::uint32_t self_;
  memory::arena& arena_;
  memory::mappings& mappings_;
};

}  // namespace loadstone::transport
