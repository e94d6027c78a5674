#include "memory/wait_note.hpp"

#include <cstring>

#include "base/clock.hpp"

namespace loadstone::memory {

wait_note::wait_note(process_entry& entry, const wait::reason& why) {
  for (wait_record& record : entry.waits) {
    // relaxed: only threads of this process compete, each for a record of its own.
    std::uint32_t before = record.state.load(std::memory_order_relaxed);
    if ((before & wait_record_mask) != wait_record_free) continue;
    // A new number: a reader that began with the wait before sees that this is another one.
    const std::uint32_t number = (before & ~wait_record_mask) + wait_record_mask + 1;
    // Acquire: the words of the wait before come before ours (sync: wait-record-free).
    if (!record.state.compare_exchange_strong(before, number | wait_record_taken, std::memory_order_acquire,
                                              std::memory_order_relaxed))
      continue;
    std::uint64_t words[4] = {};
    std::strncpy(reinterpret_cast<char*>(words), why.detail, sizeof words - 1);
    // Release on every word: a reader that sees a new one also sees that the record was taken anew.
    constexpr auto order = std::memory_order_release;  // sync: wait-record
    record.call.store(why.call, order);
    record.peer.store(why.peer, order);
    record.tag.store(why.tag, order);
    record.communicator.store(why.communicator, order);
    if (why.since == 0) why.since = base::now_ns();
    record.since.store(why.since, order);
    for (int i = 0; i < 4; ++i) record.detail[i].store(words[i], order);
    record.state.store(number | wait_record_valid, order);
    record_ = &record;
    return;
  }
}

wait_note::~wait_note() {
  if (record_ == nullptr) return;
  // relaxed: nobody else changes a record that is taken. A reader that sees it a moment too long
  // reports what was true a moment ago.
  const std::uint32_t number = record_->state.load(std::memory_order_relaxed) & ~wait_record_mask;
  record_->state.store(number | wait_record_free, std::memory_order_release);  // sync: wait-record-free
}

std::vector<seen_wait> waits_of(const process_entry& entry) {
  std::vector<seen_wait> found;
  for (const wait_record& record : entry.waits) {
    // Acquire on every word, so that the second look at the state cannot come before them.
    constexpr auto order = std::memory_order_acquire;  // sync: wait-record
    const std::uint32_t before = record.state.load(order);
    if ((before & wait_record_mask) != wait_record_valid) continue;
    seen_wait seen;
    const std::uint64_t since = record.since.load(order);
    seen.call = record.call.load(order);
    seen.peer = record.peer.load(order);
    seen.tag = record.tag.load(order);
    seen.communicator = record.communicator.load(order);
    std::uint64_t words[4];
    for (int i = 0; i < 4; ++i) words[i] = record.detail[i].load(order);
    // relaxed: behind the acquires above; another number is another wait.
    if (record.state.load(std::memory_order_relaxed) != before) continue;
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
