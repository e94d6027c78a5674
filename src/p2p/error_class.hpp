// The MPI error classes (numbers of the ABI) that a message can end with.
#pragma once

#include <cstdint>

#include "deposit/user_memory.hpp"

namespace loadstone::p2p {

inline constexpr std::int32_t error_buffer =
    1;  // MPI_ERR_BUFFER: the system could not reach the user's memory
inline constexpr std::int32_t error_truncate = 15;      // MPI_ERR_TRUNCATE
inline constexpr std::int32_t error_other = 16;         // MPI_ERR_OTHER
inline constexpr std::int32_t error_no_memory = 39;     // MPI_ERR_NO_MEM
inline constexpr std::int32_t error_peer_aborted = 58;  // MPI_ERR_PROC_ABORTED

// What a copy by the kernel ends a message with; 0: nothing. A refusal ends none: there are other
// ways.
inline std::int32_t error_of(deposit::reached how) {
  switch (how) {
    case deposit::reached::done:
      return 0;
    case deposit::reached::gone:
      return error_peer_aborted;
    case deposit::reached::bad_address:
      return error_buffer;
    case deposit::reached::refused:
      break;
  }
  return error_other;
}

}  // namespace loadstone::p2p
