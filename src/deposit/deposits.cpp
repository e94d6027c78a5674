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

template <class Word>
std::uint64_t apply(std::byte* at, atomic_op op, std::uint64_t operand, std::uint64_t compare) {
  std::atomic_ref<Word> word(*reinterpret_cast<Word*>(at));
  auto value = static_cast<Word>(operand);
  auto expected = static_cast<Word>(compare);
  // Sequentially consistent: users build locks of these (sync: counter, among others).
  switch (op) {
    case atomic_op::fetch_add:
      return word.fetch_add(value);
    case atomic_op::swap:
      return word.exchange(value);
    case atomic_op::compare_swap:
      word.compare_exchange_strong(expected, value);
      return expected;
    case atomic_op::fetch_and:
      return word.fetch_and(value);
    case atomic_op::fetch_or:
      return word.fetch_or(value);
    case atomic_op::fetch_xor:
      return word.fetch_xor(value);
  }
  return 0;
}

}  // namespace

status endpoint::put(memory::address remote, const void* local, std::size_t bytes) {
  if (bytes == 0) return status::success();
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  std::memcpy(got->at, local, bytes);
  return status::success();
}

status endpoint::get(void* local, memory::address remote, std::size_t bytes) {
  if (bytes == 0) return status::success();
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  std::memcpy(local, got->at, bytes);
  return status::success();
}

status endpoint::put_strided(memory::address remote, strided at_remote, const void* local, strided at_local) {
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  pair_up(at_remote, at_local, [&](std::ptrdiff_t there, std::ptrdiff_t here, std::size_t n) {
    std::memcpy(got->at + there, static_cast<const std::byte*>(local) + here, n);
  });
  return status::success();
}

status endpoint::get_strided(void* local, strided at_local, memory::address remote, strided at_remote) {
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  pair_up(at_remote, at_local, [&](std::ptrdiff_t there, std::ptrdiff_t here, std::size_t n) {
    std::memcpy(static_cast<std::byte*>(local) + here, got->at + there, n);
  });
  return status::success();
}

status endpoint::put_indexed(memory::address remote, const void* local, std::span<const block> blocks) {
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  for (const block& b : blocks) {
    if (b.bytes != 0)
      std::memcpy(got->at + b.remote_offset, static_cast<const std::byte*>(local) + b.local_offset, b.bytes);
  }
  return status::success();
}

status endpoint::get_indexed(void* local, memory::address remote, std::span<const block> blocks) {
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  for (const block& b : blocks) {
    if (b.bytes != 0)
      std::memcpy(static_cast<std::byte*>(local) + b.local_offset, got->at + b.remote_offset, b.bytes);
  }
  return status::success();
}

base::result<std::uint64_t> endpoint::atomic(memory::address remote, std::size_t width, atomic_op op,
                                             std::uint64_t operand, std::uint64_t compare) {
  if ((width != 4 && width != 8) || remote.offset % width != 0)
    return status{code::invalid, 0, "atomic operations are on naturally aligned integers of 4 or 8 bytes"};
  auto got = state_->memory.reach(remote);
  if (!got) return got.error();
  return width == 4 ? apply<std::uint32_t>(got->at, op, operand, compare)
                    : apply<std::uint64_t>(got->at, op, operand, compare);
}

status endpoint::signal(std::uint32_t peer, counter where, std::uint64_t n) {
  auto got = state_->memory.reach(where.where);
  if (!got) return got.error();
  apply<std::uint64_t>(got->at, atomic_op::fetch_add, n, 0);  // sync: counter
  wake(peer);
  return status::success();
}

status endpoint::fence(std::uint32_t) {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // mapped, coherent: stores are visible in order
  return status::success();
}

status endpoint::fence_all() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return status::success();
}

memory::pin endpoint::map(memory::region_id region) {
  auto got = state_->mappings.acquire(region);
  return got ? std::move(*got) : memory::pin();
}

}  // namespace loadstone::deposit
