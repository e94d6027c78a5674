#include "model/snapshots.hpp"

#include <algorithm>
#include <cmath>

namespace loadstone::model {

snapshot_forecast forecast(const snapshot_load& of) {
  snapshot_forecast f;
  const double all = of.ranks * of.bytes;
  f.overflow = std::max(0.0, of.bytes - of.buffer);
  f.least_buffer = of.bytes;
  f.least_interval = all / of.write_rate;
  f.keeps_up = f.least_interval <= of.interval;
  f.unbuffered = all / of.write_rate;
  f.most_bytes = std::min(of.buffer, of.write_rate * of.interval / of.ranks);
  f.most_ranks = std::floor(of.write_rate * of.interval / of.bytes);
  const double copy = std::min(of.bytes, of.buffer) / of.copy_rate;
  // Blocked by the disk: for the overflow, or for what the file system does not take in the
  // interval, whichever is more, as both are written by the same file system.
  const double disk = std::max(of.ranks * f.overflow, all - of.write_rate * of.interval) / of.write_rate;
  f.visible = copy + std::max(0.0, disk);
  f.hidden = f.unbuffered > 0 ? std::clamp(1 - f.visible / f.unbuffered, 0.0, 1.0) : 0;
  return f;
}

}  // namespace loadstone::model
