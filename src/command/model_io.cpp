#include "command/model_io.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/clock.hpp"
#include "buffering/file_writes.hpp"
#include "memory/headroom.hpp"
#include "model/snapshots.hpp"

namespace loadstone::command {

namespace {

constexpr std::size_t block = 8 << 20, least_blocks = 8, most_blocks = 64;
constexpr double mib = 1 << 20;

double seconds_since(std::uint64_t begin) {
  return static_cast<double>(base::now_ns() - begin) * 1e-9;
}

// Bytes a second from memory to memory; the median of five.
double copy_rate(const std::vector<char>& from, std::vector<char>& to) {
  std::vector<double> rates;
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t begin = base::now_ns();
    std::memcpy(to.data(), from.data(), from.size());
    rates.push_back(static_cast<double>(from.size()) / seconds_since(begin));
  }
  std::nth_element(rates.begin(), rates.begin() + 2, rates.end());
  return rates[2];
}

// Into a file without a name, for half a second at most; 0 and errno: it cannot be written.
double write_rate(const std::string& folder, std::vector<char>& data) {
  const int file = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return 0;
  const auto how = buffering::choose_writes({});
  const std::uint64_t begin = base::now_ns();
  std::size_t written = 0;
  int number = 0;
  for (std::size_t i = 0; i < most_blocks && number == 0 && (i < least_blocks || seconds_since(begin) < 0.5);
       ++i) {
    buffering::file_write one;
    one.descriptor = file;
    one.offset = written;
    one.bytes = data.size();
    one.parts = {{data.data(), data.size()}};
    how->write({&one, 1});
    number = one.number;
    written += one.done;
  }
  const double rate = static_cast<double>(written) / seconds_since(begin);
  close(file);
  errno = number;
  return number == 0 ? rate : 0;
}

}  // namespace

int model_files(const model_io_options& wanted) {
  std::vector<char> data(block, 1), copy(block, 2);
  model::snapshot_load load;
  load.bytes = static_cast<double>(wanted.bytes);
  load.interval = wanted.interval;
  load.ranks = wanted.ranks;
  load.copy_rate = copy_rate(data, copy);
  load.write_rate = write_rate(wanted.folder, data);
  if (load.write_rate == 0) {
    fmt::print(stderr, "loadstone: no file can be written in {}: {}\n", wanted.folder, std::strerror(errno));
    return 1;
  }
  const bool automatic = wanted.buffer < 0;
  load.buffer = automatic ? static_cast<double>(memory::headroom::of_this_process().left()) / 4 / wanted.ranks
                          : static_cast<double>(wanted.buffer);
  const model::snapshot_forecast f = forecast(load);
  fmt::print("measured here\n");
  fmt::print("  copy into a buffer          C = {:8.0f} MiB/s a rank\n", load.copy_rate / mib);
  fmt::print("  writing, by {:10}      W = {:8.0f} MiB/s for all ranks ({})\n",
             buffering::choose_writes({})->name(), load.write_rate / mib, wanted.folder);
  fmt::print("asked for\n");
  fmt::print("  snapshot of a rank          D = {:8.1f} MiB\n", load.bytes / mib);
  fmt::print("  computing between two       T = {:8.3f} s\n", load.interval);
  fmt::print("  ranks                       R = {:8.0f}\n", load.ranks);
  fmt::print("  buffer of a rank            S = {:8.1f} MiB{}\n", load.buffer / mib,
             automatic ? " (automatic, from the memory that is left now)" : "");
  fmt::print("predicted\n");
  fmt::print("  overflow, max(0, D - S)         {:8.1f} MiB a rank\n", f.overflow / mib);
  fmt::print("  file system keeps up, RD <= WT  {:>8}\n", f.keeps_up ? "yes" : "no");
  fmt::print("  a call without buffers          {:8.3f} s\n", f.unbuffered);
  fmt::print("  a call with them                {:8.3f} s: {:.1f} % hidden\n", f.visible, 100 * f.hidden);
  fmt::print("for calls that take no longer than a copy\n");
  fmt::print("  S at least                      {:8.1f} MiB{}\n", f.least_buffer / mib,
             f.overflow > 0 ? fmt::format(", {:.1f} more than there are (LOADSTONE_IO_BUFFER={:.0f})",
                                          f.overflow / mib, load.bytes)
                            : "");
  fmt::print("  T at least                      {:8.3f} s\n", f.least_interval);
  fmt::print("  D at most                       {:8.1f} MiB with this S and T\n", f.most_bytes / mib);
  fmt::print("  R at most                       {:8.0f} with this D and T\n", f.most_ranks);
  return 0;
}

}  // namespace loadstone::command
