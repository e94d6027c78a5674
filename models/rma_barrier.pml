/* The barriers of fences (src/wait/flag_barrier.hpp, src/rma/counter_barrier.hpp), N = 3 members, BARRIERS times in a row: each stores into a word
 * before each barrier, and reads those of the others behind it, and again after the next one.
 *
 * -DMUTANT_COUNTERS is not a mutant: the barrier of counters instead of that of flags; it must hold. Then, behind the last barrier, which
 * is one of flags, each member's record goes, and nobody may look into it.
 *
 * Mutants that must fail:
 *   FLAG_IS_ONE       flags hold 1 and are not numbered
 *   ONE_ROUND         a member waits in the first round only
 *   ONE_FLAG          all rounds have one flag
 *   WAIT_FIRST        a member waits before it tells: nobody begins
 * and, with COUNTERS:
 *   COUNT_APART       the count is read, and stored one higher
 *   LAST_COUNTS       the last barrier is one of counters, too
 */
#define N 3
#define ROUNDS 2
#define BARRIERS 2

byte flag[6];                      /* [ROUNDS * member + round] */
byte arrived = 0, released = 0;
byte word[N];
bool gone[N];

#ifdef MUTANT_ONE_FLAG
#define flag_of(m, r) flag[ROUNDS * (m)]
#else
#define flag_of(m, r) flag[ROUNDS * (m) + (r)]
#endif

inline by_flags(p, number) {
  round = 0;
  do
  :: round == ROUNDS -> break
  :: else ->
     to = (p + 1 + round) % N;     /* 2^0, 2^1 */
#ifdef MUTANT_WAIT_FIRST
     (flag_of(p, round) >= number);
#endif
#ifdef MUTANT_FLAG_IS_ONE
     flag_of(to, round) = 1;
     (flag_of(p, round) >= 1);
#else
     assert(!gone[to]);
     flag_of(to, round) = number;
#ifdef MUTANT_ONE_ROUND
     if :: round == 0 -> (flag_of(p, round) >= number) :: else fi;
#else
     (flag_of(p, round) >= number);
#endif
#endif
     round++
  od
}

inline by_counters(p, number) {
#ifdef MUTANT_COUNT_APART
  mine = arrived + 1;
  arrived = mine;
#else
  atomic { arrived++; mine = arrived };
#endif
  if
  :: mine == N * number -> released = number
  :: else ->
     do
     :: assert(!gone[0]); if :: released >= number -> break :: else -> (released >= number || gone[0]) fi
     od
  fi
}

proctype member(byte p) {
  byte number = 1, round, to, mine, other;
  do
  :: number > BARRIERS -> break
  :: else ->
     word[p] = number;
#ifdef MUTANT_COUNTERS
     by_counters(p, number);
#else
     by_flags(p, number);
#endif
     other = 0;
     do
     :: other == N -> break
     :: else -> assert(word[other] >= number && word[other] <= number + 1); other++
     od;
     number++
  od;
#ifdef MUTANT_LAST_COUNTS
  by_counters(p, number);
#else
  by_flags(p, number);
#endif
  gone[p] = true
}

init { atomic { run member(0); run member(1); run member(2) } }
