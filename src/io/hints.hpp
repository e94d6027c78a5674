// What a file's info says, as far as it has an effect below src/mpi.
#pragma once

#include <cstdint>

namespace loadstone::io {

// What an aggregator handles at a time if nobody says it: what stays in a core's second cache.
// Where members share cores, the barrier of each round waits for them to take turns: then rounds
// are longer.
constexpr std::int64_t usual_window(int members, std::uint32_t cores) {
  const bool share = cores != 0 && static_cast<std::uint32_t>(members) > cores;
  return std::int64_t{share ? 1024 : 256} << 10;
}

struct hints {
  // What an aggregator of collective access handles at a time; it has two such windows
  // (cb_buffer_size).
  std::int64_t collective_bytes = usual_window(1, 1);
  int aggregators = 0;  // how many there are (cb_nodes); 0: as many as there are cores
  // Whether collective calls gather data at aggregators (collective_buffering). Automatic: when the
  // data of several processes interleaves.
  enum class choice : std::uint8_t { automatic, always, never } collective = choice::automatic;
  // Memory in which strided reads fetch what lies between blocks as well; 0: they do not.
  std::int64_t sieve_bytes = std::int64_t{4} << 20;
  // How much of the next access is fetched ahead, where accesses are regular; 0: nothing.
  std::int64_t read_ahead_bytes = std::int64_t{64} << 20;
  std::int64_t unit = 0;  // domains of aggregators are multiples of this (striping_unit); 0: as the file says
};

}  // namespace loadstone::io
