/* Joint work of collectives (src/coll/joint.hpp): MEMBERS tell where their data is, in slots, and whoever finds all of
 * them there claims pieces of the work and does them, for all. With fewer cores than members nobody is woken when
 * another one comes; the last to do a piece wakes those that sleep. ROUNDS operations in a row, on one slot for each
 * member here: who sets it again first waits until all are past the operation before.
 *
 * Each piece is done once, with what all have put in for this operation; who leaves finds all pieces done, and nobody
 * reads or writes its data any more; and nobody sleeps for ever (an invalid end state).
 *
 * Mutants that must fail:
 *   LOOK_FIRST    who comes looks for the others before it says that it is there
 *   CLAIM_TWICE   a claim is a read and a write
 *   LEAVE_EARLY   who finds all pieces claimed leaves
 *   NOT_WOKEN     who does the last piece wakes nobody
 *   NOT_PAST      a slot is set again while others are in the operation before
 */
#define MEMBERS 3
#define PIECES 2
#define ROUNDS 2

byte published[MEMBERS], finished[MEMBERS], data[MEMBERS], left[MEMBERS];
byte claimed;              /* of the slot of member 0 */
byte done[PIECES];         /* the operation that it was last done for */
byte users[MEMBERS];       /* who touches the data of a member just now */
bool asleep[MEMBERS];

inline sees_all() {
  if
  :: published[0] == number && published[1] == number && published[2] == number -> all = true
  :: else -> all = false
  fi
}

inline do_pieces() {
  do
  :: true ->
#ifdef MUTANT_CLAIM_TWICE
     piece = claimed;
     if
     :: piece < PIECES -> claimed = piece + 1
     :: else -> break
     fi;
#else
     atomic {
       piece = claimed;
       if
       :: piece < PIECES -> claimed = piece + 1
       :: else -> break
       fi
     };
#endif
     atomic { users[0]++; users[1]++; users[2]++ };
     assert(data[0] == number && data[1] == number && data[2] == number);
     assert(done[piece] == number - 1);
     done[piece] = number;
     atomic { users[0]--; users[1]--; users[2]-- };
     m = 0;
     do
     :: m < MEMBERS ->
        atomic { left[m]--; last = (left[m] == 0) };
#ifndef MUTANT_NOT_WOKEN
        if
        :: last -> asleep[m] = false
        :: else
        fi;
#endif
        m++
     :: else -> break
     od
  od
}

/* A sleep that a bell ends; the bell's value was read before the last look, so a ring after that is not lost. */
inline look() {
  if
  :: left[p] == 0 -> break
  :: else
  fi;
#ifndef MUTANT_LOOK_FIRST
  sees_all();
#endif
  if
  :: all -> do_pieces()
  :: else
  fi;
#ifdef MUTANT_LEAVE_EARLY
  if
  :: all && claimed >= PIECES -> break
  :: else
  fi
#endif
}

proctype member(byte p) {
  byte number = 1, piece, m;
  bool all, last;
  do
  :: number > ROUNDS -> break
  :: else ->
#ifndef MUTANT_NOT_PAST
     (finished[0] >= number - 1 && finished[1] >= number - 1 && finished[2] >= number - 1);
#endif
     if
     :: p == 0 -> claimed = 0
     :: else
     fi;
     data[p] = number;
     left[p] = PIECES;
#ifdef MUTANT_LOOK_FIRST
     sees_all();
#endif
     published[p] = number;
     do
     :: true ->
        look();
        asleep[p] = true;
        look();
        !asleep[p]
     od;
     asleep[p] = false;
     assert(users[p] == 0);
     assert(done[0] == number && done[1] == number);
     finished[p] = number;
     number++
  od
}

init { atomic { run member(0); run member(1); run member(2) } }
