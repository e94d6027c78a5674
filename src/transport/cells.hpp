// The cells of one sender: rings by size, used round robin (the one given back longest ago first: reusing the
// hottest one costs up to 50 %, because the receiver still holds its lines), grown up to a limit.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "memory/arena.hpp"
#include "transport/cell_layout.hpp"

namespace loadstone::transport {

class cells {
 public:
  // `limit`: bytes of all cells together.
  cells(memory::arena& arena, std::size_t limit) : arena_(arena), limit_(limit) {}
  ~cells();

  // A cell for that many bytes, marked sent; nullptr when the limit or the arena is reached. In that case one
  // of the cells in use is marked so that its return wakes us.
  cell_header* take(std::size_t bytes);
  std::size_t allocated_bytes() const { return bytes_; }

  static constexpr std::size_t largest = 64 * 1024;

 private:
  static constexpr std::size_t smallest_shift = 9, size_classes = 8;  // 512 bytes … 64 KiB
  static constexpr std::size_t ahead = 8;  // cells of one size before the first is used again

  cell_header* reuse(std::deque<cell_header*>& ring);
  cell_header* grow(std::size_t size_class);
  void give_up_idle(std::size_t wanted);

  memory::arena& arena_;
  std::size_t limit_, bytes_ = 0;
  std::array<std::deque<cell_header*>, size_classes> rings_;  // oldest first
};

// By the receiver. True: the sender waits for it and must be woken.
inline bool give_back(cell_header& cell) {
  // Release: our reads of the payload are over (sync: cell-return). Exchange: the sender may be marking it
  // wanted.
  return cell.state.exchange(cell_free, std::memory_order_acq_rel) == cell_wanted;
}

}  // namespace loadstone::transport
