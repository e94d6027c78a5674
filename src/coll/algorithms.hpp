// The algorithms on one group, as parts that the collectives (and each other) are composed of. Each
// writes its messages and local work into a builder and leaves the last stage open: the caller ends
// it with then() before it uses the result in a further step. Condition, cost and source stand at
// the top of each .cpp; p = members, n = bytes of one process' data.
#pragma once

#include <cstdint>
#include <span>

#include "coll/builder.hpp"

namespace loadstone::coll {

// --- barrier
void barrier_tree(builder& b, const team& t);
void barrier_dissemination(builder& b, const team& t);
void barrier_linear(builder& b, const team& t);

// --- one to all, all to one
void bcast_binomial(builder& b, const team& t, buffer data, std::int32_t root);
void bcast_chain(builder& b, const team& t, buffer data, std::int32_t root, std::int64_t segment_bytes);

// Where each member's block lies in memory: blocks of equal size, or counts and displacements.
class blocks {
 public:
  virtual ~blocks() = default;
  virtual buffer of(std::int32_t rank) const = 0;
};
// `mine` is this process' block; `all` is looked at by the root only. With in_place the root's own
// block is where it belongs.
void gather_linear(builder& b, const team& t, buffer mine, const blocks* all, std::int32_t root,
                   bool in_place);
void gather_binomial(builder& b, const team& t, buffer mine, const blocks* all, std::int32_t root,
                     bool in_place);
void scatter_linear(builder& b, const team& t, const blocks* all, buffer mine, std::int32_t root,
                    bool in_place);
void scatter_binomial(builder& b, const team& t, const blocks* all, buffer mine, std::int32_t root,
                      bool in_place);

// --- all to all. `to` has `t.size` blocks to send, `from` where to receive; what goes from a
// process to itself is a copy, left out when `skip_self`. `steps` ≥ t.size when the two groups of
// an inter-communicator differ in size.
struct exchange_parts {
  const blocks& to;
  const blocks& from;
  std::int32_t steps;
  bool inter, skip_self;
};
void exchange_pairwise(builder& b, const team& t, const exchange_parts& e);

// Every member's block is in place in `all` at that member before; all of them after.
void allgather_ring(builder& b, const team& t, const blocks& all);
void allgather_direct(builder& b, const team& t, const blocks& all);
// Blocks of equal size only.
void allgather_bruck(builder& b, const team& t, buffer all, std::int64_t block_count);
void allgather_by_root(builder& b, const team& t, buffer all, std::int64_t block_count);

// --- reductions, always in rank order: lower op higher
struct operand {
  std::int64_t count;
  const datatype::type& type;
  const datatype::op& op;
  buffer at(const void* address) const { return {address, count, &type}; }
};
// Result at the root in `result` (elsewhere ignored, may be null). input == result: in place.
void reduce_binomial(builder& b, const team& t, const operand& o, const void* input, void* result,
                     std::int32_t root);
void reduce_scattered(builder& b, const team& t, const operand& o, const void* input, void* result,
                      std::int32_t root);
void allreduce_doubling(builder& b, const team& t, const operand& o, const void* input, void* result);
void allreduce_by_root(builder& b, const team& t, const operand& o, const void* input, void* result);
void allreduce_scattered(builder& b, const team& t, const operand& o, const void* input, void* result);
// Elements [first[i], first[i + 1]) of the reduction go to member i. `aliased`: result overlaps
// input.
void reduce_scatter_direct(builder& b, const team& t, const operand& o, std::span<const std::int64_t> first,
                           const void* input, void* result, bool aliased);
void reduce_scatter_by_root(builder& b, const team& t, const operand& o, std::span<const std::int64_t> first,
                            const void* input, void* result);
void scan_doubling(builder& b, const team& t, const operand& o, const void* input, void* result);
void exscan_doubling(builder& b, const team& t, const operand& o, const void* input, void* result);

}  // namespace loadstone::coll
