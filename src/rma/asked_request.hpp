// One piece of an operation that its target's owner is asked for; private to asked*.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "rma/asked.hpp"

namespace loadstone::rma {

inline constexpr std::size_t most_asked_runs = 512;

// The runs of the target's layout, and how many bytes of data they have.
struct asked::request {
  std::array<asked_run, most_asked_runs> runs;
  std::uint32_t used = 0;
  std::int64_t position = 0, bytes = 0;
  const local_data* origin = nullptr;  // whose data travels along
  std::size_t run_bytes() const { return used * sizeof(asked_run); }
  std::size_t payload_bytes() const {
    return run_bytes() + (origin != nullptr ? static_cast<std::size_t>(bytes) : 0);
  }

  // Writes the payload: the runs, and behind them the packed data.
  static void fill(void* context, std::size_t from, std::byte* to, std::size_t bytes) {
    const auto& r = *static_cast<const request*>(context);
    if (from < r.run_bytes()) {
      const std::size_t now = std::min(bytes, r.run_bytes() - from);
      std::memcpy(to, reinterpret_cast<const std::byte*>(r.runs.data()) + from, now);
      from += now, to += now, bytes -= now;
    }
    if (bytes != 0)
      datatype::pack(r.origin->address, r.origin->count, *r.origin->type,
                     r.position + static_cast<std::int64_t>(from - r.run_bytes()),
                     static_cast<std::int64_t>(bytes), to);
  }
};

inline asked_run asked_run_at(const std::byte* payload, std::uint32_t index) {
  asked_run run;
  std::memcpy(&run, payload + index * sizeof run, sizeof run);
  return run;
}

// Computed as integers: addresses of dynamic windows are in nobody's array.
inline std::byte* asked_place(const std::byte* base, std::int64_t offset) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(base) +
                                      static_cast<std::uintptr_t>(offset));
}

}  // namespace loadstone::rma
