// Members of a communicator that call different collectives in the same place, or the same one with
// different algorithms or roots: an error of the program, or settings that are not the same for
// all. Their messages do not match (signature.hpp), so that somebody waits for ever. Who has waited
// for a while asks those it waits for what they do; where that differs, the collective ends with an
// error on all members that are in it.
//
//   told   "rank r does this as the n-th collective of that communicator"; who does something else
//          there fails its own, and tells all members of both
//   asked  the same, and an answer is wanted if something else was done there
//
// Condition: a member that waits, or tests again and again; of collectives that are over, the last
// `remembered` of each process; not of a member that has left MPI, or that waits for memory to
// send. Cost: five stores a collective; messages only after a tenth of a second, and then so many
// in a tenth of a second at most.
//
// Blocking collectives and others are numbered apart. So a collective has a place, too, among all
// of its communicator: where members do one form and the other in the same place, they are told,
// and so is whoever is in a later one of that communicator, as the numbers do not agree any more.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "coll/signature.hpp"
#include "deposit/endpoint.hpp"

namespace loadstone::coll {

class schedule;

//   0 context | 8 number | 12 rank | 16 does | 24 place | 28 asks | 30 elsewhere | 32 end
struct disagreement_note {
  std::uint64_t context;
  std::uint32_t number;
  std::int32_t rank;  // who does that, in its group
  signature does;
  std::uint32_t place;      // among all of the communicator; no_place: not known
  std::uint16_t asks;       // 1: whose note it is wants an answer
  std::uint16_t elsewhere;  // 1: it is in the other group than who reads this
};
static_assert(offsetof(disagreement_note, rank) == 12 && offsetof(disagreement_note, does) == 16);
static_assert(offsetof(disagreement_note, place) == 24 && offsetof(disagreement_note, asks) == 28 &&
              offsetof(disagreement_note, elsewhere) == 30);
static_assert(sizeof(disagreement_note) == 32);

class disagreements {
 public:
  explicit disagreements(const std::vector<std::unique_ptr<schedule>>& all) : all_(all) {}
  void watch(deposit::endpoint& endpoint);

  // A collective is being built.
  void begins(std::uint64_t context, std::uint32_t number, std::uint32_t place, std::int32_t rank,
              const signature& does) noexcept {
    // One by one: a copy of a whole one reads in pieces of 16 bytes what has just been written in
    // smaller ones, and then waits until all stores before it are done.
    run& r = recent_[begun_++ % remembered];
    r.context = context;
    r.number = number;
    r.place = place;
    r.rank = rank;
    r.does = does;
    r.elsewhere = false;
  }
  // Of a collective that has failed here, once for each; empty: no other has.
  std::string explanation();
  std::uint64_t notes() const { return noted_; }  // from others, so far

 private:
  static constexpr std::size_t remembered = 256;
  struct run {
    std::uint64_t context = ~std::uint64_t{0};
    std::uint32_t number = 0, place = no_place;
    std::int32_t rank = 0;
    signature does;
    bool elsewhere = false;  // in the other group of an inter-communicator
    // Are they where members have to do the same, and do they?
    bool meets(const run& other) const;
    bool differs_from(const run& other) const;
  };
  schedule* active_beside(const run& theirs) const;
  struct letter {
    std::uint32_t process;
    disagreement_note note;
  };
  // For a process in our group, or (`across`) in the other one.
  static disagreement_note note_of(const run& r, bool asks, bool across) {
    return {r.context,
            r.number,
            r.rank,
            r.does,
            r.place,
            static_cast<std::uint16_t>(asks),
            static_cast<std::uint16_t>(r.elsewhere != across)};
  }
  static run run_of(const disagreement_note& n) {
    return {n.context, n.number, n.place, n.rank, n.does, n.elsewhere != 0};
  }
  run run_of(const schedule& s) const;
  // This process has waited for a while, for whatever. `now`: ns.
  void ask(std::uint64_t now);
  bool ask(schedule& s, std::uint64_t now);  // true: it has been asked
  bool may_ask(std::uint64_t now);
  static bool hangs_on_the_dead(schedule& s, std::uint64_t now);
  void keep(const letter& from);  // in a handler: nothing is sent, and nothing ends there
  void read();
  void answer(const letter& question);
  void fail(schedule& s, const run& theirs);
  // Notes that would have to wait, for memory or for a peer's start, are dropped: they are asked
  // for again.
  void send(std::uint32_t process, const disagreement_note& note);

  const std::vector<std::unique_ptr<schedule>>& all_;
  deposit::endpoint* endpoint_ = nullptr;
  std::array<run, remembered> recent_;
  std::uint32_t begun_ = 0;
  std::uint64_t noted_ = 0;
  std::uint64_t asked_until_ = 0;  // then counting begins again
  std::uint32_t asked_ = 0;        // questions since it began
  std::size_t next_asked_ = 0;     // which one is asked for first, next time
  std::vector<letter> kept_;
  std::vector<run> others_;  // of collectives that have failed here: what somebody else did
  std::vector<std::string> explanations_;
};

}  // namespace loadstone::coll
