/* The locks of accumulates (src/rma/ranges.cpp): one word with its holder's name and a mark beside it, and a counter in the line of each
 * process that says how many of its threads wait. Who gives the lock back and finds the mark wakes all whose counters are not 0.
 *
 * Three processes, TURNS turns each. Stores are visible in order, and all that is done to these words is sequentially consistent;
 * sleeping is that of models/sleep.pml: a process that is woken looks again.
 *
 * Mutants that must fail:
 *   COUNT_LATE          a waiter is counted when it has marked the lock and falls asleep
 *   MARK_UNSEEN         it marks whatever it finds, though the lock may have been given back meanwhile
 *   MARK_ONCE           it marks once, and not again when the lock has changed hands
 *   NO_LOOK             it sleeps as soon as it has marked the lock, without another look from the sleep bit on
 *   WAKE_FIRST          who gives it back looks for waiters, and gives it back then
 *   WAKE_ONE            it wakes one waiter, and the next one by nothing
 *   GIVEN_BACK_BLIND    it stores 0 without reading the mark that it takes away
 */
#define N 3
#define TURNS 2
#define mark 8

byte word;                         /* 1 + holder, and the mark */
byte waiting[N];
bool asleep[N], rung[N];
byte inside;

inline wake_all() {
  i = 0;
  do
  :: i < N ->
     if
     :: waiting[i] != 0 ->
        atomic { if :: asleep[i] -> asleep[i] = false; rung[i] = true :: else -> rung[i] = true fi }
#ifdef MUTANT_WAKE_ONE
        i = N
#else
        i++
#endif
     :: else -> i++
     fi
  :: else -> break
  od;
  i = 0
}

/* One look: taken, or the lock is marked, or it has the mark already. */
inline look() {
  do
  :: taken -> break
  :: else ->
     atomic { if :: word == 0 -> word = me + 1; taken = true :: else fi };
     if
     :: taken -> break
     :: else ->
        seen = word;
        if
        :: seen == 0 -> skip
        :: seen >= mark -> break
#ifdef MUTANT_MARK_ONCE
        :: seen != 0 && seen < mark && marked -> break
#endif
#ifdef MUTANT_MARK_UNSEEN
        :: seen != 0 && seen < mark -> word = seen + mark; break
#else
        :: seen != 0 && seen < mark && !marked ->
           atomic { if :: word == seen -> word = seen + mark; found = true :: else -> found = false fi };
           if
           :: found ->
#ifdef MUTANT_MARK_ONCE
              marked = true;
#endif
              break
           :: else -> skip
           fi
#endif
        fi
     fi
  od;
  seen = 0; found = false
}

proctype process(byte me) {
  byte turn = 0, seen = 0, i = 0, was = 0;
  bool taken = false, found = false, marked = false;
  do
  :: turn == TURNS -> break
  :: else ->
     atomic { if :: word == 0 -> word = me + 1; taken = true :: else fi };
     if
     :: taken -> skip
     :: else ->
#ifndef MUTANT_COUNT_LATE
        waiting[me]++;
#endif
        do
        :: look();
           if
           :: taken -> break
           :: else ->
#ifdef MUTANT_NO_LOOK
              atomic { rung[me] = false; asleep[me] = true };
              (rung[me])
#else
              atomic { rung[me] = false; asleep[me] = true };
              look();
#ifdef MUTANT_COUNT_LATE
              if :: taken -> asleep[me] = false; break :: else -> waiting[me]++; (rung[me]); waiting[me]-- fi
#else
              if :: taken -> asleep[me] = false; break :: else -> (rung[me]) fi
#endif
#endif
           fi
        od;
#ifndef MUTANT_COUNT_LATE
        waiting[me]--
#else
        skip
#endif
     fi;
     inside++;
     assert(inside == 1);
     inside--;
     taken = false; marked = false;
#ifdef MUTANT_WAKE_FIRST
     if :: word >= mark -> wake_all() :: else fi;
     word = 0;
#else
#ifdef MUTANT_GIVEN_BACK_BLIND
     was = word;
     word = 0;
#else
     atomic { was = word; word = 0 };
#endif
     if :: was >= mark -> wake_all() :: else fi;
#endif
     was = 0;
     turn++
  od
}

init { atomic { run process(0); run process(1); run process(2) } }
