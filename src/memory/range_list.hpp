// Free ranges of a one-dimensional space: best fit, coalescing. Used for the bytes of a chunk and
// for the file range of an arena.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace loadstone::memory {

class range_list {
 public:
  // Takes `bytes` at a multiple of `alignment` (a power of two), from the smallest free range that
  // holds it.
  std::optional<std::uint64_t> take(std::uint64_t bytes, std::uint64_t alignment) {
    for (auto candidate = by_size_.lower_bound({bytes, 0}); candidate != by_size_.end(); ++candidate) {
      auto [size, start] = *candidate;
      std::uint64_t aligned = (start + alignment - 1) & ~(alignment - 1);
      if (aligned - start > size - bytes) continue;
      erase(start, size);
      if (aligned != start) insert(start, aligned - start);
      std::uint64_t rest = start + size - (aligned + bytes);
      if (rest != 0) insert(aligned + bytes, rest);
      free_ -= bytes;
      return aligned;
    }
    return std::nullopt;
  }

  void give(std::uint64_t start, std::uint64_t bytes) {
    free_ += bytes;
    auto after = by_start_.lower_bound(start);
    if (after != by_start_.end() && after->first == start + bytes) {
      std::uint64_t size = after->second;
      erase(start + bytes, size);
      bytes += size;
    }
    auto before = by_start_.lower_bound(start);
    if (before != by_start_.begin() && (--before)->first + before->second == start) {
      std::uint64_t first = before->first, size = before->second;
      erase(first, size);
      start = first;
      bytes += size;
    }
    insert(start, bytes);
  }

  // Of the free range that ends there, or 0.
  std::uint64_t bytes_before(std::uint64_t end) const {
    auto behind = by_start_.lower_bound(end);
    if (behind == by_start_.begin()) return 0;
    const auto [start, bytes] = *--behind;
    return start + bytes == end ? bytes : 0;
  }

  std::uint64_t free_bytes() const { return free_; }
  std::size_t pieces() const { return by_start_.size(); }

 private:
  void insert(std::uint64_t start, std::uint64_t bytes) {
    by_start_.emplace(start, bytes);
    by_size_.emplace(bytes, start);
  }
  void erase(std::uint64_t start, std::uint64_t bytes) {
    by_start_.erase(start);
    by_size_.erase({bytes, start});
  }
  std::map<std::uint64_t, std::uint64_t> by_start_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;
  std::uint64_t free_ = 0;
};

}  // namespace loadstone::memory
