// The reductions.
#pragma once

#include "coll/scenario.hpp"

namespace loadstone::coll::test {

class reduction_call final : public call {
 public:
  reduction_call(const specification& s, int group, int rank) : call(s, group, rank), type_(choose_type(s)) {
    scatters_ = s.what == collective::reduce_scatter || s.what == collective::reduce_scatter_block;
    const int members = s.size[group];
    first_.assign(1, 0);
    for (int i = 0; i < members; ++i) {
      // Both groups of an inter-communicator reduce vectors of the same length; each divides it in its own
      // way.
      const std::int64_t n = s.what == collective::reduce_scatter ? slice(i, members)
                             : scatters_                          ? per_member()
                                                                  : 0;
      counts64_.push_back(n);
      counts32_.push_back(static_cast<std::int32_t>(n));
      first_.push_back(first_.back() + n);
    }
    total_ = scatters_ ? first_.back() : s.units * 3;
    result_count_ = scatters_ ? counts64_[static_cast<std::size_t>(rank)] : total_;

    in_place_ = s.in_place && (s.what != collective::reduce || at_root());
    contributes_ = s.what != collective::reduce || !s.inter || group != s.root_group;
    receives_ = s.what != collective::reduce || at_root();
    if (contributes_ && !in_place_) send_ = image(total_, type_);
    if (receives_) receive_ = image(in_place_ ? total_ : result_count_, type_);
  }

  void fill(int round) override {
    if (contributes_) {
      const values mine = contribution(group_, rank_, round);
      (in_place_ ? receive_ : send_).put(0, total_, type_, mine);
    }
    if (!receives_) return;
    if (!in_place_) receive_.put(0, result_count_, type_, made(group_, rank_, 5, ints(result_count_), round));
    if (s_.what == collective::exscan && rank_ == 0) return;  // untouched
    const int source = s_.inter ? 1 - group_ : group_;
    const bool prefix = s_.what == collective::scan || s_.what == collective::exscan;
    const int last = !prefix ? s_.size[source] - 1 : s_.what == collective::scan ? rank_ : rank_ - 1;
    values sum = contribution(source, last, round);
    for (int i = last - 1; i >= 0; --i) sum = fold(s_.op, contribution(source, i, round), std::move(sum));
    if (scatters_) {
      const auto from = static_cast<std::size_t>(ints(first_[static_cast<std::size_t>(rank_)]));
      sum = values(
          sum.begin() + static_cast<std::ptrdiff_t>(from),
          sum.begin() + static_cast<std::ptrdiff_t>(from + static_cast<std::size_t>(ints(result_count_))));
    }
    receive_.expect(0, result_count_, type_, sum);
  }

  schedule* build(engine& e, const group_view& g) override {
    const void* send = contributes_ && !in_place_ ? send_.base() : nullptr;
    void* receive = receives_ ? receive_.base() : nullptr;
    const datatype::op* op = &op_of(s_.op);
    const integers counts = s_.wide ? integers{counts64_.data(), 8} : integers{counts32_.data(), 4};
    switch (s_.what) {
      case collective::reduce:
        return e.reduce(g, send, receive, total_, &type_, op, root(), in_place_);
      case collective::allreduce:
        return e.allreduce(g, send, receive, total_, &type_, op, in_place_);
      case collective::reduce_scatter:
        return e.reduce_scatter(g, send, receive, counts, &type_, op, in_place_);
      case collective::reduce_scatter_block:
        return e.reduce_scatter_block(g, send, receive, counts64_.front(), &type_, op, in_place_);
      case collective::scan:
        return e.scan(g, send, receive, total_, &type_, op, in_place_);
      default:
        return e.exscan(g, send, receive, total_, &type_, op, in_place_);
    }
  }

  std::string check(int) override {
    std::string e = contributes_ && !in_place_ ? send_.check("send buffer") : "";
    return e.empty() && receives_ ? receive_.check("receive buffer") : e;
  }

 private:
  static const datatype::type& choose_type(const specification& s) {
    return s.op == operation::predefined_sum ? *all_types().plain
           : s.padded                        ? *all_types().padded
                                             : *all_types().pair;
  }
  std::int64_t ints(std::int64_t count) const { return count * (s_.op == operation::predefined_sum ? 1 : 2); }
  std::int64_t per_member() const { return s_.inter ? s_.units * s_.size[1 - group_] : s_.units; }
  std::int64_t slice(int i, int members) const {
    if (!s_.inter)
      return static_cast<std::int64_t>(mix(s_.seed, 41, i) % static_cast<std::uint64_t>(2 * s_.units + 1));
    // units * size[0] * size[1] elements: neighbours i, i + 1 take from each other
    const std::int64_t each = s_.units * s_.size[1 - group_];
    const std::int64_t shift =
        static_cast<std::int64_t>(mix(s_.seed, 42, i / 2, group_) % static_cast<std::uint64_t>(each + 1));
    if (i % 2 == 0) return i + 1 < members ? each - shift : each;
    return each + shift;
  }
  values contribution(int group, int rank, int round) const {
    return made(group, rank, 0, ints(total_), round);
  }

  const datatype::type& type_;
  bool scatters_ = false, in_place_ = false, contributes_ = false, receives_ = false;
  std::int64_t total_ = 0, result_count_ = 0;
  std::vector<std::int64_t> counts64_, first_;
  std::vector<std::int32_t> counts32_;
  image send_, receive_;
};

inline std::unique_ptr<call> make_reducing(const specification& s, int group, int rank) {
  return std::make_unique<reduction_call>(s, group, rank);
}

}  // namespace loadstone::coll::test
