#include "memory/wait_note.hpp"

#include <cstring>

#include "base/clock.hpp"

namespace loadstone::memory {

namespace {

// relaxed: its thread's own words.
bool says(const wait_record& record, const wait::reason& why, const std::uint64_t (&words)[4]) {
  constexpr auto order = std::memory_order_relaxed;
  bool same = record.call.load(order) == why.call && record.peer.load(order) == why.peer &&
              record.tag.load(order) == why.tag && record.communicator.load(order) == why.communicator &&
              record.since.load(order) == why.since;
  for (int i = 0; i < 4; ++i) same = same && record.detail[i].load(order) == words[i];
  return same;
}

}  // namespace

// A record of its own, with a new number: a reader that began with the wait before sees that this
// is another one.
bool wait_note::take() {
  for (wait_record& record : entry_.waits) {
    // relaxed: only threads of this process compete, each for a record of its own.
    std::uint32_t before = record.state.load(std::memory_order_relaxed);
    if ((before & wait_record_mask) != wait_record_free) continue;
    number_ = (before & ~wait_record_mask) + wait_record_mask + 1;
    // Acquire: the words of the wait before come before ours (sync: wait-record-free).
    if (!record.state.compare_exchange_strong(before, number_ | wait_record_taken, std::memory_order_acquire,
                                              std::memory_order_relaxed))
      continue;
    record_ = &record;
    return true;
  }
  return false;
}

void wait_note::sleeps(const wait::reason& why) {
  if (why.since == 0) why.since = base::now_ns();
  std::uint64_t words[4] = {};
  std::strncpy(reinterpret_cast<char*>(words), why.detail, sizeof words - 1);
  if (record_ != nullptr && says(*record_, why, words)) {
    // sync: wait-record
    record_->state.store(number_ | wait_record_valid, std::memory_order_release);
    return;
  }
  if (record_ != nullptr) {
    number_ += wait_record_mask + 1;
    // relaxed: the words below are released, each.
    record_->state.store(number_ | wait_record_taken, std::memory_order_relaxed);
  } else if (!take()) {
    return;
  }
  // Release on every word: a reader that sees a new one also sees that the record was taken anew.
  constexpr auto order = std::memory_order_release;  // sync: wait-record
  record_->call.store(why.call, order);
  record_->peer.store(why.peer, order);
  record_->tag.store(why.tag, order);
  record_->communicator.store(why.communicator, order);
  record_->since.store(why.since, order);
  for (int i = 0; i < 4; ++i) record_->detail[i].store(words[i], order);
  record_->state.store(number_ | wait_record_valid, order);
}

void wait_note::wakes() {
  if (record_ == nullptr) return;
  // Release: who sees this one has the words, too (sync: wait-record).
  record_->state.store(number_ | wait_record_awake, std::memory_order_release);
}

void wait_note::give_back() {
  // Nobody else changes a record that is taken. A reader that sees it a moment too long reports
  // what was true a moment ago.
  record_->state.store(number_ | wait_record_free, std::memory_order_release);  // sync: wait-record-free
}

std::vector<seen_wait> waits_of(const process_entry& entry) {
  std::vector<seen_wait> found;
  for (const wait_record& record : entry.waits) {
    // Acquire on every word, so that the second look at the state cannot come before them.
    constexpr auto order = std::memory_order_acquire;  // sync: wait-record
    const std::uint32_t before = record.state.load(order);
    const std::uint32_t how = before & wait_record_mask;
    if (how != wait_record_valid && how != wait_record_awake) continue;
    seen_wait seen;
    seen.awake = how == wait_record_awake;
    const std::uint64_t since = record.since.load(order);
    seen.call = record.call.load(order);
    seen.peer = record.peer.load(order);
    seen.tag = record.tag.load(order);
    seen.communicator = record.communicator.load(order);
    std::uint64_t words[4];
    for (int i = 0; i < 4; ++i) words[i] = record.detail[i].load(order);
    // relaxed: behind the acquires above; another number is another sleep, or another wait.
    if (((record.state.load(std::memory_order_relaxed) ^ before) & ~wait_record_mask) != 0) continue;
    char text[sizeof words + 1] = {};
    std::memcpy(text, words, sizeof words);
    seen.detail = text;
    const std::uint64_t now = base::now_ns();
    seen.waited_ns = now > since ? now - since : 0;
    found.push_back(seen);
  }
  return found;
}

}  // namespace loadstone::memory
