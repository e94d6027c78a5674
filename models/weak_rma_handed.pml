/* What an owner of memory is handed (src/rma/handed.cpp, handed_owner.cpp), in AArch64's order. The origin writes a piece into its room and
 * offers it by the word of a slot; the owner finds the offer as it looks, without a message, and claims it; it copies what it was brought,
 * puts in its place what was there before, and says that it is done. The origin reads that, and writes the next piece into the same room.
 *
 * Mutants that must fail, and hold in x86's order (sync: rma-hand):
 *   OFFER_RELAXED  the offer is stored without release
 *   CLAIM_RELAXED  it is read and claimed without acquire
 *   DONE_RELAXED   that it is done is stored without release
 *   SEEN_RELAXED   and read without acquire
 */
#define PROCESSORS 2
#define WORDS 2
#define state 0
#define room 1
#define reads(p, w) (1)
#include "weak.pml"
#define ROUNDS 2
#define offered(n) (4 * (n) + 1)
#define claimed(n) (4 * (n) + 2)
#define done(n) (4 * (n) + 3)
#define before 20                  /* what was there before */

proctype origin() {
  byte round = 1, seen;
  do
  :: round > ROUNDS -> break
  :: else ->
     put(0, room, round);
#ifdef MUTANT_OFFER_RELAXED
     put(0, state, offered(round));
#else
     put_release(0, state, offered(round));
#endif
     seen = 0;
     do
     :: seen == done(round) -> break
     :: else ->
#ifdef MUTANT_SEEN_RELAXED
        get(0, state, seen)
#else
        get_acquire(0, state, seen)
#endif
     od;
     get(0, room, seen);
     assert(seen == before + round);
     round++
  od
}

proctype owner() {
  byte round = 1, seen; bool ok;
  do
  :: round > ROUNDS -> break
  :: else ->
     seen = 0;
     do
     :: seen == offered(round) -> break
     :: else ->
#ifdef MUTANT_CLAIM_RELAXED
        get(1, state, seen)
#else
        get_acquire(1, state, seen)
#endif
     od;
#ifdef MUTANT_CLAIM_RELAXED
     compare_and_swap_relaxed(1, state, offered(round), claimed(round), ok);
#else
     compare_and_swap(1, state, offered(round), claimed(round), ok);
#endif
     assert(ok);
     copy_later(1, room, round);
     put(1, room, before + round);
#ifdef MUTANT_DONE_RELAXED
     put(1, state, done(round));
#else
     put_release(1, state, done(round));
#endif
     round++
  od
}

init { atomic { run hardware(0); run hardware(1); run origin(); run owner() } }
