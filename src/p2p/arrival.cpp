#include "p2p/arrival.hpp"

#include "p2p/engine.hpp"

namespace loadstone::p2p {

namespace {

match_key widened(const match_key& key, unsigned shape) {
  return {key.context, (shape & 1u) != 0 ? any_process : key.process, (shape & 2u) != 0 ? any_tag : key.tag};
}

}  // namespace

void unexpected_messages::append(arrival* a) {
  a->next = nullptr;
  a->previous = tail_;
  if (tail_ != nullptr)
    tail_->next = a;
  else
    head_ = a;
  tail_ = a;
  ++size_;
  a->listed = true;
  exact_.append(a->key, a);
  if (built_[1]) any_source_.append(widened(a->key, 1), a);
  if (built_[2]) any_tag_.append(widened(a->key, 2), a);
  if (built_[3]) any_both_.append(widened(a->key, 3), a);
}

void unexpected_messages::remove(arrival* a) {
  if (a->next != nullptr)
    a->next->previous = a->previous;
  else
    tail_ = a->previous;
  if (a->previous != nullptr)
    a->previous->next = a->next;
  else
    head_ = a->next;
  --size_;
  a->listed = false;
  exact_.remove(a);
  if (built_[1]) any_source_.remove(a);
  if (built_[2]) any_tag_.remove(a);
  if (built_[3]) any_both_.remove(a);
}

arrival* unexpected_messages::find_listed(const match_key& key) {
  const unsigned shape = (key.process == any_process ? 1u : 0u) | (key.tag == any_tag ? 2u : 0u);
  if (!built_[shape]) build(shape);
  switch (shape) {
    case 0:
      return exact_.front(key);
    case 1:
      return any_source_.front(key);
    case 2:
      return any_tag_.front(key);
    default:
      return any_both_.front(key);
  }
}

void unexpected_messages::build(unsigned shape) {
  built_[shape] = true;
  for (arrival* a = head_; a != nullptr; a = a->next) {
    const match_key key = widened(a->key, shape);
    if (shape == 1) any_source_.append(key, a);
    if (shape == 2) any_tag_.append(key, a);
    if (shape == 3) any_both_.append(key, a);
  }
}

}  // namespace loadstone::p2p
