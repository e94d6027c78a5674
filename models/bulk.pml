/* Elements changed by atomic instructions, or in bulk under a lock (src/rma/bulk.hpp): never both at a time.
 *
 * Members change one element of one range. A single operation announces itself by a plain store in a line of its own (one that the
 * barrier does not reach: by an atomic instruction), looks at the range's bit, does its instruction and takes the announcement back. If the bit
 * is set, it takes the lock, and does its instruction there if the bit was cleared meanwhile. A bulk operation takes the lock; if the bit
 * is not set, it sets it, makes a barrier on every processor that the barrier reaches, and looks whether anybody is announced: then it clears
 * the bit again, and does as single operations do. Whoever has the lock may clear the bit when he is done.
 *
 * A change in bulk is a load and a store, an instruction is one step. The store buffer of the members is explicit for what they announce.
 *
 * Mutants that must fail:
 *   NO_BARRIER    no barrier between the bit and the look at the announcements
 *   NO_LOOK       nobody looks at the announcements
 *   NO_ANNOUNCE   a single operation does not announce itself
 *   EARLY_LOOK    a single operation looks at the bit before it announces itself
 *   UNREACHED     a member that the barrier does not reach announces itself by a plain store
 *   BIT_UNLOCKED  the bit is cleared without the lock
 *   NO_SECOND     whoever has taken the lock does not look at the bit again
 */
#define SINGLES 2       /* members 0 and 1: single operations; the barrier does not reach member 1 */
#define BULKS 1         /* that change in bulk, and may clear the bit; a second one would wait for the lock */
#define ROUNDS 2

byte finished = 0;
byte element = 0, wanted = 0;      /* how often it was changed, and should have been */
bool in_bulk = false, locked = false;
bool announced[SINGLES];           /* in memory */
bool buffered[SINGLES], value[SINGLES]; /* in the store buffer, and what */

inline drain(m) { if :: buffered[m] -> announced[m] = value[m]; buffered[m] = false :: else fi }
/* Stores leave the buffer in their order. */
inline store(m, v) { atomic { drain(m); buffered[m] = true; value[m] = v } }
inline take() { atomic { !locked -> locked = true } }
inline give() { locked = false }
/* A locked instruction empties the buffer of its processor. */
inline instruction_of(m) { atomic { drain(m); element = element + 1; wanted = wanted + 1 } }
inline instruction() { atomic { element = element + 1; wanted = wanted + 1 } }
inline loop() { read = element; atomic { element = read + 1; wanted = wanted + 1 } }
inline announce() {
  if
  :: me == 0 -> store(me, true)
  :: else ->
#ifdef MUTANT_UNREACHED
    store(me, true)
#else
    atomic { drain(me); announced[me] = true }
#endif
  fi
}

active [SINGLES] proctype store_buffer() {
end:
  do
  :: atomic { buffered[_pid] -> drain(_pid) }
  od
}

active [SINGLES] proctype single() {
  byte me = _pid - SINGLES, round = 0, read;
  bool seen;
  do
  :: round == ROUNDS -> break
  :: else ->
    round++;
#ifdef MUTANT_EARLY_LOOK
    seen = in_bulk;
#endif
#ifndef MUTANT_NO_ANNOUNCE
    announce();
#endif
#ifndef MUTANT_EARLY_LOOK
    seen = in_bulk;
#endif
    if
    :: !seen -> instruction_of(me); store(me, false)
    :: else ->
      store(me, false);
      take();
#ifdef MUTANT_NO_SECOND
      loop();
#else
      if :: in_bulk -> loop() :: else -> instruction() fi;
#endif
      if :: in_bulk = false :: skip fi;
      give()
    fi
  od;
  finished++
}

active [BULKS] proctype bulk() {
  byte round = 0, read;
  bool clear;
  do
  :: round == ROUNDS -> break
  :: else ->
    round++;
    take();
    if
    :: in_bulk -> skip
    :: else ->
      in_bulk = true;
#ifndef MUTANT_NO_BARRIER
      atomic { drain(0) };
#endif
#ifdef MUTANT_NO_LOOK
      clear = true;
#else
      clear = !announced[0];
      clear = clear && !announced[1];
#endif
      if :: !clear -> in_bulk = false :: else fi
    fi;
#ifdef MUTANT_NO_SECOND
    loop();
#else
    if :: in_bulk -> loop() :: else -> instruction() fi;
#endif
#ifdef MUTANT_BIT_UNLOCKED
    give();
    if :: in_bulk = false :: skip fi
#else
    if :: in_bulk = false :: skip fi;
    give()
#endif
  od;
  finished++
}

active proctype check_all() {
  finished == SINGLES + BULKS;
  assert(element == wanted)
}
