// What `loadstone model` has measured, kept for each host:
// $XDG_CACHE_HOME/loadstone/machine-<host>, or under ~/.cache.
#pragma once

#include <optional>
#include <string>

#include "model/machine.hpp"

namespace loadstone::command {

// The file of this host; empty: there is no place for it.
std::string machine_file();

// One line about this machine: its processor and how many of them. A file that says otherwise is of
// another one.
std::string about_this_machine();

// Writes it whole or not at all. False: it cannot.
bool keep_machine(const model::machine& measured);
// Nothing if there is none, or if it is of another machine.
std::optional<model::machine> kept_machine();

}  // namespace loadstone::command
