// --host and --hostfile: the ranks run on this machine, so the lists may name no other; how many
// slots they give it is the number of ranks where -n says none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loadstone::launch {

// Does the name, as it stands, mean the host called `own`? localhost and loopback addresses do; of
// a name with a domain and one without, the first words are compared.
bool names_host(std::string_view name, std::string_view own);

// The same of this host, also by its addresses, and by what other names resolve to.
bool names_this_host(const std::string& name);

struct slots {
  std::uint32_t count = 0;
  std::string mistake;  // not empty: why the list cannot be used
};

// "localhost:2,node1": one slot where no number is given.
slots read_host_list(std::string_view list);

// One host a line: NAME, NAME:K, NAME slots=K. # begins a comment.
slots read_host_file(const std::string& path);

}  // namespace loadstone::launch
