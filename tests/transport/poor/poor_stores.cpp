#include "transport/poor/poor_stores.hpp"

#include <algorithm>
#include <atomic>

namespace loadstone::transport {

using base::code;
using base::status;

status poor_stores::put(memory::address remote, const void* local, std::size_t bytes) {
  if (status stored = late_.store(remote, local, bytes); !stored.ok() || checks_ == nullptr) return stored;
  constexpr std::size_t most_lines = 1 << 14;  // a MiB
  unfenced_.note(remote, local, bytes);
  return unfenced_.lines() < most_lines ? status::success() : fence(remote.region.process);
}

status poor_stores::fence(std::uint32_t process) {
  late_.flush(process);
  const status done = checks_ != nullptr ? store_until_there(process) : status::success();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return done;
}

status poor_stores::fence_all() {
  late_.flush_all();
  while (!unfenced_.none())
    if (status stored = store_until_there(unfenced_.some_process()); !stored.ok()) return stored;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return status::success();
}

// What is read back wrong was stored wrong, or read wrong: storing it again does no harm. It ends,
// unless somebody else writes to the same bytes, against the rules.
status poor_stores::store_until_there(std::uint32_t process) {
  constexpr int most_rounds = 1000;
  status reached = status::success();
  const auto is_there = [&](memory::address where, const std::byte* data, std::size_t bytes) {
    auto got = memory_.reach(where);
    if (!got) {
      reached = got.error();
      return false;
    }
    std::byte there[line_bytes];
    for (std::size_t i = 0; i < bytes; ++i) there[i] = ~data[i];  // a line that does not come is no proof
    checks_->load(process, there, got->at, bytes);
    if (std::equal(data, data + bytes, there)) return true;
    checks_->damaged();
    checks_->repeated();
    if (status again = late_.store(where, data, bytes); !again.ok()) reached = again;
    return false;
  };
  for (int round = 0; round < most_rounds; ++round) {
    if (unfenced_.settle(process, is_there)) return status::success();
    if (!reached.ok()) {
      unfenced_.forget(process);
      return reached;
    }
    late_.flush(process);
  }
  unfenced_.forget(process);
  return {code::system, 0, "what was stored into the memory of a peer does not stay there"};
}

// There is no checksum of arbitrary memory: it is read until two readings agree.
status poor_stores::get(void* to, memory::address where, std::size_t bytes) {
  auto got = memory_.reach(where);
  if (!got) return got.error();
  auto* local = static_cast<std::byte*>(to);
  if (checks_ == nullptr) {
    faults_.load(local, got->at, bytes);
    return status::success();
  }
  constexpr std::size_t piece = 4096;
  std::byte second[piece];
  for (std::size_t at = 0; at < bytes; at += piece) {
    const std::size_t n = std::min(piece, bytes - at);
    checks_->load(where.region.process, local + at, got->at + at, n);
    for (int round = 0;; ++round) {
      for (std::size_t i = 0; i < n; ++i) second[i] = ~local[at + i];
      checks_->load(where.region.process, second, got->at + at, n);
      if (std::equal(second, second + n, local + at)) break;
      if (round == 1000) return {code::system, 0, "the memory of a peer changes while it is read"};
      checks_->damaged();
      checks_->repeated();
      checks_->load(where.region.process, local + at, got->at + at, n);
    }
  }
  return status::success();
}

}  // namespace loadstone::transport
