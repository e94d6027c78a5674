#include "memory/wait_note.hpp"

#include <cstring>

#include "base/clock.hpp"

namespace loadstone::memory {

wait_note::wait_note(process_entry& entry, const wait::reason& why) {
  for (wait_record& record : entry.waits) {
    std::uint32_t expected = 0;
    // relaxed: only threads of this process compete, each for a record of its own; the words below carry
    // nothing else.
    if (record.state.load(std::memory_order_relaxed) != 0 ||
        !record.state.compare_exchange_strong(expected, 1, std::memory_order_relaxed))
      continue;
    std::uint64_t words[4] = {};
    std::strncpy(reinterpret_cast<char*>(words), why.detail, sizeof words - 1);
    // relaxed: published together by the state below.
    record.call.store(why.call, std::memory_order_relaxed);
    record.peer.store(why.peer, std::memory_order_relaxed);
    record.tag.store(why.tag, std::memory_order_relaxed);
    record.communicator.store(why.communicator, std::memory_order_relaxed);
    if (why.since == 0) why.since = base::now_ns();
    record.since.store(why.since, std::memory_order_relaxed);
    for (int i = 0; i < 4; ++i) record.detail[i].store(words[i], std::memory_order_relaxed);
    record.state.store(wait_record_valid, std::memory_order_release);  // sync: wait-record
    record_ = &record;
    return;
  }
}

wait_note::~wait_note() {
  // relaxed: a reader that sees the record a moment too long reports what was true a moment ago.
  if (record_ != nullptr) record_->state.store(0, std::memory_order_relaxed);
}

std::vector<seen_wait> waits_of(const process_entry& entry) {
  std::vector<seen_wait> found;
  for (const wait_record& record : entry.waits) {
    if (record.state.load(std::memory_order_acquire) != wait_record_valid) continue;  // sync: wait-record
    seen_wait seen;
    // relaxed: a record that changes while it is read may mix two waits; `since` tells, below.
    const std::uint64_t since = record.since.load(std::memory_order_relaxed);
    seen.call = record.call.load(std::memory_order_relaxed);
    seen.peer = record.peer.load(std::memory_order_relaxed);
    seen.tag = record.tag.load(std::memory_order_relaxed);
    seen.communicator = record.communicator.load(std::memory_order_relaxed);
    std::uint64_t words[4];
    for (int i = 0; i < 4; ++i) words[i] = record.detail[i].load(std::memory_order_relaxed);
    if (record.state.load(std::memory_order_acquire) != wait_record_valid ||
        record.since.load(std::memory_order_relaxed) != since)
      continue;  // it woke up in the meantime
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
