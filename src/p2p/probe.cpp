// Probe and matched probe. Both look once: among unexpected messages, after a poll, and into refused senders'
// queues.
#include "base/fault.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

namespace {

// The oldest unexpected message that matches and has not been cancelled; taken (claimed and out of the lists)
// or left.
arrival* find_unexpected(engine::state& s, const match_key& key, bool take) {
  while (arrival* a = s.unexpected.find(key)) {
    const bool void_message = a->answered && (take ? !s.claim(a->key.process, a->record, a->generation)
                                                   : s.cancelled(a->key.process, a->record, a->generation));
    if (!void_message) {
      if (take) s.take_unexpected(a);
      return a;
    }
    s.drop(a);
  }
  return nullptr;
}

bool look(engine::state& s, scope& where, std::int32_t source, std::int32_t tag, bool take, outcome* found,
          arrival** taken) {
  const match_key key{
      where.context, source == any_source ? any_process : where.peers[static_cast<std::size_t>(source)], tag};
  const auto report = [&](std::uint32_t process, std::int32_t message_tag, std::int64_t bytes) {
    *found = {.source = s.rank_of(where, process),
              .tag = message_tag,
              .error = 0,
              .cancelled = false,
              .bytes = bytes};
    return true;
  };
  for (int round = 0; round < 2; ++round) {
    if (arrival* a = find_unexpected(s, key, take)) {
      *taken = a;
      return report(a->key.process, a->key.tag, a->bytes);
    }
    if (round == 0) {
      s.endpoint.poll();
      s.run_work();
    }
  }
  if (!s.may_keep(key)) return false;
  hunt h{.key = key, .take = take};
  s.hunting = &h;
  s.look_into_queues(key);
  s.hunting = nullptr;
  if (h.found) {
    *taken = h.taken;
    return report(h.process, h.tag, h.bytes);
  }
  // A look may also have accepted messages in the ordinary way.
  if (arrival* a = find_unexpected(s, key, take)) {
    *taken = a;
    return report(a->key.process, a->key.tag, a->bytes);
  }
  return false;
}

}  // namespace

bool engine::probe(scope& where, std::int32_t source, std::int32_t tag, outcome* found) {
  arrival* left = nullptr;
  return look(*state_, where, source, tag, false, found, &left);
}

matched_message* engine::match(scope& where, std::int32_t source, std::int32_t tag, outcome* found) {
  arrival* taken = nullptr;
  if (!look(*state_, where, source, tag, true, found, &taken)) return nullptr;
  LOADSTONE_FAULT_POINT("p2p.match_taken");
  taken->where = &where;
  ++where.users;
  if (taken->sender != nullptr) taken->sender->message = nullptr;  // can no longer be cancelled
  return static_cast<matched_message*>(taken);
}

}  // namespace loadstone::p2p
