#include "transport/peer_table.hpp"

#include <cstdio>
#include <cstdlib>

#include "memory/liveness.hpp"

namespace loadstone::transport {

void insist_on_transport(std::uint32_t self, std::uint32_t peer, const front& of_peer, std::uint32_t ours) {
  if (of_peer.transport == ours) [[likely]]
    return;
  std::fprintf(stderr,
               "loadstone: transport or integrity (LOADSTONE_TEST) differ between processes %u and %u\n",
               self, peer);
  std::abort();
}

peer_table::peer_table(memory::job& job, peer_memory& memory)
    : job_(job),
      memory_(memory),
      peers_(job.header().capacity),
      // With a small cache of mappings, do not hold all of it pinned.
      keep_(memory.mappings().max_entries() > 4
                ? memory.mappings().max_entries() - memory.mappings().max_entries() / 4
                : 1) {}

peer* peer_table::reach_slow(std::uint32_t index) {
  if (index >= peers_.size()) return nullptr;
  front* at;
  memory::pin pin;
  if (index == memory_.self()) {
    at = own_;
  } else {
    // Space first: with a cache of one entry, one peer at a time is mapped.
    while (kept_.size() >= keep_) {
      peer& oldest = *peers_[kept_.front()];
      oldest.at = nullptr;
      oldest.pin = {};
      kept_.erase(kept_.begin());
    }
    auto got = memory_.insist(memory::front_of(index));
    if (!got) return nullptr;
    at = reinterpret_cast<front*>(got->at);
    pin = std::move(got->pin);
    if (at->ready.load(std::memory_order_acquire) != front_magic) return nullptr;  // sync: front-ready
    insist_on_transport(memory_.self(), index, *at, own_->transport);
    kept_.push_back(index);
  }
  peer& p = met(index);
  p.at = at;
  p.pin = std::move(pin);
  // A new view each time: what it remembers of the head is only a saving.
  p.inbox = inbox::producer(&at->inbox, slots_of(at), at->slots, index);
  return &p;
}

bool peer_table::alive(std::uint32_t index) {
  if (memory::is_alive(job_, index)) return true;
  memory::note_death(job_, index);
  return false;
}

bool peer_table::known_dead(std::uint32_t index) {
  if (job_.process(index).dead.load(std::memory_order_relaxed) == 0)
    return false;  // relaxed: sooner or later
  memory::note_death(job_, index);
  return true;
}

}  // namespace loadstone::transport
