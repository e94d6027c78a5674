// Which copy for what. A message's payload is copied between four kinds of places; each has a
// function here, which takes the piece to be copied and the length of the whole message that it is
// a part of.
//
//   small, words   what fits a slot of a lane, and headers (kernels.hpp)
//   into_cell      a sender fills a cell, which its last reader has in its cache
//   out_of_cell    a receiver reads a cell, which its sender has just written, into the user's
//                  buffer
//   by_turns       either end of the long room of a pair, which both write by turns
//   between        from one user's buffer to another one's, once
//   strided        blocks at equal distances (strided.hpp)
//
// Anything else is memcpy. Whether a cell is filled past the caches is measured while running
// (store_choice.hpp). Every threshold stands here, with what keeps it; the figures are in
// docs/decisions/, by number.
#pragma once

#include "base/cpus.hpp"
#include "copy/kernels.hpp"

namespace loadstone::copy {

enum class kernel : std::uint8_t { plain, two_streams, string, past_caches };

// Up to here a whole message is surely in a cache near, and two streams win; longer ones may be in
// none, and there one stream is as good or better (011: 256 KiB and 1 MiB in no cache took 1.2
// times as long by two).
inline constexpr std::size_t most_surely_near = 32 * 1024;
// A reader of cells finds them in the cache that it shares with their sender: two streams up to
// here (005: a tenth to a third more bandwidth up to 1 MiB, a tenth less at 4 MiB).
inline constexpr std::size_t most_near_in_cells = 1024 * 1024;

// From where on a string instruction pays, where it fetches nothing of what it writes (005, Zen 5):
// writing what others have read (8 KiB with the cores far apart 1.1 µs instead of 2), reading what
// others have written (16 KiB 0.46 µs instead of 0.51), and memory that two cores write by turns
// (012: vectors are as quick up to 16 KiB).
inline constexpr std::size_t least_written_by_string = 2 * 1024, least_read_by_string = 8 * 1024,
                             least_by_turns_by_string = 32 * 1024;

// Messages from here on, and their copies, are in no cache as a whole, and writing past the caches
// saves fetching what is written. Out of cells, which take room in the caches too (005: 4 MiB in
// 213 µs instead of 320 in a busy cache, a tenth more in a quiet one); a string instruction is as
// good up to twice that (005: 4 MiB 137 and 96). Between buffers there is one copy less (4 MiB in
// the caches take a third of the time).
inline constexpr std::size_t least_past_caches = 4 << 20, least_past_caches_strings = 8 << 20,
                             least_past_caches_between = 12 << 20;

// The choice alone; `strings`: base::copies_best_by_string().
namespace choose {
constexpr kernel near(std::size_t bytes, bool strings) {
  return strings && bytes >= least_read_by_string ? kernel::string : kernel::two_streams;
}
constexpr kernel into_cell(std::size_t bytes, std::size_t whole, bool strings) {
  if (strings && bytes >= least_written_by_string) return kernel::string;
  // The payload of one cell may be a block of a message of any length.
  return whole <= most_surely_near ? kernel::two_streams : kernel::plain;
}
constexpr kernel out_of_cell(std::size_t bytes, std::size_t whole, bool strings) {
  if (whole >= (strings ? least_past_caches_strings : least_past_caches)) return kernel::past_caches;
  return strings || whole <= most_near_in_cells ? near(bytes, strings) : kernel::plain;
}
constexpr kernel by_turns(std::size_t, std::size_t whole, bool strings) {
  return strings && whole >= least_by_turns_by_string ? kernel::string : kernel::two_streams;
}
constexpr kernel between(std::size_t bytes, std::size_t whole, bool strings) {
  if (bytes <= most_surely_near) return near(bytes, strings);
  return whole >= least_past_caches_between ? kernel::past_caches : kernel::plain;
}
}  // namespace choose

inline const bool strings = base::copies_best_by_string();

inline void by(kernel how, std::byte* to, const std::byte* from, std::size_t bytes) {
  switch (how) {
    case kernel::plain:
      std::memcpy(to, from, bytes);
      return;
    case kernel::two_streams:
      return two_streams(to, from, bytes);
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
