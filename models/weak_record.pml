/* A rendezvous record in AArch64's order (src/p2p/wire_layout.hpp, block_claims.hpp): the sender makes it and sends an envelope; the
 * receiver claims it by compare-and-swap; then both copy a block each and count it. Whoever counts the last one ends the transfer: the
 * receiver at once, the sender by a message. The receiver's program then finds all of it.
 *
 * The claim itself needs no order of its own: the envelope has brought all that lies behind it.
 *
 * Mutants that must fail, and hold in x86's order:
 *   RECORD_RELAXED  the envelope is published without release: the record it names is an old one   (sync: record-claim)
 *   PUSHED_RELAXED  the sender's last message is read without acquire
 * And in either order:
 *   COUNT_APART     `copied` is read and stored, not counted up at once                             (sync: blocks-copied)
 *   COPIED_RELAXED  `copied` is counted without acquire and release: in AArch64's order only
 */
#define PROCESSORS 2
#define WORDS 6
#define state 0
#define envelope 1
#define first 2                    /* the receiver's buffer: one block of each */
#define second 3
#define copied 4
#define pushed 5
#define reads(p, w) (p == 1)
#include "weak.pml"
#define pending 1
#define matched 2

inline count(p, before) {
  do
  :: get(p, copied, before);
#ifdef MUTANT_COUNT_APART
     put_release(p, copied, before + 1);
     break
#else
#ifdef MUTANT_COPIED_RELAXED
     compare_and_swap_relaxed(p, copied, before, before + 1, ok);
#else
     compare_and_swap(p, copied, before, before + 1, ok);
#endif
     if :: ok -> break :: else fi
#endif
  od
}

proctype sender() {
  byte before; bool ok;
  put_release(0, state, pending);
#ifdef MUTANT_RECORD_RELAXED
  put(0, envelope, 1);
#else
  put_release(0, envelope, 1);
#endif
  put(0, first, 1);                /* as if asked for help at once */
  count(0, before);
  if :: before == 1 -> put_release(0, pushed, 1) :: else fi
}

proctype receiver() {
  byte seen = 0, before; bool ok;
  do :: seen == 1 -> break :: else -> get_acquire(1, envelope, seen) od;
  compare_and_swap_relaxed(1, state, pending, matched, ok);
  assert(ok);
  put(1, second, 1);
  count(1, before);
  if
  :: before == 1
  :: else ->
     seen = 0;
     do
     :: seen == 1 -> break
     :: else ->
#ifdef MUTANT_PUSHED_RELAXED
        get(1, pushed, seen)
#else
        get_acquire(1, pushed, seen)
#endif
     od
  fi;
  get(1, first, seen);
  assert(seen == 1);
  get(1, second, seen);
  assert(seen == 1)
}

init { atomic { run hardware(0); run hardware(1); run sender(); run receiver() } }
