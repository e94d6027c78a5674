// What a layer tells those who want to know (the tool interface): nobody, as a rule, and then it
// costs one load.
#pragma once

#include <atomic>
#include <cstdint>

namespace loadstone::base {

// The order is that of the indices of the tool interface (mpi/tool_events.cpp).
enum class event_kind : std::uint8_t {
  unexpected_message,  // words: sending process, tag, bytes
  mapping_evicted,     // words: process whose memory it was, bytes
  asleep,              // words: process waited for (as in wait::reason), tag
  awake,               // words: nanoseconds asleep
  kinds
};

struct event {
  event_kind kind;
  std::int64_t words[3];
};

class event_sink {
 public:
  // Called where the event happens, with whatever is locked there: it may not call back.
  using receiver = void (*)(void* context, const event& what);
  // Once, before anything is wanted.
  void connect(receiver r, void* context) {
    receiver_ = r;
    context_ = context;
  }
  void want(event_kind kind, bool wanted) {
    const std::uint32_t bit = 1u << static_cast<unsigned>(kind);
    if (wanted)
      wanted_.fetch_or(bit, std::memory_order_release);  // sync: event-wanted
    else
      wanted_.fetch_and(~bit,
                        std::memory_order_relaxed);  // the receiver looks again, under a lock of its own
  }
  bool wants(event_kind kind) const {
    // sync: event-wanted — the receiver is connected
    return (wanted_.load(std::memory_order_acquire) >> static_cast<unsigned>(kind) & 1u) != 0;
  }
  void raise(event_kind kind, std::int64_t a, std::int64_t b = 0, std::int64_t c = 0) const {
    if (wants(kind)) [[unlikely]]
      receiver_(context_, {kind, {a, b, c}});
  }

 private:
  std::atomic<std::uint32_t> wanted_{0};
  receiver receiver_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace loadstone::base
