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
// Condition: intra-communicators; a member that waits (not one that tests); of collectives that are
// over, the last `remembered` of each process. Cost: three stores a collective; messages only after
// `patience`.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "coll/signature.hpp"
#include "p2p/engine.hpp"

namespace loadstone::coll {

class schedule;

//   0 context | 8 number | 12 rank | 16 does | 24 asks | 32 end
struct disagreement_note {
  std::uint64_t context;
  std::uint32_t number;
  std::int32_t rank;  // who does that, in the communicator
  signature does;
  std::uint64_t asks;  // 1: whose note it is wants an answer
};
static_assert(sizeof(disagreement_note) == 32);

class disagreements {
 public:
  using send_function = void (*)(void* to, std::uint32_t process, const disagreement_note& note);
  explicit disagreements(const std::vector<std::unique_ptr<schedule>>& all) : all_(all) {}
  void send_by(send_function send, void* to) { send_ = send, to_ = to; }

  // A collective is being built.
  void begins(std::uint64_t context, std::uint32_t number, std::int32_t rank, const signature& does) {
    recent_[begun_++ % remembered] = {context, number, rank, does};
  }
  // This process has waited for a while, for whatever. `now`: ns.
  void waits(std::uint64_t now);
  void noted(std::uint32_t process, const disagreement_note& note);

  // Of the collective that has failed here last; empty: none has. Goes with the asking.
  std::string explanation();

 private:
  static constexpr std::size_t remembered = 256;
  struct run {
    std::uint64_t context = ~std::uint64_t{0};
    std::uint32_t number = 0;
    std::int32_t rank = 0;
    signature does;
  };
  schedule* active(std::uint64_t context, std::uint32_t number) const;
  struct letter {
    std::uint32_t process;
    disagreement_note note;
  };
  static disagreement_note note_of(const run& r, bool asks) {
    return {r.context, r.number, r.rank, r.does, asks ? 1u : 0u};
  }
  void ask(schedule& s, std::uint64_t now, std::vector<letter>* letters) const;
  void answer(std::uint32_t process, const disagreement_note& question);
  void fail(schedule& s, const disagreement_note& other);
  // Last of all: there may be no memory, and others run while we wait for it.
  void send(const std::vector<letter>& letters);

  const std::vector<std::unique_ptr<schedule>>& all_;
  send_function send_ = nullptr;
  void* to_ = nullptr;
  std::array<run, remembered> recent_;
  std::uint32_t begun_ = 0;
  std::vector<run> others_;  // of collectives that have failed here: what somebody else did
  std::string explanation_;
};

}  // namespace loadstone::coll
