#include <cstdio>
#include <cstdlib>

#include "transport/front_layout.hpp"

namespace loadstone::transport {

void insist_on_transport(std::uint32_t self, std::uint32_t peer, const front& of_peer, std::uint32_t ours) {
  if (of_peer.transport == ours) [[likely]]
    return;
  std::fprintf(stderr,
               "loadstone: transport or integrity (LOADSTONE_TEST) differ between processes %u and %u\n",
               self, peer);
  std::abort();
}

}  // namespace loadstone::transport
