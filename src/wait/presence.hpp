// Whether a process runs, and on which core, as it says itself in a word of job memory; and what
// that means to one that waits for it. With fewer cores than processes, a peer that runs on another
// core may answer within a microsecond: polling pays. One that has given its core away, or that
// would have to run on ours, cannot answer while we poll. (Nobody says that the kernel has taken
// its core away, and who was moved says so at its next wait only.)
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

namespace loadstone::wait {

// 0: says nothing. Otherwise the number of a core + 1, and bit 31: has given it away. Written by
// its owner only. Relaxed throughout: a hint; nothing is published by it.
using presence_word = std::atomic<std::uint32_t>;

class presence {
 public:
  // Where a peer is, seen from a process that polls.
  enum class place : std::uint8_t {
    unknown,
    beside,     // it runs, on another core
    away,       // on another core, which it has given to others
    same_core,  // so it does not run now
  };
  static constexpr std::uint32_t nowhere = 0;

  presence() = default;  // says nothing and knows nothing
  // `mine` outlives this.
  explicit presence(presence_word* mine) : mine_(mine) { arrive(); }

  // We run, wherever that is; asks for it.
  [[gnu::noinline]] void arrive() {
    if (mine_ == nullptr) return;
    const int core = sched_getcpu();  // reads a word that the kernel keeps for this thread
    const std::uint32_t now = core < 0 ? nowhere : static_cast<std::uint32_t>(core) + 1;
    // Others have the line while they wait for us: not written without need.
    if (mine_->load(std::memory_order_relaxed) != now) mine_->store(now, std::memory_order_relaxed);
  }
  // We give our core away, or sleep.
  void leave() {
    if (mine_ != nullptr)
      mine_->store(mine_->load(std::memory_order_relaxed) | gone, std::memory_order_relaxed);
  }
  // `peer`: null when it is nobody in particular. Assumes that we have arrived.
  place of(const presence_word* peer) const {
    if (mine_ == nullptr || peer == nullptr) return place::unknown;
    const std::uint32_t its = peer->load(std::memory_order_relaxed);
    if (its == nowhere) return place::unknown;
    if (((its ^ mine_->load(std::memory_order_relaxed)) & ~gone) == 0) return place::same_core;
    return (its & gone) == 0 ? place::beside : place::away;
  }
  // The core in a word, + 1; nowhere: it says nothing.
  static std::uint32_t core_of(const presence_word& word) {
    return word.load(std::memory_order_relaxed) & ~gone;
  }

 private:
  static constexpr std::uint32_t gone = 0x8000'0000;
  presence_word* mine_ = nullptr;
};

}  // namespace loadstone::wait
