// What a random program does: a window, its epochs, and the accesses of each rank in them, drawn so that the
// standard says what every byte and every result is.
//
// Within an epoch each byte of a window has a claim: who may do what there. Puts have their bytes for
// themselves; reads share; accumulates of one kind and operation share, element upon element. An origin that
// is alone on a byte may do something else there after a flush.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "layout.hpp"

namespace rma {

enum class flavour { create, allocate, shared, dynamic };
inline const char* name(flavour f) {
  static const char* const all[] = {"create", "allocate", "allocate_shared", "create_dynamic"};
  return all[static_cast<int>(f)];
}

struct region {
  place size = 0;
  place align = 16;  // of its first byte
};

struct window {
  flavour how = flavour::create;
  int ranks = 1;
  std::vector<std::vector<region>> regions;  // of each rank; one, but for dynamic windows
  std::vector<int> unit;                     // displacement units
  std::vector<int> twin_unit;                // of a second window on the same memory, or empty
  bool no_locks = false, same_op = false, relaxed = false, noncontiguous = false;
  bool from_mpi = false;    // create: memory of MPI_Alloc_mem
  bool reversed = false;    // its communicator has the ranks in another order
  bool freed_comm = false;  // which is freed first
};

enum class call { put, get, accumulate, get_accumulate, fetch_and_op, compare_and_swap };

struct access {
  int id = 0, origin = 0, target = 0;  // target: or MPI_PROC_NULL
  int rank = 0;                        // of the origin, who may be one of several threads
  call what = call::put;
  op operation = op::replace;
  int number = 0;         // kind of an accumulate
  int times = 1;          // how often the call is made
  layout from, at, into;  // origin, target, result
  int region = 0;         // of the target
  place base = 0;         // there: where displacement 0 of the target's type is
  bool request = false, large = false, bottom = false, null_origin = false;
  int own_region = -1;  // the origin's buffer is in its own window
  place own_base = 0;
  bytes values, compare;  // packed, an extent for each element
  bytes cared;            // of values, where not all count
  // by the oracle
  bytes expected, care;  // packed, of the result
  enum class answer : unsigned char { exact, bounded, any };
  std::vector<answer> answers;  // of each element; bounded: between `least` and `most`
  bytes least, most;
};

enum class act {
  issue,
  flush,
  flush_local,
  flush_all,
  flush_local_all,
  lock,
  unlock,
  lock_all,
  unlock_all,
  wait,
  pause,
  sync,
  threads,
  post,
  start,
  complete,
  expose_wait,
  expose_test
};

struct step {
  act what;
  int target = 0;  // or the number of an access, or of a burst
  int assertion = 0;
  bool exclusive = false;
  std::vector<int> group = {};
};

enum class sync_by { fence, groups, locks, lock_all };
inline const char* name(sync_by s) {
  static const char* const all[] = {"fence", "post/start", "locks", "lock_all"};
  return all[static_cast<int>(s)];
}

struct preset {
  int region;
  place at;
  int number;
  bytes value;
};

// What several threads of a rank do at once: the steps of each.
using burst = std::vector<std::vector<step>>;

struct epoch {
  sync_by by = sync_by::fence;
  bool follows = false;  // directly upon the one before, without a look at the memory
  bool on_twin = false;
  bool unchecked = false;                // groups: NOCHECK on both sides, behind a barrier
  bool reattaches = false;               // dynamic windows: other memory, before
  std::vector<int> open, close;          // assertions of each rank's fences
  std::vector<std::vector<step>> steps;  // of each rank
  std::vector<burst> bursts;
  std::vector<access> accesses;
  std::vector<std::vector<preset>> presets;  // stored by each rank before
};

// f(s) for these steps, and for those of the threads that they start.
template <class F>
void each_step(const epoch& e, const std::vector<step>& steps, F&& f) {
  for (const step& s : steps) {
    f(s);
    if (s.what == act::threads)
      for (const auto& of_thread : e.bursts[static_cast<std::size_t>(s.target)]) each_step(e, of_thread, f);
  }
}

struct want {
  enum { read, write, accumulate, own_load } what;
  int origin, phase, number;
  op operation;
  bool swap;
};

struct claim {
  enum : unsigned char { free, read, write, accumulate } what = free;
  bool shared = false;     // by several origins
  bool fixed = false;      // for this origin only
  bool unordered = false;  // same origin, without order
  bool swap = false;
  unsigned char within = 0;  // which byte of an element
  short origin = 0, phase = 0, number = 0;
  op operation = op::no_op;
};

class planner {
 public:
  // flavours, accumulates: what may be drawn. threads: of each rank, all of which are origins; between their
  // accesses there is no order.
  planner(std::uint64_t seed, int ranks, place most_bytes, int most_accesses,
          const std::vector<flavour>& flavours, bool accumulates, int threads)
      : random_(seed), most_accesses_(most_accesses), accumulates_(accumulates), threads_(threads) {
    draw_window(ranks, most_bytes, flavours);
  }

  const window& of() const { return window_; }
  chance& random() { return random_; }

  epoch draw_epoch(const epoch* before) {
    epoch e;
    const int n = window_.ranks;
    e.steps.resize(static_cast<std::size_t>(n));
    e.presets.resize(static_cast<std::size_t>(n));
    claims_.assign(static_cast<std::size_t>(n), {});
    for (int r = 0; r < n; ++r)
      for (const region& one : regions(r))
        claims_[static_cast<std::size_t>(r)].emplace_back(static_cast<std::size_t>(one.size));
    phases_.assign(static_cast<std::size_t>(n * threads_ * n), 0);
    // Behind a fence or a wait, the next epoch may begin at once.
    e.follows =
        before && (before->by == sync_by::fence || before->by == sync_by::groups) && random_.percent(35);
    if (e.follows) {
      e.by = before->by;
      e.on_twin = before->on_twin;
    } else {
      e.by = window_.no_locks ? (random_.percent(50) ? sync_by::fence : sync_by::groups)
                              : static_cast<sync_by>(random_.pick(0, 3));
      e.on_twin = !window_.twin_unit.empty() && random_.percent(50);
    }
    e.reattaches = !e.follows && before && random_.percent(30);
    epoch_ = &e;
    switch (e.by) {
      case sync_by::fence:
        plan_fence();
        break;
      case sync_by::groups:
        plan_groups();
        break;
      case sync_by::locks:
        plan_locks();
        break;
      case sync_by::lock_all:
        plan_lock_all();
        break;
    }
    for (access& a : e.accesses)
      if (has_result(a)) find_answers(a);
    epoch_ = nullptr;
    return e;
  }

  static bool has_result(const access& a) { return a.what != call::put && a.what != call::accumulate; }

 private:
  const std::vector<region>& regions(int rank) const {
    return window_.regions[static_cast<std::size_t>(rank)];
  }
  int rank_of(int origin) const { return origin / threads_; }
  std::vector<step>& steps(int rank) { return epoch_->steps[static_cast<std::size_t>(rank)]; }
  // What an origin does by itself: a rank, or a thread of the newest burst.
  std::vector<step>& own_steps(int origin) {
    return threads_ == 1 ? steps(origin) : epoch_->bursts.back()[static_cast<std::size_t>(origin % threads_)];
  }
  // f(origin): of the rank, or of each of its threads, all at once.
  template <class F>
  void by_origins(int rank, F&& f) {
    if (threads_ == 1) return f(rank);
    steps(rank).push_back({act::threads, static_cast<int>(epoch_->bursts.size())});
    epoch_->bursts.emplace_back(static_cast<std::size_t>(threads_));
    for (int t = 0; t < threads_; ++t) f(rank * threads_ + t);
  }
  int& phase(int origin, int target) {
    return phases_[static_cast<std::size_t>(origin * window_.ranks + target)];
  }
  int any_rank() { return static_cast<int>(random_.pick(0, window_.ranks - 1)); }

  void draw_window(int ranks, place most, const std::vector<flavour>& flavours) {
    window& w = window_;
    w.ranks = ranks;
    w.how = random_.of(flavours);
    w.reversed = random_.percent(30);
    w.freed_comm = random_.percent(30);
    w.no_locks = random_.percent(10);
    w.same_op = random_.percent(15);
    w.relaxed = random_.percent(15);
    w.noncontiguous = random_.percent(30);
    w.from_mpi = random_.percent(30);
    const bool large = random_.percent(15), odd = random_.percent(25), alike = random_.percent(30);
    const bool twins = w.how == flavour::create && random_.percent(30);
    static const int units[] = {1, 4, 8};
    place before = 0;
    for (int r = 0; r < ranks; ++r) {
      const int regions = w.how == flavour::dynamic ? static_cast<int>(random_.pick(0, 4)) : 1;
      std::vector<region> all;
      for (int i = 0; i < regions; ++i) {
        region one;
        one.size = random_.pick(1, (large ? most : std::min<place>(most, 2048)) / 16) * 16;
        if (random_.percent(20)) one.size = 16 * random_.pick(1, 6);
        if (odd) one.size += random_.pick(-7, 7);
        if (w.how != flavour::dynamic && random_.percent(10)) one.size = 0;
        if (w.how == flavour::create && !w.from_mpi && random_.percent(30)) {
          static const place aligns[] = {1, 2, 4, 8};
          one.align = random_.of(aligns);
        }
        all.push_back(one);
      }
      if (alike && r > 0 && w.how != flavour::dynamic) all = w.regions[0];
      if (w.how == flavour::shared && !w.noncontiguous)  // one behind the other
        for (all[0].align = 16; before % all[0].align != 0;) all[0].align /= 2;
      if (!all.empty()) before += all[0].size;
      w.regions.push_back(all);
      w.unit.push_back(w.how == flavour::dynamic ? 1 : alike && r > 0 ? w.unit[0] : random_.of(units));
      if (twins) w.twin_unit.push_back(random_.of(units));
    }
  }

  // --- claims ---
  bool orders() const { return !window_.relaxed; }

  bool fits(const claim& c, const want& w, unsigned char within) const {
    if (c.what == claim::free) return true;
    if (w.what == want::own_load) return c.what == claim::read && !c.fixed;
    const bool alone = !c.shared && c.origin == w.origin;
    if (alone && c.phase < w.phase) {
      if (w.what != want::accumulate || w.operation == op::replace || w.operation == op::no_op) return true;
      if (c.what == claim::accumulate && c.number == w.number && c.within == within) return true;
      const family group = kinds()[static_cast<std::size_t>(w.number)].group;
      return w.operation != op::sum && w.operation != op::prod &&
             (group == family::integer || group == family::unsigned_integer || group == family::byte);
    }
    if (c.fixed && c.origin != w.origin) return false;
    if (w.what == want::read) return c.what == claim::read;
    if (w.what == want::write || c.what != claim::accumulate) return false;
    if (c.number != w.number || c.within != within || c.swap != w.swap) return false;
    if (w.swap) return alone && orders();
    if (c.operation != w.operation &&
        (window_.same_op || (c.operation != op::no_op && w.operation != op::no_op)))
      return false;
    if (c.operation == op::replace || w.operation == op::replace) return alone && orders();
    return true;
  }

  void take(claim& c, const want& w, unsigned char within) {
    const bool was_free = c.what == claim::free, alone = !c.shared && (was_free || c.origin == w.origin);
    if (w.what == want::own_load) {
      c.what = claim::read;
      c.shared = true;
      return;
    }
    if (!was_free && alone && c.phase < w.phase) {
      const bool unordered = c.unordered;
      c = {};
      c.fixed = true;
      c.unordered = unordered;
    } else if (!was_free && alone && w.what == want::accumulate && !orders()) {
      c.unordered = true;
    }
    if (!was_free && !alone) c.shared = true;
    if (w.what == want::write || w.swap || (w.what == want::accumulate && w.operation == op::replace))
      c.fixed = true;
    if (c.what != claim::accumulate || c.operation == op::no_op) c.operation = w.operation;
    c.what = w.what == want::read ? claim::read : w.what == want::write ? claim::write : claim::accumulate;
    c.origin = static_cast<short>(w.origin);
    c.phase = static_cast<short>(w.phase);
    c.number = static_cast<short>(w.number);
    c.within = within;
    c.swap = w.swap;
  }

  // f(claim, which byte of its element) for each byte of these elements, until f returns false.
  template <class F>
  bool each_claim(int rank, int region, place base, const layout& l, F&& f) {
    auto& all = claims_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(region)];
    for (const auto& [where, what] : l.elements)
      for (const auto& [offset, length] : kinds()[static_cast<std::size_t>(what)].typemap)
        for (std::size_t i = offset; i < offset + length; ++i)
          if (!f(all[static_cast<std::size_t>(base + where) + i], static_cast<unsigned char>(i)))
            return false;
    return true;
  }

  void find_answers(access& a) {
    a.answers.assign(a.at.elements.size(), access::answer::exact);
    if (a.target == MPI_PROC_NULL || a.what == call::get) return;
    const auto& all = claims_[static_cast<std::size_t>(a.target)][static_cast<std::size_t>(a.region)];
    for (std::size_t i = 0; i < a.at.elements.size(); ++i) {
      const auto& [where, what] = a.at.elements[i];
      for (const auto& [offset, length] : kinds()[static_cast<std::size_t>(what)].typemap)
        for (std::size_t b = offset; b < offset + length; ++b) {
          const claim& c = all[static_cast<std::size_t>(a.base + where) + b];
          if (c.unordered && c.fixed)
            a.answers[i] = access::answer::any;  // and something else was done later
          else if ((c.shared || c.unordered) && a.answers[i] == access::answer::exact)
            a.answers[i] = access::answer::bounded;
        }
    }
  }

  // A place in a region of this rank where displacement 0 may be, for displacements of `unit`.
  std::optional<place> draw_base(const region& in, const layout& l, place unit, place align) {
    if (in.align < align) return {};
    const place step = std::lcm(unit, align);
    const place first = (std::max<place>(0, -l.low) + step - 1) / step * step, last = in.size - l.high;
    // A displacement behind the window would be right where the bytes are not; few would write it.
    if (first > std::min(last, in.size)) return {};
    return first + step * random_.pick(0, (std::min(last, in.size) - first) / step);
  }

  // --- accesses ---
  void issue(int origin, const std::vector<int>& targets, bool requests) {
    for (int attempt = 0; attempt < 6; ++attempt) {
      access a;
      a.origin = origin;
      a.rank = rank_of(origin);
      a.target = random_.percent(3) || targets.empty() ? MPI_PROC_NULL : random_.of(targets);
      a.id = static_cast<int>(epoch_->accesses.size());
      a.large = random_.percent(30);
      a.bottom = random_.percent(8);
      // Accumulated numbers are put there before, for which there is no time in an epoch that follows at once.
      if (!(accumulates_ && !epoch_->follows && random_.percent(55) ? draw_accumulate(a) : draw_transfer(a)))
        continue;
      a.request = requests && a.times == 1 && a.what != call::fetch_and_op &&
                  a.what != call::compare_and_swap && random_.percent(30);
      epoch_->accesses.push_back(a);
      own_steps(origin).push_back({act::issue, a.id});
      if (a.request && random_.percent(40)) {
        if (random_.percent(50)) own_steps(origin).push_back({act::pause});
        own_steps(origin).push_back({act::wait, a.id});
      }
      return;
    }
  }

  // Regions of the target, and how many elements of this size.
  bool draw_room(access& a, place& room) {
    if (a.target == MPI_PROC_NULL) {
      room = 256;
      return true;
    }
    const auto& all = regions(a.target);
    if (all.empty()) return false;
    a.region = static_cast<int>(random_.pick(0, static_cast<place>(all.size()) - 1));
    room = all[static_cast<std::size_t>(a.region)].size;
    return true;
  }

  int draw_amount(place room, place each) {
    if (random_.percent(4)) return 0;
    const place most = std::max<place>(1, room / each);
    const place some = random_.percent(12) ? most : std::min<place>(most, random_.percent(50) ? 12 : 60);
    return static_cast<int>(random_.pick(1, some));
  }

  place unit_of(int target) const {
    return (epoch_->on_twin ? window_.twin_unit : window_.unit)[static_cast<std::size_t>(target)];
  }

  // Claims what the target's side of `a` needs, if it can be had.
  bool place_it(access& a, want w) {
    if (a.target == MPI_PROC_NULL) return true;
    const region& in = regions(a.target)[static_cast<std::size_t>(a.region)];
    for (int attempt = 0; attempt < 4; ++attempt) {
      const auto base = draw_base(in, a.at, unit_of(a.target), alignment_of(a.at.unit));
      if (!base) return false;
      a.base = *base;
      w.phase = phase(a.origin, a.target);
      if (!each_claim(a.target, a.region, a.base, a.at,
                      [&](const claim& c, unsigned char i) { return fits(c, w, i); }))
        continue;
      if (w.what == want::accumulate) preset_free(a, w.operation);
      each_claim(a.target, a.region, a.base, a.at,
                 [&](claim& c, unsigned char i) { return take(c, w, i), true; });
      return true;
    }
    return false;
  }

  // Elements that nobody has touched get numbers to begin with.
  void preset_free(const access& a, op operation) {
    const auto& all = claims_[static_cast<std::size_t>(a.target)][static_cast<std::size_t>(a.region)];
    for (const auto& [where, what] : a.at.elements) {
      const kind& k = kinds()[static_cast<std::size_t>(what)];
      const auto at = static_cast<std::size_t>(a.base + where);
      if (all[at].what != claim::free) continue;
      preset p{a.region, a.base + where, what, bytes(k.extent)};
      draw_value(random_, k, operation, true, p.value.data());
      if (a.what == call::compare_and_swap) k.set(p.value.data(), static_cast<int>(random_.pick(0, 1)), 0);
      epoch_->presets[static_cast<std::size_t>(a.target)].push_back(std::move(p));
    }
  }

  bool draw_transfer(access& a) {
    a.what = random_.percent(55) ? call::put : call::get;
    std::vector<int> unit;
    const int width = random_.percent(65) ? 1 : static_cast<int>(random_.pick(2, 4));
    const bool narrow = random_.percent(40);
    place each = 0;
    for (int i = 0; i < width; ++i) {
      int number;
      do number = static_cast<int>(random_.pick(0, static_cast<place>(kinds().size()) - 1));
      while (narrow && extent_of(number) > 2);
      unit.push_back(number);
      each += extent_of(number);
    }
    place room;
    if (!draw_room(a, room)) return false;
    const int amount = draw_amount(room, each);
    const bool put = a.what == call::put;
    a.at = draw_layout(random_, unit, amount, put, room);
    const int placed = static_cast<int>(a.at.elements.size()) / width;
    // Sent data may be taken from one place many times.
    a.from = draw_layout(random_, unit, placed, !put || !random_.percent(10), 1 << 20);
    if (static_cast<int>(a.from.elements.size()) != placed * width) return false;
    if (!place_it(a, {put ? want::write : want::read, a.origin, 0, unit[0], op::replace, false}))
      return false;
    if (put && random_.percent(12)) take_own(a);
    if (put && a.own_region < 0) {
      a.values.resize(packed_size(a.from));
      for (auto& b : a.values) b = static_cast<unsigned char>(random_.next());
      settle(a.from, a.values);
    }
    return true;
  }

  static std::size_t packed_size(const layout& l) {
    std::size_t all = 0;
    for (const auto& [where, what] : l.elements) all += static_cast<std::size_t>(extent_of(what));
    return all;
  }

  // Where elements of an origin's buffer overlap, the later one is what is sent.
  static void settle(const layout& l, bytes& packed) {
    bytes memory(static_cast<std::size_t>(l.high - l.low));
    for (const bool back : {false, true}) {
      std::size_t at = 0;
      for (const auto& [where, what] : l.elements) {
        const kind& k = kinds()[static_cast<std::size_t>(what)];
        for (const auto& [offset, length] : k.typemap) {
          unsigned char* in_memory = memory.data() + (where - l.low) + offset;
          std::memcpy(back ? &packed[at + offset] : in_memory, back ? in_memory : &packed[at + offset],
                      length);
        }
        at += k.extent;
      }
    }
  }

  // The origin's buffer is in its own window, where nobody writes in this epoch.
  void take_own(access& a) {
    const auto& mine = regions(a.rank);
    if (mine.empty()) return;
    const int region = static_cast<int>(random_.pick(0, static_cast<place>(mine.size()) - 1));
    const auto base = draw_base(mine[static_cast<std::size_t>(region)], a.from, 1, alignment_of(a.from.unit));
    const want w{want::own_load, a.origin, 0, 0, op::no_op, false};
    if (!base || !each_claim(a.rank, region, *base, a.from,
                             [&](const claim& c, unsigned char i) { return fits(c, w, i); }))
      return;
    each_claim(a.rank, region, *base, a.from, [&](claim& c, unsigned char i) { return take(c, w, i), true; });
    a.own_region = region;
    a.own_base = *base;
    a.bottom = false;
  }

  bool draw_accumulate(access& a) {
    const int dice = static_cast<int>(random_.pick(0, 9));
    a.what = dice < 4   ? call::accumulate
             : dice < 7 ? call::get_accumulate
             : dice < 9 ? call::fetch_and_op
                        : call::compare_and_swap;
    // Few kinds and one region for most, so that accesses meet.
    a.number = static_cast<int>(
        random_.percent(50) ? random_.pick(4, 8) : random_.pick(0, static_cast<place>(kinds().size()) - 1));
    const kind& k = kinds()[static_cast<std::size_t>(a.number)];
    std::vector<op> ops = operations(k);
    const bool swap = a.what == call::compare_and_swap;
    if (swap && !k.swaps) return false;
    // For an operation's sharers: the same one in an epoch, mostly.
    if (ops.empty() || random_.percent(12))
      a.operation = op::replace;
    else
      a.operation = random_.percent(60) ? ops[static_cast<std::size_t>(epoch_operation_) % ops.size()]
                                        : random_.of(ops);
    if (a.what != call::accumulate && !swap && random_.percent(15)) a.operation = op::no_op;
    place room;
    if (!draw_room(a, room)) return false;
    const std::vector<int> unit{a.number};
    const bool one = a.what == call::fetch_and_op || swap;
    layout single;
    single.unit = unit;
    work_out(single);
    if (one) {
      a.from = a.at = a.into = single;
      a.request = false;
      if (a.target != MPI_PROC_NULL && single.high > room) return false;
    } else {
      a.at = draw_layout(random_, unit, draw_amount(room, extent_of(a.number)), true, room);
      const int placed = static_cast<int>(a.at.elements.size());
      a.from = draw_layout(random_, unit, placed, k.extent != k.align || !random_.percent(10), 1 << 20);
      a.into = draw_layout(random_, unit, placed, true, 1 << 20);
      if (a.from.elements.size() != a.at.elements.size() || a.into.elements.size() != a.at.elements.size())
        return false;
    }
    if (!place_it(a, {want::accumulate, a.origin, 0, a.number, swap ? op::replace : a.operation, swap}))
      return false;
    a.null_origin = a.operation == op::no_op && random_.percent(40);
    // So that threads meet at one element. Sums of few small numbers are exact in every kind but the shortest.
    if (threads_ > 1 && a.what == call::accumulate && a.operation == op::sum && k.extent >= 4) a.times = 50;
    const auto draw_all = [&](bytes& all, std::size_t count) {
      all.resize(count * k.extent);
      for (std::size_t i = 0; i < count; ++i) {
        draw_value(random_, k, a.operation, false, all.data() + i * k.extent);
        if (swap) k.set(all.data() + i * k.extent, static_cast<int>(random_.pick(0, 1)), 0);
      }
    };
    draw_all(a.values, a.from.elements.size());
    settle(a.from, a.values);
    if (swap) draw_all(a.compare, 1);
    return true;
  }

  void issue_some(int origin, const std::vector<int>& targets, bool requests) {
    for (auto left = random_.pick(0, most_accesses_); left > 0; --left) {
      issue(origin, targets, requests);
      if (random_.percent(3)) own_steps(origin).push_back({act::pause});
    }
  }

  // --- epochs ---
  std::vector<int> everybody() const {
    std::vector<int> all(static_cast<std::size_t>(window_.ranks));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  // Which ranks are written by others in this epoch.
  std::vector<bool> written() const {
    std::vector<bool> is(static_cast<std::size_t>(window_.ranks), false);
    for (const access& a : epoch_->accesses)
      if (a.target != MPI_PROC_NULL && a.what != call::get) is[static_cast<std::size_t>(a.target)] = true;
    return is;
  }

  void plan_fence() {
    epoch_operation_ = static_cast<int>(random_.pick(0, 30));
    for (int r = 0; r < window_.ranks; ++r)
      by_origins(r, [&](int origin) { issue_some(origin, everybody(), false); });
    // No access precedes, none succeeds: of all or of none. What the local memory sees: of each.
    const bool none_before = random_.percent(50), none_after = random_.percent(50);
    const std::vector<bool> is_written = written();
    for (int r = 0; r < window_.ranks; ++r) {
      const auto i = static_cast<std::size_t>(r);
      int open = none_before ? MPI_MODE_NOPRECEDE : 0, close = none_after ? MPI_MODE_NOSUCCEED : 0;
      if (!is_written[i] && random_.percent(50)) open |= MPI_MODE_NOPUT;
      // Between the fences of an epoch no rank stores into its own memory; before it, as the executor knows.
      if (random_.percent(50)) open |= MPI_MODE_NOSTORE;
      if (random_.percent(50)) close |= MPI_MODE_NOSTORE;
      epoch_->open.push_back(open);
      epoch_->close.push_back(close);
    }
  }

  void plan_groups() {
    const int n = window_.ranks;
    epoch_operation_ = static_cast<int>(random_.pick(0, 30));
    epoch_->unchecked = !epoch_->follows && random_.percent(25);
    const int density = static_cast<int>(random_.pick(10, 90));
    std::vector<std::vector<int>> targets(static_cast<std::size_t>(n)), origins(targets);
    for (int o = 0; o < n; ++o)
      for (int t = 0; t < n; ++t)
        if (random_.percent(density)) {
          targets[static_cast<std::size_t>(o)].push_back(t);
          origins[static_cast<std::size_t>(t)].push_back(o);
        }
    const int check = epoch_->unchecked ? MPI_MODE_NOCHECK : 0;
    for (int r = 0; r < n; ++r) {
      const auto i = static_cast<std::size_t>(r);
      random_.shuffle(targets[i]);
      random_.shuffle(origins[i]);
      const bool posts = !origins[i].empty() || random_.percent(30),
                 starts = !targets[i].empty() || random_.percent(30);
      if (posts) steps(r).push_back({act::post, 0, check, false, origins[i]});
      if (random_.percent(5)) steps(r).push_back({act::pause});
      if (starts) {
        steps(r).push_back({act::start, 0, check, false, targets[i]});
        by_origins(r, [&](int origin) { issue_some(origin, targets[i], false); });
        steps(r).push_back({act::complete});
      }
      if (posts) steps(r).push_back({random_.percent(50) ? act::expose_wait : act::expose_test});
    }
    const std::vector<bool> is_written = written();
    for (int r = 0; r < n; ++r)
      for (step& s : steps(r))
        if (s.what == act::post && !is_written[static_cast<std::size_t>(r)] && random_.percent(50))
          s.assertion |= MPI_MODE_NOPUT;
  }

  // What completes earlier accesses to these targets: some of the time, somewhere.
  void flush_some(int origin, const std::vector<int>& targets) {
    if (targets.empty()) return;  // no epoch
    if (random_.percent(20)) own_steps(origin).push_back({act::sync});
    if (!random_.percent(45)) return;
    const int t = random_.of(targets);
    switch (random_.pick(0, 3)) {
      case 0:
        own_steps(origin).push_back({act::flush, t});
        ++phase(origin, t);
        break;
      case 1:
        own_steps(origin).push_back({act::flush_local, t});
        break;
      case 2:
        own_steps(origin).push_back({act::flush_all});
        for (int all : everybody()) ++phase(origin, all);
        break;
      default:
        own_steps(origin).push_back({act::flush_local_all});
    }
  }

  void issue_with_flushes(int origin, const std::vector<int>& targets) {
    for (auto left = random_.pick(1, most_accesses_); left > 0; --left) {
      issue(origin, targets, true);
      flush_some(origin, targets);
      if (random_.percent(2)) own_steps(origin).push_back({act::pause});
    }
  }

  void wait_for_the_rest(int rank) {
    for (const access& a : epoch_->accesses) {
      if (a.rank != rank || !a.request) continue;
      bool waited = false;
      each_step(*epoch_, steps(rank),
                [&](const step& s) { waited |= s.what == act::wait && s.target == a.id; });
      if (!waited) steps(rank).push_back({act::wait, a.id});
    }
  }

  void lock_one(int origin, int target, bool exclusive) {
    own_steps(origin).push_back({act::lock, target, 0, exclusive});
    ++phase(origin, target);
  }

  // Each thread locks targets of its own, one at a time: no process locks what it has locked.
  void plan_locks_of_thread(int origin) {
    std::vector<int> own;
    for (int t = origin % threads_; t < window_.ranks; t += threads_) own.push_back(t);
    for (auto rounds = own.empty() ? 0 : random_.pick(0, 3); rounds > 0; --rounds) {
      const int t = random_.of(own);
      lock_one(origin, t, random_.percent(50));
      issue_with_flushes(origin, {t});
      own_steps(origin).push_back({act::unlock, t});
    }
  }

  void plan_some_locks(int origin, bool with_lock_all) {
    if (threads_ > 1) {
      by_origins(origin, [&](int thread) { plan_locks_of_thread(thread); });
      return wait_for_the_rest(origin);
    }
    for (auto rounds = random_.pick(0, 3); rounds > 0; --rounds) {
      if (random_.percent(50)) {
        const int t = any_rank();
        lock_one(origin, t, random_.percent(50));
        issue_with_flushes(origin, {t});
        own_steps(origin).push_back({act::unlock, t});
      } else {  // several at once, in the order of ranks, so that nobody waits in a circle
        std::vector<int> targets;
        for (int t = 0; t < window_.ranks; ++t)
          if (random_.percent(40)) targets.push_back(t);
        const std::vector<int> nobody(targets.empty() ? 1 + random_.percent(30) : 0, MPI_PROC_NULL);
        for (int t : nobody) own_steps(origin).push_back({act::lock, t, 0, random_.percent(50)});
        for (int t : targets) lock_one(origin, t, !with_lock_all && random_.percent(50));
        issue_with_flushes(origin, targets);
        random_.shuffle(targets);
        for (int t : targets) own_steps(origin).push_back({act::unlock, t});
        for (int t : nobody) own_steps(origin).push_back({act::unlock, t});
      }
    }
    wait_for_the_rest(origin);
  }

  // No check where no lock conflicts: all of a target are shared, or one origin alone locks it.
  void assert_no_check() {
    const auto n = static_cast<std::size_t>(window_.ranks);
    std::vector<bool> exclusive(n, false), everywhere(n, false);
    std::vector<std::vector<bool>> lockers(n, std::vector<bool>(n, false));
    bool any_exclusive = false, any_lock_all = false;
    for (int r = 0; r < window_.ranks; ++r)
      each_step(*epoch_, steps(r), [&](const step& s) {
        if (s.what == act::lock && s.target != MPI_PROC_NULL) {
          lockers[static_cast<std::size_t>(s.target)][static_cast<std::size_t>(r)] = true;
          if (s.exclusive) exclusive[static_cast<std::size_t>(s.target)] = any_exclusive = true;
        }
        if (s.what == act::lock_all) any_lock_all = true;
      });
    for (int r = 0; r < window_.ranks; ++r)
      for (step& s : steps(r)) {
        if (s.what == act::lock && s.target != MPI_PROC_NULL) {
          const auto t = static_cast<std::size_t>(s.target);
          const bool alone = std::count(lockers[t].begin(), lockers[t].end(), true) == 1;
          if ((!exclusive[t] || (alone && !any_lock_all)) && random_.percent(30))
            s.assertion = MPI_MODE_NOCHECK;
        }
        if (s.what == act::lock_all && !any_exclusive && random_.percent(30)) s.assertion = MPI_MODE_NOCHECK;
      }
  }

  void plan_locks() {
    epoch_operation_ = static_cast<int>(random_.pick(0, 30));
    for (int r = 0; r < window_.ranks; ++r) plan_some_locks(r, false);
    assert_no_check();
  }

  void plan_lock_all() {
    epoch_operation_ = static_cast<int>(random_.pick(0, 30));
    const bool mixed = random_.percent(30);
    for (int r = 0; r < window_.ranks; ++r) {
      if (mixed && random_.percent(40)) {
        plan_some_locks(r, true);
        continue;
      }
      for (auto rounds = random_.pick(1, 2); rounds > 0; --rounds) {
        steps(r).push_back({act::lock_all});
        by_origins(r, [&](int origin) {
          for (int t : everybody()) ++phase(origin, t);
          issue_with_flushes(origin, everybody());
        });
        steps(r).push_back({act::unlock_all});
      }
      wait_for_the_rest(r);
    }
    assert_no_check();
  }

  chance random_;
  int most_accesses_;
  bool accumulates_;
  int threads_;
  window window_;
  epoch* epoch_ = nullptr;
  int epoch_operation_ = 0;
  std::vector<std::vector<std::vector<claim>>> claims_;  // of each rank, region, byte
  std::vector<int> phases_;                              // of each origin and target: passed by a flush
};

inline std::string text(const access& a) {
  static const char* const calls[] = {
      "put", "get", "accumulate", "get_accumulate", "fetch_and_op", "compare_and_swap"};
  std::ostringstream out;
  out << "access " << a.id << ": " << (a.request ? "R" : "") << calls[static_cast<int>(a.what)]
      << (a.large ? "_c" : "") << " by " << a.origin << " at " << a.target << " region " << a.region
      << " byte " << a.base;
  if (a.what != call::put && a.what != call::get)
    out << ' ' << name(a.operation) << ' ' << kinds()[static_cast<std::size_t>(a.number)].name;
  if (a.bottom) out << ", MPI_BOTTOM";
  if (a.null_origin) out << ", no origin";
  if (a.own_region >= 0) out << ", from its own window, region " << a.own_region << " byte " << a.own_base;
  out << "\n    origin " << text(a.from) << "\n    target " << text(a.at);
  if (!a.into.unit.empty()) out << "\n    result " << text(a.into);
  return out.str();
}

inline std::string text(const step& s) {
  static const char* const names[] = {"issue",    "flush",    "flush_local", "flush_all",  "flush_local_all",
                                      "lock",     "unlock",   "lock_all",    "unlock_all", "wait",
                                      "pause",    "sync",     "threads",     "post",       "start",
                                      "complete", "win_wait", "win_test"};
  std::ostringstream out;
  out << names[static_cast<int>(s.what)] << ' ' << s.target;
  if (s.what == act::lock) out << (s.exclusive ? " exclusive" : " shared");
  if (s.assertion) out << " assert " << s.assertion;
  for (int r : s.group) out << " " << r;
  return out.str();
}

}  // namespace rma
