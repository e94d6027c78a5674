// A message that has arrived and that no receive has matched yet: unexpected, or taken out by a matched
// probe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "p2p/bins.hpp"
#include "p2p/wire_layout.hpp"

namespace loadstone::p2p {

struct message_request;
struct scope;

// Payload of one slot beside the smallest envelope.
inline constexpr std::size_t inline_payload = deposit::max_inline - sizeof(envelope);

struct arrival {
  enum class form : std::uint8_t {
    held,        // payload is in `stored`
    heap,        // payload in malloc memory: a small message to ourselves, or one that came by turns
    kept,        // payload stays in the sender's cell
    rendezvous,  // `offered` says where the data is
    self,        // a send of our own, not complete
  };

  bin_link<arrival> links[4];  // by (source, tag), (any, tag), (source, any), (any, any)
  arrival* next = nullptr;     // all of them in order of arrival
  arrival* previous = nullptr;

  match_key key{};
  std::int64_t bytes = 0;
  form kind = form::held;
  bool listed = false;    // in the lists above; false once taken out
  bool answered = false;  // the sender waits for an answer: record and generation are valid
  std::uint32_t generation = 0;
  packed_address record = 0;
  const std::byte* payload = nullptr;
  void* token = nullptr;              // of a kept cell
  message_request* sender = nullptr;  // form self
  scope* where = nullptr;             // of a matched probe
  offer offered{};
  std::byte stored[inline_payload];
};

class matched_message final : public arrival {
 public:
  matched_message* next_free = nullptr;  // pool
};

// All arrivals of a rank. The three wildcard tables are built when a wildcard of that shape is first asked
// for: a program that uses none pays for one table.
class unexpected_messages {
 public:
  void append(arrival* a);
  void remove(arrival* a);
  // The oldest that matches; key may hold wildcards.
  arrival* find(const match_key& key) { return size_ == 0 ? nullptr : find_listed(key); }
  arrival* first() const { return head_; }
  std::size_t size() const { return size_; }

 private:
  arrival* find_listed(const match_key& key);
  void build(unsigned shape);

  arrival* head_ = nullptr;
  arrival* tail_ = nullptr;
  std::size_t size_ = 0;
  bool built_[4] = {true, false, false, false};
  bins<arrival, 0> exact_;
  bins<arrival, 1> any_source_;
  bins<arrival, 2> any_tag_;
  bins<arrival, 3> any_both_;
};

}  // namespace loadstone::p2p
