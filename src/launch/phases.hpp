// The phases of a job, one after the other; job memory shows the one that it is in
// (memory::job_phase):
//
//   running    until all ranks have ended, or stop(): one fails, the time is over, the user ends it
//   stopping   the ranks get a signal and, a second later, SIGKILL; until all have ended
//   draining   no rank is left, but what works for them may: servers write what they hold. Bounded,
//              but not as long as they get on
//   releasing  all that is left is killed, what was printed is forwarded, dead ranks are reaped
//
// stopping is left out when the ranks end by themselves. Nothing leads back.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "memory/job_layout.hpp"

namespace loadstone::launch {

// Somebody with work left when the last rank has ended.
class occupant {
 public:
  virtual ~occupant() = default;
  virtual void begin_drain() = 0;  // no rank is left: nothing more will be asked for
  virtual bool is_busy() = 0;      // asked until it answers no, at each event of the loop (descriptor())
  virtual std::uint64_t progress() { return 0; }  // changes as long as it gets on
  virtual int descriptor() const { return -1; }   // readable when it is worth asking again; -1: after a while
};

class phases {
 public:
  static constexpr std::int64_t grace_ms = 1000;    // between the signal and SIGKILL
  static constexpr std::int64_t drain_ms = 60'000;  // what a drain may take at most without progress
  static constexpr std::int64_t ask_ms = 50;        // an occupant without a descriptor

  // `publish` makes a phase known to everybody, `signal` sends a signal to all ranks that live.
  phases(std::function<void(memory::job_phase)> publish, std::function<void(int number)> signal,
         std::int64_t longest_drain_ms = drain_ms)
      : publish_(std::move(publish)), signal_(std::move(signal)), longest_drain_(longest_drain_ms) {}

  memory::job_phase now() const { return now_; }
  bool running() const { return now_ == memory::job_phase::running; }
  bool stopped() const { return stopped_; }  // before its ranks had ended
  bool over() const { return now_ == memory::job_phase::releasing; }
  void add(occupant& who) { occupants_.push_back(&who); }  // while the job runs; outlives the drain
  // What poll() has to look at while the drain lasts.
  std::vector<int> descriptors() const;

  // Each answers when turn() has to be called, at the latest; -1: something else comes first.
  std::int64_t stop(int number, std::int64_t now_ms);  // does nothing but when the job runs
  // Nobody wants to wait: SIGKILL now, and no drain, if that is meant too.
  std::int64_t hurry(std::int64_t now_ms, bool drain_too = true);
  std::int64_t all_ended(std::int64_t now_ms);
  std::int64_t turn(std::int64_t now_ms);
  bool cut_short() const { return cut_short_; }  // the drain: an occupant was still busy

 private:
  void enter(memory::job_phase next);
  bool gets_on();
  std::function<void(memory::job_phase)> publish_;
  std::function<void(int number)> signal_;
  std::int64_t longest_drain_;
  memory::job_phase now_ = memory::job_phase::running;
  std::int64_t until_ = -1;     // SIGKILL, or the end of the drain
  std::int64_t next_ = -1;      // when turn() has something to do, of its own accord
  std::uint64_t progress_ = 0;  // as it was when the drain was last given time
  bool stopped_ = false, hurried_ = false, cut_short_ = false;
  std::vector<occupant*> occupants_;  // while they are busy
};

}  // namespace loadstone::launch
