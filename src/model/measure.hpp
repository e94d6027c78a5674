// Measures a machine by two processes on the first two processors that this process may use.
#pragma once

#include <span>

#include "base/status.hpp"
#include "model/machine.hpp"

namespace loadstone::model {

// What happens to the data between measurements.
enum class pattern : std::uint8_t {
  rewritten,  // the same memory; its owner writes it before each transfer, as programs do
  cold,       // the same, but walking through memory larger than the caches
};

// Takes a few seconds and some 300 MiB of memory. Starts a process and ends it; call it while there
// is one thread. `sizes` in rising order. Errors: fewer than two processors, no memory.
base::result<machine> measure(pattern how, std::span<const std::int64_t> sizes);

}  // namespace loadstone::model
