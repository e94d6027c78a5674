// Chooses the algorithm of each collective: the one that the model (model/collectives.hpp) says is
// the quickest, unless one is fixed. The choice depends only on what is the same at all members of
// a communicator (its size, bytes, settings and parameters of the job): members that chose
// differently would wait for ever for each other's messages.
//
// Each has algorithms in shared areas (areas.hpp), the last of its list: `area` for what fits a
// slot, `buffers`, `blocks` and `chain` for more (buffers.cpp; that of bcast is by messages),
// `levels` along the levels of the machine (levels.hpp). They are for communicators that may have
// them; the others are for all else, and where one of these is forced but cannot be.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coll/signature.hpp"
#include "model/collectives.hpp"

namespace loadstone::coll {

enum class barrier_algorithm : std::uint8_t { automatic, tree, dissemination, linear, area, levels };
enum class bcast_algorithm : std::uint8_t {
  automatic,
  binomial,
  chain,
  scattered,
  area,
  buffers,
  blocks,
  levels
};
enum class gather_algorithm : std::uint8_t { automatic, linear, binomial, area, buffers };  // scatter too
enum class allgather_algorithm : std::uint8_t {
  automatic,
  ring,
  direct,
  bruck,
  by_root,
  area,
  buffers,
  blocks
};
enum class reduce_algorithm : std::uint8_t {
  automatic,
  binomial,
  scattered,
  area,
  buffers,
  blocks,
  chain,
  levels
};
enum class allreduce_algorithm : std::uint8_t {
  automatic,
  doubling,
  by_root,
  scattered,
  halving,
  area,
  buffers,
  blocks,
  chain,
  levels
};
enum class reduce_scatter_algorithm : std::uint8_t {
  automatic,
  direct,
  by_root,
  doubling,
  halving,
  area,
  buffers,
  blocks,
  chain,
  levels
};
enum class alltoall_algorithm : std::uint8_t { automatic, pairwise, area, buffers, blocks };
enum class scan_algorithm : std::uint8_t { automatic, doubling, direct, area, buffers };  // exscan too

enum class neighbor_algorithm : std::uint8_t { automatic, messages, area, buffers };

// The members of a communicator, as far as the choice goes: how many, and how they lie.
struct members {
  members(std::int32_t n, const model::spread& how = {}) : size(n), where(how) {}
  std::int32_t size;
  model::spread where;
  friend bool operator==(const members&, const members&) = default;
};

class choices {
 public:
  // The collectives that have a choice, and their algorithms in the order of the enumerations; the
  // first is always "auto".
  struct known {
    std::string_view collective;
    std::span<const std::string_view> algorithms;
  };
  static std::span<const known> table();

  // Fixes the algorithm of a collective, by name. False: there is no such collective or algorithm.
  bool set(std::string_view collective, std::string_view algorithm);
  // The algorithm that is fixed, or "auto"; "" if there is no such collective.
  std::string_view get(std::string_view collective) const;

  // The machine that costs are computed for, the same in all processes of the job; null: the one
  // that is built in. `cores`: of the job, for so many `processes`; 0: a core for each.
  void set_machine(std::shared_ptr<const model::machine> machine, std::uint32_t cores,
                   std::uint32_t processes);

  // Only algorithms that reduce in one order: from the highest rank down, x0 + (x1 + (x2 + ...)).
  // So results have the same bits whichever is taken. One that is fixed and has another is not
  // taken.
  void set_reproducible(bool yes) {
    reproducible_ = yes;
    chosen_ = {};
  }

  // The most that a member puts into a slot of the areas of a communicator.
  static constexpr std::int64_t area_bytes = model::slot_room;
  // How a collective is done in areas, where there may be some: not at all, in slots, or on data
  // that stays where it is.
  enum class in_area : std::uint8_t { no, slots, buffers, blocks, chain, levels };
  struct amounts {
    std::int64_t bytes;  // the most that a member puts in a slot
    std::int64_t moved;  // between two members, at most, or the vector of a reduction
  };
  // Of a gather or scatter whose root alone knows all sizes, as if they were short.
  static constexpr amounts unequal{area_bytes, 8};
  // What is possible, the same at all members: data may stay where it is; they may be taken
  // together by where they are. And whether members may compute between the start of a collective
  // and its end, so that those who wait should do their part.
  struct possible {
    bool stays = true, levels = true, may_compute = false;
  };
  in_area how_in_area(operation what, const members& p, const amounts& n, const possible& can) const;
  static bool reduces(operation what);
  // The algorithm by messages of a reduction whose results have the same bits as those that it will
  // have in areas; 0: there is none, or it is done by messages.
  static std::uint8_t like_areas(operation what, in_area later);
  // Of the trees that those go along, to the root and from there.
  model::fans fans_in() const { return model::fans_in(machine(), {}); }
  model::fans fans_out() const { return model::fans_out(machine(), {}); }
  // Those whose sizes nobody knows: may they be done in edges (edges.hpp)? That is algorithm
  // `buffers`. Gather and scatter, whose root knows all, only where it is set.
  bool may_list_edges(operation what) const;

  // Every algorithm of a collective with its cost, and which is taken; `areas`: the members may
  // have some. For those who ask why (loadstone explain).
  struct weighed {
    std::vector<model::algorithm> all;
    std::size_t taken;  // of all
    bool fixed;
  };
  weighed weigh(operation what, const members& p, std::int64_t n, bool areas) const;
  // The same of its form whose blocks have sizes of their own, `n` bytes here: gather, scatter,
  // alltoall, allgather. What is done does not depend on the sizes where only their owners know
  // them.
  weighed weigh_unequal(operation what, const members& p, std::int64_t n, bool areas) const;
  // False: there is no such collective, or nothing is known of what it costs (neighbourhoods).
  static bool named(std::string_view collective, operation* what);

  // The choice by messages for p members and n bytes: those of the whole vector (reduce, allreduce,
  // reduce_scatter) or of one block (gather, scatter, allgather). `count`: elements of the vector.
  barrier_algorithm for_barrier(const members& p) const;
  bcast_algorithm for_bcast(const members& p, std::int64_t n) const;
  gather_algorithm for_gather(const members& p, std::int64_t n) const;
  gather_algorithm for_scatter(const members& p, std::int64_t n) const;
  allgather_algorithm for_allgather(const members& p, std::int64_t n) const;
  scan_algorithm for_scan(const members& p, std::int64_t n) const;
  scan_algorithm for_exscan(const members& p, std::int64_t n) const;
  allgather_algorithm for_allgatherv() const;  // ring or direct
  reduce_algorithm for_reduce(const members& p, std::int64_t n, std::int64_t count) const;
  allreduce_algorithm for_allreduce(const members& p, std::int64_t n, std::int64_t count) const;
  reduce_scatter_algorithm for_reduce_scatter(const members& p, std::int64_t n) const;
  std::int64_t chain_segment() const { return 128 * 1024; }

 private:
  enum row : std::uint8_t {
    barrier,
    bcast,
    gather,
    scatter,
    allgather,
    reduce,
    allreduce,
    reduce_scatter,
    alltoall,
    scan,
    exscan,
    neighbor,  // both of them
    rows       // as `operation`, as far as they go
  };
  static constexpr std::size_t not_found = ~std::size_t{0};
  static std::size_t find(std::string_view collective);
  template <class Algorithm>
  Algorithm by_messages(row r, const members& p, std::int64_t n) const {
    const auto a = static_cast<Algorithm>(fixed_of(r));
    if (a != Algorithm::automatic && a < Algorithm::area) return a;
    return static_cast<Algorithm>(quickest(r, p, n, {}));
  }
  static bool folds_down(row r, std::size_t algorithm);
  bool allowed(row r, std::size_t algorithm) const;
  std::uint8_t fixed_of(row r) const { return allowed(r, fixed_[r]) ? fixed_[r] : 0; }
  struct where {
    bool areas = false, stays = false, levels = false, may_compute = false;
  };
  std::vector<model::algorithm> priced(row r, const members& p, std::int64_t n, const where& can) const;
  std::uint8_t quickest(row r, const members& p, std::int64_t n, const where& can) const;
  model::collective described(row r, const members& p, std::int64_t n, const where& can) const;

  std::array<std::uint8_t, rows> fixed_{};
  bool reproducible_ = false;
  std::shared_ptr<const model::machine> machine_;
  model::places places_of(const members& p) const;
  const model::machine& machine() const {
    return machine_ != nullptr ? *machine_ : model::nearest_built_in();
  }

  std::uint32_t cores_ = 0, processes_ = 0;
  // What has been chosen: programs do the same again and again. 0: nothing yet.
  struct chosen {
    std::int64_t n = 0;
    members p = 0;
    row what = barrier;
    std::uint8_t where_bits = 0;
    std::uint8_t algorithm = 0;
  };
  mutable std::array<chosen, 256> chosen_{};
};

}  // namespace loadstone::coll
