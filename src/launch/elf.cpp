#include "launch/elf.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace loadstone::launch {

namespace {

#if defined(__x86_64__)
constexpr std::uint16_t own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t own_machine = EM_AARCH64;
#else
constexpr std::uint16_t own_machine = EM_NONE;
#endif

// A file in memory; every look at it is checked against its size.
class file_view {
 public:
  explicit file_view(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat about {};
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
      void* base = mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (base != MAP_FAILED)
        bytes_ = {static_cast<const char*>(base), static_cast<std::size_t>(about.st_size)};
    }
    close(file);
  }
  ~file_view() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  file_view(const file_view&) = delete;
  file_view& operator=(const file_view&) = delete;
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

template <class T>
bool take(std::string_view bytes, std::uint64_t at, T* value) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return false;
  std::memcpy(value, bytes.data() + at, sizeof(T));
  return true;
}

std::string text_at(std::string_view table, std::uint64_t at) {
  if (at >= table.size()) return {};
  table.remove_prefix(at);
  return std::string(table.substr(0, table.find('\0')));
}

bool is_object(std::string_view file, Elf64_Ehdr* head) {
  return take(file, 0, head) && std::memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
         head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_machine == own_machine &&
         head->e_phentsize == sizeof(Elf64_Phdr);
}

// Calls f(header) for each program header.
template <class F>
void each_segment(std::string_view file, const Elf64_Ehdr& head, F&& f) {
  for (std::uint64_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (take(file, head.e_phoff + i * sizeof segment, &segment)) f(segment);
  }
}

}  // namespace

bool dynamic_object::mentions(std::string_view symbol) const {
  return names.find(std::string(symbol) + '\0') != std::string::npos;
}

std::optional<dynamic_object> read_dynamic(const std::string& path) {
  const file_view view(path);
  const std::string_view file = view.bytes();
  Elf64_Ehdr head;
  if (!is_object(file, &head)) return std::nullopt;
  Elf64_Phdr dynamic{};
  each_segment(file, head, [&](const Elf64_Phdr& s) {
    if (s.p_type == PT_DYNAMIC) dynamic = s;
  });
  std::uint64_t table_address = 0, table_bytes = 0, rpath = 0, runpath = 0;
  std::vector<std::uint64_t> needed;
  Elf64_Dyn entry{};
  for (std::uint64_t at = 0; at < dynamic.p_filesz && take(file, dynamic.p_offset + at, &entry);
       at += sizeof entry) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) needed.push_back(entry.d_un.d_val);
    if (entry.d_tag == DT_STRTAB) table_address = entry.d_un.d_ptr;
    if (entry.d_tag == DT_STRSZ) table_bytes = entry.d_un.d_val;
    if (entry.d_tag == DT_RPATH) rpath = entry.d_un.d_val;
    if (entry.d_tag == DT_RUNPATH) runpath = entry.d_un.d_val;
  }
  dynamic_object found;
  std::string_view table;
  each_segment(file, head, [&](const Elf64_Phdr& s) {
    if (s.p_type != PT_LOAD || table_address < s.p_vaddr || table_address - s.p_vaddr >= s.p_filesz) return;
    const std::uint64_t at = s.p_offset + (table_address - s.p_vaddr);
    if (at < file.size()) table = file.substr(at, table_bytes);
  });
  found.names = table;
  for (const std::uint64_t at : needed) found.needed.push_back(text_at(table, at));
  if (rpath != 0) found.rpath = text_at(table, rpath);
  if (runpath != 0) found.runpath = text_at(table, runpath);
  return found;
}

bool has_symbol_name(const std::string& path, std::string_view symbol) {
  const file_view view(path);
  const std::string_view file = view.bytes();
  Elf64_Ehdr head;
  if (!is_object(file, &head)) return false;
  const std::string whole = '\0' + std::string(symbol) + '\0';
  Elf64_Shdr section;
  for (std::uint64_t i = 0; i < head.e_shnum && take(file, head.e_shoff + i * sizeof section, &section);
       ++i) {
    if (section.sh_type != SHT_STRTAB || section.sh_offset > file.size()) continue;
    if (file.substr(section.sh_offset, section.sh_size).find(whole) != file.npos) return true;
  }
  return false;
}

std::string in_loader_cache(std::string_view cache, const std::string& name) {
  // As glibc writes it since 2.2 (dl-cache.h): 48 bytes of header, 24 an entry, then the texts.
  constexpr std::string_view magic = "glibc-ld.so.cache1.1";
  constexpr std::size_t header_bytes = 48, entry_bytes = 24, count_at = 20, name_at = 4, path_at = 8;
  const std::size_t start = cache.find(magic);
  if (start == cache.npos) return {};
  cache.remove_prefix(start);
  std::uint32_t count = 0;
  if (!take(cache, count_at, &count)) return {};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = header_bytes + i * entry_bytes;
    std::uint32_t own_name = 0, path = 0;
    if (!take(cache, entry + name_at, &own_name) || !take(cache, entry + path_at, &path)) return {};
    if (text_at(cache, own_name) == name) return text_at(cache, path);
  }
  return {};
}

}  // namespace loadstone::launch
