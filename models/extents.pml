/* The way of extents (src/buffering): a writer publishes them in a ring, a carrier writes them to the file and gives them back, each
 * sleeps until the other rings. A ring of two for four extents, of which the third and the fourth lie where the first two did: order
 * counts. The writer may die between any two of its steps; the carrier may, twice, and is replaced by one that begins at `written`. When
 * the writer is over the job drains. A write to the file is two steps. Loads do not pass stores here: the fences that this needs are in
 * the code, and a mutant without one is a look that comes too early.
 *
 * What was published is in the file at the end, in order; whoever waits is rung (else: an invalid end state).
 *
 * Mutants that must fail:
 *   PUBLISH_BEFORE_DATA  an extent is published before its data are there
 *   NO_LOOK_FOR_ROOM     a slot is filled again before it was given back
 *   COUNT_BEFORE_WRITE   an extent counts as written before it is
 *   LOOK_BEFORE_PUBLISH  the writer looks whether the carrier sleeps before its extent is there
 *   NO_SECOND_LOOK       the carrier sleeps without a look behind its saying so
 *   CALLED_LATE          the carrier reads the word that it sleeps on behind that look
 *   WAITING_LATE         a waiter says that it waits behind its look
 *   LOOK_BEFORE_COUNT    the carrier looks whether somebody waits before it counts
 *   NO_RING              nobody rings a waiter
 *   NO_RING_AT_START     a new carrier does not ring who waited for the one before it
 *   TWO_CARRIERS         another carrier begins while the one before it still lives
 *   DRAIN_BLIND          a drain ends without a look at what is published
 */
#define RING 2
#define EXTENTS 4
#define FULL (published - written >= RING)

byte slot[RING], published = 0, written = 0;
byte file[2] = 0, half[2] = 0;
byte called = 0, moved = 0;
bool asleep = false, waiting = false, draining = false, writer_dead = false;
byte lives = 0, deaths = 0;
bool finished = false;

#define MAY_DIE if :: writer_dead = true; goto end :: true fi

inline ring_carrier() {
  if
  :: atomic { asleep -> asleep = false; called++ }
  :: else
  fi
}

inline wait_for(condition) {
  do
  :: true ->
     seen = moved;
#ifdef MUTANT_WAITING_LATE
     if
     :: condition -> break
     :: else
     fi;
     waiting = true;
#else
     waiting = true;
     if
     :: condition -> break
     :: else
     fi;
#endif
     moved != seen
  od
}

proctype writer() {
  byte n, seen;
  for (n : 1 .. EXTENTS) {
#ifndef MUTANT_NO_LOOK_FOR_ROOM
    if
    :: FULL -> wait_for(!FULL)
    :: else
    fi;
#endif
    MAY_DIE;
#ifdef MUTANT_PUBLISH_BEFORE_DATA
    published++;
    slot[(n - 1) % RING] = n;
#else
    slot[(n - 1) % RING] = n;
    MAY_DIE;
#ifdef MUTANT_LOOK_BEFORE_PUBLISH
    if
    :: asleep -> published++; ring_carrier()
    :: else -> published++
    fi;
#else
    published++;
#endif
#endif
    MAY_DIE;
#ifndef MUTANT_LOOK_BEFORE_PUBLISH
    ring_carrier()
#endif
  }
  wait_for(written == published);  /* settle */
  assert(file[0] == 3 && file[1] == 4);
end:
  draining = true;
  called++
}

#define DIES if :: deaths < 2 -> deaths++; goto dead :: true fi

proctype carrier() {
  byte seen, n, at;
  bool rings;
#ifndef MUTANT_TWO_CARRIERS
  assert(lives == 0);
#endif
  lives++;
  asleep = false;
#ifndef MUTANT_NO_RING_AT_START
  if
  :: atomic { waiting -> waiting = false; moved++ }  /* the one before may have died before it rang */
  :: else
  fi;
#endif
  do
  :: true ->
     seen = called;
     if
     :: written < published ->
        n = slot[written % RING];
        at = (n + 1) % 2;
        DIES;
#ifdef MUTANT_COUNT_BEFORE_WRITE
        written++;
        DIES;
#endif
        half[at] = n;
        DIES;
        file[at] = n;
        assert(half[at] == n);
        DIES;
#ifdef MUTANT_LOOK_BEFORE_COUNT
        rings = waiting;
#endif
#ifndef MUTANT_COUNT_BEFORE_WRITE
        written++;
#endif
        DIES;
#ifndef MUTANT_LOOK_BEFORE_COUNT
        rings = waiting;
#endif
#ifndef MUTANT_NO_RING
        if
        :: rings -> waiting = false; moved++
        :: else
        fi
#endif
     :: else ->
        if
        :: draining ->
           if
#ifdef MUTANT_DRAIN_BLIND
           :: true -> goto over
#else
           :: written == published -> goto over
           :: else
#endif
           fi
        :: else ->
           asleep = true;
#ifndef MUTANT_NO_SECOND_LOOK
           if
           :: written == published ->
#else
           if
           :: true ->
#endif
#ifdef MUTANT_CALLED_LATE
              seen = called;
#endif
              DIES;
              called != seen
           :: else
           fi;
           asleep = false
        fi
     fi
  od;
dead:
  lives--;
#ifndef MUTANT_TWO_CARRIERS
  run carrier();
#endif
  goto gone;
over:
  lives--;
  finished = true;
gone:
  skip
}

init {
  atomic {
    run writer();
    run carrier()
  };
#ifdef MUTANT_TWO_CARRIERS
  deaths = 2;
  run carrier();
#endif
  finished;
  assert(written == published);
  assert(published < 1 || file[0] == (published >= 3 -> 3 : 1));
  assert(published < 2 || file[1] == (published >= 4 -> 4 : 2))
}
