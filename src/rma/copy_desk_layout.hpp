// Where others leave a transfer for a process's copying thread (copy_thread.hpp), one at a time. In
// that process's arena: so the thread maps nothing, and what it looks at is there as long as it is.
//
//   0     state    who has the desk, and how far it is
//   128   bell     the thread sleeps on it
//   256   answered origins sleep on it; waiting: how many of them for the desk
//   384   request  what is wanted
//   512   runs     of the owner's part (wire_layout.hpp)
//   33280 data     packed: what a put brings, and a get takes away
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/job_layout.hpp"
#include "rma/wire_layout.hpp"

namespace loadstone::rma {

// free → filling       an origin has it, and writes all the rest
// filling → posted     the thread may begin
// posted → working     it is at it
// posted → filling     its origin has taken it back
// working → done, or declined: memory of the window is not there, and nothing has happened
// filling, done, declined → free: its origin has no more to do with it
// From all but `working` also to `filling`, by another origin, if the one that has it has died.
enum class desk_state : std::uint8_t { free, filling, posted, working, done, declined };

// A word: a number, which is used once; 1 + the process that has the desk; the state.
//   63 … 32 number | 31 … 8 process + 1, 0: nobody | 7 … 0 state
struct desk_word {
  std::uint64_t bits;
  static constexpr desk_word of(std::uint32_t number, std::uint32_t process, desk_state s) {
    return {std::uint64_t{number} << 32 | std::uint64_t{process + 1} << 8 | static_cast<std::uint64_t>(s)};
  }
  constexpr desk_state state() const { return static_cast<desk_state>(bits & 0xff); }
  constexpr std::uint32_t number() const { return static_cast<std::uint32_t>(bits >> 32); }
  constexpr std::uint32_t process() const { return (static_cast<std::uint32_t>(bits) >> 8) - 1; }
  constexpr desk_word as(desk_state s) const {
    return {(bits & ~std::uint64_t{0xff}) | static_cast<std::uint64_t>(s)};
  }
};

// An accumulate: its origin has the locks of all that is changed (ranges.hpp), and keeps them until
// it is answered.
enum class desk_kind : std::uint8_t { put, get, change };

//   0 window | 8 runs | 12 kind | 13 op | 14 value | 15 index | 16 fetched | 20 fill | 24 end
struct desk_request {
  std::uint64_t window = 0;  // its id
  std::uint32_t runs = 0;
  desk_kind kind = desk_kind::put;
  std::uint8_t op = 0;                // of an accumulate: datatype::op_kind,
  std::uint8_t value = 0, index = 0;  // and datatype::named_kind of the elements
  std::uint32_t fetched = 0;          // where in `data` goes what was there before; 0: that is not wanted
  std::uint32_t fill_ = 0;
};
static_assert(sizeof(desk_request) == 24 && offsetof(desk_request, fetched) == 16);

struct copy_desk {
  static constexpr std::uint32_t most_runs = 1024;
  static constexpr std::int64_t most_bytes = 1 << 20;
  static constexpr std::int64_t most_changed = 128 * 1024;  // bytes, while the locks are held

  std::atomic<std::uint64_t> state;  // desk_word; W: all, by compare-and-swap (sync: rma-desk)
  std::atomic<std::uint32_t> open;   // 1: there is a thread; W: the owner
  alignas(memory::isolation) std::atomic<std::uint32_t> bell;      // W: origins (sync: bell)
  alignas(memory::isolation) std::atomic<std::uint32_t> answered;  // W: the thread, origins (sync: bell)
  std::atomic<std::uint32_t> waiting;                              // W: origins
  alignas(memory::isolation) desk_request request;                 // W: who has it
  alignas(memory::isolation) asked_run runs[most_runs];            // W: who has it
  alignas(memory::isolation) std::byte data[most_bytes];           // W: who has it; the thread
};
static_assert(offsetof(copy_desk, bell) == 128 && offsetof(copy_desk, answered) == 256);
static_assert(offsetof(copy_desk, request) == 384 && offsetof(copy_desk, runs) == 512);
static_assert(offsetof(copy_desk, data) == 33280);

}  // namespace loadstone::rma
