/* Slots of areas (src/coll/areas.hpp): N = 2 members, OPERATIONS collectives in a row, no barrier between. In operation n
 * a root, member 0 at first and member 1 at last, writes its slot of parity n % 2, and publishes the number; the other one
 * reads it. Operation BOTH, between them, has no root: both publish, and both read. Who writes a slot first waits until the
 * other one is past the operation that the slot was last written for; it sleeps, having said that this is wanted.
 *
 * Each reader must find what was written for its operation; and nobody sleeps for ever (an invalid end state).
 *
 * Mutants that must fail:
 *   NOT_PAST     nobody waits before it writes
 *   ONE_SLOT     what is waited for is the operation before the last, with one slot for both parities
 *   WANTED_LATE  who waits looks once more before it says that it is wanted, and not after
 *   NOT_WOKEN    who finishes does not look whether that is wanted
 */
#define OPERATIONS 8
#define BOTH 5
#define writes(m, n) ((n) == BOTH || ((n) < BOTH && (m) == 0) || ((n) > BOTH && (m) == 1))

#define peer (1 - p)
#ifdef MUTANT_ONE_SLOT
#define SLOT(n) 0
#else
#define SLOT(n) ((n) % 2)
#endif

byte data[4], published[4]; /* [2 * member + slot] */
byte finished[2], wanted[2];
bool asleep[2];

inline finish(number) {
  finished[p] = number;
#ifndef MUTANT_NOT_WOKEN
  if
  :: wanted[p] -> wanted[p] = 0; asleep[peer] = false
  :: else
  fi
#endif
}

/* A sleep that a bell ends; the bell's value was read before the last look, so a ring after that is not lost. */
inline wait_past(number) {
  do
  :: finished[peer] >= number -> break
  :: else ->
     asleep[p] = true;
#ifdef MUTANT_WANTED_LATE
     if
     :: finished[peer] >= number -> asleep[p] = false; break
     :: else -> wanted[peer] = 1
     fi;
#else
     wanted[peer] = 1;
     if
     :: finished[peer] >= number -> asleep[p] = false; break
     :: else
     fi;
#endif
     !asleep[p]
  od
}

inline write(number) {
#ifndef MUTANT_NOT_PAST
#ifdef MUTANT_ONE_SLOT
  if :: used > 1 -> wait_past(used - 1) :: else fi;
#else
  if :: number % 2 == 0 && used_even > 0 -> wait_past(used_even)
     :: number % 2 == 1 && used_odd > 0 -> wait_past(used_odd)
     :: else
  fi;
#endif
#endif
  data[2 * p + SLOT(number)] = number;
  published[2 * p + SLOT(number)] = number;
  used = number;
  if :: number % 2 == 0 -> used_even = number :: else -> used_odd = number fi
}

/* Publishing wakes; it is seen at once here, as waiting for it is not what this model is about. */
inline read(number) {
  (published[2 * peer + SLOT(number)] >= number);
  assert(published[2 * peer + SLOT(number)] == number);
  assert(data[2 * peer + SLOT(number)] == number)
}

proctype member(byte p) {
  byte number = 1, used = 0, used_even = 0, used_odd = 0;
  do
  :: number > OPERATIONS -> break
  :: else ->
     if
     :: writes(p, number) -> write(number)
     :: else
     fi;
     if
     :: writes(peer, number) -> read(number)
     :: else
     fi;
     finish(number);
     number++
  od
}

init { atomic { run member(0); run member(1) } }
