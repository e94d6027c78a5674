// Which process, among those of all jobs and hosts: the number of its job, and its entry in the
// process table of that job. Groups and the exchanges that make communicators name processes so. A
// process reaches others by dense numbers of its own (runtime::peer_of).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

namespace loadstone::memory {

//   0 job | 8 index | 12 zero | 16 end
struct process_id {
  std::uint64_t job = 0;    // the random number of the job (job_header::ready): no two jobs have the same
  std::uint32_t index = 0;  // in the process table of that job
  std::uint32_t zero = 0;   // so that all bytes are defined where one is sent

  friend auto operator<=>(const process_id&, const process_id&) = default;
};
static_assert(offsetof(process_id, index) == 8 && sizeof(process_id) == 16);
static_assert(std::has_unique_object_representations_v<process_id> &&
              std::is_trivially_copyable_v<process_id>);

// "process 3 of job 7f3a…", for messages to the user.
std::string name_of(const process_id& who);

// A number of 64 bits from an id and another one: numbers that differ give different ones for one
// process, and very likely for two (splitmix64's last step, Steele et al., OOPSLA 2014).
constexpr std::uint64_t mix(const process_id& who, std::uint32_t number) {
  const auto step = [](std::uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  };
  return step(step(who.job) ^ (std::uint64_t{who.index} << 32 | number));
}

}  // namespace loadstone::memory

template <>
struct std::hash<loadstone::memory::process_id> {
  std::size_t operator()(const loadstone::memory::process_id& who) const { return mix(who, 0); }
};
