/* Slots of areas (src/coll/areas.hpp): N = 2 members, OPERATIONS collectives in a row, no barrier between. In operation n
 * a root, member 0 at first and member 1 at last, writes its slot n % SLOTS, and publishes the number; the other one reads
 * it. The data of some operations is long, and lies in the half n % 2. Operation BOTH, between them, has no root: both
 * publish in slot n % 2, and both read. Who writes a slot, or a half, first waits until the other one is past the operation that it was
 * last written for; it sleeps, having said that this is wanted.
 *
 * Who finishes stores that without a fence: it sits in the store buffer until that is emptied, at any time, while the word is
 * read that says whether it is wanted. So who wants it sleeps for a moment at a time until one has passed since it said so: a
 * moment is longer than any store takes. (What is stored in the areas else, and attention: ring.pml.)
 *
 * Each reader must find what was written for its operation; and nobody sleeps for ever (an invalid end state).
 *
 * Mutants that must fail:
 *   NOT_PAST     nobody waits before it writes
 *   ONE_SLOT     what is waited for is the operation before that which the slot was last written for
 *   NO_HALF      nobody waits for what a half was last written for
 *   NOT_WOKEN    who finishes does not look whether that is wanted
 *   NO_SETTLE    who wants it sleeps without an end at once
 *   SETTLE_LATE  the same where it has said so at its last look
 *   PLAIN_CLEAR  who is told that it is wanted takes that back by a plain store, too
 */
#define OPERATIONS 8
#define BOTH 5
#define LONG(n) ((n) == 2 || (n) == 4 || (n) == 7)
#define SLOTS 3
#define SLOT(n) (((n) == BOTH -> (n) % 2 : (n) % SLOTS))
#define writes(m, n) ((n) == BOTH || ((n) < BOTH && (m) == 0) || ((n) > BOTH && (m) == 1))

#define peer (1 - p)

byte data[6], published[6]; /* [SLOTS * member + slot] */
byte half[4];               /* [2 * member + half] */
byte finished[2], buffered[2]; /* as memory has it; in the store buffer, 0: empty */
bool wanted[2], cleared[2];    /* the same: a store of false is in the buffer, behind that */
bool asleep[2], settle[2];     /* no moment has passed since it said that it wants something */

inline drain(m) {
  if :: buffered[m] != 0 -> finished[m] = buffered[m]; buffered[m] = 0 :: else fi;
  if :: cleared[m] -> wanted[m] = false; cleared[m] = false :: else fi
}

active [2] proctype store_buffer() {
  byte p = _pid;
end:
  do
  :: atomic { (buffered[p] != 0 || cleared[p]) -> drain(p) }
  od
}

/* Time. */
active [2] proctype moment() {
  byte p = _pid - 2;
end:
  do
  :: atomic { settle[p] && buffered[peer] == 0 && !cleared[peer] -> settle[p] = false }
  od
}

inline finish(number) {
  atomic {
    if :: true -> drain(p) :: !cleared[p] -> skip fi; /* older stores leave first, at once or later */
    buffered[p] = number
  };
#ifndef MUTANT_NOT_WOKEN
  if
  :: wanted[p] && !cleared[p] ->
#ifdef MUTANT_PLAIN_CLEAR
     cleared[p] = true;
     if :: asleep[peer] -> atomic { drain(p); asleep[peer] = false } :: else fi
#else
     atomic { drain(p); wanted[p] = false };
     asleep[peer] = false
#endif
  :: else
  fi
#endif
}

/* A sleep that a bell ends; the bell's value was read before the last look, so a ring after that is not lost. */
inline wait_past(number) {
  first = true;
  do
  :: finished[peer] >= number -> break
  :: else ->
     asleep[p] = true;
     limited = settle[p];
     if
     :: first || !wanted[peer] ->
        atomic {
          wanted[peer] = true;
          settle[p] = true;
#ifndef MUTANT_SETTLE_LATE
          limited = true
#endif
        }
     :: else
     fi;
     first = false;
     if
     :: finished[peer] >= number -> asleep[p] = false; break
     :: else
     fi;
#ifdef MUTANT_NO_SETTLE
     limited = false;
#endif
     if
     :: limited -> asleep[p] = false
     :: !limited -> !asleep[p]
     fi
  od
}

inline write(number) {
  last = used[SLOT(number)];
#ifdef MUTANT_ONE_SLOT
  last = (last > 0 -> last - 1 : 0);
#endif
#ifndef MUTANT_NO_HALF
  if :: LONG(number) && used_half[number % 2] > last -> last = used_half[number % 2] :: else fi;
#endif
#ifndef MUTANT_NOT_PAST
  if :: last > 0 -> wait_past(last) :: else fi;
#endif
  if
  :: LONG(number) -> half[2 * p + number % 2] = number; used_half[number % 2] = number
  :: else -> data[SLOTS * p + SLOT(number)] = number
  fi;
  published[SLOTS * p + SLOT(number)] = number;
  used[SLOT(number)] = number;
  last = 0
}

/* Publishing wakes; it is seen at once here, as waiting for it is not what this model is about. */
inline read(number) {
  (published[SLOTS * peer + SLOT(number)] >= number);
  assert(published[SLOTS * peer + SLOT(number)] == number);
  if
  :: LONG(number) -> assert(half[2 * peer + number % 2] == number)
  :: else -> assert(data[SLOTS * peer + SLOT(number)] == number)
  fi
}

proctype member(byte p) {
  byte number = 1, last = 0, used[SLOTS] = 0, used_half[2] = 0;
  bool first, limited;
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
