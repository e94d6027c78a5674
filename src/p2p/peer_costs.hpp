// What is learnt while running: by peer, what copying to it costs.
#pragma once

#include <unordered_map>

#include "p2p/context.hpp"
#include "p2p/copy_costs.hpp"

namespace loadstone::p2p {

class peer_costs {
 public:
  peer_costs(deposit::endpoint& endpoint, const limits& config) : endpoint_(endpoint), config_(config) {}

  copy_costs& of(std::uint32_t process) { return known_[process]; }  // large messages have gone to it
  // So many bytes are being copied for a request of ours, or will be when the peer hears of it:
  // nobody sleeps meanwhile.
  void expect(std::uint32_t process, std::int64_t bytes) {
    const auto known = known_.find(process);
    endpoint_.expect((known != known_.end() ? known->second : copy_costs{}).through_in(bytes));
  }
  // A copy by the kernel, from or to a peer; what it costs is remembered.
  template <class Copy>
  deposit::reached by_kernel(std::uint32_t process, std::int64_t bytes, Copy&& copy) {
    auto done = deposit::reached::done;
    const double ns = time_of([&] { done = copy(); });
    if (config_.pipeline_limit != 0 && done == deposit::reached::done) of(process).by_kernel(bytes, ns);
    return done;
  }
  // Runs `leave`, which copies that many bytes into cells; what it costs is remembered, and
  // measured if `timed`.
  template <class Leave>
  deposit::outcome through_cells(std::uint32_t process, std::int64_t bytes, bool timed, Leave&& leave) {
    if (config_.pipeline_limit == 0) return leave();
    copy_costs& known = of(process);
    deposit::outcome sent{};
    if (bytes < least_timed || !timed || !known.settled(config_.pipeline_rules)) {
      sent = leave();
    } else if (const double ns = time_of([&] { sent = leave(); }); sent == deposit::outcome::sent) {
      known.through_cells(config_.pipeline_rules, bytes, ns);
    }
    if (sent == deposit::outcome::sent) known.settle(bytes);
    return sent;
  }

 private:
  // Shorter ones are copied in little more time than it takes to announce them.
  static constexpr std::int64_t least_timed = 32 * 1024;

  deposit::endpoint& endpoint_;
  const limits& config_;
  std::unordered_map<std::uint32_t, copy_costs> known_;
};

}  // namespace loadstone::p2p
