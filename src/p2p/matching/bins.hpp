// First-in-first-out lists found by (context, source, tag): the structure behind constant-time
// matching. A wildcard is a value of its own in the key (any_process, any_tag), so one table holds
// specific and wildcard lists alike.
//
// Cost: one hash and, in the mean, one comparison per look-up, whatever the number of nodes: nodes
// with the same key hang in one list. A list exists only while it has nodes, because collectives
// use every tag once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/pool.hpp"

namespace loadstone::p2p {

inline constexpr std::uint32_t any_process = 0xffffffffu;
inline constexpr std::int32_t any_tag =
    -1;  // MPI_ANY_TAG is mapped to it at the API, real tags are not negative

struct match_key {
  std::uint64_t context;
  std::uint32_t process;  // of the sender, or any_process
  std::int32_t tag;       // or any_tag
  friend bool operator==(const match_key&, const match_key&) = default;
  bool accepts(const match_key& message) const {
    return context == message.context && (process == any_process || process == message.process) &&
           (tag == any_tag || tag == message.tag);
  }
};

template <class Node>
struct bin {
  match_key key{};
  Node* head = nullptr;
  Node* tail = nullptr;
  bin* next_in_bucket = nullptr;
  bin* next_free = nullptr;
  bin** known_at = nullptr;  // a place outside that remembers this list as long as it exists
};

template <class Node>
struct bin_link {
  Node* next = nullptr;
  Node* previous = nullptr;
  bin<Node>* home = nullptr;  // null: not in a list
};

// Node has an array `links` of bin_link<Node>; this table uses links[Index].
template <class Node, std::size_t Index>
class bins {
 public:
  bins() : buckets_(initial, nullptr) {}

  Node* front(const match_key& key) const {
    const bin<Node>* b = find(key);
    return b == nullptr ? nullptr : b->head;
  }
  // The same, by a place that remembers the list that it was asked for last. Keys that share a
  // place differ in the tag alone.
  Node* front(const match_key& key, bin<Node>*& known) const {
    const bin<Node>* b = find(key, known);
    return b == nullptr ? nullptr : b->head;
  }

  Node* back(const match_key& key) const {
    const bin<Node>* b = find(key);
    return b == nullptr ? nullptr : b->tail;
  }

  void append(bin<Node>* b, Node* node) {
    node->links[Index] = {nullptr, b->tail, b};
    if (b->head != nullptr) [[likely]] {
      b->tail->links[Index].next = node;
    } else {
      b->head = node;
      --empty_;
    }
    b->tail = node;
  }
  void append(const match_key& key, Node* node) {
    bin<Node>* b = find(key);
    append(b == nullptr ? add(key) : b, node);
  }
  void append(const match_key& key, Node* node, bin<Node>*& known) {
    bin<Node>* b = find(key, known);
    if (b == nullptr) [[unlikely]]
      remember(b = add(key), known);
    append(b, node);
  }
  void remove(Node* node) {
    auto& link = node->links[Index];
    bin<Node>* b = link.home;
    if (link.previous != nullptr)
      link.previous->links[Index].next = link.next;
    else
      b->head = link.next;
    if (link.next != nullptr)
      link.next->links[Index].previous = link.previous;
    else
      b->tail = link.previous;
    link.home = nullptr;
    if (b->head == nullptr) emptied(b);
  }

  std::size_t lists() const { return count_ - empty_; }
  std::size_t buckets() const { return buckets_.size(); }

 private:
  static constexpr std::size_t initial = 64;

  static std::uint64_t hash(const match_key& key) {
    std::uint64_t h = key.context * 0x9e3779b97f4a7c15u;
    h ^= (std::uint64_t{key.process} << 32 | static_cast<std::uint32_t>(key.tag)) * 0xc2b2ae3d27d4eb4fu;
    return h ^ h >> 29;
  }
  std::size_t bucket(const match_key& key) const {
    return (hash(key) * 0x9e3779b97f4a7c15u >> 24) & (buckets_.size() - 1);
  }

  bin<Node>* find(const match_key& key) const {
    if (last_ != nullptr && last_->key == key) [[likely]]
      return last_;  // of messages in a row: no hash
    return search(key);
  }
  bin<Node>* find(const match_key& key, bin<Node>*& known) const {
    if (known != nullptr && known->key.tag == key.tag) [[likely]]
      return known;
    bin<Node>* b = search(key);
    if (b != nullptr) remember(b, known);
    return b;
  }
  static void remember(bin<Node>* b, bin<Node>*& known) {
    if (known != nullptr) known->known_at = nullptr;
    known = b;
    b->known_at = &known;
  }
  [[gnu::noinline]] bin<Node>* search(const match_key& key) const {
    bin<Node>* b = buckets_[bucket(key)];
    while (b != nullptr && !(b->key == key)) b = b->next_in_bucket;
    if (b != nullptr) last_ = b;
    return b;
  }

  void emptied(bin<Node>* b) {
    b->tail = nullptr;
    ++empty_;
  }
  bin<Node>* add(const match_key& key) {
    if (empty_ > buckets_.size() / 2) [[unlikely]]
      drop_empty();
    if (count_ == buckets_.size()) [[unlikely]]
      grow();
    bin<Node>* b = pool_.take();
    bin<Node>*& first = buckets_[bucket(key)];
    *b = {key, nullptr, nullptr, first, nullptr, nullptr};
    first = b;
    ++count_;
    ++empty_;
    last_ = b;
    return b;
  }

  // Cost: the buckets; at least half as many nodes were removed since the last time.
  [[gnu::noinline]] void drop_empty() {
    for (bin<Node>*& first : buckets_) {
      for (bin<Node>** place = &first; *place != nullptr;) {
        bin<Node>* b = *place;
        if (b->head != nullptr) {
          place = &b->next_in_bucket;
        } else {
          *place = b->next_in_bucket;
          if (b->known_at != nullptr) *b->known_at = nullptr;
          pool_.give(b);
          --count_;
        }
      }
    }
    empty_ = 0;
    last_ = nullptr;
  }

  void grow() {
    std::vector<bin<Node>*> old(buckets_.size() * 2, nullptr);
    old.swap(buckets_);
    for (bin<Node>* b : old) {
      while (b != nullptr) {
        bin<Node>* next = b->next_in_bucket;
        bin<Node>*& first = buckets_[bucket(b->key)];
        b->next_in_bucket = first;
        first = b;
        b = next;
      }
    }
  }

  std::vector<bin<Node>*> buckets_;
  std::size_t count_ = 0;              // of lists
  std::size_t empty_ = 0;              // of those without a node
  mutable bin<Node>* last_ = nullptr;  // found last
  base::pool<bin<Node>> pool_;
};

}  // namespace loadstone::p2p
