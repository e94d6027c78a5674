// What is to be checked when some time has passed: one list of checks, each with the time when it
// is due.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace loadstone::launch {

class timetable {
 public:
  static constexpr std::int64_t never = -1;
  // Takes the check; answers when it is due again, in the milliseconds of `now`, or never.
  using check = std::function<std::int64_t(std::int64_t now)>;

  // The number of the check, by which its time is set.
  std::size_t add(check take, std::int64_t at = never);
  void set(std::size_t which, std::int64_t at) { checks_[which].at = at; }
  std::int64_t at(std::size_t which) const { return checks_[which].at; }

  std::int64_t next() const;    // when the first is due; never
  void turn(std::int64_t now);  // takes those that are due, in the order in which they were added, each once

 private:
  struct entry {
    check take;
    std::int64_t at;
  };
  std::vector<entry> checks_;
};

}  // namespace loadstone::launch
