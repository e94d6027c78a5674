// How long a waiter leaves the line that its answer will come in alone before it looks there for the first time,
// in pauses. A look takes the line away from whoever is writing the answer, which then has to get it back: one
// more travel of the line. A look that comes late costs what it is late. What is best depends on the machine (a
// pause takes 10 ns here and 60 there, a hand-over 40 or 300), on the program and on the peer, and changes. So it
// is found by trials, one every few hundred waits: the waits of a trial take turns between two numbers, and the
// one with the shorter waits is used. What is not seen to be better than the usual number again and again is
// given up: where answers come late, or at no particular time, it stays with that.
//
// Cost: two reads of the time-stamp counter in each wait of a trial, which is one wait in nine.
#pragma once

#include <cstdint>

namespace loadstone::wait {

class first_look {
 public:
  using clock = std::uint64_t (*)();  // of any unit that is finer than a pause

  static constexpr std::uint32_t usual = 1;   // pauses
  static constexpr std::uint32_t most = 12;   // pauses
  static constexpr std::uint32_t close = 24;  // waits of more pauses tell nothing
  static constexpr std::uint32_t trial = 64;  // waits; every other one with the first number
  static constexpr std::uint32_t rest = 8 * trial;
  static constexpr std::uint32_t least_gain = 32;  // one part of so many: less is noise

  // Without `learns`: always `start`.
  first_look(std::uint32_t start, bool learns, clock c = ticks) : clock_(c), learns_(learns), used_(start) {
    if (learns_) begin_trial();
  }

  // A wait begins: so many pauses before the first look.
  std::uint32_t begin() {
    if (!trying_) [[likely]]
      return used_;
    since_ = clock_();
    return numbers_[left_ & 1];
  }
  // It has ended, after so many looks in vain with a pause behind each.
  void end(std::uint32_t looks) {
    if (trying_ && numbers_[left_ & 1] + looks <= close) {
      sum_[left_ & 1] += clock_() - since_;
      ++waits_[left_ & 1];
    }
    if (--left_ == 0) [[unlikely]]
      turn();
  }

  std::uint32_t in_use() const { return used_; }

 private:
  static std::uint64_t ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    std::uint64_t t;
    asm volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
#endif
  }
  void turn();
  void begin_trial();
  bool second_is_better() const;

  clock clock_;
  bool learns_, trying_ = false;
  std::uint32_t used_;
  std::uint32_t left_ = rest;      // waits of this trial, or before the next one
  std::uint32_t trials_ = 0;       // so far
  std::uint32_t numbers_[2] = {};  // of a trial: the second has to be better than the first to be used
  std::uint64_t since_ = 0;        // this wait
  std::uint64_t sum_[2] = {};      // time of the waits with each
  std::uint32_t waits_[2] = {};    // their number
};

}  // namespace loadstone::wait
