#include "launch/foreign_mpi.hpp"

#include <fmt/format.h>

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

}  // namespace loadstone::launch
