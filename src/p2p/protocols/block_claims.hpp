// A transfer cut into blocks that sender and receiver claim one by one, from a word in the
// rendezvous record that counts them from both ends: the receiver begins at the first, the sender
// at the last, so each finds in its cache what it has copied before. The transfer is over for
// whoever brings `copied` to the total. The word carries the generation of the record: a claim that
// comes when the record serves another message finds nothing.
#pragma once

#include <algorithm>
#include <cstdint>

#include "p2p/wire_layout.hpp"

namespace loadstone::p2p {

class block_claims {
 public:
  block_claims(rendezvous_record& record, std::uint32_t generation, std::int64_t total)
      : record_(record), generation_(generation), total_(total), block_(block_of(total)) {}

  // Half of the message, but at least what pays for its claim, and at most what lets both ends
  // finish together and the word count.
  static std::int64_t block_of(std::int64_t total) {
    const auto pages = [](std::int64_t bytes) { return (bytes + 4095) & ~std::int64_t{4095}; };
    return std::clamp<std::int64_t>(pages(total / 2), total < 64 * 1024 ? 16 * 1024 : 32 * 1024,
                                    std::max<std::int64_t>(256 * 1024, pages(total / most_blocks + 1)));
  }

  enum class end : std::uint8_t { front, back };
  // `given_back` (may be null): a block to take before all others, or -1.
  bool next(end of, std::int64_t* given_back, std::int64_t* from, std::int64_t* bytes) {
    if (given_back != nullptr && *given_back >= 0) {
      *from = *given_back;
      *given_back = -1;
      *bytes = std::min(block_, total_ - *from);
      return true;
    }
    // relaxed: the word hands out numbers; the data was made visible by the envelope and by the
    // request for help
    std::uint64_t word = record_.claimed.load(std::memory_order_relaxed);
    do {
      const auto front = static_cast<std::int64_t>(word & 0xffffu),
                 back = static_cast<std::int64_t>(word >> 16 & 0xffffu);
      if (word >> 32 != generation_ || front + back >= blocks()) return false;
      *from = (of == end::front ? front : blocks() - 1 - back) * block_;
    } while (!record_.claimed.compare_exchange_weak(word, word + (of == end::front ? 1u : 0x10000u),
                                                    std::memory_order_relaxed, std::memory_order_relaxed));
    *bytes = std::min(block_, total_ - *from);
    return true;
  }
  // Every block, if nobody has begun.
  bool all() {
    // relaxed: as in next()
    std::uint64_t word = std::uint64_t{generation_} << 32;
    return record_.claimed.compare_exchange_strong(word, word + static_cast<std::uint64_t>(blocks()),
                                                   std::memory_order_relaxed, std::memory_order_relaxed);
  }
  // Nobody has begun.
  bool untouched() const {
    // relaxed: a hint
    return record_.claimed.load(std::memory_order_relaxed) == std::uint64_t{generation_} << 32;
  }
  // The receiver stays in the library until all is there: what nobody has begun, it sees to.
  // relaxed, both: it decides who copies, and makes nothing visible
  void receiver_waits() { record_.receiver_waits.store(generation_, std::memory_order_relaxed); }
  bool receiver_is_there() const {
    return record_.receiver_waits.load(std::memory_order_relaxed) == generation_;
  }
  // A claimed block is in place, or cannot be had. True: it was the last.
  bool copied(std::int64_t bytes, std::int32_t error) {
    if (error != 0) record_.error.store(error, std::memory_order_relaxed);  // relaxed: published by `copied`
    // sync: blocks-copied — release: our block; acquire: all the others', for whoever is last
    const auto before =
        record_.copied.fetch_add(static_cast<std::uint64_t>(bytes), std::memory_order_acq_rel);
    return static_cast<std::int64_t>(before) + bytes == total_;
  }
  std::int32_t error() const {
    return record_.error.load(std::memory_order_relaxed);
  }  // relaxed: after the last copied()

 private:
  static constexpr std::int64_t most_blocks = 0x7fff;

  std::int64_t blocks() const { return (total_ + block_ - 1) / block_; }

  rendezvous_record& record_;
  const std::uint32_t generation_;
  const std::int64_t total_, block_;
};

}  // namespace loadstone::p2p
