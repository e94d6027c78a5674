#include "deposit/user_memory.hpp"

namespace loadstone::deposit {

namespace {

reached outcome_of(const base::result<std::size_t>& moved) {
  switch (moved.error().kind) {
    case base::code::ok:
      return reached::done;
    case base::code::gone:
      return reached::gone;
    case base::code::bad_address:
      return reached::bad_address;
    default:  // what else the system says, it may not say of another way
      return reached::refused;
  }
}

}  // namespace

reached user_memory::put(std::uint32_t peer, std::span<const iovec> remote, std::span<const iovec> local) {
  if (!reaches(peer)) return reached::refused;
  return outcome_of(access_.write(peer, local.data(), local.size(), remote.data(), remote.size()));
}

reached user_memory::get(std::uint32_t peer, std::span<const iovec> local, std::span<const iovec> remote) {
  if (!reaches(peer)) return reached::refused;
  return outcome_of(access_.read(peer, local.data(), local.size(), remote.data(), remote.size()));
}

}  // namespace loadstone::deposit
