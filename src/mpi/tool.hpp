// The tool information interface (MPI §15.3): tables of its control variables, performance
// variables, categories and events. They are filled once, and never changed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mpi.h"

namespace loadstone::mpi {

class event_queue;
class file;
class process;

// A setting of the library, with the name of its environment variable.
struct control_variable {
  const char* name;
  const char* initial;  // the default
  const char* description;
  int verbosity;
  const char* category;
};

// A count or level that the library keeps: of the process, or of a file. A percentage is a double's
// bits.
struct performance_variable {
  const char* name;
  const char* description;
  int variable_class;  // MPI_T_PVAR_CLASS_…
  const char* category;
  std::uint64_t (*read)(process& p);  // only while MPI is initialised
  std::uint64_t (*read_file)(file& f) = nullptr;
  int binding() const { return read != nullptr ? MPI_T_BIND_NO_OBJECT : MPI_T_BIND_MPI_FILE; }
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
void connect_events(process& p);  // call it when the core is open: from then on tools get its events
bool in_event_callback();  // is this thread in a callback where an event happens? Most calls fail there
void deliver_events(event_queue& queue);  // calls the callbacks of deferred events; no lock may be held
// The two sources of events, which have the same clock. Each is in chronological order: one has the
// events that are delivered where they happen, the other those that are deferred to the end of the
// program's call.
enum event_source : int { immediate_source, deferred_source, event_sources };
int events_in_category(const char* category, int capacity,
                       int* indices);  // how many; the first `capacity` of them
MPI_Count tool_clock();                // of both sources of events: monotonic, ns

// Returns a string to the user by the rule of this interface (§15.3.3): *capacity is the length of
// the buffer, and becomes the length that is needed, the terminating zero included. Without a
// buffer nothing is copied.
void give_tool_text(const char* text, char* out, int* capacity);

}  // namespace loadstone::mpi
