#include "model/collectives.hpp"

#include <algorithm>
#include <cmath>

#include "model/protocols.hpp"

namespace loadstone::model {

namespace {

// What the library itself does for a step, in µs: an end of a message, a step in an area, a whole
// collective. Fitted, as all that follows, to each algorithm forced, with 2, 4 and 8 ranks on 2
// cores (docs/model.md).
constexpr double end_of_message = 0.1, step_in_area = 0.025, of_collective = 0.06;
// An end of a message whose partner has to be woken, or shares the core.
constexpr double end_of_message_crowded = 0.12;
// With more members than cores, messages of 64 KiB and more take so many times what their steps
// take; those of 4 KiB begin that.
constexpr double long_message_crowded = 1.6;
// And so many times more where each end sends and receives at the same time: from 8 KiB on, and
// from 256 KiB on, where what two ends copy both ways is more than their second caches hold.
constexpr double both_ways = 1.8, long_both_ways = 2.4;
// Of readers of one line all but the first add this share of a hand-over (Ramos and Hoefler, HPDC
// 2013: c n + b).
constexpr double contention = 0.15;
constexpr std::int64_t segment = 128 * 1024;  // of a chain
// With a core for each: what a member takes from one block, and from all of them.
constexpr std::int64_t most_copied_twice = 1 << 20, most_copied_twice_by_all = 4 << 20;
// Of a piece of what each has for each, for one of them.
constexpr std::int64_t least_part = 48 * 1024;
constexpr double of_last_alone = 0.65;
// To tell of one's buffers and to see all others', and to claim and count a piece; what a call of
// the system takes longer while others call it.
constexpr double of_offers = 0.55, of_call_at_once = 0.4;
// To tell of a block, and to see another's, beside a slot (alltoall of two ranks, near: 256 B to 1
// KiB 0.19 and 0.20 us through blocks, 0.11 and 0.17 through slots; 2 KiB 0.22 and 0.25).
constexpr double of_stream = 0.05;
// What members of one core have written is in its cache: a copy takes this share.
constexpr double of_one_core = 0.75;
// A reduction in blocks takes this share there: who runs folds what those before it have just put.
constexpr double of_blocks_in_cache = 0.8;
// A turn of a process that sleeps or yields in the library, as a multiple of the bare one.
constexpr double turn_in_library = 1.4;
// Passes: who only gives, or only takes, is not waited for, and a round of messages is less than a
// pass, as some of its partners run at the same time.
constexpr double rooted = 0.6, of_root_alone = 0.3, of_round = 0.8;
constexpr double of_area_all = 1.05, of_area_gather = 1.2, of_area_reduce = 1.1, of_area_rooted = 0.6;
// What is put in a slot leaves its giver many operations ahead (docs/model.md): 8 B at 4 and 8
// ranks, gather 0.28 and 0.62 us, by messages 0.63 and 1.7.
constexpr double of_area_ahead = 0.2;
constexpr double of_everybody_sends = 1.6, of_second_phase = 0.8, of_upwards = 0.2, of_upwards_waited = 0.25;
constexpr double of_exchange = 2, of_gift = 1.6, of_reduction = 3.5, of_blocks = 2.2, of_chain = 0.25;

// Pieces of work on data that stays where it is, as coll/joint.cpp cuts it.
constexpr double least_piece = 32 * 1024, least_of_many = 128 * 1024, most_piece = 512 * 1024,
                 pieces_of_a_block = 8;
constexpr double reduced_piece = 64 * 1024, reduced_in_a_block = 16 * 1024;

// Of the order of what machines in two sockets take (larger_machines()).
// So many members of one cache do as well without a tree.
constexpr std::int32_t few = 8;
constexpr double usual_between_caches = 0.1, usual_between_sockets = 0.2;
double between_caches(const machine& m, const places& w) {
  return std::max(m.line, w.between_caches > 0 ? w.between_caches : usual_between_caches);
}
double between_sockets(const machine& m, const places& w) {
  return std::max(m.line, w.between_sockets > 0 ? w.between_sockets : usual_between_sockets);
}
// So many read one line, or one reads the lines of so many.
double line_of_others(double line, std::int32_t others) {
  return line + contention * line * std::max(others - 1, 0);
}
// The fan of a tree whose steps have the shortest sum: one step takes `first`, and `further` for
// each beyond the first.
std::int32_t quickest_fan(double first, double further) {
  constexpr std::int32_t most = 15;
  const auto of = [&](std::int32_t fan) { return (first + (fan - 1) * further) / std::log2(fan + 1); };
  std::int32_t best = 1;
  for (std::int32_t fan = 2; fan <= most; ++fan)
    if (of(fan) < of(best)) best = fan;
  return best;
}
template <class Of>
fans fans_of(const machine& m, const places& w, Of&& of) {
  return {of(m.line), of(between_caches(m, w)), of(between_sockets(m, w))};
}

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
    if (crowded_) all_ *= static_cast<double>(p_) / w.cores;
  }
  std::int32_t p() const { return p_; }
  double q() const { return p_ - 1; }
  std::int32_t rounds() const { return rounds_; }
  bool crowded() const { return crowded_; }

  // Of a line between ranks so far apart.
  double line(std::int32_t apart) const {
    const bool one_socket = w_.of_socket == 0 || p_ <= w_.of_socket;
    const bool one_cache = w_.of_cache == 0 || p_ <= w_.of_cache;
    if (!one_socket && (w_.in_turn || apart >= w_.of_socket)) return between_sockets(m_, w_);
    return !one_cache && (w_.in_turn || apart >= w_.of_cache) ? between_caches(m_, w_) : m_.line;
  }
  // Of a tree by levels: each its groups, with what a step costs one member, and how many follow
  // each other. `further`: for each that is taken from, or given to.
  template <class Step>
  double by_levels(const fans& most, Step&& step) const {
    double sum = 0;
    const auto add = [&](std::int32_t members, std::int32_t fan, double line) {
      for (std::int32_t left = members; left > 1;) {
        const std::int32_t parts = (left + fan) / (fan + 1);
        sum += step(line, (left + parts - 1) / parts - 1);
        left = parts;
      }
    };
    const std::int32_t of_cache = w_.of_cache == 0 ? p_ : std::min(w_.of_cache, p_),
                       of_socket = w_.of_socket == 0 ? p_ : std::min(w_.of_socket, p_);
    add(of_cache, most.in_cache, m_.line);
    add((of_socket + of_cache - 1) / of_cache, most.in_socket, between_caches(m_, w_));
    add((p_ + of_socket - 1) / of_socket, most.between_sockets, between_sockets(m_, w_));
    return sum;
  }
  // To the root; each takes n bytes of those below it, and folds them.
  double up(double n) const {
    return by_levels(fans_in(m_, w_), [&](double line, std::int32_t others) {
      return line_of_others(line, others) + others * (step_in_area + without_line(n) + fold(n)) +
             put_shared(n);
    });
  }
  double down(double n) const {
    return by_levels(fans_out(m_, w_), [&](double line, std::int32_t others) {
      return line_of_others(line, others) + 2 * step_in_area + without_line(n) + put_shared(n);
    });
  }
  double farthest() const { return line(p_); }
  // All others read a line of one.
  double read_by_all() const { return line_of_others(farthest(), p_ - 1); }

  double put(double n) const { return n > 0 ? m_.put.at(bytes(n)) * slower(n) : 0; }
  // Out of a slot or block, and into one whose lines the others have read; what lies in the line
  // that tells of it costs nothing.
  double get(double n) const {
    return n > 48 ? m_.line + std::max(m_.get.at(bytes(n)) * slower(n) * near(n) - m_.get.at(64), 0.0) : 0;
  }
  double without_line(double n) const { return n > 48 ? get(n) - m_.line : 0; }
  // Two slots or blocks take turns.
  double put_shared(double n) const { return n > 48 ? std::max(put(2 * n) / 2 * near(n), get(n)) : 0; }
  double fold(double n) const { return n / 1024 * (m_.fold > 0 ? m_.fold : built_in().fold); }
  double vm(double n) const { return m_.vm.known() ? m_.vm.at(bytes(n)) * slower(n) * near(n) : 0; }
  // Beside calls of others; and while another core copies, too.
  double vm_beside(double n) const { return vm(n) + of_call_at_once; }
  double vm_at_once(double n) const { return vm_beside(n) * at_once(n); }
  // `many`: each end has others.
  double piece_of(double n, bool many) const {
    return std::clamp(std::ceil(n / pieces_of_a_block / 4096) * 4096,
                      many || crowded_ ? least_of_many : least_piece, most_piece);
  }
  // One transfer in pieces, by either of its ends.
  double transfer(double n, bool many) const { return in_pieces(n, many, &prices::vm_at_once); }
  double transfer_alone(double n) const { return in_pieces(n, false, &prices::vm_beside); }
  // Two cores that copy hold each other up.
  double at_once(double n) const {
    if (w_.cores < 2 || !m_.vm_together.known()) return 1;
    const auto each = bytes(std::max(n, 65536.0));
    return std::clamp(2 * m_.vm_together.at(each) / m_.vm.at(each), 1.0, 2.0);
  }
  // The work on a piece is over: it is counted down at each member.
  double counted() const { return q() * farthest(); }

  // From a send until the data is there.
  double message(double n, std::int32_t apart) const {
    const reach between{.kernel = system_, .cores = !crowded_, .both = !crowded_};
    double time = choose(bytes(n), m_, between)[0].time;
    // Its parts fit nearer caches than the whole, which the receiver takes at its own pace.
    if (n >= 4096) time = std::max(time, m_.line + m_.get.at(bytes(n)));
    return time * slower(n) * lost(n) + line(apart) - m_.line + 2 * end();
  }
  // While its receiver sends another one.
  double swapped(double n, std::int32_t apart) const {
    const double more = crowded_
                            ? 1
                            : 1 + (both_ways - 1) * std::clamp((n - 512) / 8192, 0.0, 1.0) +
                                  (long_both_ways - both_ways) * std::clamp((n - 65536) / 196608, 0.0, 1.0);
    return (message(n, apart) - 2 * end()) * more + 2 * end();
  }
  // What both ends have to do for it.
  double labour(double n) const {
    const reach alone{.kernel = system_, .cores = false, .both = false}, both{.kernel = system_};
    double least = choose(bytes(n), m_, alone)[0].time;
    // With a core for each, both work while it is on its way.
    if (!crowded_) least = std::min(least, 2 * choose(bytes(n), m_, both)[0].time);
    return least * slower(n) * lost(n) + 2 * end();
  }
  double end() const { return crowded_ ? end_of_message_crowded : end_of_message; }
  // Passes of an operation in an area whose givers put n bytes, and do not wait.
  double given(double n, double long_ones) const {
    return n <= static_cast<double>(most_ahead) ? of_area_ahead : long_ones;
  }
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
  double circle(double n) const { return rounds_ * (swapped(n, p_) + end()); }
  // In a number of rounds that all follow each other, each with a line to every partner.
  double blocks_sent(double n, bool all) const {  // to all others, by one, or by all
    return (all ? swapped(n, p_) : message(n, p_)) + end() + (q() - 1) * (labour(n) / 2 + end());
  }

  algorithm time(std::string_view name, const cost& c) const {
    algorithm a{name, 0, {}, c.span, c.work / std::min(p_, w_.cores), 0};
    double all = std::max(a.chain, a.work);
    if (w_.stream > 0 && p_ * all_ > w_.caches) all = std::max(all, c.moved / w_.stream / 1e3);
    const double turn = m_.turn > 0 ? m_.turn : built_in().turn;
    if (crowded_) a.changes = c.passes * (static_cast<double>(p_) / w_.cores) * turn_in_library * turn;
    a.time = all + a.changes + of_collective;
    return a;
  }

 private:
  // A part of more data is copied at the pace of all of it: that is what the caches have to hold.
  double slower(double n) const {
    if (n < 4096 || n >= all_) return 1;
    const double whole = m_.get.at(bytes(all_)) / all_, part = m_.get.at(bytes(n)) / n;
    return std::max(1.0, whole / part);
  }
  double near(double n) const { return crowded_ && n >= 1024 ? of_one_core : 1; }
  double lost(double n) const {
    return crowded_ ? 1 + (long_message_crowded - 1) * std::clamp((n - 2048) / 61440, 0.0, 1.0) : 1;
  }
  double in_pieces(double n, bool many, double (prices::*one)(double) const) const {
    const double piece = piece_of(n, many), whole = std::floor(n / piece), rest = n - whole * piece;
    return whole * (this->*one)(piece) + (rest > 0 || whole == 0 ? (this->*one)(rest) : 0);
  }
  static std::int64_t bytes(double n) { return static_cast<std::int64_t>(std::ceil(n)); }

  const machine& m_;
  const places& w_;
  std::int32_t p_, rounds_ = 0;
  double all_;  // bytes that a member has to do with
  bool crowded_, system_;
};

using priced = cost (*)(const prices&, double n);
enum class needs : std::uint8_t { nothing, area, levels, block, chain, system, elements, links };
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
            x.p() * (x.put_shared(n) + all), of_area_all, 0};
  return {all, x.p() * (x.put_shared(n) + x.get(n) + 3 * step_in_area) + all + x.q() * step_in_area,
          of_area_all, 0};
}
// The same, of those below. Who is lower does not wait.
cost folded_upwards(const prices& x, double n) {
  if (!x.crowded()) return folded_by_all(x, n);
  const double one = x.get(n) + x.fold(n) + step_in_area;
  return {x.q() * one, x.p() * (x.put_shared(n) + x.q() / 2 * one), x.given(n, of_area_rooted), 0};
}
// The same, of which each keeps its share. With a core for each, it folds no more than that.
cost folded_by_shares(const prices& x, double n) {
  const double each = n / x.p();
  if (x.crowded()) {
    const double all = x.q() * (x.get(n) + x.fold(n));
    return {all, x.p() * (x.put_shared(n) + x.get(each) + 3 * step_in_area) + all + x.q() * step_in_area,
            of_area_all, 0};
  }
  const double mine = x.put_shared(n) + x.q() * (x.get(each) + x.fold(each) + step_in_area);
  return {mine + x.read_by_all() + 2 * step_in_area, x.p() * mine, of_area_all, x.p() * 2 * n};
}
// Through a block of each giver (coll/streams.hpp), a turn of all for each time that it is full.
cost in_streams(cost c, double put, std::int64_t block) {
  c.span += of_stream;
  c.passes *= std::max(1.0, std::ceil(put / static_cast<double>(block)));
  return c;
}
// n bytes in each slot, of which each member takes `taken` from each other.
cost taken_by_all(const prices& x, double n, double taken) {
  const double mine = x.put_shared(n) + x.q() * (x.get(taken) + step_in_area);
  return {mine + x.read_by_all() + 2 * step_in_area, x.p() * mine, of_area_all,
          2 * x.p() * (n + x.q() * taken)};
}
// A reduction of n bytes in pieces, a share of it for each member: whoever does one reads it from
// all others, folds it, and stores `stored` results of it in the memory of others.
cost reduced_by_system(const prices& x, double n, double stored) {
  const double share = n / x.p(), pieces = std::max(1.0, std::ceil(share / reduced_piece)),
               piece = share / pieces;
  const double one = (x.q() + stored) * x.vm_at_once(piece) + x.q() * x.fold(piece) + x.counted();
  return {pieces * one + 2 * x.read_by_all() + of_offers, x.p() * pieces * one, of_reduction,
          2 * x.p() * (n + stored * share)};
}
// The same in blocks that all map (coll/rounds.hpp).
enum class sums_for : std::uint8_t { all, root, oneself };
cost reduced_in_blocks(const prices& x, double n, sums_for whom) {
  const double share = n / x.p(), out = whom == sums_for::all ? n : share;
  if (x.p() > 2 || x.crowded()) {
    const double pieces = std::max(1.0, std::ceil(share / reduced_in_a_block)), piece = share / pieces;
    const double one = x.q() * (x.get(piece) + x.fold(piece)) + x.counted();
    const double mine =
        (x.put_shared(n) + x.get(out) + pieces * one) * (x.crowded() ? of_blocks_in_cache : 1);
    return {mine + 2 * x.read_by_all() + of_offers, x.p() * mine, of_blocks, x.p() * (3 * n + 2 * out)};
  }
  // Two with a core each, a round at a time: each puts what the other sums, sums its own share, and
  // takes what the other has summed. If both want the sum, each writes lines that it has read last,
  // which costs what reading does. (More than two were not measured like this.)
  const double rounds = std::max(1.0, std::ceil(n / static_cast<double>(round_of_blocks))),
               piece = share / rounds;
  const double stored = whom == sums_for::all ? x.get(piece) : x.put_shared(piece);
  double one = stored + x.get(piece) + x.fold(piece);
  if (whom != sums_for::oneself) one += stored + x.get(piece);
  const double mine = rounds * one;
  return {mine + 2 * rounds * x.read_by_all() + of_offers, 2 * mine, of_blocks, 2 * (3 * n + 2 * out)};
}
// The same from member to member (coll/chain.hpp): nobody puts its operand anywhere.
cost reduced_in_chain(const prices& x, double n, sums_for whom) {
  const double out = whom == sums_for::all ? n : n / x.p();
  const double mine = (x.get(n) + x.fold(n) + x.get(out)) * of_blocks_in_cache;
  return {mine + 2 * x.read_by_all() + of_offers, x.p() * mine, of_blocks + of_chain * x.p(),
          x.p() * (2 * n + 2 * out)};
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
cost everybody_sends(const prices& x, double n) {
  return {x.blocks_sent(n, true), x.p() * x.q() * x.labour(n), of_everybody_sends, 2 * x.p() * x.q() * n};
}
cost linear(const prices& x, double n) {  // the root with each
  return {x.blocks_sent(n, false), x.q() * x.labour(n), of_root_alone, 2 * x.q() * n};
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
  return {x.levels([&](std::int32_t apart) { return x.swapped(n, apart) + x.end(); }) +
              (power ? 0 : 2 * x.message(n, 1)) + rounds * x.fold(n),
          x.p() * rounds * (x.labour(n) + x.fold(n)), of_round * rounds, 5 * x.p() * rounds * n};
}
cost halving(const prices& x, double n) {
  double span = 0, work = 0, part = n / 2;
  for (std::int32_t apart = x.p() / 2; apart >= 1; apart /= 2, part /= 2) {
    span += 2 * (x.swapped(part, apart) + x.end()) + x.fold(part);
    work += x.p() * (2 * x.labour(part) + x.fold(part));
  }
  const bool power = (x.p() & (x.p() - 1)) == 0;
  return {span + (power ? 0 : 2 * x.message(n, 1)) + x.put(n), work + x.p() * x.put(n),
          2 * of_round * x.rounds(), 7 * x.q() * n};
}
cost direct_reduction(const prices& x, double n) {  // everybody sends slices to all
  const double each = n / x.p();
  return {x.blocks_sent(each, true) + x.q() * x.fold(each), x.p() * x.q() * (x.labour(each) + x.fold(each)),
          of_everybody_sends, 5 * x.q() * n};
}
// All members give n bytes to all others.
cost exchanged_by_system(const prices& x, double n) {
  const double one = x.transfer(n, true);
  return {x.q() * one + x.read_by_all() + of_offers, x.p() * x.q() * one, of_exchange, 2 * x.p() * x.q() * n};
}
// One member gives n bytes to each other, or takes as many. Both ends of a transfer copy pieces.
cost rooted_by_system(const prices& x, double n) {
  const double one = x.crowded() ? x.transfer_alone(n) : x.transfer(n, false),
               least = x.vm_at_once(std::min(n, x.piece_of(n, false)));
  // With fewer cores, the last to come does a good part of it alone.
  const double alone = x.crowded() ? of_last_alone * x.q() * one : one * x.q() / x.p();
  return {std::max(alone, least) + 2 * x.read_by_all() + of_offers, x.q() * one, of_gift, 2 * x.q() * n};
}

// The lower ones run ahead. Of long ones, those that come early have to be kept; and where members
// share cores, who has sent or kept enough of them waits until others run.
cost sent_upwards(const prices& x, double n) {
  const double early = 0.6 + 0.8 * std::clamp(n / 16384, 0.0, 1.0), pairs = x.p() * x.q() / 2,
               waits = x.crowded() ? of_upwards_waited * std::sqrt(std::min(n / 16384, 1.0)) : 0;
  return {early * x.blocks_sent(n, false) + x.q() * x.fold(n), pairs * (x.labour(n) + x.fold(n)),
          of_upwards + pairs * waits, 5 * pairs * n};
}

cost allreduce_by_levels(const prices& x, double n) {
  return {x.put_shared(n) + x.up(n) + x.down(n), x.p() * (2 * x.put_shared(n) + 2 * x.get(n) + x.fold(n)),
          2 * of_round * x.rounds(), 6 * x.p() * n};
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

    {"barrier", "levels", needs::levels,
     [](const prices& x, double) {
       return cost{x.up(0) + x.down(0), x.p() * 4 * step_in_area, of_round * x.rounds(), 0};
     }},

    {"bcast", "binomial", needs::nothing, bcast_by_tree},
    {"bcast", "chain", needs::links,
     [](const prices& x, double n) {
       const double parts = std::max(1.0, std::ceil(n / segment)), part = n / parts;
       return cost{(x.p() - 2 + parts) * x.message(part, 1), x.q() * parts * x.labour(part), rooted,
                   2 * x.q() * n};
     }},
    {"bcast", "scattered", needs::elements,
     [](const prices& x, double n) { return plus(linear(x, n / x.p()), everybody_sends(x, n / x.p())); }},
    {"bcast", "area", needs::area,
     [](const prices& x, double n) {
       return cost{x.put_shared(n) + x.read_by_all() + x.get(n) + 4 * step_in_area,
                   x.put_shared(n) + x.q() * x.get(n), of_area_rooted, 2 * x.q() * n};
     }},
    {"bcast", "buffers", needs::system, rooted_by_system},
    {"bcast", "blocks", needs::block,
     [](const prices& x, double n) {
       return in_streams({x.put_shared(n) + x.read_by_all() + x.get(n) + 4 * step_in_area,
                          x.put_shared(n) + x.q() * x.get(n), of_area_rooted, 2 * x.q() * n},
                         n, stream_block(x.p()));
     }},

    {"bcast", "levels", needs::levels,
     [](const prices& x, double n) {
       return cost{x.put_shared(n) + 2 * step_in_area + x.down(n), x.p() * (x.put_shared(n) + x.get(n)),
                   rooted, 2 * x.p() * n};
     }},

    {"gather", "linear", needs::nothing, linear},
    {"gather", "binomial", needs::nothing, by_binomial},
    {"gather", "area", needs::area,
     [](const prices& x, double n) {
       return cost{x.put_shared(n) + x.farthest() + x.q() * (x.get(n) + step_in_area) + 2 * step_in_area,
                   x.q() * (x.put_shared(n) + x.get(n)), x.given(n, of_area_gather), 2 * x.q() * n};
     }},
    {"gather", "buffers", needs::system, rooted_by_system},
    {"scatter", "linear", needs::nothing, linear},
    {"scatter", "binomial", needs::nothing, by_binomial},
    {"scatter", "area", needs::area,
     [](const prices& x, double n) {
       return cost{x.put_shared(n * x.p()) + x.read_by_all() + x.get(n) + 4 * step_in_area,
                   x.put_shared(n * x.p()) + x.q() * x.get(n), x.given(n * x.p(), of_area_rooted),
                   2 * x.q() * n};
     }},
    {"scatter", "buffers", needs::system, rooted_by_system},

    {"allgather", "ring", needs::nothing,
     [](const prices& x, double n) {
       return cost{x.q() * (x.swapped(n, x.p()) + 2 * x.end()), x.p() * x.q() * x.labour(n), 0.5 * x.q(),
                   2 * x.p() * x.q() * n};
     }},
    {"allgather", "direct", needs::nothing, [](const prices& x, double n) { return everybody_sends(x, n); }},
    {"allgather", "bruck", needs::nothing,
     [](const prices& x, double n) {
       double span = x.put(n * x.p()), work = x.p() * x.put(n * x.p());
       for (std::int32_t apart = 1; apart < x.p(); apart *= 2) {
         const double sent = n * std::min(apart, x.p() - apart);
         span += x.swapped(sent, x.p()) + x.end();
         work += x.p() * x.labour(sent);
       }
       return cost{span, work, 1.0 * x.rounds(), 4 * x.p() * x.q() * n};
     }},
    {"allgather", "by_root", needs::nothing,
     [](const prices& x, double n) {
       return plus({x.blocks_sent(n, false), x.q() * x.labour(n), 1.4 - rooted, 2 * x.q() * n},
                   bcast_by_tree(x, n * x.p()));
     }},
    {"allgather", "area", needs::area, [](const prices& x, double n) { return taken_by_all(x, n, n); }},
    {"allgather", "buffers", needs::system, exchanged_by_system},
    {"allgather", "blocks", needs::block,
     [](const prices& x, double n) { return in_streams(taken_by_all(x, n, n), n, stream_block(x.p())); }},

    {"reduce", "binomial", needs::nothing, reduce_by_tree},
    {"reduce", "scattered", needs::elements,
     [](const prices& x, double n) {
       return plus(plus(direct_reduction(x, n), linear(x, n / x.p())), {0, 0, of_second_phase, 0});
     }},
    {"reduce", "area", needs::area,
     [](const prices& x, double n) {
       const double root = x.q() * (x.get(n) + x.fold(n) + step_in_area);
       return cost{x.put_shared(n) + x.farthest() + root + 2 * step_in_area, x.q() * x.put_shared(n) + root,
                   of_area_reduce, 4 * x.q() * n};
     }},
    {"reduce", "buffers", needs::system,
     [](const prices& x, double n) { return reduced_by_system(x, n, x.q() / x.p()); }},
    {"reduce", "blocks", needs::area,
     [](const prices& x, double n) { return reduced_in_blocks(x, n, sums_for::root); }},
    {"reduce", "chain", needs::chain,
     [](const prices& x, double n) { return reduced_in_chain(x, n, sums_for::root); }},

    {"reduce", "levels", needs::levels,
     [](const prices& x, double n) {
       return cost{x.put_shared(n) + x.up(n), x.p() * (x.put_shared(n) + x.get(n) + x.fold(n)),
                   of_round * x.rounds(), 4 * x.q() * n};
     }},

    {"allreduce", "doubling", needs::nothing, doubling},
    {"allreduce", "by_root", needs::nothing,
     [](const prices& x, double n) { return plus(reduce_by_tree(x, n), bcast_by_tree(x, n)); }},
    {"allreduce", "scattered", needs::elements,
     [](const prices& x, double n) { return plus(direct_reduction(x, n), everybody_sends(x, n / x.p())); }},
    {"allreduce", "halving", needs::elements, halving},
    {"allreduce", "area", needs::area, folded_by_all},
    {"allreduce", "buffers", needs::system,
     [](const prices& x, double n) { return reduced_by_system(x, n, x.q()); }},
    {"allreduce", "blocks", needs::area,
     [](const prices& x, double n) { return reduced_in_blocks(x, n, sums_for::all); }},
    {"allreduce", "chain", needs::chain,
     [](const prices& x, double n) { return reduced_in_chain(x, n, sums_for::all); }},

    {"allreduce", "levels", needs::levels, allreduce_by_levels},

    {"reduce_scatter", "direct", needs::nothing, direct_reduction},
    {"reduce_scatter", "by_root", needs::nothing,
     [](const prices& x, double n) { return plus(reduce_by_tree(x, n), linear(x, n / x.p())); }},
    {"reduce_scatter", "doubling", needs::nothing,
     [](const prices& x, double n) { return plus(doubling(x, n), {x.put(n / x.p()), x.put(n), 0, n}); }},
    {"reduce_scatter", "halving", needs::elements,
     [](const prices& x, double n) { return plus(halving(x, n), {x.put(n / x.p()), x.put(n), 0, n}); }},
    {"reduce_scatter", "area", needs::area, folded_by_shares},
    {"reduce_scatter", "buffers", needs::system,
     [](const prices& x, double n) { return reduced_by_system(x, n, 0); }},
    {"reduce_scatter", "blocks", needs::area,
     [](const prices& x, double n) { return reduced_in_blocks(x, n, sums_for::oneself); }},
    {"reduce_scatter", "chain", needs::chain,
     [](const prices& x, double n) { return reduced_in_chain(x, n, sums_for::oneself); }},

    {"reduce_scatter", "levels", needs::levels,
     [](const prices& x, double n) { return plus(allreduce_by_levels(x, n), {x.put(n / x.p()), 0, 0, 0}); }},

    {"alltoall", "pairwise", needs::nothing, [](const prices& x, double n) { return everybody_sends(x, n); }},
    {"alltoall", "area", needs::area,
     [](const prices& x, double n) { return taken_by_all(x, n * x.p(), n); }},
    {"alltoall", "buffers", needs::system, exchanged_by_system},
    {"alltoall", "blocks", needs::block,
     [](const prices& x, double n) {
       return in_streams(taken_by_all(x, n * x.q(), n), n * x.q(), most_of_stream);
     }},

    {"scan", "doubling", needs::nothing, doubling},
    {"scan", "direct", needs::nothing, sent_upwards},
    {"scan", "area", needs::area, folded_upwards},
    {"scan", "buffers", needs::system,
     [](const prices& x, double n) { return reduced_by_system(x, n, x.q()); }},
    {"exscan", "doubling", needs::nothing, doubling},
    {"exscan", "direct", needs::nothing, sent_upwards},
    {"exscan", "area", needs::area, folded_upwards},
    {"exscan", "buffers", needs::system,
     [](const prices& x, double n) { return reduced_by_system(x, n, x.q()); }},
};

constexpr std::string_view names[] = {"barrier",   "bcast",  "gather",    "scatter",
                                      "allgather", "reduce", "allreduce", "reduce_scatter",
                                      "alltoall",  "scan",   "exscan"};

bool in_slots(const known& k) {
  return k.name == "area";
}

std::string_view why_not(const known& k, const collective& c, const places& where) {
  if (c.members < 2) return k.what == needs::nothing ? "" : "there is one member";
  const bool by_messages = k.what == needs::nothing || k.what == needs::links || k.what == needs::elements;
  if (!by_messages && c.members > most_with_areas) return "more members than may have areas";
  switch (k.what) {
    case needs::nothing:
      return {};
    case needs::links:
      return c.chain ? "" : "for links of limited bandwidth";
    case needs::elements:
      return c.bytes < 8 * c.members ? "fewer elements than members" : "";
    case needs::area:
      if (!c.areas) return "the members have no areas";
      if (in_slots(k)) return put_in_slot(c) > slot_room ? "more than a slot holds" : "";
      return c.stays ? "" : "the type has gaps";
    case needs::levels:
      if (!c.areas) return "the members have no areas";
      if (!c.levels) return "groups would change the order of an operation";
      if (c.members <= few && (where.of_cache == 0 || c.members <= where.of_cache))
        return "all share a cache";
      // Each level takes another turn of all processes of a core.
      if (c.members > where.cores) return "members share cores";
      return put_in_slot(c) > slot_room ? "more than a slot holds" : "";
    case needs::block:
      if (!c.areas) return "the members have no areas";
      if (!c.stays) return "the type has gaps";
      // A second copy pays where the cores are what is short, and for many readers (decision 026);
      // what all exchange has one. Of two that exchange, each writes where it has read last.
      if (c.members > 2 || c.what == "bcast") {
        if (c.members <= where.cores && c.what == "alltoall") return "each member has a core";
        if (c.members <= where.cores && c.members <= few) return "each of a few members has a core";
      }
      // What is for each goes in short parts then, which 16 members take three times as long for.
      if (c.what == "alltoall" && c.bytes * (c.members - 1) > most_of_stream &&
          most_of_stream / 2 / (c.members - 1) < least_part)
        return "pieces would have short parts";
      return c.members <= where.cores &&
                     (c.bytes > most_copied_twice ||
                      (c.what == "allgather" && c.bytes * c.members > most_copied_twice_by_all))
                 ? "more than is copied twice"
                 : "";
    case needs::chain:
      if (!c.areas) return "the members have no areas";
      if (!c.stays) return "the type has gaps";
      if (c.members <= where.cores) return "each member has a core";
      return c.bytes < chained_for_each * c.members ? "less than a turn of each is worth" : "";
    case needs::system:
      if (!c.areas) return "the members have no areas";
      if (!c.stays) return "the type has gaps";
      return c.system ? "" : "the system refuses process_vm_readv";
  }
  return {};
}

algorithm priced_of(const known& k, const collective& c, const machine& here, const places& where) {
  const std::string_view reason = why_not(k, c, where);
  if (!reason.empty()) return {k.name, 0, reason};
  if (k.what == needs::system && !here.vm.known()) return {k.name, 0, "the system refuses process_vm_readv"};
  const prices x(c, here, where);
  return x.time(k.name, k.of(x, static_cast<double>(c.bytes)));
}

}  // namespace

// Who takes from others looks at the line of each, and does a step for each.
fans fans_in(const machine& here, const places& where) {
  return fans_of(here, where, [](double line) {
    return quickest_fan(line + step_in_area, contention * line + step_in_area);
  });
}
// Those that are given to look at one line.
fans fans_out(const machine& here, const places& where) {
  return fans_of(here, where,
                 [](double line) { return quickest_fan(line + 2 * step_in_area, contention * line); });
}

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
