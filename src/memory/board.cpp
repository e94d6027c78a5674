#include "memory/board.hpp"

#include <cstring>

namespace loadstone::memory {

using base::code;
using base::status;

status board_put(job& job, std::uint32_t self, std::string_view key, std::string_view value) {
  if (key.empty() || key.size() > board_key_bytes)
    return {code::invalid, 0, "a key of the board has 1 to 55 characters"};
  if (value.size() > board_value_bytes)
    return {code::invalid, 0, "a value of the board has at most 448 bytes"};
  std::string known;
  if (board_get(job, key, &known)) return {code::invalid, 0, "this key of the board is taken"};
  for (std::uint32_t i = 0; i < job.header().board_slots; ++i) {
    board_slot& slot = job.board()[i];
    std::uint32_t expected = 0;
    // relaxed: winning grants the right to write; the slot names its holder, and one that dies here
    // only loses the slot.
    if (slot.state.load(std::memory_order_relaxed) != 0 ||
        !slot.state.compare_exchange_strong(expected, self + 1, std::memory_order_relaxed))
      continue;
    std::memcpy(slot.key, key.data(), key.size());
    slot.key[key.size()] = 0;
    std::memcpy(slot.value, value.data(), value.size());
    slot.value_bytes = static_cast<std::uint32_t>(value.size());
    slot.state.store(board_slot_valid, std::memory_order_release);  // sync: board-publish
    return status::success();
  }
  return {code::no_memory, 0, "the job's board is full"};
}

bool board_get(job& job, std::string_view key, std::string* value) {
  for (std::uint32_t i = 0; i < job.header().board_slots; ++i) {
    const board_slot& slot = job.board()[i];
    if (slot.state.load(std::memory_order_acquire) != board_slot_valid || key != slot.key)
      continue;  // sync: board-publish
    value->assign(reinterpret_cast<const char*>(slot.value), slot.value_bytes);
    return true;
  }
  return false;
}

}  // namespace loadstone::memory
