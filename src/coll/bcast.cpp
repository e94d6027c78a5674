// Broadcast.
//
//   binomial  log p steps of n bytes, p-1 messages. Each process receives once and, where messages
//             are copied once, copies once.
//   scattered for long data where each member copies for itself, and cannot map or reach the
//   others'
//             memory: the root sends each a p-th of it, which all then exchange: 2 n bytes at each
//             member in place of n log p on the way to the last (van de Geijn).
//   chain     for links of limited bandwidth; not chosen automatically on one machine. The data
//             goes from rank to rank, upwards from the root, in segments: receiving a segment
//             overlaps with sending the one before. (p - 2 + n/segment) steps of one segment
//             (Worringer, dissertation §6.6, "pcast"). Segments are parts of the packed data:
//             non-contiguous data is packed once at the root and unpacked once at each receiver.
#include <algorithm>

#include "coll/algorithms.hpp"
#include "coll/blocks.hpp"
#include "coll/packed.hpp"
#include "coll/slices.hpp"

namespace loadstone::coll {

void bcast_binomial(builder& b, const team& t, buffer data, std::int32_t root) {
  const std::int32_t relative = (t.rank - root + t.size) % t.size;
  auto member = [&](std::int32_t r) { return (r + root) % t.size; };
  std::int32_t mask = 1;
  while (mask < t.size && !(relative & mask)) mask <<= 1;
  if (relative != 0) {
    b.receive(t, member(relative - mask), data);
    b.then();
  }
  for (mask >>= 1; mask > 0; mask >>= 1)
    if (relative + mask < t.size) b.send(t, member(relative + mask), data);
}

void bcast_scattered(builder& b, const team& t, buffer data, std::int32_t root) {
  const bool at_root = t.rank == root;
  packed_form whole(b, data);
  if (at_root) whole.pack();
  const std::vector<std::int64_t> first = even_slices(packed_bytes(data), t.size);
  const sliced_blocks all(whole.bytes(0, 0).address, first, byte_type());
  scatter_linear(b, t, at_root ? &all : nullptr, all.of(t.rank), root, true);
  b.then();
  allgather_direct(b, t, all);
  if (at_root) return;
  b.then();
  whole.unpack();
}

void bcast_chain(builder& b, const team& t, buffer data, std::int32_t root, std::int64_t segment_bytes) {
  if (t.size == 1) return;
  const std::int64_t total = packed_bytes(data);
  const std::int32_t relative = (t.rank - root + t.size) % t.size;
  const std::int32_t previous = (t.rank - 1 + t.size) % t.size;
  const std::int32_t next = (t.rank + 1) % t.size;
  const bool receives = relative != 0, sends = relative + 1 < t.size;

  packed_form whole(b, data);
  if (!receives) whole.pack();
  auto segment = [&](std::int64_t from) { return whole.bytes(from, std::min(segment_bytes, total - from)); };
  for (std::int64_t at = 0; at < total; at += segment_bytes) {
    if (receives) {
      b.receive(t, previous, segment(at));
      b.then();  // waits for the send of the segment before as well
    }
    if (sends) b.send(t, next, segment(at));
  }
  if (receives) {
    b.then();
    whole.unpack();
  }
}

}  // namespace loadstone::coll
