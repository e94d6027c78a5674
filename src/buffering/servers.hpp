// The I/O processes as job memory shows them: who carries what, and what all have done together.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "buffering/figures.hpp"
#include "memory/job.hpp"

namespace loadstone::buffering {

// Which of the I/O processes carries what this process writes.
inline memory::io_server& server_of(memory::job& job, std::uint32_t process) {
  memory::io_area& area = job.io();
  // relaxed: the number never changes; who reads an old server rings one that is dead
  const std::uint32_t share =
      memory::io_share(process, job.header().world_size, area.shares.load(std::memory_order_relaxed));
  return area.servers[area.server_of[share].load(std::memory_order_relaxed)];
}

// How many I/O processes there are.
inline std::uint32_t server_count(const memory::io_area& area) {
  return std::max(area.shares.load(std::memory_order_relaxed), 1u);  // relaxed: it never changes
}

// Of all I/O processes together.
inline std::uint64_t carried_bytes(const memory::io_area& area) {
  std::uint64_t sum = 0;
  for (const memory::io_server& s : area.servers) sum += get(s.carried_bytes);
  return sum;
}
// Bytes a ns, of all that have written something; 0: none has.
inline double carry_rate(const memory::io_area& area) {
  double sum = 0;
  for (const memory::io_server& s : area.servers)
    if (const std::uint64_t ns = get(s.carry_ns); ns != 0)
      sum += static_cast<double>(get(s.carried_bytes)) / static_cast<double>(ns);
  return sum;
}

}  // namespace loadstone::buffering
