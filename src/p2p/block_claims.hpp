// A transfer cut into blocks that are claimed one by one from a counter in the rendezvous record, so that
// sender and receiver can both copy when both are there. Now the receiver comes alone and claims them all.
#pragma once

#include <cstdint>

#include "p2p/wire_layout.hpp"

namespace loadstone::p2p {

class block_claims {
 public:
  // record may be null: then the caller is alone for certain.
  block_claims(rendezvous_record* record, std::int64_t block_bytes, std::int64_t total)
      : record_(record), block_(block_bytes), total_(total) {}

  bool next(std::int64_t* from, std::int64_t* bytes) {
    // relaxed: the counter hands out numbers; the data was made visible by the envelope
    const std::uint64_t mine =
        record_ != nullptr ? record_->claimed.fetch_add(1, std::memory_order_relaxed) : alone_++;
    *from = static_cast<std::int64_t>(mine) * block_;
    if (*from >= total_) return false;
    *bytes = total_ - *from < block_ ? total_ - *from : block_;
    return true;
  }
  // release: whoever reads the full sum finds every block in place; read by `done` today, by the other copier
  // later
  void copied(std::int64_t bytes) {
    if (record_ != nullptr)
      record_->copied.fetch_add(static_cast<std::uint64_t>(bytes), std::memory_order_release);
  }

 private:
  rendezvous_record* record_;
  std::int64_t block_, total_;
  std::uint64_t alone_ = 0;
};

}  // namespace loadstone::p2p
