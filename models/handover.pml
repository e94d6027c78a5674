/* Threads of one rank (src/wait/gate): one drains, the others sleep on their own; the drainer wakes those it completes and hands
 * over when it leaves. Each of THREADS threads waits for one message; messages arrive in any order from outside and ring the
 * rank's bell, on which only the drainer may sleep. The gate (a mutex) is held in every step but the sleeps.
 *
 * The last message is an answer: it comes when the other threads have gone on.
 *
 * A thread that would wait for ever shows as an invalid end state.
 *
 * Mutants that must fail:
 *   NO_HANDOVER   the drainer leaves without waking a successor
 *   NO_WAKE       the drainer does not wake the thread whose message it handled
 *   KEPT_FREE     who is woken for a free role, and finds its own message there, leaves without waking another
 *   LATE_ROLE     the leaving drainer wakes a successor before it gives the role up, outside the gate
 */
#define THREADS 3

bool arrived[THREADS];             /* in the inbox */
bool done[THREADS];
bool drainer = false;              /* somebody has the role */
bool waits[THREADS];               /* asleep on its own condition */
bool listed[THREADS];
byte gone = 0;                     /* threads that have gone on */
byte bell = 0;
bool in_futex = false;
bool gate = false;

#define LOCK   atomic { !gate -> gate = true }
#define UNLOCK gate = false

/* Any other that is listed, asleep or not: it may be on its way out, with its message. */
inline wake_one() {
  if
  :: listed[0] -> waits[0] = false
  :: listed[1] -> waits[1] = false
  :: listed[2] -> waits[2] = false
  :: else
  fi
}

active proctype network() {
  byte sent = 0;
  do
  :: sent < THREADS && (sent < THREADS - 1 || gone == THREADS - 1) ->
     atomic {
       if
       :: !arrived[0] -> arrived[0] = true
       :: !arrived[1] -> arrived[1] = true
       :: !arrived[2] -> arrived[2] = true
       fi;
       sent = sent + 1
     };
     atomic { bell = bell + 1; in_futex = false }
  :: sent == THREADS -> break
  od
}

active [THREADS] proctype waiter() {
  byte me = _pid - 1, k, value;
  LOCK;
  listed[me] = true;
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
        listed[me] = false;
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
#ifndef MUTANT_KEPT_FREE
  if
  :: listed[me] && !drainer -> listed[me] = false; wake_one()
  :: else
  fi;
#endif
  listed[me] = false;
  gone = gone + 1;
  UNLOCK
}
