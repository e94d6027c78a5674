#include "launch/timetable.hpp"

#include <utility>

namespace loadstone::launch {

std::size_t timetable::add(look take, std::int64_t at) {
  looks_.push_back({std::move(take), at});
  return looks_.size() - 1;
}

std::int64_t timetable::next() const {
  std::int64_t first = never;
  for (const entry& e : looks_)
    if (e.at != never && (first == never || e.at < first)) first = e.at;
  return first;
}

void timetable::turn(std::int64_t now) {
  // A look may set the time of another, before or behind it.
  for (std::size_t i = 0; i < looks_.size(); ++i) {
    if (looks_[i].at == never || looks_[i].at > now) continue;
    looks_[i].at = never;
    looks_[i].at = looks_[i].take(now);
  }
}

}  // namespace loadstone::launch
