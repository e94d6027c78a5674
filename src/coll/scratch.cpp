#include "coll/scratch.hpp"

#include <cstdint>

#include "base/round_up.hpp"

namespace loadstone::coll {

namespace {
constexpr std::size_t scratch_alignment = 64;
}  // namespace

std::byte* scratch_memory::allocate(std::size_t bytes) {
  bytes = base::round_up(bytes, scratch_alignment);
  if (pieces_.empty() || pieces_.back().bytes - pieces_.back().used < bytes) {
    const std::size_t size = bytes > first_bytes ? bytes : first_bytes;
    // Uninitialised on purpose: the pages of a large piece are first touched when data is written
    // into them.
    pieces_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size + scratch_alignment]), size, 0});
  }
  piece& p = pieces_.back();
  const auto start = base::round_up(reinterpret_cast<std::uintptr_t>(p.memory.get()), scratch_alignment);
  std::byte* const at = reinterpret_cast<std::byte*>(start) + p.used;
  p.used += bytes;
  return at;
}

void scratch_memory::recycle() {
  if (pieces_.empty()) return;
  pieces_.resize(1);
  pieces_.front().used = 0;
  if (pieces_.front().bytes > largest_piece_kept) pieces_.clear();
}

}  // namespace loadstone::coll
