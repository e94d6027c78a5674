// Collective access. Where the data of several members interleaves in the file, it goes through
// *aggregators* (two-phase access: del Rosario, Bordawekar, Choudhary 1993; Thakur, Gropp, Lusk
// 1999): each has a domain of the file, a part without gaps, and handles it window by window. In
// one round all members send what they have for the current window of each aggregator, which writes
// it in one piece; or they say what they want of it, and the aggregator reads and answers.
//
// A view ascends, so what a member has for a window is one part of its packed data. It says with
// few bytes where that goes (pieces.hpp). Memory: a window at an aggregator, and as much again for
// what comes in; at others, what they send in a round, or nothing where that lies in one piece.
//
// Cost: three collectives of short messages a round, and each byte is copied twice more than by a
// direct call. Where nothing interleaves, each member goes alone.
#include "io/collective.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "copy/strided.hpp"
#include "io/coverage.hpp"
#include "io/pieces.hpp"

namespace loadstone::io {
namespace {

constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

// What a member says before anything is moved.
struct wish {
  std::int64_t first = nowhere, end = 0;  // of the file
  std::int64_t bytes = 0;
  std::int64_t through = 1;  // can it go through aggregators?
};

struct window {
  std::int64_t from, to;
  std::int64_t bytes() const { return std::max<std::int64_t>(to - from, 0); }
};

// Which part of the file is whose, and when.
struct plan {
  bool together = false;
  std::int64_t first = 0, end = 0, domain = 0, step = 0;
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
    const std::int64_t begin = first + aggregator * domain;
    const std::int64_t last = std::min(begin + domain, end);
    return {std::min(begin + round * step, last), std::min(begin + (round + 1) * step, last)};
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

plan plan_for(const team& t, const std::vector<wish>& all, const hints& h, const stored_file& file) {
  plan p;
  p.members = t.size();
  p.first = nowhere;
  bool possible = h.collective != hints::choice::never && t.size() > 1 && file.kind().regular;
  for (const wish& w : all) {
    possible = possible && w.through != 0;
    if (w.bytes == 0) continue;
    p.first = std::min(p.first, w.first);
    p.end = std::max(p.end, w.end);
  }
  if (!possible || p.end <= p.first) return p;
  p.together = h.collective == hints::choice::always || interleaved(all);
  const std::int64_t unit = std::max<std::int64_t>(
      {h.unit, file.kind().stripe, std::min<std::int64_t>(file.kind().block, 65536), 4096});
  const std::uint32_t cores = t.core().job().header().cpus;
  p.aggregators = h.aggregators > 0 ? h.aggregators : std::max(static_cast<int>(cores), 1);
  p.aggregators = std::min(p.aggregators, t.size());
  p.first = p.first / unit * unit;
  const auto up = [unit](std::int64_t n) { return (n + unit - 1) / unit * unit; };
  p.domain = up((p.end - p.first + p.aggregators - 1) / p.aggregators);
  p.step = std::min(up(std::max<std::int64_t>(h.collective_bytes, 1)), p.domain);
  return p;
}

// One collective access of this member, as far as reading and writing have it in common.
class access {
 public:
  access(team& t, stored_file& file, const view& v, std::int64_t at, const memory_data& data, const plan& p)
      : team_(t),
        file_(file),
        view_(v),
        at_(at),
        bytes_(data.bytes()),
        data_(data),
        block_(data.block()),
        plan_(p),
        number_(p.number_of(t.rank())),
        next_(static_cast<std::size_t>(p.aggregators)),
        out_counts_(size()),
        out_places_(size()),
        in_counts_(size()),
        in_places_(size()),
        piece_counts_(size()),
        sizes_out_(size()),
        sizes_in_(size()),
        poor_(size()) {
    for (int a = 0; a < p.aggregators; ++a)
      next_[static_cast<std::size_t>(a)] = view_.empty() ? at : position_of(p.at(a, 0).from, at);
  }

  trouble write(std::int64_t* done) {
    trouble mine;
    *done = 0;
    for (std::int64_t round = 0; round < plan_.rounds(); ++round) {
      if (trouble t = tell(round, true); !t.ok()) return t;
      // Packed, unless it lies in one piece anyway.
      const std::byte* from = block_;
      if (block_ == nullptr) {
        std::int64_t all = 0;
        std::vector<std::int64_t> packed = one_after_another(out_counts_, &all);
        for (std::size_t i = 0; i < size(); ++i)
          data_.take(out_places_[i], out_counts_[i], stage_.data() + packed[i]);
        out_places_ = std::move(packed);
        from = stage_.data();
      }
      if (int e =
              team_.alltoallv({from, out_counts_, out_places_}, {arrived_.data(), in_counts_, in_places_}))
        return lost(e);
      if (!arrived_.empty() && mine.ok())
        mine = with_memory([&] { return write_window(plan_.at(number_, round)); });
    }
    mine = agree(team_, mine);
    *done = mine.ok() ? bytes_ : 0;
    return mine;
  }

  trouble read(std::int64_t* done) {
    trouble mine;
    *done = 0;
    for (std::int64_t round = 0; round < plan_.rounds(); ++round) {
      if (trouble t = tell(round, false); !t.ok()) return t;
      // In this direction members send what they want to know, and get data.
      answers_.assign(size(), 0);
      if (!arrived_.empty() && mine.ok())
        mine = with_memory([&] { return read_window(plan_.at(number_, round)); });
      std::vector<std::int64_t> got(size());
      if (int e = team_.alltoall(answers_.data(), sizeof(std::int64_t), got.data())) return lost(e);
      std::vector<std::int64_t> places(size());
      std::byte* to = block_;
      if (block_ != nullptr) {
        places = out_places_;
      } else {
        std::int64_t all = 0;
        places = one_after_another(got, &all);
        to = stage_.data();
      }
      if (int e = team_.alltoallv({arrived_.data(), answers_, in_places_}, {to, got, places})) return lost(e);
      for (std::size_t i = 0; i < size(); ++i) {
        if (block_ == nullptr && got[i] > 0) data_.put(out_places_[i], got[i], stage_.data() + places[i]);
        *done += got[i];
      }
    }
    return agree(team_, mine);
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(team_.size()); }
  std::int64_t position_of(std::int64_t offset, std::int64_t from) const {
    return bytes_ == 0 ? at_ : view_.position_at(offset, from, at_ + bytes_);
  }

  // Tells each aggregator what this member has for its window, or wants of it, and gets the memory
  // of the round. Afterwards: counts and places (in the packed data) of what goes out, and of what
  // comes in. Whoever has no memory says so where all hear it, before anybody waits for his data.
  trouble tell(std::int64_t round, bool write) {
    std::vector<std::int64_t> piece_places(size());
    const trouble mine = with_memory([&] { return list_pieces(round, piece_places); });
    for (std::size_t i = 0; i < size(); ++i)
      sizes_out_[i] = mine.ok() ? sizes{out_counts_[i], piece_counts_[i]} : sizes{0, 0};
    if (int e = team_.alltoall(sizes_out_.data(), sizeof(sizes), sizes_in_.data())) return lost(e);
    const trouble memory = mine.ok() ? with_memory([&] { return make_room(round, write); }) : mine;
    const char poor = !memory.ok();
    if (int e = team_.allgather(&poor, 1, poor_.data())) return lost(e);
    if (std::find(poor_.begin(), poor_.end(), 1) != poor_.end()) return agree(team_, memory);
    std::vector<std::int64_t> in(size());
    for (std::size_t i = 0; i < size(); ++i) in[i] = sizes_in_[i].pieces;
    if (int e = team_.alltoallv({pieces_.data(), piece_counts_, piece_places},
                                {in_pieces_.data(), in, in_pieces_at_}))
      return lost(e);
    return {};
  }

  trouble list_pieces(std::int64_t round, std::vector<std::int64_t>& piece_places) {
    pieces_.clear();
    std::fill(out_counts_.begin(), out_counts_.end(), 0);
    std::fill(out_places_.begin(), out_places_.end(), 0);
    std::fill(piece_counts_.begin(), piece_counts_.end(), 0);
    piece_writer writer(pieces_);
    for (int a = 0; a < plan_.aggregators; ++a) {
      const window w = plan_.at(a, round);
      std::int64_t& next = next_[static_cast<std::size_t>(a)];
      const auto rank = static_cast<std::size_t>(plan_.rank_of(a));
      const std::int64_t to = w.bytes() == 0 ? next : position_of(w.to, next);
      piece_places[rank] = static_cast<std::int64_t>(pieces_.size());
      out_counts_[rank] = to - next;
      out_places_[rank] = next - at_;
      writer.start(w.from);
      view_.blocks(next, to - next,
                   [&](std::int64_t offset, std::int64_t length, std::int64_t count, std::int64_t stride) {
                     writer.add(offset, length, count, stride);
                     return true;
                   });
      piece_counts_[rank] = static_cast<std::int64_t>(pieces_.size()) - piece_places[rank];
      next = to;
    }
    return {};
  }

  trouble make_room(std::int64_t round, bool write) {
    std::int64_t going = 0, coming = 0, pieces = 0;
    std::vector<std::int64_t> in(size());
    for (std::size_t i = 0; i < size(); ++i) {
      going += out_counts_[i];
      in_counts_[i] = sizes_in_[i].data;
      in[i] = sizes_in_[i].pieces;
    }
    in_places_ = one_after_another(in_counts_, &coming);
    in_pieces_at_ = one_after_another(in, &pieces);
    in_pieces_.resize(static_cast<std::size_t>(pieces));
    arrived_.resize(static_cast<std::size_t>(coming));
    if (block_ == nullptr) stage_.resize(static_cast<std::size_t>(going));
    if (coming > 0) {
      const window w = plan_.at(number_, round);
      buffer_.resize(static_cast<std::size_t>(w.bytes()));
      if (write) covered_.clear(w.bytes());
    }
    return {};
  }

  template <class Each>
  void for_pieces_of(std::size_t rank, Each&& each) const {
    read_pieces(in_pieces_.data() + in_pieces_at_[rank], sizes_in_[rank].pieces, each);
  }

  trouble write_window(const window& w) {
    for (std::size_t r = 0; r < size(); ++r) {
      const std::byte* from = arrived_.data() + in_places_[r];
      for_pieces_of(r, [&](std::int64_t offset, std::int64_t length, std::int64_t count,
                           std::int64_t stride) {
        copy::strided(buffer_.data() + offset, stride, from, length, static_cast<std::size_t>(length), count);
        from += length * count;
        if (count > 1 && stride == length) {
          covered_.add(offset, length * count);
        } else {
          for (std::int64_t i = 0; i < count; ++i) covered_.add(offset + i * stride, length);
        }
        return true;
      });
    }
    std::vector<extent> extents;
    trouble t;
    const auto flush = [&] {
      std::int64_t moved = 0;
      t = file_.write(extents, &moved);
      extents.clear();
      return t.ok();
    };
    covered_.runs([&](std::int64_t from, std::int64_t length) {
      extents.push_back({w.from + from, buffer_.data() + from, length});
      return extents.size() < 512 || flush();
    });
    if (t.ok() && !extents.empty()) flush();
    return t;
  }

  // Reads what lies between the first and the last byte that is wanted of this window, and puts
  // together what each member gets; that ends where the file does.
  trouble read_window(const window& w) {
    std::int64_t first = w.bytes(), last = 0;
    for (std::size_t r = 0; r < size(); ++r) {
      for_pieces_of(r,
                    [&](std::int64_t offset, std::int64_t length, std::int64_t count, std::int64_t stride) {
                      first = std::min(first, offset);
                      last = std::max(last, offset + (count - 1) * stride + length);
                      return true;
                    });
    }
    std::int64_t got = 0;
    const extent all{w.from + first, buffer_.data() + first, last - first};
    if (trouble t = file_.read({&all, 1}, &got); !t.ok()) return t;
    const std::int64_t end = first + got;
    for (std::size_t r = 0; r < size(); ++r) {
      std::byte* const begin = arrived_.data() + in_places_[r];
      std::byte* to = begin;
      for_pieces_of(r, [&](std::int64_t offset, std::int64_t length, std::int64_t count,
                           std::int64_t stride) {
        std::int64_t whole = 0;
        if (offset + length <= end)
          whole = count == 1 ? 1 : std::min(count, (end - length - offset) / stride + 1);
        copy::strided(to, length, buffer_.data() + offset, stride, static_cast<std::size_t>(length), whole);
        to += whole * length;
        if (whole == count) return true;
        const std::int64_t begins = offset + whole * stride;
        const std::int64_t part = std::clamp<std::int64_t>(end - begins, 0, length);
        std::memcpy(to, buffer_.data() + begins, static_cast<std::size_t>(part));
        to += part;
        return false;
      });
      answers_[r] = to - begin;
    }
    return {};
  }

  struct sizes {
    std::int64_t data, pieces;
  };

  team& team_;
  stored_file& file_;
  const view& view_;
  const std::int64_t at_, bytes_;
  const memory_data data_;
  std::byte* const block_;
  const plan& plan_;
  const int number_;                // as an aggregator; -1: none
  std::vector<std::int64_t> next_;  // for each aggregator, the position up to which all is done
  std::vector<std::int64_t> out_counts_, out_places_, in_counts_, in_places_, piece_counts_, answers_;
  std::vector<sizes> sizes_out_, sizes_in_;
  std::vector<char> poor_;  // who has no memory
  std::vector<std::byte> pieces_, in_pieces_, stage_, arrived_, buffer_;
  std::vector<std::int64_t> in_pieces_at_;
  coverage covered_;
};

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
  std::vector<wish> all(static_cast<std::size_t>(t.size()));
  if (int e = t.allgather(&mine, sizeof mine, all.data())) return lost(e);
  const plan p = plan_for(t, all, h, file);
  if (p.together) {
    access a(t, file, v, at, data, p);
    return write ? a.write(done) : a.read(done);
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
