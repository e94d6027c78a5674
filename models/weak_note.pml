/* What a thread waits for, as read by somebody else (src/memory/wait_note.cpp), in AArch64's order. Two threads of a process use one
 * record after each other: take it by compare-and-swap with a new number, store the words, say that they are valid, that the thread is
 * awake, and give it back. The first one sleeps twice, for different things: before the second time it takes its record anew, by a store.
 * What a reader takes for one wait are the words of that wait.
 *
 * Mutants that must fail, and hold in x86's order (sync: wait-record):
 *   VALID_RELAXED  `valid` is stored without release
 *   LOAD_RELAXED   the words are read without acquire: after the second look
 *   STORE_RELAXED  the words are stored without release: one is there before the record is taken for the second sleep
 * And in either order:
 *   NO_NUMBER      the number stays the same from sleep to sleep, and from wait to wait
 * A variant that must hold: AWAKE_RELAXED, that the thread is awake is stored without release. Stores to one word become visible one
 * after another; C++ promises the words to who sees the second one only with release.
 */
#define PROCESSORS 3
#define WORDS 3
#define state 0                    /* 4 * number + free, taken, valid or awake */
#define call 1
#define peer 2
#define reads(p, w) (p == 2)
#include "weak.pml"
#define is_free 0
#define taken 1
#define valid 2
#define awake 3

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

inline sleeps_as(p, name) {
  put_word(p, call, name);
  put_word(p, peer, name);
#ifdef MUTANT_VALID_RELAXED
  put(p, state, number + valid);
#else
  put_release(p, state, number + valid);
#endif
#ifdef MUTANT_AWAKE_RELAXED
  put(p, state, number + awake);
#else
  put_release(p, state, number + awake);
#endif
}

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
  sleeps_as(p, 1 + p);
  if
  :: p == 0 ->
#ifndef MUTANT_NO_NUMBER
     number = number + 4;
#endif
     put(p, state, number + taken);
     sleeps_as(p, 3)
  :: else
  fi;
  put_release(p, state, number + is_free)
}

proctype reader() {
  byte before, a, b, after;
  get_acquire(2, state, before);
  if
  :: before % 4 >= valid ->
     get_word(call, a);
     get_word(peer, b);
     get(2, state, after);
     assert(before / 4 != after / 4 || (a != 0 && a == b))
  :: else
  fi
}

init { atomic { run hardware(0); run hardware(1); run hardware(2); run thread(0); run thread(1); run reader() } }
