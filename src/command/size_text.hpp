#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace loadstone::command {

// A power of two in the largest unit of which it is a multiple: "64 Ki".
inline std::string size_text(std::int64_t bytes) {
  if (bytes >= 1 << 20) return fmt::format("{} Mi", bytes >> 20);
  return bytes >= 1 << 10 ? fmt::format("{} Ki", bytes >> 10) : std::to_string(bytes);
}

}  // namespace loadstone::command
