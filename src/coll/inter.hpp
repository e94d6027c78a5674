// The collectives of inter-communicators, composed of the algorithms on one group and messages
// between the groups. `root`: a rank of the remote group, or one of the two constants.
#pragma once

#include "coll/algorithms.hpp"
#include "coll/engine.hpp"

namespace loadstone::coll::inter {

inline constexpr std::int32_t bystander = -1;  // MPI_PROC_NULL: in the root's group, but not the root
inline constexpr std::int32_t root_here = -2;  // MPI_ROOT

void barrier(builder& b, const group_view& g);
void bcast(builder& b, const group_view& g, buffer data, std::int32_t root);
void gather(builder& b, const group_view& g, buffer mine, const blocks* all, std::int32_t root);
void scatter(builder& b, const group_view& g, const blocks* all, buffer mine, std::int32_t root);
// For alltoall in all forms, and for allgather, where the block to send is the same for all.
void exchange(builder& b, const group_view& g, const blocks& to, const blocks& from);
void reduce(builder& b, const group_view& g, const operand& o, const void* input, void* result,
            std::int32_t root);
// Each group gets the reduction of the other one.
void allreduce(builder& b, const group_view& g, const operand& o, const void* input, void* result);
void reduce_scatter(builder& b, const group_view& g, const operand& o, std::span<const std::int64_t> first,
                    const void* input, void* result);

}  // namespace loadstone::coll::inter
