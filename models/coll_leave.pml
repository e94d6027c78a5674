/* Who gives up a reduction of buffers (src/coll/joint.cpp) takes back what it has published, and waits for those that say
 * that they are at work. Whoever is going to work says so, and then looks whether all are still there.
 *
 * Nobody touches the memory of a member that has given up and gone on.
 *
 * Mutants that must fail:
 *   LOOK_FIRST   whoever goes to work looks before it says so
 *   NOT_WAITED   who gives up waits for nobody
 */
#define WORKERS 2
#define PIECES 2

bool published = true, gone;
bool at_work[WORKERS];
byte claimed;

proctype worker(byte w) {
  bool there;
  do
  :: claimed >= PIECES -> break
  :: else ->
#ifdef MUTANT_LOOK_FIRST
     there = published;
     at_work[w] = true;
#else
     at_work[w] = true;
     there = published;
#endif
     if
     :: !there -> at_work[w] = false; break
     :: else
     fi;
     if
     :: atomic { claimed < PIECES -> claimed++ }; assert(!gone)
     :: claimed >= PIECES
     fi;
     at_work[w] = false
  od
}

proctype leaver() {
  published = false;
#ifndef MUTANT_NOT_WAITED
  !at_work[0];
  !at_work[1];
#endif
  gone = true
}

init { atomic { run worker(0); run worker(1); run leaver() } }
