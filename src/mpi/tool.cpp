#include "mpi/tool.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "mpi/generated/impl.hpp"
#include "mpi/process.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

std::atomic<int> users{0};  // of the interface; independent of MPI_Init

constexpr control_variable controls[] = {
    {"LOADSTONE_EAGER_LIMIT", "16384", "bytes up to which a standard send completes without the receiver",
     MPI_T_VERBOSITY_TUNER_BASIC, "messages"},
    {"LOADSTONE_UNEXPECTED", "16777216",
     "bytes of unexpected messages kept here before senders are asked to keep theirs",
     MPI_T_VERBOSITY_TUNER_BASIC, "messages"},
    {"LOADSTONE_PIPELINE_BLOCK", "32768", "bytes of one block where large messages have to be copied twice",
     MPI_T_VERBOSITY_TUNER_DETAIL, "messages"},
    {"LOADSTONE_BOTH_SIDES", "automatic",
     "whether sender and receiver of a large message both copy: 1, 0, or automatic (when each has a core)",
     MPI_T_VERBOSITY_TUNER_DETAIL, "messages"},
    {"LOADSTONE_INBOX_SLOTS", "256", "slots of the inbox of a process, a power of two",
     MPI_T_VERBOSITY_TUNER_DETAIL, "messages"},
    {"LOADSTONE_PAIR_LINES", "16", "peers with which short messages may travel in a line of their own",
     MPI_T_VERBOSITY_TUNER_DETAIL, "messages"},
    {"LOADSTONE_CELLS", "4194304", "bytes of sender-owned cells that may be in use at once",
     MPI_T_VERBOSITY_TUNER_DETAIL, "messages"},
    {"LOADSTONE_VM", "1",
     "whether the memory of peers may be reached with process_vm_readv and process_vm_writev",
     MPI_T_VERBOSITY_USER_DETAIL, "memory"},
    {"LOADSTONE_MAPPINGS", "unlimited", "regions of peers that may be mapped at once",
     MPI_T_VERBOSITY_TUNER_DETAIL, "memory"},
    {"LOADSTONE_ARENA_LIMIT", "unlimited", "bytes of job memory that one process may use",
     MPI_T_VERBOSITY_USER_DETAIL, "memory"},
    {"LOADSTONE_TRANSPORT", "mapped", "how processes reach each other: mapped, or poor (for tests)",
     MPI_T_VERBOSITY_MPIDEV_DETAIL, "memory"},
    {"LOADSTONE_WAIT", "automatic", "how a process waits: spinning, yielding, sleeping",
     MPI_T_VERBOSITY_USER_DETAIL, "waiting"},
    {"LOADSTONE_TOPOLOGY", "",
     "read by mpiexec: a synthetic topology (hwloc's words) to place the ranks on instead of the machine's",
     MPI_T_VERBOSITY_USER_DETAIL, "memory"},
    {"LOADSTONE_COLL_barrier", "auto", "algorithm of the barrier", MPI_T_VERBOSITY_TUNER_BASIC,
     "collectives"},
    {"LOADSTONE_COLL_bcast", "auto", "algorithm of the broadcast", MPI_T_VERBOSITY_TUNER_BASIC,
     "collectives"},
    {"LOADSTONE_COLL_gather", "auto", "algorithm of gather", MPI_T_VERBOSITY_TUNER_BASIC, "collectives"},
    {"LOADSTONE_COLL_scatter", "auto", "algorithm of scatter", MPI_T_VERBOSITY_TUNER_BASIC, "collectives"},
    {"LOADSTONE_COLL_allgather", "auto", "algorithm of allgather", MPI_T_VERBOSITY_TUNER_BASIC,
     "collectives"},
    {"LOADSTONE_COLL_reduce", "auto", "algorithm of reduce", MPI_T_VERBOSITY_TUNER_BASIC, "collectives"},
    {"LOADSTONE_COLL_allreduce", "auto", "algorithm of allreduce", MPI_T_VERBOSITY_TUNER_BASIC,
     "collectives"},
    {"LOADSTONE_COLL_reduce_scatter", "auto", "algorithm of reduce_scatter", MPI_T_VERBOSITY_TUNER_BASIC,
     "collectives"},
};

template <p2p::engine::protocol Protocol>
std::uint64_t messages(process& p) {
  return p.core().p2p->counts().messages[Protocol];
}
template <p2p::engine::protocol Protocol>
std::uint64_t bytes(process& p) {
  return p.core().p2p->counts().bytes[Protocol];
}
using e = p2p::engine;
constexpr int counter = MPI_T_PVAR_CLASS_COUNTER, level = MPI_T_PVAR_CLASS_LEVEL,
              peak = MPI_T_PVAR_CLASS_HIGHWATERMARK;

constexpr performance_variable figures[] = {
    {"messages_short", "messages sent within slots of the inbox", counter, "messages",
     messages<e::short_message>},
    {"messages_eager", "messages sent through cells of the sender", counter, "messages", messages<e::eager>},
    {"messages_single_copy", "messages received with process_vm_readv", counter, "messages",
     messages<e::single_copy>},
    {"messages_direct", "messages received from mapped memory", counter, "messages", messages<e::direct>},
    {"messages_pipelined", "messages received in blocks", counter, "messages", messages<e::pipelined>},
    {"messages_self", "messages of the process to itself", counter, "messages", messages<e::self_message>},
    {"bytes_short", "bytes sent within slots of the inbox", counter, "messages", bytes<e::short_message>},
    {"bytes_eager", "bytes sent through cells of the sender", counter, "messages", bytes<e::eager>},
    {"bytes_single_copy", "bytes received with process_vm_readv", counter, "messages", bytes<e::single_copy>},
    {"bytes_direct", "bytes received from mapped memory", counter, "messages", bytes<e::direct>},
    {"bytes_pipelined", "bytes received in blocks", counter, "messages", bytes<e::pipelined>},
    {"bytes_self", "bytes of the process to itself", counter, "messages", bytes<e::self_message>},
    {"unexpected_length", "messages that have arrived and no receive has matched", level, "messages",
     [](process& p) { return p.core().p2p->counts().unexpected_length; }},
    {"unexpected_bytes", "memory that unexpected messages take here", level, "messages",
     [](process& p) { return p.core().p2p->counts().unexpected_bytes; }},
    {"unexpected_bytes_peak", "the most memory that unexpected messages have taken here", peak, "messages",
     [](process& p) { return p.core().p2p->counts().unexpected_bytes_peak; }},
    {"posted_length", "receives that wait for a message", level, "messages",
     [](process& p) { return p.core().p2p->counts().posted_length; }},
    {"mappings", "regions of peers mapped here", level, "memory",
     [](process& p) { return static_cast<std::uint64_t>(p.core().mappings->entries()); }},
    {"arena_bytes", "job memory that this process has reserved", level, "memory",
     [](process& p) { return static_cast<std::uint64_t>(p.core().arena->reserved_bytes()); }},
    {"sleeps", "how often a thread has gone to sleep in a wait", counter, "waiting",
     [](process& p) { return p.core().endpoint->counts().sleeps; }},
    {"sleep_ns", "nanoseconds that threads have been asleep in waits, together", counter, "waiting",
     [](process& p) { return p.core().endpoint->counts().sleep_ns; }},
    {"wakeups_sent", "how often a sleeping peer has been woken", counter, "waiting",
     [](process& p) { return p.core().endpoint->counts().wakeups_sent; }},
};

constexpr tool_category categories[] = {
    {"messages", "point-to-point messages"},
    {"collectives", "collective operations"},
    {"memory", "job memory and the memory of peers"},
    {"waiting", "spinning, yielding, sleeping"},
};

}  // namespace

std::span<const control_variable> control_variables() {
  return controls;
}
std::span<const performance_variable> performance_variables() {
  return figures;
}
std::span<const tool_category> tool_categories() {
  return categories;
}

// Relaxed, here and below: a count of calls; nothing else is published by it.
bool tool_running() {
  return users.load(std::memory_order_relaxed) > 0;
}

void give_tool_text(const char* text, char* out, int* room) {
  if (room == nullptr) return;
  const int needed = static_cast<int>(std::strlen(text)) + 1;
  if (out != nullptr && *room > 0) {
    const int n = std::min(*room, needed) - 1;
    std::memcpy(out, text, static_cast<std::size_t>(n));
    out[n] = '\0';
  }
  *room = needed;
}

int impl::T_init_thread(call&, int required, int* provided) {
  users.fetch_add(1, std::memory_order_relaxed);
  if (provided != nullptr) *provided = std::clamp(required, MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE);
  return MPI_SUCCESS;
}

int impl::T_finalize(call& c) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  c.process().deferred_events.deliver_early();  // afterwards a callback could not read its event
  users.fetch_sub(1, std::memory_order_relaxed);
  return MPI_SUCCESS;
}

// --- enumerations: no variable has one ---

int impl::T_enum_get_info(call&, MPI_T_enum, int*, char*, int*) {
  return tool_running() ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_NOT_INITIALIZED;
}

int impl::T_enum_get_item(call&, MPI_T_enum, int, int*, char*, int*) {
  return tool_running() ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_NOT_INITIALIZED;
}

}  // namespace loadstone::mpi
