#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "memory/io_layout.hpp"

namespace loadstone::buffering {

// relaxed, here and below: figures
inline void add(std::atomic<std::uint64_t>& figure, std::uint64_t n) {
  figure.fetch_add(n, std::memory_order_relaxed);
}
inline std::uint64_t get(const std::atomic<std::uint64_t>& figure) {
  return figure.load(std::memory_order_relaxed);
}
inline void raise(std::atomic<std::uint64_t>& figure, std::uint64_t n) {
  std::uint64_t before = get(figure);
  while (before < n && !figure.compare_exchange_weak(before, n, std::memory_order_relaxed)) continue;
}

// Written by calls themselves, though there was room or nobody to carry: too short, or in atomic
// mode, or as buffering would not pay.
inline std::uint64_t synchronous_bytes(const memory::io_figures& f) {
  return get(f.called_bytes) - std::min(get(f.called_bytes), get(f.overflow_bytes));
}
// For how long calls were blocked by the file system.
inline std::uint64_t disk_ns(const memory::io_figures& f) {
  return get(f.called_ns) + get(f.stall_ns);
}
// Of the time that writing took, `carry_ns` of it of the carrier: the share that no call has waited
// for. 0 where nothing was written.
inline double hidden(std::uint64_t disk_ns, std::uint64_t called_ns, std::uint64_t carry_ns) {
  const auto writing = static_cast<double>(called_ns + carry_ns);
  return writing > 0 ? std::max(0.0, 1 - static_cast<double>(disk_ns) / writing) : 0;
}

}  // namespace loadstone::buffering
