// Writes a collective of blocks between pairs (edges.hpp): what is given and taken, then offer(),
// then work().
#pragma once

#include <algorithm>

#include "coll/area_writer.hpp"

namespace loadstone::coll {

class edge_writer {
 public:
  // `moves`: what is taken may lie where it is given.
  edge_writer(builder& b, area_writer& w, bool moves = false) : b_(b), w_(w), edges_(w.edges(moves)) {}

  void gives(std::int32_t to, buffer data, std::int32_t there = edge_work::unknown) {
    edges_.gives(to, data, there);
  }
  void takes(std::int32_t from, buffer data, std::int32_t there = edge_work::unknown) {
    edges_.takes(from, data, there);
    if (!data.type->in_one_block(data.count)) with_gaps_ = std::max(with_gaps_, packed_bytes(data));
  }
  void gives_nothing() { edges_.gives_nothing(); }
  void takes_nothing() { edges_.takes_nothing(); }

  void offer() {
    constexpr auto most = static_cast<std::int64_t>(edge_work::bounce_bytes);
    if (with_gaps_ != 0) edges_.bounce_at(b_.scratch_bytes(std::min(with_gaps_, most)));
    w_.offer();
  }
  void work() { w_.work(); }

 private:
  builder& b_;
  area_writer& w_;
  edge_work& edges_;
  std::int64_t with_gaps_ = 0;  // the longest
};

// The place of a member in the list of another one, of all but itself.
constexpr std::int32_t place_among_others(std::int32_t member, std::int32_t of) {
  return member < of ? member : member - 1;
}

}  // namespace loadstone::coll
