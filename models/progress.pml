/* The progress thread (src/deposit/progress.cpp): it sleeps on the process's bell while a thread of the program polls, and that one
 * sets the sleep bit on its behalf when it leaves. Messages come from outside at any time and ring if they find the bit. The
 * program makes three calls, each of which may wait (and so poll) or not; from the first on something outstanding wants progress.
 * Then it computes until every message has been handled.
 *
 * A message that nobody handles shows as an invalid end state.
 *
 * Mutants that must fail:
 *   NO_STAND_BY   who leaves does not set the bit
 *   ARM_BLIND     who leaves sets the bit, and does not look for what came before it
 *   VALUE_LATE    the bell's value is read behind the gate, just before the sleep
 *   ARM_PARKED    the bit is set for a thread that sleeps on its own bell, for nobody wanted it
 */
#define MESSAGES 2
#define CALLS 3

byte sent = 0, handled = 0;
bool sleep_bit = false;
byte bell = 0, own_bell = 0;
bool gate = false, drained = false, wanted = false;
bool awake = true, armed = false, parked = false;

#define LOCK   atomic { !gate -> gate = true }
#define UNLOCK gate = false

inline step_back() {
  if
  :: armed -> armed = false; sleep_bit = false
  :: else
  fi
}

/* By whoever opens the gate when nobody waits. */
inline stand_by() {
  if
  :: !wanted || awake -> skip
#ifndef MUTANT_ARM_PARKED
  :: wanted && !awake && parked -> awake = true; own_bell = own_bell + 1
  :: wanted && !awake && !parked && !armed ->
#else
  :: wanted && !awake && !armed ->
#endif
     sleep_bit = true;
     armed = true;
#ifndef MUTANT_ARM_BLIND
     if
     :: sent > handled -> awake = true; bell = bell + 1
     :: else
     fi
#endif
  :: wanted && !awake && armed -> skip
  fi
}

active proctype network() {
  do
  :: sent < MESSAGES ->
     sent = sent + 1;
     atomic {                          /* fetch_and: who takes the bit rings */
       if
       :: sleep_bit -> sleep_bit = false; bell = bell + 1
       :: else
       fi
     }
  :: else -> break
  od
}

active proctype program() {
  byte calls = 0;
  do
  :: calls < CALLS ->
     LOCK;
     wanted = true;
     if
     :: drained = true;
        step_back();
        do
        :: sent > handled -> handled = handled + 1
        :: UNLOCK; LOCK
        :: break
        od;
        drained = false
     :: skip
     fi;
#ifndef MUTANT_NO_STAND_BY
     stand_by();
#endif
     UNLOCK;
     calls = calls + 1
  :: else -> break
  od;
  handled == MESSAGES                  /* computes */
}

active proctype progress_thread() {
  byte value;
  bool ours;
  LOCK;
  do
  :: handled == MESSAGES -> break
  :: handled < MESSAGES && wanted && !drained && sent > handled -> handled = handled + 1
  :: handled < MESSAGES && !(wanted && !drained && sent > handled) ->
     ours = wanted && !drained;
     parked = !wanted;
     value = (parked -> own_bell : bell);
     if
     :: ours ->
        sleep_bit = true;
        if
        :: sent > handled -> goto again
        :: else -> armed = true
        fi
     :: else
     fi;
     awake = false;
     UNLOCK;
#ifdef MUTANT_VALUE_LATE
     value = (parked -> own_bell : bell);
#endif
     if                                /* the futex */
     :: parked -> own_bell != value || handled == MESSAGES
     :: else -> bell != value || handled == MESSAGES
     fi;
     LOCK;
     awake = true;
     parked = false;
     step_back();
again: skip
  od;
  UNLOCK
}
