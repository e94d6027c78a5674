#include "model/collectives.hpp"

#include <algorithm>
#include <cmath>

#include "model/protocols.hpp"

namespace loadstone::model {

namespace {

// What the library itself does for a step, in µs: an end of a message, a step in an area, a whole
// collective. Measured with `bench/coll.c` and 8 bytes on the machine that is built in.
constexpr double end_of_message = 0.07, step_in_area = 0.025, of_collective = 0.06;
// An end of a message whose partner has to be woken, or shares the core.
constexpr double end_of_message_crowded = 0.12;
// Of readers of one line all but the first add this share of a hand-over (Ramos and Hoefler, HPDC
// 2013: c n + b).
constexpr double contention = 0.15;
constexpr std::int64_t segment = 128 * 1024;  // of a chain
// A turn of a process that sleeps or yields in the library, as a multiple of the bare one.
constexpr double turn_in_library = 1.4;
// Passes: who only gives, or only takes, is not waited for, and a round of messages is less than a
// pass, as some of its partners run at the same time. Fitted to 2 and 4 ranks on 2 cores.
constexpr double rooted = 0.6, of_root_alone = 0.4, of_round = 0.6;

struct cost {
  double span = 0, work = 0, passes = 0;
  // Bytes that all members together read and write: 2 n for a copy, 3 n for a reduction.
  double moved = 0;
};

// The prices of one collective on one machine.
class prices {
 public:
  prices(const collective& c, const machine& m, const places& w)
      : m_(m), w_(w), p_(std::max(c.members, 1)), crowded_(c.members > w.cores), system_(c.system) {
    while ((1 << rounds_) < p_) ++rounds_;
    const bool blocks =
        c.what == "gather" || c.what == "scatter" || c.what == "allgather" || c.what == "alltoall";
    all_ = static_cast<double>(c.bytes) * (blocks ? p_ : 1);
  }
  std::int32_t p() const { return p_; }
  double q() const { return p_ - 1; }
  std::int32_t rounds() const { return rounds_; }
  bool crowded() const { return crowded_; }

  // Of a line between ranks so far apart.
  double line(std::int32_t apart) const {
    const bool one_socket = w_.of_socket == 0 || p_ <= w_.of_socket;
    const bool one_cache = w_.of_cache == 0 || p_ <= w_.of_cache;
    if (!one_socket && apart >= w_.of_socket) return w_.between_sockets;
    return !one_cache && apart >= w_.of_cache ? w_.between_caches : m_.line;
  }
  double farthest() const { return line(p_); }
  // All others read a line of one.
  double read_by_all() const { return farthest() + contention * farthest() * std::max(q() - 1, 0.0); }

  double put(double n) const { return n > 0 ? m_.put.at(bytes(n)) * slower(n) : 0; }
  // Out of a slot or block, and into one whose lines the others have read; what lies in the line
  // that tells of it costs nothing.
  double get(double n) const {
    return n > 48 ? m_.line + std::max(m_.get.at(bytes(n)) * slower(n) - m_.get.at(64), 0.0) : 0;
  }
  double put_shared(double n) const { return n > 48 ? std::max(put(n), get(n)) : 0; }
  double fold(double n) const { return n / 1024 * (m_.fold > 0 ? m_.fold : built_in().fold); }
  double vm(double n) const { return m_.vm.known() ? m_.vm.at(bytes(n)) * slower(n) : 0; }
  // Of a transfer both ends have time for, as when nothing else is to be done.
  double vm_shared(double n) const {
    return !crowded_ && p_ == 2 && n >= 16384 && m_.vm_together.known()
               ? m_.vm_together.at(bytes(n)) * slower(n)
               : vm(n);
  }

  // From a send until the data is there.
  double message(double n, std::int32_t apart) const {
    const reach between{.kernel = system_, .cores = !crowded_, .both = !crowded_};
    return choose(bytes(n), m_, between)[0].time * slower(n) + line(apart) - m_.line + 2 * end();
  }
  // What both ends have to do for it.
  double labour(double n) const {
    const reach between{.kernel = system_, .cores = false, .both = false};
    return choose(bytes(n), m_, between)[0].time * slower(n) + 2 * end();
  }
  double end() const { return crowded_ ? end_of_message_crowded : end_of_message; }
  // Along a binomial tree; each level costs what `each` says of how far apart its ranks are.
  template <class Each>
  double levels(Each&& each) const {
    double sum = 0;
    for (std::int32_t k = 0; k < rounds_; ++k) sum += each(1 << k);
    return sum;
  }
  double tree(double n) const {
    return levels([&](std::int32_t apart) { return message(n, apart); });
  }
  // Of rounds in which everybody has a partner so far above it: some of them cross every boundary.
  double circle(double n) const { return rounds_ * (message(n, p_) + end()); }
  // In a number of rounds that all follow each other, each with a line to every partner.
  double blocks_sent(double n) const {  // to all others
    return message(n, p_) + end() + (q() - 1) * (labour(n) / 2 + end());
  }

  double time(const cost& c) const {
    const double used = std::min(p_, w_.cores);
    double all = std::max(c.span, c.work / used);
    if (w_.stream > 0 && p_ * all_ > w_.caches) all = std::max(all, c.moved / w_.stream / 1e3);
    const double turn = m_.turn > 0 ? m_.turn : built_in().turn;
    if (crowded_) all += c.passes * (static_cast<double>(p_) / w_.cores) * turn_in_library * turn;
    return all + of_collective;
  }

 private:
  // A part of more data is copied at the pace of all of it: that is what the caches have to hold.
  double slower(double n) const {
    if (n < 4096 || n >= all_) return 1;
    const double whole = m_.get.at(bytes(all_)) / all_, part = m_.get.at(bytes(n)) / n;
    return std::max(1.0, whole / part);
  }
  static std::int64_t bytes(double n) { return static_cast<std::int64_t>(std::ceil(n)); }

  const machine& m_;
  const places& w_;
  std::int32_t p_, rounds_ = 0;
  double all_;  // bytes that a member has to do with
  bool crowded_, system_;
};

using priced = cost (*)(const prices&, double n);
enum class needs : std::uint8_t { nothing, area, system, elements, links };
struct known {
  std::string_view collective, name;
  needs what;
  priced of;
};

// --- parts that several have

// Each of p members has put n bytes, and folds those of all; or the last to come does it for all.
cost folded_by_all(const prices& x, double n) {
  const double all = x.q() * (x.get(n) + x.fold(n));
  if (!x.crowded())
    return {x.put_shared(n) + x.read_by_all() + all + (2 + x.q()) * step_in_area,
            x.p() * (x.put_shared(n) + all), 1.5, 0};
  return {all, x.p() * (x.put_shared(n) + x.get(n)) + all, 1.5, 0};
}
// n bytes in each slot, of which each member takes `taken` from each other.
cost taken_by_all(const prices& x, double n, double taken) {
  const double mine = x.put_shared(n) + x.q() * (x.get(taken) + step_in_area);
  return {mine + x.read_by_all() + 2 * step_in_area, x.p() * mine, 1.3, 2 * x.p() * (n + x.q() * taken)};
}
cost reduced_in_pieces(const prices& x, double n, double in, double out) {
  // `in`: of a member's operand, before; `out`: of the results that it gets.
  const double share = x.q() * (x.get(n / x.p()) + x.fold(n / x.p()));
  const double mine = x.put_shared(in) + share + x.get(out);
  return {mine + 3 * x.read_by_all() + (6 + x.q()) * step_in_area, x.p() * mine, 2,
          x.p() * (2 * in + n + 2 * out)};
}
cost reduced_by_system(const prices& x, double n, double out) {
  const double each = n / x.p();
  const double mine = x.q() * (x.vm(each) + x.fold(each)) + (out > 0 ? x.q() * x.vm(out / x.p()) : 0);
  return {mine + 3 * x.read_by_all() + (6 + x.q()) * step_in_area, x.p() * mine, 2, 2 * x.p() * (n + out)};
}
cost plus(const cost& a, const cost& b) {
  return {a.span + b.span, a.work + b.work, a.passes + b.passes, a.moved + b.moved};
}

cost bcast_by_tree(const prices& x, double n) {
  return {x.tree(n), x.q() * x.labour(n), rooted, 2 * x.q() * n};
}
cost reduce_by_tree(const prices& x, double n) {
  return {x.tree(n) + x.rounds() * x.fold(n), x.q() * (x.labour(n) + x.fold(n)), of_round * x.rounds(),
          5 * x.q() * n};
}
cost pairwise(const prices& x, double n) {
  return {x.blocks_sent(n), x.p() * x.q() * x.labour(n), 2, 2 * x.p() * x.q() * n};
}
cost linear(const prices& x, double n) {  // the root with each
  return {x.blocks_sent(n), x.q() * x.labour(n), of_root_alone, 2 * x.q() * n};
}
cost by_binomial(const prices& x, double n) {  // blocks of subtrees
  double span = 0, work = 0;
  for (std::int32_t apart = 1; apart < x.p(); apart *= 2) {
    span += x.message(n * apart, apart) + x.put(n * apart);
    work += (x.labour(n * apart) + x.put(n * apart)) * x.p() / (2 * apart);
  }
  return {span, work, of_round * x.rounds(), x.q() * n};
}
cost doubling(const prices& x, double n) {
  const bool power = (x.p() & (x.p() - 1)) == 0;
  const double rounds = x.rounds() + (power ? 0 : 1);
  return {x.levels([&](std::int32_t apart) { return x.message(n, apart) + x.end(); }) +
              (power ? 0 : 2 * x.message(n, 1)) + rounds * x.fold(n),
          x.p() * rounds * (x.labour(n) + x.fold(n)), of_round * rounds, 5 * x.p() * rounds * n};
}
cost direct_reduction(const prices& x, double n) {  // everybody sends slices to all
  const double each = n / x.p();
  return {x.blocks_sent(each) + x.q() * x.fold(each), x.p() * x.q() * (x.labour(each) + x.fold(each)), 2,
          5 * x.q() * n};
}
cost exchanged_by_system(const prices& x, double n) {
  const double mine = x.q() * (x.vm_shared(n) + step_in_area);
  return {mine + x.read_by_all() + 2 * step_in_area, x.p() * x.q() * x.vm(n), 1.5, 2 * x.p() * x.q() * n};
}

cost sent_upwards(const prices& x, double n) {
  return {x.blocks_sent(n) + x.q() * x.fold(n), x.p() * x.q() / 2 * (x.labour(n) + x.fold(n)), 1.5,
          5 * x.p() * x.q() / 2 * n};
}

constexpr known all[] = {
    {"barrier", "tree", needs::nothing,
     [](const prices& x, double) {
       return cost{2 * x.tree(0), 2 * x.q() * x.labour(0), x.rounds() * 1.0, 0};
     }},
    {"barrier", "dissemination", needs::nothing,
     [](const prices& x, double) {
       return cost{x.circle(0), x.p() * x.rounds() * x.labour(0), of_round * x.rounds(), 0};
     }},
    {"barrier", "linear", needs::nothing,
     [](const prices& x, double) {
       return cost{2 * x.message(0, x.p()) + 2 * (x.q() - 1) * x.end(), 2 * x.q() * x.labour(0), 2 * of_round,
                   0};
     }},
    {"barrier", "area", needs::area,
     [](const prices& x, double) {
       const double rounds = x.rounds() * (x.farthest() + 2 * step_in_area);
       return cost{x.crowded() ? 0 : rounds, x.crowded() ? x.p() * 2 * step_in_area : 0, 1, 0};
     }},

    {"bcast", "binomial", needs::nothing, bcast_by_tree},
    {"bcast", "chain", needs::links,
     [](const prices& x, double n) {
       const double parts = std::max(1.0, std::ceil(n / segment)), part = n / parts;
       return cost{(x.p() - 2 + parts) * x.message(part, 1), x.q() * parts * x.labour(part), rooted,
                   2 * x.q() * n};
     }},
    {"bcast", "area", needs::area,
     [](const prices& x, double n) {
       return cost{x.put_shared(n) + x.read_by_all() + x.get(n) + 4 * step_in_area,
                   x.put_shared(n) + x.q() * x.get(n), rooted, 2 * x.q() * n};
     }},
    {"bcast", "buffers", needs::system,
     [](const prices& x, double n) {
       return cost{x.vm_shared(n) + 2 * x.read_by_all() + 4 * step_in_area, x.q() * x.vm(n), 1,
                   2 * x.q() * n};
     }},

    {"gather", "linear", needs::nothing, linear},
    {"gather", "binomial", needs::nothing, by_binomial},
    {"gather", "area", needs::area,
     [](const prices& x, double n) {
       return cost{x.put_shared(n) + x.farthest() + x.q() * (x.get(n) + step_in_area) + 2 * step_in_area,
                   x.q() * (x.put_shared(n) + x.get(n)), 1.3, 2 * x.q() * n};
     }},
    {"gather", "buffers", needs::system,
     [](const prices& x, double n) {
       return cost{x.vm_shared(n) + 2 * x.farthest() + 4 * step_in_area, x.q() * x.vm(n), 1, 2 * x.q() * n};
     }},
    {"scatter", "linear", needs::nothing, linear},
    {"scatter", "binomial", needs::nothing, by_binomial},
    {"scatter", "area", needs::area,
     [](const prices& x, double n) {
       return cost{x.put_shared(n * x.p()) + x.read_by_all() + x.get(n) + 4 * step_in_area,
                   x.put_shared(n * x.p()) + x.q() * x.get(n), rooted, 2 * x.q() * n};
     }},
    {"scatter", "buffers", needs::system,
     [](const prices& x, double n) {
       return cost{x.vm_shared(n) + 2 * x.read_by_all() + 4 * step_in_area, x.q() * x.vm(n), 1,
                   2 * x.q() * n};
     }},

    {"allgather", "ring", needs::nothing,
     [](const prices& x, double n) {
       return cost{x.q() * (x.message(n, x.p()) + 2 * x.end()), x.p() * x.q() * x.labour(n), 0.5 * x.q(),
                   2 * x.p() * x.q() * n};
     }},
    {"allgather", "direct", needs::nothing, pairwise},
    {"allgather", "bruck", needs::nothing,
     [](const prices& x, double n) {
       double span = x.put(n * x.p()), work = x.p() * x.put(n * x.p());
       for (std::int32_t apart = 1; apart < x.p(); apart *= 2) {
         const double sent = n * std::min(apart, x.p() - apart);
         span += x.message(sent, x.p()) + x.end();
         work += x.p() * x.labour(sent);
       }
       return cost{span, work, 1.0 * x.rounds(), 4 * x.p() * x.q() * n};
     }},
    {"allgather", "by_root", needs::nothing,
     [](const prices& x, double n) {
       return plus({x.blocks_sent(n), x.q() * x.labour(n), 1.4 - rooted, 2 * x.q() * n},
                   bcast_by_tree(x, n * x.p()));
     }},
    {"allgather", "area", needs::area, [](const prices& x, double n) { return taken_by_all(x, n, n); }},
    {"allgather", "buffers", needs::system, exchanged_by_system},

    {"reduce", "binomial", needs::nothing, reduce_by_tree},
    {"reduce", "scattered", needs::elements,
     [](const prices& x, double n) { return plus(direct_reduction(x, n), linear(x, n / x.p())); }},
    {"reduce", "area", needs::area,
     [](const prices& x, double n) {
       const double root = x.q() * (x.get(n) + x.fold(n) + step_in_area);
       return cost{x.put_shared(n) + x.farthest() + root + 2 * step_in_area, x.q() * x.put_shared(n) + root,
                   0.9, 4 * x.q() * n};
     }},
    {"reduce", "buffers", needs::system,
     [](const prices& x, double n) { return reduced_by_system(x, n, n / x.p()); }},
    {"reduce", "blocks", needs::area,
     [](const prices& x, double n) { return reduced_in_pieces(x, n, n, n / x.p()); }},

    {"allreduce", "doubling", needs::nothing, doubling},
    {"allreduce", "by_root", needs::nothing,
     [](const prices& x, double n) { return plus(reduce_by_tree(x, n), bcast_by_tree(x, n)); }},
    {"allreduce", "scattered", needs::elements,
     [](const prices& x, double n) { return plus(direct_reduction(x, n), pairwise(x, n / x.p())); }},
    {"allreduce", "area", needs::area, folded_by_all},
    {"allreduce", "buffers", needs::system,
     [](const prices& x, double n) { return reduced_by_system(x, n, n); }},
    {"allreduce", "blocks", needs::area,
     [](const prices& x, double n) { return reduced_in_pieces(x, n, n, n); }},

    {"reduce_scatter", "direct", needs::nothing, direct_reduction},
    {"reduce_scatter", "by_root", needs::nothing,
     [](const prices& x, double n) { return plus(reduce_by_tree(x, n), linear(x, n / x.p())); }},
    {"reduce_scatter", "doubling", needs::nothing,
     [](const prices& x, double n) { return plus(doubling(x, n), {x.put(n / x.p()), x.put(n), 0, n}); }},
    {"reduce_scatter", "area", needs::area,
     [](const prices& x, double n) {
       const double each = n / x.p(),
                    mine = x.put_shared(n) + x.q() * (x.get(each) + x.fold(each) + step_in_area);
       return cost{mine + x.read_by_all() + 2 * step_in_area, x.p() * mine, 1.3, x.p() * 2 * n};
     }},
    {"reduce_scatter", "buffers", needs::system,
     [](const prices& x, double n) { return reduced_by_system(x, n, 0); }},
    {"reduce_scatter", "blocks", needs::area,
     [](const prices& x, double n) { return reduced_in_pieces(x, n, n, 0); }},

    {"alltoall", "pairwise", needs::nothing, pairwise},
    {"alltoall", "area", needs::area,
     [](const prices& x, double n) { return taken_by_all(x, n * x.p(), n); }},
    {"alltoall", "buffers", needs::system, exchanged_by_system},

    {"scan", "doubling", needs::nothing, doubling},
    {"scan", "direct", needs::nothing, sent_upwards},
    {"scan", "area", needs::area, folded_by_all},
    {"scan", "buffers", needs::system, [](const prices& x, double n) { return reduced_by_system(x, n, n); }},
    {"exscan", "doubling", needs::nothing, doubling},
    {"exscan", "direct", needs::nothing, sent_upwards},
    {"exscan", "area", needs::area, folded_by_all},
    {"exscan", "buffers", needs::system,
     [](const prices& x, double n) { return reduced_by_system(x, n, n); }},
};

constexpr std::string_view names[] = {"barrier",   "bcast",  "gather",    "scatter",
                                      "allgather", "reduce", "allreduce", "reduce_scatter",
                                      "alltoall",  "scan",   "exscan"};

bool in_slots(const known& k) {
  return k.name == "area";
}

std::string_view why_not(const known& k, const collective& c) {
  if (c.members < 2) return {};
  switch (k.what) {
    case needs::nothing:
      return {};
    case needs::links:
      return c.chain ? "" : "for links of limited bandwidth";
    case needs::elements:
      return c.bytes < 8 * c.members ? "fewer elements than members" : "";
    case needs::area:
      if (!c.areas) return "the members have no areas";
      return in_slots(k) && put_in_slot(c) > slot_room ? "more than a slot holds" : "";
    case needs::system:
      if (!c.areas) return "the members have no areas";
      return c.system ? "" : "the system refuses process_vm_readv";
  }
  return {};
}

algorithm priced_of(const known& k, const collective& c, const machine& here, const places& where) {
  const std::string_view reason = why_not(k, c);
  if (!reason.empty()) return {k.name, 0, reason};
  if (k.what == needs::system && !here.vm.known()) return {k.name, 0, "the system refuses process_vm_readv"};
  const prices x(c, here, where);
  return {k.name, x.time(k.of(x, static_cast<double>(c.bytes))), {}};
}

}  // namespace

std::int64_t put_in_slot(const collective& c) {
  const bool of_each = c.what == "alltoall" || c.what == "scatter";
  return of_each ? c.bytes * c.members : c.bytes;
}

std::span<const std::string_view> collectives() {
  return names;
}

std::vector<algorithm> algorithms_of(const collective& c, const machine& here, const places& where) {
  std::vector<algorithm> found;
  for (const known& k : all)
    if (k.collective == c.what) found.push_back(priced_of(k, c, here, where));
  return found;
}

double cost_of(std::string_view name, const collective& c, const machine& here, const places& where) {
  for (const known& k : all)
    if (k.collective == c.what && k.name == name) return priced_of(k, c, here, where).time;
  return 0;
}

algorithm quickest(const collective& c, const machine& here, const places& where) {
  algorithm best{};
  for (const known& k : all) {
    if (k.collective != c.what) continue;
    const algorithm a = priced_of(k, c, here, where);
    if (a.time > 0 && (best.time == 0 || a.time < best.time)) best = a;
  }
  return best;
}

// Not figures of one machine: hand-overs of the order of those published for pairs of cores: within
// a cache 25 to 45 ns one way, between caches of a socket 60 to 110, between sockets 120 to 200: D.
// Molka, D. Hackenberg, R. Schöne, W. E. Nagel, "Cache Coherence Protocol and Memory Performance of
// the Intel Haswell-EP Architecture", ICPP 2015 (8 cores of a ring, two sockets); M. Velten, R.
// Schöne, T. Ilsche, D. Hackenberg, "Memory Performance of AMD EPYC Rome and Intel Cascade Lake SP
// Server Processors", ICPE 2022 (groups of four and eight cores around a hub, two sockets); "Core
// to Core Latency Data on Large Systems", Chips and Cheese, 2023 (the same for later ones).
// Streams: what two sockets of those read from memory.
std::span<const described> larger_machines() {
  static const described found[] = {
      {"16 cores: two sockets of 8 that share a cache", {16, 8, 8, 0.13, 0.13, 100, 40e6}},
      {"64 cores: two sockets of 32, four to a cache", {64, 4, 32, 0.09, 0.2, 300, 256e6}},
      {"128 cores: two sockets of 64, eight to a cache", {128, 8, 64, 0.1, 0.2, 350, 512e6}},
  };
  return found;
}

}  // namespace loadstone::model
