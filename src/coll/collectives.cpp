// The collectives of MPI: what each means on intra- and inter-communicators, and which algorithm
// does it.
//
// A message is sent even if it is empty, never left out because a count at this process is 0. So
// where the counts of two processes do not match, which is an error of the program, a message is
// short or truncated, and no process waits for ever.
#include <algorithm>
#include <vector>

#include "coll/blocks.hpp"
#include "coll/engine_state.hpp"
#include "coll/inter.hpp"
#include "coll/neighbor.hpp"
#include "coll/teams.hpp"

namespace loadstone::coll {

namespace {

void keep(builder& b, const vector_side& side, std::size_t n) {
  if (side.type) {
    b.keep(*side.type);
  } else {
    for (std::size_t i = 0; i < n; ++i) b.keep(*side.types[i]);
  }
}

// The call of a v form, as one that may be repeated: null is what is in place, or of no use here.
// Each field is written once: to clear all and then fill some takes twice as long as the rest.
struct listed_call {
  same_call call;
  call_lists lists;
};
struct listed_side {
  const void* address = nullptr;
  std::int64_t count = 0;
  const datatype::type* type = nullptr;
  const integers *counts = nullptr, *displacements = nullptr;

  explicit listed_side(const p2p::buffer* side) {
    if (side != nullptr) address = side->address, count = side->count, type = side->type;
  }
  explicit listed_side(const vector_side* side) {
    if (side == nullptr) return;
    address = side->address, type = side->type;
    counts = &side->counts, displacements = &side->displacements;
  }
};
listed_call exchange_by_lists(const group_view& g, operation what, const listed_side& send,
                              const listed_side& receive, std::int32_t root = 0) {
  return {{.what = what,
           .in_place = false,
           .root = root,
           .send = send.address,
           .receive = receive.address,
           .send_count = send.count,
           .receive_count = receive.count,
           .send_type = send.type,
           .receive_type = receive.type,
           .op = nullptr},
          {static_cast<std::size_t>(g.local_size),
           {send.counts, send.displacements, receive.counts, receive.displacements}}};
}

}  // namespace

schedule* engine::barrier(const group_view& g) {
  return state_->build(g, same_call{.what = operation::barrier}, [&](builder& b) {
    if (g.inter) return inter::barrier(b, g);
    const auto by_messages = [&](barrier_algorithm a) {
      switch (a) {
        case barrier_algorithm::dissemination:
          return barrier_dissemination(b, local_team(g));
        case barrier_algorithm::linear:
          return barrier_linear(b, local_team(g));
        default:
          return barrier_tree(b, local_team(g));
      }
    };
    state_->write(
        b, g, {operation::barrier, {}}, state_->choices.for_barrier(g.local_size), by_messages,
        [](area_writer& w) { w.by_levels() ? barrier_levels(w) : barrier_area(w); },
        [](area_writer&, through) {});
  });
}

schedule* engine::bcast(const group_view& g, const p2p::buffer& data, std::int32_t root) {
  const same_call call{.what = operation::bcast,
                       .root = root,
                       .receive = data.address,
                       .receive_count = data.count,
                       .receive_type = data.type};
  return state_->build(g, call, [&](builder& b) {
    if (g.inter && root == inter::bystander) return;
    b.keep(*data.type);
    if (g.inter) return inter::bcast(b, g, data, root);
    const team t = local_team(g);
    const std::int64_t bytes = packed_bytes(data);
    const auto by_messages = [&](bcast_algorithm a) {
      if (a == bcast_algorithm::chain) return bcast_chain(b, t, data, root, state_->choices.chain_segment());
      if (a == bcast_algorithm::scattered) return bcast_scattered(b, t, data, root);
      bcast_binomial(b, t, data, root);
    };
    state_->write(
        b, g, {operation::bcast, {bytes, bytes}}, state_->choices.for_bcast(t.size, bytes), by_messages,
        [&](area_writer& w) { w.by_levels() ? bcast_levels(w, data, root) : bcast_area(w, data, root); },
        [&](area_writer& w, through what) {
          if (what == through::blocks) return bcast_blocks(w, data, root);
          bcast_buffers(b, w, data, root);
        });
  });
}

schedule* engine::gather(const group_view& g, const p2p::buffer& send, const p2p::buffer& receive,
                         std::int32_t root, bool in_place) {
  const bool at_root = root == g.rank;
  const auto call = same_call::exchange(operation::gather, at_root && in_place ? nullptr : &send,
                                        at_root ? &receive : nullptr, root);
  return state_->build(g, call, [&](builder& b) {
    if (g.inter && root == inter::bystander) return;
    const bool collects = g.inter ? root == inter::root_here : root == g.rank;
    in_place = in_place && collects;
    const buffer mine = collects && (in_place || g.inter) ? receive : send;
    b.keep(*mine.type);
    if (collects) b.keep(*receive.type);
    const equal_blocks all(collects ? receive : mine);
    const blocks* const into = collects ? &all : nullptr;
    if (g.inter) return inter::gather(b, g, mine, into, root);
    const team t = local_team(g);
    const std::int64_t bytes = packed_bytes(collects ? receive : mine);
    const auto by_messages = [&](gather_algorithm a) {
      if (a == gather_algorithm::binomial) return gather_binomial(b, t, mine, into, root, in_place);
      gather_linear(b, t, mine, into, root, in_place);
    };
    state_->write(
        b, g, {operation::gather, {bytes, bytes}}, state_->choices.for_gather(t.size, bytes), by_messages,
        [&](area_writer& w) { gather_area(b, w, mine, into, root, in_place); },
        [&](area_writer& w, through) { gather_buffers(b, w, mine, into, root, in_place); });
  });
}

schedule* engine::gatherv(const group_view& g, const p2p::buffer& send, const vector_side& receive,
                          std::int32_t root, bool in_place) {
  const bool at_root = root == g.rank;
  const auto c = exchange_by_lists(g, operation::gather, listed_side(at_root && in_place ? nullptr : &send),
                                   listed_side(at_root ? &receive : nullptr), root);
  return state_->build(g, c.call, &c.lists, [&](builder& b) {
    if (g.inter && root == inter::bystander) return;
    const bool collects = g.inter ? root == inter::root_here : root == g.rank;
    if (collects) b.keep(*receive.type);
    if (!collects || (!g.inter && !in_place)) b.keep(*send.type);
    const listed_blocks all(receive);
    const blocks* const into = collects ? &all : nullptr;
    in_place = in_place && collects;
    if (g.inter) {
      b.uses(gather_algorithm::linear);
      return inter::gather(b, g, send, into, root);
    }
    state_->write_unequal(
        b, g, operation::gather, [&] { gather_linear(b, local_team(g), send, into, root, in_place); },
        [&](area_writer& w) { gatherv_area(b, w, send, into, root, in_place); },
        [&](area_writer& w) { gather_edges(b, w, send, into, root, in_place); });
  });
}

schedule* engine::scatter(const group_view& g, const p2p::buffer& send, const p2p::buffer& receive,
                          std::int32_t root, bool in_place) {
  const bool at_root = root == g.rank;
  const auto call = same_call::exchange(operation::scatter, at_root ? &send : nullptr,
                                        at_root && in_place ? nullptr : &receive, root);
  return state_->build(g, call, [&](builder& b) {
    if (g.inter && root == inter::bystander) return;
    const bool deals = g.inter ? root == inter::root_here : root == g.rank;
    in_place = in_place && deals;
    const buffer mine = deals && (in_place || g.inter) ? send : receive;
    b.keep(*mine.type);
    if (deals) b.keep(*send.type);
    const equal_blocks all(deals ? send : mine);
    const blocks* const from = deals ? &all : nullptr;
    if (g.inter) return inter::scatter(b, g, from, mine, root);
    const team t = local_team(g);
    const std::int64_t bytes = packed_bytes(deals ? send : mine);
    const auto by_messages = [&](gather_algorithm a) {
      if (a == gather_algorithm::binomial) return scatter_binomial(b, t, from, mine, root, in_place);
      scatter_linear(b, t, from, mine, root, in_place);
    };
    state_->write(
        b, g, {operation::scatter, {bytes * t.size, bytes}}, state_->choices.for_scatter(t.size, bytes),
        by_messages, [&](area_writer& w) { scatter_area(b, w, send, mine, root, in_place); },
        [&](area_writer& w, through) { scatter_buffers(b, w, from, mine, root, in_place); });
  });
}

schedule* engine::scatterv(const group_view& g, const vector_side& send, const p2p::buffer& receive,
                           std::int32_t root, bool in_place) {
  const bool at_root = root == g.rank;
  const auto c = exchange_by_lists(g, operation::scatter, listed_side(at_root ? &send : nullptr),
                                   listed_side(at_root && in_place ? nullptr : &receive), root);
  return state_->build(g, c.call, &c.lists, [&](builder& b) {
    if (g.inter && root == inter::bystander) return;
    const bool deals = g.inter ? root == inter::root_here : root == g.rank;
    if (deals) b.keep(*send.type);
    if (!deals || (!g.inter && !in_place)) b.keep(*receive.type);
    const listed_blocks all(send);
    const blocks* const from = deals ? &all : nullptr;
    in_place = in_place && deals;
    if (g.inter) {
      b.uses(gather_algorithm::linear);
      return inter::scatter(b, g, from, receive, root);
    }
    state_->write_unequal(
        b, g, operation::scatter, [&] { scatter_linear(b, local_team(g), from, receive, root, in_place); },
        [&](area_writer& w) { scatterv_area(b, w, from, receive, root, in_place); },
        [&](area_writer& w) { scatter_edges(b, w, from, receive, root, in_place); });
  });
}

schedule* engine::allgather(const group_view& g, const p2p::buffer& send, const p2p::buffer& receive,
                            bool in_place) {
  return state_->build(g, same_call::exchange(operation::allgather, in_place ? nullptr : &send, &receive),
                       [&](builder& b) {
                         b.keep(*receive.type);
                         const equal_blocks all(receive);
                         if (g.inter) {
                           b.keep(*send.type);  // the two directions may carry different amounts, or nothing
                           return inter::exchange(b, g, one_block(send), all);
                         }
                         const team t = local_team(g);
                         if (!in_place) b.keep(*send.type);
                         const auto place_own = [&] {
                           if (!in_place) b.copy(send, all.of(t.rank));
                         };
                         const std::int64_t bytes = packed_bytes(receive);
                         const auto by_messages = [&](allgather_algorithm a) {
                           place_own();
                           switch (a) {
                             case allgather_algorithm::ring:
                               return allgather_ring(b, t, all);
                             case allgather_algorithm::bruck:
                               return allgather_bruck(b, t, receive, receive.count);
                             case allgather_algorithm::by_root:
                               return allgather_by_root(b, t, receive, receive.count);
                             default:
                               return allgather_direct(b, t, all);
                           }
                         };
                         state_->write(
                             b, g, {operation::allgather, {bytes, bytes}},
                             state_->choices.for_allgather(t.size, bytes), by_messages,
                             [&](area_writer& w) {
                               place_own();
                               allgather_area(w, all);
                             },
                             [&](area_writer& w, through what) {
                               const buffer mine = in_place ? all.of(t.rank) : send;
                               if (what == through::blocks)
                                 return allgather_blocks(b, w, mine, all, in_place);
                               allgather_buffers(b, w, mine, all, in_place);
                             });
                       });
}

schedule* engine::allgatherv(const group_view& g, const p2p::buffer& send, const vector_side& receive,
                             bool in_place) {
  const auto c = exchange_by_lists(g, operation::allgather, listed_side(in_place ? nullptr : &send),
                                   listed_side(&receive));
  return state_->build(g, c.call, &c.lists, [&](builder& b) {
    b.keep(*receive.type);
    const listed_blocks all(receive);
    if (g.inter) {
      b.keep(*send.type);
      return inter::exchange(b, g, one_block(send), all);
    }
    const team t = local_team(g);
    if (!in_place) b.keep(*send.type);
    const auto place_own = [&] {
      if (!in_place) b.copy(send, all.of(t.rank));
    };
    const auto by_messages = [&](allgather_algorithm a) {
      place_own();
      if (a == allgather_algorithm::ring) return allgather_ring(b, t, all);
      allgather_direct(b, t, all);
    };
    std::int64_t most = 0;
    for (std::int32_t i = 0; i < t.size; ++i) most = std::max(most, packed_bytes(all.of(i)));
    state_->write(
        b, g, {operation::allgather, {most, most}}, state_->choices.for_allgatherv(), by_messages,
        [&](area_writer& w) {
          place_own();
          allgather_area(w, all);
        },
        [&](area_writer& w, through what) {
          const buffer mine = in_place ? all.of(t.rank) : send;
          if (what == through::blocks) return allgather_blocks(b, w, mine, all, in_place);
          allgather_buffers(b, w, mine, all, in_place);
        });
  });
}

namespace {

// Copies of all blocks, for an exchange in place: there, blocks are received where those to send
// lie.
class kept_blocks final : public blocks {
 public:
  kept_blocks(builder& b, const blocks& original, std::int32_t size) {
    kept_.reserve(static_cast<std::size_t>(size));
    for (std::int32_t i = 0; i < size; ++i) {
      const buffer block = original.of(i);
      const buffer kept{b.scratch(block.count, *block.type), block.count, block.type};
      b.copy(block, kept);
      kept_.push_back(kept);
    }
  }
  buffer of(std::int32_t rank) const override { return kept_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<buffer> kept_;
};

void alltoall(builder& b, const group_view& g, const blocks* to, const blocks& from) {
  if (g.inter) return inter::exchange(b, g, *to, from);
  const team t = local_team(g);
  if (!to) return exchange_pairwise(b, t, {kept_blocks(b, from, t.size), from, t.size, false, true});
  exchange_pairwise(b, t, {*to, from, t.size, false, false});
}

// The v and w forms: listed_blocks knows the difference.
template <class State>
void alltoall_listed(builder& b, const group_view& g, State& state, const vector_side& send,
                     const vector_side& receive, bool in_place) {
  const auto n = static_cast<std::size_t>(g.remote_size);
  keep(b, receive, n);
  if (!in_place) keep(b, send, n);
  const listed_blocks to(send), from(receive);
  const blocks* const sends = in_place ? nullptr : &to;
  if (g.inter) {
    b.uses(alltoall_algorithm::pairwise);
    return coll::alltoall(b, g, sends, from);
  }
  state.write_edges(
      b, g, state.choices.may_list_edges(operation::alltoall), alltoall_algorithm::pairwise,
      [&] { coll::alltoall(b, g, sends, from); }, [&](area_writer& w) { alltoall_edges(b, w, sends, from); });
}

void alltoall_in_buffers(builder& b, area_writer& w, const blocks* to, const blocks& from) {
  if (!to) return alltoall_buffers(b, w, kept_blocks(b, from, w.members().size), from, true);
  alltoall_buffers(b, w, *to, from, false);
}

}  // namespace

schedule* engine::alltoall(const group_view& g, const p2p::buffer& send, const p2p::buffer& receive,
                           bool in_place) {
  return state_->build(
      g, same_call::exchange(operation::alltoall, in_place ? nullptr : &send, &receive), [&](builder& b) {
        b.keep(*receive.type);
        if (!in_place) b.keep(*send.type);
        const equal_blocks to(send), from(receive);
        const auto by_messages = [&](alltoall_algorithm) {
          coll::alltoall(b, g, in_place ? nullptr : &to, from);
        };
        const std::int64_t all = packed_bytes(receive) * g.remote_size;
        state_->write(
            b, g, {operation::alltoall, {all, packed_bytes(receive)}}, alltoall_algorithm::pairwise,
            by_messages,
            [&](area_writer& w) { alltoall_area(w, in_place ? receive : send, receive, in_place); },
            [&](area_writer& w, through what) {
              if (what == through::blocks)
                return alltoall_blocks(b, w, in_place ? receive : send, receive, in_place);
              alltoall_in_buffers(b, w, in_place ? nullptr : &to, from);
            });
      });
}

schedule* engine::alltoallv(const group_view& g, const vector_side& send, const vector_side& receive,
                            bool in_place) {
  const auto c = exchange_by_lists(g, operation::alltoall, listed_side(in_place ? nullptr : &send),
                                   listed_side(&receive));
  return state_->build(g, c.call, &c.lists,
                       [&](builder& b) { alltoall_listed(b, g, *state_, send, receive, in_place); });
}

schedule* engine::alltoallw(const group_view& g, const vector_side& send, const vector_side& receive,
                            bool in_place) {
  return state_->build(g, operation::alltoall, 0,
                       [&](builder& b) { alltoall_listed(b, g, *state_, send, receive, in_place); });
}

schedule* engine::reduce(const group_view& g, const void* send, void* receive, std::int64_t count,
                         const datatype::type* type, const datatype::op* op, std::int32_t root,
                         bool in_place) {
  const auto call = same_call::reduction(operation::reduce, send, receive, count, type, op, in_place, root);
  return state_->build(g, call, [&](builder& b) {
    if (g.inter && root == inter::bystander) return;
    b.keep(*type);
    b.keep(*op);
    const operand o{count, *type, *op};
    if (g.inter) return inter::reduce(b, g, o, send, receive, root);
    const team t = local_team(g);
    const void* input = in_place && t.rank == root ? receive : send;
    const std::int64_t bytes = packed_bytes(o.at(nullptr));
    const auto by_messages = [&](reduce_algorithm a) {
      if (a == reduce_algorithm::scattered) return reduce_scattered(b, t, o, input, receive, root);
      reduce_binomial(b, t, o, input, receive, root);
    };
    state_->write(
        b, g, {operation::reduce, {bytes, bytes}, type->contiguous(), op->commutative()},
        state_->choices.for_reduce(t.size, bytes, count), by_messages,
        [&](area_writer& w) {
          if (w.by_levels()) return reduce_levels(b, w, o, input, receive, root);
          reduce_area(b, w, o, input, receive, root);
        },
        [&](area_writer& w, through what) { reduce_joint(b, w, o, input, receive, root, what); });
  });
}

schedule* engine::allreduce(const group_view& g, const void* send, void* receive, std::int64_t count,
                            const datatype::type* type, const datatype::op* op, bool in_place) {
  const auto call = same_call::reduction(operation::allreduce, send, receive, count, type, op, in_place);
  return state_->build(g, call, [&](builder& b) {
    b.keep(*type);
    b.keep(*op);
    const operand o{count, *type, *op};
    if (g.inter) return inter::allreduce(b, g, o, send, receive);
    const team t = local_team(g);
    const void* input = in_place ? receive : send;
    const std::int64_t bytes = packed_bytes(o.at(nullptr));
    const auto by_messages = [&](allreduce_algorithm a) {
      switch (a) {
        case allreduce_algorithm::scattered:
          return allreduce_scattered(b, t, o, input, receive);
        case allreduce_algorithm::halving:
          return allreduce_halving(b, t, o, input, receive);
        case allreduce_algorithm::by_root:
          return allreduce_by_root(b, t, o, input, receive);
        default:
          return allreduce_doubling(b, t, o, input, receive);
      }
    };
    state_->write(
        b, g, {operation::allreduce, {bytes, bytes}, type->contiguous(), op->commutative()},
        state_->choices.for_allreduce(t.size, bytes, count), by_messages,
        [&](area_writer& w) {
          if (w.by_levels()) return allreduce_levels(b, w, o, input, receive);
          allreduce_area(w, o, input, receive);
        },
        [&](area_writer& w, through what) { allreduce_joint(b, w, o, input, receive, what); });
  });
}

namespace {

// Where the slice of each process starts; one entry more, for the end.
template <class Count>
std::vector<std::int64_t> slices(std::int32_t n, Count&& count) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(n) + 1);
  for (std::int32_t i = 0; i < n; ++i) first[i + 1] = first[i] + count(i);
  return first;
}

template <class State>
void reduce_scatter(builder& b, const group_view& g, State& state, const std::vector<std::int64_t>& first,
                    const void* send, void* receive, const datatype::type& type, const datatype::op& op,
                    bool in_place) {
  b.keep(type);
  b.keep(op);
  const operand o{first.back(), type, op};
  if (g.inter) return inter::reduce_scatter(b, g, o, first, send, receive);
  const team t = local_team(g);
  const void* input = in_place ? receive : send;
  const std::int64_t bytes = packed_bytes(o.at(nullptr));
  const auto by_messages = [&](reduce_scatter_algorithm a) {
    if (a == reduce_scatter_algorithm::by_root) return reduce_scatter_by_root(b, t, o, first, input, receive);
    if (a == reduce_scatter_algorithm::doubling)
      return reduce_scatter_whole(b, t, o, first, input, receive, allreduce_doubling);
    if (a == reduce_scatter_algorithm::halving)
      return reduce_scatter_whole(b, t, o, first, input, receive, allreduce_halving);
    reduce_scatter_direct(b, t, o, first, input, receive, in_place);
  };
  state.write(
      b, g, {operation::reduce_scatter, {bytes, bytes}, type.contiguous(), op.commutative()},
      state.choices.for_reduce_scatter(t.size, bytes), by_messages,
      [&](area_writer& w) {
        if (w.by_levels()) return reduce_scatter_levels(b, w, o, first, input, receive);
        reduce_scatter_area(b, w, o, first, input, receive);
      },
      [&](area_writer& w, through what) { reduce_scatter_joint(b, w, o, first, input, receive, what); });
}

}  // namespace

schedule* engine::reduce_scatter(const group_view& g, const void* send, void* receive, integers counts,
                                 const datatype::type* type, const datatype::op* op, bool in_place) {
  const auto call = same_call::reduction(operation::reduce_scatter, send, receive, 0, type, op, in_place);
  const call_lists lists{static_cast<std::size_t>(g.local_size), {&counts}};
  return state_->build(g, call, &lists, [&](builder& b) {
    const auto first =
        slices(g.local_size, [&](std::int32_t i) { return counts[static_cast<std::size_t>(i)]; });
    coll::reduce_scatter(b, g, *state_, first, send, receive, *type, *op, in_place);
  });
}

schedule* engine::reduce_scatter_block(const group_view& g, const void* send, void* receive,
                                       std::int64_t count, const datatype::type* type, const datatype::op* op,
                                       bool in_place) {
  const auto call = same_call::reduction(operation::reduce_scatter, send, receive, count, type, op, in_place);
  return state_->build(g, call, [&](builder& b) {
    const auto first = slices(g.local_size, [&](std::int32_t) { return count; });
    coll::reduce_scatter(b, g, *state_, first, send, receive, *type, *op, in_place);
  });
}

schedule* engine::scan(const group_view& g, const void* send, void* receive, std::int64_t count,
                       const datatype::type* type, const datatype::op* op, bool in_place) {
  const auto call = same_call::reduction(operation::scan, send, receive, count, type, op, in_place);
  return state_->build(g, call, [&](builder& b) {
    b.keep(*type);
    b.keep(*op);
    const operand o{count, *type, *op};
    const void* input = in_place ? receive : send;
    const std::int64_t bytes = packed_bytes(o.at(nullptr));
    state_->write(
        b, g, {operation::scan, {bytes, bytes}, type->contiguous()},
        state_->choices.for_scan(g.local_size, bytes),
        [&](scan_algorithm a) {
          if (a == scan_algorithm::direct) return scan_direct(b, local_team(g), o, input, receive);
          scan_doubling(b, local_team(g), o, input, receive);
        },
        [&](area_writer& w) { scan_area(w, o, input, receive); },
        [&](area_writer& w, through) { scan_buffers(b, w, o, input, receive, false); });
  });
}

schedule* engine::exscan(const group_view& g, const void* send, void* receive, std::int64_t count,
                         const datatype::type* type, const datatype::op* op, bool in_place) {
  const auto call = same_call::reduction(operation::exscan, send, receive, count, type, op, in_place);
  return state_->build(g, call, [&](builder& b) {
    b.keep(*type);
    b.keep(*op);
    const operand o{count, *type, *op};
    const void* input = in_place ? receive : send;
    const std::int64_t bytes = packed_bytes(o.at(nullptr));
    state_->write(
        b, g, {operation::exscan, {bytes, bytes}, type->contiguous()},
        state_->choices.for_exscan(g.local_size, bytes),
        [&](scan_algorithm a) {
          if (a == scan_algorithm::direct) return exscan_direct(b, local_team(g), o, input, receive);
          exscan_doubling(b, local_team(g), o, input, receive);
        },
        [&](area_writer& w) { exscan_area(w, o, input, receive); },
        [&](area_writer& w, through) { scan_buffers(b, w, o, input, receive, true); });
  });
}

// --- neighbourhoods

namespace {

template <class State>
void neighborhood(builder& b, const group_view& g, State& state, const engine::neighbours& n,
                  const blocks& to, const blocks& from) {
  const bool allowed = n.most >= 0 && n.most <= edge_work::most_edges &&
                       state.choices.may_list_edges(operation::neighbor_alltoall);
  state.write_edges(
      b, g, allowed, neighbor_algorithm::messages, [&] { neighbor_exchange(b, local_team(g), n, to, from); },
      [&](area_writer& w) { neighbor_edges(b, w, n, to, from); });
}

}  // namespace

schedule* engine::neighbor_allgather(const group_view& g, neighbours n, const p2p::buffer& send,
                                     const p2p::buffer& receive) {
  // The neighbours are those of the communicator.
  const auto call = same_call::exchange(operation::neighbor_allgather, &send, &receive);
  return state_->build(g, call, [&](builder& b) {
    b.keep(*send.type);
    b.keep(*receive.type);
    neighborhood(b, g, *state_, n, one_block(send), equal_blocks(receive));
  });
}

schedule* engine::neighbor_allgatherv(const group_view& g, neighbours n, const p2p::buffer& send,
                                      const vector_side& receive) {
  return state_->build(g, operation::neighbor_allgather, 0, [&](builder& b) {
    b.keep(*send.type);
    keep(b, receive, n.sources.size());
    neighborhood(b, g, *state_, n, one_block(send), listed_blocks(receive));
  });
}

schedule* engine::neighbor_alltoall(const group_view& g, neighbours n, const p2p::buffer& send,
                                    const p2p::buffer& receive) {
  const auto call = same_call::exchange(operation::neighbor_alltoall, &send, &receive);
  return state_->build(g, call, [&](builder& b) {
    b.keep(*send.type);
    b.keep(*receive.type);
    neighborhood(b, g, *state_, n, equal_blocks(send), equal_blocks(receive));
  });
}

schedule* engine::neighbor_alltoallv(const group_view& g, neighbours n, const vector_side& send,
                                     const vector_side& receive) {
  return neighbor_alltoallw(g, n, send, receive);
}

schedule* engine::neighbor_alltoallw(const group_view& g, neighbours n, const vector_side& send,
                                     const vector_side& receive) {
  return state_->build(g, operation::neighbor_alltoall, 0, [&](builder& b) {
    keep(b, send, n.destinations.size());
    keep(b, receive, n.sources.size());
    neighborhood(b, g, *state_, n, listed_blocks(send), listed_blocks(receive));
  });
}

}  // namespace loadstone::coll
