// What the dynamic section of a program or shared library says (the System V ABI, "Dynamic
// Linking").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::launch {

struct dynamic_object {
  std::vector<std::string> needed;  // names of the libraries it loads
  std::string rpath, runpath;       // where they are looked for, as written
  std::string names;                // its string table: symbols, with a zero after each
  // Does it define or use a symbol with this name? A longer one that ends like it counts as well.
  bool mentions(std::string_view symbol) const;
};

// Empty if the file is none of this machine's kind, or damaged.
std::optional<dynamic_object> read_dynamic(const std::string& path);

// Is this the whole of a name in any of its string tables, those for debuggers included?
bool has_symbol_name(const std::string& path, std::string_view symbol);

// Path of a library by /etc/ld.so.cache; empty: not in there.
std::string in_loader_cache(std::string_view cache, const std::string& name);

}  // namespace loadstone::launch
