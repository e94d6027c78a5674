#pragma once

#include <atomic>
#include <cstdint>

namespace loadstone::buffering {

// relaxed: figures
inline void add(std::atomic<std::uint64_t>& figure, std::uint64_t n) {
  figure.fetch_add(n, std::memory_order_relaxed);
}

}  // namespace loadstone::buffering
