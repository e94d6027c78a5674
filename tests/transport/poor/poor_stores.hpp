// Deposits of the poor transport: visible after a fence and not before, perhaps lost. With
// integrity a fence reads back what was stored since the last one, and stores again what is not
// there.
#pragma once

#include "transport/poor/delayed_stores.hpp"
#include "transport/poor/integrity.hpp"
#include "transport/poor/unfenced.hpp"
#include "transport/unmapped.hpp"

namespace loadstone::transport {

class poor_stores final : public unmapped_stores {
 public:
  // `checks`: null: none.
  poor_stores(peer_memory& memory, std::uint64_t seed, line_faults& faults, integrity* checks)
      : memory_(memory), faults_(faults), checks_(checks), late_(memory, seed, faults) {}

  base::status put(memory::address remote, const void* local, std::size_t bytes) override;
  base::status get(void* local, memory::address remote, std::size_t bytes) override;
  base::status fence(std::uint32_t process) override;
  base::status fence_all() override;

  void perhaps() { late_.perhaps(); }  // time passes: a store may arrive

 private:
  base::status store_until_there(std::uint32_t process);

  peer_memory& memory_;
  line_faults& faults_;
  integrity* const checks_;
  delayed_stores late_;
  unfenced unfenced_;
};

}  // namespace loadstone::transport
