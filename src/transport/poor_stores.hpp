// Deposits of the poor transport: visible after a fence and not before, perhaps lost. With
// integrity a fence reads back what was stored since the last one, and stores again what is not
// there.
#pragma once

#include "transport/delayed_stores.hpp"
#include "transport/integrity.hpp"
#include "transport/unfenced.hpp"

namespace loadstone::transport {

class poor_stores {
 public:
  // `checks`: null: none.
  poor_stores(peer_memory& memory, std::uint64_t seed, line_faults& faults, integrity* checks)
      : memory_(memory), faults_(faults), checks_(checks), late_(memory, seed, faults) {}

  base::status put(memory::address remote, const void* local, std::size_t bytes);
  base::status get(void* local, memory::address remote, std::size_t bytes);
  template <class Pieces>
  base::status put_pieces(memory::address remote, Pieces&& pieces) {
    base::status last = base::status::success();
    pieces([&](std::ptrdiff_t there, const std::byte* here, std::size_t n) {
      if (const base::status done = put(beyond(remote, there), here, n); !done.ok()) last = done;
    });
    return last;
  }
  template <class Pieces>
  base::status get_pieces(memory::address remote, Pieces&& pieces) {
    base::status last = base::status::success();
    pieces([&](std::ptrdiff_t there, std::byte* here, std::size_t n) {
      if (const base::status done = get(here, beyond(remote, there), n); !done.ok()) last = done;
    });
    return last;
  }
  base::status fence(std::uint32_t process);
  base::status fence_all();
  memory::pin map(memory::region_id) { return {}; }

  void perhaps() { late_.perhaps(); }  // time passes: a store may arrive

 private:
  static memory::address beyond(memory::address where, std::ptrdiff_t bytes) {
    where.offset += static_cast<std::uint64_t>(bytes);
    return where;
  }
  base::status store_until_there(std::uint32_t process);

  peer_memory& memory_;
  line_faults& faults_;
  integrity* const checks_;
  delayed_stores late_;
  unfenced unfenced_;
};

}  // namespace loadstone::transport
