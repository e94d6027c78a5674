#include "transport/cells.hpp"

#include <algorithm>
#include <new>

#include "base/fault.hpp"
#include "transport/prefetch.hpp"

namespace loadstone::transport {

namespace {
bool is_back(const cell_header& c) {
  return c.state.load(std::memory_order_acquire) == cell_free;  // sync: cell-return
}
}  // namespace

cells::cells(memory::arena& arena, std::size_t limit, std::size_t caches)
    : arena_(arena), limit_(limit), caches_(caches) {
  for (std::size_t i = 0; i < size_classes; ++i) rings_[i].length = short_length(capacity_of(i));
}

cells::~cells() {
  for (ring& r : rings_)
    for (cell_header* c : r.cells)
      if (is_back(*c)) arena_.release(c);  // others may be read yet
}

cell_header* cells::take(std::size_t bytes) {
  if (bytes > largest) return nullptr;
  const std::size_t size_class = class_of(bytes);
  ring& r = rings_[size_class];
  r.used = ++taken_;
  fresh_ = false;
  cell_header* found = nullptr;
  if (r.cells.size() < r.length && (found = grow(size_class, false)) == nullptr)
    r.length = static_cast<std::uint32_t>(r.cells.size());  // there is no more now
  if (found == nullptr && (found = reuse(r)) != nullptr && ++r.reused >= turns * r.length) [[unlikely]] {
    r.reused = 0;
    r.length = long_length(capacity_of(size_class));
  }
  if (found == nullptr) found = grow(size_class, true);
  if (found != nullptr) {
    found->state.store(cell_sent,
                       std::memory_order_relaxed);  // relaxed: the message that names the cell publishes it
    LOADSTONE_FAULT_POINT("cell.taken");
    return found;
  }
  // Every one that could help: whichever comes back first wakes us.
  for (ring& other : rings_) {
    for (cell_header* c : other.cells) {
      std::uint32_t sent = cell_sent;
      // Sequentially consistent: either the receiver's exchange sees the wish, or this fails
      // because the cell is back.
      c->state.compare_exchange_strong(sent, cell_wanted, std::memory_order_seq_cst,
                                       std::memory_order_relaxed);
    }
  }
  return nullptr;
}

cell_header* cells::reuse(ring& r) {
  // The oldest is the likeliest to be back; receivers may keep some for long, so look a few
  // further.
  for (std::size_t i = 0; i < r.cells.size(); ++i) {
    if (r.next >= r.cells.size()) r.next = 0;
    cell_header* c = r.cells[r.next++];
    if (!is_back(*c)) continue;
    // Its receiver has written there last: so that the next message need not wait for the line.
    if (r.next < r.cells.size()) prefetch_to_write(r.cells[r.next]);
    return c;
  }
  return nullptr;
}

cell_header* cells::grow(std::size_t size_class, bool at_all_costs) {
  ring& r = rings_[size_class];
  const std::size_t capacity = capacity_of(size_class);
  if (capacity > usual && (r.cells.size() + 1) * capacity > limit_ / 2) return nullptr;
  if (bytes_ + capacity > limit_) give_up_idle(capacity, r, at_all_costs);
  if (bytes_ + capacity > limit_) return nullptr;
  auto block = arena_.allocate(sizeof(cell_header) + capacity, 64);
  if (!block) return nullptr;
  auto* c = new (*block) cell_header{};
  fresh_ = true;
  c->capacity = static_cast<std::uint32_t>(capacity);
  bytes_ += capacity;
  r.cells.insert(r.cells.begin() + static_cast<std::ptrdiff_t>(r.next), c);  // the last one to be used again
  ++r.next;
  return c;
}

// Idle cells of other sizes go back to the arena until `wanted` bytes more stay within the limit:
// one phase of a program does not starve the next. Sizes that are in use as well are left alone,
// unless there is no other way: they do not take cells from each other for ever.
void cells::give_up_idle(std::size_t wanted, const ring& by, bool of_all) {
  for (std::size_t i = 0; i < size_classes; ++i)
    if (&rings_[i] != &by && (of_all || taken_ - rings_[i].used >= in_use)) give_up_idle(i, wanted);
}

void cells::give_up_idle(std::size_t size_class, std::size_t wanted) {
  ring& r = rings_[size_class];
  std::size_t kept = 0;
  for (cell_header* c : r.cells) {
    if (bytes_ + wanted > limit_ && is_back(*c)) {
      bytes_ -= c->capacity;
      arena_.release(c);
    } else {
      r.cells[kept++] = c;
    }
  }
  if (kept == r.cells.size()) return;
  r.cells.resize(kept);
  r.next = r.reused = 0;
  r.length = std::max(short_length(capacity_of(size_class)), static_cast<std::uint32_t>(kept));
}

bool cells::shed() {
  const std::size_t before = bytes_;
  for (std::size_t i = 0; i < size_classes; ++i) give_up_idle(i, limit_);
  return bytes_ != before;
}

}  // namespace loadstone::transport
