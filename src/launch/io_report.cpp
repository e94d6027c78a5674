#include "launch/io_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "buffering/figures.hpp"
#include "buffering/servers.hpp"
#include "launch/placement.hpp"

namespace loadstone::launch {

using buffering::get;

std::string size_of(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  if (bytes < 10 << 20) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} MiB", bytes >> 20);
}

namespace {

double seconds(std::uint64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

// What LOADSTONE_IO_BUFFER has to be for so much: pieces are not laid side by side to the byte.
std::uint64_t rounded(std::uint64_t bytes) {
  const std::uint64_t mib = 1 << 20;
  return (bytes + bytes / 256 + (64 << 10) + mib - 1) / mib * mib;
}

}  // namespace

void io_report::figures::count(const memory::io_figures& w) {
  accepted_bytes += get(w.accepted_bytes), copy_ns += get(w.copy_ns);
  called_bytes += get(w.called_bytes), called_ns += get(w.called_ns);
  overflow_bytes += get(w.overflow_bytes), short_bytes += get(w.short_bytes);
  at_once_bytes += get(w.at_once_bytes), at_once_ns += get(w.at_once_ns);
  stall_ns += get(w.stall_ns);
}

void io_report::figures::count(const memory::io_file& of) {
  count(of.figures);
  carried_bytes += get(of.carried_bytes), carry_ns += get(of.carry_ns);
  carry_cpu_ns += get(of.carry_cpu_ns);
  needed_bytes = std::max(needed_bytes, get(of.needed_bytes));
  limit_bytes = std::max(limit_bytes, get(of.limit_bytes));
}

void io_report::add(const std::string& path, std::uint64_t id) {
  const memory::io_file& e = job_.io().files[memory::io_file_place(id)];
  if (get(e.figures.accepted) + get(e.figures.called_bytes) == 0) return;
  auto known = std::find_if(files_.begin(), files_.end(), [&](const figures& o) { return o.path == path; });
  if (known == files_.end()) known = files_.insert(known, figures{.path = path});
  known->count(e);
}

std::string io_report::figures::line() const {
  const double share = buffering::hidden(called_ns + stall_ns, called_ns, carry_ns);
  return fmt::format("  {:>10} {:>10} {:>10} {:>11} {:>8.3f} {:>8.3f} {:>6.1f}%  {}\n",
                     size_of(accepted_bytes), size_of(carried_bytes), size_of(overflow_bytes),
                     size_of(called_bytes - overflow_bytes), seconds(copy_ns), seconds(called_ns + stall_ns),
                     100 * share, path);
}

std::string io_report::figures::remarks() const {
  std::string text;
  if (at_once_bytes != 0) {
    const auto each = [](std::uint64_t ns, std::uint64_t bytes) {
      return bytes == 0 ? std::string("-")
                        : fmt::format("{:.2f}", static_cast<double>(ns) / static_cast<double>(bytes));
    };
    text += fmt::format(
        "             no core was idle: ns a byte at once {}; buffered, to copy {} and of the I/O "
        "process's core {}\n",
        each(at_once_ns, at_once_bytes), each(copy_ns, accepted_bytes), each(carry_cpu_ns, carried_bytes));
  }
  if (short_bytes != 0)
    text += fmt::format(
        "             the machine had no memory left for a buffer: {} were written by the calls for that\n",
        size_of(short_bytes));
  if (overflow_bytes > short_bytes && needed_bytes > limit_bytes)
    text += fmt::format(
        "             the buffer of a rank was too small: D = {}, S = {}, D - S = {} more would have held "
        "all "
        "(LOADSTONE_IO_BUFFER={}, hint loadstone_io_buffer)\n",
        size_of(needed_bytes), size_of(limit_bytes), size_of(needed_bytes - limit_bytes),
        rounded(needed_bytes));
  return text;
}

// Could all have been carried while the ranks computed? From their first write on, less the time in
// which calls were blocked, as a mean of those that have written.
std::string io_report::steady_state(const figures& all, std::uint64_t end) const {
  std::uint64_t first = end, writers = 0;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    const std::uint64_t began = get(job_.io(p).first_ns);
    if (began == 0) continue;
    first = std::min(first, began);
    ++writers;
  }
  const double rate = 1e9 * buffering::carry_rate(job_.io());  // W
  if (writers == 0 || rate == 0) return {};
  const double blocked = seconds(all.copy_ns + all.called_ns + all.stall_ns) / static_cast<double>(writers);
  const double computed = std::max(0.0, seconds(end - first) - blocked);
  const std::uint64_t bytes = all.accepted_bytes + all.called_bytes;
  const double lacks = static_cast<double>(bytes) / rate - computed;
  std::string text = fmt::format(
      "  {} ranks wrote {}; {} {:.0f} MiB/s, and had {:.3f} s of their computing\n"
      "  after the first write for that: ",
      writers, size_of(bytes),
      job_.io().shares.load(std::memory_order_relaxed) > 1 ? "the I/O processes write"  // it never changes
                                                           : "the I/O process writes",
      rate / (1 << 20), computed);
  if (lacks <= 0) return text + "enough, with a buffer that holds a snapshot\n";
  return text + fmt::format("{:.3f} s too little, whatever the buffer\n", lacks);
}

// A line for each: which ranks it is for, and what it has carried.
std::string io_report::process_lines(const std::deque<io_process>& processes) const {
  std::string text;
  const memory::io_area& area = job_.io();
  const auto shares = static_cast<std::uint32_t>(processes.size());
  const std::uint32_t world = job_.header().world_size;
  for (std::uint32_t i = 0; i < shares; ++i) {
    std::string ranks;
    for (std::uint32_t s = 0; s < shares; ++s) {
      if (area.server_of[s].load(std::memory_order_relaxed) != i) continue;  // relaxed: our own stores
      std::uint32_t first = world, last = 0;
      for (std::uint32_t r = 0; r < world; ++r)
        if (memory::io_share(r, world, shares) == s) first = std::min(first, r), last = r;
      if (first > last) continue;
      ranks += (ranks.empty() ? "" : ", ") +
               (first == last ? std::to_string(first) : fmt::format("{}-{}", first, last));
    }
    const memory::io_server& s = area.servers[i];
    const processors& place = processes[i].place();
    text += fmt::format(
        "  I/O process {}{}: for {}{}, {} in {:.3f} s{}\n", i,
        place.empty() ? "" : " on processor" + std::string(place.size() == 1 ? " " : "s ") + written(place),
        ranks.empty()                                    ? "no rank"
        : ranks.find_first_of(",-") == std::string::npos ? "rank "
                                                         : "ranks ",
        ranks, size_of(get(s.carried_bytes)), seconds(get(s.carry_ns)),
        s.started.load() > 1 ? fmt::format(", started {} times", s.started.load()) : "");
  }
  return text;
}

// Nothing, if nothing was read.
std::string io_report::reads() const {
  std::uint64_t bytes = 0, ns = 0, ahead = 0, used = 0;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    const memory::io_read_figures& r = job_.io(p).reads;
    bytes += get(r.read_bytes), ns += get(r.read_ns);
    ahead += get(r.ahead_bytes), used += get(r.ahead_used_bytes);
  }
  if (bytes == 0) return {};
  return fmt::format(
      "mpiexec: all ranks read {} from files, in {:.3f} s of calls; {} were fetched ahead, and {} of that "
      "used\n",
      size_of(bytes), seconds(ns), size_of(ahead), size_of(used));
}

std::string io_report::text(const std::deque<io_process>& processes, std::uint64_t end) const {
  figures all{.path = "in all"}, named;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) all.count(job_.io(p).figures);
  if (all.accepted_bytes + all.called_bytes == 0) return "mpiexec: no file was written\n" + reads();
  std::uint64_t limit = 0;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p)
    limit = std::max(limit, get(job_.io(p).limit_bytes));
  std::uint32_t started = 0;
  for (const memory::io_server& s : job_.io().servers) started += s.started.load(std::memory_order_relaxed);
  std::string text = fmt::format(
      "mpiexec: what all ranks wrote to files (buffers: at most {} a rank; I/O processes: {})\n"
      "  {:>10} {:>10} {:>10} {:>11} {:>8} {:>8} {:>7}  file\n",
      size_of(limit), started, "buffered", "carried", "overflow", "synchronous", "copy s", "disk s",
      "hidden");
  for (const figures& f : files_) {
    text += f.line() + f.remarks();
    named.called_bytes += f.called_bytes, named.called_ns += f.called_ns;
  }
  if (all.called_bytes > named.called_bytes)
    text += figures{.path = "files without buffers",
                    .called_bytes = all.called_bytes - named.called_bytes,
                    .called_ns = all.called_ns - named.called_ns}
                .line();
  all.carried_bytes = buffering::carried_bytes(job_.io());
  for (const memory::io_server& s : job_.io().servers) all.carry_ns += get(s.carry_ns);
  text += all.line();
  if (processes.size() > 1 || !processes.front().place().empty()) text += process_lines(processes);
  return text + steady_state(all, end) + reads();
}

}  // namespace loadstone::launch
