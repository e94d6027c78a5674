/* Threads of one rank (src/wait/gate): one drains, the others sleep on their own; the drainer wakes those it completes and hands
 * over when it leaves. Each of THREADS threads waits for one message; messages arrive in any order from outside and ring the
 * rank's bell, on which only the drainer may sleep. The gate (a mutex) is held in every step but the sleeps.
 *
 * A thread that would wait for ever shows as an invalid end state.
 *
 * Mutants that must fail:
 *   NO_HANDOVER   the drainer leaves without waking a successor
 *   NO_WAKE       the drainer does not wake the thread whose message it handled
 *   LATE_ROLE     the leaving drainer wakes a successor before it gives the role up, outside the gate
 */
#define THREADS 3

bool arrived[THREADS];             /* in the inbox */
bool done[THREADS];
bool drainer = false;              /* somebody has the role */
bool waits[THREADS];               /* asleep on its own condition */
byte bell = 0;
bool in_futex = false;
bool gate = false;

#define LOCK   atomic { !gate -> gate = true }
#define UNLOCK gate = false

inline wake_one() {
  if
  :: waits[0] -> waits[0] = false
  :: waits[1] -> waits[1] = false
  :: waits[2] -> waits[2] = false
  :: else
  fi
}

active proctype network() {
  byte sent = 0;
  do
  :: sent < THREADS ->
     atomic {
       if
       :: !arrived[0] -> arrived[0] = true
       :: !arrived[1] -> arrived[1] = true
       :: !arrived[2] -> arrived[2] = true
       fi;
       sent = sent + 1
     };
     atomic { bell = bell + 1; in_futex = false }
  :: else -> break
  od
}

active [THREADS] proctype waiter() {
  byte me = _pid - 1, k, value;
  LOCK;
  do
  :: done[me] -> break
  :: else ->
     if
     :: !drainer ->
        drainer = true;
        do
        :: done[me] -> break
        :: else ->
           value = bell;
           k = 0;
           do
           :: k < THREADS ->
              if
              :: arrived[k] && !done[k] ->
                 done[k] = true;
#ifndef MUTANT_NO_WAKE
                 waits[k] = false
#endif
              :: else
              fi;
              k = k + 1
           :: else -> break
           od;
           if
           :: !done[me] ->
              UNLOCK;
              atomic { if :: bell == value -> in_futex = true :: else fi };
              !in_futex;
              LOCK
           :: else
           fi
        od;
#ifdef MUTANT_LATE_ROLE
        wake_one();
        UNLOCK;
        skip;
        LOCK;
        drainer = false
#else
        drainer = false;
#ifndef MUTANT_NO_HANDOVER
        wake_one()
#endif
#endif
     :: else ->
        waits[me] = true;
        UNLOCK;
        !waits[me];
        LOCK
     fi
  od;
  UNLOCK
}
