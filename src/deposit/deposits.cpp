// One-sided operations. On mapped memory they are loads, stores and atomic instructions of the
// caller.
#include <algorithm>
#include <atomic>

#include "deposit/endpoint.hpp"
#include "transport/routes.hpp"

namespace loadstone::deposit {

using base::code;
using base::status;

namespace {

// What a transport walks through (transport::some_pieces): two strided layouts at once, one
// contiguous piece at a time.
template <class Byte>
auto pieces(one_sided::strided there, Byte* local, one_sided::strided here) {
  return [=](auto&& piece) {
    std::size_t in_there = 0, in_here = 0, done_there = 0, done_here = 0;
    std::ptrdiff_t at_there = 0, at_here = 0;
    if (there.block == 0 || here.block == 0) return;
    while (done_there < there.count && done_here < here.count) {
      const std::size_t n = std::min(there.block - in_there, here.block - in_here);
      piece(at_there + static_cast<std::ptrdiff_t>(in_there),
            local + at_here + static_cast<std::ptrdiff_t>(in_here), n);
      in_there += n;
      in_here += n;
      if (in_there == there.block) {
        in_there = 0;
        ++done_there;
        at_there += there.stride;
      }
      if (in_here == here.block) {
        in_here = 0;
        ++done_here;
        at_here += here.stride;
      }
    }
  };
}

template <class Byte>
auto pieces(std::span<const one_sided::block> blocks, Byte* local) {
  return [=](auto&& piece) {
    for (const one_sided::block& b : blocks)
      if (b.bytes != 0) piece(static_cast<std::ptrdiff_t>(b.remote_offset), local + b.local_offset, b.bytes);
  };
}

// Calls f with the way that deposits there take.
template <class F>
status stores_to(transport::routes& routes, memory::address remote, F&& f) {
  return routes.with(remote.region.process, [&](auto& way) { return f(way.stores()); });
}

}  // namespace

status one_sided::put(memory::address remote, const void* local, std::size_t bytes) {
  if (bytes == 0) return status::success();
  return stores_to(routes_, remote, [&](auto& to) { return to.put(remote, local, bytes); });
}

status one_sided::get(void* local, memory::address remote, std::size_t bytes) {
  if (bytes == 0) return status::success();
  return stores_to(routes_, remote, [&](auto& to) { return to.get(local, remote, bytes); });
}

status one_sided::put_strided(memory::address remote, strided at_remote, const void* local,
                              strided at_local) {
  return stores_to(routes_, remote, [&](auto& to) {
    return to.put_pieces(remote, pieces(at_remote, static_cast<const std::byte*>(local), at_local));
  });
}

status one_sided::get_strided(void* local, strided at_local, memory::address remote, strided at_remote) {
  return stores_to(routes_, remote, [&](auto& to) {
    return to.get_pieces(remote, pieces(at_remote, static_cast<std::byte*>(local), at_local));
  });
}

status one_sided::put_indexed(memory::address remote, const void* local, std::span<const block> blocks) {
  return stores_to(routes_, remote, [&](auto& to) {
    return to.put_pieces(remote, pieces(blocks, static_cast<const std::byte*>(local)));
  });
}

status one_sided::get_indexed(void* local, memory::address remote, std::span<const block> blocks) {
  return stores_to(routes_, remote, [&](auto& to) {
    return to.get_pieces(remote, pieces(blocks, static_cast<std::byte*>(local)));
  });
}

base::result<std::uint64_t> one_sided::atomic(memory::address remote, std::size_t width, atomic_op op,
                                              std::uint64_t operand, std::uint64_t compare) {
  if ((width != 4 && width != 8) || remote.offset % width != 0)
    return status{code::invalid, 0, "atomic operations are on naturally aligned integers of 4 or 8 bytes"};
  if (by_message(remote)) return atomic_by_message(remote, width, op, operand, compare);
  auto got = memory_.reach(remote);
  if (!got) return got.error();
  return apply(got->at, width, op, operand, compare);
}

status one_sided::signal(std::uint32_t peer, counter where, std::uint64_t n) {
  if (by_message(where.where)) return signal_by_message(peer, where, n);
  auto got = memory_.reach(where.where);
  if (!got) return got.error();
  apply(got->at, 8, atomic_op::fetch_add, n, 0);  // sync: counter
  routes_.wake(peer);
  return status::success();
}

status one_sided::fence(std::uint32_t peer) {
  return routes_.with(peer, [&](auto& way) { return way.stores().fence(peer); });
}

status one_sided::fence_all() {
  return routes_.fence_all();
}

bool one_sided::wait_counter(counter mine, std::uint64_t at_least, const wait::reason& why) {
  auto got = memory_.reach(mine.where);
  if (!got) return false;
  const std::atomic_ref<std::uint64_t> word(*reinterpret_cast<std::uint64_t*>(got->at));
  const auto reached = [&] { return word.load(std::memory_order_acquire) >= at_least; };  // sync: counter
  return endpoint_.wait_until(reached, why);
}

}  // namespace loadstone::deposit
