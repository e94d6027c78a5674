// Pointers into job memory, whoever owns it: our own arena directly, a peer's through a pinned
// mapping.
#pragma once

#include "memory/arena.hpp"
#include "memory/mappings.hpp"

namespace loadstone::transport {

using memory::local_address;

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

  // The same for memory this process cannot do without: messages for it lie there. When mapping
  // fails somebody above is told, who makes memory available and returns, so that we try again, or
  // ends the process. An error is left only where there is no such memory (`gone`, `invalid`).
  base::result<reached> insist(memory::address where) {
    for (;;) {
      auto got = reach(where);
      if (got || tell_ == nullptr || got.error().kind == base::code::gone ||
          got.error().kind == base::code::invalid)
        return got;
      tell_(told_, where.region.process, got.error());
    }
  }
  using listener = void (*)(void* context, std::uint32_t process, const base::status& why);
  void on_unreachable(listener tell, void* context) {
    tell_ = tell;
    told_ = context;
  }

  std::uint32_t self() const { return self_; }
  memory::arena& arena() { return arena_; }
  memory::mappings& mappings() { return mappings_; }

 private:
  std::uint32_t self_;
  memory::arena& arena_;
  memory::mappings& mappings_;
  listener tell_ = nullptr;
  void* told_ = nullptr;
};

}  // namespace loadstone::transport
