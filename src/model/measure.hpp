// Measures the parameters of a machine, by two processes on the first two processors that this
// process may use.
#pragma once

#include <span>

#include "base/status.hpp"
#include "model/machine.hpp"

namespace loadstone::model {

// Where the data is before each transfer.
enum class pattern : std::uint8_t {
  rewritten,  // the same memory each time; its owner writes it before each transfer, as programs do
  cold,       // the same, but each time other memory, larger in all than the caches
};

// Takes a few seconds and some 300 MiB of memory. Forks a process and ends it, so call it while
// there is only one thread. `sizes` in rising order. Errors: fewer than two processors, no memory.
base::result<machine> measure(pattern how, std::span<const std::int64_t> sizes);

}  // namespace loadstone::model
