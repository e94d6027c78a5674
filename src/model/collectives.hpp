// What each algorithm of a collective costs on a machine: the steps of src/coll at the price of the
// transfers they are made of. The choice of the library (coll/choices.hpp) and
// `loadstone explain coll` are made of it.
//
// Each algorithm has three figures, and its time follows from them:
//
//   span    the longest chain of steps that wait for each other, each with a core of its own
//   work    what all members together have to do
//   passes  with more members than cores: how often all of them have to run, one after the other
//
//   time = max(span, work / cores in use) + passes * (members / cores) * turn
//
// n is the bytes of the vector (bcast, reduce, allreduce, reduce_scatter, scan, exscan), of one
// block (gather, scatter, allgather), or for each pair (alltoall).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/machine.hpp"

namespace loadstone::model {

// The cores that the members of a communicator run on: neighbouring ranks are near each other, as
// mpiexec places them.
struct places {
  std::int32_t cores = 2;
  std::int32_t of_cache = 0, of_socket = 0;        // so many share a cache, a socket; 0: all
  double between_caches = 0, between_sockets = 0;  // hand-over of a line, µs; 0: usual ones
  // GB/s of all cores together from memory, and how much all caches hold; 0: no bound.
  double stream = 0, caches = 0;
  bool in_turn = false;  // neighbouring ranks are far from each other
};

// Where nobody has said: of a core, on machines with so many that they wait for memory. Those of
// the literature (larger_machines()) have 2.7 to 6.3 GB/s, and 2.5 to 4 MB.
inline constexpr std::int32_t cores_with_limits = 8;
inline constexpr double usual_stream = 4.5, usual_cache = 3e6;

// How the members of a communicator lie: so many share a cache, a socket, at most. Not 0, but where
// nothing is known.
struct spread {
  std::int32_t of_cache = 0, of_socket = 0;
  bool in_turn = false;
  friend bool operator==(const spread&, const spread&) = default;
};

// Trees by the levels of a machine (coll/levels.hpp): how many one member takes from, or gives to,
// at the same time.
struct fans {
  std::int32_t in_cache, in_socket, between_sockets;
};
fans fans_in(const machine& here, const places& where);   // on the way to the root
fans fans_out(const machine& here, const places& where);  // on the way back, where it stores one line for all

// What an algorithm is asked to do.
struct collective {
  std::string_view what;  // as in LOADSTONE_COLL_<what>
  std::int32_t members = 2;
  std::int64_t bytes = 0;
  bool areas = true;   // the members have shared areas,
  bool system = true;  // and may read and write each other's memory by the system
  bool stays = true;   // operands of a reduction are in one piece, and so may stay where they are
  bool chain = true;   // a chain of links may be taken
  bool levels = true;  // members may be taken together by where they are
};

struct algorithm {
  std::string_view name;
  double time;               // µs; 0: it is not possible
  std::string_view why_not;  // a few words; empty if it is possible
  // What the time is made of, µs: the longest chain of steps, what each core has to do, and the
  // changes of processes.
  double chain = 0, work = 0, changes = 0;
};

// All algorithms of a collective by their names in src/coll, in that order; none: there is no such
// collective.
std::vector<algorithm> algorithms_of(const collective& c, const machine& here, const places& where);
// The time of one of them. 0: it is not possible, or there is none of this name.
double cost_of(std::string_view name, const collective& c, const machine& here, const places& where);
// The quickest of them that may be taken: its name, and time. "": there is none.
algorithm quickest(const collective& c, const machine& here, const places& where);

std::span<const std::string_view> collectives();

// So many members of a communicator may have areas (coll/member_set.hpp), and so many bytes a
// member may put into a slot of one. What they tell each other of 128 buffers fits there.
inline constexpr std::int32_t most_with_areas = 128;
inline constexpr std::int64_t slot_room = 8 * 1024;
// Of data that is not longer, a member may be many operations ahead of others
// (coll/area_layout.hpp).
inline constexpr std::int64_t most_ahead = 512;
// So much goes through blocks at a time, of all shares of a reduction together, or from one member
// to another: blocks of a few members stay in a cache of the second level.
inline constexpr std::int64_t round_of_blocks = 128 * 1024;
// What one member has for others goes through a block of so many bytes (coll/streams.hpp). Of what
// all others take, those of all members, each for the next operation and for the one before, leave
// room in a cache of 32 MiB.
inline constexpr std::int64_t most_of_stream = 1 << 20;
constexpr std::int64_t stream_block(std::int32_t members) {
  constexpr std::int64_t of_all = 8 << 20, least = 128 << 10;
  return std::clamp(of_all / std::max(members, 1), least, most_of_stream);
}
// Where members share cores, a reduction of so many bytes for each of them may go from member to
// member (coll/chain.hpp). In the worst order each waits for a turn of all others. Between what was
// measured on 2 cores: 16 members lose at 4 KiB for each, 4 are even at 32, 8 gain a third there.
inline constexpr std::int64_t chained_for_each = 32 * 1024;
// Bytes that a member puts into a slot; where more are possible, what each is.
std::int64_t put_in_slot(const collective& c);

// Machines of the literature, of so many cores in two sockets: 16, 64, 128. Sources in the .cpp.
struct described {
  std::string_view name;
  places where;
};
std::span<const described> larger_machines();

}  // namespace loadstone::model
