/* Several members wait for what one has finished (src/coll/areas.cpp, as coll_area.pml has it for one): each says in a word
 * of the finisher that it wants that. The finisher's store may be in its buffer when it looks whether somebody does, so who
 * has said so sleeps for a moment at a time until that has passed.
 *
 * All of them come to an end.
 *
 * Mutant that must fail:
 *   ONE_WORD   all say it in one word: then what another one has just said looks as if it had been said before
 */
#define OPERATIONS 3

byte finished, buffered; /* by the finisher: what all see, and what is in its buffer (0: nothing) */
bool wanted[2];          /* by waiter */
bool asleep[2];
bool settles[2];         /* a moment has not passed yet since it said that it wants it */

inline drain() {
  if
  :: buffered != 0 -> finished = buffered; buffered = 0
  :: else
  fi
}

active proctype store_buffer() {
end:
  do
  :: atomic { buffered != 0 -> drain() }
  od
}

/* Longer than a store stays in a buffer. */
active proctype moment() {
end:
  do
  :: atomic { settles[0] && buffered == 0 -> settles[0] = false }
  :: atomic { settles[1] && buffered == 0 -> settles[1] = false }
  od
}

active proctype finisher() {
  byte number = 1;
  do
  :: number > OPERATIONS -> break
  :: else ->
     atomic { drain(); buffered = number };
     if
     :: wanted[0] || wanted[1] ->
        atomic { drain(); wanted[0] = false; wanted[1] = false };
        asleep[0] = false;
        asleep[1] = false
     :: else
     fi;
     number++
  od
}

#ifdef MUTANT_ONE_WORD
#define IS_SAID(p) (wanted[0] || wanted[1])
#else
#define IS_SAID(p) wanted[p]
#endif

proctype waiter(byte p) {
  bool first = true, limited;
  do
  :: finished >= OPERATIONS -> break
  :: else ->
     asleep[p] = true;
     limited = settles[p];
     if
     :: first || !IS_SAID(p) -> atomic { wanted[p] = true; settles[p] = true; limited = true }
     :: else
     fi;
     first = false;
     if
     :: finished >= OPERATIONS -> asleep[p] = false; break
     :: else
     fi;
     if
     :: limited -> asleep[p] = false
     :: !limited -> !asleep[p]
     fi
  od
}

init {
  atomic {
    run waiter(0);
    run waiter(1)
  }
}
