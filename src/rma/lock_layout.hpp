// The word of a passive lock, in the record of the member whose part it guards.
//
//   0 … 13   writer    1 + process that has it exclusively; 0 nobody
//   14 … 27  readers   how many share it
//   28 … 41  first     1 + rank of who has waited longest; 0 nobody waits
//   42 … 55  last      1 + rank of who came last
//   56       reserved  the next is `first`: others queue up behind, though it be free
//   57       broken    somebody has died who had it, or was in the queue
//
// The queue between first and last is in the slots of the members (record_layout.hpp).
#pragma once

#include <cstdint>

#include "rma/record_layout.hpp"

namespace loadstone::rma {

inline constexpr std::uint32_t wants_shared = 1u << 31;  // in member_slot::process

struct lock_state {
  std::uint64_t word = 0;

  static constexpr std::uint64_t one_reader = 1ull << 14, reserved_bit = 1ull << 56, broken_bit = 1ull << 57;

  constexpr std::uint32_t writer() const { return field(0); }
  constexpr std::uint32_t readers() const { return field(14); }
  constexpr std::uint32_t first() const { return field(28); }
  constexpr std::uint32_t last() const { return field(42); }
  constexpr bool reserved() const { return (word & reserved_bit) != 0; }
  constexpr bool broken() const { return (word & broken_bit) != 0; }

  // What one holder adds to the word, and takes away again.
  static constexpr std::uint64_t held_by(std::uint32_t process, bool exclusive) {
    return exclusive ? process + 1 : one_reader;
  }
  // Is it free for such a holder?
  constexpr bool allows(bool exclusive) const { return writer() == 0 && (!exclusive || readers() == 0); }
  // May a newcomer take it? `joins`: past whom it is reserved for, if he has to wait for readers.
  constexpr bool open_to(bool exclusive, bool joins) const {
    return allows(exclusive) && (!reserved() || (joins && readers() != 0));
  }
  constexpr lock_state with_queue(std::uint32_t first, std::uint32_t last) const {
    constexpr std::uint64_t both = (1ull << 28) - 1;
    return {(word & ~(both << 28)) | std::uint64_t{first} << 28 | std::uint64_t{last} << 42};
  }

 private:
  constexpr std::uint32_t field(int at) const {
    return static_cast<std::uint32_t>(word >> at) & ((1u << 14) - 1);
  }
};
static_assert(lock_state{lock_state::held_by(most_members, true)}.writer() == most_members + 1);
static_assert(lock_state{3 * lock_state::one_reader}.readers() == 3 && !lock_state{1}.allows(false));
static_assert(lock_state{}.with_queue(5, 7).first() == 5 && lock_state{}.with_queue(5, 7).last() == 7);

}  // namespace loadstone::rma
