#include "transport/room_ring.hpp"

namespace loadstone::transport {

// Never given back: a peer may be reading. It goes with the arena.
bool room_ring::make() {
  if (refused_ || bytes_ < least_bytes) return false;
  auto got = arena_.allocate(bytes_, page);
  refused_ = !got;
  if (!got) return false;
  base_ = static_cast<std::byte*>(*got);
  where_ = arena_.address_of(base_);
  return true;
}

}  // namespace loadstone::transport
