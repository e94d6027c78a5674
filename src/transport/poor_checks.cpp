// The poor transport with integrity: who keeps what, and who looks where, when lines are lost or repeated.
//
//   A message   lies sealed in the sender's own memory until its receiver has consumed it. A receiver that
//               finds a damaged slot, or has nothing to do, looks there: the sender need not help, nor even
//               be in the library.
//   Answers     (head, entries taken) are the receiver's own words; the sender loads them. They only grow, so
//               that an old one does no harm. They give cells back, too.
//   Deposits    are read back by the fence, and stored again.
#include <cstdio>
#include <cstdlib>

#include "base/fault.hpp"
#include "transport/poor.hpp"

namespace loadstone::transport {

using base::code;
using base::status;

void poor::insist_on_same_settings(std::uint32_t index, const front& f) const {
  insist_on_transport(self_, index, f, own_->transport);
  if (checks_ == nullptr || f.slots == own_->slots) return;
  std::fprintf(stderr, "loadstone: LOADSTONE_INBOX_SLOTS differs between processes %u and %u\n", self_,
               index);
  std::abort();
}

// --- sender ---

void poor::acknowledge(std::uint32_t index, front* f) {
  peer& p = peers_[index];
  const auto refresh = [&](std::atomic<std::uint64_t>& word, std::uint64_t& known) {
    if (index != self_ && faults_.strike()) return;                  // an old line: what we know
    const std::uint64_t now = word.load(std::memory_order_acquire);  // sync: ring-consume, queue-consume
    if (static_cast<std::int64_t>(now - known) > 0) known = now;
  };
  poor_ring* ring = ring_of(f, self_);
  refresh(ring->head, p.answered);
  checks_->answered(index, 0, p.answered);
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
    if (front* f = front_of(index, &pin); f != nullptr) acknowledge(index, f);
  }
}

// Where its receiver finds it when a line of it is lost.
void poor::keep(std::uint32_t index, const slot& image) {
  constexpr std::size_t word = sizeof image.identity;
  kept_ring* kept = kept_for(own_, static_cast<std::uint32_t>(peers_.size()), index);
  auto* to = reinterpret_cast<std::byte*>(&kept->slots()[(peers_[index].next / step) & (own_->slots - 1)]);
  const auto* from = reinterpret_cast<const std::byte*>(&image);
  store_words(to + word, from + word, sizeof image - word);
  store_words(to, from, word);
}

void poor::announce_checked(std::uint32_t index, front* f) {
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
  auto* there = reinterpret_cast<std::byte*>(&ring_of(f, self_)->notice);
  store_through(index, static_cast<std::uint64_t>(there - reinterpret_cast<std::byte*>(f)), &now, sizeof now);
}

// --- receiver ---

bool poor::has(std::uint32_t source, slot& copy) {
  const std::uint64_t place = peers_[source].head, low = place | published_bit;
  const std::size_t index = (place / step) & (own_->slots - 1);
  const bool arrived = published(source) != nullptr;
  if (arrived && checks_->read(self_, ring_of(own_, source)->slots()[index], place, low, copy)) return true;
  if (source == self_ || (!arrived && !looks_at(source))) return false;
  // What has arrived is damaged, or on its way, or it is time to look what may have been lost.
  look_soon_ |= arrived;
  memory::pin pin;
  front* f = front_of(source, &pin);
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
      overflow_->registered(source, kind, seen, {now.first_block[kind]}, ring_of(own_, source)->taken[kind]);
    }
  };
  noticed now;
  checks_->load(self_, &now, &ring_of(own_, source)->notice, sizeof now);
  take(now);
  if (!looks_at(source)) return;
  memory::pin pin;
  front* f = front_of(source, &pin);
  if (f == nullptr) return;
  checks_->load(source, &now, &kept_for(f, static_cast<std::uint32_t>(peers_.size()), self_)->notice,
                sizeof now);
  take(now);
}

const std::byte* poor::read_cell(std::uint32_t source, const slot& message) {
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
  return payload_.data();
}

// --- deposits ---

// What is read back wrong was stored wrong, or read wrong: storing it again does no harm. It ends, unless
// somebody else writes to the same bytes, against the rules.
status poor::store_until_there(std::uint32_t process) {
  constexpr int most_rounds = 1000;
  status reached = status::success();
  const auto is_there = [&](memory::address where, const std::byte* data, std::size_t bytes) {
    auto got = memory_.reach(where);
    if (!got) {
      reached = got.error();
      return false;
    }
    std::byte there[line_bytes];
    for (std::size_t i = 0; i < bytes; ++i) there[i] = ~data[i];  // a line that does not come is no proof
    checks_->load(process, there, got->at, bytes);
    if (std::equal(data, data + bytes, there)) return true;
    checks_->damaged();
    checks_->repeated();
    if (status again = stores_.store(where, data, bytes); !again.ok()) reached = again;
    return false;
  };
  for (int round = 0; round < most_rounds; ++round) {
    if (unfenced_.settle(process, is_there)) return status::success();
    if (!reached.ok()) {
      unfenced_.forget(process);
      return reached;
    }
    stores_.flush(process);
  }
  unfenced_.forget(process);
  return {code::system, 0, "what was stored into the memory of a peer does not stay there"};
}

// There is no checksum of arbitrary memory: it is read until two readings agree.
status poor::get(void* to, memory::address where, std::size_t bytes) {
  auto got = memory_.reach(where);
  if (!got) return got.error();
  auto* local = static_cast<std::byte*>(to);
  if (checks_ == nullptr) {
    faults_.load(local, got->at, bytes);
    return status::success();
  }
  constexpr std::size_t piece = 4096;
  std::byte second[piece];
  for (std::size_t at = 0; at < bytes; at += piece) {
    const std::size_t n = std::min(piece, bytes - at);
    checks_->load(where.region.process, local + at, got->at + at, n);
    for (int round = 0;; ++round) {
      for (std::size_t i = 0; i < n; ++i) second[i] = ~local[at + i];
      checks_->load(where.region.process, second, got->at + at, n);
      if (std::equal(second, second + n, local + at)) break;
      if (round == 1000) return {code::system, 0, "the memory of a peer changes while it is read"};
      checks_->damaged();
      checks_->repeated();
      checks_->load(where.region.process, local + at, got->at + at, n);
    }
  }
  return status::success();
}

}  // namespace loadstone::transport
