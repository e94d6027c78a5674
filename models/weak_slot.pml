/* A slot that is written, read and given back, again and again, in AArch64's order: the inbox (src/transport/inbox.hpp), the ring
 * (ring.hpp), and cells, whose `state` is what `head` is here.
 *
 * Mutants (-DMUTANT_…) that must fail, and hold in x86's order:
 *   PUBLISH_RELAXED  the slot's identity is stored without release        (sync: inbox-publish, ring-publish)
 *   TAKE_RELAXED     the identity is read without acquire
 *   CONSUME_RELAXED  the slot is given back without release               (sync: inbox-consume, stream-consume, cell-return)
 */
#define PROCESSORS 2
#define WORDS 3
#define payload 0
#define identity 1
#define head 2
#define reads(p, w) ((p == 0 && w == head) || (p == 1 && w != head))
#include "weak.pml"
#define MESSAGES 3

proctype producer() {
  byte m = 1, seen = 0;
  do
  :: m <= MESSAGES ->
     do :: seen >= m - 1 -> break :: else -> get_acquire(0, head, seen) od;
     put(0, payload, m);
#ifdef MUTANT_PUBLISH_RELAXED
     put(0, identity, m);
#else
     put_release(0, identity, m);
#endif
     m++
  :: else -> break
  od
}

proctype consumer() {
  byte m = 1, seen = 0;
  do
  :: m <= MESSAGES ->
     do
     :: seen == m -> break
     :: else ->
#ifdef MUTANT_TAKE_RELAXED
        get(1, identity, seen)
#else
        get_acquire(1, identity, seen)
#endif
     od;
     copy_later(1, payload, m);
#ifdef MUTANT_CONSUME_RELAXED
     put(1, head, m);
#else
     put_release(1, head, m);
#endif
     m++
  :: else -> break
  od
}

init { atomic { run hardware(0); run hardware(1); run producer(); run consumer() } }
