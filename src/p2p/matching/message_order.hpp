// The order of messages of one (sender, communicator), as the receiver checks it. A message may be
// taken out of the middle of a refused sender's queue; what follows then shows a gap, which must
// consist of exactly the messages that were taken.
#pragma once

#include <cstdint>

namespace loadstone::p2p {

class message_order {
 public:
  // The common case: it is due, and nothing was taken or left before. False: nothing has been done.
  bool next_of_all(std::uint32_t sequence) {
    if (sequence != next_ || (ahead_ | left_) != 0) return false;
    ++next_;
    return true;
  }
  // Taken from a queue, perhaps before older ones. False: out of order.
  bool taken(std::uint32_t sequence) {
    if (sequence == next_) {
      ++next_;
      return true;
    }
    if (static_cast<std::int32_t>(sequence - next_) < 0) return false;
    ++ahead_;
    ahead_sum_ += sequence;
    return true;
  }
  // Arrived in order. The sum tells apart "as many as were taken" from "those that were taken".
  bool arrived(std::uint32_t sequence) {
    if (sequence == next_) [[likely]] {
      ++next_;
      return true;
    }
    const std::uint32_t gap = sequence - next_;
    if (gap > ahead_) return false;
    const std::uint64_t first = next_;
    ahead_ -= gap;
    ahead_sum_ -= static_cast<std::uint32_t>(gap * first + std::uint64_t{gap} * (gap - 1) / 2);
    next_ = sequence + 1;
    return ahead_ != 0 || ahead_sum_ == 0;
  }
  // A message stays in its sender's queue. True: it was not left before.
  bool leave(std::uint32_t sequence) {
    if (left_ != 0 && static_cast<std::int32_t>(sequence - left_until_) < 0) return false;
    left_until_ = sequence + 1;
    ++left_;
    return true;
  }
  // A message comes out of its sender's queue. True: it had been left there.
  bool fetch(std::uint32_t sequence) {
    if (left_ == 0 || static_cast<std::int32_t>(sequence - left_until_) >= 0) return false;
    --left_;
    return true;
  }
  bool holds_left() const { return left_ != 0; }
  std::uint32_t next() const { return next_; }
  void start_at(std::uint32_t sequence) { next_ = sequence; }  // tests: close to wrap-around

 private:
  std::uint32_t next_ = 0;
  std::uint32_t ahead_ = 0;       // messages taken beyond next_
  std::uint32_t ahead_sum_ = 0;   // of their numbers, modulo 2^32
  std::uint32_t left_ = 0;        // messages left in the sender's queue
  std::uint32_t left_until_ = 0;  // the newest of them, and one
};

}  // namespace loadstone::p2p
