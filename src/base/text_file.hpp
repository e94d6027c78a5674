// Small text files of /proc and /sys.
#pragma once

#include <cstdint>
#include <string>

namespace loadstone::base {

// The whole file, or an empty string if it cannot be read.
std::string read_text_file(const std::string& path);

// The first number in the text after `key` (at the start of a line), or -1: for /proc/meminfo,
// memory.stat and the like.
std::int64_t number_after(const std::string& text, const char* key);

}  // namespace loadstone::base
