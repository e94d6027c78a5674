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
      faults_(with.lost_per_million, with.seed * 1000033 + with.self),
      cells_(with.arena, with.cell_limit),
      arrived_(memory_, false),
      stores_(memory_, with.seed * 1000003 + with.self, faults_),
      slot_lines_(memory_, with.seed * 1000037 + with.self, faults_, delayed_stores::repeats::always) {
  if (with.integrity) checks_ = std::make_unique<integrity>(faults_, with.self, with.job.header().capacity);
}

base::result<std::unique_ptr<poor>> poor::open(const setup& with) try {
  std::uint32_t slots = std::bit_floor(std::clamp(with.ring_slots, 2u, 16u));
  const std::uint32_t senders = with.job.header().capacity;
  const auto room_for = [&](std::uint32_t n) {
    return slots_at + senders * (ring_bytes(n) + (with.integrity ? kept_bytes(n) : 0)) <= memory::front_bytes;
  };
  while (slots > 2 && !room_for(slots)) slots /= 2;
  if (!room_for(slots))
    return status{code::invalid, 0, "more processes than the poor transport has rings for"};
  auto made = std::unique_ptr<poor>(new poor(with));
  // Fresh job memory is zero; peers may be looking at `ready` already.
  auto* f = static_cast<front*>(with.arena.pointer(memory::front_of(with.self)));
  made->own_ = f;
  f->transport = with.integrity ? poor_transport_with_integrity : poor_transport;
  f->slots = slots;
  f->first_position = with.first_position & ~flag_bits;
  for (std::uint32_t p = 0; p < senders; ++p) {
    poor_ring* ring = new (ring_of(f, p)) poor_ring{};
    ring->head.store(f->first_position, std::memory_order_relaxed);  // relaxed: published by `ready`
    for (std::uint32_t i = 0; i < slots; ++i) ring->slots()[i].identity.store(0, std::memory_order_relaxed);
    made->peers_[p].head = f->first_position;
  }
  made->overflow_ = std::make_unique<overflow>(made->memory_, *f, senders, made->checks_.get());
  f->ready.store(front_magic, std::memory_order_release);  // sync: front-ready
  LOADSTONE_FAULT_POINT("poor.ready");
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, 0, "no memory to describe the transport"};
}

bool poor::alive(std::uint32_t peer) {
  if (memory::is_alive(job_, peer)) return true;
  memory::note_death(job_, peer);
  return false;
}

cell_header* poor::fill_cell(const outgoing& m) {
  cell_header* c = cells_.take(m.payload_bytes);
  if (c == nullptr && checks_ != nullptr) {
    acknowledge_all();
    c = cells_.take(m.payload_bytes);
  }
  if (c != nullptr) m.put_payload(c->payload());
  return c;
}

// The front of a peer, mapped while `pin` lives. Its first line does not change once it is ready.
front* poor::front_of(std::uint32_t index, memory::pin* pin) {
  auto got = memory_.insist(memory::front_of(index));
  if (!got) return nullptr;
  *pin = std::move(got->pin);
  auto* f = reinterpret_cast<front*>(got->at);
  if (f->ready.load(std::memory_order_acquire) != front_magic) return nullptr;  // sync: front-ready
  return f;
}

send_result poor::send(std::uint32_t index, const outgoing& m) {
  if (index >= peers_.size()) return send_result::gone;
  stores_.perhaps();
  memory::pin pin;
  front* f = front_of(index, &pin);
  if (f == nullptr) return alive(index) ? send_result::not_ready : send_result::gone;
  peer& p = peers_[index];
  if (!p.known) {
    p.known = true;
    p.next = p.answered = f->first_position;
    insist_on_same_settings(index, *f);
  }
  std::uint64_t head = 0;
  if (checks_ != nullptr) {
    acknowledge(index, f);
    head = p.answered;
  } else {
    // Acquire: the reader of that slot is done with it (sync: ring-consume).
    head = ring_of(f, self_)->head.load(std::memory_order_acquire);
  }
  const bool full = p.next - head >= std::uint64_t{f->slots} * step;
  // Relaxed: a wish, not an order.
  bool refused = m.kind == user_class && (f->inbox.tail.load(std::memory_order_relaxed) & refuse_bit) != 0;
  if (full || refused || overflow_->open_queue(index, m.kind) != nullptr) return queue_up(index, m);
  cell_header* taken = nullptr;
  if (!m.fits_slot() && (taken = fill_cell(m)) == nullptr) return send_result::no_cell;
  slot image{};
  write_slot(image, m, self_, p.sequence[m.kind]++, name_of(taken));
  publish(index, f, image, taken);
  ++(taken != nullptr ? counts_.cells_sent : counts_.inline_sent);
  return send_result::sent;
}

// The body of the slot, made visible before its identity is stored.
void poor::publish(std::uint32_t index, front* f, slot& image, cell_header* cell) {
  peer& p = peers_[index];
  constexpr std::size_t word = sizeof image.identity;
  slot& target = ring_of(f, self_)->slots()[(p.next / step) & (f->slots - 1)];
  const auto offset =
      static_cast<std::uint64_t>(reinterpret_cast<std::byte*>(&target) - reinterpret_cast<std::byte*>(f));
  if (checks_ != nullptr) {
    if (cell != nullptr) set_cell_check(image, base::crc32c(cell->payload(), image.payload_bytes));
    seal(image, p.next, p.next | published_bit);
    checks_->hold(index, 0, p.next, cell);
    keep(index, image);
  }
  const auto* body = reinterpret_cast<const std::byte*>(&image) + word;
  store_through(index, offset + word, body, sizeof image - word);
  LOADSTONE_FAULT_POINT("poor.written");
  if (checks_ != nullptr)
    store_through(index, offset, &image, word);
  else  // never lost: without checks a loss shall be seen as damage, not as a hang
    target.identity.store(p.next | published_bit, std::memory_order_release);  // sync: ring-publish
  LOADSTONE_FAULT_POINT("poor.published");
  p.next += step;
}

// Lines wait and travel like anybody's stores, but this flush is for them alone: earlier deposits stay where
// they are, so that a missing fence of the caller is found.
void poor::store_through(std::uint32_t index, std::uint64_t offset, const void* data, std::size_t bytes) {
  memory::address where = memory::front_of(index);
  where.offset += offset;
  (void)slot_lines_.store(where, data, bytes);
  slot_lines_.flush_all();
}

send_result poor::queue_up(std::uint32_t index, const outgoing& m) {
  out_queue* q = overflow_->any_queue(index, m.kind);
  if (q == nullptr || q->reserve() == nullptr)
    return m.fits_slot() ? send_result::no_memory : send_result::no_cell;
  cell_header* taken = nullptr;
  if (!m.fits_slot() && (taken = fill_cell(m)) == nullptr) return send_result::no_cell;
  peer& p = peers_[index];
  slot& entry = *q->reserve();
  write_slot(entry, m, self_, p.sequence[m.kind]++, name_of(taken));
  if (checks_ != nullptr) {
    if (taken != nullptr) set_cell_check(entry, base::crc32c(taken->payload(), entry.payload_bytes));
    seal(entry, q->number(), entry_present);
    checks_->hold(index, 1u + m.kind, q->number(), taken);
  }
  q->append(checks_ != nullptr ? entry.identity.load(std::memory_order_relaxed)  // relaxed: ours
                               : entry_present);
  ++counts_.queued_sent;
  if (taken != nullptr) ++counts_.cells_sent;
  ++p.appended[m.kind];
  memory::pin pin;
  front* f = front_of(index, &pin);
  if (checks_ != nullptr)
    announce_checked(index, f);
  else if (f != nullptr)
    ring_of(f, self_)->notice.queued[m.kind].store(p.appended[m.kind],
                                                   std::memory_order_release);  // sync: queue-register
  LOADSTONE_FAULT_POINT("poor.registered");
  return send_result::sent;
}

void poor::collect() {
  for (std::uint32_t source = 0; source < peers_.size(); ++source) {
    if (checks_ != nullptr) {
      collect_checked(source);
      continue;
    }
    for (std::uint8_t kind = 0; kind < classes; ++kind) {
      std::uint32_t now =
          ring_of(own_, source)->notice.queued[kind].load(std::memory_order_acquire);  // sync: queue-register
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

status poor::put(memory::address where, const void* data, std::size_t bytes) {
  if (status stored = stores_.store(where, data, bytes); !stored.ok() || checks_ == nullptr) return stored;
  constexpr std::size_t most_lines = 1 << 14;  // a MiB
  unfenced_.note(where, data, bytes);
  return unfenced_.lines() < most_lines ? status::success() : fence(where.region.process);
}

status poor::fence(std::uint32_t process) {
  stores_.flush(process);
  return checks_ != nullptr ? store_until_there(process) : status::success();
}

status poor::fence_all() {
  stores_.flush_all();
  while (!unfenced_.none())
    if (status stored = store_until_there(unfenced_.some_process()); !stored.ok()) return stored;
  return status::success();
}

std::optional<std::chrono::nanoseconds> poor::arm() {
  look_soon_ = true;
  if (overflow_->work()) return std::nullopt;
  for (std::uint32_t p = 0; p < peers_.size(); ++p)
    if (published(p) != nullptr) return std::nullopt;
  LOADSTONE_FAULT_POINT("poor.asleep");
  // Nobody can wake us: look again soon, and less and less often.
  if (naps_ < 8) ++naps_;
  return std::chrono::microseconds(20) * (1 << naps_);  // up to 5 ms
}

}  // namespace loadstone::transport
