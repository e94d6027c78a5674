// Which core each rank runs on. Cores are taken inside our affinity mask, and claimed against other jobs of
// this machine by abstract sockets, which vanish with the process that holds them.
#pragma once

#include <sched.h>

#include <cstdint>
#include <string>
#include <vector>

#include "launch/options.hpp"

namespace loadstone::launch {

// The processors (hardware threads) of one core that we may use.
using processors = std::vector<int>;

class binding {
 public:
  binding() = default;
  binding(binding&& other) noexcept
      : places(std::move(other.places)), note(std::move(other.note)), held_(std::move(other.held_)) {
    other.held_.clear();
  }
  binding& operator=(binding&&) = delete;
  ~binding();  // gives the cores back

  std::vector<processors> places;  // by rank; empty: ranks are not bound
  std::string note;                // something was asked for and cannot be had: say so

 private:
  friend binding choose_binding(std::uint32_t ranks, binding_wish wish);
  std::vector<int> held_;  // sockets
};

binding choose_binding(std::uint32_t ranks, binding_wish wish);

// To be called in the process that is to be bound.
void bind_here(const processors& place);

}  // namespace loadstone::launch
