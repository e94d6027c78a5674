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
// send. A blocking collective beside a non-blocking one is not found: they are counted apart. Cost:
// four stores a collective; messages only after a tenth of a second.
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

//   0 context | 8 number | 12 rank | 16 does | 24 asks | 28 elsewhere | 32 end
struct disagreement_note {
  std::uint64_t context;
  std::uint32_t number;
  std::int32_t rank;  // who does that, in its group
  signature does;
  std::uint32_t asks;       // 1: whose note it is wants an answer
  std::uint32_t elsewhere;  // 1: it is in the other group than who reads this
};
static_assert(offsetof(disagreement_note, rank) == 12 && offsetof(disagreement_note, does) == 16);
static_assert(offsetof(disagreement_note, asks) == 24 && offsetof(disagreement_note, elsewhere) == 28);
static_assert(sizeof(disagreement_note) == 32);

class disagreements {
 public:
  explicit disagreements(const std::vector<std::unique_ptr<schedule>>& all) : all_(all) {}
  void watch(deposit::endpoint& endpoint);

  // A collective is being built.
  void begins(std::uint64_t context, std::uint32_t number, std::int32_t rank, const signature& does) {
    recent_[begun_++ % remembered] = {context, number, rank, does, false};
  }
  // Of a collective that has failed here, once for each; empty: no other has.
  std::string explanation();
  std::uint64_t notes() const { return noted_; }  // from others, so far

 private:
  static constexpr std::size_t remembered = 256;
  struct run {
    std::uint64_t context = ~std::uint64_t{0};
    std::uint32_t number = 0;
    std::int32_t rank = 0;
    signature does;
    bool elsewhere = false;  // in the other group of an inter-communicator
  };
  schedule* active(std::uint64_t context, std::uint32_t number) const;
  struct letter {
    std::uint32_t process;
    disagreement_note note;
  };
  // For a process in our group, or (`across`) in the other one.
  static disagreement_note note_of(const run& r, bool asks, bool across) {
    return {r.context, r.number, r.rank, r.does, asks ? 1u : 0u, r.elsewhere != across ? 1u : 0u};
  }
  static run run_of(const schedule& s);
  // This process has waited for a while, for whatever. `now`: ns.
  void ask(std::uint64_t now);
  void ask(schedule& s, std::uint64_t now);
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
  std::vector<letter> kept_;
  std::vector<run> others_;  // of collectives that have failed here: what somebody else did
  std::vector<std::string> explanations_;
};

}  // namespace loadstone::coll
