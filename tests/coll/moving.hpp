// The collectives that move data.
#pragma once

#include "coll/scenario.hpp"

namespace loadstone::coll::test {

// Counts and displacements in either width.
class numbers {
 public:
  void set(const std::vector<std::int64_t>& v, bool wide) {
    wide_ = wide;
    long_ = v;
    short_.assign(v.begin(), v.end());
  }
  integers view() const { return wide_ ? integers{long_.data(), 8} : integers{short_.data(), 4}; }

 private:
  bool wide_ = false;
  std::vector<std::int64_t> long_;
  std::vector<std::int32_t> short_;
};

// Blocks in one buffer, one per peer: of equal size in order, or scattered with gaps, in types of their own.
class side {
 public:
  enum class form { equal, v, w };
  struct block {
    std::int64_t n;  // int32
    const datatype::type* type;
    std::int64_t count, offset;  // elements; bytes from base
  };
  // All blocks of one type but for w. `seed` decides on gaps and order.
  side(form f, const std::vector<std::int64_t>& n, const std::vector<const datatype::type*>& type,
       std::uint64_t seed, bool wide) {
    const std::size_t p = n.size();
    std::vector<std::size_t> order(p);
    for (std::size_t i = 0; i < p; ++i) order[i] = i;
    if (f != form::equal)
      for (std::size_t i = p; i > 1; --i) std::swap(order[i - 1], order[mix(seed, i) % i]);
    blocks.resize(p);
    std::int64_t at = f == form::equal ? 0
                                       : static_cast<std::int64_t>(mix(seed, 999) % 5) -
                                             2;  // displacements may be negative
    std::int64_t low = 0, high = 0;
    std::vector<std::int64_t> counts(p), displacements(p);
    for (std::size_t i : order) {
      const datatype::type& t = *type[i];
      const std::int64_t count = elements(n[i], t);
      // v: in extents; w: in bytes, with room for any type
      const std::int64_t scale = f == form::w ? 48 : t.extent();
      blocks[i] = {n[i], &t, count, at * scale};
      counts[i] = count;
      displacements[i] = f == form::w ? at * scale : at;
      low = std::min(low, at * scale + image::lowest(count, t));
      high = std::max(high, at * scale + image::highest(count, t));
      at += f == form::w ? (count * t.extent()) / scale + 2 : count;
      if (f == form::v) at += static_cast<std::int64_t>(mix(seed, i, 5) % 3);
    }
    memory = image(low, high);
    counts_.set(counts, wide);
    displacements_.set(displacements, wide);
    for (const block& b : blocks) types_.push_back(b.type);
    form_ = f;
  }
  vector_side view() {
    vector_side v{memory.base(), counts_.view(), displacements_.view(), nullptr, nullptr};
    if (form_ == form::w) {
      v.types = types_.data();
    } else {
      v.type = types_.front();
    }
    return v;
  }
  p2p::buffer each() { return {memory.base(), blocks.front().count, blocks.front().type}; }
  void put(std::size_t i, const values& v) {
    memory.put(blocks[i].offset, blocks[i].count, *blocks[i].type, v);
  }
  void expect(std::size_t i, const values& v) {
    memory.expect(blocks[i].offset, blocks[i].count, *blocks[i].type, v);
  }

  image memory;
  std::vector<block> blocks;

 private:
  form form_ = form::equal;
  numbers counts_, displacements_;
  std::vector<const datatype::type*> types_;
};

class barrier_call final : public call {
 public:
  using call::call;
  void fill(int) override {}
  schedule* build(engine& e, const group_view& g) override { return e.barrier(g); }
  std::string check(int) override { return {}; }
};

class bcast_call final : public call {
 public:
  bcast_call(const specification& s, int group, int rank)
      : call(s, group, rank),
        type_(type_of(0, rank, group)),
        count_(elements(s.units * unit, type_)),
        data_(count_, type_) {}
  void fill(int round) override {
    data_.put(0, count_, type_, made(group_, rank_, at_root() ? 0 : 1, s_.units * unit, round));
    if (s_.inter && group_ == s_.root_group) return;
    data_.expect(0, count_, type_, made(s_.root_group, s_.root, 0, s_.units * unit, round));
  }
  schedule* build(engine& e, const group_view& g) override {
    return e.bcast(g, {data_.base(), count_, &type_}, root());
  }
  std::string check(int) override { return data_.check("data"); }

 private:
  const datatype::type& type_;
  std::int64_t count_;
  image data_;
};

// gather, scatter, allgather, alltoall and their v and w forms: `n(from, to)` int32 go from each sender to
// each receiver.
class exchange_call final : public call {
 public:
  exchange_call(const specification& s, int group, int rank) : call(s, group, rank) {
    const bool gathers = in({collective::gather, collective::gatherv});
    const bool scatters = in({collective::scatter, collective::scatterv});
    const bool alltoall = in({collective::alltoall, collective::alltoallv, collective::alltoallw});
    in_place_here_ = s.in_place && (gathers || scatters ? at_root() : true);
    const bool takes_part_here = gathers || scatters ? takes_part() : true;
    // Intra: everyone sends to a gather; inter: only the group opposite to the root's.
    sends_ = takes_part_here && (gathers ? !s.inter || !at_root() : scatters ? at_root() : true);
    receives_ = takes_part_here && (scatters ? !s.inter || !at_root() : gathers ? at_root() : true);
    form_ = in({collective::alltoallw}) ? side::form::w
            : in({collective::gatherv, collective::scatterv, collective::allgatherv, collective::alltoallv})
                ? side::form::v
                : side::form::equal;
    send_many_ = alltoall || scatters;
    receive_many_ = alltoall || in({collective::allgather, collective::allgatherv}) || gathers;

    if (sends_) send_ = make_side(0, send_many_);
    if (receives_) receive_ = make_side(1, receive_many_);
  }

  void fill(int round) override {
    if (send_ && !send_unused())
      for_each(*send_, send_many_,
               [&](int peer, std::size_t i) { send_->put(i, content(group_, rank_, other(), peer, round)); });
    if (!receive_) return;
    for_each(*receive_, receive_many_, [&](int peer, std::size_t i) {
      const bool own = !s_.inter && peer == rank_;
      if (in_place_here_ && is_scatter()) return;
      if (in_place_here_ && is_alltoall()) {
        receive_->put(i, content(group_, rank_, group_, peer, round));  // what goes to that peer
      } else if (in_place_here_ && own) {
        receive_->put(i, content(group_, rank_, group_, rank_, round));
      } else {
        receive_->put(i, made(group_, rank_, 100 + peer, receive_->blocks[i].n, round));
      }
      receive_->expect(i, content(other(), peer, group_, rank_, round));
    });
  }

  schedule* build(engine& e, const group_view& g) override {
    const p2p::buffer none{nullptr, 0, nullptr};
    // At the root of an in-place gather or scatter one side is not significant.
    const p2p::buffer send = send_ && !send_unused() ? send_->each() : none;
    const p2p::buffer receive = receive_ && !(in_place_here_ && is_scatter()) ? receive_->each() : none;
    const vector_side sends = send_ && !send_unused() ? send_->view() : vector_side{};
    const vector_side receives = receive_ ? receive_->view() : vector_side{};
    switch (s_.what) {
      case collective::gather:
        return e.gather(g, send, receive, root(), in_place_here_);
      case collective::gatherv:
        return e.gatherv(g, send, receives, root(), in_place_here_);
      case collective::scatter:
        return e.scatter(g, send, receive, root(), in_place_here_);
      case collective::scatterv:
        return e.scatterv(g, sends, receive, root(), in_place_here_);
      case collective::allgather:
        return e.allgather(g, send, receive, s_.in_place);
      case collective::allgatherv:
        return e.allgatherv(g, send, receives, s_.in_place);
      case collective::alltoall:
        return e.alltoall(g, send, receive, s_.in_place);
      case collective::alltoallv:
        return e.alltoallv(g, sends, receives, s_.in_place);
      default:
        return e.alltoallw(g, sends, receives, s_.in_place);
    }
  }

  std::string check(int) override {
    std::string e = send_ ? send_->memory.check("send buffer") : "";
    return e.empty() && receive_ ? receive_->memory.check("receive buffer") : e;
  }

 private:
  bool in(std::initializer_list<collective> list) const {
    return std::find(list.begin(), list.end(), s_.what) != list.end();
  }
  bool is_scatter() const { return in({collective::scatter, collective::scatterv}); }
  bool is_gather() const { return in({collective::gather, collective::gatherv}); }
  bool is_allgather() const { return in({collective::allgather, collective::allgatherv}); }
  bool is_alltoall() const { return !is_scatter() && !is_gather() && !is_allgather(); }
  bool send_unused() const { return in_place_here_ && !is_scatter(); }

  // int32 that (group, rank) sends to (to_group, to).
  std::int64_t amount(int group, int rank, int to_group, int to) const {
    if (form_ == side::form::equal) {
      // The two directions of an inter-communicator need not carry the same amount.
      const bool symmetric = !s_.inter || is_gather() || is_scatter();
      return (symmetric ? s_.units : static_cast<std::int64_t>(mix(s_.seed, 21, group) % 3) * s_.units) *
             unit;
    }
    const auto most = static_cast<std::uint64_t>(s_.units) + 1;
    if (is_gather()) return static_cast<std::int64_t>(mix(s_.seed, 22, rank) % most) * unit;
    if (is_scatter()) return static_cast<std::int64_t>(mix(s_.seed, 22, to) % most) * unit;
    if (is_allgather()) return static_cast<std::int64_t>(mix(s_.seed, 23, group, rank) % most) * unit;
    // In place, both directions of a pair are equal.
    if (s_.in_place && rank > to) std::swap(rank, to);
    return static_cast<std::int64_t>(mix(s_.seed, 24, group, rank, to_group, to) % most) * unit;
  }
  values content(int group, int rank, int to_group, int to, int round) const {
    return made(group, rank, is_gather() || is_allgather() ? 0 : to, amount(group, rank, to_group, to),
                round);
  }
  std::unique_ptr<side> make_side(int which, bool many) {
    const int n = many ? peers() : 1;
    std::vector<std::int64_t> amounts;
    std::vector<const datatype::type*> kinds;
    for (int i = 0; i < n; ++i) {
      const int peer = many ? i : is_scatter() ? s_.root : is_gather() ? s_.root : 0;
      amounts.push_back(which == 0 ? amount(group_, rank_, other(), peer)
                                   : amount(other(), peer, group_, rank_));
      // w in place: the types of both directions have the same signature length, each process chooses its
      // own.
      kinds.push_back(&type_of(which, form_ == side::form::w ? 100 * rank_ + i : rank_, group_));
    }
    const bool listed = form_ != side::form::equal && many;
    return std::make_unique<side>(listed ? form_ : side::form::equal, amounts, kinds,
                                  mix(s_.seed, 31, which, rank_, group_), s_.wide);
  }
  template <class F>
  void for_each(side& x, bool many, F&& f) {
    for (std::size_t i = 0; i < x.blocks.size(); ++i)
      f(many ? static_cast<int>(i) : is_scatter() || is_gather() ? s_.root : 0, i);
  }

  bool sends_ = false, receives_ = false, send_many_ = false, receive_many_ = false, in_place_here_ = false;
  side::form form_ = side::form::equal;
  std::unique_ptr<side> send_, receive_;
};

inline std::unique_ptr<call> make_moving(const specification& s, int group, int rank) {
  if (s.what == collective::barrier) return std::make_unique<barrier_call>(s, group, rank);
  if (s.what == collective::bcast) return std::make_unique<bcast_call>(s, group, rank);
  return std::make_unique<exchange_call>(s, group, rank);
}

}  // namespace loadstone::coll::test
