// Which transport serves which pair of processes: a setting, the same in all processes of a job.
// And how transports are to be, what one is able to do, and what it has done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace loadstone::transport {

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

  // Does the mapped transport serve this pair? A process reaches itself so.
  bool maps(std::uint32_t a, std::uint32_t b) const {
    return a == b || rule == rule_kind::mapped || (rule == rule_kind::mixed && (a + b) % 2 == 0);
  }
  // front::transport. Both ends of a pair must agree in it.
  std::uint32_t word() const {
    return 1u + static_cast<std::uint32_t>(rule) + (integrity && rule != rule_kind::mapped ? 16u : 0u);
  }
};

// How they are to be. Tests take other numbers.
struct settings {
  choice transport = {};                    // the same in all processes of a job
  std::uint32_t inbox_slots = 256;          // a power of two
  std::size_t cell_bytes_limit = 4u << 20;  // of cells in use at once
  std::uint64_t first_position = 0;         // of the inbox's tail word: near the wrap
  std::uint32_t pair_lines = 16;            // at most so many; 0: none, and no cells are passed to and fro
  std::uint32_t line_after = 8;             // answers to a peer before a line is proposed to it
  std::uint32_t ring_after = 16;            // messages by inbox before their sender gets a ring for them
  bool past_caches = false;                 // cells are always filled that way
};

// Of the way to a peer (design §4).
struct traits {
  bool remote_atomics, mapped;
};

struct figures {
  std::uint64_t inline_sent = 0, cells_sent = 0, queued_sent = 0;  // how messages left
  std::uint64_t cells_passed = 0;  // of the second: cells that are their reader's then
  std::uint64_t line_sent = 0;     // of the first two: through a line
  std::uint64_t ring_sent = 0;     // and through a ring
  std::uint64_t voided = 0;        // slots of dead senders
  // With integrity: checks that failed; slots, lines and payloads that were got, or stored, again.
  std::uint64_t damaged = 0, repeated = 0;
};

}  // namespace loadstone::transport
