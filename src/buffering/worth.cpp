#include "buffering/worth.hpp"

#include <algorithm>
#include <cstdio>

#include "base/clock.hpp"
#include "base/text_file.hpp"

namespace loadstone::buffering {

namespace {

// ns a byte, of a usual machine, until something has been measured.
constexpr double usual_copy = 0.15, usual_write = 0.3, usual_past_cache = 0.05;
// Of the system's threads, which write pages to the device later: processor time that a write at
// once leaves to them, and one past the cache does not.
constexpr double write_back = 0.15;
constexpr double clearly = 0.9;                   // what is chosen changes for a tenth, not for less
constexpr std::uint64_t long_enough = 5'000'000;  // between two writes, to say how busy this process is

// How long this thread has been ready to run, and did not: others had the core. 0: not known here.
std::uint64_t delay_ns() {
  const std::string text = base::read_text_file("/proc/thread-self/schedstat");
  unsigned long long ran = 0, delayed = 0;
  return std::sscanf(text.c_str(), "%llu %llu", &ran, &delayed) == 2 ? delayed : 0;
}

}  // namespace

void worth::mark(std::uint64_t now) {
  marked_wall_ = now;
  marked_cpu_ = base::cpu_ns();
  marked_delay_ = spare_ ? 0 : delay_ns();
  marked_bytes_ = marked_writing_ = 0;
}

// Looking takes three system calls, one of which reads a file: dearer than a short write.
bool worth::look(std::uint64_t bytes) {
  const std::uint64_t now = base::now_ns();
  if (marked_wall_ == 0) mark(now);
  marked_bytes_ += bytes;
  const std::uint64_t wall = now - marked_wall_;
  if (bytes < least_trial && wall < long_enough) return false;
  const std::uint64_t cpu = base::cpu_ns() - marked_cpu_, delay = spare_ ? 0 : delay_ns() - marked_delay_;
  // A write that waited has left a core idle, but would not have, had it been buffered.
  const std::uint64_t not_idle = marked_writing_ + (static_cast<std::int64_t>(delay) > 0 ? delay : 0);
  saw(wall, cpu, not_idle, marked_bytes_);
  mark(now);
  return true;
}

std::uint64_t worth::at_once(std::uint64_t of, bool past_cache, std::uint64_t bytes) {
  if (look(bytes)) return part(of, past_cache, bytes);
  return buffers(of, past_cache) ? 0 : bytes;
}

std::uint64_t worth::at_once(std::uint64_t of, bool past_cache, std::uint64_t bytes, std::uint64_t wall_ns,
                             std::uint64_t cpu_ns, std::uint64_t delay_ns) {
  saw(wall_ns, cpu_ns, delay_ns, bytes);
  return part(of, past_cache, bytes);
}

// What this process did since the last look, in which it was given so many bytes to write.
void worth::saw(std::uint64_t wall_ns, std::uint64_t cpu_ns, std::uint64_t not_idle_ns, std::uint64_t bytes) {
  const auto wall = static_cast<double>(wall_ns), cpu = static_cast<double>(cpu_ns);
  if (wall_ns >= long_enough) threads_ += (cpu / wall - threads_) / 2;
  // Whoever waits by polling counts as one that runs.
  spare_ = static_cast<double>(ranks_) * std::max(threads_, 1.0) <= static_cast<double>(cores_) - 0.5;
  idle_ = ranks_ <= cores_ ? std::max(wall - cpu - static_cast<double>(not_idle_ns), 0.0) /
                                 static_cast<double>(std::max<std::uint64_t>(bytes, 1))
                           : 0;
}

// Does buffering pay, with all cores busy?
bool worth::pays(std::uint64_t of, bool past_cache) {
  device& d = devices_[of];
  const auto known = [](const rate& r, double usual) { return r.known() ? r.value() : usual; };
  const double now = known(d.at_once, usual_write), direct = now + (past_cache ? write_back : 0);
  const double carry = std::max(known(d.carry, past_cache ? usual_past_cache : now) - idle_, 0.0);
  const double buffered = known(copy_, usual_copy) + carry;
  if (!d.decided)
    d.buffers = buffered < direct;
  else if (d.buffers ? direct < clearly * buffered : buffered < clearly * direct)
    d.buffers = !d.buffers;
  d.decided = true;
  return d.buffers;
}

std::uint64_t worth::part(std::uint64_t of, bool past_cache, std::uint64_t bytes) {
  if (spare_) return 0;
  const std::uint64_t all = pays(of, past_cache) ? 0 : bytes;
  if (bytes < least_trial) return all;
  device& d = devices_[of];
  // The way not taken is tried on a part, if it is not known, or has not been for long.
  const rate& other = d.buffers ? d.at_once : d.carry;
  const bool tries = d.writes % trial_every == 0 || (!other.known() && d.writes < 4);
  ++d.writes;
  if (!tries) return all;
  const std::uint64_t tried = std::min(bytes / 8, most_tried);
  return d.buffers ? tried : bytes - tried;
}

void worth::copied(std::uint64_t bytes, std::uint64_t ns) {
  if (bytes != 0) copy_.saw(base::per_byte(ns, bytes));
  if (bytes >= least_trial) mark(base::now_ns());
}

void worth::written(std::uint64_t of, std::uint64_t bytes, std::uint64_t ns) {
  if (bytes != 0) devices_[of].at_once.saw(base::per_byte(ns, bytes));
  if (bytes >= least_trial)
    mark(base::now_ns());
  else
    marked_writing_ += ns;
}

void worth::carried(std::uint64_t of, std::uint64_t bytes, std::uint64_t cpu_ns, std::uint64_t ns) {
  device& d = devices_[of];
  if (bytes < d.carried_bytes) d.carried_bytes = d.carry_ns = d.drain_ns = 0;  // of another file
  if (bytes > d.carried_bytes + least_trial) {
    d.carry.saw(base::per_byte(cpu_ns - std::min(cpu_ns, d.carry_ns), bytes - d.carried_bytes));
    if (ns > d.drain_ns) d.drain.saw(base::per_byte(ns - d.drain_ns, bytes - d.carried_bytes));
    d.carried_bytes = bytes;
    d.carry_ns = cpu_ns;
    d.drain_ns = ns;
  }
}

// The carrier's time is known from all that it writes; what the call takes only from calls that
// write, so every now and then one does.
bool worth::waits(std::uint64_t of, std::uint32_t writers) {
  device& d = devices_[of];
  if (!d.drain.known() || !d.at_once.known() || ++d.overflows % trial_every == 0) return false;
  return d.drain.value() * std::max(writers, 1u) < clearly * d.at_once.value();
}

}  // namespace loadstone::buffering
