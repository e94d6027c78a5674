// What lies in job memory for each member of a communicator whose collectives work on shared
// memory: its *area*, in its own arena. Made when it is worth it (areas.hpp).
//
//   0     identity
//   128   finished   the last operation that the owner needs nothing of any more   W: owner
//   136   wanted     who waits for that, a bit for each member                     W: waiter, owner
//   256   left       how many others do not look here any more                     W: they
//   384   released   of member 0: the last operation that all were let go from     W: the last
//   512   flags      of a barrier (wait/flag_barrier.hpp)                          W: another each
//   640   arrived    of member 0: who has come to an operation, for each slot      W: everybody
//   896   slots      32, each with some data behind it: area_shape::slot_of()
//   …     halves     two, for longer data and offers: for even and for odd operations
//
// So members that only give something may be 32 operations ahead of others, or two. Where all wait
// for all, nobody is ahead: such operations go through two slots, which stay in caches.
//
// A *mark* is the number of an operation, and what it does (signature.hpp): so members that do
// different things do not meet.
//   63 … 16 number | 15 … 12 operation | 11 … 8 algorithm | 7 … 0 root
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/job_layout.hpp"

namespace loadstone::coll {

inline constexpr std::uint64_t area_magic = 0x61657261'6c6c6f63;  // "collarea"
inline constexpr std::size_t area_rounds = 16;
inline constexpr std::uint64_t area_slots = 32;

// The data is in the line of `published`, if it fits there; or else it begins with the next line,
// which often comes with that one, if it fits there; or it is in a half.
//   0 published | 8 bytes | 16 near | 64 behind
struct area_slot {
  std::atomic<std::uint64_t> published;  // the mark whose data this is; W: owner (sync: area-published)
  std::uint64_t bytes;                   // of the data, as its writer has it; may be more than there is
  std::byte near[48];
  static constexpr std::size_t most_behind = 512;
  // In place of `bytes`: what there was to put is too long, and comes as a message.
  static constexpr std::uint64_t by_message = ~std::uint64_t{0};
  static constexpr bool is_near(std::uint64_t n) { return n <= sizeof near; }
  std::byte* behind() { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(offsetof(area_slot, bytes) == 8 && offsetof(area_slot, near) == 16 && sizeof(area_slot) == 64);

// Of a slot that has a block of its own for each member, a list of all these comes first.
struct block_in_slot {
  std::uint16_t at;  // from the begin of the list on; 0: it comes as a message
  std::uint16_t bytes;
};
static_assert(sizeof(block_in_slot) == 4);

struct area {
  std::uint64_t magic;
  std::uint32_t most_bytes;  // of data
  std::uint32_t members;

  alignas(memory::isolation) std::atomic<std::uint64_t> finished;  // a number (sync: area-finished)
  std::atomic<std::uint64_t> wanted[2];
  alignas(memory::isolation) std::atomic<std::uint32_t> left;                // (sync: area-left)
  alignas(memory::isolation) std::atomic<std::uint64_t> released;            // a mark (sync: area-released)
  alignas(memory::isolation) std::atomic<std::uint64_t> flags[area_rounds];  // marks (sync: flag-barrier)
  // 63 … 32 number, lower half | 31 … 16 what it does | 15 … 0 who has come (arrivals.hpp)
  alignas(memory::isolation) std::atomic<std::uint64_t> arrived[area_slots];  // (sync: area-arrived)
};
static_assert(offsetof(area, most_bytes) == 8 && offsetof(area, members) == 12);
static_assert(offsetof(area, finished) == 128 && offsetof(area, wanted) == 136 &&
              offsetof(area, left) == 256);
static_assert(offsetof(area, released) == 384 && offsetof(area, flags) == 512 &&
              offsetof(area, arrived) == 640 && sizeof(area) == 896);

// How an area for data of at most so many bytes is laid out.
struct area_shape {
  std::size_t slot_bytes, half_bytes;

  constexpr explicit area_shape(std::size_t most_bytes)
      : slot_bytes(
            isolated(sizeof(area_slot) +
                     (area_slot::is_near(most_bytes) ? 0 : std::min(most_bytes, area_slot::most_behind)))),
        half_bytes(isolated(most_bytes)) {}
  static constexpr std::size_t slot_of(std::uint64_t number, bool one_sided) {
    return number % (one_sided ? area_slots : 2);
  }
  constexpr std::size_t slot_at(std::size_t slot) const { return sizeof(area) + slot * slot_bytes; }
  constexpr std::size_t half_at(std::uint64_t number) const {
    return sizeof(area) + area_slots * slot_bytes + number % 2 * half_bytes;
  }
  constexpr std::size_t bytes() const { return half_at(0) + 2 * half_bytes; }

 private:
  static constexpr std::size_t isolated(std::size_t n) {
    return (n + memory::isolation - 1) / memory::isolation * memory::isolation;
  }
};
static_assert(area_shape(8192).slot_bytes == 640 && area_shape(8).slot_bytes == 128);

}  // namespace loadstone::coll
