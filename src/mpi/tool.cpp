#include "mpi/tool.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "buffering/figures.hpp"
#include "mpi/file.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/process.hpp"
#include "mpi/waiting.hpp"
#include "rank/settings.hpp"
#include "wait/sleep_cost.hpp"

namespace loadstone::mpi {
namespace {

std::atomic<int> users{0};  // of the interface; independent of MPI_Init

int verbosity_of(const setting& s) {
  switch (s.who) {
    case setting_user::user:
      return MPI_T_VERBOSITY_USER_DETAIL;
    case setting_user::tuner:
      return MPI_T_VERBOSITY_TUNER_DETAIL;
    case setting_user::test:
      break;
  }
  return MPI_T_VERBOSITY_MPIDEV_DETAIL;
}

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

// relaxed, in all that read it: figures
const memory::io_writer& io_figures(process& p) {
  return p.core().job->io(p.core().self);
}

template <std::atomic<std::uint64_t> memory::io_figures::*Figure>
std::uint64_t read_figure(const memory::io_figures& f) {
  return (f.*Figure).load(std::memory_order_relaxed);
}
template <std::uint64_t (*Read)(const memory::io_figures&)>
std::uint64_t of_process(process& p) {
  return Read(io_figures(p).figures);
}
template <std::uint64_t (*Read)(const memory::io_figures&)>
std::uint64_t of_file(file& f) {
  return Read(f.core().figures());
}
using reads = memory::io_read_figures;
template <std::atomic<std::uint64_t> reads::*Figure>
std::uint64_t read_by_process(process& p) {
  return (io_figures(p).reads.*Figure).load(std::memory_order_relaxed);
}
template <std::atomic<std::uint64_t> reads::*Figure>
std::uint64_t read_of_file(file& f) {
  return (f.core().reads().*Figure).load(std::memory_order_relaxed);
}

constexpr performance_variable figures[] = {
    {"messages_short", "messages sent within slots of the inbox", counter, "messages",
     messages<e::short_message>},
    {"messages_eager", "messages sent through cells of the sender", counter, "messages", messages<e::eager>},
    {"messages_self", "messages of the process to itself", counter, "messages", messages<e::self_message>},
    {"messages_at_once", "messages sent through cells as one block, without an offer", counter, "messages",
     messages<e::pipelined_at_once>},
    {"messages_advert", "messages sent into receives that the sender knew of", counter, "messages",
     messages<e::advert>},
    {"messages_pipelined", "messages received in blocks", counter, "messages", messages<e::pipelined>},
    {"messages_direct", "messages received from mapped memory", counter, "messages", messages<e::direct>},
    {"messages_direct_both", "messages copied between mapped memory by receiver and sender", counter,
     "messages", messages<e::direct_both>},
    {"messages_push", "messages that their sender has written into the receiver's memory", counter,
     "messages", messages<e::push>},
    {"messages_single_copy", "messages received with process_vm_readv", counter, "messages",
     messages<e::single_copy>},
    {"messages_both_sides", "messages received by a copy of receiver and sender", counter, "messages",
     messages<e::both_sides>},
    {"bytes_short", "bytes sent within slots of the inbox", counter, "messages", bytes<e::short_message>},
    {"bytes_eager", "bytes sent through cells of the sender", counter, "messages", bytes<e::eager>},
    {"bytes_self", "bytes of the process to itself", counter, "messages", bytes<e::self_message>},
    {"bytes_at_once", "bytes sent through cells as one block, without an offer", counter, "messages",
     bytes<e::pipelined_at_once>},
    {"bytes_advert", "bytes sent into receives that the sender knew of", counter, "messages",
     bytes<e::advert>},
    {"bytes_pipelined", "bytes received in blocks", counter, "messages", bytes<e::pipelined>},
    {"bytes_direct", "bytes received from mapped memory", counter, "messages", bytes<e::direct>},
    {"bytes_direct_both", "bytes copied between mapped memory by receiver and sender", counter, "messages",
     bytes<e::direct_both>},
    {"bytes_push", "bytes that their sender has written into the receiver's memory", counter, "messages",
     bytes<e::push>},
    {"bytes_single_copy", "bytes received with process_vm_readv", counter, "messages", bytes<e::single_copy>},
    {"bytes_both_sides", "bytes received by a copy of receiver and sender", counter, "messages",
     bytes<e::both_sides>},
    {"unexpected_length", "messages that have arrived and no receive has matched", level, "messages",
     [](process& p) { return p.core().p2p->counts().unexpected_length; }},
    {"unexpected_bytes", "memory that unexpected messages take here", level, "messages",
     [](process& p) { return p.core().p2p->counts().unexpected_bytes; }},
    {"unexpected_bytes_peak", "the most memory that unexpected messages have taken here", peak, "messages",
     [](process& p) { return p.core().p2p->counts().unexpected_bytes_peak; }},
    {"messages_without_cell", "attempts to send through a cell when none was left", counter, "messages",
     [](process& p) { return p.core().p2p->counts().no_cell; }},
    {"posted_length", "receives that wait for a message", level, "messages",
     [](process& p) { return p.core().p2p->counts().posted_length; }},
    {"mappings", "regions of peers mapped here", level, "memory",
     [](process& p) { return static_cast<std::uint64_t>(p.core().mappings->entries()); }},
    {"arena_bytes", "job memory that this process has reserved", level, "memory",
     [](process& p) { return static_cast<std::uint64_t>(p.core().arena->reserved_bytes()); }},
    {"integrity_damaged", "checks of messages and deposits that failed (LOADSTONE_TEST=integrity=1)", counter,
     "memory", [](process& p) { return p.core().endpoint->counts().damaged; }},
    {"integrity_repeated", "slots, lines and payloads that were got, or stored, again", counter, "memory",
     [](process& p) { return p.core().endpoint->counts().repeated; }},
    {"io_buffered_bytes", "bytes of files whose writes returned before they were made", counter, "files",
     of_process<read_figure<&memory::io_figures::accepted_bytes>>},
    {"io_overflow_bytes", "bytes of files that found no room in the buffer, and were written by the call",
     counter, "files", of_process<read_figure<&memory::io_figures::overflow_bytes>>},
    {"io_synchronous_bytes", "bytes of files that calls wrote themselves for other reasons than lack of room",
     counter, "files", of_process<buffering::synchronous_bytes>},
    {"io_copy_ns", "nanoseconds in which writes copied into the buffer", counter, "files",
     of_process<read_figure<&memory::io_figures::copy_ns>>},
    {"io_disk_ns", "nanoseconds in which calls wrote themselves, or waited for buffered data to be written",
     counter, "files", of_process<buffering::disk_ns>},
    {"io_read_bytes", "bytes of files that were read", counter, "files", read_by_process<&reads::read_bytes>},
    {"io_read_ns", "nanoseconds in which calls read", counter, "files", read_by_process<&reads::read_ns>},
    {"io_ahead_bytes", "bytes of files that were fetched ahead of reads at regular distances", counter,
     "files", read_by_process<&reads::ahead_bytes>},
    {"io_ahead_used_bytes", "of those, bytes that the next read was for", counter, "files",
     read_by_process<&reads::ahead_used_bytes>},
    {"io_buffer_bytes", "memory that the buffer for writes has", level, "files",
     [](process& p) { return io_figures(p).held_bytes.load(std::memory_order_relaxed); }},
    {"io_buffer_limit", "memory that it may have; 0: it was not used yet", level, "files",
     [](process& p) { return io_figures(p).limit_bytes.load(std::memory_order_relaxed); }},
    {"io_pending", "buffered pieces that are not written yet", level, "files",
     [](process& p) {
       const memory::io_writer& w = io_figures(p);
       const std::uint64_t written = w.written.load(std::memory_order_relaxed);
       return w.published.load(std::memory_order_relaxed) - written;
     }},
    {"file_buffered_bytes", "bytes of this file whose writes returned before they were made; of this process",
     counter, "files", nullptr, of_file<read_figure<&memory::io_figures::accepted_bytes>>},
    {"file_overflow_bytes",
     "bytes of this file that found no room in the buffer, and were written by the call; of this process",
     counter, "files", nullptr, of_file<read_figure<&memory::io_figures::overflow_bytes>>},
    {"file_synchronous_bytes",
     "bytes of this file that calls wrote themselves for other reasons than lack of room; of this process",
     counter, "files", nullptr, of_file<buffering::synchronous_bytes>},
    {"file_copy_ns", "nanoseconds in which writes copied into the buffer; of this process", counter, "files",
     nullptr, of_file<read_figure<&memory::io_figures::copy_ns>>},
    {"file_disk_ns",
     "nanoseconds in which calls wrote themselves, or waited for buffered data to be written; of this "
     "process",
     counter, "files", nullptr, of_file<buffering::disk_ns>},
    {"file_read_bytes", "bytes of this file that were read; of this process", counter, "files", nullptr,
     read_of_file<&reads::read_bytes>},
    {"file_read_ns", "nanoseconds in which calls read; of this process", counter, "files", nullptr,
     read_of_file<&reads::read_ns>},
    {"file_ahead_bytes",
     "bytes of this file that were fetched ahead of reads at regular distances; of this process", counter,
     "files", nullptr, read_of_file<&reads::ahead_bytes>},
    {"file_ahead_used_bytes", "of those, bytes that the next read was for; of this process", counter, "files",
     nullptr, read_of_file<&reads::ahead_used_bytes>},
    {"file_carried_bytes", "bytes of this file that the I/O process has written, of all processes", counter,
     "files", nullptr, [](file& f) { return f.core().behind().bytes; }},
    {"file_hidden", "share of the time to write this file for which this process has not waited",
     MPI_T_PVAR_CLASS_PERCENTAGE, "files", nullptr,
     [](file& f) { return std::bit_cast<std::uint64_t>(f.core().behind().hidden); }},
    {"sleeps", "how often a thread has gone to sleep in a wait", counter, "waiting",
     [](process& p) { return p.core().endpoint->counts().sleeps; }},
    {"sleep_ns", "nanoseconds that threads have been asleep in waits, together", counter, "waiting",
     [](process& p) { return p.core().endpoint->counts().sleep_ns; }},
    {"sleep_cost_ns",
     "nanoseconds from when a peer wakes this process until it polls again, at most; 0: not woken yet", level,
     "waiting",
     [](process& p) {
       return std::uint64_t{wait::sleep_cost::known(p.core().job->process(p.core().self).sleep_cost)};
     }},
    {"wakeups_sent", "how often a sleeping peer has been woken", counter, "waiting",
     [](process& p) { return p.core().endpoint->counts().wakeups_sent; }},
};

constexpr tool_category categories[] = {
    {"messages", "point-to-point messages"},          {"collectives", "collective operations"},
    {"memory", "job memory and the memory of peers"}, {"waiting", "spinning, yielding, sleeping"},
    {"files", "files, and what is buffered of them"},
};

}  // namespace

std::span<const control_variable> control_variables() {
  static const std::vector<control_variable> controls = [] {
    std::vector<control_variable> all;
    for (const setting& s : settings())
      if (s.who != setting_user::test)
        all.push_back(
            {s.name.c_str(), s.initial.c_str(), s.description.c_str(), verbosity_of(s), s.category});
    return all;
  }();
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

void give_tool_text(const char* text, char* out, int* capacity) {
  if (capacity == nullptr) return;
  const int needed = static_cast<int>(std::strlen(text)) + 1;
  if (out != nullptr && *capacity > 0) {
    const int n = std::min(*capacity, needed) - 1;
    std::memcpy(out, text, static_cast<std::size_t>(n));
    out[n] = '\0';
  }
  *capacity = needed;
}

int impl::T_init_thread(call&, int required, int* provided) {
  users.fetch_add(1, std::memory_order_relaxed);
  if (provided != nullptr) *provided = std::clamp(required, MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE);
  return MPI_SUCCESS;
}

int impl::T_finalize(call& c) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  c.process().deferred_events.deliver_early();  // now, as later a callback could not read its event
  users.fetch_sub(1, std::memory_order_relaxed);
  return MPI_SUCCESS;
}

// --- enumerations: there are none ---

int impl::T_enum_get_info(call&, MPI_T_enum, int*, char*, int*) {
  return tool_running() ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_NOT_INITIALIZED;
}

int impl::T_enum_get_item(call&, MPI_T_enum, int, int*, char*, int*) {
  return tool_running() ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_NOT_INITIALIZED;
}

}  // namespace loadstone::mpi
