/* Who carries what a process publishes, with two I/O processes (src/launch/io_service.cpp, src/launch/io_main.cpp): a table names one,
 * the keeper alone changes it, and only after it has reaped the one before. Both may die at any point, and are started again, or not:
 * then the other takes over. Who publishes rings whom the table names, if it sleeps; who takes over is rung, and looks by itself.
 *
 * All that is published is written, and never do two write at a time.
 *
 * Mutants that must fail:
 *   ALIVE        the keeper hands over before the one that dies has stopped writing
 *   NO_RING      it does not ring who takes over
 *   RING_FIRST   it does so before the table says so
 *   NO_LOOK      nobody looks again once it counts as asleep
 *   BELL_LATE    the bell is read once more after the second look
 *   TABLE_FIRST  who publishes asks the table before it has published
 */
#define EXTENTS 3
#define DEATHS 3

byte published = 0, written = 0, deaths = 0;
byte server_of = 0;                   /* of the only share */
byte called[2];                       /* bells */
bit asleep[2], running[2], dead[2];   /* dead: and not reaped yet */
byte writing = 0;                     /* how many are at it; who dies stays there until it is reaped */
bit writes[2];

#define has_work(me) (server_of == me && published != written)
#define DIES if :: deaths < DEATHS -> deaths++; goto ends :: true fi

proctype server(byte me) {
  byte c;
  do
  :: true ->
     c = called[me];
     if
     :: has_work(me) ->
        atomic { writing++; writes[me] = 1; assert(writing == 1) };
        DIES;
        written++;
        DIES;
        atomic { writing--; writes[me] = 0 }
     :: else ->
        asleep[me] = 1;
        DIES;
        if
#ifndef MUTANT_NO_LOOK
        :: has_work(me) -> skip
#endif
        :: else ->
#ifdef MUTANT_BELL_LATE
           c = called[me];
#endif
end_sleeps: called[me] != c
        fi;
        asleep[me] = 0
     fi;
     DIES
  od;
ends:
  dead[me] = 1
}

proctype process() {
  byte s;
  do
  :: published < EXTENTS ->
#ifdef MUTANT_TABLE_FIRST
     s = server_of;
     published++;
#else
     published++;
     s = server_of;
#endif
     if
     :: asleep[s] -> atomic { if :: asleep[s] -> asleep[s] = 0; called[s]++ :: else fi }
     :: else
     fi
  :: else -> break
  od;
  written == EXTENTS
}

inline start(one) {
  asleep[one] = 0;
  running[one] = 1;
  run server(one)
}

inline reap(one) {
  running[one] = 0;
  dead[one] = 0;
  if :: writes[one] -> writes[one] = 0; writing-- :: else fi
}

/* The other one has the share of `s`. */
inline hand_over() {
  other = 1 - s;
  if :: !running[other] -> start(other) :: else fi;
  if
  :: server_of == s ->
#ifdef MUTANT_RING_FIRST
     called[other]++;
     server_of = other
#else
     server_of = other;
#ifndef MUTANT_NO_RING
     called[other]++
#endif
#endif
  :: else
  fi
}

proctype keeper() {
  byte s, other;
  do
  :: dead[0] || dead[1] ->
     s = (dead[0] -> 0 : 1);
#ifndef MUTANT_ALIVE
     d_step { reap(s) };
#endif
     if
     :: start(s)
     :: hand_over()
     fi;
#ifdef MUTANT_ALIVE
     d_step { reap(s) }
#endif
  :: atomic { written == EXTENTS && !dead[0] && !dead[1] -> break }
  od
}

init {
  atomic {
    running[0] = 1;
    running[1] = 1;
    run server(0);
    run server(1);
    run process();
    run keeper()
  }
}
