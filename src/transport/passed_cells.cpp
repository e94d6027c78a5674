#include "transport/passed_cells.hpp"

#include <new>

#include "transport/pair_buffer.hpp"

namespace loadstone::transport {

namespace {
// Their payload lies as far behind a page as that in a pair's buffer.
constexpr std::size_t in_front = pair_buffer::begin - sizeof(cell_header);

// Who did not want all of it has let go of it while its sender was still writing.
bool is_written(const passed_cells::name& n, const cell_header& cell) {
  // sync: cell-filled
  return n.bytes == 0 || cell.filled.load(std::memory_order_acquire) >= n.bytes;
}
}  // namespace

// Those that are with peers are read there.
passed_cells::~passed_cells() {
  for (const auto& p : pairs_) {
    if (p == nullptr) continue;
    for (const of_size& s : p->sizes)
      for (std::uint32_t i = 0; i < s.count; ++i)
        if (s.names[i].made_here) release(s.names[i]);
  }
}

cell_header* passed_cells::own_cell(const name& n) {
  return static_cast<cell_header*>(memory_.arena().pointer(local_address{n.where}.in(memory_.self())));
}

void passed_cells::release(const name& n) {
  memory_.arena().release(reinterpret_cast<std::byte*>(own_cell(n)) - in_front);
}

bool passed_cells::shed() {
  bool any = false;
  for (const auto& p : pairs_) {
    for (std::size_t size = 0; p != nullptr && size < p->sizes.size(); ++size) {
      of_size& here = p->sizes[size];
      for (std::uint32_t i = here.count; i-- > 0;) {
        const name n = here.names[i];
        if (!n.made_here || !is_written(n, *own_cell(n))) continue;
        here.remove(i);
        here.made -= capacities[size];
        left_ += capacities[size];
        release(n);
        any = true;
      }
    }
  }
  return any;
}

passed_cells::pair* passed_cells::of(std::uint32_t peer) try {
  if (peer >= pairs_.size()) pairs_.resize(peer + 1);
  std::unique_ptr<pair>& p = pairs_[peer];
  if (p == nullptr) p = std::make_unique<pair>();
  return p.get();
} catch (const std::bad_alloc&) {
  return nullptr;
}

passed_cells::found passed_cells::take(std::uint32_t peer, std::size_t bytes) {
  if (peer == memory_.self()) return {};
  pair* const with = of(peer);
  if (with == nullptr) return {};
  const std::size_t size = class_of(bytes);
  of_size& here = with->sizes[size];
  for (std::uint32_t i = here.count; i-- > 0;) {
    const name n = here.names[i];
    auto got = memory_.reach(local_address{n.where}.in(n.made_here ? memory_.self() : peer));
    if (!got) break;  // no address space for it now
    auto* cell = reinterpret_cast<cell_header*>(got->at);
    if (!is_written(n, *cell)) continue;
    here.remove(i);
    return {cell, n, std::move(got->pin)};
  }
  return make(here, capacities[size]);
}

passed_cells::found passed_cells::make(of_size& which, std::size_t capacity) {
  if (which.credit == 0 || which.made + capacity > most_ || capacity > left_ ||
      !memory_.arena().has_spare(capacity))
    return {};
  auto block = memory_.arena().allocate(pair_buffer::begin + capacity, pair_buffer::page);
  if (!block) {
    left_ = 0;  // asking costs more than an ordinary cell
    return {};
  }
  auto* cell = new (static_cast<std::byte*>(*block) + in_front) cell_header{};
  cell->capacity = static_cast<std::uint32_t>(capacity);
  --which.credit;
  which.made += capacity;
  left_ -= capacity;
  return {cell, {local_address::of(memory_.arena().address_of(cell)).bits, 0, true}, {}};
}

}  // namespace loadstone::transport
