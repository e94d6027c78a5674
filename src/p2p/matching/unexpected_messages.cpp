#include "p2p/matching/unexpected_messages.hpp"

namespace loadstone::p2p {

// Bits of a shape: any source, any tag.
template <class F>
void unexpected_messages::for_each_table(F&& f) {
  f(0u, exact_), f(1u, any_source_), f(2u, any_tag_), f(3u, any_both_);
}

void unexpected_messages::list(unexpected_message* m, unsigned in, auto& table) {
  const match_key& k = m->key;
  table.append({k.context, (in & 1u) != 0 ? any_process : k.process, (in & 2u) != 0 ? any_tag : k.tag}, m);
}

void unexpected_messages::append(unexpected_message* m) {
  m->next = nullptr;
  m->previous = tail_;
  if (tail_ != nullptr)
    tail_->next = m;
  else
    head_ = m;
  tail_ = m;
  ++size_;
  for_each_table([&](unsigned shape, auto& table) {
    if (built_[shape]) list(m, shape, table);
  });
}

void unexpected_messages::remove(unexpected_message* m) {
  if (m->next != nullptr)
    m->next->previous = m->previous;
  else
    tail_ = m->previous;
  if (m->previous != nullptr)
    m->previous->next = m->next;
  else
    head_ = m->next;
  --size_;
  for_each_table([&](unsigned shape, auto& table) {
    if (built_[shape]) table.remove(m);
  });
}

unexpected_message* unexpected_messages::find_listed(const match_key& key) {
  const unsigned wanted = (key.process == any_process ? 1u : 0u) | (key.tag == any_tag ? 2u : 0u);
  unexpected_message* found = nullptr;
  for_each_table([&](unsigned shape, auto& table) {
    if (shape != wanted) return;
    if (!built_[shape])
      for (unexpected_message* m = head_; m != nullptr; m = m->next) list(m, shape, table);
    built_[shape] = true;
    found = table.front(key);
  });
  return found;
}

}  // namespace loadstone::p2p
