// Which transport serves which pair of processes: a setting, the same in all processes of a job.
#pragma once

#include <cstdint>
#include <string_view>

namespace loadstone::transport {

enum class kind : std::uint8_t { undecided, mapped, unmapped };

struct choice {
  // For tests: all pairs by the poor transport (unmapped.hpp), or those whose numbers add up to an
  // odd one.
  enum class rule_kind : std::uint8_t { mapped, poor, mixed } rule = rule_kind::mapped;
  bool integrity = false;        // of the poor one: everything is checked, and got again until it is right
  std::uint32_t lost = 0;        // of a million lines that cross it
  std::uint64_t delay_seed = 1;  // how visibility is delayed there, and what is lost

  // LOADSTONE_TEST=transport=…
  static rule_kind named(std::string_view name) {
    return name == "poor" ? rule_kind::poor : name == "mixed" ? rule_kind::mixed : rule_kind::mapped;
  }

  // A process reaches itself as mapped memory.
  kind between(std::uint32_t a, std::uint32_t b) const {
    const bool far = a != b && (rule == rule_kind::poor || (rule == rule_kind::mixed && (a + b) % 2 != 0));
    return far ? kind::unmapped : kind::mapped;
  }
  // front::transport. Both ends of a pair must agree in it.
  std::uint32_t word() const {
    return 1u + static_cast<std::uint32_t>(rule) + (integrity && rule != rule_kind::mapped ? 16u : 0u);
  }
};

}  // namespace loadstone::transport
