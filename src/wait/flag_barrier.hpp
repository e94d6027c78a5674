// A barrier of flags: words in the memory of each member, each written by one other.
//
// In round k a member tells the one 2^k behind it, and waits for the one 2^k before it: after
// ceil(log2 n) rounds each has heard of all, any n. A flag holds how many barriers its writer has
// begun. Nobody gets more than one barrier ahead of those it tells: so it need not be cleared. Who
// gives up in a round, as the one before it has died, says so in the flags of all later rounds:
// those wait for nobody else.
//
//   const auto number = barrier.begin();
//   for (std::uint32_t k = 0; k < barrier.rounds(); ++k) {
//     … store `number` into flag k of barrier.to(k), with release; wake it …
//     … wait until barrier.arrived(k) …
//   }
//
// Cost: a store and a wait a round. Source: Hensgen, Finkel, Manber, Two algorithms for barrier
// synchronization (1988). Model: models/rma_barrier.pml.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

namespace loadstone::wait {

class flag_barrier {
 public:
  // `flags`: our own, rounds() of them, zero before anybody begins.
  flag_barrier(const std::atomic<std::uint64_t>* flags, std::int32_t rank, std::int32_t members)
      : flags_(flags), rank_(rank), members_(members) {}

  std::uint32_t rounds() const { return rounds(members_); }
  static std::uint32_t rounds(std::int32_t members) {
    return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(members - 1)));
  }
  std::int32_t to(std::uint32_t round) const { return within(rank_ + distance(round)); }
  std::int32_t from(std::uint32_t round) const { return within(rank_ + members_ - distance(round)); }

  // The flag of who has given up, once and for all.
  static constexpr std::uint64_t given_up = std::uint64_t{1} << 63;

  std::uint64_t begin() { return ++number_; }
  // What that member, and all whom it had heard of, did before their barrier can be seen then. Or
  // it has given up.
  bool arrived(std::uint32_t round) const {
    return flags_[round].load(std::memory_order_acquire) >= number_;  // sync: flag-barrier
  }
  // To be asked when it has arrived; relaxed: as nothing follows from it.
  bool is_broken(std::uint32_t round) const {
    return flags_[round].load(std::memory_order_relaxed) >= given_up;
  }

 private:
  // Of less than twice as many.
  std::int32_t within(std::int32_t number) const { return number < members_ ? number : number - members_; }
  static std::int32_t distance(std::uint32_t round) { return std::int32_t{1} << round; }

  const std::atomic<std::uint64_t>* flags_;
  std::int32_t rank_, members_;
  std::uint64_t number_ = 0;
};

}  // namespace loadstone::wait
