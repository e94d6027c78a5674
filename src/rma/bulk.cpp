#include "rma/bulk.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/fault.hpp"
#include "wait/pause.hpp"

namespace loadstone::rma {
namespace {

constexpr std::uint32_t most_looks = 1000;  // some ten µs: who does not run is not waited for

long membarrier(int command) {
  return syscall(SYS_membarrier, command, 0, 0);
}

}  // namespace

bool reached_by_barriers() {
  static const bool registered = membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0;
  return registered;
}

bool begin_bulk(target& t, range_set set) {
  window_record& record = *t.record;
  if ((~record.bulk.ranges.fetch_or(set, std::memory_order_seq_cst) & set) == 0)  // sync: rma-bulk
    return true;
  LOADSTONE_FAULT_POINT("rma.bulk");
  bool nobody = membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) == 0;
  for (std::uint32_t line = 0; nobody && line < std::min(record.members, most_lines); ++line) {
    std::uint32_t looks = 0;
    // Sequentially consistent: after the bits, for those that announce by an instruction. Acquires
    // what whoever takes it back has changed (sync: rma-bulk).
    while ((nobody = record.line_of(line).announced.load(std::memory_order_seq_cst) == 0) == false &&
           ++looks < most_looks)
      wait::pause();
  }
  if (!nobody) end_bulk(t, set);
  return nobody;
}

void end_bulk(target& t, range_set set) {
  // release: what was changed in bulk (sync: rma-bulk)
  t.record->bulk.ranges.fetch_and(~set, std::memory_order_release);
}

}  // namespace loadstone::rma
