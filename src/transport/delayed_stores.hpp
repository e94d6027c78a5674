// Stores into other processes' memory that become visible late and in any order, until they are flushed: what
// a memory pool without coherence, or a network, does to whoever forgets a fence. Deterministic for a seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "transport/peer_memory.hpp"

namespace loadstone::transport {

class delayed_stores {
 public:
  delayed_stores(peer_memory& memory, std::uint64_t seed) : memory_(memory), random_(seed) {}
  ~delayed_stores();

  // Checks that the target can be reached; copies the data.
  base::status store(memory::address where, const void* data, std::size_t bytes);
  void flush(std::uint32_t process);  // everything for one process, in random order
  void flush_all();
  void perhaps();  // lets one of them through, now and then
  std::size_t waiting() const { return pending_.size(); }

 private:
  struct pending {
    memory::address where;
    std::vector<std::byte> data;
  };
  void apply(std::size_t index);

  static constexpr std::size_t piece = 256;           // stores tear: each piece travels alone
  static constexpr std::size_t most_bytes = 1 << 20;  // then some get through, as they would
  peer_memory& memory_;
  std::mt19937_64 random_;
  std::vector<pending> pending_;
  std::size_t bytes_ = 0;
};

}  // namespace loadstone::transport
