#include "model/kept_machine.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "base/cpus.hpp"
#include "base/text_file.hpp"
#include "model/plausible.hpp"

namespace loadstone::model {

std::string machine_file(std::string_view cache_home, std::string_view home) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0 || host[0] == 0) return {};
  if (cache_home.starts_with('/')) return fmt::format("{}/loadstone/machine-{}", cache_home, host.data());
  if (home.starts_with('/')) return fmt::format("{}/.cache/loadstone/machine-{}", home, host.data());
  return {};
}

std::string about_this_machine() {
  const std::string name = base::processor_name();
  return name.empty() ? "a processor without a name" : name;
}

bool keep_machine(const machine& measured, const std::string& file) {
  if (file.empty()) return false;
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
  const std::string fresh = fmt::format("{}.{}", file, getpid());
  std::FILE* out = std::fopen(fresh.c_str(), "w");
  if (out == nullptr) return false;
  const std::string text = write(measured, about_this_machine());
  bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  written = std::fclose(out) == 0 && written;
  if (written) std::filesystem::rename(fresh, file, failed);
  if (!written || failed) std::remove(fresh.c_str());
  return written && !failed;
}

std::optional<machine> kept_machine(const std::string& file) {
  if (file.empty()) return {};
  const std::string text = base::read_text_file(file);
  if (text.empty()) return {};
  auto found = read(text);
  if (!found || found->about != about_this_machine() || !implausible(found->measured).empty()) return {};
  return std::move(found->measured);
}

}  // namespace loadstone::model
