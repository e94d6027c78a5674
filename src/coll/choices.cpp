#include "coll/choices.hpp"

#include <algorithm>
#include <utility>

#include "coll/area_layout.hpp"

namespace loadstone::coll {

namespace {

using name = std::string_view;
constexpr name barriers[] = {"auto", "tree", "dissemination", "linear", "area", "levels"};
constexpr name bcasts[] = {"auto", "binomial", "chain", "scattered", "area", "buffers", "blocks", "levels"};
constexpr name gathers[] = {"auto", "linear", "binomial", "area", "buffers"};
constexpr name allgathers[] = {"auto", "ring", "direct", "bruck", "by_root", "area", "buffers", "blocks"};
constexpr name reduces[] = {"auto", "binomial", "scattered", "area", "buffers", "blocks", "chain", "levels"};
constexpr name allreduces[] = {"auto", "doubling", "by_root", "scattered", "halving",
                               "area", "buffers",  "blocks",  "chain",     "levels"};
constexpr name reduce_scatters[] = {"auto", "direct",  "by_root", "doubling", "halving",
                                    "area", "buffers", "blocks",  "chain",    "levels"};
constexpr name alltoalls[] = {"auto", "pairwise", "area", "buffers", "blocks"};
constexpr name scans[] = {"auto", "doubling", "direct", "area", "buffers"};
constexpr name neighbors[] = {"auto", "messages", "area", "buffers"};
constexpr choices::known names[] = {
    {"barrier", barriers},     {"bcast", bcasts},
    {"gather", gathers},       {"scatter", gathers},
    {"allgather", allgathers}, {"reduce", reduces},
    {"allreduce", allreduces}, {"reduce_scatter", reduce_scatters},
    {"alltoall", alltoalls},   {"scan", scans},
    {"exscan", scans},         {"neighbor", neighbors},
};

}  // namespace

std::span<const choices::known> choices::table() {
  static_assert(std::size(names) == rows);
  static_assert(model::most_ahead == area_slot::most_behind);
  return names;
}

std::size_t choices::find(std::string_view collective) {
  for (std::size_t i = 0; i < rows; ++i)
    if (names[i].collective == collective) return i;
  return not_found;
}

bool choices::set(std::string_view collective, std::string_view algorithm) {
  const std::size_t i = find(collective);
  if (i == not_found) return false;
  for (std::size_t a = 0; a < names[i].algorithms.size(); ++a) {
    if (names[i].algorithms[a] != algorithm) continue;
    fixed_[i] = static_cast<std::uint8_t>(a);
    return true;
  }
  return false;
}

std::string_view choices::get(std::string_view collective) const {
  const std::size_t i = find(collective);
  return i == not_found ? std::string_view{} : names[i].algorithms[fixed_[i]];
}

bool choices::named(std::string_view collective, operation* what) {
  const std::size_t i = find(collective);
  if (i >= neighbor) return false;
  *what = static_cast<operation>(i);
  return true;
}

void choices::set_machine(std::shared_ptr<const model::machine> machine, std::uint32_t cores,
                          std::uint32_t processes) {
  machine_ = std::move(machine);
  cores_ = cores;
  processes_ = processes;
  chosen_ = {};
}

model::collective choices::described(row r, const members& p, std::int64_t n, const where& can) const {
  // The chain is for links of limited bandwidth. Between processes of one machine it only has more
  // messages; so it is taken only where it is forced.
  return {.what = names[r].collective,
          .members = p.size,
          .bytes = n,
          .areas = can.areas,
          .stays = can.stays,
          .chain = false,
          .levels = can.levels};
}

namespace {

// Of data that stays where it is, those who wait do the part of those who compute, to whom less
// than a fifth is left: so it may take so many times as long, where somebody may compute. Of short
// ones that would save a few microseconds, and cost more where all come at once.
double worth_by_others(std::int64_t n) {
  return n < model::round_of_blocks ? 1.2 : 4;
}

// Those of the table alone: the model may know more.
std::size_t index_of(std::span<const name> known, name algorithm) {
  return static_cast<std::size_t>(std::find(known.begin(), known.end(), algorithm) - known.begin());
}

}  // namespace

// Where there are fewer cores than processes, those of a small communicator share theirs with
// others.
model::places choices::places_of(const members& p) const {
  model::places found{.cores = std::max(p.size, static_cast<std::int32_t>(cores_))};
  if (cores_ != 0 && cores_ < processes_) {
    const std::uint64_t share = std::uint64_t{cores_} * static_cast<std::uint32_t>(p.size) / processes_;
    found.cores = std::max(1, static_cast<std::int32_t>(share));
  }
  if (cores_ >= model::cores_with_limits) {
    found.stream = model::usual_stream * cores_;
    found.caches = model::usual_cache * cores_;
  }
  found.of_cache = p.where.of_cache;
  found.of_socket = p.where.of_socket;
  found.in_turn = p.where.in_turn;
  return found;
}

bool choices::reduces(operation what) {
  const auto r = static_cast<row>(what);
  return r == reduce || r == allreduce || r == reduce_scatter || r == scan || r == exscan;
}

// Those that fold the operands of all members from the highest rank down. Others combine pairs of
// neighbours first, or subtrees that depend on the root.
bool choices::folds_down(row r, std::size_t algorithm) {
  const name a = names[r].algorithms[algorithm];
  if (r == scan || r == exscan) return a == "direct" || a == "area";
  return a == (r == reduce_scatter ? "direct" : "scattered") || a == "area" || a == "buffers" ||
         a == "blocks" || a == "chain";
}

bool choices::allowed(row r, std::size_t algorithm) const {
  return !reproducible_ || algorithm == 0 || !reduces(static_cast<operation>(r)) || folds_down(r, algorithm);
}

std::uint8_t choices::like_areas(operation what, in_area later) {
  if (later == in_area::no || later == in_area::levels) return 0;
  const auto r = static_cast<row>(what);
  const name in_areas = later == in_area::slots     ? "area"
                        : later == in_area::buffers ? "buffers"
                        : later == in_area::blocks  ? "blocks"
                                                    : "chain";
  if (!folds_down(r, index_of(names[r].algorithms, in_areas))) return 0;
  std::uint8_t a = 1;
  while (!folds_down(r, a)) ++a;
  return a;
}

std::vector<model::algorithm> choices::priced(row r, const members& p, std::int64_t n,
                                              const where& can) const {
  const std::span<const name> known = names[r].algorithms;
  std::vector<model::algorithm> all = model::algorithms_of(described(r, p, n, can), machine(), places_of(p));
  std::erase_if(all, [&](const model::algorithm& a) { return index_of(known, a.name) == known.size(); });
  for (model::algorithm& a : all) {
    if (allowed(r, index_of(known, a.name))) continue;
    a.time = 0;
    a.why_not = "reduces in another order (LOADSTONE_REPRODUCIBLE)";
  }
  return all;
}

choices::weighed choices::weigh(operation what, const members& p, std::int64_t n, bool areas) const {
  const auto r = static_cast<row>(what);
  const where can{areas, areas, areas};
  weighed found{priced(r, p, n, can), 0, false};
  const auto place_of = [&](std::size_t algorithm) {
    return static_cast<std::size_t>(
        std::find_if(found.all.begin(), found.all.end(),
                     [&](const model::algorithm& a) { return a.name == names[r].algorithms[algorithm]; }) -
        found.all.begin());
  };
  if (fixed_of(r) != 0) {
    const std::size_t i = place_of(fixed_of(r));
    if (i != found.all.size() && found.all[i].why_not.empty())
      return found.taken = i, found.fixed = true, found;
  }
  const std::size_t i = place_of(quickest(r, p, n, can));
  found.taken = i != found.all.size() ? i : 0;
  return found;
}

choices::weighed choices::weigh_unequal(operation what, const members& p, std::int64_t n, bool areas) const {
  const auto r = static_cast<row>(what);
  weighed found{priced(r, p, n, {areas, areas, areas}), 0, false};
  const bool all_know = what == operation::allgather;
  const bool has_root = (r == gather || r == scatter) && !may_list_edges(what);
  const bool may_share = areas && p.size <= model::most_with_areas;
  const std::size_t in_edges = index_of(names[r].algorithms, "buffers");
  std::size_t taken = 0;
  if (has_root) {
    const bool in_slots = may_share && n <= model::most_ahead &&
                          how_in_area(what, p, unequal, {.stays = false}) == in_area::slots;
    taken = in_slots ? index_of(names[r].algorithms, "area") : 1;
  } else if (all_know) {
    const in_area in = may_share ? how_in_area(what, p, {n, n}, {}) : in_area::no;
    taken = in == in_area::no ? static_cast<std::size_t>(for_allgatherv())
                              : index_of(names[r].algorithms, in == in_area::slots    ? "area"
                                                              : in == in_area::blocks ? "blocks"
                                                                                      : "buffers");
  } else {
    taken = may_share && may_list_edges(what) ? in_edges : 1;
  }
  // Short blocks in edges lie in slots.
  double in_slots = 0;
  for (const model::algorithm& a : found.all)
    if (a.name == "area") in_slots = a.time;
  for (std::size_t i = 0; i < found.all.size(); ++i) {
    model::algorithm& a = found.all[i];
    const std::size_t algorithm = index_of(names[r].algorithms, a.name);
    if (algorithm == taken) found.taken = i;
    const bool may = all_know   ? a.name != "bruck" && a.name != "by_root"
                     : has_root ? algorithm == 1 || (a.name == "area" && n <= model::most_ahead)
                                : algorithm == 1 || algorithm == in_edges;
    const bool of_one_size = all_know || a.name != "area";
    if (!may) a = {a.name, 0, of_one_size ? "for blocks of one size" : has_root ? "too long" : "see buffers"};
    if (!all_know && !has_root && algorithm == in_edges && in_slots > 0) a.time = in_slots;
  }
  found.fixed = fixed_of(r) == taken || (taken == in_edges && fixed_of(r) != 0);
  return found;
}

std::uint8_t choices::quickest(row r, const members& p, std::int64_t n, const where& can) const {
  // All of them in the upper bits of the product: two questions about one collective follow each
  // other.
  const std::uint8_t where_bits =
      static_cast<std::uint8_t>(can.areas + 2 * can.stays + 4 * can.levels + 8 * can.may_compute);
  const std::uint64_t key = static_cast<std::uint64_t>(n) ^ static_cast<std::uint64_t>(p.size) << 40 ^
                            static_cast<std::uint64_t>(r) << 56 ^ std::uint64_t{where_bits} << 60;
  const std::uint64_t mixed = (key ^ key >> 32) * 0x9e3779b97f4a7c15u;
  const std::size_t first = mixed >> 48 & (chosen_.size() - 2);  // of a pair
  for (const std::size_t i : {first, first ^ 1}) {
    const chosen& c = chosen_[i];
    if (c.algorithm != 0 && c.n == n && c.p == p && c.what == r && c.where_bits == where_bits)
      return c.algorithm;
  }
  chosen_[first ^ 1] = chosen_[first];  // the older of the pair goes
  double least = 0, by_those_who_wait = 0;
  std::size_t best = 1, of_those_who_wait = 0;
  for (const model::algorithm& a : priced(r, p, n, can)) {
    const std::size_t i = index_of(names[r].algorithms, a.name);
    // Slices may be empty.
    if (reproducible_ && least == 0 && a.name == "scattered") best = i;
    if (!a.why_not.empty() || a.time <= 0) continue;
    if (a.name == "buffers") of_those_who_wait = i, by_those_who_wait = a.time;
    if (least != 0 && a.time >= least) continue;
    best = i;
    least = a.time;
  }
  if (can.may_compute && of_those_who_wait != 0 && by_those_who_wait <= worth_by_others(n) * least)
    best = of_those_who_wait;
  chosen_[first] = {n, p, r, where_bits, static_cast<std::uint8_t>(best)};
  return chosen_[first].algorithm;
}

choices::in_area choices::how_in_area(operation what, const members& p, const amounts& n,
                                      const possible& can) const {
  const auto r = static_cast<row>(what);
  const auto in = [&](std::size_t algorithm) {
    const name a = names[r].algorithms[algorithm];
    return a == "area"                     ? in_area::slots
           : a == "buffers"                ? in_area::buffers
           : a == "blocks"                 ? in_area::blocks
           : a == "levels"                 ? in_area::levels
           : a == "chain" && reduces(what) ? in_area::chain
                                           : in_area::no;
  };
  if (fixed_of(r) != 0) {
    const in_area fixed = in(fixed_of(r));
    const bool fits = n.bytes <= area_bytes;
    const bool may = fixed == in_area::slots    ? fits
                     : fixed == in_area::levels ? fits && can.levels
                                                : can.stays;
    return may ? fixed : in_area::no;
  }
  return in(
      quickest(r, p, n.moved,
               {.areas = true, .stays = can.stays, .levels = can.levels, .may_compute = can.may_compute}));
}

bool choices::may_list_edges(operation what) const {
  const row r = what >= operation::neighbor_allgather ? neighbor : static_cast<row>(what);
  const std::string_view fixed_one = names[r].algorithms[fixed_of(r)];
  if (r == gather || r == scatter) return fixed_one == "buffers";
  return fixed_of(r) == 0 || fixed_one == "area" || fixed_one == "buffers" || fixed_one == "blocks";
}

barrier_algorithm choices::for_barrier(const members& p) const {
  return by_messages<barrier_algorithm>(barrier, p, 0);
}

bcast_algorithm choices::for_bcast(const members& p, std::int64_t n) const {
  return by_messages<bcast_algorithm>(bcast, p, n);
}

gather_algorithm choices::for_gather(const members& p, std::int64_t n) const {
  return by_messages<gather_algorithm>(gather, p, n);
}

gather_algorithm choices::for_scatter(const members& p, std::int64_t n) const {
  return by_messages<gather_algorithm>(scatter, p, n);
}

allgather_algorithm choices::for_allgather(const members& p, std::int64_t n) const {
  return by_messages<allgather_algorithm>(allgather, p, n);
}

allgather_algorithm choices::for_allgatherv() const {
  const auto fixed = static_cast<allgather_algorithm>(fixed_[allgather]);
  return fixed == allgather_algorithm::ring ? fixed : allgather_algorithm::direct;
}

reduce_algorithm choices::for_reduce(const members& p, std::int64_t n, std::int64_t count) const {
  const auto a = by_messages<reduce_algorithm>(reduce, p, n);
  const bool divides = count >= p.size || fixed_of(reduce) != 0 || reproducible_;
  return a == reduce_algorithm::scattered && !divides ? reduce_algorithm::binomial : a;
}

allreduce_algorithm choices::for_allreduce(const members& p, std::int64_t n, std::int64_t count) const {
  const auto a = by_messages<allreduce_algorithm>(allreduce, p, n);
  const bool divides = count >= p.size || fixed_of(allreduce) != 0 || reproducible_;
  return a == allreduce_algorithm::scattered && !divides ? allreduce_algorithm::doubling : a;
}

scan_algorithm choices::for_scan(const members& p, std::int64_t n) const {
  return by_messages<scan_algorithm>(scan, p, n);
}

scan_algorithm choices::for_exscan(const members& p, std::int64_t n) const {
  return by_messages<scan_algorithm>(exscan, p, n);
}

reduce_scatter_algorithm choices::for_reduce_scatter(const members& p, std::int64_t n) const {
  return by_messages<reduce_scatter_algorithm>(reduce_scatter, p, n);
}

}  // namespace loadstone::coll
