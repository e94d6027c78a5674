// The synchronisation of one window as one member does it; sync.hpp is what others call. It knows
// records and partners, and nothing of the window's memory: whoever calls has completed what has to
// be complete before.
//
// All under the gate, but for entered(). False: the job is being stopped, or somebody it hangs on
// is dead.
#pragma once

#include <span>

#include "deposit/endpoint.hpp"
#include "memory/job.hpp"
#include "rma/partner.hpp"
#include "wait/flag_barrier.hpp"
#include "wait/record.hpp"

namespace loadstone::rma {

class synchronisation {
 public:
  // `processes`: of the members, by rank; it stays.
  synchronisation(deposit::endpoint& endpoint, memory::job& job, window_record& own, std::int32_t rank,
                  std::span<const std::uint32_t> processes, const surroundings& around);

  // fence.cpp
  bool barrier(const wait::reason& why);
  bool last_barrier(const wait::reason& why);  // who is past it has its record for itself

  // lock.hpp; passive.cpp
  bool lock(partner& p, bool exclusive, bool nocheck, const wait::reason& why);
  bool unlock(partner& p);
  // From here on each target has to be entered before it is used: its lock is taken then, if
  // enter_if_free() has not got it. Our own, and those of keep_in_step(), at once. `why` also says
  // what is waited for later.
  bool lock_all(bool nocheck, const wait::reason& why);
  bool unlock_all();
  // Relaxed: all_ changes where no operation is under way. Acquire: what comes after is after the
  // lock (sync: rma-entered).
  bool entered(const partner& p) const {
    return p.entered.load(std::memory_order_acquire) == all_.load(std::memory_order_relaxed);
  }
  bool enter(partner& p);
  // The same without waiting. False: it is not free, or only its owner can say so.
  bool enter_if_free(partner& p);
  // The program loads and stores its memory without a call.
  bool keep_in_step(partner& p);

  // What is waited for, in words, when its owner is asked for an operation.
  const char* answer_in_epoch(const partner& p) const;

  // post.cpp
  bool post(std::span<const std::int32_t> ranks);
  // False: no post has been used, so that it may start again with those that live.
  bool start(std::span<const std::int32_t> ranks, const wait::reason& why);
  bool complete(std::span<const std::int32_t> ranks);
  bool exposure_is_over() const;
  bool wait_exposure(const wait::reason& why);
  // For who does not wait but asks again and again, and polls in between: an origin has died that
  // has not completed. Asks the system now and then.
  bool exposure_is_lost();

 private:
  partner* find(std::int32_t rank) { return around_.find(around_.context, rank); }
  bool counts_fences() const;
  bool barrier_of_flags(std::uint64_t number, const wait::reason& caller);
  bool pass_round(std::uint32_t round, std::uint64_t number, const wait::reason& caller);
  bool barrier_of_counters(std::uint64_t number, const wait::reason& caller);
  bool wait_in_queue(partner& p, bool exclusive, bool joins, const wait::reason& caller);
  void give_way(const partner& p);
  void note_entered(partner& p);
  bool has_died(std::uint32_t process) const;
  bool some_member_has_died() const;
  bool some_origin_has_died() const;  // of the present exposure
  bool wait_for_posts(std::span<const std::int32_t> ranks, const wait::reason& why, std::size_t* started);
  bool lose_exposure();  // false

  // What changes in somebody else's record, but for locks, goes through these (words.cpp). `at`
  // is where the word lies in it. They wake its owner, who sees the change and all that we had done
  // before.
  //   A word that nobody else writes becomes `value`, one more than before;
  bool tell(partner& p, std::size_t at, std::uint64_t value);
  //   the same for several: each is told, and then woken, so that the stores overlap (a wake waits
  //   for those before it);
  bool tell_awake(partner& p, std::size_t at, std::uint64_t value);
  void wake(const partner& p);
  //   the same once and for all: we give up (flag_barrier);
  void tell_given_up(partner& p, std::size_t at);
  //   a word that others change, too, becomes one more.
  bool count(partner& p, std::size_t at);

  deposit::endpoint& endpoint_;
  memory::job& job_;
  window_record& own_;
  const std::int32_t rank_;
  const std::span<const std::uint32_t> processes_;
  const surroundings around_;

  wait::flag_barrier barrier_;
  std::uint32_t locks_ = 0;            // of members that we have
  bool counts_fences_ = false;         // from the first one on
  std::atomic<std::uint32_t> all_{0};  // the lock_all() that we are in; 0: none
  std::uint32_t alls_ = 0;             // how many there have been
  wait::reason all_why_;               // of the present one
  partner *in_step_ = nullptr, *locked_ = nullptr, *exposed_ = nullptr;  // partner.hpp
  std::uint64_t awaited_completions_ = 0;                                // since the window was made
  std::uint64_t next_death_check_ = 0;                                   // of exposure_is_lost()
  bool origin_seemed_dead_ = false, exposure_lost_ = false;
};

}  // namespace loadstone::rma
