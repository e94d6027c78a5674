// What travels in messages of windows, to owners who are asked and back (asked.cpp).
//
//   request  header: asked_request; payload: its runs, then the packed data of a put
//   answer   header: asked_answer;  payload: the packed data of a get
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::rma {

// A lock or unlock has no runs: `from` is the rank of the origin, `to` 1 for an exclusive lock. An
// unlock is not answered.
enum class asked_kind : std::uint32_t { put, get, lock, unlock };

// Equal blocks at equal distances. Offsets are in bytes from the start of the owner's part;
// addresses for dynamic windows.
//   0 offset | 8 length | 16 count | 24 stride | 32 end
struct asked_run {
  std::int64_t offset, length, count, stride;
};
static_assert(sizeof(asked_run) == 32);

//   0 window | 8 number | 16 position | 24 from | 32 to | 40 rank | 44 kind | 48 runs | 52 fill | 56 end
// With one run and 8 bytes of data it fits one slot of a lane.
struct asked_request {
  std::uint64_t window;   // its id
  std::uint64_t number;   // of the operation, at the origin
  std::int64_t position;  // of the first byte among all packed bytes of the operation
  std::int64_t from, to;  // what all of the operation is in
  std::int32_t rank;      // of the owner
  asked_kind kind;
  std::uint32_t runs;
  std::uint32_t fill_;
};
static_assert(sizeof(asked_request) == 56 && offsetof(asked_request, kind) == 44);

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
