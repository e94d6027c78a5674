// Where the short parts of a partitioned message lie until its receiver takes them: in the arena of
// its sender (a *tray*).
//
// Condition: parts of at most `most_of_part` bytes, `most_of_all` together, and a receiver that
//            maps the sender's arena.
// Copies:    2: packed into the tray, unpacked from there.
// Cost:      a store and a load of each part's mark. Nothing is sent, matched or answered.
//
// Rounds, from 1 on, use two halves by turns. So a round may be over at its sender as soon as its
// receiver has taken the round before, which it has by the time it starts this one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/guarded.hpp"
#include "memory/address.hpp"
#include "memory/job_layout.hpp"

namespace loadstone::mpi {

class process;

// Parts have numbers and one length, packed, as their sender has them.
//   0 taken | 128 half of even rounds | … half of odd rounds
//   a half: marks, a word for each part; then the parts
class part_tray {
 public:
  // Of longer parts copies are guarded (base/guarded.hpp), and messages cost little beside them.
  static constexpr std::int64_t most_of_part = base::least_guarded - 1, most_of_all = 64 * 1024;

  part_tray() = default;
  part_tray(void* at, std::int64_t parts, std::int64_t bytes)
      : at_(static_cast<std::byte*>(at)), parts_(parts), bytes_(bytes) {}
  static bool fits(std::int64_t parts, std::int64_t bytes) {
    return bytes <= most_of_part && parts > 0 && parts * (bytes + word) <= most_of_all;
  }
  explicit operator bool() const { return at_ != nullptr; }
  std::byte* at() const { return at_; }
  std::size_t size() const { return memory::isolation + 2 * half(); }

  std::byte* part(std::uint32_t round, std::int64_t i) const {
    return half_of(round) + data_at() + static_cast<std::size_t>(i * bytes_);
  }
  // The part comes with its mark (sync: part-marked).
  void mark(std::uint32_t round, std::int64_t i) const {
    mark_of(round, i).store(round, std::memory_order_release);
  }
  bool marked(std::uint32_t round, std::int64_t i) const {
    return mark_of(round, i).load(std::memory_order_acquire) == round;
  }
  // New memory: no round has begun.
  void clear() const {
    std::memset(at_, 0, sizeof(cell));
    for (std::uint32_t round : {0u, 1u}) std::memset(half_of(round), 0, data_at());
  }
  // The receiver reads nothing of this round any more (sync: parts-taken).
  void take(std::uint32_t round) const { taken().store(round, std::memory_order_release); }
  // By how many rounds the receiver is behind.
  std::uint32_t untaken(std::uint32_t round) const { return round - taken().load(std::memory_order_acquire); }

 private:
  using cell = std::atomic<std::uint32_t>;
  static constexpr std::int64_t word = sizeof(cell);
  static std::size_t up(std::int64_t bytes, std::size_t to) {
    return (static_cast<std::size_t>(bytes) + to - 1) / to * to;
  }
  std::size_t data_at() const { return up(parts_ * word, 16); }
  std::size_t half() const {
    return up(static_cast<std::int64_t>(data_at()) + parts_ * bytes_, memory::isolation);
  }
  std::byte* half_of(std::uint32_t round) const { return at_ + memory::isolation + round % 2 * half(); }
  cell& taken() const { return *reinterpret_cast<cell*>(at_); }
  cell& mark_of(std::uint32_t round, std::int64_t i) const {
    return reinterpret_cast<cell*>(half_of(round))[i];
  }

  std::byte* at_ = nullptr;
  std::int64_t parts_ = 0, bytes_ = 0;
};

// The trays of a process, and who waits for marks or takers in any. Under the gate.
class part_trays {
 public:
  explicit part_trays(process& owner) : owner_(owner) {}

  // For parts to be sent; none: they do not fit, `peer` has no way to it, or no memory is left.
  part_tray make(std::int64_t parts, std::int64_t bytes, std::uint32_t peer);
  // Goes as soon as its receiver has taken this round.
  void give_back(const part_tray& tray, std::uint32_t round);

  class waiter {
   public:
    virtual void look() = 0;  // may end the wait

   protected:
    ~waiter() = default;
  };
  void add(waiter& w);
  void remove(waiter& w);

 private:
  void look();
  void sweep();

  process& owner_;
  struct departing {
    part_tray tray;
    std::uint32_t round;
  };
  std::vector<departing> departing_;
  std::vector<waiter*> waiters_;
};

}  // namespace loadstone::mpi
