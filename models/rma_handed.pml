/* Puts that are collected, and handed to their target's owner (src/rma/handed.hpp, ordinary.cpp).
 *
 * One origin puts to ROUNDS places of a target, an epoch for each. It keeps what is put, and at the end of the epoch writes it into memory
 * of the job that is used again for the next one, offers it, and sends a message, unless one is on its way. The owner comes when it likes: it
 * takes notice, looks, claims what is offered, copies it, and says that it is done. It says that it looks no more behind its last look, or
 * already when it has claimed what it is the only one of. Or it stays: then it sees more without a message, and leaves when it likes; the origin, which waits, sees that it has left, and sends one. Where it only seems to stay, the origin may call it, too. What nobody has claimed the origin may take back, and stores it itself. Then the epoch is over: the value has to be there, and nothing of it may come later, for others may store there now.
 *
 * In the end the origin waits until notice is taken of all messages, then for the barrier, which the owner enters in no handler, and frees
 * the memory: nobody may look at it after that.
 *
 * LAST_RESORT: the origin has no other way than the owner. (It has; but then what it offers has to be found.)
 *
 * Mutants that must fail:
 *   NO_SETTLE             an epoch ends without what was collected
 *   BLIND_BACK            an offer is taken back by a plain store
 *   BLIND_CLAIM           an offer is claimed by a plain store
 *   READ_EARLY NO_NUMBER  what is offered is read before it is claimed, and offers have no numbers; READ_EARLY alone holds
 *   DONE_EARLY            the owner is done before it has copied
 *   FREE_EARLY            the memory is freed when a message is on its way
 *   NO_LOOKING            notice is taken when the owner begins to look: it may enter the barrier before, and look after it
 *   NOTICE_EARLY          the owner looks no more before it has claimed what it has found
 *   LAST_RESORT NO_SECOND_CALL  the origin does not see that who stayed has left
 *   LEAVE_BLIND           who stays leaves by a plain store, also when it is called
 *   STAY_BLIND            the owner stays although a message is on its way
 *   STAY_LONGER           who stays looks once more when it has left
 */
#define ROUNDS 3
#define FREE 0
#define OFFERED 1
#define CLAIMED 2
#define DONE 3
#define NONE 0
#define CALLED 1
#define LOOKING 2
#define HERE 3

byte state = FREE, number = 0;    /* one word */
byte room = 0;                    /* what is handed, and where it goes: the number of the epoch */
byte notice = NONE;
bool owner_in_barrier = false, freed = false;
chan messages = [ROUNDS] of { bit };
byte target[ROUNDS + 1];
bool over[ROUNDS + 1];            /* epochs */

inline store(p) { atomic { assert(!over[p]); target[p] = p } }

inline call() {
  atomic { had = (notice == CALLED); notice = CALLED };
  if :: !had -> messages!1 :: else fi
}

active proctype origin() {
  byte round = 0;
  bool had, mine, here;
  do
  :: round == ROUNDS -> break
  :: else ->
    round++;
#ifdef MUTANT_NO_SETTLE
    if :: round == 2 -> goto ended :: else fi;
#endif
    room = 0;                     /* half written */
    room = round;
    here = (notice == HERE);
    atomic {
#ifndef MUTANT_NO_NUMBER
      number = round;
#endif
      state = OFFERED
    };
    if :: !here -> call() :: else fi;
waiting:
    if
    :: state == DONE
#ifndef MUTANT_NO_SECOND_CALL
    :: state == OFFERED && notice == NONE -> call(); goto waiting
#endif
#ifdef MUTANT_LAST_RESORT
    :: timeout -> assert(false)
#else
    :: true ->
#ifdef MUTANT_BLIND_BACK
      mine = (state == OFFERED);
      if :: mine -> state = FREE :: else fi;
#else
      atomic { mine = (state == OFFERED); if :: mine -> state = FREE :: else fi };
#endif
      if
      :: mine && notice == HERE -> call(); store(round)
      :: mine -> store(round)
      :: else -> state == DONE
      fi
#endif
    fi;
ended:
    atomic { assert(target[round] == round); over[round] = true }
  od;
#ifndef MUTANT_FREE_EARLY
  notice == NONE;
#endif
  owner_in_barrier;
  freed = true
}

inline look_no_more() { atomic { assert(!freed); if :: notice == LOOKING -> notice = NONE :: else fi } }

active proctype owner() {
  byte seen_state, seen_number, what;
  bool alone, here;
end:
  do
  :: atomic { !owner_in_barrier -> owner_in_barrier = true }
  :: messages?1 ->
    alone = false; here = false;
    atomic {
      assert(!freed);
#ifdef MUTANT_NO_LOOKING
      notice = NONE
#else
      notice = LOOKING
#endif
    };
look:
    atomic { assert(!freed); seen_state = state; seen_number = number };
    if
    :: seen_state == OFFERED ->
#ifdef MUTANT_READ_EARLY
      what = room;
#endif
#ifdef MUTANT_NOTICE_EARLY
      look_no_more();
      alone = true;
      assert(!freed);
#endif
#ifdef MUTANT_BLIND_CLAIM
      state = CLAIMED;
#else
      atomic {
        if
        :: state == OFFERED && number == seen_number -> state = CLAIMED
        :: else -> goto not_ours
        fi
      };
#endif
#ifndef MUTANT_NOTICE_EARLY
      if
      :: !here -> look_no_more(); alone = true
#ifdef MUTANT_STAY_BLIND
      :: !here -> notice = HERE; here = true
#else
      :: !here -> atomic { if :: notice == LOOKING -> notice = HERE; here = true :: else fi }
#endif
      :: skip
      fi;
#endif
#ifdef MUTANT_DONE_EARLY
      state = DONE;
#endif
#ifndef MUTANT_READ_EARLY
      what = room;
#endif
      assert(what != 0 && !freed);
      store(what);
#ifndef MUTANT_DONE_EARLY
      state = DONE;
#endif
not_ours:
      skip
    :: else
    fi;
    if
    :: here ->
      if
      :: goto look
#ifdef MUTANT_LEAVE_BLIND
      :: atomic { assert(!freed); notice = NONE }
#endif
#ifdef MUTANT_STAY_LONGER
      :: atomic { assert(!freed); notice = NONE }; goto look
#endif
      :: atomic { assert(!freed); if :: notice == HERE -> notice = NONE :: else fi }
      fi
    :: !here && !alone -> look_no_more()
    :: else
    fi
  od
}
