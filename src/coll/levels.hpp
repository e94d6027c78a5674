// Who takes from whom where a collective goes by the levels of the machine: members that share a
// cache first, then the leaders of those within a NUMA node, of a package, and of the machine. So
// of a group only its leader's line crosses to the next. A group with more members than the fan of
// its level is a tree itself.
//
//   16 members, two packages of two caches of four cores; fan 3 or more, root 0
//     0 <- 1 2 3    4 <- 5 6 7    8 <- 9 10 11    12 <- 13 14 15      within a cache
//     0 <- 4                      8 <- 12                             within a package
//     0 <- 8
//
// The leader of a group is its lowest member, or the root, where it has it. All members of a
// communicator make the same trees.
//
// Source: Worringer, dissertation, 6.5 (barriers by the levels of a machine); trees whose fan
// follows from the cost of a line: S. Ramos, T. Hoefler, HPDC 2013.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/locality.hpp"
#include "model/collectives.hpp"

namespace loadstone::coll {

class levels {
 public:
  // One for each member.
  explicit levels(std::span<const memory::locality> where);

  // What the model has to know of them.
  const model::spread& spread() const { return spread_; }
  // Each group is of neighbouring ranks: so what it folds are neighbours, too.
  bool in_rank_order() const { return !spread_.in_turn; }

  // What one member has to do in a tree.
  struct seat {
    std::int32_t above = -1;  // who takes from us, or gives to us; -1: we are the root
    // Those that we take from, or give to: a group after the other, the nearest first. Each has us,
    // too, and is in rank order.
    std::vector<std::vector<std::int32_t>> below;
  };
  seat seat_of(std::int32_t rank, std::int32_t root, const model::fans& most) const;

 private:
  enum : std::size_t { cache, node, package, machine, kinds };
  std::int32_t lowest(std::size_t kind, std::int32_t r) const {
    return kind == machine ? 0 : group_[kind][static_cast<std::size_t>(r)];
  }
  bool same(std::size_t kind, std::int32_t a, std::int32_t b) const {
    return lowest(kind, a) == lowest(kind, b);
  }
  std::int32_t largest(std::size_t kind) const;

  std::int32_t members_;
  // For each kind and member: the lowest member of its group; all are in one machine.
  std::array<std::vector<std::int32_t>, machine> group_;
  model::spread spread_{};
};

}  // namespace loadstone::coll
