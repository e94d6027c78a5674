/* Elements changed by instructions, or in bulk under a lock (src/rma/bulk.hpp), in AArch64's order. Processor 0 announces itself, by a plain
 * store if the barrier reaches it, else by an atomic instruction; looks at the bit, changes the element by an instruction, and takes
 * the announcement back. Processor 1 sets the bit, makes the barrier (a fence on every processor that it reaches), looks whether
 * anybody is announced, changes the element by a load and a store, and clears the bit. It has the lock all the time: who finds the
 * bit set leaves the element alone here.
 *
 * Mutants that must fail, and hold in x86's order (sync: rma-bulk):
 *   BACK_RELAXED    the announcement is taken back without release
 *   LOOK_RELAXED    whether anybody is announced is read without acquire
 *   CLEAR_RELAXED   the bit is cleared without release
 *   BIT_ACQUIRE     who has announced itself by an instruction reads the bit with acquire only, which AArch64 may do before
 *                   the instruction's store
 * And in either order:
 *   NO_BARRIER      there is no barrier
 */
#define PROCESSORS 2
#define WORDS 3
#define announced 0
#define in_bulk 1
#define element 2
#define reads(p, w) (p == 0 -> w == in_bulk : w != in_bulk)
#include "weak.pml"
#define ROUNDS 2

/* Sequentially consistent: not before its processor's stores with release have left. */
#define released_all(p) (!(at[p].stores > 0 && at[p].kind[0] % 2 == 1) && !(at[p].stores > 1 && at[p].kind[1] % 2 == 1) && \
                         !(at[p].stores > 2 && at[p].kind[2] % 2 == 1))
inline get_sequential(p, w, x) { atomic { released_all(p) && !on_its_way(p, w) -> x = memory[w]; drop_first(p, LOADS) } }

byte wanted = 0, finished = 0;
bool reached;

proctype single() {
  byte round = 0, seen, x; bool ok;
  do
  :: round == ROUNDS -> break
  :: else ->
     if
     :: reached ->
        put(0, announced, 1);
        get_acquire(0, in_bulk, seen)
     :: else ->
        compare_and_swap(0, announced, 0, 1, ok);
#ifdef MUTANT_BIT_ACQUIRE
        get_acquire(0, in_bulk, seen)
#else
        get_sequential(0, in_bulk, seen)
#endif
     fi;
     if
     :: !seen ->
        ok = false;
        do
        :: ok -> break
        :: else -> atomic { x = memory[element]; pair(0, element, x, x + 1, ok, exclusive) }
        od;
        wanted++
     :: else
     fi;
#ifdef MUTANT_BACK_RELAXED
     put(0, announced, 0);
#else
     put_release(0, announced, 0);
#endif
     round++
  od;
  fence(0);
  finished++
}

proctype bulk() {
  byte round = 0, seen, x; bool ok;
  do
  :: round == ROUNDS -> break
  :: else ->
     compare_and_swap(1, in_bulk, 0, 1, ok);
     assert(ok);
#ifndef MUTANT_NO_BARRIER
     fence(1);
     if :: reached -> fence(0) :: else fi;
     fence(1);
#endif
#ifdef MUTANT_LOOK_RELAXED
     get(1, announced, seen);
#else
     get_acquire(1, announced, seen);
#endif
     if
     :: !seen ->
        get(1, element, x);
        put(1, element, x + 1);
        wanted++
     :: else
     fi;
#ifdef MUTANT_CLEAR_RELAXED
     put(1, in_bulk, 0);
#else
     put_release(1, in_bulk, 0);
#endif
     round++
  od;
  fence(1);
  finished++
}

init {
  if :: reached = true :: reached = false fi;
  atomic { run hardware(0); run hardware(1); run single(); run bulk() };
  finished == 2;
  assert(memory[element] == wanted)
}
