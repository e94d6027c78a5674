// Collectives of inter-communicators (MPI-5.0 §6.2.3). Where a group as a whole sends or gets one
// message, its rank 0 (the leader) does it. In gather, scatter and all-to-all, members send
// straight to members of the other group.
#include "coll/inter.hpp"

#include <algorithm>

#include "coll/blocks.hpp"
#include "coll/packed.hpp"
#include "coll/teams.hpp"

namespace loadstone::coll::inter {

namespace {
constexpr unsigned between_leaders = 4;  // phase of the messages between the ranks 0
}  // namespace

// All tell their leader, the leaders tell each other, each leader releases its group: no process
// leaves before all of the *other* group have arrived.
void barrier(builder& b, const group_view& g) {
  const team local = local_team(g), remote = remote_team(g);
  if (g.rank != 0) {
    b.send(local, 0, nothing());
  } else {
    for (std::int32_t i = 1; i < local.size; ++i) b.receive(local, i, nothing());
  }
  b.then();
  if (g.rank == 0) {
    b.receive(remote, 0, nothing(), between_leaders);
    b.send(remote, 0, nothing(), between_leaders);
    b.then();
  }
  bcast_binomial(b, local, nothing(), 0);
}

void bcast(builder& b, const group_view& g, buffer data, std::int32_t root) {
  if (root == bystander) return;
  if (root == root_here) {
    b.send(remote_team(g), 0, data, between_leaders);
    return;
  }
  if (g.rank == 0) {
    b.receive(remote_team(g), root, data, between_leaders);
    b.then();
  }
  bcast_binomial(b, local_team(g), data, 0);
}

void gather(builder& b, const group_view& g, buffer mine, const blocks* all, std::int32_t root) {
  if (root == bystander) return;
  const team remote = remote_team(g);
  if (root != root_here) {
    b.send(remote, root, mine);
    return;
  }
  for (std::int32_t i = 0; i < remote.size; ++i) b.receive(remote, i, all->of(i));
}

void scatter(builder& b, const group_view& g, const blocks* all, buffer mine, std::int32_t root) {
  if (root == bystander) return;
  const team remote = remote_team(g);
  if (root != root_here) {
    b.receive(remote, root, mine);
    return;
  }
  for (std::int32_t i = 0; i < remote.size; ++i) b.send(remote, i, all->of(i));
}

void exchange(builder& b, const group_view& g, const blocks& to, const blocks& from) {
  exchange_pairwise(b, remote_team(g), {to, from, std::max(g.local_size, g.remote_size), true, true});
}

void reduce(builder& b, const group_view& g, const operand& o, const void* input, void* result,
            std::int32_t root) {
  if (root == bystander) return;
  if (root == root_here) {
    b.receive(remote_team(g), 0, o.at(result), between_leaders);
    return;
  }
  void* sum = g.rank == 0 ? b.scratch(o.count, o.type) : nullptr;
  reduce_binomial(b, local_team(g), o, input, sum, 0);
  b.then();
  if (g.rank == 0) b.send(remote_team(g), root, o.at(sum), between_leaders);
}

void allreduce(builder& b, const group_view& g, const operand& o, const void* input, void* result) {
  const team local = local_team(g), remote = remote_team(g);
  void* sum = g.rank == 0 ? b.scratch(o.count, o.type) : nullptr;
  reduce_binomial(b, local, o, input, sum, 0);
  b.then();
  if (g.rank == 0) {
    b.receive(remote, 0, o.at(result), between_leaders);
    b.send(remote, 0, o.at(sum), between_leaders);
    b.then();
  }
  bcast_binomial(b, local, o.at(result), 0);
}

void reduce_scatter(builder& b, const group_view& g, const operand& o, std::span<const std::int64_t> first,
                    const void* input, void* result) {
  const team local = local_team(g), remote = remote_team(g);
  const bool leader = g.rank == 0;
  void* sum = leader ? b.scratch(o.count, o.type) : nullptr;
  void* theirs = leader ? b.scratch(o.count, o.type) : nullptr;
  reduce_binomial(b, local, o, input, sum, 0);
  b.then();
  if (leader) {
    b.receive(remote, 0, o.at(theirs), between_leaders);
    b.send(remote, 0, o.at(sum), between_leaders);
    b.then();
  }
  const sliced_blocks all(theirs, first, o.type);
  scatter_linear(b, local, leader ? &all : nullptr, {result, first[g.rank + 1] - first[g.rank], &o.type}, 0,
                 false);
}

}  // namespace loadstone::coll::inter
