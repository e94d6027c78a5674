// The interface of this layer: MPI's collectives. Each function builds a *schedule* (schedule.hpp)
// from the arguments of this rank; start() or run() executes it. Blocking, non-blocking and
// persistent calls use the same schedules.
//
// The caller has checked the arguments. Arrays of counts, displacements and types are read only
// while building; the schedule keeps types and operations alive. Threads: the caller holds the
// gate, as for p2p::engine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/integers.hpp"
#include "coll/choices.hpp"
#include "datatype/op.hpp"
#include "datatype/type.hpp"
#include "p2p/engine.hpp"

namespace loadstone::coll {

// What a communicator keeps of one sequence of its collectives: the areas (areas.hpp) that they
// work in, once there are some. It goes under the gate, before the engine.
class areas;
class levels;
class shared_areas {
 public:
  shared_areas();
  ~shared_areas();
  shared_areas(const shared_areas&) = delete;
  shared_areas& operator=(const shared_areas&) = delete;

 private:
  friend class engine;
  enum class answer : std::uint8_t { unasked, yes, no } possible_ = answer::unasked;
  std::unique_ptr<areas> made_;
  std::unique_ptr<levels> levels_;  // of its members; as soon as there may be areas
};

// A communicator as collectives see it: the scope of its collective context, and for
// inter-communicators that of the local group as well.
struct group_view {
  p2p::scope* remote = nullptr;  // messages to the remote group (the group itself for intra-communicators)
  p2p::scope* local = nullptr;   // messages within the local group (the same scope for intra-communicators)
  std::int32_t rank = 0;         // mine in the local group
  std::int32_t local_size = 0;
  std::int32_t remote_size = 0;  // = local_size for intra-communicators
  bool inter = false;
  bool persistent = false;  // what is built is started more than once
  bool waits = true;        // what is built is waited for at once
  // The communicator's counter of collectives, equal on all members: each collective has a range of
  // tags of its own. It goes up by two, so that a communicator can have two independent sequences
  // of collectives, even and odd.
  std::uint32_t* next_tag = nullptr;
  // That of the other sequence, where all members make the calls of both in one order; else null.
  const std::uint32_t* other_tag = nullptr;
  // How many there were in both, before the one that has this number.
  std::uint32_t place_of(std::uint32_t number) const {
    return other_tag == nullptr ? no_place : ((number >> 1) + (*other_tag >> 1)) & ~no_place;
  }
  shared_areas* areas = nullptr;  // of this sequence; null: there are none
};

// The local group alone, as an intra-communicator with the same counter of tags.
inline group_view within_local_group(group_view g) {
  g.remote = g.local;
  g.remote_size = g.local_size;
  g.inter = false;
  g.areas = nullptr;
  return g;
}

using base::integers;  // counts and displacements as the user gave them

// One side (sending or receiving) of a v or w collective.
struct vector_side {
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
  explicit engine(std::unique_ptr<messenger> messages);  // for tests, on a simulated network
  ~engine();

  // The choice of algorithms, which may be changed between collectives, in the same way in all
  // processes of the job.
  choices& algorithms();

  // Each builds a schedule that is not started; nullptr: out of memory. Buffers come by reference:
  // what has just been written in words had better not be copied (disagreement.hpp). With
  // `in_place`, the arguments to send (at the root of a scatter, those to receive) are not
  // significant. `root` on an inter-communicator: -1 (MPI_PROC_NULL) in the group of the root, but
  // for the root itself: -2 (MPI_ROOT); in the other group the rank of the root.
  schedule* barrier(const group_view& g);
  schedule* bcast(const group_view& g, const p2p::buffer& data, std::int32_t root);
  schedule* gather(const group_view& g, const p2p::buffer& send, const p2p::buffer& receive,
                   std::int32_t root, bool in_place);
  schedule* gatherv(const group_view& g, const p2p::buffer& send, const vector_side& receive,
                    std::int32_t root, bool in_place);
  schedule* scatter(const group_view& g, const p2p::buffer& send, const p2p::buffer& receive,
                    std::int32_t root, bool in_place);
  schedule* scatterv(const group_view& g, const vector_side& send, const p2p::buffer& receive,
                     std::int32_t root, bool in_place);
  schedule* allgather(const group_view& g, const p2p::buffer& send, const p2p::buffer& receive,
                      bool in_place);
  schedule* allgatherv(const group_view& g, const p2p::buffer& send, const vector_side& receive,
                       bool in_place);
  schedule* alltoall(const group_view& g, const p2p::buffer& send, const p2p::buffer& receive, bool in_place);
  schedule* alltoallv(const group_view& g, const vector_side& send, const vector_side& receive,
                      bool in_place);
  schedule* alltoallw(const group_view& g, const vector_side& send, const vector_side& receive,
                      bool in_place);
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
  // Neighbourhood collectives: sources and destinations in the order of the topology, which are the
  // same in all calls on a communicator. An entry of -1 (MPI_PROC_NULL) has a block in the buffers,
  // but no message. `cartesian`: entries come in pairs (below, above), one for each dimension; what
  // is sent to the neighbour below arrives there as the block from above (MPI-5.0 §8.6).
  struct neighbours {
    std::span<const std::int32_t> sources, destinations;
    bool cartesian = false;
    // No member has more sources or destinations, as all of them know; -1: they do not.
    std::int32_t most = -1;
  };
  schedule* neighbor_allgather(const group_view& g, neighbours n, const p2p::buffer& send,
                               const p2p::buffer& receive);
  schedule* neighbor_allgatherv(const group_view& g, neighbours n, const p2p::buffer& send,
                                const vector_side& receive);
  schedule* neighbor_alltoall(const group_view& g, neighbours n, const p2p::buffer& send,
                              const p2p::buffer& receive);
  schedule* neighbor_alltoallv(const group_view& g, neighbours n, const vector_side& send,
                               const vector_side& receive);
  schedule* neighbor_alltoallw(const group_view& g, neighbours n, const vector_side& send,
                               const vector_side& receive);

  // From here on, collectives may work in areas, in the memory of this process' arena.
  void share(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena);
  // Finds out when members call different collectives (disagreement.hpp).
  void watch(deposit::endpoint& endpoint);
  // What two members did when a collective failed here for that, once for each; empty: none has.
  std::string explanation();
  std::uint64_t notes() const;  // that others have sent here about it

  void start(schedule* s);  // may be started again after completion (persistent)
  // The caller waits for it from now on, and does nothing else meanwhile: how its large messages
  // go is decided then.
  void wait_begins(schedule& s);
  // The same, until it is complete; whoever waits looks for what it waits for, as the blocking form
  // does. False: the job is being stopped.
  bool wait(schedule& s, const wait::reason& why);
  // The blocking form: starts, waits, destroys. Returns an error class. `why`: what a report of a
  // hang says.
  std::int32_t run(schedule* s, const wait::reason& why) {
    const std::int32_t error = run_at_once(s);
    return error != not_yet ? error : run_on(*s, why);
  }
  // Its two parts: not_yet from the first means that there is something to wait for in the second.
  static constexpr std::int32_t not_yet = -1;  // no error class; an optional costs a stall
  std::int32_t run_at_once(schedule* s);
  std::int32_t run_on(schedule& s, const wait::reason& why);
  void destroy(schedule* s);  // one that is active completes first, by itself

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace loadstone::coll
