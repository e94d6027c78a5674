/* A transfer that both ends copy (src/p2p/both_sides.cpp, block_claims.hpp): blocks are claimed one by one from a counter, and
 * counted when they are in place; whoever counts the last one ends the transfer. The system may refuse either end at any block, once and
 * for all: the sender gives its block back (on_given_back()) and helps no more; the receiver has its block sent through the
 * pipeline (ask_pipeline(), block_arrived()) and goes on. A record that serves another message is claimed in vain.
 *
 * Asserted: each block is copied once, the transfer ends once, when all are. An invalid end state: a block that nobody copies.
 *
 * Mutants that must fail:
 *   COUNT_GIVEN_BACK   the sender counts the block that it gives back
 *   COUNT_REFUSED      the receiver counts the block that it asks the pipeline for, and again when it has come
 *   CLAIM_AGAIN        a block that was given back is claimed from the counter, which does not know it
 *   NO_SCHEDULE        a block that comes back when the receiver has nothing left to claim wakes nobody up
 *   GO_ON              the receiver goes on while a block of its own is in the pipeline: there is one place to remember it
 *   COUNT_APART        `copied` is read and stored, not counted up at once                (sync: blocks-copied)
 *   NO_GENERATION      a sender that comes late claims blocks of the message the record serves next
 */
#define BLOCKS 3
#define NONE 255

byte generation = 1, claimed = 0;  /* one word */
byte copied = 0;
byte times[BLOCKS];                /* each block was copied */
byte ends = 0;
bool pushed = false;               /* the sender has counted the last one, and says so */
byte given_back = NONE;            /* on its way to the receiver */
byte asked = NONE;                 /* of the sender, through the pipeline */
bool arrived = false;              /* through the pipeline */

inline next(mine, block) {
  block = NONE;
#ifdef MUTANT_NO_GENERATION
  atomic { if :: claimed < BLOCKS -> block = claimed; claimed++ :: else fi };
#else
  atomic { if :: generation == mine && claimed < BLOCKS -> block = claimed; claimed++ :: else fi };
#endif
}
inline count(last) {
#ifdef MUTANT_COUNT_APART
  n = copied;
  copied = n + 1;
#else
  atomic { n = copied; copied++ };
#endif
  last = (n + 1 == BLOCKS);
  n = 0
}
inline ended() {
  atomic {
    assert(ends == 0 && times[0] == 1 && times[1] == 1 && times[2] == 1);
    ends++
  }
}

active proctype sender() {
  byte block, n; bool last, helps = true;
  do
  :: helps ->                      /* help(): asked at once, or late, or never */
     next(1, block);
     if
     :: block == NONE -> helps = false
     :: else ->
        if
        :: true ->
           assert(generation == 1);
           times[block]++;
           count(last);
           if :: last -> ended(); pushed = true :: else fi
        :: true ->                 /* refused */
           helps = false;
#ifdef MUTANT_COUNT_GIVEN_BACK
           count(last);
#endif
           given_back = block
        fi
     fi
  :: asked != NONE -> times[asked]++; asked = NONE; arrived = true    /* pump() */
  :: pushed || generation == 2 -> break
  od;
  if :: helps && generation == 2 -> next(1, block); assert(block == NONE) :: else fi
}

active proctype receiver() {
  byte block, n, back = NONE, waiting = NONE; bool last = false, refused = false, scheduled = true;
  do
  :: last || pushed -> break
  :: !last && given_back != NONE -> /* on_given_back() */
     atomic { back = given_back; given_back = NONE };
#ifndef MUTANT_NO_SCHEDULE
     scheduled = true
#endif
  :: !last && arrived ->           /* block_arrived() */
     atomic { arrived = false; waiting = NONE };
     count(last);
     if :: last -> ended() :: else -> scheduled = true fi
#ifdef MUTANT_GO_ON
  :: !last && scheduled ->
#else
  :: !last && scheduled && waiting == NONE ->   /* copy_shared() */
#endif
#ifndef MUTANT_CLAIM_AGAIN
     if
     :: back != NONE -> atomic { block = back; back = NONE }
     :: else -> next(1, block)
     fi;
#else
     next(1, block);
#endif
     if
     :: block == NONE -> scheduled = false
     :: else ->
        if
        :: !refused -> 
           times[block]++;
           count(last);
           if :: last -> ended() :: else fi
        :: true ->
           refused = true;
#ifdef MUTANT_COUNT_REFUSED
           count(last);
#endif
           waiting = block;
           asked = block
        fi
     fi
  od;
  /* The record serves another message. */
  atomic { generation = 2; claimed = 0 }
}
