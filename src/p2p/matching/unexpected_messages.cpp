#include "p2p/matching/unexpected_messages.hpp"

namespace loadstone::p2p {

namespace {

match_key widened(const match_key& key, unsigned shape) {
  return {key.context, (shape & 1u) != 0 ? any_process : key.process, (shape & 2u) != 0 ? any_tag : key.tag};
}

}  // namespace

void unexpected_messages::append(unexpected_message* m) {
  m->next = nullptr;
  m->previous = tail_;
  if (tail_ != nullptr)
    tail_->next = m;
  else
    head_ = m;
  tail_ = m;
  ++size_;
  exact_.append(m->key, m);
  if (built_[1]) any_source_.append(widened(m->key, 1), m);
  if (built_[2]) any_tag_.append(widened(m->key, 2), m);
  if (built_[3]) any_both_.append(widened(m->key, 3), m);
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
  exact_.remove(m);
  if (built_[1]) any_source_.remove(m);
  if (built_[2]) any_tag_.remove(m);
  if (built_[3]) any_both_.remove(m);
}

unexpected_message* unexpected_messages::find_listed(const match_key& key) {
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
  for (unexpected_message* m = head_; m != nullptr; m = m->next) {
    const match_key key = widened(m->key, shape);
    if (shape == 1) any_source_.append(key, m);
    if (shape == 2) any_tag_.append(key, m);
    if (shape == 3) any_both_.append(key, m);
  }
}

}  // namespace loadstone::p2p
