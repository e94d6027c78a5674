// Posted receives: specific and wildcard lists; the oldest that matches a message wins.
#pragma once

#include <cstdint>

#include "p2p/bins.hpp"
#include "p2p/channels.hpp"
#include "p2p/message_request.hpp"

namespace loadstone::p2p {

class posted_receives {
 public:
  // `from`: of its sender and communicator; null for a receive from any source.
  // A receive without wildcards, whose tag is that of the last one of its channel; false: use append().
  bool append_next(message_request* r, channel& from, std::int32_t tag) {
    bin<message_request>* b = from.posted;
    if (b == nullptr || b->key.tag != tag) [[unlikely]]
      return false;
    r->order = ++order_;
    r->step = phase::posted;
    ++size_;
    table_.append(b, r);
    return true;
  }
  void append(message_request* r, channel* from) {
    r->order = ++order_;
    r->step = phase::posted;
    ++size_;
    const match_key key = key_of(r);
    if (is_wild(key)) [[unlikely]]
      ++wildcards_[shape(key)], ++wild_;
    if (from != nullptr) [[likely]]
      table_.append(key, r, from->posted);
    else
      table_.append(key, r);
  }
  void remove(message_request* r) {
    r->plain = false;
    if (wild_ != 0) [[unlikely]]
      forget_wild(key_of(r));
    table_.remove(r);
    r->step = phase::idle;
    --size_;
  }
  // For a message with this (fully specific) key. Receives with wildcards are looked for only when there are
  // such.
  message_request* find(const match_key& key, channel& from) const {
    message_request* best = table_.front(key, from.posted);
    if (wild_ == 0) [[likely]]
      return best;
    return oldest(best, key);
  }
  // The same for most messages: no wildcards are about, and the tag is that of the last one. Null: look with find().
  message_request* next(const channel& from, std::int32_t tag) const {
    const bin<message_request>* b = from.posted;
    return wild_ == 0 && b != nullptr && b->key.tag == tag ? b->head : nullptr;
  }
  // What next() has given goes.
  void remove_next(channel& from) {
    table_.pop(from.posted);
    --size_;
  }
  std::size_t size() const { return size_; }
  // May a receive with this key be advertised to its sender? Not behind one that the sender does not know of.
  bool may_advertise(const match_key& key) const {
    if (wild_ != 0) return false;
    const message_request* last = table_.back(key);
    return last == nullptr || last->advert != nullptr;
  }

 private:
  [[gnu::noinline]] message_request* oldest(message_request* best, const match_key& key) const {
    if (wildcards_[1] != 0) best = older(best, table_.front({key.context, any_process, key.tag}));
    if (wildcards_[2] != 0) best = older(best, table_.front({key.context, key.process, any_tag}));
    if (wildcards_[3] != 0) best = older(best, table_.front({key.context, any_process, any_tag}));
    return best;
  }
  void forget_wild(const match_key& key) {
    if (is_wild(key)) --wildcards_[shape(key)], --wild_;
  }
  static match_key key_of(const message_request* r) { return {r->where->context, r->process, r->tag}; }
  static bool is_wild(const match_key& key) { return key.process == any_process || key.tag == any_tag; }
  static unsigned shape(const match_key& key) {
    return (key.process == any_process ? 1u : 0u) | (key.tag == any_tag ? 2u : 0u);
  }
  static message_request* older(message_request* a, message_request* b) {
    if (a == nullptr) return b;
    if (b == nullptr) return a;
    return a->order < b->order ? a : b;
  }

  bins<message_request, 0> table_;
  std::uint64_t order_ = 0;
  std::size_t wildcards_[4] = {};  // by shape
  std::size_t wild_ = 0;           // of any shape
  std::size_t size_ = 0;
};

}  // namespace loadstone::p2p
