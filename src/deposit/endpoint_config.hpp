// How an endpoint is to be, and what it has counted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/events.hpp"
#include "transport/choice.hpp"
#include "wait/policy.hpp"

namespace loadstone::deposit {

struct endpoint_config : loadstone::transport::settings {
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
  base::event_sink* events = nullptr;                       // who wants to know of sleeps; may be null
  std::uint32_t late_at_least_ns = 0, late_at_most_ns = 0;  // tests: every sleep ends so much later
};

// Counts that tools and tests read.
struct statistics : loadstone::transport::figures {
  std::uint64_t received = 0, sleeps = 0, sleep_ns = 0, wakeups_sent = 0;
};

}  // namespace loadstone::deposit
