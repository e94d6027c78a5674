// The algorithms on one group. Collectives are composed of them, and some of them of others. Each
// writes its messages and local work into a builder, and does not wait for the last of them: a
// caller that goes on with the result calls then() first. Condition, cost and source stand at the
// top of each .cpp; p = members, n = bytes of one process's data.
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
void bcast_scattered(builder& b, const team& t, buffer data, std::int32_t root);
void bcast_chain(builder& b, const team& t, buffer data, std::int32_t root, std::int64_t segment_bytes);

// Where each member's block lies in memory: blocks of equal size, or counts and displacements.
class blocks {
 public:
  virtual ~blocks() = default;
  virtual buffer of(std::int32_t rank) const = 0;
};
// `mine` is the block of this process; `all` is used at the root only. With in_place the root's own
// block is already where it belongs.
void gather_linear(builder& b, const team& t, buffer mine, const blocks* all, std::int32_t root,
                   bool in_place);
void gather_binomial(builder& b, const team& t, buffer mine, const blocks* all, std::int32_t root,
                     bool in_place);
void scatter_linear(builder& b, const team& t, const blocks* all, buffer mine, std::int32_t root,
                    bool in_place);
void scatter_binomial(builder& b, const team& t, const blocks* all, buffer mine, std::int32_t root,
                      bool in_place);

// --- all to all. `to`: the t.size blocks to send; `from`: where to receive those of the others.
// The block of a process for itself is copied, unless `skip_self`. `steps`: t.size, or the size of
// the larger group of an inter-communicator.
struct exchange_parts {
  const blocks& to;
  const blocks& from;
  std::int32_t steps;
  bool inter, skip_self;
};
void exchange_pairwise(builder& b, const team& t, const exchange_parts& e);

// Before: each member has its own block in `all`. After: each has all blocks.
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
// The root gets the reduction in `result`, which others may leave null. input == result: in place.
void reduce_binomial(builder& b, const team& t, const operand& o, const void* input, void* result,
                     std::int32_t root);
void reduce_scattered(builder& b, const team& t, const operand& o, const void* input, void* result,
                      std::int32_t root);
void allreduce_doubling(builder& b, const team& t, const operand& o, const void* input, void* result);
void allreduce_by_root(builder& b, const team& t, const operand& o, const void* input, void* result);
void allreduce_halving(builder& b, const team& t, const operand& o, const void* input, void* result);
void allreduce_scattered(builder& b, const team& t, const operand& o, const void* input, void* result);
// Member i gets the elements [first[i], first[i + 1]) of the reduction. `aliased`: result overlaps
// input.
void reduce_scatter_direct(builder& b, const team& t, const operand& o, std::span<const std::int64_t> first,
                           const void* input, void* result, bool aliased);
void reduce_scatter_by_root(builder& b, const team& t, const operand& o, std::span<const std::int64_t> first,
                            const void* input, void* result);
// Of an allreduce, each keeps its slice.
using allreduce_function = void (*)(builder&, const team&, const operand&, const void* input, void* result);
void reduce_scatter_whole(builder& b, const team& t, const operand& o, std::span<const std::int64_t> first,
                          const void* input, void* result, allreduce_function allreduce);
void scan_doubling(builder& b, const team& t, const operand& o, const void* input, void* result);
void exscan_doubling(builder& b, const team& t, const operand& o, const void* input, void* result);
void scan_direct(builder& b, const team& t, const operand& o, const void* input, void* result);
void exscan_direct(builder& b, const team& t, const operand& o, const void* input, void* result);

// --- in areas (area.cpp): of data that fits a slot
class area_writer;
void barrier_area(area_writer& w);
void bcast_area(area_writer& w, buffer data, std::int32_t root);
void reduce_area(builder& b, area_writer& w, const operand& o, const void* input, void* result,
                 std::int32_t root);
void allreduce_area(area_writer& w, const operand& o, const void* input, void* result);
void scan_area(area_writer& w, const operand& o, const void* input, void* result);
void exscan_area(area_writer& w, const operand& o, const void* input, void* result);
void reduce_scatter_area(builder& b, area_writer& w, const operand& o, std::span<const std::int64_t> first,
                         const void* input, void* result);
void allgather_area(area_writer& w, const blocks& all);
void gather_area(builder& b, area_writer& w, buffer mine, const blocks* all, std::int32_t root,
                 bool in_place);
// `all`: the first of equal blocks.
void scatter_area(builder& b, area_writer& w, buffer all, buffer mine, std::int32_t root, bool in_place);
void alltoall_area(area_writer& w, buffer to, buffer from, bool in_place);

// --- along the levels of the machine (area_levels.cpp): of data that fits a slot
void barrier_levels(area_writer& w);
void bcast_levels(area_writer& w, buffer data, std::int32_t root);
void reduce_levels(builder& b, area_writer& w, const operand& o, const void* input, void* result,
                   std::int32_t root);
void allreduce_levels(builder& b, area_writer& w, const operand& o, const void* input, void* result);
void reduce_scatter_levels(builder& b, area_writer& w, const operand& o, std::span<const std::int64_t> first,
                           const void* input, void* result);

// --- of data that stays where it is (buffers.cpp). Reductions are of contiguous types.
void bcast_buffers(builder& b, area_writer& w, buffer data, std::int32_t root);
void bcast_blocks(area_writer& w, buffer data, std::int32_t root);
void gather_buffers(builder& b, area_writer& w, buffer mine, const blocks* all, std::int32_t root,
                    bool in_place);
void scatter_buffers(builder& b, area_writer& w, const blocks* all, buffer mine, std::int32_t root,
                     bool in_place);
void allgather_buffers(builder& b, area_writer& w, buffer mine, const blocks& all, bool in_place);
void allgather_blocks(builder& b, area_writer& w, buffer mine, const blocks& all, bool in_place);
void alltoall_blocks(builder& b, area_writer& w, buffer to, buffer from, bool in_place);
void alltoall_buffers(builder& b, area_writer& w, const blocks& to, const blocks& from, bool skip_self);
// --- of blocks whose sizes only their owners know (vectors.cpp)
void gatherv_area(builder& b, area_writer& w, buffer mine, const blocks* all, std::int32_t root,
                  bool in_place);
void scatterv_area(builder& b, area_writer& w, const blocks* all, buffer mine, std::int32_t root,
                   bool in_place);
void gather_edges(builder& b, area_writer& w, buffer mine, const blocks* all, std::int32_t root,
                  bool in_place);
void scatter_edges(builder& b, area_writer& w, const blocks* all, buffer mine, std::int32_t root,
                   bool in_place);
void alltoall_edges(builder& b, area_writer& w, const blocks* to, const blocks& from);  // null: in place
// Reductions on data that stays where it is: what the operands go through.
enum class through : std::uint8_t { buffers, blocks, chain };
void reduce_joint(builder& b, area_writer& w, const operand& o, const void* input, void* result,
                  std::int32_t root, through what);
void allreduce_joint(builder& b, area_writer& w, const operand& o, const void* input, void* result,
                     through what);
void reduce_scatter_joint(builder& b, area_writer& w, const operand& o, std::span<const std::int64_t> first,
                          const void* input, void* result, through what);
void scan_buffers(builder& b, area_writer& w, const operand& o, const void* input, void* result,
                  bool strictly);

}  // namespace loadstone::coll
