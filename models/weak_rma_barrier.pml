/* The barriers of fences (src/rma/flag_barrier.hpp, counter_barrier.hpp) in AArch64's order. Two members write a word each, meet, read
 * what the other one has written (a copy, whose loads may be done late), meet again, and go on. -DMUTANT_COUNTERS: by counters.
 *
 * Mutants that must fail, and hold in x86's order:
 *   TELL_RELAXED   a flag is stored without release                                   (sync: flag-barrier)
 *   LOOK_RELAXED   a flag is read without acquire
 *   COUNTERS COUNT_RELAXED     members count themselves in by a relaxed addition      (sync: barrier-arrived)
 *   COUNTERS RELEASED_RELAXED  they are let go by a store without release             (sync: barrier-released)
 *   COUNTERS SEEN_RELAXED      which is read without acquire
 */
#define PROCESSORS 2
#define WORDS 4
/* 0 and 1: what the members write */
#define reads(p, w) (w != p)
#include "weak.pml"
#define MEETINGS 4

#ifdef MUTANT_COUNTERS
#define arrived 2
#define released 3
inline meet(me, n) {
  ok = false;
  do
  :: ok -> break
  :: else ->
     get(me, arrived, seen);
#ifdef MUTANT_COUNT_RELAXED
     compare_and_swap_relaxed(me, arrived, seen, seen + 1, ok)
#else
     compare_and_swap(me, arrived, seen, seen + 1, ok)
#endif
  od;
  if
  :: seen + 1 == 2 * n ->
#ifdef MUTANT_RELEASED_RELAXED
     put(me, released, n)
#else
     put_release(me, released, n)
#endif
  :: else ->
     do
     :: seen = 0;
#ifdef MUTANT_SEEN_RELAXED
        get(me, released, seen);
#else
        get_acquire(me, released, seen);
#endif
        if :: seen >= n -> break :: else fi
     od
  fi
}
#else
#define flag_of(p) (2 + p)
inline meet(me, n) {
#ifdef MUTANT_TELL_RELAXED
  put(me, flag_of(1 - me), n);
#else
  put_release(me, flag_of(1 - me), n);
#endif
  seen = 0;
  do
  :: seen >= n -> break
  :: else ->
#ifdef MUTANT_LOOK_RELAXED
     get(me, flag_of(me), seen)
#else
     get_acquire(me, flag_of(me), seen)
#endif
  od
}
#endif

proctype member(byte p) {
  byte n = 1, seen, mine = p, theirs = 1 - p; bool ok;
  do
  :: n > MEETINGS -> break
  :: else ->
     put(p, mine, n);
     meet(p, n);
     n++;
     copy_later(p, theirs, n - 1);
     meet(p, n);
     n++
  od
}

init { atomic { run hardware(0); run hardware(1); run member(0); run member(1) } }
