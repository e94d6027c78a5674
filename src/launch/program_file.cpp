#include "launch/program_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

namespace loadstone::launch {

namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& name) {
  struct stat s {};
  return stat(name.c_str(), &s) == 0 && !S_ISDIR(s.st_mode);
}

// The first file of this name in a list of folders for which `fits` is true; empty if there is none.
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
  const auto& names = a.inherited.names;
  const bool kept = a.inherited.all || std::find(names.begin(), names.end(), "PATH") != names.end();
  const char* path = kept ? std::getenv("PATH") : nullptr;
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

// A file in memory, and what is in it within its bounds.
class mapped_file {
 public:
  explicit mapped_file(const std::string& name) {
    const int descriptor = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat s {};
    if (descriptor >= 0 && fstat(descriptor, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0) {
      void* at = mmap(nullptr, static_cast<std::size_t>(s.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (at != MAP_FAILED) bytes_ = {static_cast<const char*>(at), static_cast<std::size_t>(s.st_size)};
    }
    if (descriptor >= 0) close(descriptor);
  }
  ~mapped_file() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  std::string_view piece(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) return {};
    return {bytes_.data() + at, size};
  }
  template <class T>
  bool get(std::uint64_t at, T* value) const {
    const std::string_view found = piece(at, sizeof(T));
    if (found.size() == sizeof(T)) std::memcpy(value, found.data(), sizeof(T));
    return found.size() == sizeof(T);
  }

 private:
  std::span<const char> bytes_;
};

constexpr std::string_view asan_symbol("\0__asan_init\0", 13);

}  // namespace

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
  const mapped_file file(name);
  Elf64_Ehdr head;
  if (!file.get(0, &head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != ELFCLASS64)
    return found;
  auto segment = [&](std::uint16_t i, Elf64_Phdr* p) {
    return i < head.e_phnum && file.get(head.e_phoff + std::uint64_t{i} * sizeof *p, p);
  };
  // Where the byte at an address of the running program is in the file.
  auto place = [&](std::uint64_t address) {
    Elf64_Phdr p;
    for (std::uint16_t i = 0; segment(i, &p); ++i)
      if (p.p_type == PT_LOAD && address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz)
        return p.p_offset + (address - p.p_vaddr);
    return ~std::uint64_t{0};
  };
  std::string_view names;
  std::vector<std::uint64_t> needed;
  Elf64_Phdr p;
  for (std::uint16_t i = 0; segment(i, &p); ++i) {
    if (p.p_type != PT_DYNAMIC) continue;
    std::uint64_t at = 0, size = 0;
    Elf64_Dyn d;
    for (std::uint64_t k = 0; k < p.p_filesz / sizeof d && file.get(p.p_offset + k * sizeof d, &d); ++k) {
      if (d.d_tag == DT_NULL) break;
      if (d.d_tag == DT_STRTAB) at = d.d_un.d_ptr;
      if (d.d_tag == DT_STRSZ) size = d.d_un.d_val;
      if (d.d_tag == DT_NEEDED) needed.push_back(d.d_un.d_val);
    }
    names = file.piece(place(at), size);
  }
  for (const std::uint64_t at : needed)
    if (at < names.size()) found.libraries.emplace_back(names.substr(at, names.find('\0', at) - at));
  found.address_sanitizer = names.find(asan_symbol) != names.npos;
  // A program that is linked statically has the name among the symbols for a debugger only.
  Elf64_Shdr s;
  for (std::uint16_t i = 0; i < head.e_shnum && !found.address_sanitizer; ++i)
    if (file.get(head.e_shoff + std::uint64_t{i} * sizeof s, &s) && s.sh_type == SHT_STRTAB)
      found.address_sanitizer = file.piece(s.sh_offset, s.sh_size).find(asan_symbol) != names.npos;
  return found;
}

}  // namespace loadstone::launch
