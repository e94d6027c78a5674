/* What a thread waits for, as read by somebody else (src/memory/wait_note.cpp), in AArch64's order. Two threads of a process use one
 * record after each other: take it by compare-and-swap with a new number, store the words, say that they are valid, and give it back.
 * What a reader takes for one wait are the words of that wait.
 *
 * Mutants that must fail, and hold in x86's order (sync: wait-record):
 *   VALID_RELAXED  `valid` is stored without release
 *   LOAD_RELAXED   the words are read without acquire: after the second look
 * And in either order:
 *   NO_NUMBER      the number stays the same from wait to wait
 * A variant that must hold: STORE_RELAXED, the words are stored without release. A record is seen free before it is taken anew, and no
 * processor stores before it knows that; C++ promises this only with release.
 */
#define PROCESSORS 3
#define WORDS 3
#define state 0                    /* 4 * number + free, taken or valid */
#define call 1
#define peer 2
#define reads(p, w) (p == 2)
#include "weak.pml"
#define is_free 0
#define taken 1
#define valid 2

#ifdef MUTANT_STORE_RELAXED
#define put_word(p, w, v) put(p, w, v)
#else
#define put_word(p, w, v) put_release(p, w, v)
#endif
#ifdef MUTANT_LOAD_RELAXED
#define get_word(w, x) get(2, w, x)
#else
#define get_word(w, x) get_acquire(2, w, x)
#endif

proctype thread(byte p) {
  byte before, number; bool ok = false;
  do
  :: ok -> break
  :: else ->
     get(p, state, before);
     if
     :: before % 4 == is_free ->
#ifdef MUTANT_NO_NUMBER
        number = before;
#else
        number = before + 4;
#endif
        compare_and_swap_relaxed(p, state, before, number + taken, ok)
     :: else
     fi
  od;
  put_word(p, call, 1 + p);
  put_word(p, peer, 1 + p);
#ifdef MUTANT_VALID_RELAXED
  put(p, state, number + valid);
#else
  put_release(p, state, number + valid);
#endif
  put_release(p, state, number + is_free)
}

proctype reader() {
  byte before, a, b, after;
  get_acquire(2, state, before);
  if
  :: before % 4 == valid ->
     get_word(call, a);
     get_word(peer, b);
     get(2, state, after);
     assert(before != after || (a != 0 && a == b))
  :: else
  fi
}

init { atomic { run hardware(0); run hardware(1); run hardware(2); run thread(0); run thread(1); run reader() } }
