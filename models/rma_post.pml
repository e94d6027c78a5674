/* Post, start, complete, wait (src/rma/post.cpp): a counter for each pair of poster and origin, and one sum of completions at each target.
 *
 * Two targets, two origins, EPOCHS epochs each. Target 0 posts to both origins, target 1 to origin 1 only. Origin 1 starts with one target
 * after the other, in either order, or with both at once. An access is the increment of a word of the target, which that has to find
 * exposed; the target reads the words when its exposure is over.
 *
 * Stores are visible in order; sleeping is that of models/sleep.pml.
 *
 * Mutants that must fail:
 *   ONE_POST_WORD     all targets count in one word of an origin
 *   POST_IS_A_FLAG    a post stores 1, which nobody takes back
 *   NOT_SUMMED        wait looks for the completions of this epoch only, without those of the epochs before
 *   ONE_COMPLETION    wait is over with the first one
 *   COMPLETE_EARLY    an origin completes before its last access
 *   NO_WAKE           who completes wakes nobody
 */
#define EPOCHS 2

byte posted[4];                    /* [2 * origin + target] */
byte completed[2];
bool exposed[2];
byte data[4];                      /* [2 * target + origin] */
bool asleep[2], rung[2];           /* targets; origins look all the time */

inline post_to(o, t) {
#ifdef MUTANT_ONE_POST_WORD
  atomic { posted[2 * o]++ }
#else
#ifdef MUTANT_POST_IS_A_FLAG
  posted[2 * o + t] = 1
#else
  posted[2 * o + t]++
#endif
#endif
}

proctype target(byte t) {
  byte e = 1, wanted = 0;
  do
  :: e > EPOCHS -> break
  :: else ->
     exposed[t] = true;
     if :: t == 0 -> post_to(0, 0); wanted++ :: else fi;
     post_to(1, t);
     wanted++;
#ifdef MUTANT_NOT_SUMMED
     if :: e > 1 -> wanted = (t == 0 -> 2 : 1) :: else fi;
#endif
#ifdef MUTANT_ONE_COMPLETION
     if :: t == 0 -> wanted = 2 * e - 1 :: else fi;
#endif
     do
     :: completed[t] >= wanted -> break
     :: else ->
        atomic { rung[t] = false; asleep[t] = true };
        if :: completed[t] >= wanted -> asleep[t] = false :: else -> (rung[t]) fi
     od;
     exposed[t] = false;
     assert(data[2 * t + 1] == e);
     if :: t == 0 -> assert(data[0] == e) :: else fi;
     e++
  od
}

inline await_post(o, t) {
  starts[t]++;
#ifdef MUTANT_ONE_POST_WORD
  (posted[2 * o] >= starts[0] + starts[1])
#else
#ifdef MUTANT_POST_IS_A_FLAG
  (posted[2 * o + t] >= 1)
#else
  (posted[2 * o + t] >= starts[t])
#endif
#endif
}
inline access(o, t) {
  assert(exposed[t]);
  data[2 * t + o]++
}
inline complete_at(t) {
  atomic { completed[t]++ };
#ifndef MUTANT_NO_WAKE
  atomic { if :: asleep[t] -> asleep[t] = false; rung[t] = true :: else fi }
#endif
}
inline epoch(o, t) {
  await_post(o, t);
#ifdef MUTANT_COMPLETE_EARLY
  complete_at(t);
  access(o, t)
#else
  access(o, t);
  complete_at(t)
#endif
}

proctype origin(byte o) {
  byte e = 1, starts[2];
  do
  :: e > EPOCHS -> break
  :: else ->
     if
     :: o == 0 -> epoch(0, 0)
     :: o == 1 -> epoch(1, 0); epoch(1, 1)
     :: o == 1 -> epoch(1, 1); epoch(1, 0)
     :: o == 1 ->
        await_post(1, 0); await_post(1, 1);
        access(1, 0); access(1, 1);
        complete_at(0); complete_at(1)
     fi;
     e++
  od
}

init { atomic { run target(0); run target(1); run origin(0); run origin(1) } }
