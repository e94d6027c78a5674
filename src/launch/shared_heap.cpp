#include "launch/shared_heap.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "launch/version.hpp"

namespace loadstone::launch {

namespace {

namespace fs = std::filesystem;

constexpr const char* library_name = "libloadstone_heap.so";

// A sanitizer brings a malloc of its own, which must come first.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool malloc_is_taken = true;
#else
constexpr bool malloc_is_taken = false;
#endif

// LD_PRELOAD is a list that blanks and colons divide.
bool lists(const std::string& preloaded, const std::string& library) {
  for (std::size_t at = 0; at < preloaded.size();) {
    const std::size_t end = std::min(preloaded.find_first_of(" :", at), preloaded.size());
    if (preloaded.compare(at, end - at, library) == 0) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

bool parse_shared_heap(const std::string& text, std::uint64_t* bytes) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return false;
  char* end = nullptr;
  const unsigned long long n = std::strtoull(text.c_str(), &end, 10);
  if (*end != 0 || (n != 0 && n < least_shared_heap)) return false;
  *bytes = n;
  return true;
}

std::string find_shared_heap(const options& wanted, std::string* library) {
  library->clear();
  if (wanted.shared_heap == 0 || malloc_is_taken) return {};
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  const fs::path path = (self.parent_path().parent_path() / library_folder / library_name).lexically_normal();
  const fs::path built = (self.parent_path().parent_path() / "lib" / library_name).lexically_normal();
  for (const fs::path& candidate : {path, built}) {  // as installed; in a build tree
    if (access(candidate.c_str(), R_OK) != 0) continue;
    if (candidate.native().find_first_of(" :") != std::string::npos)
      return fmt::format("--shared-heap: {}: a path with a blank or a colon cannot stand in LD_PRELOAD",
                         candidate.native());
    *library = candidate.native();
    return {};
  }
  return fmt::format("--shared-heap: the library for it, {}, is not there", path.native());
}

void set_shared_heap(const std::string& library, std::uint64_t bytes) {
  if (library.empty()) return;
  const char* present = std::getenv("LD_PRELOAD");
  std::string preloaded = present == nullptr ? "" : present;
  // Last: whoever brings a malloc in LD_PRELOAD wants that one.
  if (!lists(preloaded, library)) preloaded += (preloaded.empty() ? "" : ":") + library;
  setenv("LD_PRELOAD", preloaded.c_str(), 1);
  setenv(shared_heap_variable, std::to_string(bytes).c_str(), 1);
  // Settings that go with it, unless the user has set them, belong here.
}

}  // namespace loadstone::launch
