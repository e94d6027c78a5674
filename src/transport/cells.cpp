#include "transport/cells.hpp"

#include <bit>
#include <new>

#include "base/fault.hpp"

namespace loadstone::transport {

cells::~cells() {
  for (auto& ring : rings_)
    for (cell_header* c : ring)
      if (c->state.load(std::memory_order_acquire) == cell_free)
        arena_.release(c);  // sync: cell-return; others may be read yet
}

cell_header* cells::take(std::size_t bytes) {
  if (bytes > largest) return nullptr;
  std::size_t size_class =
      bytes <= (std::size_t{1} << smallest_shift) ? 0 : std::bit_width(bytes - 1) - smallest_shift;
  auto& ring = rings_[size_class];
  cell_header* found = nullptr;
  if (ring.size() >= ahead) found = reuse(ring);
  if (found == nullptr) found = grow(size_class);
  if (found == nullptr) found = reuse(ring);
  if (found == nullptr) {
    give_up_idle(std::size_t{1} << (size_class + smallest_shift));
    found = grow(size_class);
  }
  if (found != nullptr) {
    found->state.store(cell_sent,
                       std::memory_order_relaxed);  // relaxed: the message that names the cell publishes it
    LOADSTONE_FAULT_POINT("cell.taken");
    return found;
  }
  // Every one that could help: whichever comes back first wakes us.
  for (auto& other : rings_) {
    for (cell_header* c : other) {
      std::uint32_t sent = cell_sent;
      // Sequentially consistent: either the receiver's exchange sees the wish, or this fails because the cell
      // is back.
      c->state.compare_exchange_strong(sent, cell_wanted, std::memory_order_seq_cst,
                                       std::memory_order_relaxed);
    }
  }
  return nullptr;
}

cell_header* cells::reuse(std::deque<cell_header*>& ring) {
  // The oldest is the likeliest to be back; receivers may keep some for long, so look a few further.
  for (std::size_t i = 0; i < ring.size(); ++i) {
    cell_header* c = ring.front();
    ring.pop_front();
    ring.push_back(c);
    if (c->state.load(std::memory_order_acquire) == cell_free) return c;  // sync: cell-return
  }
  return nullptr;
}

cell_header* cells::grow(std::size_t size_class) {
  std::size_t capacity = std::size_t{1} << (size_class + smallest_shift);
  if (bytes_ + capacity > limit_) return nullptr;
  auto block = arena_.allocate(sizeof(cell_header) + capacity, 64);
  if (!block) return nullptr;
  auto* c = new (*block) cell_header{};
  c->capacity = static_cast<std::uint32_t>(capacity);
  bytes_ += capacity;
  rings_[size_class].push_back(c);
  return c;
}

// Idle cells of other sizes go back to the arena, so that one phase of a program does not starve the next.
void cells::give_up_idle(std::size_t wanted) {
  for (auto& ring : rings_) {
    for (std::size_t i = ring.size(); i-- > 0 && bytes_ + wanted > limit_;) {
      cell_header* c = ring.front();
      ring.pop_front();
      if (c->state.load(std::memory_order_acquire) == cell_free) {  // sync: cell-return
        bytes_ -= c->capacity;
        arena_.release(c);
      } else {
        ring.push_back(c);
      }
    }
  }
}

}  // namespace loadstone::transport
