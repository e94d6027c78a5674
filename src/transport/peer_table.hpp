// What a process knows of each peer that it has met: where its front is mapped, and the sending
// ends of the lanes that lead there. Fronts are mapped at first contact; with a small cache of
// mappings the one mapped longest ago makes room.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "memory/job.hpp"
#include "memory/mappings.hpp"
#include "transport/inbox.hpp"
#include "transport/pair_line.hpp"
#include "transport/peer_memory.hpp"
#include "transport/ring.hpp"

namespace loadstone::transport {

struct peer {
  front* at = nullptr;  // null: not mapped now
  memory::pin pin;
  inbox::producer inbox;
  std::uint32_t sequence[classes] = {};  // of the next message to it
  pair_line_end* line = nullptr;
  std::uint32_t answers = 0;   // how often a message to it has followed one from it
  std::uint32_t by_inbox = 0;  // messages from it, or by queue
  std::unique_ptr<ring_sender> ring;
  ring_receiver* ring_from = nullptr;
  bool wants_no_ring = false;                    // has refused one
  std::uint64_t gave_up_at = ~std::uint64_t{0};  // how far it had read a full lane when we waited in vain
};

class peer_table {
 public:
  peer_table(memory::job& job, peer_memory& memory);

  void set_own(front* own) { own_ = own; }
  std::size_t size() const { return peers_.size(); }
  // Null: nothing has been heard of it, or sent to it.
  peer* known(std::uint32_t index) const { return peers_[index].get(); }
  // The line of that peer, if it is the peer's turn to write there; null otherwise.
  pair_line_end* line_from(std::uint32_t index) const {
    peer* p = known(index);
    return p != nullptr && p->line != nullptr && !p->line->has_turn() ? p->line : nullptr;
  }
  // The ring through which that peer sends to us in a row; null: there is none.
  ring_receiver* ring_from(std::uint32_t index) const {
    peer* p = known(index);
    return p != nullptr ? p->ring_from : nullptr;
  }
  peer& met(std::uint32_t index) {
    std::unique_ptr<peer>& p = peers_[index];
    if (p == nullptr) [[unlikely]]
      p = std::make_unique<peer>();
    return *p;
  }
  // With its front mapped. Null: there is no such peer, or it has not opened its front yet.
  peer* reach(std::uint32_t index) {
    peer* p = peers_[index].get();
    return p != nullptr && p->at != nullptr ? p : reach_slow(index);
  }
  // Whom something was sent to, as far as their fronts are mapped; the latest is last.
  std::span<const std::uint32_t> contacts() const { return kept_; }
  // A death that is met here is noted for the launcher. alive() is slow: it asks the system.
  bool alive(std::uint32_t index);
  bool known_dead(std::uint32_t index);

 private:
  peer* reach_slow(std::uint32_t index);

  memory::job& job_;
  peer_memory& memory_;
  front* own_ = nullptr;
  std::vector<std::unique_ptr<peer>> peers_;
  std::vector<std::uint32_t> kept_;  // peers whose front stays mapped, oldest first
  std::size_t keep_;                 // at most so many
};

}  // namespace loadstone::transport
