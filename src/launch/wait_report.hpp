// Who waits for whom: turns the wait records of all processes into text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/job.hpp"
#include "memory/wait_note.hpp"

namespace loadstone::launch {

// One process as the report sees it; tests make these by hand.
struct rank_view {
  memory::process_state state = memory::process_state::free;
  bool ended = false;  // the process is gone
  std::int32_t pid = 0;
  std::uint32_t application = 0;  // its part of the job
  std::uint32_t last_call = 0;
  std::uint32_t polls = 0, moved = 0;
  std::vector<memory::seen_wait> waits;
};

std::vector<rank_view> views_of(memory::job& job, std::uint32_t world_size);

// A wait that is younger may be over in the next moment: of such a rank nothing is concluded. Ranks
// that answer each other are nearly always seen waiting for each other.
inline constexpr std::uint64_t lasting_ns = 500'000'000;

// Ranks that can never go on, as far as the records tell: every one of their waits lasts, and needs
// a process that has ended, has finalized, or can itself never go on. Ascending.
std::vector<std::uint32_t> stuck_ranks(const std::vector<rank_view>& ranks);

// One cycle among stuck ranks that wait for one peer each, starting at its smallest rank; empty if
// there is none.
std::vector<std::uint32_t> wait_cycle(const std::vector<rank_view>& ranks);

// Lines end with a newline.
std::string wait_report(const std::vector<rank_view>& ranks);

std::string list(const std::vector<std::uint32_t>& ranks);  // "0–3, 5"; ascending

// "MPI_Recv from rank 1, tag 5", "MPI_Win_lock for the lock of rank 0, held by rank 5"
std::string describe_wait(const memory::seen_wait& wait);

}  // namespace loadstone::launch
