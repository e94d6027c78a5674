/* The passive lock of a window (src/rma/lock.cpp) in AArch64's order: what is written under it, and the slot of who queues up, which
 * whoever gives the lock back reads. Member 1 stores whom to wake into its slot and then itself into the word; who has the lock
 * then wakes it by what the slot says.
 *
 * Mutants that must fail, and hold in x86's order (sync: rma-lock):
 *   TAKE_RELAXED   the lock is taken without acquire
 *   GIVE_RELAXED   and given back without release, or
 *   QUEUE_RELAXED  who queues up does so without release
 *   NAME_RELAXED   who gives it back sees the queue without acquire
 */
#define PROCESSORS 2
#define WORDS 3
#define word 0                     /* 1: held; 2: member 1 is in the queue */
#define data 1
#define slot 2
#define reads(p, w) (w == data || (p == 0 && w == slot))
#include "weak.pml"
#define TURNS 2

byte written = 0;

inline change(me, from, to) { compare_and_swap(me, word, from, to, ok) }
inline change_relaxed(me, from, to) { compare_and_swap_relaxed(me, word, from, to, ok) }
/* Acquire only: the release is left out. */
inline change_acquire(me, from, to) { atomic { pair(me, word, from, to, ok, exclusive); drop_first(me, LOADS) } }
/* Release only: what was read early before stays. */
inline change_release(me, from, to) { atomic { pair(me, word, from, to, ok, exclusive + with_release); forget(me, word) } }

proctype member(byte p) {
  byte turn = 0, seen, x; bool ok;
  do
  :: turn == TURNS -> break
  :: else ->
     ok = false;
     do
     :: ok -> break
     :: else ->
        get(p, word, seen);
        if
        :: seen % 2 == 0 ->
           /* with it member 1 leaves the queue */
#ifdef MUTANT_TAKE_RELAXED
           change_release(p, seen, (p == 1 -> 1 : seen + 1))
#else
           change(p, seen, (p == 1 -> 1 : seen + 1))
#endif
        :: seen == 1 && p == 1 ->
           put(p, slot, turn + 1);
#ifdef MUTANT_QUEUE_RELAXED
           change_relaxed(p, 1, 3);
#else
           change(p, 1, 3);
#endif
           ok = false
        :: else
        fi
     od;
     get(p, data, x);
     assert(x == written);
     atomic { written++; x = x + 1 };
     put(p, data, x);
     ok = false;
     do
     :: ok -> break
     :: else ->
        get(p, word, seen);
#ifdef MUTANT_GIVE_RELAXED
        change_acquire(p, seen, seen - 1)
#else
#ifdef MUTANT_NAME_RELAXED
        change_release(p, seen, seen - 1)
#else
        change(p, seen, seen - 1)
#endif
#endif
     od;
     if
     :: p == 0 && seen == 3 ->
        get(p, slot, x);
        assert(x != 0);
     :: else
     fi;
     turn++
  od
}
init { atomic { run hardware(0); run hardware(1); run member(0); run member(1) } }
