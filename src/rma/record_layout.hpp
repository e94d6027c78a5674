// What lies in job memory for each member of a window: its *record*, in its own arena. Written by
// its owner before the window exists; from then on the identity is read-only, and each area is
// changed as its part says.
//
//   0     identity
//   128   lock       passive lock (lock_layout.hpp, lock.hpp)
//   256   exposure   completions that arrived (post.cpp)
//   384   fence      the barrier: flags (wait/flag_barrier.hpp) or counters (counter_barrier.hpp)
//   640   ranges     locks of accumulates, by range of addresses (ranges.hpp)
//   1152  attached   dynamic windows: where the table of attached memory is (attached.cpp)
//   1280  bulk       ranges that are changed in bulk (bulk.hpp)
//   1408  members    one slot for each member of the window, and
//                    behind them a line for each, at most 64 (bulk.hpp, ranges.hpp)
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/address.hpp"
#include "memory/job_layout.hpp"

namespace loadstone::rma {

enum class flavor : std::uint32_t { created, allocated, shared, dynamic };

inline constexpr std::uint64_t record_magic = 0x64726f63'65726d72;  // "rmrecord"
inline constexpr std::size_t fence_rounds = 16, range_locks = 8;
inline constexpr unsigned range_shift = 14;  // address >> range_shift, modulo range_locks: its lock
// In the word of such a lock: 1 + process that holds it, and a mark beside it.
inline constexpr std::uint64_t somebody_waits = 1ull << 32, name_of_holder = somebody_waits - 1;
inline constexpr std::uint32_t most_members = (1u << 14) - 2;  // so that a lock has room for two of them

// One for each member of the window, in the record of each.
//   0 posted | 8 process, wants | 12 before | 14 behind | 16 end
struct member_slot {
  std::atomic<std::uint64_t> posted;  // how often that member has posted to the owner; W: it (sync: rma-post)
  // While that member waits for the owner's lock; members are named by 1 + rank, 0 is nobody.
  std::atomic<std::uint32_t> process;  // whom to wake, and wants_shared (lock_layout.hpp); W: the member
  std::atomic<std::uint16_t> before;   // who is in front of it; W: the member, then who leaves the front
  std::atomic<std::uint16_t> behind;   // who is behind it, as far as known; W: the member, then the first
};
static_assert(offsetof(member_slot, process) == 8 && offsetof(member_slot, before) == 12);
static_assert(offsetof(member_slot, behind) == 14 && sizeof(member_slot) == 16);

// What a member says while it works on the owner's part: alone in its line, but in windows of more
// members than there are lines. W: that member.
inline constexpr std::uint32_t most_lines = 64;
struct alignas(64) member_line {
  std::atomic<std::uint32_t> announced;  // threads that change elements by instructions (sync: rma-bulk)
  std::atomic<std::uint32_t> waiting;    // threads that wait for a range (sync: rma-range)
};
static_assert(sizeof(member_line) == 64);

// What is attached to a dynamic window: the table. W: the owner, while the version is odd.
inline constexpr std::uint64_t no_region = ~std::uint64_t{0};
struct attached_range {
  std::atomic<std::uint64_t> base, bytes;
  std::atomic<std::uint64_t> region, offset;  // the same in job memory; ordinary memory: `no_region`
};
static_assert(sizeof(attached_range) == 32 && offsetof(attached_range, region) == 16);

struct window_record {
  std::uint64_t magic;
  std::uint64_t base;     // address of the owner's part in the owner's process; 0 for dynamic ones
  std::int64_t bytes;     // its size
  std::int64_t unit;      // of displacements
  memory::address where;  // the same place in job memory, if `in_job_memory`
  std::int64_t before;    // `in_segment`: bytes of the members before the owner
  std::uint32_t in_job_memory;
  std::uint32_t in_segment;  // the part lies in that of member 0, `before` bytes behind its begin
  flavor kind;
  std::uint32_t owner;  // index in the process table
  std::uint32_t members;
  std::uint32_t has_desk;
  memory::address desk;  // of the owner's copying thread (copy_thread.hpp), if `has_desk`
  std::byte fill_[128 - 96];

  alignas(memory::isolation) struct {
    std::atomic<std::uint64_t> state;  // lock_layout.hpp (sync: rma-lock)
  } lock;
  alignas(memory::isolation) struct {
    // How often members have completed an epoch here (sync: rma-complete).
    std::atomic<std::uint64_t> completed;
  } exposure;
  alignas(memory::isolation) struct {
    std::atomic<std::uint64_t> flags[fence_rounds];  // wait/flag_barrier.hpp (sync: flag-barrier)
    // Of member 0 (counter_barrier.hpp).
    alignas(memory::isolation) std::atomic<std::uint64_t> arrived;  // (sync: barrier-arrived)
    alignas(64) std::atomic<std::uint64_t> released;                // (sync: barrier-released)
  } fence;
  alignas(memory::isolation) struct {
    alignas(64) std::atomic<std::uint64_t> holder;  // process + 1 (sync: rma-range)
    // In bulk: single operations since the last larger one. Else: elements of larger ones that were
    // changed by instructions.
    std::atomic<std::uint32_t> tally;
  } ranges[range_locks];
  alignas(memory::isolation) struct {
    std::atomic<std::uint64_t> version;         // odd: is being changed (sync: rma-attached)
    std::atomic<std::uint64_t> count;           // of ranges in the table
    std::atomic<std::uint64_t> region, offset;  // memory::address of the table
  } attached;
  alignas(memory::isolation) struct {
    std::atomic<std::uint32_t> ranges;  // a bit for each of `ranges`; W: its holder (sync: rma-bulk)
  } bulk;
  member_slot* slots() { return reinterpret_cast<member_slot*>(this + 1); }
  member_line& line_of(std::uint32_t member) {
    auto* const behind = reinterpret_cast<std::byte*>(this + 1) + slots_bytes(members);
    return reinterpret_cast<member_line*>(behind)[member % most_lines];
  }
  static constexpr std::size_t slots_bytes(std::uint32_t members) {  // whole lines
    return (members * sizeof(member_slot) + 63) / 64 * 64;
  }
};
static_assert(sizeof(window_record) % memory::isolation == 0);
static_assert(offsetof(window_record, desk) == 80);
static_assert(offsetof(window_record, lock) == 128 && offsetof(window_record, exposure) == 256);
static_assert(offsetof(window_record, fence) == 384 && offsetof(window_record, ranges) == 640);
static_assert(offsetof(window_record, fence.arrived) == 512 &&
              offsetof(window_record, fence.released) == 576);
static_assert(most_members <= 1u << fence_rounds);
static_assert(offsetof(window_record, attached) == 1152 && offsetof(window_record, bulk) == 1280 &&
              sizeof(window_record) == 1408);

// What does not change once the window exists.
inline constexpr std::size_t identity_bytes = offsetof(window_record, lock);

constexpr std::size_t record_bytes(std::uint32_t members) {
  const std::uint32_t lines = members < most_lines ? members : most_lines;
  return sizeof(window_record) + window_record::slots_bytes(members) + lines * sizeof(member_line);
}

}  // namespace loadstone::rma
