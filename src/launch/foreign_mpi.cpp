#include "launch/foreign_mpi.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/text_file.hpp"
#include "launch/program_file.hpp"

namespace loadstone::launch {

namespace {

constexpr std::size_t most_processes = 64;  // below one rank

}  // namespace

bool is_mpi_library(std::string_view name) {
  if (name.substr(0, 6) != "libmpi") return false;
  const std::string_view kind = name.substr(6, name.find('.') - 6);
  const std::size_t dot = name.find('.');
  if (dot == name.npos || name.substr(dot, 3) != ".so") return false;
  return kind.empty() || kind == "ch" || kind == "cxx" || kind == "chcxx" || kind == "fort" ||
         kind == "chfort" || kind[0] == '_';
}

std::string mpi_in_maps(std::string_view maps) {
  std::string found;
  for (std::size_t at = 0; at < maps.size();) {
    const std::size_t end = std::min(maps.find('\n', at), maps.size());
    const std::string_view line = maps.substr(at, end - at);
    at = end + 1;
    const std::size_t path = line.find('/');
    if (path == line.npos) continue;
    const std::string_view name = line.substr(line.rfind('/') + 1);
    if (name.substr(0, 12) == "libloadstone" && name.substr(12, 4) == ".so.") return {};
    if (found.empty() && is_mpi_library(name)) found = line.substr(path);
  }
  return found;
}

std::string foreign_mpi_of(pid_t process) {
  std::vector<pid_t> all = {process};
  for (std::size_t i = 0; i < all.size() && i < most_processes; ++i) {
    const std::string found = mpi_in_maps(base::read_text_file(fmt::format("/proc/{}/maps", all[i])));
    if (!found.empty()) return found;
    std::istringstream below(base::read_text_file(fmt::format("/proc/{0}/task/{0}/children", all[i])));
    for (pid_t child; below >> child;) all.push_back(child);
  }
  return {};
}

std::string foreign_mpi_named_by(const application& program) {
  for (const std::string& library : read_linkage(find_program(program)).libraries)
    if (is_mpi_library(library) && library.substr(0, 10) != "libmpi_abi") return library;
  return {};
}

std::string foreign_watch::say(std::uint32_t part) {
  said_ = true;
  const std::uint32_t ranks = wanted_.world_size();
  return fmt::format(
      "mpiexec: {} uses another MPI, {}: its {} ranks are not one job but {} of one rank each. Compile it "
      "with "
      "Loadstone's mpicc (for Python: build mpi4py with it), or start it with that library's mpiexec.\n",
      wanted_.applications[part].command.front(), library_, ranks, ranks);
}

std::string foreign_watch::check(memory::job& job, const std::vector<pid_t>& running, std::int64_t now_ms) {
  next_ = -1;
  if (said_) return {};
  bool unclaimed = false;
  std::string text;
  for (std::uint32_t i = 0; i < running.size() && text.empty(); ++i) {
    if (running[i] < 0) continue;
    unclaimed = true;
    const std::uint32_t part = job.process(i).application;
    if (i > 0 && running[i - 1] >= 0 && part == job.process(i - 1).application) continue;
    if (library_.empty()) library_ = foreign_mpi_of(running[i]);
    if (library_.empty()) continue;
    if (since_ < 0) since_ = now_ms;
    if (now_ms - since_ >= patience_ms) text = say(part);
    break;
  }
  if (unclaimed && !said_) next_ = now_ms + pause_;
  pause_ = std::min(pause_ * 2, patience_ms);
  return text;
}

std::string foreign_watch::rank_ended(std::uint32_t part) {
  if (said_) return {};
  if (library_.empty() && files_read_.insert(part).second)
    library_ = foreign_mpi_named_by(wanted_.applications[part]);
  return library_.empty() ? library_ : say(part);
}

}  // namespace loadstone::launch
