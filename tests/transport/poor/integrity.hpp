// Checks on what crosses a region that may lose or repeat lines (docs/decisions/007): reading until
// it is right, and the cells whose messages have not been answered for.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "transport/cells.hpp"
#include "transport/poor/line_faults.hpp"
#include "transport/poor/sealed.hpp"

namespace loadstone::transport {

class integrity {
 public:
  integrity(line_faults& faults, std::uint32_t self, std::uint32_t processes)
      : faults_(faults), self_(self), held_(processes) {}

  struct figures {
    std::uint64_t damaged = 0;   // checks that failed
    std::uint64_t repeated = 0;  // slots, lines and payloads that were fetched or stored again
  };
  const figures& counts() const { return counts_; }
  void damaged() { ++counts_.damaged; }
  void repeated() { ++counts_.repeated; }

  // --- reading ---
  // From memory of `owner`, once.
  void load(std::uint32_t owner, void* to, const void* from, std::size_t bytes) {
    auto* there = static_cast<std::byte*>(to);
    const auto* here = static_cast<const std::byte*>(from);
    if (owner == self_)
      load_words(there, here, bytes);
    else
      faults_.load(there, here, bytes);
  }
  // A slot, once. True: `copy` is what was sealed for that place.
  bool read(std::uint32_t owner, const slot& there, std::uint64_t place, std::uint64_t low, slot& copy) {
    load(owner, &copy, &there, sizeof copy);
    if (!claims_to_be(copy, low)) return false;  // not there yet, or a line is missing
    if (intact(copy, place)) return true;
    damaged();
    return false;
  }
  // What is there for certain: until attempt() says that it is right. `what` is for the last words
  // of a process that finds it never right.
  template <class Attempt>
  void insist(std::uint32_t owner, const char* what, Attempt&& attempt) {
    for (std::uint32_t tries = 0; !attempt(); ++tries) {
      if (tries == most_readings) give_up(owner, what);
      repeated();
    }
  }

  // --- cells on their way: by peer and lane, the ring (0) or one of the queues (1 + class) ---
  void hold(std::uint32_t peer, std::uint32_t lane, std::uint64_t place, cell_header* cell) {
    if (cell != nullptr) held_[peer][lane].emplace_back(place, cell);
  }
  // Its receiver has consumed everything before `place`.
  void answered(std::uint32_t peer, std::uint32_t lane, std::uint64_t place) {
    auto& held = held_[peer][lane];
    for (; !held.empty() && static_cast<std::int64_t>(place - held.front().first) > 0; held.pop_front())
      (void)give_back(*held.front().second);  // nobody sleeps for it: we look ourselves
  }
  bool holds(std::uint32_t peer) const {
    for (const auto& held : held_[peer])
      if (!held.empty()) return true;
    return false;
  }

 private:
  static constexpr std::uint32_t most_readings = 100'000;
  [[noreturn]] void give_up(std::uint32_t owner, const char* what) const;

  line_faults& faults_;
  const std::uint32_t self_;
  figures counts_;
  std::vector<std::array<std::deque<std::pair<std::uint64_t, cell_header*>>, 1 + classes>> held_;
};

}  // namespace loadstone::transport
