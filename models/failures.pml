/* What could not be written, between the carrier that notes it and the process that is told (src/buffering/failures.cpp): two notes, of
 * which one holds; the carrier writes the other and makes it hold, the process says that it has been told, both by an exchange of the
 * state. Any write may fail, or not. The carrier may die between any two of its steps, twice, and is replaced by one that begins at
 * `written`; the process has two threads, and may end at any point: then mpiexec tells what is left.
 *
 * What is not in the file is told once, and nothing twice; a note is told whole.
 *
 * Mutants that must fail:
 *   ONE_NOTE    there is one note only, written where it holds
 *   HOLD_EARLY  the other note holds before it is written
 *   NOTE_LATE   the extent is given back before its failure is noted
 *   NOTE_BLIND  the state is stored by the carrier, whatever it is by now
 *   TELL_BLIND  it is stored by the process
 *   NO_THROUGH  a new carrier notes anew what the one before it had noted
 *   TOLD_ALL    it looks at that only while the process has not been told
 */
#define EXTENTS 3
#define weight(n) (1 << (2 * (n)))    /* of its bytes, so that sums tell what is in them: a digit for each, to the base of 4 */
#define has(sum, n) (((sum) >> (2 * (n))) % 4)
#define untold(s) ((s) % 2 == 1)
#ifdef MUTANT_ONE_NOTE
#define note(s) 0
#else
#define note(s) (((s) / 2) % 2)
#endif

byte state = 0;                       /* 2 * how often it was noted, + 1 while the process has not been told */
byte bytes[2], first[2], through[2];  /* first: the extent that its offset is of */
byte written = 0, told = 0, stored = 0, deaths = 0;
byte threads = 0;
bool finished = false;

#define DIES if :: deaths < 2 -> deaths++; goto dead :: true fi

proctype carrier() {
  byte s, sum, from;
  do
  :: written < EXTENTS ->
     if
     :: stored = stored | (1 << written)
     :: true ->
        DIES;
#ifdef MUTANT_NOTE_LATE
        written++;
        DIES;
        written--;
#endif
again:
        s = state;
        if
#ifndef MUTANT_NO_THROUGH
#ifdef MUTANT_TOLD_ALL
        :: untold(s) && through[note(s)] > written -> goto noted
#else
        :: through[note(s)] > written -> goto noted
#endif
#endif
        :: else
        fi;
        if
        :: untold(s) -> sum = bytes[note(s)] + weight(written); from = first[note(s)]
        :: else -> sum = weight(written); from = written
        fi;
#ifdef MUTANT_HOLD_EARLY
        atomic { if :: state == s -> state = (s / 2 + 1) * 2 + 1 :: else -> goto again fi };
        DIES;
#endif
        bytes[note(s + 2)] = sum;
        DIES;
        first[note(s + 2)] = from;
        DIES;
        through[note(s + 2)] = written + 1;
        DIES;
#ifdef MUTANT_NOTE_BLIND
        state = (s / 2 + 1) * 2 + 1;
#else
#ifndef MUTANT_HOLD_EARLY
        atomic { if :: state == s -> state = (s / 2 + 1) * 2 + 1 :: else -> goto again fi };
#endif
#endif
noted:
        skip
     fi;
     DIES;
     written++;
     DIES
  :: else -> break
  od;
  finished = true;
  goto gone;
dead:
  run carrier();
gone:
  skip
}

/* One of a note that holds. */
inline tell(sum, from) {
  assert(has(sum, from) == 1 && sum % weight(from) == 0);
  told = told + sum
}

proctype process() {
  byte s, sum, from;
  do
  :: true -> break                    /* it asks no more, or dies */
  :: untold(state) ->
     s = state;
     if
     :: untold(s) ->
        sum = bytes[note(s)];
        from = first[note(s)];
#ifdef MUTANT_TELL_BLIND
        state = s - 1;
        tell(sum, from)
#else
        atomic { if :: state == s -> state = s - 1; tell(sum, from) :: else fi }
#endif
     :: else
     fi
  od;
  threads++
}

init {
  byte n;
  atomic {
    run process();
    run process();
    run carrier()
  };
  finished && threads == 2;
  if :: untold(state) -> tell(bytes[note(state)], first[note(state)]) :: else fi;
  for (n : 0 .. EXTENTS - 1) {
    assert(has(told, n) <= 1);
    assert((stored >> n) % 2 == 1 || has(told, n) == 1)
  }
}
