#include "launch/program_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "launch/elf.hpp"

namespace loadstone::launch {

namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& name) {
  struct stat s {};
  return stat(name.c_str(), &s) == 0 && !S_ISDIR(s.st_mode);
}

// The first file of this name in a list of folders for which `fits` is true; empty if there is
// none.
template <class F>
std::string first_in(std::string_view folders, const std::string& name, F&& fits) {
  for (;;) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    std::string file = folder.empty() ? "./" + name : fmt::format("{}/{}", folder, name);
    if (fits(file)) return file;
    if (folder.size() == folders.size()) return {};
    folders.remove_prefix(folder.size() + 1);
  }
}

bool may_start(const std::string& file) {
  return is_file(file) && access(file.c_str(), X_OK) == 0;
}

// The PATH that the ranks have.
std::string path_of(const application& a) {
  for (auto at = a.environment.rbegin(); at != a.environment.rend(); ++at)
    if (at->first == "PATH") return at->second;
  const char* path = is_kept(a.inherited, "PATH") ? std::getenv("PATH") : nullptr;
  return path != nullptr ? path : "/bin:/usr/bin";  // without one, as execvp does
}

// A relative name, as it is when the rank is in its folder.
std::string absolute(const application& a, const std::string& name) {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  return (here / a.folder / name).lexically_normal().native();
}

// Of a file that is there, and cannot be started because something else is not.
std::string what_it_needs(const std::string& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  char start[256] = "";
  const ssize_t n = descriptor < 0 ? -1 : read(descriptor, start, sizeof start - 1);
  if (descriptor >= 0) close(descriptor);
  if (n > 2 && start[0] == '#' && start[1] == '!') {
    const std::string_view line(start + 2, std::strcspn(start + 2, "\r\n"));
    return fmt::format("it is there, but \"{}\" of its first line is not",
                       line.substr(std::min(line.find_first_not_of(' '), line.size())));
  }
  return "it is there, but the loader that it names is not: it was built for another system";
}

constexpr const char* asan_symbol = "__asan_init";

}  // namespace

bool is_kept(const inheritance& kept, const std::string& name) {
  return kept.all || std::find(kept.names.begin(), kept.names.end(), name) != kept.names.end();
}

std::string program_name(const application& a) {
  const std::string& name = a.command.front();
  if (a.path.empty() || name.find('/') != std::string::npos) return name;
  const std::string found = first_in(a.path, name, may_start);
  return found.empty() ? name : found;
}

bool is_in_path(const std::string& name, const char* path) {
  return !first_in(path != nullptr ? path : "/bin:/usr/bin", name, is_file).empty();
}

std::string find_program(const application& a) {
  const std::string name = program_name(a);
  if (name.find('/') != std::string::npos) {
    std::string file = absolute(a, name);
    return is_file(file) ? file : std::string();
  }
  return first_in(path_of(a), name, may_start);
}

std::string why_not_started(const application& a, int step, int number) {
  const char* error = std::strerror(number);
  if (step == 1) {
    const std::string place = absolute(a, "");
    const bool plain = a.folder.front() == '/';
    return fmt::format("cannot change to the folder {}: {}{}", a.folder, error,
                       plain ? "" : fmt::format(" (looked for {})", place));
  }
  const std::string& name = a.command.front();
  std::string text = fmt::format("cannot start {}: {}", name, error);
  if (name.find('/') == std::string::npos) {
    const std::string file = absolute(a, name);
    if (number == ENOENT && may_start(file) && !is_in_path(name, path_of(a).c_str()))
      text += fmt::format(" (in PATH; for {} say ./{})", file, name);
    return text;
  }
  const std::string file = absolute(a, name);
  if (number == ENOENT && is_file(file)) return text + fmt::format(" ({})", what_it_needs(file));
  if (number == ENOENT && name.front() != '/') text += fmt::format(" (looked for {})", file);
  if (number == EACCES && fs::is_directory(file)) text += " (it is a folder)";
  return text;
}

linkage read_linkage(const std::string& name) {
  linkage found;
  auto object = read_dynamic(name);
  if (!object) return found;
  // A program that is linked statically has the name among the symbols for a debugger only.
  found.address_sanitizer = object->mentions(asan_symbol) || has_symbol_name(name, asan_symbol);
  found.libraries = std::move(object->needed);
  return found;
}

}  // namespace loadstone::launch
