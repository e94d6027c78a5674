// The deliberately poor transport, for tests: a ring per sender, no remote atomics, no remote wake-up, stores
// that become visible late. What works here and on the mapped transport alike does not rest on luck, and is
// what a memory pool or a network will need. The queues of refused senders and the cells are the same as
// there; they need plain stores only.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/fault.hpp"
#include "memory/job.hpp"
#include "transport/arrived_cell.hpp"
#include "transport/delayed_stores.hpp"
#include "transport/outgoing.hpp"
#include "transport/overflow.hpp"
#include "transport/poor_layout.hpp"

namespace loadstone::transport {

class poor {
 public:
  struct setup {
    memory::job& job;
    std::uint32_t self;
    memory::arena& arena;
    memory::mappings& mappings;
    std::uint32_t ring_slots;  // at most; less when there are many processes
    std::size_t cell_limit;
    std::uint64_t first_position = 0;
    std::uint64_t seed = 1;
  };
  static base::result<std::unique_ptr<poor>> open(const setup& with);

  static constexpr traits properties() { return {false, false, false, false, false, true}; }

  send_result send(std::uint32_t peer, const outgoing& m);
  bool alive(std::uint32_t peer);

  template <class Take>
  bool poll(Take&& take);
  template <class Take>
  bool poll_front(Take&& take) {
    return poll(take);
  }
  template <class Take>
  void look(std::uint32_t source, Take&& take, const bool* stop);
  void refuse(bool yes);
  bool queues_exist() const { return overflow_->exist(); }

  arrived_cells& arrived() { return arrived_; }
  peer_memory& memory() { return memory_; }
  delayed_stores& stores() { return stores_; }

  std::atomic<std::uint32_t>& bell() { return own_->bell; }
  std::optional<std::chrono::nanoseconds> arm();
  void disarm() {}
  void wake(std::uint32_t) {}  // there is no way to
  std::uint64_t rings() const { return 0; }

  struct figures {
    std::uint64_t inline_sent = 0, cells_sent = 0, queued_sent = 0, voided = 0, line_sent = 0;
  };
  const figures& counts() const { return counts_; }

 private:
  struct peer {
    bool known = false;
    std::uint64_t next = 0;  // position of my next message in its ring
    std::uint32_t sequence[classes] = {};
    std::uint32_t appended[classes] = {};
    std::uint32_t appended_seen[classes] = {};  // by it, for me
    std::uint64_t head = 0;                     // of its ring here
  };
  explicit poor(const setup& with);
  send_result queue_up(std::uint32_t index, const outgoing& m);
  std::uint64_t fill_cell(const outgoing& m, cell_header** taken);
  void write_through(std::uint32_t index, std::uint64_t slot_offset, slot& image);
  void collect();
  slot* published(std::uint32_t source) {
    poor_ring* ring = ring_of(own_, source);
    slot& s = ring->slots()[(peers_[source].head / step) & (own_->slots - 1)];
    std::uint64_t expected = peers_[source].head | published_bit;
    return s.identity.load(std::memory_order_acquire) == expected ? &s : nullptr;  // sync: ring-publish
  }
  template <class Take>
  bool drain(std::uint32_t source, Take& take);

  memory::job& job_;
  const std::uint32_t self_;
  peer_memory memory_;
  front* own_ = nullptr;
  std::vector<peer> peers_;
  std::unique_ptr<overflow> overflow_;
  cells cells_;
  arrived_cells arrived_;
  delayed_stores stores_;
  std::uint32_t naps_ = 0;
  figures counts_;
};

template <class Take>
bool poor::drain(std::uint32_t source, Take& take) {
  bool any = false;
  std::uint32_t most = own_->slots;
  while (slot* s = published(source)) {
    take(*s, source, true, false);
    LOADSTONE_FAULT_POINT("poor.taken");
    peers_[source].head += step;
    ring_of(own_, source)->head.store(peers_[source].head, std::memory_order_release);  // sync: ring-consume
    any = true;
    if (--most == 0) break;
  }
  return any;
}

template <class Take>
bool poor::poll(Take&& take) {
  stores_.perhaps();
  bool any = false;
  for (std::uint32_t p = 0; p < peers_.size(); ++p) any |= drain(p, take);
  collect();
  if (overflow_->work()) {
    overflow_->observe();
    for (std::uint32_t p = 0; p < peers_.size(); ++p) drain(p, take);
    any |= overflow_->pull([&](slot& s, std::uint32_t source,
                               bool fresh) { return take(s, source, fresh, s.kind == user_class); },
                           [](std::uint32_t) {});
  }
  if (any) naps_ = 0;
  return any;
}

template <class Take>
void poor::look(std::uint32_t source, Take&& take, const bool* stop) {
  collect();
  if (!overflow_->exist()) return;
  overflow_->observe();
  for (std::uint32_t p = 0; p < peers_.size(); ++p) drain(p, take);
  overflow_->look(
      source, user_class, [&](slot& s, std::uint32_t from, bool fresh) { return take(s, from, fresh, true); },
      [](std::uint32_t) {}, stop);
}

}  // namespace loadstone::transport
