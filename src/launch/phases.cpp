#include "launch/phases.hpp"

#include <signal.h>

#include <algorithm>
#include <utility>

namespace loadstone::launch {

using memory::job_phase;

void phases::enter(job_phase next) {
  now_ = next;
  until_ = next_ = -1;
  publish_(next);
}

std::vector<int> phases::descriptors() const {
  std::vector<int> all;
  if (now_ != job_phase::draining) return all;
  for (const occupant* who : occupants_)
    if (who->descriptor() >= 0) all.push_back(who->descriptor());
  return all;
}

std::int64_t phases::stop(int number, std::int64_t now_ms) {
  if (now_ != job_phase::running) return next_;
  enter(job_phase::stopping);
  stopped_ = true;
  signal_(number);
  signal_(SIGCONT);
  return next_ = until_ = now_ms + grace_ms;
}

std::int64_t phases::hurry(std::int64_t now_ms, bool drain_too) {
  if (now_ == job_phase::running) stop(SIGKILL, now_ms);
  hurried_ = hurried_ || drain_too;
  if (now_ == job_phase::draining && !drain_too) return next_;
  if (!over()) next_ = until_ = now_ms;
  return next_;
}

std::int64_t phases::all_ended(std::int64_t now_ms) {
  if (now_ != job_phase::running && now_ != job_phase::stopping) return next_;
  enter(job_phase::draining);
  for (occupant* who : occupants_) who->begin_drain();
  gets_on();
  until_ = now_ms + (hurried_ ? 0 : longest_drain_);
  return turn(now_ms);
}

// Has anything been done since this was asked before?
bool phases::gets_on() {
  std::uint64_t sum = 0;
  for (occupant* who : occupants_) sum += who->progress();
  return std::exchange(progress_, sum) != sum;
}

std::int64_t phases::turn(std::int64_t now_ms) {
  bool due = until_ >= 0 && now_ms >= until_;
  if (now_ == job_phase::stopping && due) {
    until_ = next_ = -1;
    signal_(SIGKILL);
  }
  if (now_ != job_phase::draining) return next_;
  std::erase_if(occupants_, [](occupant* who) { return !who->is_busy(); });
  if (due && !hurried_ && gets_on()) {
    due = false;
    until_ = now_ms + longest_drain_;
  }
  cut_short_ = due && !occupants_.empty();
  if (due || occupants_.empty()) {
    enter(job_phase::releasing);
    return next_;
  }
  const bool asked = std::any_of(occupants_.begin(), occupants_.end(),
                                 [](const occupant* who) { return who->descriptor() < 0; });
  return next_ = asked ? std::min(until_, now_ms + ask_ms) : until_;
}

}  // namespace loadstone::launch
