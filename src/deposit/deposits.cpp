// One-sided operations. On mapped memory they are loads, stores and atomic instructions of the caller.
#include <cstring>

#include "deposit/endpoint_state.hpp"

namespace loadstone::deposit {

using base::code;
using base::status;

namespace {

// Walks two strided layouts at once, one contiguous piece at a time.
template <class Copy>
void pair_up(endpoint::strided a, endpoint::strided b, Copy&& copy) {
  std::size_t in_a = 0, in_b = 0, done_a = 0, done_b = 0;
  std::ptrdiff_t at_a = 0, at_b = 0;
  if (a.block == 0 || b.block == 0) return;
  while (done_a < a.count && done_b < b.count) {
    std::size_t piece = std::min(a.block - in_a, b.block - in_b);
    copy(at_a + static_cast<std::ptrdiff_t>(in_a), at_b + static_cast<std::ptrdiff_t>(in_b), piece);
    in_a += piece;
    in_b += piece;
    if (in_a == a.block) {
      in_a = 0;
      ++done_a;
      at_a += a.stride;
    }
    if (in_b == b.block) {
      in_b = 0;
      ++done_b;
      at_b += b.stride;
    }
  }
}

// The way of a contiguous piece to a peer: a plain copy, or by the transport.
struct writer {
  transport::poor* far;
  memory::address remote;
  std::byte* at;
  status last = status::success();
  void operator()(std::ptrdiff_t offset, const void* from, std::size_t bytes) {
    if (far == nullptr) {
      std::memcpy(at + offset, from, bytes);
      return;
    }
    memory::address where = remote;
    where.offset += static_cast<std::uint64_t>(offset);
    if (status s = far->put(where, from, bytes); !s.ok()) last = s;
  }
};
struct reader {
  transport::poor* far;
  memory::address remote;
  const std::byte* at;
  status last = status::success();
  void operator()(void* to, std::ptrdiff_t offset, std::size_t bytes) {
    if (far == nullptr) {
      std::memcpy(to, at + offset, bytes);
      return;
    }
    memory::address where = remote;
    where.offset += static_cast<std::uint64_t>(offset);
    if (status s = far->get(to, where, bytes); !s.ok()) last = s;
  }
};

}  // namespace

status endpoint::put(memory::address remote, const void* local, std::size_t bytes) {
  if (bytes == 0) return status::success();
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  writer write{state_->far_way(remote), remote, got->at};
  write(0, local, bytes);
  return write.last;
}

status endpoint::get(void* local, memory::address remote, std::size_t bytes) {
  if (bytes == 0) return status::success();
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  reader read{state_->far_way(remote), remote, got->at};
  read(local, 0, bytes);
  return read.last;
}

status endpoint::put_strided(memory::address remote, strided at_remote, const void* local, strided at_local) {
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  writer write{state_->far_way(remote), remote, got->at};
  pair_up(at_remote, at_local, [&](std::ptrdiff_t there, std::ptrdiff_t here, std::size_t n) {
    write(there, static_cast<const std::byte*>(local) + here, n);
  });
  return write.last;
}

status endpoint::get_strided(void* local, strided at_local, memory::address remote, strided at_remote) {
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  reader read{state_->far_way(remote), remote, got->at};
  pair_up(at_remote, at_local, [&](std::ptrdiff_t there, std::ptrdiff_t here, std::size_t n) {
    read(static_cast<std::byte*>(local) + here, there, n);
  });
  return read.last;
}

status endpoint::put_indexed(memory::address remote, const void* local, std::span<const block> blocks) {
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  writer write{state_->far_way(remote), remote, got->at};
  for (const block& b : blocks) {
    if (b.bytes != 0)
      write(static_cast<std::ptrdiff_t>(b.remote_offset),
            static_cast<const std::byte*>(local) + b.local_offset, b.bytes);
  }
  return write.last;
}

status endpoint::get_indexed(void* local, memory::address remote, std::span<const block> blocks) {
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  reader read{state_->far_way(remote), remote, got->at};
  for (const block& b : blocks) {
    if (b.bytes != 0)
      read(static_cast<std::byte*>(local) + b.local_offset, static_cast<std::ptrdiff_t>(b.remote_offset),
           b.bytes);
  }
  return read.last;
}

base::result<std::uint64_t> endpoint::atomic(memory::address remote, std::size_t width, atomic_op op,
                                             std::uint64_t operand, std::uint64_t compare) {
  if ((width != 4 && width != 8) || remote.offset % width != 0)
    return status{code::invalid, 0, "atomic operations are on naturally aligned integers of 4 or 8 bytes"};
  if (state_->by_message(remote)) return state_->atomic_by_message(remote, width, op, operand, compare);
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  return apply_atomic(got->at, width, op, operand, compare);
}

status endpoint::signal(std::uint32_t peer, counter where, std::uint64_t n) {
  if (state_->by_message(where.where)) return state_->signal_by_message(peer, where, n);
  auto got = state_->memory.reach(where.where);
  if (!got) return got.error();
  apply_atomic(got->at, 8, atomic_op::fetch_add, n, 0);  // sync: counter
  wake(peer);
  return status::success();
}

status endpoint::fence(std::uint32_t peer) {
  const status done = state_->poor != nullptr ? state_->poor->fence(peer) : status::success();
  std::atomic_thread_fence(std::memory_order_seq_cst);  // mapped, coherent: stores are visible in order
  return done;
}

status endpoint::fence_all() {
  const status done = state_->poor != nullptr ? state_->poor->fence_all() : status::success();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return done;
}

memory::pin endpoint::map(memory::region_id region) {
  if (!way_to(region.process).mapped && region.process != state_->self) return {};
  auto got = state_->mappings.acquire(region);
  return got ? std::move(*got) : memory::pin();
}

}  // namespace loadstone::deposit
