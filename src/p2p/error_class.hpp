// The MPI error classes (numbers of the ABI) that a message can end with.
#pragma once

#include <cstdint>

namespace loadstone::p2p {

inline constexpr std::int32_t error_buffer =
    1;  // MPI_ERR_BUFFER: the system could not reach the user's memory
inline constexpr std::int32_t error_truncate = 15;      // MPI_ERR_TRUNCATE
inline constexpr std::int32_t error_other = 16;         // MPI_ERR_OTHER
inline constexpr std::int32_t error_no_memory = 39;     // MPI_ERR_NO_MEM
inline constexpr std::int32_t error_peer_aborted = 58;  // MPI_ERR_PROC_ABORTED

}  // namespace loadstone::p2p
