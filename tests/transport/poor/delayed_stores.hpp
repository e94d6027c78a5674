// Stores into other processes' memory that become visible late and in any order, until they are
// flushed: what a memory pool without coherence, or a network, does to whoever forgets a fence.
// With line faults, some lines of what is stored never arrive, and some arrive once more when newer
// ones are there. Deterministic for a seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "transport/peer_memory.hpp"
#include "transport/poor/line_faults.hpp"

namespace loadstone::transport {

class delayed_stores {
 public:
  // How long an old line may come once more: until the next flush for its process (what a fence
  // promises), or at any time.
  enum class repeats : std::uint8_t { until_flush, always };

  delayed_stores(peer_memory& memory, std::uint64_t seed, line_faults& faults,
                 repeats how_long = repeats::until_flush)
      : memory_(memory), faults_(faults), how_long_(how_long), random_(seed) {}
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
  void arrive(const pending& p);
  void repeat_an_old_line();

  static constexpr std::size_t piece = 256;           // stores tear: each piece travels alone
  static constexpr std::size_t most_bytes = 1 << 20;  // then some get through, as they would
  static constexpr std::size_t most_old = 64;
  peer_memory& memory_;
  line_faults& faults_;
  const repeats how_long_;
  std::mt19937_64 random_;
  std::vector<pending> pending_;
  std::vector<pending> old_;  // those that may come again; none without faults
  std::size_t bytes_ = 0;
};

}  // namespace loadstone::transport
