#include "transport/poor.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "base/fault.hpp"
#include "memory/liveness.hpp"

namespace loadstone::transport {

using base::code;
using base::status;

poor::poor(const setup& with)
    : job_(with.job),
      self_(with.self),
      memory_(with.self, with.arena, with.mappings),
      peers_(with.job.header().capacity),
      cells_(with.arena, with.cell_limit),
      arrived_(memory_, false),
      stores_(memory_, with.seed * 1000003 + with.self) {}

base::result<std::unique_ptr<poor>> poor::open(const setup& with) try {
  std::uint32_t slots = std::bit_floor(std::clamp(with.ring_slots, 2u, 16u));
  std::uint32_t senders = with.job.header().capacity;
  while (slots > 2 && slots_at + senders * ring_bytes(slots) > memory::front_bytes) slots /= 2;
  if (slots_at + senders * ring_bytes(slots) > memory::front_bytes)
    return status{code::invalid, 0, "more processes than the poor transport has rings for"};
  auto made = std::unique_ptr<poor>(new poor(with));
  // Fresh job memory is zero; peers may be looking at `ready` already.
  auto* f = static_cast<front*>(with.arena.pointer(memory::front_of(with.self)));
  made->own_ = f;
  f->version = 1;
  f->transport = 1;
  f->slots = slots;
  f->first_position = with.first_position & ~flag_bits;
  for (std::uint32_t p = 0; p < senders; ++p) {
    poor_ring* ring = new (ring_of(f, p)) poor_ring{};
    ring->head.store(f->first_position, std::memory_order_relaxed);  // relaxed: published by `ready`
    for (std::uint32_t i = 0; i < slots; ++i) ring->slots()[i].identity.store(0, std::memory_order_relaxed);
    made->peers_[p].head = f->first_position;
  }
  made->overflow_ = std::make_unique<overflow>(made->memory_, *f, senders);
  f->ready.store(front_magic, std::memory_order_release);  // sync: front-ready
  LOADSTONE_FAULT_POINT("poor.ready");
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, 0, "no memory to describe the transport"};
}

bool poor::alive(std::uint32_t peer) {
  return memory::is_alive(job_.process(peer));
}

std::uint64_t poor::fill_cell(const outgoing& m, cell_header** taken) {
  cell_header* c = cells_.take(m.payload_bytes);
  *taken = c;
  if (c == nullptr) return 0;
  m.put_payload(c->payload());
  return local_address::of(memory_.arena().address_of(c)).bits;
}

send_result poor::send(std::uint32_t index, const outgoing& m) {
  if (index >= peers_.size()) return send_result::gone;
  stores_.perhaps();
  auto got = memory_.insist(memory::front_of(index));
  auto* f = got ? reinterpret_cast<front*>(got->at) : nullptr;
  if (f == nullptr || f->ready.load(std::memory_order_acquire) != front_magic)  // sync: front-ready
    return alive(index) ? send_result::not_ready : send_result::gone;
  peer& p = peers_[index];
  if (!p.known) {
    p.known = true;
    p.next = f->first_position;
  }
  poor_ring* ring = ring_of(f, self_);
  // Acquire: the reader of that slot is done with it (sync: ring-consume).
  bool full = p.next - ring->head.load(std::memory_order_acquire) >= std::uint64_t{f->slots} * step;
  // Relaxed: a wish, not an order.
  bool refused = m.kind == user_class && (f->inbox.tail.load(std::memory_order_relaxed) & refuse_bit) != 0;
  if (full || refused || overflow_->open_queue(index, m.kind) != nullptr) return queue_up(index, m);
  cell_header* taken = nullptr;
  std::uint64_t cell = 0;
  if (!m.fits_slot()) {
    cell = fill_cell(m, &taken);
    if (taken == nullptr) return send_result::no_cell;
  }
  slot image{};
  write_slot(image, m, self_, p.sequence[m.kind]++, cell);
  auto& target = ring->slots()[(p.next / step) & (f->slots - 1)];
  write_through(index, static_cast<std::uint64_t>(reinterpret_cast<std::byte*>(&target) - got->at), image);
  LOADSTONE_FAULT_POINT("poor.written");
  target.identity.store(p.next | published_bit, std::memory_order_release);  // sync: ring-publish
  LOADSTONE_FAULT_POINT("poor.published");
  p.next += step;
  ++(taken != nullptr ? counts_.cells_sent : counts_.inline_sent);
  return send_result::sent;
}

// The body of a slot, made visible before its identity is stored. Lines wait and travel like anybody's
// stores, but this flush is for them alone: earlier deposits stay where they are, so that a missing fence of
// the caller is found.
void poor::write_through(std::uint32_t index, std::uint64_t slot_offset, slot& image) {
  delayed_stores line(memory_, image.sequence + 1);
  memory::address where = memory::front_of(index);
  where.offset += slot_offset + sizeof image.identity;
  (void)line.store(where, reinterpret_cast<std::byte*>(&image) + sizeof image.identity,
                   sizeof image - sizeof image.identity);
  line.flush_all();
}

send_result poor::queue_up(std::uint32_t index, const outgoing& m) {
  out_queue* q = overflow_->any_queue(index, m.kind);
  if (q == nullptr || q->reserve() == nullptr)
    return m.fits_slot() ? send_result::no_memory : send_result::no_cell;
  cell_header* taken = nullptr;
  std::uint64_t cell = 0;
  if (!m.fits_slot()) {
    cell = fill_cell(m, &taken);
    if (taken == nullptr) return send_result::no_cell;
  }
  peer& p = peers_[index];
  write_slot(*q->reserve(), m, self_, p.sequence[m.kind]++, cell);
  q->append();
  ++counts_.queued_sent;
  if (cell != 0) ++counts_.cells_sent;
  auto got = memory_.insist(memory::front_of(index));
  if (!got) return send_result::sent;
  ring_of(reinterpret_cast<front*>(got->at), self_)
      ->queued[m.kind]
      .store(++p.appended[m.kind], std::memory_order_release);  // sync: queue-register
  LOADSTONE_FAULT_POINT("poor.registered");
  return send_result::sent;
}

void poor::collect() {
  for (std::uint32_t source = 0; source < peers_.size(); ++source) {
    for (std::uint8_t kind = 0; kind < classes; ++kind) {
      std::uint32_t now =
          ring_of(own_, source)->queued[kind].load(std::memory_order_acquire);  // sync: queue-register
      if (now == peers_[source].appended_seen[kind]) continue;
      peers_[source].appended_seen[kind] = now;
      overflow_->registered(source, kind);
    }
  }
}

void poor::refuse(bool yes) {
  own_->inbox.tail.store(yes ? refuse_bit : 0,
                         std::memory_order_relaxed);  // relaxed: a wish; only we write it
}

std::optional<std::chrono::nanoseconds> poor::arm() {
  if (overflow_->work()) return std::nullopt;
  for (std::uint32_t p = 0; p < peers_.size(); ++p)
    if (published(p) != nullptr) return std::nullopt;
  LOADSTONE_FAULT_POINT("poor.asleep");
  // Nobody can wake us: look again soon, and less and less often.
  if (naps_ < 6) ++naps_;
  return std::chrono::microseconds(20) * (1 << naps_);  // up to 1.3 ms
}

}  // namespace loadstone::transport
