/* A flush that fences only behind stores (src/rma/window.hpp, flush_now) in AArch64's order. A thread puts one word, notes that it has
 * stored, flushes, and gets another word; another process puts that, flushes by a fence, and gets the first one: one of them has to see
 * what the other has put. A second thread of the first process notes a store in the same word and flushes: so it may be the one that
 * makes the fence, and the first thread finds the word cleared before that.
 *
 * Mutants that must fail, and hold in x86's order (sync: rma-stored):
 *   NOTE_RELAXED    the note is stored without release
 *   LOOK_RELAXED    it is read without acquire, and nothing follows
 * And in either order:
 *   NO_FENCE        who finds the note makes no fence
 */
#define PROCESSORS 3
#define WORDS 3
#define first 0                    /* put by the thread */
#define second 1                   /* by the other process */
#define stored 2
#define reads(p, w) (p == 0 -> w != first : (p == 1 -> w == stored : w == first))
#include "weak.pml"

byte saw_second, saw_first, finished;

inline note(p) {
#ifdef MUTANT_NOTE_RELAXED
  put(p, stored, 1)
#else
  put_release(p, stored, 1)
#endif
}

inline flush(p, noted) {
#ifdef MUTANT_LOOK_RELAXED
  get(p, stored, noted);
#else
  get_acquire(p, stored, noted);
#endif
  if
  :: noted ->
     put(p, stored, 0);
#ifndef MUTANT_NO_FENCE
     fence(p)
#endif
  :: else
  fi
}

inline finish() {
  atomic {
    finished++;
    if :: finished == 2 -> assert(saw_first || saw_second) :: else fi
  }
}

proctype thread() {
  byte noted;
  put(0, first, 1);
  note(0);
  flush(0, noted);
  get(0, second, saw_second);
  finish()
}

proctype other_thread() {
  byte noted;
  note(1);
  flush(1, noted)
}

proctype other_process() {
  put(2, second, 1);
  fence(2);
  get(2, first, saw_first);
  finish()
}

init { atomic { run hardware(0); run hardware(1); run hardware(2); run thread(); run other_thread(); run other_process() } }
