// What `loadstone model` has measured, kept for each host in a file of the user's cache folder:
// $XDG_CACHE_HOME/loadstone/machine-<host>, or under ~/.cache. The library derives its limits from
// it when a process starts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/machine.hpp"

namespace loadstone::model {

// The file of this host, from the values of XDG_CACHE_HOME and HOME; empty: there is no place for
// it. Relative paths do not count (XDG base directory specification).
std::string machine_file(std::string_view cache_home, std::string_view home);

// One line about this machine: its processor. A file that says otherwise is of another one. Asks
// nothing but the processor.
std::string about_this_machine();

// Writes it whole or not at all. False: it cannot.
bool keep_machine(const machine& measured, const std::string& file);
// Nothing if there is none, or if it is of another machine, or cannot be (plausible.hpp). Opens
// this one file.
std::optional<machine> kept_machine(const std::string& file);

}  // namespace loadstone::model
