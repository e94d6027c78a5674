/* Post, start, complete, wait (src/rma/post.cpp) in AArch64's order. A target writes a word and posts; an origin starts, copies that
 * word, writes another one, and completes; the target waits for it, copies what was written, and posts again.
 *
 * Mutants that must fail, and hold in x86's order:
 *   POST_RELAXED      the post is stored without release               (sync: rma-post)
 *   START_RELAXED     and read without acquire
 *   COMPLETE_RELAXED  the completion is added without release          (sync: rma-complete)
 *   WAIT_RELAXED      and read without acquire
 */
#define PROCESSORS 2
#define WORDS 4
#define mine 0                     /* written by the target */
#define theirs 1                   /* by the origin */
#define posted 2
#define completed 3
#define reads(p, w) (p == 0 -> (w == theirs || w == completed) : (w == mine || w == posted))
#include "weak.pml"
#define EPOCHS 3

proctype target() {
  byte e = 1, seen;
  do
  :: e > EPOCHS -> break
  :: else ->
     put(0, mine, e);
#ifdef MUTANT_POST_RELAXED
     put(0, posted, e);
#else
     put_release(0, posted, e);
#endif
     seen = 0;
     do
     :: seen >= e -> break
     :: else ->
#ifdef MUTANT_WAIT_RELAXED
        get(0, completed, seen)
#else
        get_acquire(0, completed, seen)
#endif
     od;
     copy_later(0, theirs, e);
     e++
  od
}

proctype origin() {
  byte e = 1, seen; bool ok;
  do
  :: e > EPOCHS -> break
  :: else ->
     seen = 0;
     do
     :: seen >= e -> break
     :: else ->
#ifdef MUTANT_START_RELAXED
        get(1, posted, seen)
#else
        get_acquire(1, posted, seen)
#endif
     od;
     copy_later(1, mine, e);
     put(1, theirs, e);
#ifdef MUTANT_COMPLETE_RELAXED
     compare_and_swap_relaxed(1, completed, e - 1, e, ok);
#else
     compare_and_swap(1, completed, e - 1, e, ok);
#endif
     assert(ok);
     e++
  od
}

init { atomic { run hardware(0); run hardware(1); run target(); run origin() } }
