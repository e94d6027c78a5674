#include "command/machine_cache.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/cpus.hpp"
#include "base/text_file.hpp"

namespace loadstone::command {

namespace {

// The folder for caches, as the XDG base directory specification has it: relative paths do not
// count.
std::filesystem::path folder() {
  for (const auto& [variable, below] : {std::pair{"XDG_CACHE_HOME", ""}, std::pair{"HOME", ".cache"}}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value == '/') return std::filesystem::path(value) / below / "loadstone";
  }
  return {};
}

}  // namespace

std::string machine_file() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0 || host[0] == 0) return {};
  const std::filesystem::path where = folder();
  return where.empty() ? std::string{} : (where / (std::string("machine-") + host.data())).string();
}

std::string about_this_machine() {
  std::istringstream lines(base::read_text_file("/proc/cpuinfo"));
  std::string name = "a processor without a name";
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    name = line.substr(colon + 2);
    break;
  }
  return fmt::format("{}, {} processors", name, base::usable_cpus());
}

bool keep_machine(const model::machine& measured) {
  const std::string file = machine_file();
  if (file.empty()) return false;
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
  const std::string fresh = fmt::format("{}.{}", file, getpid());
  std::FILE* out = std::fopen(fresh.c_str(), "w");
  if (out == nullptr) return false;
  const std::string text = model::write(measured, about_this_machine());
  bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  written = std::fclose(out) == 0 && written;
  if (written) std::filesystem::rename(fresh, file, failed);
  if (!written || failed) std::remove(fresh.c_str());
  return written && !failed;
}

std::optional<model::machine> kept_machine() {
  const std::string file = machine_file();
  if (file.empty()) return {};
  auto found = model::read(base::read_text_file(file));
  if (!found || found->about != about_this_machine()) return {};
  return std::move(found->measured);
}

}  // namespace loadstone::command
