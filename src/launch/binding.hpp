// On which cores each rank runs, and each I/O process. Cores are taken inside our affinity mask,
// and claimed against other jobs of this machine by abstract sockets, which vanish with the process
// that holds them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "launch/placement.hpp"

namespace loadstone::launch {

class binding : public placement {
 public:
  explicit binding(placement chosen) : placement(std::move(chosen)) {}
  binding(binding&& other) noexcept : placement(std::move(other)), held_(std::move(other.held_)) {
    other.held_.clear();
  }
  binding& operator=(binding&&) = delete;
  ~binding();  // gives the cores back

 private:
  friend binding choose_binding(const std::vector<demand>& ranks, const placement_wish& wish,
                                std::uint32_t servers);
  std::map<int, int> held_;  // socket by the first processor of its core
};

// `servers`: I/O processes.
binding choose_binding(const std::vector<demand>& ranks, const placement_wish& wish,
                       std::uint32_t servers = 0);

// To be called in the process that is to be bound.
void bind_here(const processors& place);

}  // namespace loadstone::launch
