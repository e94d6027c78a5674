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

#include "base/fault.hpp"
#include "transport/integrity.hpp"
#include "transport/overflow.hpp"
#include "transport/poor_layout.hpp"
#include "transport/poor_stores.hpp"
#include "transport/transport.hpp"

namespace loadstone::transport {

class poor {
 public:
  static base::result<std::unique_ptr<poor>> open(const setup& with);

  static constexpr traits properties() { return {false, false, false}; }

  send_result send(std::uint32_t peer, const outgoing& m);

  template <class Take>
  bool poll(Take&& take);
  template <class Take>
  bool poll_front(Take&& take) {
    return poll(take);
  }
  template <class Take>
  void search(std::uint32_t source, Take&& take, const bool* stop);
  void refuse(bool yes);
  std::optional<std::uint32_t> starved() { return overflow_->starved(); }
  bool ask_for_memory() {
    return overflow_->ask_for_memory([](std::uint32_t) {});
  }
  bool queues_exist() const { return overflow_->exist(); }

  arrived_cells& arrived() { return arrived_; }
  // With integrity a checked copy, until the next such call: its cell returns with the message, and
  // nobody keeps it.
  arrived_cell* payload_of(slot& s, std::uint32_t source);
  poor_stores& stores() { return stores_; }

  std::optional<std::chrono::nanoseconds> arm();
  void wake(std::uint32_t) {}  // there is no way to
  figures counts() const;

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

  template <class Take>
  bool is_due(const slot& s, Take& take);
  template <class Take>
  bool drain(std::uint32_t source, Take& take);
  template <class Take>
  bool drain_all(Take& take) {
    bool any = false;
    for (std::uint32_t p = 0; p < peers_.size(); ++p) any |= drain(p, take);
    return any;
  }

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
  bool check_soon_ = false;          // something may have been lost
  std::uint32_t checking_ = nobody;  // whose memory this poll looks into, too
  figures counts_;
};

template <class Take>
bool poor::drain(std::uint32_t source, Take& take) {
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

template <class Take>
bool poor::poll(Take&& take) {
  stores_.perhaps();
  checking_ = checks_ != nullptr && (check_soon_ || ++polls_ % check_every == 0) ? everybody : nobody;
  check_soon_ = false;
  bool any = drain_all(take);
  collect();
  if (overflow_->work()) {
    overflow_->observe();
    drain_all(take);
    any |= overflow_->pull([&](slot& s, std::uint32_t source,
                               bool fresh) { return take(s, source, fresh, s.kind == user_class); },
                           [](std::uint32_t) {}, [&](const slot& s) { return is_due(s, take); });
  }
  if (any) naps_ = 0;
  return any;
}

// Of a message from a queue: what its sender put into our ring before may have been lost.
template <class Take>
bool poor::is_due(const slot& s, Take& take) {
  if (checks_ == nullptr || s.sequence == take.due(s.source, s.kind)) return true;
  check_soon_ = true;
  return false;
}

template <class Take>
void poor::search(std::uint32_t source, Take&& take, const bool* stop) {
  if (checks_ != nullptr) checking_ = source;
  collect();
  if (!overflow_->exist()) return;
  overflow_->observe();
  drain_all(take);
  overflow_->search(
      source, user_class, [&](slot& s, std::uint32_t from, bool fresh) { return take(s, from, fresh, true); },
      [](std::uint32_t) {}, stop, [&](const slot& s) { return is_due(s, take); });
}

static_assert(transport<poor>);

}  // namespace loadstone::transport
