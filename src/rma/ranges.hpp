// The locks of accumulates, in the target's record: one for every eighth range of 16 KiB of the
// target's addresses. Who needs several takes them in ascending order, and holds them for a piece
// of one accumulate: what is copied in some microseconds, or what the owner or its copying thread
// does of it meanwhile (handed_change.cpp, copy_thread.hpp).
//
// A lock has the name of its holder's process. Who has to wait looks for a microsecond, then says
// so in its own line of the record and in the lock, and sleeps; whoever gives the lock back wakes
// all that wait. It is not fair: each piece is short. A holder sleeps only until what it has left
// to the owner is done: it says so, and those who wait for it are told its name.
#pragma once

#include <cstdint>
#include <optional>

#include "rma/window.hpp"

namespace loadstone::rma {

using range_set = std::uint32_t;  // a bit for each lock

// The locks for some bytes of a target (at least one byte), by their addresses there.
constexpr range_set ranges_of(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t first = address >> range_shift, last = (address + bytes - 1) >> range_shift;
  if (last - first >= range_locks - 1) return (1u << range_locks) - 1;
  range_set set = 0;
  for (std::uint64_t r = first; r <= last; ++r) set |= 1u << (r % range_locks);
  return set;
}

// The lock of a byte, or of an aligned number.
constexpr range_set range_of(std::uint64_t address) {
  return 1u << ((address >> range_shift) % range_locks);
}

// Where an accumulate of so many bytes begins, in elements of `unit` bytes: each member elsewhere.
// Several at once then work side by side, where they would follow each other from the first byte
// to the last.
std::int64_t begin_apart(const window& w, std::uint64_t address, std::int64_t bytes, std::int64_t unit);

// What one thread holds of one target's locks.
class range_hold {
 public:
  enum class gate : std::uint8_t { open, held };  // does the caller hold the endpoint's gate?
  range_hold(window& w, target& t, gate g = gate::open) : window_(w), target_(t), gate_(g) {}
  ~range_hold() { release(); }
  range_hold(const range_hold&) = delete;
  range_hold& operator=(const range_hold&) = delete;

  // Holds these from here on, and no others. Waits; not in a handler. False: the job is being
  // stopped, or the holder has died, and none is held.
  bool take(range_set wanted) { return try_take(wanted) || wait_for(wanted); }
  // False: somebody holds one of them, and none is held.
  bool try_take(range_set wanted);
  void release();
  // The holder that has died, if take() has failed because of that.
  std::optional<std::uint32_t> dead() const { return dead_; }

 private:
  bool wait_for(range_set wanted);
  bool wait_for_one(std::size_t lock);
  bool claim(std::size_t lock);
  std::uint32_t self() const;

  window& window_;
  target& target_;
  range_set held_ = 0;
  std::optional<std::uint32_t> dead_;
  const gate gate_;
};

}  // namespace loadstone::rma
