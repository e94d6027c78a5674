/* Joint work of collectives (src/coll/joint.hpp): MEMBERS tell where their data is, in slots, and whoever finds all of
 * them there claims pieces of the work and does them, for all. What is left is counted in the slot of member 0. With fewer cores than members nobody is woken when
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
 *   COUNT_EARLY   who comes looks at what is left before it has seen that all are there
 *   NOT_PAST      a slot is set again while others are in the operation before
 */
#define MEMBERS 3
#define PIECES 2
#define ROUNDS 2

byte published[MEMBERS], finished[MEMBERS], data[MEMBERS], left;
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
     atomic { left--; last = (left == 0) };
#ifndef MUTANT_NOT_WOKEN
     if
     :: last -> asleep[0] = false; asleep[1] = false; asleep[2] = false
     :: else
     fi
#endif
  od
}

/* A sleep that a bell ends; the bell's value was read before the last look, so a ring after that is not lost. */
inline look() {
#ifdef MUTANT_COUNT_EARLY
  if
  :: left == 0 -> break
  :: else
  fi;
#endif
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
  fi;
#endif
  if
  :: all && left == 0 -> break
  :: !all || left != 0
  fi
}

proctype member(byte p) {
  byte number = 1, piece;
  bool all, last;
  do
  :: number > ROUNDS -> break
  :: else ->
#ifndef MUTANT_NOT_PAST
     (finished[0] >= number - 1 && finished[1] >= number - 1 && finished[2] >= number - 1);
#endif
     if
     :: p == 0 -> claimed = 0; left = PIECES
     :: else
     fi;
     data[p] = number;
     all = false;
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
