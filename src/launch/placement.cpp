#include "launch/placement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace loadstone::launch {

namespace {

struct named_part {
  machine_part part;
  const char* name;
};

// The first name of each is ours.
constexpr named_part names[] = {
    {machine_part::none, "none"},  {machine_part::hwthread, "hwthread"},
    {machine_part::core, "core"},  {machine_part::l3cache, "l3cache"},
    {machine_part::numa, "numa"},  {machine_part::socket, "socket"},
    {machine_part::l3cache, "l3"}, {machine_part::socket, "package"},
};

bool is_group(machine_part part) {
  return part >= machine_part::l3cache;
}

std::size_t kind_of(machine_part part) {
  return static_cast<std::size_t>(part) - static_cast<std::size_t>(machine_part::l3cache);
}

// Each hardware thread as a core of its own. `in_turn`: first one of each core, then the second of
// each, …
std::vector<core> hardware_threads(const std::vector<core>& cores, bool in_turn) {
  std::vector<core> all;
  if (!in_turn) {
    for (const core& c : cores)
      for (const int p : c.threads) all.push_back({{p}, c.within});
    return all;
  }
  for (std::size_t i = 0, before = 1; all.size() != before; ++i) {
    before = all.size();
    for (const core& c : cores)
      if (i < c.threads.size()) all.push_back({{c.threads[i]}, c.within});
  }
  return all;
}

// Cores by their number in the list, in the groups that ranks go through; one group if there are
// none.
using groups = std::vector<std::vector<std::size_t>>;

groups groups_of(const std::vector<core>& cores, machine_part part) {
  std::map<int, std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < cores.size(); ++i)
    found[is_group(part) ? cores[i].within[kind_of(part)] : 0].push_back(i);
  groups all;
  for (auto& [number, members] : found) all.push_back(std::move(members));
  return all;
}

// How many cores each rank gets, where nobody has said it; empty if there is not one for each. All
// of `ours` are shared among those that take what they can get; a program that says how many
// threads it starts gets fewer where ranks × threads are more.
std::vector<std::uint32_t> widths(const std::vector<demand>& all, std::uint32_t ours) {
  std::uint64_t ranks = 0, fixed = 0, sharing = 0;
  for (const demand& d : all) {
    ranks += d.ranks;
    (d.threads == 0 ? sharing : fixed) += std::uint64_t{d.ranks} * std::max(d.threads, 1u);
  }
  if (ranks > ours) return {};
  const auto equal = static_cast<std::uint32_t>(ours / ranks);
  const bool fits = fixed + sharing <= ours;
  const auto share = fits && sharing != 0 ? static_cast<std::uint32_t>((ours - fixed) / sharing) : equal;
  std::vector<std::uint32_t> each;
  for (const demand& d : all)
    each.insert(each.end(), d.ranks, d.threads == 0 ? share : fits ? d.threads : std::min(d.threads, equal));
  return each;
}

// Which group each rank is in.
std::vector<std::size_t> turns(std::uint32_t ranks, std::size_t groups, std::uint32_t in_a_row) {
  std::vector<std::size_t> all;
  for (std::uint32_t i = 0; i < ranks; ++i) all.push_back(i / in_a_row % groups);
  return all;
}

// Makes widths so small that the ranks of each group fit into it. False: not even one core for
// each.
bool fit(std::vector<std::uint32_t>& width, const std::vector<std::size_t>& turn, const groups& in) {
  for (std::size_t g = 0; g < in.size(); ++g) {
    std::uint64_t wanted = 0, there = 0;
    for (std::size_t i = 0; i < turn.size(); ++i)
      if (turn[i] == g) wanted += width[i], ++there;
    if (there == 0 || wanted <= in[g].size()) continue;
    if (there > in[g].size()) return false;
    const auto most = static_cast<std::uint32_t>(in[g].size() / there);
    for (std::uint32_t& w : width) w = std::min(w, most);  // of all, so that equal ranks stay equal
  }
  return true;
}

// Ranks take the next cores of their group, from its front again when it is used up.
std::vector<std::vector<std::size_t>> deal(const std::vector<std::uint32_t>& width,
                                           const std::vector<std::size_t>& turn, const groups& in) {
  std::vector<std::size_t> next(in.size(), 0);
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t i = 0; i < turn.size(); ++i) {
    const std::vector<std::size_t>& members = in[turn[i]];
    std::vector<std::size_t> mine;
    for (std::uint32_t k = 0; k < std::min<std::size_t>(width[i], members.size()); ++k)
      mine.push_back(members[next[turn[i]]++ % members.size()]);
    all.push_back(std::move(mine));
  }
  return all;
}

// Threads for each rank, so that no core has more than one if that can be: a core is divided among
// the ranks that may run on it, and a rank gets what it has of all its cores together.
void count_threads(placement& chosen, const std::vector<std::vector<std::size_t>>& taken, std::size_t cores,
                   std::uint32_t usable) {
  std::vector<std::uint32_t> users(cores, 0);
  for (const auto& mine : taken)
    for (const std::size_t c : mine) ++users[c];
  chosen.crowded = taken.size() > usable;
  std::size_t sum = 0;
  for (const auto& mine : taken) {
    double share = 0;
    for (const std::size_t c : mine) share += 1.0 / users[c];
    constexpr double rounding = 1e-6;
    chosen.crowded = chosen.crowded || share < 1 - rounding;
    chosen.threads.push_back(std::max(static_cast<std::uint32_t>(share + rounding), 1u));
    sum += chosen.threads.back();
  }
  if (sum <= usable) return;
  const auto most = static_cast<std::uint32_t>(std::max<std::size_t>(usable / taken.size(), 1));
  for (std::uint32_t& n : chosen.threads) n = std::min(n, most);
}

std::string too_many(const placement_wish& wish, std::uint32_t ranks, std::size_t cores) {
  const std::string what =
      wish.hwthreads || wish.bind == machine_part::hwthread ? "hardware threads" : "cores";
  if (wish.cores > 1)
    return fmt::format("{} ranks of {} {} each do not fit on {}; they share them", ranks, wish.cores, what,
                       cores);
  return fmt::format("--bind-to {}: {} ranks do not fit on {} {}; they share them", name_of(wish.bind), ranks,
                     cores, what);
}

// Of two cores: how much of the machine they share.
int nearness(const core& a, const core& b) {
  int shared = 0;
  for (std::size_t kind = 0; kind < group_kinds; ++kind)
    shared += a.within[kind] >= 0 && a.within[kind] == b.within[kind] ? 1 : 0;
  return shared;
}

bool is_in(const processors& place, const core& c) {
  return std::any_of(c.threads.begin(), c.threads.end(),
                     [&](int p) { return std::binary_search(place.begin(), place.end(), p); });
}

// Cores that no rank has, by their number.
std::vector<std::size_t> left_over(const std::vector<core>& cores, const placement& chosen) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < cores.size(); ++i)
    if (std::none_of(chosen.places.begin(), chosen.places.end(),
                     [&](const processors& place) { return is_in(place, cores[i]); }))
      left.push_back(i);
  return left;
}

// The last core of each of so many parts of the machine is left out.
std::vector<core> without_some(const std::vector<core>& cores, std::uint32_t out) {
  std::vector<core> rest;
  for (std::size_t i = 0; i < cores.size(); ++i)
    if ((i + 1) * out / cores.size() == i * out / cores.size()) rest.push_back(cores[i]);
  return rest;
}

// Each server takes the core, of those that are left, that is nearest to the first of its ranks.
void place_servers(placement& chosen, const std::vector<core>& cores, std::uint32_t count) {
  const auto ranks = static_cast<std::uint32_t>(chosen.places.size());
  std::vector<std::size_t> left = left_over(cores, chosen);
  for (std::uint32_t s = 0; s < count && !left.empty(); ++s) {
    const std::size_t first = std::uint64_t{s} * ranks / count;
    const core* near = &*std::find_if(cores.begin(), cores.end(),
                                      [&](const core& c) { return is_in(chosen.places[first], c); });
    const auto best = std::max_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
      return nearness(cores[a], *near) < nearness(cores[b], *near);
    });
    chosen.servers.push_back(cores[*best].threads);
    left.erase(best);
  }
  chosen.served = static_cast<std::uint32_t>(chosen.servers.size());
}

std::uint32_t ranks_of(const std::vector<demand>& demands) {
  return std::accumulate(demands.begin(), demands.end(), 0u,
                         [](std::uint32_t n, const demand& d) { return n + d.ranks; });
}

// The ranks alone.
placement place_ranks(const std::vector<core>& cores, const std::vector<demand>& demands,
                      const placement_wish& wish, std::uint32_t usable) {
  const std::uint32_t ranks = ranks_of(demands);
  const auto ours = static_cast<std::uint32_t>(std::min<std::size_t>(cores.size(), usable));
  if (wish.bind == machine_part::none || ours == 0 || ranks == 0) return unbound(std::max(ranks, 1u), ours);

  const bool asked = wish.bind != machine_part::automatic || wish.cores != 0;
  std::vector<std::uint32_t> width(ranks, std::max(wish.cores, 1u));
  if (!asked) width = widths(demands, ours);
  if (width.empty()) return unbound(ranks, ours);

  const machine_part by = wish.map != machine_part::automatic ? wish.map
                          : is_group(wish.bind)               ? wish.bind
                                                              : machine_part::core;
  const groups in = groups_of(cores, by);
  const std::vector<std::size_t> turn = turns(ranks, in.size(), wish.in_a_row);
  if (!asked && !fit(width, turn, in)) return unbound(ranks, ours);

  placement chosen;
  if (asked && !is_group(wish.bind)) {
    std::vector<std::uint32_t> fitting = width;
    if (!fit(fitting, turn, in) || fitting != width) chosen.note = too_many(wish, ranks, cores.size());
  }
  std::vector<std::vector<std::size_t>> taken = deal(width, turn, in);
  if (is_group(wish.bind)) {
    const groups whole = groups_of(cores, wish.bind);
    for (auto& mine : taken)
      mine = *std::find_if(whole.begin(), whole.end(), [&](const std::vector<std::size_t>& group) {
        return std::find(group.begin(), group.end(), mine.front()) != group.end();
      });
    if (cores.front().within[kind_of(wish.bind)] < 0)
      chosen.note = fmt::format("--bind-to {}: this machine shows none; ranks may run on all of its cores",
                                name_of(wish.bind));
  }
  for (const auto& mine : taken) {
    processors& place = chosen.places.emplace_back();
    for (const std::size_t c : mine)
      place.insert(place.end(), cores[c].threads.begin(), cores[c].threads.end());
    std::sort(place.begin(), place.end());
  }
  count_threads(chosen, taken, cores.size(), usable);
  return chosen;
}

}  // namespace

const char* name_of(machine_part part) {
  for (const named_part& one : names)
    if (one.part == part) return one.name;
  return "automatic";
}

machine_part part_named(const std::string& name) {
  for (const named_part& one : names)
    if (name == one.name) return one.part;
  return machine_part::automatic;
}

std::size_t count_parts(const std::vector<core>& cores, machine_part part) {
  if (cores.empty() || part == machine_part::core) return cores.size();
  return part == machine_part::hwthread ? all_processors(cores).size() : groups_of(cores, part).size();
}

placement unbound(std::uint32_t ranks, std::size_t ours, std::uint32_t servers) {
  placement chosen;
  chosen.served = static_cast<std::uint32_t>(std::min<std::size_t>(servers, ours > ranks ? ours - ranks : 0));
  ours -= chosen.served;
  chosen.threads.assign(ranks, static_cast<std::uint32_t>(std::max<std::size_t>(ours / ranks, 1)));
  chosen.crowded = ranks > ours;
  return chosen;
}

placement place(const std::vector<core>& machine, const std::vector<demand>& demands,
                const placement_wish& wish, std::uint32_t usable, std::uint32_t servers) {
  std::vector<core> cores = machine;
  if (wish.hwthreads || wish.bind == machine_part::hwthread || wish.map == machine_part::hwthread)
    cores = hardware_threads(machine, !wish.hwthreads && wish.map != machine_part::hwthread);
  const std::uint32_t ranks = ranks_of(demands);
  const auto ours = static_cast<std::uint32_t>(std::min<std::size_t>(cores.size(), usable));
  const std::uint32_t spare = ours > ranks ? std::min(servers, ours - ranks) : 0;
  placement chosen = place_ranks(cores, demands, wish, usable);
  if (chosen.places.empty()) return servers == 0 ? chosen : unbound(std::max(ranks, 1u), ours, servers);
  if (spare != 0 && left_over(cores, chosen).size() < spare) {
    placement less = place_ranks(without_some(cores, spare), demands, wish, usable - spare);
    if (!less.places.empty() && less.note.empty()) chosen = std::move(less);
  }
  place_servers(chosen, cores, spare);
  return chosen;
}

std::string written(const processors& place) {
  std::string text;
  for (std::size_t i = 0; i < place.size();) {
    std::size_t end = i + 1;
    while (end < place.size() && place[end] == place[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", place[i]);
    if (end - i > 1) text += fmt::format("-{}", place[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace loadstone::launch
