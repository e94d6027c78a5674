// Events that the layers raise for the tool interface (MPI_T). As a rule nobody wants them; then
// raising one costs a load and a branch.
#pragma once

#include <atomic>
#include <cstdint>

namespace loadstone::base {

// In the order of the event indices of the tool interface (mpi/tool_events.cpp).
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

// Where all layers of one rank raise events. One receiver is connected, and told of the kinds that
// are wanted.
class event_sink {
 public:
  // Called where the event happens, with whatever locks are held there: it may not call into the
  // layers.
  using receiver = void (*)(void* context, const event& what);
  // Called once, before the first want().
  void connect(receiver r, void* context) {
    receiver_ = r;
    context_ = context;
  }
  void want(event_kind kind, bool wanted) {
    const std::uint32_t bit = 1u << static_cast<unsigned>(kind);
    if (wanted)
      wanted_.fetch_or(bit, std::memory_order_release);  // sync: event-wanted
    else
      // relaxed: an event may still come; the receiver asks again, under a lock of its own
      wanted_.fetch_and(~bit, std::memory_order_relaxed);
  }
  bool wants(event_kind kind) const {
    // sync: event-wanted — what connect() has stored is visible
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
