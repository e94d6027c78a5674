/* Copies that a process's thread makes for others (src/rma/copy_thread.hpp), by way of one desk.
 *
 * Two origins put, one ROUNDS times, one once. An origin takes the desk when it is free, or when the one that has it has died and the thread is not
 * at it; it waits for it otherwise. It fills it, posts, rings, and sleeps until it is answered. It may lose patience at any time: then it
 * takes back what nobody has begun, and stores by itself. When its put is over, the value is there, and nothing of it comes later, for
 * others may store there now. Origin 2 may die between any two steps; what it had posted happens, or does not.
 *
 * `patient`: origins have no other way than the thread, but where somebody has died. So whoever is forgotten asleep is found.
 *
 * Mutants that must fail:
 *   BLIND_BACK    what was posted is taken back by a plain store
 *   BLIND_BEGIN   the thread begins by a plain store
 *   STEAL_WORK    the desk is taken from a dead origin while the thread is at it
 *   DONE_EARLY    the thread is done before it has copied
 *   BELL_LATE     the thread reads the bell behind the state
 *   NO_RING       who gives the desk back rings for nobody
 *   UNCOUNTED     who waits for the desk does not say so
 *   NO_SECOND_LOOK  who waits for it does not look again when it has said so
 */
#define ROUNDS 2
#define FREE 0
#define FILLING 1
#define POSTED 2
#define WORKING 3
#define DONE 4

byte state = FREE, holder = 0, number = 0; /* one word */
byte bell = 0, answered = 0, waiting = 0;
byte data = 0;                             /* on the desk: the name of a put */
byte posted = 0;                           /* what the holder has written there */
bool over[8], there[8], dead = false, patient = false, all_done = false;
byte finished = 0;

inline store(p) { atomic { assert(!over[p]); there[p] = true } }
inline look() { atomic { s = state; h = holder; n = number } }
inline may_die() { if :: me == 2 -> atomic { dead = true; goto ended } :: true fi }

proctype origin(byte me) {
  byte round = 0, put, s, h, n, seen;
  bool counted = false;
  do
  :: (round == ROUNDS || (me == 2 && round == 1)) -> break
  :: else ->
    put = (me - 1) * ROUNDS + round + 1;
    round++;
    counted = false;
again:
    seen = answered;
    look();
    if
#ifdef MUTANT_STEAL_WORK
    :: (s == FREE || (h == 2 && dead)) ->
#else
    :: (s == FREE || (s != WORKING && h == 2 && dead)) ->
#endif
       if
       :: atomic { (state == s && holder == h && number == n) -> state = FILLING; holder = me; number = n + 1 }
       :: !(state == s && holder == h && number == n) -> goto again
       fi
    :: else ->
       if
#ifndef MUTANT_UNCOUNTED
       :: !counted -> waiting++; counted = true;
#ifndef MUTANT_NO_SECOND_LOOK
          goto again
#endif
       :: counted -> skip
#else
       :: skip
#endif
       fi;
       if
       :: answered != seen -> goto again
       :: (!patient || dead) -> goto alone
       fi
    fi;
    if :: counted -> waiting--; counted = false :: else fi;
    may_die();
    data = put;
    posted = put;
    may_die();
    n++;
    state = POSTED;
    may_die();
    bell++;
    may_die();
    do
    :: seen = answered;
       if
       :: state == DONE -> break
       :: (state == POSTED && !patient) ->
#ifdef MUTANT_BLIND_BACK
          state = FILLING; store(put); goto back
#else
          if
          :: atomic { state == POSTED -> state = FILLING }; store(put); goto back
          :: state != POSTED -> skip
          fi
#endif
       :: answered != seen -> skip
       fi
    od;
back:
    may_die();
    state = FREE;
#ifndef MUTANT_NO_RING
    if :: waiting != 0 -> answered++ :: else fi;
#endif
    goto checked;
alone:
    if :: counted -> waiting--; counted = false :: else fi;
    store(put);
checked:
    atomic { assert(there[put]); over[put] = true }
  od;
ended:
  finished++
}

proctype thread() {
  byte s, h, n, seen, copied;
end:
  do
  :: finished == 2 -> break
  :: else ->
#ifdef MUTANT_BELL_LATE
    look();
    seen = bell;
#else
    seen = bell;
    look();
#endif
    if
    :: s == POSTED ->
#ifdef MUTANT_BLIND_BEGIN
       state = WORKING;
#else
       if
       :: atomic { (state == s && holder == h && number == n) -> state = WORKING }
       :: !(state == s && holder == h && number == n) -> goto asleep
       fi;
#endif
       copied = data;
       assert(copied == posted);
#ifdef MUTANT_DONE_EARLY
       state = DONE;
       answered++;
       store(copied)
#else
       assert(holder == h);
       if :: copied > ROUNDS && dead -> skip :: else -> store(copied) fi;
       assert(data == copied && state == WORKING);
       state = DONE;
       answered++
#endif
    :: else ->
asleep:
       if :: bell != seen -> skip :: finished == 2 -> skip fi
    fi
  od
}

init {
  if :: patient = true :: true fi;
  atomic { run origin(1); run origin(2); run thread() }
}
