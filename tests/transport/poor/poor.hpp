// The deliberately poor transport, for tests: a ring per sender, no remote atomics, no remote
// wake-up, stores that become visible late. What works here and on the mapped transport alike does
// not rest on luck, and is what a memory pool or a network will need. The queues of refused senders
// and the cells are the same as there; they need plain stores only.
//
// A process and its own memory are on one host; what it stores into, or loads from, the memory of
// another one crosses a region that may lose and repeat lines (line_faults.hpp). With integrity
// (docs/decisions/007) everything that crosses is checked, and got again until it is right.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "transport/overflow.hpp"
#include "transport/poor/checked_queue.hpp"
#include "transport/poor/integrity.hpp"
#include "transport/poor/poor_layout.hpp"
#include "transport/poor/poor_stores.hpp"
#include "transport/unmapped.hpp"

namespace loadstone::transport {

class poor final : public unmapped {
 public:
  static base::result<std::unique_ptr<unmapped>> open(const setup& with);

  traits properties() const override { return {false, false}; }

  send_result send(std::uint32_t peer, const outgoing& m) override;
  void refuse(bool yes) override;
  std::optional<std::uint32_t> starved() override { return overflow_->starved(); }
  bool ask_for_memory() override {
    return overflow_->ask_for_memory([](std::uint32_t) {});
  }

  arrived_cells& arrived() override { return arrived_; }
  // With integrity a checked copy, until the next such call: its cell returns with the message, and
  // nobody keeps it.
  arrived_cell* payload_of(slot& s, std::uint32_t source) override;
  unmapped_stores& stores() override { return stores_; }

  std::optional<std::chrono::nanoseconds> arm() override;
  void wake(std::uint32_t) override {}  // there is no way to
  void add_to(figures& all) const override;

 private:
  struct peer {
    bool known = false;
    ring_writer out;  // of my ring there
    std::uint32_t sequence[classes] = {};
    std::uint32_t appended[classes] = {};
    std::uint32_t appended_seen[classes] = {};  // by it, for me
    ring_reader in;                             // of its ring here
    std::uint64_t taken[classes] = {};          // with integrity, as seen last in its memory: of my queues
  };
  explicit poor(const setup& with);
  poor_front* front_of(std::uint32_t index, memory::pin* pin);  // null: not open
  send_result queue_up(std::uint32_t index, const outgoing& m);
  cell_header* fill_cell(const outgoing& m);
  std::uint64_t name_of(cell_header* c) {
    return c == nullptr ? 0 : local_address::of(memory_.arena().address_of(c)).bits;
  }
  void publish(std::uint32_t index, poor_front* f, slot& image, cell_header* cell);
  void store_through(std::uint32_t index, poor_front* f, void* there, const void* data, std::size_t bytes);
  void collect();
  slot* published(std::uint32_t source) {
    const poor_ring_memory ring = ring_memory_of(own_, source);
    const ring_reader& in = peers_[source].in;
    if (checks_ == nullptr) return in.front(ring);
    slot& s = ring.at(in.position());
    return claims_to_be(s, in.identity()) ? &s : nullptr;
  }

  // --- with integrity (poor_checks.cpp) ---
  void acknowledge(std::uint32_t index, poor_front* f);  // what the peer says that it has consumed
  void acknowledge_all();
  void keep(std::uint32_t index, const slot& image);
  void announce_checked(std::uint32_t index, poor_front* f);
  void collect_checked(std::uint32_t source);
  bool checks(std::uint32_t source) const {
    return source != self_ && (checking_ == everybody || checking_ == source);
  }
  bool has(std::uint32_t source, slot& copy);  // the next message of that sender

  bool take_in(any_taker& take) override;
  void search_for(std::uint32_t source, any_taker& take, const bool* stop) override;
  bool drain(std::uint32_t source, any_taker& take);
  bool drain_all(any_taker& take);

  static constexpr std::uint32_t check_every = 256;  // polls, when nothing says that a line was lost
  static constexpr std::uint32_t nobody = 0xffff'fffe, everybody = 0xffff'ffff;

  memory::job& job_;
  const std::uint32_t self_;
  peer_memory& memory_;
  poor_front* own_ = nullptr;
  std::vector<peer> peers_;
  line_faults faults_;
  std::unique_ptr<integrity> checks_;  // null: none
  std::unique_ptr<overflow> overflow_;
  cells cells_;
  arrived_cells arrived_;
  poor_stores stores_;
  delayed_stores slot_lines_;       // of messages: each flushed for itself
  std::vector<std::byte> payload_;  // of the message being handled
  const std::uint32_t agreed_;      // choice::word()
  std::uint32_t naps_ = 0, polls_ = 0;
  checked_queue::reading reading_;
  std::uint32_t checking_ = nobody;  // whose memory this poll looks into, too
  figures counts_;
};

}  // namespace loadstone::transport
