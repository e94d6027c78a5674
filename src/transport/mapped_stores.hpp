// Deposits into memory that is mapped here, coherently: plain loads and stores of the caller.
#pragma once

#include <atomic>
#include <cstring>

#include "copy/kernels.hpp"
#include "transport/peer_memory.hpp"

namespace loadstone::transport {

class mapped_stores {
 public:
  explicit mapped_stores(peer_memory& memory) : memory_(memory) {}

  base::status put(memory::address remote, const void* local, std::size_t bytes) {
    return reached_at(remote, [&](std::byte* at) { copy::ordinary(at, local, bytes); });
  }
  base::status get(void* local, memory::address remote, std::size_t bytes) {
    return reached_at(remote, [&](const std::byte* at) { copy::ordinary(local, at, bytes); });
  }
  template <class Pieces>
  base::status put_pieces(memory::address remote, Pieces&& pieces) {
    return reached_at(remote, [&](std::byte* at) {
      pieces([at](std::ptrdiff_t there, const std::byte* here, std::size_t n) {
        copy::ordinary(at + there, here, n);
      });
    });
  }
  template <class Pieces>
  base::status get_pieces(memory::address remote, Pieces&& pieces) {
    return reached_at(remote, [&](const std::byte* at) {
      pieces([at](std::ptrdiff_t there, std::byte* here, std::size_t n) {
        copy::ordinary(here, at + there, n);
      });
    });
  }
  base::status fence(std::uint32_t) { return fence_all(); }
  base::status fence_all() {
    std::atomic_thread_fence(std::memory_order_seq_cst);  // coherent: stores are visible in order
    return base::status::success();
  }
  memory::pin map(memory::region_id region) {
    auto got = memory_.mappings().acquire(region);
    return got ? std::move(*got) : memory::pin();
  }

 private:
  template <class Copy>
  base::status reached_at(memory::address remote, Copy&& copy) {
    auto got = memory_.reach(remote);
    if (!got) return got.error();
    copy(got->at);
    return base::status::success();
  }

  peer_memory& memory_;
};

}  // namespace loadstone::transport
