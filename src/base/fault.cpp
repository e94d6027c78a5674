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

// Test equipment: the one place below src/mpi that keeps state of its own, because a fault point has nothing
// to hang it on.
struct fault_plan {
  std::string name;
  enum { none, kill, stop, delay } action = none;
  bool any_process = true;
  std::uint32_t process = 0;
  std::uint64_t pass = 1;  // which passing of the point acts; 1 = the first
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
    if (!parts[2].empty() && parts[2] != "*") {
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

thread_local std::uint32_t this_process = UINT32_MAX;  // rank-threads of a test each have their own
std::atomic<std::uint32_t> last_process{UINT32_MAX};   // for threads that never called set_fault_process
std::atomic<std::uint64_t> passes{0};

std::uint32_t current_process() {
  return this_process != UINT32_MAX ? this_process : last_process.load(std::memory_order_relaxed);
}

void write_log(const char* name) {
  static std::mutex mutex;
  static std::set<std::string> seen;
  std::lock_guard lock(mutex);
  if (!seen.insert(name).second) return;
  // One short write to a file opened for appending does not mix with those of other processes.
  int descriptor = open(plan().log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return;
  std::string line = std::string(name) + "\n";
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
  bool acts = passes.fetch_add(1, std::memory_order_relaxed) + 1 == armed.pass;
  if (armed.action == fault_plan::delay) {
    // A delay acts at every passing from the chosen one on, so that it really changes an order of events.
    if (!acts && passes.load(std::memory_order_relaxed) < armed.pass) return;
    timespec pause{0, 10'000'000};
    nanosleep(&pause, nullptr);
    return;
  }
  if (!acts) return;
  ::kill(getpid(), armed.action == fault_plan::kill ? SIGKILL : SIGSTOP);
  // A stop may take effect a moment after kill() returns; a kill never lets us get here again.
}

}  // namespace loadstone::base
