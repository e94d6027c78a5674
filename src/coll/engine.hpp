// Collectives as schedules: one description of each algorithm, executed by blocking, non-blocking
// and persistent calls alike. A schedule is built per rank from the arguments (schedule.hpp),
// started, and advances by the completions of its messages. Arguments have been checked by the
// caller; arrays of counts, displacements and types are not looked at after the call returns, types
// and operations are kept alive by the schedule.
//
// Threading: as p2p::engine (the caller holds the gate).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/integers.hpp"
#include "coll/choices.hpp"
#include "datatype/op.hpp"
#include "datatype/type.hpp"
#include "p2p/engine.hpp"

namespace loadstone::coll {

// One communicator as collectives see it: a scope of its own (collective context), and for
// inter-communicators the local group too.
struct group_view {
  p2p::scope* remote = nullptr;  // messages to the remote group (the group itself for intra-communicators)
  p2p::scope* local = nullptr;   // messages within the local group (the same scope for intra-communicators)
  std::int32_t rank = 0;         // mine in the local group
  std::int32_t local_size = 0;
  std::int32_t remote_size = 0;  // = local_size for intra-communicators
  bool inter = false;
  std::uint32_t* next_tag =
      nullptr;  // the communicator's counter: one tag range a collective, equal on all members. It goes up
                // by two, so that two sequences of collectives do not meet: even and odd numbers
};

// The local group alone, as an intra-communicator; the tags stay those of `g`.
inline group_view within_local_group(group_view g) {
  g.remote = g.local;
  g.remote_size = g.local_size;
  g.inter = false;
  return g;
}

using base::integers;  // counts and displacements as the API got them

// In `in_place` the send (or at the root of scatter the receive) arguments are not significant.
struct vector_side {  // one side of a v or w collective
  const void* address = nullptr;
  integers counts, displacements;                // displacements in units of the type's extent (bytes for w)
  const datatype::type* type = nullptr;          // v
  const datatype::type* const* types = nullptr;  // w; may be null where there is no block
};

class schedule;  // a request; schedule.hpp
class messenger;

class engine {
 public:
  explicit engine(p2p::engine& p2p, const choices& algorithms = {});
  explicit engine(std::unique_ptr<messenger> messages);  // tests: on a simulated network
  ~engine();

  // Which algorithms are fixed. All processes of the job must be told the same, before the next
  // collective.
  choices& algorithms();

  // Each builds an unstarted schedule, or nullptr: out of memory. root = -1 with inter: this
  // process is neither root nor in the root's remote group (PROC_NULL); root = -2: it is the root
  // (MPI_ROOT); otherwise the root's rank.
  schedule* barrier(const group_view& g);
  schedule* bcast(const group_view& g, p2p::buffer data, std::int32_t root);
  schedule* gather(const group_view& g, p2p::buffer send, p2p::buffer receive, std::int32_t root,
                   bool in_place);
  schedule* gatherv(const group_view& g, p2p::buffer send, vector_side receive, std::int32_t root,
                    bool in_place);
  schedule* scatter(const group_view& g, p2p::buffer send, p2p::buffer receive, std::int32_t root,
                    bool in_place);
  schedule* scatterv(const group_view& g, vector_side send, p2p::buffer receive, std::int32_t root,
                     bool in_place);
  schedule* allgather(const group_view& g, p2p::buffer send, p2p::buffer receive, bool in_place);
  schedule* allgatherv(const group_view& g, p2p::buffer send, vector_side receive, bool in_place);
  schedule* alltoall(const group_view& g, p2p::buffer send, p2p::buffer receive, bool in_place);
  schedule* alltoallv(const group_view& g, vector_side send, vector_side receive, bool in_place);
  schedule* alltoallw(const group_view& g, vector_side send, vector_side receive, bool in_place);
  schedule* reduce(const group_view& g, const void* send, void* receive, std::int64_t count,
                   const datatype::type* type, const datatype::op* op, std::int32_t root, bool in_place);
  schedule* allreduce(const group_view& g, const void* send, void* receive, std::int64_t count,
                      const datatype::type* type, const datatype::op* op, bool in_place);
  schedule* reduce_scatter(const group_view& g, const void* send, void* receive, integers counts,
                           const datatype::type* type, const datatype::op* op, bool in_place);
  schedule* reduce_scatter_block(const group_view& g, const void* send, void* receive, std::int64_t count,
                                 const datatype::type* type, const datatype::op* op, bool in_place);
  schedule* scan(const group_view& g, const void* send, void* receive, std::int64_t count,
                 const datatype::type* type, const datatype::op* op, bool in_place);
  schedule* exscan(const group_view& g, const void* send, void* receive, std::int64_t count,
                   const datatype::type* type, const datatype::op* op, bool in_place);
  // Neighbourhood forms: sources and destinations as the topology lists them (PROC_NULL = -1
  // entries take part in layout only). `cartesian`: entries come in pairs (below, above) per
  // dimension; what is sent downwards arrives from above (MPI-5.0 §8.6).
  struct neighbours {
    std::span<const std::int32_t> sources, destinations;
    bool cartesian = false;
  };
  schedule* neighbor_allgather(const group_view& g, neighbours n, p2p::buffer send, p2p::buffer receive);
  schedule* neighbor_allgatherv(const group_view& g, neighbours n, p2p::buffer send, vector_side receive);
  schedule* neighbor_alltoall(const group_view& g, neighbours n, p2p::buffer send, p2p::buffer receive);
  schedule* neighbor_alltoallv(const group_view& g, neighbours n, vector_side send, vector_side receive);
  schedule* neighbor_alltoallw(const group_view& g, neighbours n, vector_side send, vector_side receive);

  void start(schedule* s);  // may be started again after completion (persistent)
  std::int32_t run(schedule* s,
                   const wait::reason& why);  // start, wait, destroy: the blocking form; an error class
  void destroy(schedule* s);                  // an active one completes first, on its own

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace loadstone::coll
