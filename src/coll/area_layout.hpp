// What lies in job memory for each member of a communicator whose collectives work on shared
// memory: its *area*, in its own arena. Made when it is worth it (areas.hpp).
//
//   0     identity
//   128   finished   the last operation that the owner needs nothing of any more   W: owner
//   136   wanted     who waits for that, a bit for each member                     W: waiter, owner
//   256   left       how many others do not look here any more                     W: they
//   384   arrived    of member 0: who has come to an operation, even and odd       W: everybody
//   512   released   of member 0: the last operation that all were let go from     W: the last
//   640   flags      of a barrier (wait/flag_barrier.hpp)                          W: another each
//   768   slots      two, for operations of even and of odd numbers
//
// A *mark* is the number of an operation, and what it does (signature.hpp): so members that do
// different things do not meet.
//   63 … 16 number | 15 … 12 operation | 11 … 8 algorithm | 7 … 0 root
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/job_layout.hpp"

namespace loadstone::coll {

inline constexpr std::uint64_t area_magic = 0x61657261'6c6c6f63;  // "collarea"
inline constexpr std::size_t area_rounds = 16;

// The data begins in the line of `published`, if it fits there.
//   0 published | 8 bytes | 16 near | 64 far
struct area_slot {
  std::atomic<std::uint64_t> published;  // the mark whose data this is; W: owner (sync: area-published)
  std::uint64_t bytes;                   // of the data, as its writer has it; may be more than there is
  std::byte near[48];
  static constexpr std::size_t head = 64;
  std::byte* data(std::uint64_t n) {
    return n <= sizeof near ? near : reinterpret_cast<std::byte*>(this) + head;
  }
};
static_assert(offsetof(area_slot, bytes) == 8 && offsetof(area_slot, near) == 16);
static_assert(sizeof(area_slot) == area_slot::head);

struct area {
  std::uint64_t magic;
  std::uint32_t slot_bytes;  // room for data in a slot
  std::uint32_t members;

  alignas(memory::isolation) std::atomic<std::uint64_t> finished;  // a number (sync: area-finished)
  std::atomic<std::uint64_t> wanted[2];
  alignas(memory::isolation) std::atomic<std::uint32_t> left;  // (sync: area-left)
  // 63 … 32 number, lower half | 31 … 16 what it does | 15 … 0 who has come (arrivals.hpp)
  struct alignas(64) count {
    std::atomic<std::uint64_t> word;
  };
  alignas(memory::isolation) count arrived[2];                               // (sync: area-arrived)
  alignas(memory::isolation) std::atomic<std::uint64_t> released;            // a mark (sync: area-released)
  alignas(memory::isolation) std::atomic<std::uint64_t> flags[area_rounds];  // marks (sync: flag-barrier)

  static constexpr std::size_t stride(std::size_t slot_bytes) {
    return (area_slot::head + slot_bytes + memory::isolation - 1) / memory::isolation * memory::isolation;
  }
  static constexpr std::size_t slot_at(std::uint64_t number, std::size_t slot_bytes) {
    return sizeof(area) + (number % 2) * stride(slot_bytes);
  }
  area_slot& slot(std::uint64_t number) {
    return *reinterpret_cast<area_slot*>(reinterpret_cast<std::byte*>(this) + slot_at(number, slot_bytes));
  }
  static constexpr std::size_t bytes(std::size_t slot_bytes);
};
static_assert(offsetof(area, slot_bytes) == 8 && offsetof(area, members) == 12);
static_assert(offsetof(area, finished) == 128 && offsetof(area, wanted) == 136 &&
              offsetof(area, left) == 256);
static_assert(offsetof(area, arrived) == 384 && sizeof(area::count) == 64);
static_assert(offsetof(area, released) == 512 && offsetof(area, flags) == 640 && sizeof(area) == 768);
static_assert(sizeof(area) % memory::isolation == 0);

constexpr std::size_t area::bytes(std::size_t slot_bytes) {
  return sizeof(area) + 2 * stride(slot_bytes);
}

}  // namespace loadstone::coll
