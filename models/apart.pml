/* Writes past the page cache by two I/O processes, and writes through it by a process and by one of them (src/buffering/apart.cpp). Who
 * writes through it says so and looks, who writes past it says so and looks: never do both go on. An I/O process may die at any point,
 * and is started again by the keeper, which takes back what it had said. All who wait are woken.
 *
 * Mutants that must fail:
 *   LOOK_FIRST    who writes through looks before it says so
 *   ASK_FIRST     who writes past looks before it says so
 *   ONE_SERVER    who writes through looks at one I/O process only
 *   KEEP          nobody takes back what a dead one had said
 *   NO_RETRACT    who may not write past the cache goes on saying that it does
 */
#define SERVERS 2
#define ROUNDS 2
#define DEATHS 1

byte past_word[SERVERS];              /* odd: writes past the cache */
byte through_of[SERVERS];             /* of the I/O processes */
byte through = 0;                     /* of the process */
byte is_past = 0, is_through = 0;     /* what really goes on */
bit at_past[SERVERS], at_through[SERVERS], dead[SERVERS];
byte deaths = 0, done = 0;

#define odd(s) (past_word[s] % 2 == 1)
#define DIES if :: deaths < DEATHS -> deaths++; goto ends :: true fi

/* Waits for the one write past the cache that is seen. */
inline wait_for(s) {
  seen = past_word[s];
  if
  :: seen % 2 == 1 -> past_word[s] != seen
  :: else
  fi
}

inline wait_for_all() {
  wait_for(0);
#ifndef MUTANT_ONE_SERVER
  wait_for(1)
#endif
}

proctype process() {
  byte seen, n;
  do
  :: n < ROUNDS ->
#ifdef MUTANT_LOOK_FIRST
     wait_for_all();
     through++;
#else
     through++;
     wait_for_all();
#endif
     atomic { is_through++; assert(is_past == 0) };
     is_through--;
     through--;
     n++
  :: else -> break
  od;
  done++
}

proctype server(byte me) {
  byte seen, n;
  bit alone;
  do
  :: n < 1 ->
     n++;
     if
     :: /* past the cache, if nobody writes through it */
#ifdef MUTANT_ASK_FIRST
        alone = (through == 0 && through_of[0] == 0 && through_of[1] == 0);
        past_word[me]++;
#else
        past_word[me]++;
        DIES;
        alone = (through == 0);
        alone = alone && through_of[0] == 0;
        alone = alone && through_of[1] == 0;
#endif
        if
        :: alone ->
           atomic { is_past++; at_past[me] = 1; assert(is_through == 0) };
           DIES;
           atomic { is_past--; at_past[me] = 0 };
           past_word[me]++
        :: else ->
#ifndef MUTANT_NO_RETRACT
           past_word[me]++
#endif
        fi
     :: /* through it */
        through_of[me]++;
        DIES;
        wait_for_all();
        atomic { is_through++; at_through[me] = 1; assert(is_past == 0) };
        DIES;
        atomic { is_through--; at_through[me] = 0 };
        through_of[me]--
     fi;
     DIES
  :: else -> break
  od;
  done++;
  goto gone;
ends:
  dead[me] = 1;
gone:
  skip
}

inline reap(s) {
  atomic {
    dead[s] = 0;
    if :: at_past[s] -> at_past[s] = 0; is_past-- :: else fi;
    if :: at_through[s] -> at_through[s] = 0; is_through-- :: else fi
  };
#ifndef MUTANT_KEEP
  through_of[s] = 0;
  if :: odd(s) -> past_word[s]++ :: else fi;
#endif
  run server(s)
}

proctype keeper() {
  do
  :: dead[0] -> reap(0)
  :: dead[1] -> reap(1)
  :: done == SERVERS + 1 -> break
  od
}

init {
  atomic {
    run server(0);
    run server(1);
    run process();
    run keeper()
  }
}
