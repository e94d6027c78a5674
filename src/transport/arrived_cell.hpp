// Cells of peers that are being read here, from the message that names one until it is given back;
// and payload in the buffer of a pair, while it is being handled.
#pragma once

#include "base/fault.hpp"
#include "base/pool.hpp"
#include "transport/passed_cells.hpp"
#include "transport/peer_memory.hpp"
#include "transport/prefetch.hpp"
#include "transport/slot_layout.hpp"

namespace loadstone::transport {

struct arrived_cell {
  std::uint32_t source = 0;
  std::uint32_t bytes = 0;  // of the payload
  bool overlapped = false;  // it may still be coming
  const std::byte* payload = nullptr;
  cell_header* cell = nullptr;  // to be given back; null: it lies elsewhere, until its handler returns
  std::uint8_t passed = 0;      // or to be kept here: flags of the slot
  std::uint64_t name = 0;       // as the slot had it
  const std::atomic<std::uint32_t>* filled = nullptr;
  memory::pin pin;
  arrived_cell* next_free = nullptr;  // pool

  // Bytes of the payload that are there.
  std::size_t there() const {
    return overlapped ? filled->load(std::memory_order_acquire) : bytes;  // sync: cell-filled, pair-line
  }
};

class arrived_cells {
 public:
  // `passed`: null where no cells are kept; then no message has one.
  explicit arrived_cells(peer_memory& memory, passed_cells* passed, bool remote_atomics = true)
      : memory_(memory), passed_(passed), remote_atomics_(remote_atomics) {}

  // The cell that a message of `source` names.
  arrived_cell* open(std::uint32_t source, const slot& message) {
    const bool here = (message.flags & slot_came_back) != 0;
    auto got = memory_.insist(local_address{message.cell}.in(here ? memory_.self() : source));
    if (!got) return nullptr;
    arrived_cell* a = take_node(source, message);
    a->passed = message.flags & (slot_passed | slot_came_back);
    a->name = message.cell;
    a->cell = reinterpret_cast<cell_header*>(got->at);
    a->payload = a->cell->payload();
    a->filled = &a->cell->filled;
    if (a->overlapped) prefetch_to_read(a->cell);  // for `filled`; else its line stays where it is
    a->pin = std::move(got->pin);
    return a;
  }
  // One that lies here, until its handler returns; `filled` counts what is there, if it may be
  // coming. Null: it cannot be reached.
  arrived_cell* open(std::uint32_t source, const slot& message, const std::byte* payload,
                     const std::atomic<std::uint32_t>* filled = nullptr) {
    if (payload == nullptr) return nullptr;
    arrived_cell* a = take_node(source, message);
    a->payload = payload;
    a->filled = filled;
    return a;
  }
  // True: the sender waits for it and must be woken.
  bool close(arrived_cell* a) {
    bool wanted = false;
    if (passed_ != nullptr && a->cell != nullptr) passed_->heard(a->source, a->bytes);
    if (a->passed != 0)
      passed_->keep(a->source, a->bytes,
                    {a->name, a->overlapped ? a->bytes : 0, (a->passed & slot_came_back) != 0});
    else if (a->cell != nullptr && remote_atomics_)
      wanted = give_back(*a->cell);
    else if (a->cell != nullptr)
      a->cell->state.store(cell_free,
                           std::memory_order_release);  // sync: cell-return; the sender looks by itself
    LOADSTONE_FAULT_POINT("cell.returned");
    forget(a);
    return wanted;
  }
  // Without giving back: the message stays where it is.
  void forget(arrived_cell* a) {
    a->pin = {};
    a->cell = nullptr;
    a->passed = 0;
    nodes_.give(a);
  }

 private:
  arrived_cell* take_node(std::uint32_t source, const slot& message) {
    arrived_cell* a = nodes_.take();
    a->source = source;
    a->bytes = message.payload_bytes;
    a->overlapped = (message.flags & slot_overlapped) != 0;
    return a;
  }

  peer_memory& memory_;
  passed_cells* const passed_;
  const bool remote_atomics_;
  base::pool<arrived_cell> nodes_;
};

}  // namespace loadstone::transport
