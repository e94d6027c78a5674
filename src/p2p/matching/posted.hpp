// Posted receives: specific and wildcard lists; the oldest that matches a message wins.
#pragma once

#include <cstddef>
#include <cstdint>

#include "p2p/matching/bins.hpp"

namespace loadstone::p2p {

// What matching sees of a receive.
struct posted_receive {
  bin_link<posted_receive> links[1];
  std::uint64_t order = 0;       // of posting: decides between specific and wildcard receives
  bool known_to_sender = false;  // it has been advertised
};

// `known`: where the list found last for this sender and communicator is remembered
// (channel::posted).
class posted_receives {
 public:
  using list = bin<posted_receive>;

  // `known`: null for a receive from any source.
  void append(posted_receive* r, const match_key& key, list** known) {
    r->order = ++order_;
    ++size_;
    if (is_wild(key)) [[unlikely]]
      ++wildcards_[shape(key)], ++wild_;
    if (known != nullptr) [[likely]]
      table_.append(key, r, *known);
    else
      table_.append(key, r);
  }
  void remove(posted_receive* r) {
    if (wild_ != 0) [[unlikely]]
      forget_wild(r->links[0].home->key);
    table_.remove(r);
    --size_;
  }
  // For a message with this (fully specific) key. Receives with wildcards are looked for only when
  // there are such.
  posted_receive* find(const match_key& key, list*& known) const {
    posted_receive* best = table_.front(key, known);
    if (wild_ == 0) [[likely]]
      return best;
    return oldest(best, key);
  }
  std::size_t size() const { return size_; }
  // May a receive with this key be made known to its sender? Not behind one that the sender does
  // not know of.
  bool may_advertise(const match_key& key) const {
    if (wild_ != 0) return false;
    const posted_receive* last = table_.back(key);
    return last == nullptr || last->known_to_sender;
  }

 private:
  [[gnu::noinline]] posted_receive* oldest(posted_receive* best, const match_key& key) const {
    if (wildcards_[1] != 0) best = older(best, table_.front({key.context, any_process, key.tag}));
    if (wildcards_[2] != 0) best = older(best, table_.front({key.context, key.process, any_tag}));
    if (wildcards_[3] != 0) best = older(best, table_.front({key.context, any_process, any_tag}));
    return best;
  }
  void forget_wild(const match_key& key) {
    if (is_wild(key)) --wildcards_[shape(key)], --wild_;
  }
  static bool is_wild(const match_key& key) { return key.process == any_process || key.tag == any_tag; }
  static unsigned shape(const match_key& key) {
    return (key.process == any_process ? 1u : 0u) | (key.tag == any_tag ? 2u : 0u);
  }
  static posted_receive* older(posted_receive* a, posted_receive* b) {
    if (a == nullptr) return b;
    if (b == nullptr) return a;
    return a->order < b->order ? a : b;
  }

  bins<posted_receive, 0> table_;
  std::uint64_t order_ = 0;
  std::size_t wildcards_[4] = {};  // by shape
  std::size_t wild_ = 0;           // of any shape
  std::size_t size_ = 0;
};

}  // namespace loadstone::p2p
