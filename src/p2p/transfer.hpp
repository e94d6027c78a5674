// What decides how the data of an offered message moves.
#pragma once

#include <cstdint>

namespace loadstone::p2p {

// A receive that is posted, and its message: what decides how the data moves.
struct transfer {
  std::int64_t bytes;
  std::uint32_t wish;  // the sender's (enum pipeline_wish)
  bool waits;          // the receiver
  bool patient;        // it gives a sender that does not wait yet a moment to begin
  bool mapped;         // its peer's memory, where it is in an arena
  bool kernel;         // process_vm_* is allowed
  bool theirs_in_arena, theirs_named, theirs_one_block;
  bool ours_in_arena, ours_one_block;
};

}  // namespace loadstone::p2p
