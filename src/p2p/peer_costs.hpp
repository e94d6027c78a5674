// What is learnt while running: by peer, how long large messages take, and which way they take.
#pragma once

#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "p2p/context.hpp"
#include "p2p/copy_costs.hpp"
#include "p2p/message_request.hpp"

namespace loadstone::p2p {

class peer_costs {
 public:
  using way = copy_costs::way;

  peer_costs(deposit::endpoint& endpoint, const limits& config, std::uint32_t self)
      : endpoint_(endpoint), config_(config), self_(self) {}

  // A message of that length, for which both ends wait, may go either way.
  bool either(std::uint32_t process, std::int64_t bytes) const {
    return bytes >= least_chosen && bytes <= static_cast<std::int64_t>(config_.pipeline_limit) &&
           endpoint_.user().reaches(process);
  }
  way choose(std::uint32_t process, std::int64_t bytes) {
    return of(process).choose(config_.pipeline_rules, bytes);
  }
  // It has sent one so.
  void follow(std::uint32_t process, std::int64_t bytes, way by) {
    if (process < self_) of(process).follow(bytes, by);
  }
  // So many bytes are being copied for a request of ours, or will be when the peer hears of it:
  // nobody sleeps meanwhile. Half a nanosecond each, twice what memory that no cache holds takes.
  void expect(std::int64_t bytes) { endpoint_.expect(static_cast<std::uint64_t>(bytes) / 2); }

  // The message of `r` is being moved, and its owner waits for it, from now on until it is
  // finished.
  void begins(message_request* r) {
    if (!r->waits || r->offered.arena_offset != not_in_arena || (r->ties & tie::is_timed) != 0 ||
        !either(r->process, r->offered.bytes))
      return;
    r->ties |= tie::is_timed;
    copy_costs& known = of(r->process);
    known.begins(r->offered.bytes, known.idle() ? base::now_ns() : 0);
  }
  void begins(message_request* r, way by) {
    begins(r);
    if ((r->ties & tie::is_timed) != 0) of(r->process).goes(by);
  }
  void ends(message_request* r) {
    r->ties &= static_cast<std::uint8_t>(~tie::is_timed);
    copy_costs& known = of(r->process);
    known.ends(config_.pipeline_rules, known.last() ? base::now_ns() : 0);
  }
  // Its owner does not wait any more: how long it takes says nothing.
  void spoil(message_request* r) {
    if ((r->ties & tie::is_timed) == 0) return;
    of(r->process).goes(way::cells);
    of(r->process).goes(way::kernel);
  }

 private:
  copy_costs& of(std::uint32_t process) {
    if (process >= known_.size()) [[unlikely]]
      known_.resize(process + 1);
    std::unique_ptr<copy_costs>& known = known_[process];
    if (known == nullptr) [[unlikely]]
      known = std::make_unique<copy_costs>();
    return *known;
  }

  deposit::endpoint& endpoint_;
  const limits& config_;
  const std::uint32_t self_;
  std::vector<std::unique_ptr<copy_costs>> known_;  // by process
};

}  // namespace loadstone::p2p
