// The cells of one sender: rings by size, used round robin (the one given back longest ago first),
// grown up to a limit.
//
// A cell that was used a moment ago is a bad one to write into: its lines are in the receiver's
// cache, and getting them back takes longer than the copy. So a size in steady use, whose ring has
// been gone round `turns` times, gets one as long as the caches of both: then its lines have come
// to the shared level by themselves (docs/decisions/005).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "memory/arena.hpp"
#include "transport/cell_layout.hpp"

namespace loadstone::transport {

class cells {
 public:
  // `limit`: bytes of all cells together; a single size gets half of it, in steady use, but no more
  // than `caches`: the second-level caches of two cores.
  cells(memory::arena& arena, std::size_t limit, std::size_t caches = ~std::size_t{0});
  ~cells();

  // A cell for that many bytes, marked sent; nullptr when the limit or the arena is reached. In
  // that case one of the cells in use is marked so that its return wakes us.
  cell_header* take(std::size_t bytes);
  // Gives all that are idle back to the arena. False: there are none.
  bool shed();
  std::size_t allocated_bytes() const { return bytes_; }
  // Was the last one made for that? Then writing into it takes longer than it will again.
  bool fresh() const { return fresh_; }

  static constexpr std::size_t largest = largest_cell;
  // The two sizes beyond take half of the limit at most, each: they are for few peers at a time.
  static constexpr std::size_t usual = usual_cell;

 private:
  static constexpr std::size_t smallest_shift = 9, size_classes = 10;  // 512 bytes … 256 KiB
  static constexpr std::uint32_t ahead = 8;    // cells of one size before the first is used again,
  static constexpr std::uint32_t fewest = 2;   // and of one of which the caches hold fewer
  static constexpr std::uint32_t turns = 4;    // round a ring, before it becomes long
  static constexpr std::uint32_t in_use = 64;  // so many cells of any size ago
  static constexpr std::size_t least_lengthened =
      2048;  // shorter ones stay in the innermost caches, and shall

  struct ring {
    std::vector<cell_header*> cells;  // in the order of their use, from `next` on and around
    std::size_t next = 0;
    std::uint32_t length = 0;  // how many we would like
    std::uint32_t reused = 0;  // since that was said
    std::uint64_t used = 0;    // for the last time; in cells taken, of any size
  };

  static std::size_t class_of(std::size_t bytes) {
    return bytes <= capacity_of(0) ? 0 : static_cast<std::size_t>(std::bit_width(bytes - 1)) - smallest_shift;
  }
  static std::size_t capacity_of(std::size_t size_class) {
    return std::size_t{1} << (size_class + smallest_shift);
  }
  std::uint32_t short_length(std::size_t capacity) const {
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(caches_ / capacity, fewest, ahead));
  }
  // As the caches hold it, and half of all memory there is for cells.
  std::uint32_t long_length(std::size_t capacity) const {
    if (capacity < least_lengthened) return short_length(capacity);
    return std::max(short_length(capacity),
                    static_cast<std::uint32_t>(std::min(limit_ / 2, caches_) / capacity));
  }
  cell_header* reuse(ring& r);
  cell_header* grow(std::size_t size_class, bool at_all_costs);
  void give_up_idle(std::size_t wanted, const ring& by, bool of_all);
  void give_up_idle(std::size_t size_class, std::size_t wanted);

  memory::arena& arena_;
  const std::size_t limit_, caches_;
  std::size_t bytes_ = 0;
  std::uint64_t taken_ = 0;
  bool fresh_ = false;
  std::array<ring, size_classes> rings_;
};

// By the receiver. True: the sender waits for it and must be woken.
inline bool give_back(cell_header& cell) {
  // Release: our reads of the payload are over (sync: cell-return). Exchange: the sender may be
  // marking it wanted.
  return cell.state.exchange(cell_free, std::memory_order_acq_rel) == cell_wanted;
}

}  // namespace loadstone::transport
