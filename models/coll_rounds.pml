/* A long reduction in rounds (src/coll/rounds.hpp) of MEMBERS: each has a block of two halves, with its operand and the sum of
 * its share, and words that say how many rounds may be summed as far as it goes (ready), how many rounds of its share somebody
 * sums (claimed), and how many are summed. A member that cannot go on sleeps; who sums the last share of a round wakes all.
 * Stores and the looks that follow them are not exchanged (fences), and what was written before a word is seen with it.
 *
 * Whatever is read is of the round that it should be of, nothing is written over that another one may still read, each share is
 * summed once, and nobody sleeps for ever (an invalid end state).
 *
 * Mutants that must fail:
 *   ONE_HALF      a block has one half
 *   NOT_READY     a round is summed before all have put it
 *   READY_EARLY   a member says that it is ready for a round before it has put it
 *   TAKE_CLAIMED  a round is taken when all its shares are claimed
 *   CLAIM_TWICE   a claim is a read and a write
 *   LOOK_FIRST    who has summed a share looks for the others before it says so
 *   NOT_WOKEN     who sums the last share wakes nobody
 * A variant that must hold: -DMUTANT_OWN, two members with a core each: each sums its own share only, from its own operand where
 * that is and from what the other has put, and writes the sum there, where the other takes it before it puts the next one. Then
 *   LATE_TAKE     a member puts before it takes
 * must fail, and NOT_READY, LOOK_FIRST, NOT_WOKEN.
 */
#define MEMBERS 2
#define ROUNDS 4

#ifdef MUTANT_ONE_HALF
#define HALF(n) 0
#else
#define HALF(n) ((n) % 2)
#endif
#define AT(m, n) ((m) * 2 + HALF(n))

byte operand[MEMBERS * 2], sum[MEMBERS * 2]; /* the round that lies there, and 1; 0: it is being written */
#define SUM 16 /* what lies there is a sum of the round */
byte ready[MEMBERS], claimed[MEMBERS], summed[MEMBERS];
bool asleep[MEMBERS];

inline put(n) {
  if
  :: n < ROUNDS -> operand[AT(self, n)] = 0; operand[AT(self, n)] = n + 1
  :: else
  fi
}

inline all_ready() { /* for round n */
  who = 0; all = true;
  do
  :: who < MEMBERS -> all = all && (ready[who] > n); who++
  :: else -> who = 0; break
  od
}

inline all_summed() {
  who = 0; all = true;
  do
#ifdef MUTANT_TAKE_CLAIMED
  :: who < MEMBERS -> all = all && (claimed[who] > n); who++
#else
  :: who < MEMBERS -> all = all && (summed[who] > n); who++
#endif
  :: else -> who = 0; break
  od
}

inline sum_what_is_left() {
  share = 0;
  do
#ifdef MUTANT_OWN
  :: share < MEMBERS && share != self -> share++
  :: share == self ->
#else
  :: share < MEMBERS ->
#endif
     mine = false;
     if
     :: summed[share] == n ->
#ifdef MUTANT_CLAIM_TWICE
        if
        :: claimed[share] == n -> claimed[share] = n + 1; mine = true
        :: else
        fi
#else
        atomic {
          if
          :: claimed[share] == n -> claimed[share] = n + 1; mine = true
          :: else
          fi
        }
#endif
     :: else
     fi;
     if
     :: mine ->
#ifdef MUTANT_OWN
        assert(operand[AT(1 - self, n)] == n + 1);
        operand[AT(1 - self, n)] = 0;
        assert(operand[AT(1 - self, n)] == 0 && summed[share] == n);
        operand[AT(1 - self, n)] = SUM + n + 1;
#else
        sum[AT(share, n)] = 0;
        d_step {
          who = 0;
          do
          :: who < MEMBERS -> assert(operand[AT(who, n)] == n + 1); who++
          :: else -> who = 0; break
          od
        };
        assert(sum[AT(share, n)] == 0 && summed[share] == n);
        sum[AT(share, n)] = n + 1;
#endif
#ifdef MUTANT_LOOK_FIRST
        who = 0; all = true;
        do
        :: who < MEMBERS -> all = all && (who == share || summed[who] > n); who++
        :: else -> break
        od;
        summed[share] = n + 1;
#else
        summed[share] = n + 1;
        all_summed();
#endif
#ifndef MUTANT_NOT_WOKEN
        if
        :: all -> atomic { asleep[0] = false; asleep[1] = false }
        :: else
        fi
#endif
     :: else
     fi;
     mine = false; share++
  :: else -> share = 0; break
  od
}

inline take() {
#ifdef MUTANT_OWN
  assert(operand[AT(self, n)] == SUM + n + 1);
#else
  d_step {
    who = 0;
    do
    :: who < MEMBERS -> assert(sum[AT(who, n)] == n + 1); who++
    :: else -> who = 0; break
    od
  };
#endif
}

/* One look of a member: as far as it can go. */
inline look() {
  do
  :: n == ROUNDS -> break
  :: else ->
#ifdef MUTANT_NOT_READY
     all = true;
#else
     all_ready();
#endif
     if
     :: !all -> break
     :: else
     fi;
     sum_what_is_left();
     all_summed();
     if
     :: !all -> break
     :: else
     fi;
#ifdef MUTANT_READY_EARLY
     take();
     ready[self] = n + 3;
     put(n + 2);
#elif defined(MUTANT_LATE_TAKE)
     put(n + 2);
     take();
     ready[self] = n + 3;
#else
     take();
     put(n + 2);
     ready[self] = n + 3;
#endif
     n++
  od
}

proctype member(byte self) {
  byte n = 0, who = 0, share = 0;
  bool all = false, mine = false;
  put(0);
  put(1);
  ready[self] = 2;
#ifdef MUTANT_OWN
  atomic { asleep[0] = false; asleep[1] = false } /* who comes wakes those that have */
#endif
  do
  :: look();
     if
     :: n == ROUNDS -> break
     :: else
     fi;
     asleep[self] = true; /* the bell's value is read before the last look */
     look();
     if
     :: n == ROUNDS -> break
     :: else -> !asleep[self]
     fi
  od
}

init {
  atomic { run member(0); run member(1) }
}
