/* The front of a lock's queue is handed over (src/rma/lock.cpp, `take`) in AArch64's order. Who leaves the front stores into the slot of
 * the next who is behind it, as a note, and then that it is the first. That one finds the note, and clears it before it queues up
 * again: a note of the turn before would name somebody who is in the queue no more.
 *
 * Mutants that must fail, and hold in x86's order (sync: rma-lock-front):
 *   FRONT_RELAXED  that it is the first is stored without release
 *   FIRST_RELAXED  and read without acquire
 */
#define PROCESSORS 2
#define WORDS 3
#define before 0                   /* of member 1: 1 + turn while member 0 is in front of it, then 0 */
#define behind 1                   /* its note */
#define queue 2                    /* the word: the turn in which it has queued up */
#define reads(p, w) (p == 0 -> w == queue : w != queue)
#include "weak.pml"
#define TURNS 2

proctype leaves() {
  byte turn = 1, seen;
  do
  :: turn > TURNS -> break
  :: else ->
     seen = 0;
     do :: seen == turn -> break :: else -> get_acquire(0, queue, seen) od;
     put(0, behind, 10 + turn);
#ifdef MUTANT_FRONT_RELAXED
     put(0, before, 0);
#else
     put_release(0, before, 0);
#endif
     turn++
  od
}

proctype comes() {
  byte turn = 1, seen; bool ok;
  do
  :: turn > TURNS -> break
  :: else ->
     put(1, behind, 0);
     put(1, before, turn);
     compare_and_swap(1, queue, turn - 1, turn, ok);
     assert(ok);
     seen = 1;
     do
     :: seen == 0 -> break
     :: else ->
#ifdef MUTANT_FIRST_RELAXED
        get(1, before, seen)
#else
        get_acquire(1, before, seen)
#endif
     od;
     get(1, behind, seen);
     assert(seen == 10 + turn);
     turn++
  od
}

init { atomic { run hardware(0); run hardware(1); run leaves(); run comes() } }
