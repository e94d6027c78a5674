// Published names: which port a service is at. The launcher keeps those of its job; a process
// without launcher keeps its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "memory/request_layout.hpp"

namespace loadstone::memory {

class name_table {
 public:
  explicit name_table(std::size_t most = 65536) : most_(most) {}

  // `from`: the process that asks. Any process may withdraw what another has published, if it knows
  // the port.
  publish_name::answer serve(std::uint32_t from, const publish_name& request);
  lookup_name::answer serve(std::uint32_t from, const lookup_name& request) const;
  unpublish_name::answer serve(std::uint32_t from, const unpublish_name& request);
  void forget(std::uint32_t process);  // it has ended: nobody is at its ports
  std::size_t size() const { return names_.size(); }

 private:
  struct entry {
    std::string port;
    std::uint32_t publisher;
  };
  std::size_t most_;
  std::map<std::string, entry> names_;
};

}  // namespace loadstone::memory
