/* The request channel (src/memory/requests): processes claim a slot of a pool, ask, sleep until the answer is there, and free the slot;
 * the launcher sleeps until somebody calls, may answer at once or later, and gives back what a dead process held. One slot for two
 * processes of two requests each, so that they stand in each other's way. One process may die between any two of its steps; the launcher
 * learns of it at some later time. A futex is a look at a word and a sleep in one step, as the kernel does it. Every hand-over is an
 * atomic exchange or a release that a later acquire reads, and every ring an exchange: there is no store buffer to look past.
 *
 * A request without answer, or a slot that nobody can have again, shows as an invalid end state; an answer to another question as an
 * assertion.
 *
 * Mutants that must fail:
 *   OWNER_LATE           the claim does not name its owner, who writes it behind it
 *   RING_BEFORE_PUBLISH  the launcher is called before the request is there
 *   CALLED_LATE          the launcher reads the word that it sleeps on behind its look at the slots
 *   BELL_LATE            a process reads the word that it sleeps on behind its look for the answer
 *   RING_BEFORE_ANSWER   a process is rung before the answer is there
 *   FREE_EARLY           a process frees its slot before it has read the answer
 *   NO_FORGET            the slots of the dead stay theirs
 *   ANSWER_BLIND         a late answer is given without a look at whose slot it is now
 *   NO_FREED             nobody is rung when a slot becomes free
 */
#define FREE 0
#define CLAIMED 1
#define PUBLISHED 2
#define SERVING 3
#define ANSWERED 4
#define NOBODY 2

/* The word of the slot: state, owner, number; changed in one step. */
byte state = FREE, owner = NOBODY, number = 0;
byte body = 0;
byte called = 0, freed = 0, bell = 0;
bool dead[2] = false, forgotten[2] = false, over[2] = false;

#define GONE(i) (dead[i] && !forgotten[i])

proctype process(byte i) {
  byte seen, mine, asked, n;
  for (n : 1 .. 2) {
    /* claim */
    do
    :: true ->
       seen = freed;
       if
       :: atomic { state == FREE -> state = CLAIMED; number++; mine = number;
#ifndef MUTANT_OWNER_LATE
          owner = i
#endif
          } break
       :: state != FREE -> freed != seen
       fi
    od;
#ifdef MUTANT_OWNER_LATE
    if
    :: i == 0 && n == 2 -> dead[i] = true; goto end
    :: true -> owner = i
    fi;
#endif
    asked = 10 * (i + 1) + n;
    if
    :: i == 0 -> dead[i] = true; goto end
    :: true
    fi;
    body = asked;
#ifdef MUTANT_RING_BEFORE_PUBLISH
    called++;
    state = PUBLISHED;
#else
    state = PUBLISHED;
    if
    :: i == 0 -> dead[i] = true; goto end
    :: true
    fi;
    called++;
#endif
    if
    :: i == 0 -> dead[i] = true; goto end
    :: true
    fi;
    do
    :: true ->
#ifndef MUTANT_BELL_LATE
       seen = bell;
       if
       :: state == ANSWERED && number == mine -> break
       :: else
       fi;
#else
       if
       :: state == ANSWERED && number == mine -> break
       :: else
       fi;
       seen = bell;
#endif
       bell != seen
    od;
#ifdef MUTANT_FREE_EARLY
    atomic { state = FREE; owner = NOBODY };
    freed++;
    assert(body == 100 + asked);
#else
    assert(body == 100 + asked);
    if
    :: i == 0 -> dead[i] = true; goto end
    :: true
    fi;
    atomic { state = FREE; owner = NOBODY };
#ifndef MUTANT_NO_FREED
    freed++;
#endif
#endif
  }
end:
  over[i] = true
}

proctype launcher() {
  byte seen, taken = 0, question = 0, i;
  bool has_ticket = false;
  do
  :: true ->
#ifndef MUTANT_CALLED_LATE
     seen = called;
#endif
     /* A process that has died is seen, with or without a request in hand. */
     for (i : 0 .. 1) {
       if
       :: GONE(i) ->
#ifndef MUTANT_NO_FORGET
          atomic {
            if
            :: state != FREE && owner == i -> state = FREE; owner = NOBODY; freed++
            :: else
            fi
          };
#endif
          forgotten[i] = true
       :: else
       fi
     }
     if
     :: has_ticket ->
        has_ticket = false;
        if
#ifdef MUTANT_ANSWER_BLIND
        :: true ->
#else
        :: state == SERVING && number == taken ->
#endif
           body = 100 + question;
#ifdef MUTANT_RING_BEFORE_ANSWER
           bell++;
           state = ANSWERED
#else
           state = ANSWERED;
           bell++
#endif
        :: else
        fi
     :: else
     fi;
     if
     :: state == PUBLISHED && !has_ticket ->
        taken = number;
        question = body;
        state = SERVING;
        has_ticket = true
     :: else
     fi;
#ifdef MUTANT_CALLED_LATE
     seen = called;
#endif
     if
     :: has_ticket
     :: !has_ticket ->
        if
        :: called != seen
        :: GONE(0) || GONE(1)
        :: over[0] && over[1] && !GONE(0) && !GONE(1) -> break
        fi
     fi
  od
}

init {
  atomic {
    run process(0);
    run process(1);
    run launcher()
  }
}
