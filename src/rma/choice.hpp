// The way to a target's memory, decided at first contact (window.hpp). Costs are those of a put in
// one block; a layout adds its walk.
//
//   direct   loads and stores: a store for 8 bytes, the speed of a copy for many
//   system   one system call (0.6 µs) for some hundred blocks, and the kernel's copy
//   asked    a message to the owner, and its answer; the owner has to look for messages
#pragma once

#include <cstdint>

namespace loadstone::rma {

enum class way : std::uint8_t { direct, system, asked };

// What decides. The same memory may have different ways from different origins.
struct circumstances {
  bool self;           // the target is the calling process
  bool record_here;    // its record is mapped here
  bool in_job_memory;  // its part of the window is in job memory
  bool memory_here;    // that is mapped here
  bool system_allows;  // its ordinary memory may be read and written by the system's calls
};

constexpr way choose(const circumstances& c) {
  if (c.self) return way::direct;
  if (!c.record_here) return way::asked;
  // Memory in which others use atomic instructions is not changed by the system's calls.
  if (c.in_job_memory) return c.memory_here ? way::direct : way::asked;
  return c.system_allows ? way::system : way::asked;
}

constexpr const char* name_of(way w) {
  return w == way::direct ? "direct" : w == way::system ? "system" : "asked";
}

}  // namespace loadstone::rma
