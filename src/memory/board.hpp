// The job's board: small values that processes leave for each other, by key (the topology of the
// machine, for example).
#pragma once

#include <string>
#include <string_view>

#include "base/status.hpp"
#include "memory/job.hpp"

namespace loadstone::memory {

inline constexpr std::size_t board_key_bytes = 55, board_value_bytes = 448;

// Publishes a value under a new key. code::invalid: the key is taken, or key or value is too long;
// code::no_memory: the board is full. Two processes that publish the same key at the same moment
// may both succeed; readers then see one of the two, always the same.
base::status board_put(job& job, std::uint32_t self, std::string_view key, std::string_view value);

// False if nobody has published it.
bool board_get(job& job, std::string_view key, std::string* value);

}  // namespace loadstone::memory
