#include "transport/poor/poor.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "base/fault.hpp"
#include "memory/liveness.hpp"

namespace loadstone::transport {

using base::code;
using base::status;

poor::poor(const setup& with)
    : job_(with.job),
      self_(with.memory.self()),
      memory_(with.memory),
      peers_(with.job.header().capacity),
      faults_(with.transport.lost, with.transport.delay_seed * 1000033 + self_),
      checks_(with.transport.integrity
                  ? std::make_unique<integrity>(faults_, self_, with.job.header().capacity)
                  : nullptr),
      cells_(memory_.arena(), with.cell_bytes_limit),
      arrived_(memory_, nullptr, false),
      stores_(memory_, with.transport.delay_seed * 1000003 + self_, faults_, checks_.get()),
      slot_lines_(memory_, with.transport.delay_seed * 1000037 + self_, faults_,
                  delayed_stores::repeats::always),
      agreed_(with.transport.word()),
      reading_{.checks = checks_.get()} {}

base::result<std::unique_ptr<unmapped>> open_unmapped(const setup& with) {
  return poor::open(with);
}

base::result<std::unique_ptr<unmapped>> poor::open(const setup& with) try {
  std::uint32_t slots = std::bit_floor(std::clamp(with.inbox_slots, 2u, 16u));
  const std::uint32_t senders = with.job.header().capacity;
  auto* const common = static_cast<front*>(with.memory.arena().pointer(memory::front_of(with.memory.self())));
  auto* const f = poor_front_of(common);  // fresh job memory is zero; peers may be looking at `ready` already
  const auto at =
      static_cast<std::size_t>(reinterpret_cast<std::byte*>(f) - reinterpret_cast<std::byte*>(common));
  const auto fits = [&](std::uint32_t n) {
    return at + sizeof *f + senders * (ring_bytes(n) + (with.transport.integrity ? kept_bytes(n) : 0)) <=
           memory::front_bytes;
  };
  while (slots > 2 && !fits(slots)) slots /= 2;
  if (!fits(slots)) return status{code::invalid, 0, "more processes than the poor transport has rings for"};
  auto made = std::unique_ptr<poor>(new poor(with));
  made->own_ = f;
  f->first_position = with.first_position & ~flag_bits;
  f->at = static_cast<std::uint32_t>(at);
  f->slots = slots;
  for (std::uint32_t p = 0; p < senders; ++p) {
    poor_ring* ring = new (ring_of(f, p)) poor_ring{};
    ring->head.store(f->first_position, std::memory_order_relaxed);  // relaxed: published by `ready`
    for (std::uint32_t i = 0; i < slots; ++i)
      ring_memory_of(f, p).at(i * step).identity.store(0, std::memory_order_relaxed);
    made->peers_[p].in = ring_reader(f->first_position);
  }
  made->overflow_ = std::make_unique<overflow>(with.memory, *common, senders,
                                               made->checks_ != nullptr ? check_of_next : nullptr);
  f->ready.store(front_magic, std::memory_order_release);  // sync: front-ready
  LOADSTONE_FAULT_POINT("poor.ready");
  return std::unique_ptr<unmapped>(std::move(made));
} catch (const std::bad_alloc&) {
  return status{code::no_memory, 0, "no memory to describe the transport"};
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

// What a peer has for us, mapped while `pin` lives. The first line does not change once it is
// ready.
poor_front* poor::front_of(std::uint32_t index, memory::pin* pin) {
  auto got = memory_.insist(memory::front_of(index));
  if (!got) return nullptr;
  *pin = std::move(got->pin);
  auto* const common = reinterpret_cast<front*>(got->at);
  if (common->ready.load(std::memory_order_acquire) != front_magic) return nullptr;  // sync: front-ready
  insist_on_transport(self_, index, *common, agreed_);
  auto* const f = poor_front_of(common);
  if (f->ready.load(std::memory_order_acquire) != front_magic) return nullptr;  // sync: front-ready
  if (checks_ != nullptr && f->slots != own_->slots) {
    std::fprintf(stderr, "loadstone: LOADSTONE_TEST=inbox_slots=… differs between processes %u and %u\n",
                 self_, index);
    std::abort();
  }
  return f;
}

send_result poor::send(std::uint32_t index, const outgoing& m) {
  if (index >= peers_.size()) return send_result::gone;
  stores_.perhaps();
  memory::pin pin;
  poor_front* f = front_of(index, &pin);
  if (f == nullptr) {
    if (memory::is_alive(job_, index)) return send_result::not_ready;
    memory::note_death(job_, index);
    return send_result::gone;
  }
  peer& p = peers_[index];
  if (!p.known) {
    p.known = true;
    p.out = ring_writer(f->first_position);
  }
  if (checks_ != nullptr) acknowledge(index, f);
  const poor_ring_memory ring = ring_memory_of(f, self_);
  const bool full = checks_ != nullptr ? p.out.is_full(ring) : p.out.claim(ring) == nullptr;
  // Relaxed: a wish, not an order.
  const bool refused = m.kind == user_class && f->refuses.load(std::memory_order_relaxed) != 0;
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
void poor::publish(std::uint32_t index, poor_front* f, slot& image, cell_header* cell) {
  peer& p = peers_[index];
  constexpr std::size_t word = sizeof image.identity;
  slot& target = ring_memory_of(f, self_).at(p.out.position());
  if (checks_ != nullptr) {
    if (cell != nullptr) set_cell_check(image, base::crc32c(cell->payload(), image.payload_bytes));
    seal(image, p.out.position(), p.out.identity());
    checks_->hold(index, 0, p.out.position(), cell);
    keep(index, image);
  }
  const auto* body = reinterpret_cast<const std::byte*>(&image) + word;
  store_through(index, f, reinterpret_cast<std::byte*>(&target) + word, body, sizeof image - word);
  LOADSTONE_FAULT_POINT("poor.written");
  if (checks_ != nullptr)
    store_through(index, f, &target, &image, word);
  else  // never lost: without checks a loss shall be seen as damage, not as a hang
    target.identity.store(p.out.identity(), std::memory_order_release);  // sync: ring-publish
  LOADSTONE_FAULT_POINT("poor.published");
  p.out.published();
}

// Lines wait and travel like anybody's stores, but this flush is for them alone: earlier deposits
// stay where they are, so that a missing fence of the caller is found.
void poor::store_through(std::uint32_t index, poor_front* f, void* there, const void* data,
                         std::size_t bytes) {
  memory::address where = memory::front_of(index);
  where.offset +=
      f->at + static_cast<std::uint64_t>(static_cast<std::byte*>(there) - reinterpret_cast<std::byte*>(f));
  (void)slot_lines_.store(where, data, bytes);
  slot_lines_.flush_all();
}

send_result poor::queue_up(std::uint32_t index, const outgoing& m) {
  out_queue* q = overflow_->any_queue(index, m.kind);
  if (q == nullptr || q->claim() == nullptr)
    return m.fits_slot() ? send_result::no_memory : send_result::no_cell;
  cell_header* taken = nullptr;
  if (!m.fits_slot() && (taken = fill_cell(m)) == nullptr) return send_result::no_cell;
  peer& p = peers_[index];
  slot& entry = *q->claim();
  write_slot(entry, m, self_, p.sequence[m.kind]++, name_of(taken));
  if (checks_ != nullptr) {
    if (taken != nullptr) set_cell_check(entry, base::crc32c(taken->payload(), entry.payload_bytes));
    seal(entry, q->number(), entry_present);
    checks_->hold(index, 1u + m.kind, q->number(), taken);
  }
  q->publish(checks_ != nullptr ? entry.identity.load(std::memory_order_relaxed)  // relaxed: ours
                                : entry_present);
  ++counts_.queued_sent;
  if (taken != nullptr) ++counts_.cells_sent;
  ++p.appended[m.kind];
  memory::pin pin;
  poor_front* f = front_of(index, &pin);
  if (checks_ != nullptr)
    announce_checked(index, f);
  else if (f != nullptr)
    ring_of(f, self_)->notice.queued[m.kind].store(p.appended[m.kind],
                                                   std::memory_order_release);  // sync: queue-register
  LOADSTONE_FAULT_POINT("poor.registered");
  return send_result::sent;
}

bool poor::drain(std::uint32_t source, any_taker& take) {
  bool any = false;
  slot copy{};
  for (std::uint32_t most = own_->slots; most != 0; --most) {
    slot* s = checks_ == nullptr ? published(source) : has(source, copy) ? &copy : nullptr;
    if (s == nullptr) break;
    take(*s, source, true, false);
    LOADSTONE_FAULT_POINT("poor.taken");
    peers_[source].in.release(ring_memory_of(own_, source), 1);
    any = true;
  }
  return any;
}

bool poor::drain_all(any_taker& take) {
  bool any = false;
  for (std::uint32_t p = 0; p < peers_.size(); ++p) any |= drain(p, take);
  return any;
}

bool poor::take_in(any_taker& take) {
  stores_.perhaps();
  checking_ = checks_ != nullptr && (reading_.check_soon || ++polls_ % check_every == 0) ? everybody : nobody;
  reading_.check_soon = false;
  reading_.take = &take;
  bool any = drain_all(take);
  collect();
  if (overflow_->work()) {
    overflow_->observe();
    drain_all(take);
    any |= overflow_->pull([&](slot& s, std::uint32_t source, bool fresh) {
      return take(s, source, fresh, s.kind == user_class);
    });
  }
  if (any) naps_ = 0;
  return any;
}

void poor::search_for(std::uint32_t source, any_taker& take, const bool* stop) {
  if (checks_ != nullptr) checking_ = source;
  reading_.take = &take;
  collect();
  if (!overflow_->exist()) return;
  overflow_->observe();
  drain_all(take);
  overflow_->search(
      source, user_class, [&](slot& s, std::uint32_t from, bool fresh) { return take(s, from, fresh, true); },
      stop);
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
  own_->refuses.store(yes ? 1 : 0, std::memory_order_relaxed);  // relaxed: a wish
}

void poor::add_to(figures& all) const {
  all.inline_sent += counts_.inline_sent;
  all.cells_sent += counts_.cells_sent;
  all.queued_sent += counts_.queued_sent;
  if (checks_ == nullptr) return;
  all.damaged = checks_->counts().damaged;
  all.repeated = checks_->counts().repeated;
}

std::optional<std::chrono::nanoseconds> poor::arm() {
  reading_.check_soon = true;
  if (overflow_->work()) return std::nullopt;
  for (std::uint32_t p = 0; p < peers_.size(); ++p)
    if (published(p) != nullptr) return std::nullopt;
  LOADSTONE_FAULT_POINT("poor.asleep");
  // Nobody can wake us: look again soon, and less and less often.
  if (naps_ < 8) ++naps_;
  return std::chrono::microseconds(20) * (1 << naps_);  // up to 5 ms
}

}  // namespace loadstone::transport
