// What travels in messages of windows, to owners who are asked and back (asked.cpp).
//
//   request  header: asked_request; payload: its runs, then the packed data of a put or accumulate
//   answer   header: asked_answer;  payload: the packed data that was asked for
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace loadstone::rma {

// Where it lies in a message, which may be at any address.
template <class T>
T read_wire(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// A lock or unlock has no runs: `from` is the rank of the origin, `to` 1 for an exclusive lock. An
// unlock is not answered. A compare-and-swap has none either, but the new bytes and those to
// compare with.
enum class asked_kind : std::uint8_t { put, get, lock, unlock, accumulate, get_accumulate, compare_and_swap };

// Equal blocks at equal distances. Offsets are in bytes from the start of the owner's part;
// addresses for dynamic windows.
//   0 offset | 8 length | 16 count | 24 stride | 32 end
struct asked_run {
  std::int64_t offset, length, count, stride;
};
static_assert(sizeof(asked_run) == 32);

//   0 window | 8 number | 16 position | 24 from | 32 to | 40 rank | 44 data | 48 runs | 50 kind
//   51 op | 52 value | 53 index | 54 in_any_order | 56 end
// With one run and 8 bytes of data it fits one slot of a lane.
struct asked_request {
  std::uint64_t window = 0;   // its id
  std::uint64_t number = 0;   // of the operation, at the origin; 0: it is only counted
  std::int64_t position = 0;  // of the first byte among all packed bytes of the operation
  std::int64_t from = 0;      // what all of the operation is in,
  std::int64_t to = 0;        // up to here
  std::int32_t rank = 0;      // of the owner
  std::uint32_t data = 0;     // bytes of an accumulate that travel along
  std::uint16_t runs = 0;
  asked_kind kind = asked_kind::put;
  std::uint8_t op = 0;                // of an accumulate: datatype::op_kind,
  std::uint8_t value = 0, index = 0;  // and datatype::named_kind of the elements
  std::uint8_t in_any_order = 0;      // 1: it need not wait for accumulates that came before it
  std::uint8_t fill_ = 0;
};
static_assert(sizeof(asked_request) == 56 && offsetof(asked_request, runs) == 48);

// `position` not_yet: the owner has to wait for a lock, which process `from` has (-1: so many
// readers, `to`).
inline constexpr std::int64_t not_yet = -1;

//   0 window | 8 number | 16 position | 24 rank | 28 wrong | 32 from | 40 to | 48 end
struct asked_answer {
  std::uint64_t window, number;
  std::int64_t position;
  std::int32_t rank;
  std::uint32_t wrong;    // rma::wrong
  std::int64_t from, to;  // what was not attached
};
static_assert(sizeof(asked_answer) == 48 && offsetof(asked_answer, wrong) == 28);

}  // namespace loadstone::rma
