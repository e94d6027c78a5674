#include "launch/deaths.hpp"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "launch/call_names.hpp"
#include "launch/wait_report.hpp"
#include "memory/wait_note.hpp"

namespace loadstone::launch {

using memory::last_words;
using memory::process_state;

namespace {

process_state state_of(const memory::process_entry& entry) {
  return static_cast<process_state>(entry.state.load(std::memory_order_acquire));  // sync: process-claimed
}

// Has it called MPI_Init, and not MPI_Finalize?
bool owes_finalize(const memory::process_entry& entry) {
  process_state state = state_of(entry);
  return state == process_state::claiming || state == process_state::claimed ||
         state == process_state::initialized;
}

last_words words_of(const memory::process_entry& entry) {
  return static_cast<last_words>(entry.words.load(std::memory_order_acquire));  // sync: last-words
}

std::string where(const memory::process_entry& entry) {
  for (memory::seen_wait wait : memory::waits_of(entry)) {
    if (wait.awake) continue;
    // A wait of a layer that knows no calls (for a peer's start, for memory to send): of the call
    // entered last.
    if (wait.call == 0) wait.call = entry.last_call.load(std::memory_order_relaxed);  // relaxed: as below
    return fmt::format(", waiting in {}", describe_wait(wait));
  }
  std::string last =
      call_name(entry.last_call.load(std::memory_order_relaxed));  // relaxed: the process is dead
  if (last.empty()) return {};
  return fmt::format("; the last MPI call it entered was {}", last);
}

std::string host_name() {
  char name[256] = "this host";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string how(const death& d, const memory::process_entry& entry) {
  last_words words = words_of(entry);
  if (words == last_words::abort || words == last_words::error) {
    std::string_view text(entry.words_text,
                          std::min<std::size_t>(entry.words_bytes, memory::last_words_bytes));
    std::string head = words == last_words::abort
                           ? fmt::format("called MPI_Abort with code {}", entry.exit_code)
                           : std::string("ended the job because of an MPI error");
    return text.empty() ? head : fmt::format("{}{}{}", head, words == last_words::abort ? " " : ": ", text);
  }
  if (WIFSIGNALED(d.wait_status)) {
    int number = WTERMSIG(d.wait_status);
    const char* short_name = sigabbrev_np(number);
    std::string text =
        fmt::format("was killed by signal {} (SIG{}: {}{})", number, short_name ? short_name : "?",
                    strsignal(number), WCOREDUMP(d.wait_status) ? ", core dumped" : "");
    if (number == SIGKILL && d.out_of_memory)
      text += ", at a time when the kernel killed processes because memory ran out (out-of-memory killer)";
    return text + where(entry);
  }
  int status = WEXITSTATUS(d.wait_status);
  process_state state = state_of(entry);
  if (owes_finalize(entry))
    return fmt::format("exited with status {} without calling MPI_Finalize{}", status, where(entry));
  if (state == process_state::finalized)
    return fmt::format("exited with status {} after MPI_Finalize", status);
  // Told of status 0 only where somebody has missed it.
  return fmt::format("exited with status {}{}", status, status == 0 ? " without calling MPI_Init" : "");
}

}  // namespace

bool has_claimed(const memory::process_entry& entry) {
  return owes_finalize(entry) || has_finalized(entry);
}

bool has_finalized(const memory::process_entry& entry) {
  return state_of(entry) == process_state::finalized;
}

verdict judge(const memory::process_entry& entry, int wait_status) {
  process_state state = state_of(entry);
  if (WIFSIGNALED(wait_status)) return verdict::fatal;
  if (entry.words.load(std::memory_order_acquire) != 0) return verdict::fatal;  // sync: last-words
  // The status may be that of a shell around it: what the rank itself says counts, too.
  const bool returned = entry.returned.load(std::memory_order_relaxed) == 1;  // relaxed: it is dead
  if (owes_finalize(entry)) return returned && WEXITSTATUS(wait_status) == 0 ? verdict::left : verdict::fatal;
  if (WEXITSTATUS(wait_status) == 0) return verdict::fine;
  return state == process_state::finalized ? verdict::failed : verdict::fatal;
}

int exit_status_of(const memory::process_entry& entry, int wait_status) {
  if (WIFSIGNALED(wait_status)) return 128 + WTERMSIG(wait_status);
  if (WEXITSTATUS(wait_status) != 0) return WEXITSTATUS(wait_status);
  return judge(entry, wait_status) == verdict::fine ? 0 : 1;
}

std::string explain(const death& d, const memory::process_entry& entry) {
  // Its number in a PID namespace of its own means nothing here: then that of the program around
  // it.
  std::int32_t pid = entry.pid != 0 && entry.apart == 0 ? entry.pid : d.pid;
  return fmt::format("mpiexec: rank {} of {} (process {} on {}) {}.{}\n", d.rank, d.world_size, pid,
                     host_name(), how(d, entry), d.others_stopped ? " The other ranks were stopped." : "");
}

}  // namespace loadstone::launch
