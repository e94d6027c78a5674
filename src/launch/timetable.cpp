#include "launch/timetable.hpp"

#include <utility>

namespace loadstone::launch {

std::size_t timetable::add(check take, std::int64_t at) {
  checks_.push_back({std::move(take), at});
  return checks_.size() - 1;
}

std::int64_t timetable::next() const {
  std::int64_t first = never;
  for (const entry& e : checks_)
    if (e.at != never && (first == never || e.at < first)) first = e.at;
  return first;
}

void timetable::turn(std::int64_t now) {
  // A check may set the time of another, before or behind it.
  for (std::size_t i = 0; i < checks_.size(); ++i) {
    if (checks_[i].at == never || checks_[i].at > now) continue;
    checks_[i].at = never;
    checks_[i].at = checks_[i].take(now);
  }
}

}  // namespace loadstone::launch
