// All-to-all exchange, and the allgathers.
//
// pairwise: in step i send to rank + i, receive from rank - i: p-1 messages out and in, every block
//   moved once, no two processes aim at the same one. A window of steps is outstanding at once.
//   Both sides of a message are in the same step, so the slowest step is always posted by everyone:
//   no deadlock. Used for everything (all-to-all, direct allgather, between groups). Empty blocks
//   are sent, too: a sender that has nothing for a receiver that waits for something (an error of
//   the program) ends like a short message.
// ring: p-1 steps to the neighbour above, passing on the block received before. Every block crosses
//   each link once: long blocks, on links with neighbours.
// direct: every block from its owner to everyone, by pairwise exchange: as many bytes and no
//   dependencies, but all read one source. Few members, or long blocks.
// bruck (Bruck et al. 1997): log p steps; step k sends the first min(2^k, p - 2^k) blocks to the
//   member 2^k below. Short blocks and a core for everybody; one rotation at the end.
// by_root: gather to rank 0 and broadcast: 2(p-1) messages in all instead of p log p. Short blocks,
//   more processes than cores.
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
  // Rotated: my own block first, then those of the members above me.
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
