// Reads small text files, as /proc and /sys have them.
#pragma once

#include <cstdint>
#include <string>

namespace loadstone::base {

// The whole file, or an empty string if it cannot be read.
std::string read_text_file(const std::string& path);

// The first number after `key`, where `key` begins a text line; -1 if there is none. For
// /proc/meminfo, memory.stat and the like.
std::int64_t number_after(const std::string& text, const char* key);

}  // namespace loadstone::base
