// What a waiter does after it has polled in vain: spin, yield or sleep, by the policy. One object
// per waiting thread of control, kept from wait to wait because it learns from slow yields.
#pragma once

#include <cstdint>

#include "base/clock.hpp"
#include "wait/crowding.hpp"
#include "wait/first_poll.hpp"
#include "wait/pause.hpp"
#include "wait/policy.hpp"
#include "wait/presence.hpp"
#include "wait/test_loop.hpp"

namespace loadstone::wait {

enum class advice : std::uint8_t { poll_again, yield, sleep };

class backoff {
 public:
  using clock = std::uint64_t (*)();  // ns

  explicit backoff(const policy& p, clock c = base::now_ns)
      : policy_(p),
        clock_(c),
        first_(p.how == mode::block ? 0 : turns_of_a_pause(), p.how != mode::block && p.yields == 0),
        tests_(p) {}

  // A wait begins. Unless something is `at_hand`, leaves what it waits for alone for as long as
  // that has been seen to pay.
  void begin(bool at_hand) {
    restart();
    begun_ = true;
    if (at_hand) return;
    undisturbed_ = true;
    pass(first_.begin());
  }
  bool begun() const { return begun_; }  // and neither ended nor disturbed
  // It has ended.
  void end() {
    if (undisturbed_) first_.end(polls_);
    if (yields_ != 0) [[unlikely]]
      cores_.waited(for_same_core_ && undisturbed_);
    restart();
  }
  // Something arrived, which may end the wait: the peer is running.
  void restart() {
    begun_ = false;
    if (polls_ > policy_.free_polls) learn();
    undisturbed_ = false;
    polls_ = 0;
    yields_ = 0;
  }

  // After an empty poll. The first polls cost no clock.
  advice next() {
    pause();
    if (++polls_ <= policy_.free_polls && policy_.how != mode::block) [[likely]]
      return advice::poll_again;
    return next_slow();
  }

  // The same while that cannot be but to poll again; false, and no poll counted, when it could.
  bool next_is_free() {
    if (polls_ >= policy_.free_polls || policy_.how == mode::block) return false;
    pause();
    ++polls_;
    return true;
  }

  void yield();  // gives the processor away, and learns how long that took
  // Are there fewer cores than processes, and have yields been quick lately?
  bool may_yield() const {
    return policy_.yields != 0 && policy_.how == mode::adaptive && no_yields_for_ == 0;
  }

  // With a core for every process, before a sleep that next() has advised: poll on until so many ns
  // have passed since the first polls of the wait, or since those after something had come. False:
  // they have passed, or the policy is another one. It stays false after a sleep that ended by
  // itself: who waits for long polls once.
  bool polls_on(std::uint64_t ns) {
    if (policy_.how != mode::adaptive || policy_.yields != 0 || spent_ >= ns) return false;
    poll_ns_ = ns;
    return true;
  }
  std::uint64_t since() const { return since_; }  // the moment that is counted from, by the clock
  // What another has learned of yields.
  void learn_from(const backoff& other) {
    no_yields_for_ = other.no_yields_for_;
    without_yield_ = other.without_yield_;
  }

  // With too few cores: says in `mine`, which outlives this, when we run and where.
  void say_presence(presence_word* mine) { presence_ = presence(mine); }
  // Whose answer the wait is for; null: nobody's in particular. Holds until it is said anew.
  // `goes_first`: of the two, we are the one to go where both have noticed that they are crowded.
  void wait_for(const presence_word* peer, bool goes_first) {
    peer_ = peer;
    cores_.go_first(goes_first);
  }
  presence::place place_of(const presence_word& peer) const { return presence_.of(&peer); }
  // Around a sleep.
  void leave() { presence_.leave(); }
  void arrive() { presence_.arrive(); }
  // With too few cores: is ours the right one?
  crowding& cores() { return cores_; }
  // With too few cores, where the program tests instead of waiting.
  test_loop& tests() { return tests_; }

 private:
  advice next_slow();
  advice next_in_a_crowd();
  void learn();

  static constexpr std::uint32_t polls_without_yield = 16;
  policy policy_;
  clock clock_;
  first_poll first_;
  bool begun_ = false;
  bool undisturbed_ = false;  // the wait has seen nothing but polls in vain, and first_ has begun it
  std::uint32_t polls_ = 0;
  std::uint32_t yields_ = 0;
  std::uint32_t no_yields_for_ = 0;                            // waits
  std::uint32_t without_yield_ = policy::least_without_yield;  // what that becomes after a slow yield
  presence presence_;
  const presence_word* peer_ = nullptr;
  bool for_same_core_ = false;  // this wait had to yield, to a peer on our core
  crowding cores_;
  test_loop tests_;
  // With a core for every process: when the first poll was that is not free, how long ago that was
  // by the last read of the clock, and how long to poll.
  std::uint64_t since_ = 0, spent_ = 0, poll_ns_ = 0;
};

}  // namespace loadstone::wait
