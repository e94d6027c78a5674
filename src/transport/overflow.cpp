#include "transport/overflow.hpp"

#include <algorithm>
#include <bit>

namespace loadstone::transport {

std::unique_ptr<in_queue>& overflow::place_of(std::uint32_t source, std::uint8_t kind) {
  auto& pair = in_[source];
  if (!pair) pair = std::make_unique<std::array<std::unique_ptr<in_queue>, classes>>();
  return (*pair)[kind];
}

in_queue* overflow::find(std::uint32_t source, std::uint8_t kind) {
  auto& q = place_of(source, kind);
  if (q) return q.get();
  auto front_memory = memory_.insist(memory::front_of(source));
  if (!front_memory) return nullptr;
  std::uint64_t at =
      reinterpret_cast<front*>(front_memory->at)->queues.load(std::memory_order_acquire);  // sync: queue-list
  while (at != 0) {
    auto header_memory = memory_.insist(local_address{at}.in(source));
    if (!header_memory) return nullptr;
    auto* h = reinterpret_cast<queue_header*>(header_memory->at);
    if (h->destination == memory_.self() && h->kind == kind) {
      q = std::make_unique<in_queue>(source, kind, local_address{at}, local_address{h->first_block});
      return q.get();
    }
    at = h->next;
  }
  return nullptr;
}

void overflow::announce(front& receiver, std::uint8_t kind) {
  const std::uint32_t self = memory_.self();
  const std::uint64_t bit = std::uint64_t{1} << (self % 64);
  receiver.bitmap[kind][self / 64].fetch_or(bit, std::memory_order_release);  // sync: queue-register
  LOADSTONE_FAULT_POINT("queue.registered");
  // An exchange, not a store: of several senders the last one's word is what the receiver takes,
  // and it has to see the bits of those before, too (sync: queue-register). Before the read of the
  // sleep bit, which its reader sets before it polls here.
  receiver.rung.exchange(1, std::memory_order_seq_cst);
}

void overflow::collect() {
  // Before the bits: a bit set from here on rings again (sync: queue-register).
  if (own_.rung.exchange(0, std::memory_order_seq_cst) == 0) return;
  const std::size_t words = (in_.size() + 63) / 64;
  for (std::uint8_t kind = 0; kind < classes; ++kind) {
    for (std::size_t w = 0; w < words; ++w) {
      // Relaxed: the exchange below is in order.
      if (own_.bitmap[kind][w].load(std::memory_order_relaxed) == 0) continue;
      std::uint64_t bits =
          own_.bitmap[kind][w].exchange(0, std::memory_order_acquire);  // sync: queue-register
      for (; bits != 0; bits &= bits - 1)
        registered(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(bits)),
                   kind);
    }
  }
}

void overflow::registered(std::uint32_t source, std::uint8_t kind) {
  if (in_queue* q = find(source, kind); q != nullptr) has_fresh(q);
}

void overflow::has_fresh(in_queue* q) {
  if (std::find(fresh_.begin(), fresh_.end(), q) == fresh_.end()) fresh_.push_back(q);
}

std::optional<std::uint32_t> overflow::first_starved() {
  for (in_queue* q : live_)
    if (q->kind() == user_class && q->wanted(memory_)) return q->source();
  return std::nullopt;
}

void overflow::settle(in_queue* q) {
  auto at = std::find(live_.begin(), live_.end(), q);
  if (q->holds() && at == live_.end()) live_.push_back(q);
  if (!q->holds() && at != live_.end()) live_.erase(at);
}

}  // namespace loadstone::transport
