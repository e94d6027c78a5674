// Blocks between pairs of members, each of which knows only what it gives and takes itself: the v
// and w forms of alltoall, and neighbourhoods. Each member lists its edges in its slot
// (edges_layout.hpp), and how a block travels is said there by its giver, as only it knows how long
// it is:
//
//   in its slot     short ones, for which a call of the system costs more than a second copy. The
//                   giver leaves; the taker copies it out.
//   in its arena    those with gaps, packed there, and short ones that the slot has no room for.
//                   Likewise.
//   where it is     long ones, copied once, between two buffers, by the system. It is cut into
//                   pieces, which both ends claim one by one: so who waits copies what is given to
//                   a member that computes, sleeps, or has no core. The giver waits for that.
//
// Who comes publishes its list, and then looks who is there: either it sees another one, or that
// one sees it. With a core for every member, it wakes those it has an edge with. With fewer, it
// wakes a member when the last of those that this one waits for has come: so each runs once.
//
// An edge is found in the list of its other end by its place there, where that is known, or else as
// the k-th between the two (MPI-5.0 §8.6).
//
// Condition: no more members than may have areas (member_set), lists that fit a slot, and each
// member may reach the memory of all others. Cost: a line for each two edges and n bytes from each
// partner, or half a µs and n bytes. Source: Worringer, dissertation, 6.7. Model:
// models/coll_edges.pml.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "coll/areas.hpp"
#include "coll/edges_layout.hpp"
#include "p2p/engine.hpp"

namespace loadstone::coll {

class edge_work {
 public:
  // Lists of so many edges at both ends fit a slot, with room for short blocks.
  static constexpr std::int32_t most_edges = 100;
  static constexpr std::int32_t unknown = -1;

  // `moves`: what is taken may lie where it is given. `bounce`: room for bounce_bytes, or null
  // where whatever is taken lies in one piece.
  void open(bool moves);
  static constexpr std::size_t bounce_bytes = 64 * 1024;
  void bounce_at(std::byte* room) { bounce_ = room; }
  // `there`: its place in the list of the other end.
  void gives(std::int32_t to, p2p::buffer data, std::int32_t there);
  void takes(std::int32_t from, p2p::buffer data, std::int32_t there);
  // A place in the list that nothing goes to.
  void gives_nothing();
  void takes_nothing();

  void offer_in(areas& a);
  member_set partners() const { return given_to_ | taken_from_; }
  // Does what there is to do. True: all that concerns us is done. `computes`: nobody waits
  // here yet.
  bool go_on(areas& a, bool computes);
  // Wakes those that nobody else would, once: go_on() does that, too.
  void announce(areas& a);
  std::int32_t error(areas& a) const;  // that befell our data; all is done
  void tell_valgrind() const;
  void withdraw(areas& a);
  void give_back();  // memory

 private:
  struct edge {
    std::int32_t peer;   // negative: nothing
    std::int32_t there;  // its place in the list of the peer, the same each time it is started
    std::int32_t which;  // of those with that peer
    bool over;
    p2p::buffer data;
    std::uint64_t bytes;
  };
  bool stages(const edge& e) const;
  void list(areas& a);
  std::byte* room_in_arena(areas& a, std::uint64_t bytes);
  const edge_block* given_to_us(areas& a, edge& e);
  edge_taken* taken_from_us(areas& a, edge& e);
  bool is_here(areas& a, std::int32_t member);
  bool all_here(areas& a, const member_set& members);
  bool is_one_of_many(const areas& a, const edge& e) const;
  bool take(areas& a, edge& e, edge_taken& mine);
  bool push(areas& a, edge& e, const edge_block& given);
  void copy_out(areas& a, edge& e, const edge_block& given, std::int32_t* error);

  std::vector<edge> gives_, takes_;
  std::vector<std::uint16_t> gives_to_, takes_from_;  // while writing: edges with each member so far
  bool moves_ = false;
  bool looked_ = false;  // for what there is to do
  bool defers_ = false;  // long blocks, this time
  bool announced_ = false;
  member_set given_to_, taken_from_;
  member_set here_;         // those that are known to have come
  std::int32_t error_ = 0;  // before all others
  std::byte* bounce_ = nullptr;
  std::unique_ptr<std::byte[]> staged_;
  std::uint64_t staged_bytes_ = 0;
};

}  // namespace loadstone::coll
