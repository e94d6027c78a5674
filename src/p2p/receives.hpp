// Receives begin: matched at once with what has come, or posted.
#pragma once

#include "p2p/requests.hpp"

namespace loadstone::p2p {

class receives : context {
 public:
  explicit receives(const context& c) : context(c), untold_limit_(c.config.untold) {}

  void start(message_request* r, std::int32_t source) {
    channel* from = nullptr;
    r->process = any_process;
    if (source != any_source) [[likely]] {
      scope::sequences::member& sender = sequences_of(*r->where).of(source);
      r->process = sender.process;
      if (sender.from == nullptr) [[unlikely]]
        sender.from = &matching.senders.at(r->where->context, sender.process);
      from = sender.from;
    }
    const match_key key{r->where->context, r->process, r->tag};
    if (matching.unexpected.size() != 0 && take_unexpected(r, key)) return;
    live.hold(r);
    r->step = phase::posted;
    if (r->bytes <= untold_limit_ && matching.left() == 0) [[likely]] {
      r->simple = from != nullptr && r->data.predefined() && r->data.one_block();
      matching.post(r, key, from);
    } else {
      post_and_search(r, key, from);
    }
  }
  // In the shape of eager::send_short(): checks everything that could stand in the way before it
  // changes anything.
  bool post(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, message_request* r) {
    const std::int64_t bytes = data.type->size() * data.count;
    if (!r->simple || source < 0 || tag < 0 || where.sequence == nullptr || bytes > untold_limit_ ||
        !data.type->contiguous() || !data.type->predefined() || matching.unexpected.size() != 0 ||
        matching.left() != 0) [[unlikely]]
      return false;
    const scope::sequences::member& sender = where.sequence->of(source);
    if (sender.from == nullptr) [[unlikely]]
      return false;
    matching.post(r, {where.context, sender.process, tag}, sender.from);
    // relaxed: nobody else knows this request yet
    r->complete.store(false, std::memory_order_relaxed);
    r->result.cancelled = false;
    r->holds = true;
    ++where.users;
    r->where = &where;
    r->data = message_data::contiguous(data);
    r->bytes = bytes;
    r->process = sender.process;
    r->peer = source;
    r->tag = tag;
    r->step = phase::posted;
    return true;
  }
  // Matched: a message that has arrived.
  void from(message_request* r, arrival* a);

 private:
  bool take_unexpected(message_request* r, const match_key& key);
  void post_and_search(message_request* r, const match_key& key, channel* from);

  const std::int64_t untold_limit_;  // bytes of a receive that nobody has to be told of
};

}  // namespace loadstone::p2p
