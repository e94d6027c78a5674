// Which messages stand in senders' queues, roughly, so that most searches in vain are not made:
// counts by hashed (context, source, tag) and its three wildcard forms. Zero is certain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "p2p/matching/bins.hpp"

namespace loadstone::p2p {

class kept_index {
 public:
  void add(const match_key& key) { change(key, 1), ++size_; }
  void remove(const match_key& key) { change(key, ~std::uint32_t{0}), --size_; }
  std::size_t size() const { return size_; }
  bool may_hold(const match_key& wanted) const { return !counts_.empty() && counts_[slot(wanted)] != 0; }

 private:
  static constexpr std::size_t slots = std::size_t{1} << 14;

  static std::size_t slot(const match_key& k) {
    std::uint64_t h = k.context * 0x9e3779b97f4a7c15u;
    h ^= (std::uint64_t{k.process} << 32 | static_cast<std::uint32_t>(k.tag)) * 0xc2b2ae3d27d4eb4fu;
    return (h ^ h >> 31) * 0x9e3779b97f4a7c15u >> 50;
  }
  void change(const match_key& key, std::uint32_t by) {
    if (counts_.empty()) counts_.resize(slots);
    counts_[slot(key)] += by;
    counts_[slot({key.context, any_process, key.tag})] += by;
    counts_[slot({key.context, key.process, any_tag})] += by;
    counts_[slot({key.context, any_process, any_tag})] += by;
  }

  std::vector<std::uint32_t> counts_;
  std::size_t size_ = 0;
};

}  // namespace loadstone::p2p
