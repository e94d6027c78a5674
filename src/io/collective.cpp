// Collective access. Where the data of several members interleaves in the file, it goes through
// *aggregators* (two-phase access: del Rosario, Bordawekar, Choudhary 1993; Thakur, Gropp, Lusk
// 1999): each has a domain of the file, a part without gaps, and handles it window by window, in
// job memory. In one round all members put what they have for the current window of each aggregator
// to where it belongs there, and meet in a barrier; the aggregator writes it while they fill its
// other window. Or it reads, they meet, and they take what they want while it reads into the other
// one.
//
// A view ascends, so what a member has for a window is one part of its packed data. Memory: two
// windows at an aggregator, with some bytes for each member; at others, as much as one window where
// data does not lie in one piece.
//
// Cost: a barrier a round, and each byte is copied once more than by a direct call. Where nothing
// interleaves, or somebody has no memory for windows, each member goes alone.
//
// Where all pages that are written are in memory, members store their pieces into them instead: one
// copy, no barrier, and all at a time (two_ways.hpp).
#include "io/collective.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <limits>

#include "base/clock.hpp"
#include "base/round_up.hpp"
#include "base/valgrind.hpp"
#include "copy/strided.hpp"
#include "io/file_pages.hpp"
#include "io/walk.hpp"

namespace loadstone::io {
namespace {

constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();
// Of less than this part of the bytes from the first to the last, aggregators would mostly move
// what nobody wants.
constexpr std::int64_t sparse = 64;

// What a member says before anything is moved.
struct wish {
  std::int64_t first = nowhere, end = 0;  // of the file
  std::int64_t bytes = 0;
  std::int64_t through = 1;  // can it go through aggregators?
  std::int64_t stores = 1;   // may what has gaps be stored into pages? Without gaps: as the others like
  std::int64_t failed = 0;   // has it an error to tell of something before?
  hints::choice collective = hints::choice::automatic;
  int aggregators = 0;
  std::int64_t window = 1, unit = 4096;
  bool gaps() const { return bytes < end - first; }
};

struct window {
  std::int64_t from, to;
  std::int64_t bytes() const { return std::max<std::int64_t>(to - from, 0); }
};

// Which part of the file is whose, and when.
struct plan {
  bool together = false, stores = false;
  std::int64_t first = 0, end = 0, domain = 0, step = 0;
  std::int64_t room = 0;    // what an aggregator has for a step: not less, and seldom another length
  std::int64_t wanted = 0;  // the first byte that somebody accesses; `first` is aligned
  int aggregators = 0, members = 0;
  std::int64_t rounds() const { return (domain + step - 1) / step; }
  int rank_of(int aggregator) const {
    return static_cast<int>(std::int64_t{aggregator} * members / aggregators);
  }
  // The number of an aggregator, or -1.
  int number_of(int rank) const {
    const auto a = static_cast<int>((std::int64_t{rank} * aggregators + members - 1) / members);
    return a < aggregators && rank_of(a) == rank ? a : -1;
  }
  window at(int aggregator, std::int64_t round) const {
    // Counted from `first`: files may end where 64 bits do.
    const std::int64_t begin = aggregator * domain;
    const std::int64_t last = std::min(begin + domain, end - first);
    return {first + std::min(begin + round * step, last), first + std::min(begin + (round + 1) * step, last)};
  }
};

bool interleaved(std::vector<wish> all) {
  std::erase_if(all, [](const wish& w) { return w.bytes == 0; });
  std::sort(all.begin(), all.end(), [](const wish& a, const wish& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].first < all[i - 1].end) return true;
  }
  return false;
}

// Do no two of them have a byte in common, for certain?
bool all_apart(const std::vector<pieces>& all) {
  constexpr std::size_t most = 128;  // some 10 µs: then bits are as quick
  if (all.size() > most) return false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = i + 1; k < all.size(); ++k)
      if (!lie_apart(all[i], all[k])) return false;
  }
  return true;
}

plan plan_for(const team& t, const std::vector<wish>& all, const stored_file& file) {
  const wish& said = all[0];  // member 0's hints hold: all do the same
  plan p;
  p.members = t.size();
  p.first = nowhere;
  bool possible = said.collective != hints::choice::never && t.size() > 1 && file.kind().regular;
  std::int64_t bytes = 0;
  for (const wish& w : all) {
    possible = possible && w.through != 0;
    if (w.bytes == 0) continue;
    p.first = std::min(p.first, w.first);
    p.end = std::max(p.end, w.end);
    bytes += w.bytes;
  }
  if (!possible || p.end <= p.first || bytes < (p.end - p.first) / sparse) return p;
  const bool always = said.collective == hints::choice::always;
  p.together = always || interleaved(all);
  p.stores = p.together && !always &&
             std::any_of(all.begin(), all.end(), [](const wish& w) { return w.gaps(); }) &&
             std::all_of(all.begin(), all.end(), [](const wish& w) { return w.stores != 0; });
  const std::uint32_t cores = t.core().job().header().cpus;
  p.aggregators = said.aggregators > 0 ? said.aggregators : std::max(static_cast<int>(cores), 1);
  p.aggregators = std::min(p.aggregators, t.size());
  p.wanted = p.first;
  p.first = p.first / said.unit * said.unit;
  p.domain = base::round_up((p.end - p.first + p.aggregators - 1) / p.aggregators, said.unit);
  const std::int64_t all_of_it = base::round_up(p.end - p.first, std::int64_t{4096});
  p.domain = std::min(p.domain, all_of_it);  // a unit may be larger than what there is
  const std::int64_t most = base::round_up(said.window, std::int64_t{4096});
  p.step = std::min(most, p.domain);
  p.room = std::min(most, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(p.step))));
  return p;
}

// Through what is for each aggregator of a part of the view.
void put_walks(std::deque<walk>& walks, const view& v, std::int64_t at, std::int64_t bytes, const plan& p) {
  const std::int64_t end = at + bytes;
  std::int64_t from = at;
  for (int a = 0; a < p.aggregators; ++a) {
    const bool last = from == end || a + 1 == p.aggregators;
    const std::int64_t to = last ? end : v.position_at(p.at(a + 1, 0).from, from, end);
    walks.emplace_back(v, from, to);
    from = to;
  }
}

// One collective access of this member, as far as reading and writing have it in common.
class access {
 public:
  access(team& t, stored_file& file, const view& v, std::int64_t at, const memory_data& data, const plan& p)
      : team_(t),
        file_(file),
        at_(at),
        data_(data),
        block_(data.block()),
        plan_(p),
        number_(p.number_of(t.rank())) {
    put_walks(walks_, v, at, data.bytes(), p);
  }

  trouble write(std::int64_t* done) {
    trouble mine;
    const std::int64_t rounds = plan_.rounds();
    const auto give_all = [&](std::int64_t round) {
      if (round < rounds) for_all([&](int a) { give(a, round); });
    };
    give_all(0);
    for (std::int64_t round = 0; round < rounds; ++round) {
      // While an aggregator writes, the members fill its other window. The system lets one process
      // at a time write to a file: every other aggregator fills first, and writes then. (By the
      // barrier that other window has been written.)
      if (int e = team_.barrier()) return broken(e);
      const bool later = number_ % 2 != 0;
      if (later) give_all(round + 1);
      if (number_ >= 0) {
        if (mine.ok()) mine = with_memory([&] { return write_window(round); });
        if (!mine.ok())
          team_.windows().of(number_).bits(parity(round), plan_.at(number_, round).bytes()).clear();
      }
      if (!later) give_all(round + 1);
    }
    mine = agree(team_, mine);
    if (mine.number < 0) team_.windows().abandon();
    *done = mine.ok() ? data_.bytes() : 0;
    return mine;
  }

  trouble read(std::int64_t* done) {
    trouble mine;
    *done = 0;
    for (std::int64_t round = 0; round < plan_.rounds(); ++round) {
      if (number_ >= 0) {
        window_front& front = team_.windows().of(number_).front(parity(round));
        front.end = 0;
        if (mine.ok()) mine = read_window(round, &front.end);
      }
      if (int e = team_.barrier()) return broken(e);
      for_all([&](int a) { *done += fetch(a, round); });
    }
    mine = agree(team_, mine);
    if (mine.number < 0) team_.windows().abandon();
    return mine;
  }

 private:
  static int parity(std::int64_t round) { return static_cast<int>(round % 2); }
  // Beginning at our share of them, so that members do not meet in the same lines.
  template <class Each>
  void for_all(Each&& each) {
    const int first = static_cast<int>(std::int64_t{team_.rank()} * plan_.aggregators / team_.size());
    for (int i = 0; i < plan_.aggregators; ++i) each((first + i) % plan_.aggregators);
  }
  trouble broken(int error_class) {
    team_.windows().abandon();
    return lost(error_class);
  }

  // What this member has for a window of an aggregator.
  void give(int aggregator, std::int64_t round) {
    const window w = plan_.at(aggregator, round);
    if (w.bytes() == 0) return;
    const windows_of& there = team_.windows().of(aggregator);
    walk& blocks = walks_[static_cast<std::size_t>(aggregator)];
    window_share& share = there.share(parity(round), team_.rank());
    std::byte* const to = there.data(parity(round));
    const std::int64_t begin = blocks.position();
    const std::byte* from = packed(blocks, w.to);
    coverage::adding bits(there.bits(parity(round), w.bytes()));
    const auto mark = [&bits](const pieces& p) {
      for (std::int64_t i = 0; i < p.count; ++i) bits.add(p.offset + i * p.stride, p.length);
    };
    int known = 0;
    bool marked = false;
    blocks.take(w.to, [&](std::int64_t offset, std::int64_t length, std::int64_t count, std::int64_t stride) {
      const pieces p{offset - w.from, length, count, stride};
      copy::strided(to + p.offset, stride, from, length, static_cast<std::size_t>(length), count);
      from += length * count;
      if (!marked && known < most_pieces) {
        share.which[known++] = p;
        return;
      }
      if (!marked) std::for_each(share.which, share.which + known, mark);
      marked = true;
      mark(p);
    });
    share.bytes = blocks.position() - begin;
    share.count = marked ? 0 : known;
    share.marked = marked;
  }

  // The data of what comes next, up to `limit`, in one piece.
  const std::byte* packed(const walk& blocks, std::int64_t limit) {
    const std::int64_t from = blocks.position() - at_;
    if (block_ != nullptr) return block_ + from;
    data_.take(from, blocks.before(limit), team_.windows().stage());
    return team_.windows().stage();
  }

  trouble write_window(std::int64_t round) {
    const window w = plan_.at(number_, round);
    if (w.bytes() == 0) return {};
    const windows_of& mine = team_.windows().of(number_);
    const int turn = parity(round);
    std::int64_t given = 0, first = w.bytes(), end = 0;
    bool marked = false;
    std::vector<pieces> all;
    for (int r = 0; r < team_.size(); ++r) {
      const window_share& share = mine.share(turn, r);
      base::written_by_others(&share, sizeof share);
      given += share.bytes;
      marked = marked || share.marked != 0;
      for (int i = 0; i < share.count; ++i) {
        all.push_back(share.which[i]);
        first = std::min(first, all.back().offset);
        end = std::max(end, all.back().end());
      }
    }
    if (given == 0) return {};
    std::byte* const data = mine.data(turn);
    base::written_by_others(data, static_cast<std::size_t>(w.bytes()));
    std::int64_t moved = 0;
    if (!marked && given == end - first && all_apart(all)) {  // without a gap
      const extent one{w.from + first, data + first, given};
      return file_.write({&one, 1}, &moved);
    }
    coverage bits = mine.bits(turn, w.bytes());
    {
      coverage::adding more(bits);
      for (const pieces& p : all)
        for (std::int64_t i = 0; i < p.count; ++i) more.add(p.offset + i * p.stride, p.length);
    }
    trouble why = write_covered(w, bits, data);
    bits.clear();
    return why;
  }

  trouble write_covered(const window& w, const coverage& bits, std::byte* data) {
    std::vector<extent> extents;
    trouble why;
    const auto flush = [&] {
      std::int64_t moved = 0;
      why = file_.write(extents, &moved);
      extents.clear();
      return why.ok();
    };
    bits.runs([&](std::int64_t from, std::int64_t length) {
      extents.push_back({w.from + from, data + from, length});
      return extents.size() < 4096 || flush();
    });
    if (why.ok() && !extents.empty()) flush();
    return why;
  }

  // *end: how much of the window there is; that ends where the file does.
  trouble read_window(std::int64_t round, std::int64_t* end) {
    window w = plan_.at(number_, round);
    const std::int64_t begin = w.from;
    w.from = std::max(w.from, plan_.wanted), w.to = std::min(w.to, plan_.end);
    if (w.bytes() == 0) return {};
    std::int64_t got = 0;
    const extent all{w.from, team_.windows().of(number_).data(parity(round)) + (w.from - begin), w.bytes()};
    trouble why = file_.read({&all, 1}, &got);
    if (why.ok()) *end = w.from - begin + got;
    return why;
  }

  // What this member wants of a window; returns how many bytes there were.
  std::int64_t fetch(int aggregator, std::int64_t round) {
    const window w = plan_.at(aggregator, round);
    if (w.bytes() == 0) return 0;
    const windows_of& there = team_.windows().of(aggregator);
    const std::byte* const from = there.data(parity(round));
    const std::int64_t end = there.front(parity(round)).end;
    base::written_by_others(from, static_cast<std::size_t>(end));
    walk& blocks = walks_[static_cast<std::size_t>(aggregator)];
    const std::int64_t begin = blocks.position() - at_;
    std::byte* const memory = block_ != nullptr ? block_ + begin : team_.windows().stage();
    std::byte* to = memory;
    blocks.take(w.to, [&](std::int64_t offset, std::int64_t length, std::int64_t count, std::int64_t stride) {
      offset -= w.from;
      std::int64_t whole = 0;
      if (offset + length <= end)
        whole = count == 1 ? 1 : std::min(count, (end - length - offset) / stride + 1);
      copy::strided(to, length, from + offset, stride, static_cast<std::size_t>(length), whole);
      to += whole * length;
      if (whole == count) return;
      const std::int64_t begins = offset + whole * stride;
      const std::int64_t part = std::clamp<std::int64_t>(end - begins, 0, length);
      copy::ordinary(to, from + begins, static_cast<std::size_t>(part));
      to += part;
    });
    const std::int64_t got = to - memory;
    if (block_ == nullptr && got > 0) data_.put(begin, got, memory);
    return got;
  }

  team& team_;
  stored_file& file_;
  const std::int64_t at_;
  const memory_data data_;
  std::byte* const block_;
  const plan& plan_;
  const int number_;        // as an aggregator; -1: none
  std::deque<walk> walks_;  // through what is for each aggregator
};

// Stores what this member has into pages of the file. Each has a part of them to begin with, so
// members do not meet in the same lines. False: some of it is to be written.
bool store_pieces(const team& t, stored_file& file, const view& v, std::int64_t at, const memory_data& data,
                  const plan& p) {
  if (data.bytes() == 0) return true;
  const std::byte* const block = data.block();
  plan parts = p;
  parts.aggregators = p.members;
  parts.domain = base::round_up((p.end - p.first + p.members - 1) / p.members, std::int64_t{4096});
  parts.step = parts.domain;
  if (block == nullptr) parts.step = std::min(std::max(p.step, std::int64_t{1} << 20), parts.step);
  std::vector<std::byte> stage;
  std::deque<walk> walks;
  put_walks(walks, v, at, data.bytes(), parts);
  for (int i = 0; i < p.members; ++i) {
    const int a = (t.rank() + i) % p.members;
    walk& blocks = walks[static_cast<std::size_t>(a)];
    for (std::int64_t round = 0; round < parts.rounds(); ++round) {
      const std::int64_t to = parts.at(a, round).to, bytes = blocks.before(to);
      if (bytes == 0) continue;
      const std::byte* source = block != nullptr ? block + (blocks.position() - at) : nullptr;
      if (source == nullptr) {
        stage.resize(static_cast<std::size_t>(bytes));
        data.take(blocks.position() - at, bytes, stage.data());
        source = stage.data();
      }
      const std::int64_t begin = v.offset_of(blocks.position());
      const std::int64_t behind = v.offset_of(blocks.position() + bytes - 1) + 1;
      const bool stored = file.store(begin, behind, bytes, [&](std::byte* pages) {
        blocks.take(to,
                    [&](std::int64_t offset, std::int64_t length, std::int64_t count, std::int64_t stride) {
                      copy::strided(pages + (offset - begin), stride, source, length,
                                    static_cast<std::size_t>(length), count);
                      source += length * count;
                    });
      });
      if (!stored) return false;
    }
  }
  return true;
}

trouble move_together(team& t, stored_file& file, const view& v, std::int64_t at, const memory_data& data,
                      const hints& h, bool write, std::int64_t* done) {
  *done = 0;
  wish mine;
  mine.bytes = data.bytes();
  if (mine.bytes > 0) {
    mine.first = v.offset_of(at);
    mine.end = v.offset_of(at + mine.bytes - 1) + 1;
    mine.through = v.ascending(at, mine.bytes);
  }
  mine.collective = h.collective;
  mine.aggregators = h.aggregators;
  mine.window = std::max<std::int64_t>(h.collective_bytes, 1);
  const file_kind& kind = file.kind();
  mine.unit = std::max<std::int64_t>({h.unit, std::min<std::int64_t>(kind.block, 65536), mine.unit});
  two_ways& ways = t.windows().ways();
  // Asked for what has gaps only: looking at the pages of 16 MiB takes a tenth of writing them.
  const bool in_memory =
      write && mine.gaps() && mine.through != 0 && file.in_memory(mine.first, mine.end, mine.bytes);
  mine.stores = !mine.gaps() || (in_memory && ways.stores());
  // What this member has lost is told, though another one may make its part of this access.
  const trouble late = file.late();
  mine.failed = late.ok() ? 0 : 1;
  std::vector<wish> all(static_cast<std::size_t>(t.size()));
  if (int e = t.allgather(&mine, sizeof mine, all.data())) return lost(e);
  if (std::any_of(all.begin(), all.end(), [](const wish& w) { return w.failed != 0; })) return agree(t, late);
  plan p = plan_for(t, all, file);
  const std::uint64_t began = base::now_ns();
  if (p.stores) {
    bool stored = false;
    trouble why = with_memory([&] {
      stored = mine.gaps() && store_pieces(t, file, v, at, data, p);
      if (stored) *done = mine.bytes;
      return stored ? trouble{} : write_alone(file, v, at, data, done);
    });
    why = agree(t, why);
    if (in_memory && stored) ways.note(true, mine.bytes, base::now_ns() - began);
    return why;
  }
  if (p.together) {
    std::vector<int> owners;
    for (int a = 0; a < p.aggregators; ++a) owners.push_back(p.rank_of(a));
    if (int e = t.windows().make(t, std::move(owners), p.room, &p.together)) return lost(e);
  }
  if (p.together) {
    access a(t, file, v, at, data, p);
    trouble why = write ? a.write(done) : a.read(done);
    if (in_memory) ways.note(false, mine.bytes, base::now_ns() - began);
    return why;
  }
  return agree(t, with_memory([&] {
                 return write ? write_alone(file, v, at, data, done) : read_alone(file, v, at, data, h, done);
               }));
}

}  // namespace

trouble write_together(team& all, stored_file& file, const view& v, std::int64_t at, const memory_data& data,
                       const hints& h, std::int64_t* done) {
  return move_together(all, file, v, at, data, h, true, done);
}

trouble read_together(team& all, stored_file& file, const view& v, std::int64_t at, const memory_data& data,
                      const hints& h, std::int64_t* done) {
  return move_together(all, file, v, at, data, h, false, done);
}

trouble lost(int error_class) {
  return {-error_class, "the processes that opened the file could not reach each other"};
}

trouble agree(team& all, const trouble& mine) {
  if (all.size() == 1) return mine;
  struct note {
    std::int32_t number;
    std::int64_t offset, bytes;
    char what[160];
  } me{mine.number, mine.offset, mine.bytes, {}};
  std::memcpy(me.what, mine.what.data(), std::min(mine.what.size(), sizeof me.what - 1));
  std::vector<note> of(static_cast<std::size_t>(all.size()));
  if (int e = all.allgather(&me, sizeof me, of.data())) return mine.ok() ? lost(e) : mine;
  if (!mine.ok()) return mine;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of[i].number != 0)
      return {of[i].number, "at rank " + std::to_string(i) + " of the file's group: " + of[i].what,
              of[i].offset, of[i].bytes};
  }
  return {};
}

}  // namespace loadstone::io
