// All-to-all exchange, and the allgathers.
//
//   pairwise  all-to-all, direct allgather, and between groups. In step i send to rank + i, receive
//             from rank - i: p-1 messages out and in, every block is moved once, and no two
//             processes send to the same one. Several steps (`window`) are outstanding at once.
//             Both sides of a message are in the same step, so all members have posted the step of
//             the slowest: no deadlock. Empty blocks are sent as well, so that a receiver that
//             expects data all the same, by an error of the program, gets a short message.
//   ring      allgather of long blocks on links between neighbours. p-1 steps; each passes the
//             block received before on to the neighbour above. Every block crosses each link once.
//   direct    allgather of long blocks, or among few members. Each block goes from its owner to all
//             others, by pairwise exchange: as many bytes, and no dependencies, but all read the
//             same source.
//   bruck     allgather of short blocks with a core for every process (Bruck et al. 1997). log p
//             steps; step k sends the first min(2^k, p - 2^k) blocks to the member 2^k below. One
//             rotation of the blocks at the end.
//   by_root   allgather of short blocks by more processes than cores. Gather to rank 0 and
//             broadcast: 2(p-1) messages in all instead of p log p.
#include <algorithm>

#include "coll/algorithms.hpp"
#include "coll/blocks.hpp"

namespace loadstone::coll {

namespace {
constexpr std::int32_t window = 16;
}  // namespace

void exchange_pairwise(builder& b, const team& t, const exchange_parts& e) {
  if (!e.inter && !e.skip_self) b.copy(e.to.of(t.rank), e.from.of(t.rank));
  for (std::int32_t i = e.inter ? 0 : 1; i < e.steps; ++i) {
    const std::int32_t source = (t.rank - i + e.steps) % e.steps;
    const std::int32_t destination = (t.rank + i) % e.steps;
    if (source < t.size) b.receive(t, source, e.from.of(source));
    if (destination < t.size) b.send(t, destination, e.to.of(destination));
    if ((i + 1) % window == 0) b.then();
  }
}

void allgather_ring(builder& b, const team& t, const blocks& all) {
  const std::int32_t above = (t.rank + 1) % t.size;
  const std::int32_t below = (t.rank - 1 + t.size) % t.size;
  for (std::int32_t i = 0; i + 1 < t.size; ++i) {
    b.receive(t, below, all.of((t.rank - i - 1 + t.size) % t.size));
    b.send(t, above, all.of((t.rank - i + t.size) % t.size));
    b.then();
  }
}

void allgather_direct(builder& b, const team& t, const blocks& all) {
  const one_block mine(all.of(t.rank));
  exchange_pairwise(b, t, {mine, all, t.size, false, true});
}

void allgather_bruck(builder& b, const team& t, buffer all, std::int64_t block_count) {
  // Rotated: the own block first, then those of the members above.
  const datatype::type& type = *all.type;
  void* rotated = b.scratch(block_count * t.size, type);
  auto at = [&](std::int64_t block, std::int64_t n) {
    return buffer{element(rotated, block * block_count, type), n * block_count, &type};
  };
  b.copy(part(all, t.rank * block_count, block_count), at(0, 1));
  for (std::int32_t distance = 1; distance < t.size; distance <<= 1) {
    const std::int32_t n = std::min(distance, t.size - distance);
    b.receive(t, (t.rank + distance) % t.size, at(distance, n));
    b.send(t, (t.rank - distance + t.size) % t.size, at(0, n));
    b.then();
  }
  const std::int32_t above = t.size - t.rank;  // blocks from mine to the last
  b.copy(at(1, above - 1), part(all, (t.rank + 1) * block_count, (above - 1) * block_count));
  b.copy(at(above, t.rank), part(all, 0, t.rank * block_count));
}

void allgather_by_root(builder& b, const team& t, buffer all, std::int64_t block_count) {
  const equal_blocks each({all.address, block_count, all.type});
  gather_linear(b, t, each.of(t.rank), &each, 0, true);
  b.then();
  bcast_binomial(b, t, {all.address, block_count * t.size, all.type}, 0);
}

}  // namespace loadstone::coll
