// The tool information interface (MPI §15.3): what there is to see and to set. Filled once, never
// changed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mpi.h"

namespace loadstone::mpi {

class event_queue;
class process;

// A tunable of the library; its name is that of the environment variable that sets it.
struct control_variable {
  const char* name;
  const char* initial;  // what holds when the variable is not set
  const char* description;
  int verbosity;
  const char* category;
};

// A figure that the library keeps.
struct performance_variable {
  const char* name;
  const char* description;
  int variable_class;  // MPI_T_PVAR_CLASS_…
  const char* category;
  std::uint64_t (*read)(process& p);  // MPI is initialised
};

struct tool_category {
  const char* name;
  const char* description;
};

std::span<const control_variable> control_variables();
std::span<const performance_variable> performance_variables();
std::span<const tool_category> tool_categories();

// Has MPI_T_init_thread been called more often than MPI_T_finalize?
bool tool_running();

// --- events (tool_events.cpp) ---
void connect_events(process& p);  // its core is open: what happens there reaches the tools
bool in_event_callback();         // of this thread, where the event happens: most calls are refused there
void deliver_events(event_queue& queue);  // to their callbacks; nothing is locked
// Two sources with the same clock, each in chronological order: events told where they happen, and
// those told at the end of the program's call.
enum event_source : int { immediate_source, deferred_source, event_sources };
int events_in_category(const char* category, int capacity,
                       int* indices);  // how many; the first `capacity` of them
MPI_Count tool_clock();                // of both sources of events: monotonic, ns

// The rule for all texts of this interface (§15.3.3): `capacity` holds the length of the buffer,
// and afterwards what is needed, with the zero; nothing is copied without a buffer.
void give_tool_text(const char* text, char* out, int* capacity);

}  // namespace loadstone::mpi
