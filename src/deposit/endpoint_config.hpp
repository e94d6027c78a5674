// How an endpoint is to be, and what it has counted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/events.hpp"
#include "transport/choice.hpp"
#include "wait/policy.hpp"

namespace loadstone::deposit {

struct endpoint_config {
  loadstone::transport::choice transport;   // the same in all processes of a job
  std::uint32_t inbox_slots = 256;          // a power of two; tests use 2
  std::size_t cell_bytes_limit = 4u << 20;  // of cells in use at once; at most a third of the arena
  std::uint32_t pair_lines = 16;            // pairs with a line of their own; 0: none, nor passed cells
  bool past_caches = false;                 // tests: payload in cells is always stored past the caches
  std::uint32_t line_after = 8;             // answers before a pair gets one; tests use 1
  std::uint32_t ring_after = 16;  // messages in a row before their sender gets a ring; tests use fewer
  // Whether a receiver copies a payload out while its sender is still copying it in (0, 1);
  // automatic: when there is a core for every process, so that nobody waits for one that waits for
  // a core.
  static constexpr std::uint32_t automatic = 2;
  std::uint32_t overlap = automatic;
  wait::mode waiting = wait::mode::adaptive;  // LOADSTONE_WAIT
  bool vm = true;        // LOADSTONE_VM: user() may use process_vm_readv and process_vm_writev
  bool threads = false;  // several threads may call (takes the gate for real)
  // LOADSTONE_PROGRESS: whether there is a thread that polls while the program computes, where
  // requests need it. Automatic: when there is a core for it. Only with `threads`.
  enum class progress_kind : std::uint8_t { off, automatic, on } progress = progress_kind::off;
  base::event_sink* events = nullptr;  // who wants to know of sleeps; may be null
  std::uint64_t first_position = 0;    // of the inbox's tail word; tests start near the wrap
  std::uint32_t late_at_least_ns = 0, late_at_most_ns = 0;  // tests: every sleep ends so much later
};

// Counts that tools and tests read.
struct statistics : loadstone::transport::figures {
  std::uint64_t received = 0, sleeps = 0, sleep_ns = 0, wakeups_sent = 0;
};

}  // namespace loadstone::deposit
