#include "model/machine.hpp"

#include <algorithm>

namespace loadstone::model {

void curve::add(std::int64_t bytes, double time) {
  points_.push_back({bytes, time});
}

double curve::at(std::int64_t bytes) const {
  if (points_.empty()) return 0;
  const auto above =
      std::find_if(points_.begin(), points_.end(), [&](const point& p) { return p.bytes >= bytes; });
  if (above == points_.begin()) return above->time;
  const point& low = *(above - 1);
  if (above == points_.end()) return low.time * static_cast<double>(bytes) / static_cast<double>(low.bytes);
  const double share = static_cast<double>(bytes - low.bytes) / static_cast<double>(above->bytes - low.bytes);
  return low.time + share * (above->time - low.time);
}

}  // namespace loadstone::model
