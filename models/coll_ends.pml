/* The pieces of a transfer as its two ends claim them (src/coll/joint.cpp): who takes from the front, who gives from the
 * back, by one word with two counts. A member that gives up closes the word, and waits for those pieces that are claimed.
 *
 * No piece is copied twice; all are copied unless it was closed; and no more than the closer has found claimed.
 *
 * Mutants that must fail:
 *   TWO_WORDS    a claim adds to its own count, and looks at the other one in a second step, having seen it before
 *   UNCHECKED    whoever has seen that something is left takes what its addition gives
 *   CLOSE_LATE   who closes reads the counts before, in a step of its own
 */
#define PIECES 3

byte front, back, copied[PIECES], all_copied, begun;
bool closed, left_open = true;
byte ended;

#define taken (front + back >= PIECES)

proctype end(bool at_front) {
  byte piece, other;
  bool none;
  do
  :: true ->
     if
     :: closed || taken -> break
     :: else
     fi;
#ifdef MUTANT_TWO_WORDS
     other = (at_front -> back : front);
     atomic {
       none = closed || ((at_front -> front : back) + other >= PIECES);
#else
     atomic {
       none = closed || taken;
#endif
#ifdef MUTANT_UNCHECKED
       none = false;
#endif
       if
       :: at_front -> piece = front; front++
       :: else -> piece = PIECES - 1 - back; back++
       fi
     };
     if
     :: none -> break
     :: else
     fi;
     assert(piece < PIECES && copied[piece] == 0);
     atomic { copied[piece]++; all_copied++ };
     assert(left_open || all_copied <= begun)
  od;
  ended++
}

proctype closer() {
  if
  :: true -> skip /* nobody gives up */
  :: true ->
#ifdef MUTANT_CLOSE_LATE
     begun = front + back;
     atomic { closed = true; left_open = false }
#else
     atomic { closed = true; left_open = false; begun = (taken -> PIECES : front + back) }
#endif
  fi;
  (ended == 2);
  assert(left_open == false || all_copied == PIECES)
}

init { atomic { run end(true); run end(false); run closer() } }
