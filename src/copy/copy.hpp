// Chooses the kernel for each copy of payload. There is a function for each kind of place that
// payload is copied to or from; it takes the piece to copy, and the length of the whole message
// that the piece is a part of.
//
//   small, words   what fits a slot of a lane, and headers (kernels.hpp)
//   into_cell      a sender fills a cell; the cell's last reader still has it in its cache
//   out_of_cell    a receiver copies a cell that its sender has just written into the user's buffer
//   by_turns       either end copies into or out of a pair buffer, which both write by turns
//   between        the only copy of a message, from one user's buffer into another's
//   strided        blocks at equal distances (strided.hpp)
//
//   ordinary       everything else that may be longer than two KiB (kernels.hpp)
//
// Whether a cell is filled past the caches is measured while running
// (store_choice.hpp). All thresholds are in this file, each with the measurement that keeps it. The
// numbers before the figures are those of the records in docs/decisions/.
#pragma once

#include "base/cpus.hpp"
#include "copy/kernels.hpp"

namespace loadstone::copy {

enum class kernel : std::uint8_t { ordinary, halves, string, past_caches };

// Up to this length a whole message is surely in a near cache, and copying both halves at once is
// quicker. A longer one may be in no cache, where memcpy is as good or better (011: 256 KiB and 1
// MiB in no cache took 1.2 times as long by halves).
inline constexpr std::size_t most_surely_near = 32 * 1024;
// The same for a reader of cells, which finds them in the cache that it shares with their sender
// (005: by halves a tenth to a third more bandwidth up to 1 MiB, a tenth less at 4 MiB).
inline constexpr std::size_t most_near_in_cells = 1024 * 1024;

// From these lengths on a string instruction is quicker, on a processor where
// base::copies_best_by_string() (005, Zen 5): for writing what others have read (8 KiB with the
// cores far apart 1.1 µs instead of 2), for reading what others have written (16 KiB 0.46 µs
// instead of 0.51), for memory that two cores write by turns (012: up to 16 KiB vectors are as
// quick), and between buffers (one-sided, warm: gets of 64 KiB at 89 GB/s instead of 83, of 1 MiB
// at 62 instead of 52).
inline constexpr std::size_t least_written_by_string = 2 * 1024, least_read_by_string = 8 * 1024,
                             least_by_turns_by_string = 32 * 1024, least_between_by_string = 64 * 1024;

// From these lengths on no cache holds a whole message and its copy. Writing past the caches then
// saves fetching the lines that are written.
//   out of cells, which need cache as well   005: 4 MiB in 213 µs instead of 320 in a busy cache,
//                                            a tenth more in an idle one
//   the same, where strings copy best        twice that length (005: 4 MiB by string in 96 µs
//                                            instead of 137)
//   between buffers                          one copy less, so later (4 MiB that are in the caches
//                                            take a third of the time)
inline constexpr std::size_t least_past_caches = 4 << 20, least_past_caches_strings = 8 << 20,
                             least_past_caches_between = 12 << 20;

// The choice as pure functions. `strings`: what base::copies_best_by_string() says.
namespace choose {
constexpr kernel near(std::size_t bytes, bool strings) {
  return strings && bytes >= least_read_by_string ? kernel::string : kernel::halves;
}
constexpr kernel into_cell(std::size_t bytes, std::size_t whole, bool strings) {
  if (strings && bytes >= least_written_by_string) return kernel::string;
  // The payload of one cell may be a block of a message of any length.
  return whole <= most_surely_near ? kernel::halves : kernel::ordinary;
}
constexpr kernel out_of_cell(std::size_t bytes, std::size_t whole, bool strings) {
  if (whole >= (strings ? least_past_caches_strings : least_past_caches)) return kernel::past_caches;
  return strings || whole <= most_near_in_cells ? near(bytes, strings) : kernel::ordinary;
}
constexpr kernel by_turns(std::size_t, std::size_t whole, bool strings) {
  return strings && whole >= least_by_turns_by_string ? kernel::string : kernel::halves;
}
constexpr kernel between(std::size_t bytes, std::size_t whole, bool strings) {
  if (bytes <= most_surely_near) return near(bytes, strings);
  if (whole >= least_past_caches_between) return kernel::past_caches;
  return strings && bytes >= least_between_by_string ? kernel::string : kernel::ordinary;
}
}  // namespace choose

inline const bool strings = base::copies_best_by_string();

inline void by(kernel how, std::byte* to, const std::byte* from, std::size_t bytes) {
  switch (how) {
    case kernel::ordinary:
      return ordinary(to, from, bytes);
    case kernel::halves:
      return halves(to, from, bytes);
    case kernel::string:
      return string(to, from, bytes);
    case kernel::past_caches:
      return past_caches(to, from, bytes);
  }
}

inline void into_cell(std::byte* to, const std::byte* from, std::size_t bytes, std::size_t whole) {
  by(choose::into_cell(bytes, whole, strings), to, from, bytes);
}
inline void out_of_cell(std::byte* to, const std::byte* from, std::size_t bytes, std::size_t whole) {
  by(choose::out_of_cell(bytes, whole, strings), to, from, bytes);
}
inline void by_turns(std::byte* to, const std::byte* from, std::size_t bytes, std::size_t whole) {
  by(choose::by_turns(bytes, whole, strings), to, from, bytes);
}
inline void between(std::byte* to, const std::byte* from, std::size_t bytes, std::size_t whole) {
  by(choose::between(bytes, whole, strings), to, from, bytes);
}

// A followed message travels in parts: its two copies overlap but for one part, and a part costs
// the hand-over of a line. So a quarter of it; by strings, which are worth more the longer they
// are, a half (005).
constexpr std::size_t part_of(std::size_t whole, bool by_strings) {
  const std::size_t parts = by_strings ? 2 : 4, bytes = (whole / parts + 63) / 64 * 64;
  return bytes < 2048 ? 2048 : bytes > 16 * 1024 ? 16 * 1024 : bytes;
}
inline std::size_t part_of(std::size_t whole) {
  return part_of(whole, strings);
}

}  // namespace loadstone::copy
