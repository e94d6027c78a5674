// The poor transport with integrity: who keeps what, and who looks where, when lines are lost or
// repeated.
//
//   A message   lies sealed in the sender's own memory until its receiver has consumed it. A
//               receiver that finds a damaged slot, or has nothing to do, looks there: the sender
//               need not help, nor even be in the library.
//   Answers     (head, entries taken) are the receiver's own words; the sender loads them. They
//               only grow, so that an old one does no harm. They give cells back, too.
#include "base/fault.hpp"
#include "transport/poor/poor.hpp"

namespace loadstone::transport {

// --- sender ---

void poor::acknowledge(std::uint32_t index, poor_front* f) {
  peer& p = peers_[index];
  const auto refresh = [&](std::atomic<std::uint64_t>& word, std::uint64_t& known) {
    if (index != self_ && faults_.strike()) return;                  // an old line: what we know
    const std::uint64_t now = word.load(std::memory_order_acquire);  // sync: ring-consume, queue-consume
    if (static_cast<std::int64_t>(now - known) > 0) known = now;
  };
  poor_ring* ring = ring_of(f, self_);
  std::uint64_t head = p.out.consumed();
  refresh(ring->head, head);
  p.out.reader_is_at(head);
  checks_->answered(index, 0, head);
  for (std::uint8_t kind = 0; kind < classes; ++kind) {
    refresh(ring->taken[kind], p.taken[kind]);
    overflow_->consumed(index, kind, p.taken[kind]);
    checks_->answered(index, 1u + kind, p.taken[kind]);
  }
}

void poor::acknowledge_all() {
  for (std::uint32_t index = 0; index < peers_.size(); ++index) {
    if (!checks_->holds(index)) continue;
    memory::pin pin;
    if (poor_front* f = front_of(index, &pin); f != nullptr) acknowledge(index, f);
  }
}

// Where its receiver finds it when a line of it is lost.
void poor::keep(std::uint32_t index, const slot& image) {
  constexpr std::size_t word = sizeof image.identity;
  kept_ring* kept = kept_for(own_, static_cast<std::uint32_t>(peers_.size()), index);
  auto* to =
      reinterpret_cast<std::byte*>(&kept->slots()[(peers_[index].out.position() / step) & (own_->slots - 1)]);
  const auto* from = reinterpret_cast<const std::byte*>(&image);
  store_words(to + word, from + word, sizeof image - word);
  store_words(to, from, word);
}

void poor::announce_checked(std::uint32_t index, poor_front* f) {
  noticed now;
  for (std::uint8_t kind = 0; kind < classes; ++kind) {
    now.queued[kind] = peers_[index].appended[kind];
    if (now.queued[kind] != 0) now.first_block[kind] = overflow_->any_queue(index, kind)->first_block();
  }
  now.check = now.checksum();
  kept_ring* kept = kept_for(own_, static_cast<std::uint32_t>(peers_.size()), index);
  store_words(reinterpret_cast<std::byte*>(&kept->notice), reinterpret_cast<const std::byte*>(&now),
              sizeof now);
  if (f == nullptr) return;
  store_through(index, f, &ring_of(f, self_)->notice, &now, sizeof now);
}

// --- receiver ---

bool poor::has(std::uint32_t source, slot& copy) {
  const std::uint64_t place = peers_[source].in.position(), low = peers_[source].in.identity();
  const std::size_t index = (place / step) & (own_->slots - 1);
  const bool arrived = published(source) != nullptr;
  if (arrived && checks_->read(self_, ring_memory_of(own_, source).at(place), place, low, copy)) return true;
  if (source == self_ || (!arrived && !checks(source))) return false;
  // What has arrived is damaged, or on its way, or it is time to look what may have been lost.
  reading_.check_soon |= arrived;
  memory::pin pin;
  poor_front* f = front_of(source, &pin);
  if (f == nullptr) return false;
  kept_ring* kept = kept_for(f, static_cast<std::uint32_t>(peers_.size()), self_);
  if (!checks_->read(source, kept->slots()[index], place, low, copy)) return false;
  checks_->repeated();
  LOADSTONE_FAULT_POINT("poor.fetched");
  return true;
}

void poor::collect_checked(std::uint32_t source) {
  const auto take = [&](const noticed& now) {
    if (!now.intact()) return;
    for (std::uint8_t kind = 0; kind < classes; ++kind) {
      std::uint32_t& seen = peers_[source].appended_seen[kind];
      if (static_cast<std::int32_t>(now.queued[kind] - seen) <= 0) continue;  // an old one, perhaps
      seen = now.queued[kind];
      in_queue& q = overflow_->registered(source, kind, [&] {
        return std::make_unique<checked_queue>(source, kind, local_address{now.first_block[kind]}, reading_,
                                               ring_of(own_, source)->taken[kind]);
      });
      static_cast<checked_queue&>(q).told(seen);
    }
  };
  noticed now;
  checks_->load(self_, &now, &ring_of(own_, source)->notice, sizeof now);
  take(now);
  if (!checks(source)) return;
  memory::pin pin;
  poor_front* f = front_of(source, &pin);
  if (f == nullptr) return;
  checks_->load(source, &now, &kept_for(f, static_cast<std::uint32_t>(peers_.size()), self_)->notice,
                sizeof now);
  take(now);
}

arrived_cell* poor::payload_of(slot& message, std::uint32_t source) {
  if (checks_ == nullptr) return arrived_.open(source, message);
  auto got = memory_.insist(local_address{message.cell}.in(source));
  if (!got) return nullptr;
  payload_.resize(cells::largest);
  std::byte* from = reinterpret_cast<cell_header*>(got->at)->payload();
  checks_->insist(source, "the payload of a message", [&] {
    checks_->load(source, payload_.data(), from, message.payload_bytes);
    if (base::crc32c(payload_.data(), message.payload_bytes) == cell_check(message)) return true;
    checks_->damaged();
    return false;
  });
  return arrived_.open(source, message, payload_.data());
}

}  // namespace loadstone::transport
