// What one member has for all others, or each for each, by memory that all of them map: a giver
// copies it into a block of its arena, piece by piece, and the others take each piece from there.
//
//   put    the next piece, into a place of our block: when all have taken what lay there
//   take   a piece of another, once its word says that it is there
//
// A giver whose pieces all have places waits for nobody, and leaves. Otherwise it goes on as fast
// as the slowest that takes: a block of most_in_block is all the memory that a giver needs. Those
// that share a core with others take what is there by then, one after the other, so that mostly a
// piece is read while it is in a near cache.
//
// What each has for each (`to_each`) is cut so that a piece has a part for each other member.
//
// Of two that have a core each and give each other something, each writes next where it has read
// last (area_blocks.hpp): its own block and that of the other one by turns.
//
// Condition: a block for each giver, or all go on with messages.
// Cost: n bytes put, and taken by each; with more pieces than places, a turn of all for each block.
// Source: Worringer, dissertation, 6.6 (pipelined broadcast).
// Model: models/coll_stream.pml; coll_passed.pml for the blocks of two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/areas.hpp"
#include "model/collectives.hpp"
#include "p2p/request.hpp"

namespace loadstone::coll {

class stream_work {
 public:
  // Of a piece, and of a block at most (model::stream_block: of to_all). The same at all members;
  // tests have less.
  static inline std::int64_t piece_bytes = 64 * 1024, most_in_block = model::most_of_stream;

  enum class form : std::uint8_t { to_all, to_each };
  void open(std::int32_t members, std::int32_t rank, form f);
  // Of to_each: the blocks of all members, of as many elements each, one after the other.
  void gives(const p2p::buffer& data);
  void takes(std::int32_t from, const p2p::buffer& to);

  bool is_giver() const { return gives_; }

  void offer_in(areas& a);
  bool go_on(areas& a);
  // A giver had no memory for its block: nothing has been done, which all find alike.
  bool refused() const { return refused_; }
  std::int32_t error() const { return error_; }
  std::int64_t parts_done() const { return put_ + taken_in_all_; }

 private:
  // A piece has a part for each that takes it: of to_all the same for everybody.
  struct cut {
    std::uint64_t part, apart;  // bytes of it, and from one piece to the next
    std::int64_t pieces, places;
    bool overflows() const { return pieces > places; }  // and its giver waits for those that take
    std::uint64_t room() const { return static_cast<std::uint64_t>(places) * apart; }
  };
  struct source {
    std::int32_t member;
    p2p::buffer to;
    std::int64_t taken = 0;            // pieces
    bool begun = false;                // it has come, and what follows is known
    cut how{};                         // what it has for us is cut
    std::uint64_t bytes = 0;           // of that
    std::uint64_t in_all = 0;          // that all take together, for which the caches may be too small
    const std::byte* block = nullptr;  // null: it cannot be mapped, and nothing is taken
  };
  // Of what each has for each, where it does not fit a block. Where parts would be short, there is
  // one place: each piece is a turn of all.
  static constexpr std::uint64_t places_of_parts = 2;
  static constexpr std::uint64_t most_in_one = 1 << 30;
  // In an offer, of the blocks of two.
  static constexpr std::uint32_t stays = 1, passed = 2, in_yours = 4;

  cut cut_of(std::uint64_t bytes) const;
  std::byte* room_for_all(areas& a);
  void say_where_we_are(areas& a);
  void begin(areas& a, source& s);
  void begin_exchange(areas& a, source& s);
  member_set behind(areas& a, std::int32_t giver, std::int64_t piece, std::int64_t places) const;
  void put(areas& a);
  void take(const source& s) const;
  bool take_what_is_there(areas& a, source& s);
  void say_taken(areas& a) const;

  std::int32_t members_ = 0, rank_ = 0;
  form form_ = form::to_all;
  bool gives_ = false;
  bool passes_ = false;     // two give each other something, and their blocks go to and fro
  bool passed_ = false;     // they do already,
  bool in_theirs_ = false;  // and what we give lies in the other one's block
  p2p::buffer data_{};
  std::uint64_t bytes_ = 0;  // that each other member is given
  cut cut_{};
  std::vector<source> sources_;
  std::byte* block_ = nullptr;
  std::int64_t put_ = 0, taken_in_all_ = 0;  // pieces
  bool offered_ = false;                     // our slot says where we are
  bool untold_ = false;                      // nobody has been woken for the last pieces
  bool refused_ = false;
  std::int32_t error_ = 0;
};

}  // namespace loadstone::coll
