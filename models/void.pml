/* A slot whose claimer is dead (src/transport/inbox.hpp, inbox_lane.cpp): the receiver voids it, so that what comes behind goes on,
 * and never one whose claimer lives, however late it publishes.
 *
 * CLAIMERS processes: `intend` (which slot they are about to claim, in a line of their own), claim by compare-and-swap, publish; MESSAGES each;
 * each may die between any two steps, and is then seen dead. The receiver takes what is published, past gaps;
 * now and then it goes through all intents (check_first_holder()): nobody who lives names the first slot, and a last look at the slot itself finds it
 * unpublished: it is voided.
 *
 * Asserted: what a living process has published is taken, once; only slots of the dead are voided. An invalid end state: the
 * receiver waits for ever behind a dead one's slot.
 *
 * Mutants that must fail:
 *   INTENT_LATE     the intent is stored after the claim                                  (sync: inbox-intent)
 *   INTENT_EARLY    the next intent is stored before this slot is published
 *   BLIND_CLAIM     the claim is not compared with the position that the intent names
 *   NO_SECOND_LOOK  the receiver voids without a look at the slot behind the intents
 *   FIRST_INTENT    it is content with the first process that names the slot, though that one may have lost the claim and died
 *   NO_DEATH_CHECK  it voids what nobody has published for a while
 *   NO_VOID         it voids nothing
 */
#define CLAIMERS 2
#define MESSAGES 3
#define ALL 6                      /* claims at most */
#define NONE 255

byte intent[CLAIMERS] = NONE;
bool dead[CLAIMERS];
byte tail = 0;
byte holder[ALL] = NONE;           /* of the claim: for the assertions */
bool published[ALL];
byte over = 0;                     /* claimers that have ended, dead or alive */

#define or_die :: goto death

proctype claimer(byte me) {
  byte m = 0, position = NONE;
  do
  :: m < MESSAGES ->
     do
     :: true ->
        position = tail;
#ifndef MUTANT_INTENT_LATE
        if :: intent[me] = position or_die fi;
#endif
        if
        :: atomic {
#ifdef MUTANT_BLIND_CLAIM
             position = tail;
#endif
             if
             :: tail == position -> holder[position] = me; tail++
             :: else -> position = NONE
             fi
           }
        or_die
        fi;
        if :: position != NONE -> break :: else fi
     od;
#ifdef MUTANT_INTENT_LATE
     if :: intent[me] = position or_die fi;
#endif
#ifdef MUTANT_INTENT_EARLY
     if :: intent[me] = tail or_die fi;
#endif
     if :: published[position] = true or_die fi;
     m++
  :: else -> break
  od;
  atomic { over++; goto done };
death:
  atomic { dead[me] = true; over++ };
done:
  skip
}

proctype receiver() {
  byte head = 0, i, p; bool taken[ALL], holds;
  do
  :: over == CLAIMERS && head == tail -> break
  :: head < tail && taken[head] -> head++
  :: head < tail && !taken[head] && published[head] -> head++
  /* find(): past a gap, and another look at the gap */
  :: head + 1 < tail && !published[head] && published[head + 1] && !taken[head + 1] ->
     if :: !published[head] -> taken[head + 1] = true :: else fi
#ifndef MUTANT_NO_VOID
  :: head < tail && !taken[head] && !published[head] ->      /* check_first_holder() */
     holds = false;
     p = 0;
     do
     :: p < CLAIMERS ->
#ifndef MUTANT_NO_DEATH_CHECK
        if
        :: intent[p] == head ->
           if
           :: !dead[p] -> holds = true; break
           :: else
           fi
#ifdef MUTANT_FIRST_INTENT
           ;
           break
#endif
        :: else
        fi;
#endif
        p++
     :: else -> break
     od;
     if
     :: holds
     :: else ->
#ifdef MUTANT_NO_SECOND_LOOK
        if
        :: true ->
#else
        if
        :: published[head]
        :: else ->
#endif
           assert(dead[holder[head]] && !published[head]);
           head++
        fi
     fi
#endif
  od
}

init { atomic { run claimer(0); run claimer(1); run receiver() } }
