#include "coll/topology.hpp"

#include <algorithm>

namespace loadstone::coll {

std::int64_t grid::size() const {
  std::int64_t n = 1;
  for (int d : dims) n *= d;
  return n;
}

std::int32_t grid::rank(std::span<const int> coordinates) const {
  std::int64_t rank = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    std::int64_t c = coordinates[i];
    if (c < 0 || c >= dims[i]) {
      if (!periods[i]) return no_neighbour;
      c = ((c % dims[i]) + dims[i]) % dims[i];
    }
    rank = rank * dims[i] + c;
  }
  return static_cast<std::int32_t>(rank);
}

void grid::coordinates(std::int32_t rank, std::span<int> out) const {
  for (std::size_t i = dims.size(); i-- > 0;) {
    if (i < out.size()) out[i] = rank % dims[i];
    rank /= dims[i];
  }
}

grid::shifted grid::shift(std::int32_t rank, std::size_t direction, int displacement) const {
  std::int64_t stride = 1;
  for (std::size_t i = direction + 1; i < dims.size(); ++i) stride *= dims[i];
  const std::int64_t n = dims[direction];
  const std::int64_t here = rank / stride % n;
  auto moved = [&](std::int64_t by) {
    std::int64_t c = here + by;
    if (c < 0 || c >= n) {
      if (!periods[direction]) return no_neighbour;
      c = ((c % n) + n) % n;
    }
    return static_cast<std::int32_t>(rank + (c - here) * stride);
  };
  return {moved(-static_cast<std::int64_t>(displacement)), moved(displacement)};
}

std::vector<std::int32_t> grid::neighbours(std::int32_t rank) const {
  std::vector<std::int32_t> all;
  all.reserve(2 * dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const shifted s = shift(rank, i, 1);
    all.push_back(s.source);
    all.push_back(s.destination);
  }
  return all;
}

grid::part grid::subgrid(std::int32_t rank, std::span<const int> remain) const {
  part p{0, 0};
  std::int64_t number_stride = 1, rank_stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    const std::int64_t c = rank % dims[i];
    rank /= dims[i];
    if (remain[i]) {
      p.rank += static_cast<std::int32_t>(c * rank_stride);
      rank_stride *= dims[i];
    } else {
      p.number += static_cast<std::int32_t>(c * number_stride);
      number_stride *= dims[i];
    }
  }
  return p;
}

namespace {

// Tries all ways to write n as `slots` non-increasing factors, and keeps the best. There are few
// ways (some thousands for the 31-bit numbers with the most divisors), because the order is fixed
// and a way is dropped as soon as its spread is worse than the best.
class balancer {
 public:
  balancer(std::int64_t n, std::size_t slots) : current_(slots), best_(slots) {
    for (std::int64_t d = 1; d * d <= n; ++d) {
      if (n % d) continue;
      divisors_.push_back(d);
      if (d * d != n) divisors_.push_back(n / d);
    }
    std::sort(divisors_.begin(), divisors_.end());
    choose(0, n);
  }
  const std::vector<std::int64_t>& best() const { return best_; }

 private:
  void choose(std::size_t slot, std::int64_t rest) {
    const std::size_t left = current_.size() - slot;
    if (left == 1) {
      if (slot != 0 && rest > current_[slot - 1]) return;
      current_[slot] = rest;
      if (!found_ || better()) best_ = current_, found_ = true;
      return;
    }
    for (std::int64_t d : divisors_) {
      if (slot != 0 && d > current_[slot - 1]) break;
      if (rest % d) continue;
      if (!reaches(d, left, rest)) continue;  // too small, as the factors after it may not be larger
      if (found_) {
        // The smallest factor is at most this one, and at most the root of what is to be divided.
        const std::int64_t spread = best_.front() - best_.back();
        if (slot != 0 && current_[0] - d > spread) continue;
        if (slot == 0 && reaches(d - spread - 1, left, rest)) break;
      }
      current_[slot] = d;
      choose(slot + 1, rest / d);
    }
  }
  // d^slots ≥ n?
  static bool reaches(std::int64_t d, std::size_t slots, std::int64_t n) {
    if (d <= 0) return false;
    __extension__ __int128 power = 1;
    for (std::size_t i = 0; i < slots; ++i) {
      power *= d;
      if (power >= n) return true;
    }
    return power >= n;
  }
  bool better() const {
    const std::int64_t a = current_.front() - current_.back(), b = best_.front() - best_.back();
    return a != b ? a < b : current_ < best_;
  }

  std::vector<std::int64_t> divisors_, current_, best_;
  bool found_ = false;
};

}  // namespace

bool balance(std::int64_t nodes, std::span<int> dims) {
  std::size_t open = 0;
  for (int d : dims) {
    if (d == 0) {
      ++open;
    } else if (nodes % d) {
      return false;
    } else {
      nodes /= d;
    }
  }
  if (open == 0) return nodes == 1;
  const balancer b(nodes, open);
  std::size_t next = 0;
  for (int& d : dims)
    if (d == 0) d = static_cast<int>(b.best()[next++]);
  return true;
}

std::span<const int> graph_neighbours(std::span<const int> index, std::span<const int> edges,
                                      std::int32_t node) {
  const auto i = static_cast<std::size_t>(node);
  const auto from = static_cast<std::size_t>(i == 0 ? 0 : index[i - 1]);
  return edges.subspan(from, static_cast<std::size_t>(index[i]) - from);
}

}  // namespace loadstone::coll
