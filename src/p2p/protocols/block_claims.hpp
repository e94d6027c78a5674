// A transfer cut into blocks that sender and receiver claim one by one from a counter in the
// rendezvous record. The transfer is over for whoever brings `copied` to the total. The counter
// carries the generation of the record: a claim that comes when the record serves another message
// finds nothing.
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
  // finish together.
  static std::int64_t block_of(std::int64_t total) {
    const std::int64_t half = (total / 2 + 4095) & ~std::int64_t{4095};
    return std::clamp<std::int64_t>(half, total < 64 * 1024 ? 16 * 1024 : 32 * 1024, 256 * 1024);
  }

  // `given_back` (may be null): a block to take before all others, or -1.
  bool next(std::int64_t* given_back, std::int64_t* from, std::int64_t* bytes) {
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
      if (word >> 32 != generation_) return false;
      *from = static_cast<std::int64_t>(word & 0xffffffffu) * block_;
      if (*from >= total_) return false;
    } while (!record_.claimed.compare_exchange_weak(word, word + 1, std::memory_order_relaxed,
                                                    std::memory_order_relaxed));
    *bytes = std::min(block_, total_ - *from);
    return true;
  }
  // Every block, if nobody has begun.
  bool all() {
    // relaxed: as in next()
    std::uint64_t word = std::uint64_t{generation_} << 32;
    const auto blocks = static_cast<std::uint64_t>((total_ + block_ - 1) / block_);
    return record_.claimed.compare_exchange_strong(word, word + blocks, std::memory_order_relaxed,
                                                   std::memory_order_relaxed);
  }
  // All blocks that end within the first `bytes` are in place. Nobody else knows of the transfer
  // yet.
  void skip(std::int64_t bytes) {
    const std::int64_t blocks = bytes / block_;
    // relaxed: published by the request for help
    record_.copied.store(static_cast<std::uint64_t>(blocks * block_), std::memory_order_relaxed);
    record_.claimed.store(std::uint64_t{generation_} << 32 | static_cast<std::uint64_t>(blocks),
                          std::memory_order_relaxed);
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
  rendezvous_record& record_;
  const std::uint32_t generation_;
  const std::int64_t total_, block_;
};

}  // namespace loadstone::p2p
