// By process_vm_writev and process_vm_readv.
//
// Condition: the system lets us (deposit::user_memory).
// Cost: one system call for data in one block at either end; otherwise one for each `most_blocks`
// blocks of the end that has more of them. The vectors of a call are made from both layouts as they
// are, and cut differently at either end; they lie on the stack.
#include <array>

#include "base/fault.hpp"
#include "rma/engine.hpp"
#include "rma/ways.hpp"

namespace loadstone::rma {

using base::code;
using base::status;
using deposit::reached;

status outcome_of(reached r) {
  switch (r) {
    case reached::done:
      return status::success();
    case reached::refused:
      return {code::refused, 0, "the system refuses access to the target's memory"};
    case reached::gone:
      return {code::gone, 0, "the target has died"};
    case reached::bad_address:
      return {code::bad_address, 0, "memory of the window, or of the buffer, is not accessible"};
  }
  return status::success();
}

namespace {

constexpr std::size_t most_blocks = 256;

// The next blocks of one end.
class blocks {
 public:
  // Packed bytes [from, from + bytes) of a message, as far as there is room; returns how many.
  std::int64_t fill(const void* address, std::int64_t count, const datatype::type& t, std::int64_t from,
                    std::int64_t bytes) {
    used_ = 0;
    if (t.in_one_block(count)) {
      add(t.block_at(address) + from, static_cast<std::size_t>(bytes));
      return bytes;
    }
    return datatype::for_each_block(
        address, count, t, from, bytes,
        [](void* self, void* block, std::size_t length) {
          return static_cast<blocks*>(self)->add(block, length);
        },
        this);
  }
  std::span<const iovec> all() const { return {vectors_.data(), used_}; }

 private:
  bool add(void* block, std::size_t length) {
    vectors_[used_++] = {block, length};
    return used_ < most_blocks;
  }
  std::array<iovec, most_blocks> vectors_;
  std::size_t used_ = 0;
};

// move(remote, local) is one system call, or several where it is interrupted.
template <class Move>
status move_all(const place& at, const local_data& here, const remote_data& there, Move&& move) {
  const std::int64_t bytes = there.bytes();
  const auto* const address = reinterpret_cast<const std::byte*>(at.address);
  if (here.type->in_one_block(here.count) && there.type->in_one_block(there.count)) {
    const iovec remote{there.type->block_at(address), static_cast<std::size_t>(bytes)};
    const iovec local{here.type->block_at(here.address), static_cast<std::size_t>(bytes)};
    return outcome_of(move(std::span(&remote, 1), std::span(&local, 1)));
  }
  blocks remote, local;
  for (std::int64_t done = 0; done < bytes;) {
    std::int64_t now = remote.fill(address, there.count, *there.type, done, bytes - done);
    now = local.fill(here.address, here.count, *here.type, done, now);  // the shorter list counts
    if (const status moved = outcome_of(move(remote.all(), local.all())); !moved.ok()) return moved;
    LOADSTONE_FAULT_POINT("rma.moved");
    done += now;
  }
  return status::success();
}

}  // namespace

status system_put(window& w, const place& at, const local_data& origin, const remote_data& where) {
  return move_all(at, origin, where, [&](std::span<const iovec> remote, std::span<const iovec> local) {
    return w.engine().endpoint().user().put(at.to->process, remote, local);
  });
}

status system_get(window& w, const place& at, const local_data& result, const remote_data& where) {
  return move_all(at, result, where, [&](std::span<const iovec> remote, std::span<const iovec> local) {
    return w.engine().endpoint().user().get(at.to->process, local, remote);
  });
}

}  // namespace loadstone::rma
