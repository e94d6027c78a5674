#include "base/fault.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

namespace loadstone::base {

namespace {

constexpr std::uint32_t no_process = UINT32_MAX;

// What the environment asks for. Global, because a fault point may be in code that has no object to
// keep it in.
struct fault_plan {
  std::string name;
  enum { none, kill, stop, delay } action = none;
  bool any_process = true;
  std::uint32_t process = 0;
  std::uint64_t pass = 1;  // at which pass the action happens; 1 = the first
  std::string log;

  fault_plan() {
    if (const char* file = std::getenv("LOADSTONE_FAULT_LOG")) log = file;
    const char* text = std::getenv("LOADSTONE_FAULT");
    if (text == nullptr) return;
    std::string parts[4];
    std::size_t part = 0;
    for (; *text != 0; ++text) {
      if (*text == ':' && part < 3)
        ++part;
      else
        parts[part] += *text;
    }
    name = parts[0];
    action = parts[1] == "kill" ? kill : parts[1] == "stop" ? stop : parts[1] == "delay" ? delay : none;
    if (parts[2] == "-") {
      any_process = false;
      process = no_process;
    } else if (!parts[2].empty() && parts[2] != "*") {
      any_process = false;
      process = static_cast<std::uint32_t>(std::strtoul(parts[2].c_str(), nullptr, 10));
    }
    if (!parts[3].empty()) pass = std::strtoull(parts[3].c_str(), nullptr, 10);
  }
};

const fault_plan& plan() {
  static const fault_plan the_plan;
  return the_plan;
}

thread_local std::uint32_t this_process = no_process;  // in tests, threads of one process may be ranks
std::atomic<std::uint32_t> last_process{no_process};   // for threads that never called set_fault_process
std::atomic<std::uint64_t> passes{0};

std::uint32_t current_process() {
  return this_process != no_process ? this_process : last_process.load(std::memory_order_relaxed);
}

void write_log(const char* name) {
  static std::mutex mutex;
  static std::set<std::string> seen;
  std::uint32_t process = current_process();
  std::string line = std::string(name) + " " + (process == no_process ? "-" : std::to_string(process)) + "\n";
  std::lock_guard lock(mutex);
  if (!seen.insert(line).second) return;
  // One short write to a file opened for appending does not mix with those of other processes.
  int descriptor = open(plan().log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return;
  [[maybe_unused]] ssize_t written = write(descriptor, line.data(), line.size());
  close(descriptor);
}

}  // namespace

void set_fault_process(std::uint32_t process) {
  this_process = process;
  last_process.store(process, std::memory_order_relaxed);  // relaxed: a number, nothing travels with it
}

void reach_fault_point(const char* name) {
  const fault_plan& armed = plan();
  if (!armed.log.empty()) write_log(name);
  if (armed.action == fault_plan::none || armed.name != name) return;
  if (!armed.any_process && current_process() != armed.process) return;
  // relaxed: only the count matters, and each caller gets its own number
  std::uint64_t pass = passes.fetch_add(1, std::memory_order_relaxed) + 1;
  if (armed.action == fault_plan::delay) {
    std::uint64_t since = pass - armed.pass;  // of no meaning before the chosen pass
    if (pass < armed.pass || (since >= 32 && since % 512 != 0)) return;
    timespec pause{0, 10'000'000};
    nanosleep(&pause, nullptr);
    return;
  }
  if (pass != armed.pass) return;
  ::kill(getpid(), armed.action == fault_plan::kill ? SIGKILL : SIGSTOP);
  // A stop may take effect a moment after kill() returns; a kill never lets us get here again.
}

}  // namespace loadstone::base
