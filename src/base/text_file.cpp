#include "base/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace loadstone::base {

std::string read_text_file(const std::string& path) {
  std::string text;
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return text;
  char block[4096];
  for (;;) {
    ssize_t n = read(descriptor, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(block, static_cast<std::size_t>(n));
  }
  close(descriptor);
  return text;
}

std::int64_t number_after(const std::string& text, const char* key) {
  std::size_t length = std::strlen(key);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    if (text.compare(at, length, key) == 0) {
      const char* start = text.c_str() + at + length;
      char* stop = nullptr;
      long long value = std::strtoll(start, &stop, 10);
      if (stop != start) return value;
    }
    at = end + 1;
  }
  return -1;
}

}  // namespace loadstone::base
