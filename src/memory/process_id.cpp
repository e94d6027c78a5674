#include "memory/process_id.hpp"

#include <fmt/core.h>

namespace loadstone::memory {

std::string name_of(const process_id& who) {
  return fmt::format("process {} of job {:x}", who.index, who.job);
}

}  // namespace loadstone::memory
