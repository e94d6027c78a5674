/* AArch64's memory order, for small models: one memory for all processors (an effect that one of them sees, all see), and in front
 * of it, for each processor,
 *   stores on their way   they become visible in any order; but those to one word one after another, and a store with release
 *                         after everything its processor did before
 *   loads done early      a load may have read memory at any time since the last load with acquire; that one itself may be early,
 *                         and orders what comes after it
 *   one load done late    whose value nothing depends on yet (a copy of payload): after later stores, if none has release
 *
 * A compare-and-swap is a pair of exclusive load (acquire) and store (release): what follows may be done between the two.
 * Stores never wait for loads that a branch depends on (hardware keeps that order; C++ does not promise it).
 * -DTSO: x86's order instead: stores leave in their order, loads are done when and where they stand.
 *
 * A model defines PROCESSORS, WORDS (at most 6) and reads(p, w), which words processor p loads; runs hardware(p) for each; and uses
 * put(), put_release(), get(), get_acquire(), copy_later(), compare_and_swap(), fence().
 *
 * Source: Pulte et al., Simplifying ARM concurrency (POPL 2018); left out are chains of dependent loads.
 */
#define STORES 3                   /* on their way at a time */
#define LOADS 2                    /* done early at a time */
#define with_release 1
#define exclusive 2

typedef processor {
  byte stores, to[STORES], what[STORES];
  byte kind[STORES];               /* with_release, exclusive, both, or 0 */
  byte loads, from[LOADS], saw[LOADS];
  byte late, expected              /* 1 + the word; what the copy has to be */
}
processor at[PROCESSORS];
byte memory[WORDS];

#define on_its_way(p, w) ((at[p].stores > 0 && at[p].to[0] == w) || (at[p].stores > 1 && at[p].to[1] == w) || \
                          (at[p].stores > 2 && at[p].to[2] == w))
#ifdef TSO
#define may_leave(p, i) (i == 0 && at[p].stores > 0)
#else
#define may_leave(p, i) (at[p].stores > i && (at[p].kind[i] % 2 == 0 || (i == 0 && at[p].late == 0)) && \
                         (i < 1 || at[p].to[0] != at[p].to[i]) && (i < 2 || at[p].to[1] != at[p].to[i]) && \
                         at[p].late != at[p].to[i] + 1)
#endif

inline leave(p, i) {
  memory[at[p].to[i]] = at[p].what[i];
  k = i;
  do
  :: k + 1 < at[p].stores ->
     at[p].to[k] = at[p].to[k + 1];
     at[p].what[k] = at[p].what[k + 1];
     at[p].kind[k] = at[p].kind[k + 1];
     k++
  :: else -> break
  od;
  at[p].to[k] = 0; at[p].what[k] = 0; at[p].kind[k] = 0;
  at[p].stores--;
  k = 0
}

/* What was read early, but for the first n. */
inline drop_first(p, n) {
  at[p].from[0] = (n < at[p].loads && n == 1 -> at[p].from[1] : 0);
  at[p].saw[0] = (n < at[p].loads && n == 1 -> at[p].saw[1] : 0);
  at[p].from[1] = 0; at[p].saw[1] = 0;
  at[p].loads = (n < at[p].loads -> at[p].loads - n : 0)
}
/* Of one word: a later load does not read what is older than an earlier one has read, or than our own store. */
inline forget(p, w) {
  if :: at[p].loads == 2 && at[p].from[1] == w -> at[p].loads = 1; at[p].from[1] = 0; at[p].saw[1] = 0 :: else fi;
  if :: at[p].loads > 0 && at[p].from[0] == w -> drop_first(p, 1) :: else fi
}

#define look_early(w) \
  :: atomic { at[p].loads < LOADS && reads(p, w) && !on_its_way(p, w) && \
              !(at[p].loads == 1 && at[p].from[0] == w && at[p].saw[0] == memory[w]) -> \
       at[p].from[at[p].loads] = w; at[p].saw[at[p].loads] = memory[w]; at[p].loads++ }

proctype hardware(byte p) {
  byte k = 0;
end:
  do
  :: atomic { may_leave(p, 0) -> leave(p, 0) }
#ifndef TSO
  :: atomic { may_leave(p, 1) -> leave(p, 1) }
  :: atomic { may_leave(p, 2) -> leave(p, 2) }
  :: atomic { at[p].late != 0 -> assert(memory[at[p].late - 1] == at[p].expected); at[p].late = 0; at[p].expected = 0 }
  look_early(0)
#if WORDS > 1
  look_early(1)
#endif
#if WORDS > 2
  look_early(2)
#endif
#if WORDS > 3
  look_early(3)
#endif
#if WORDS > 4
  look_early(4)
#endif
#if WORDS > 5
  look_early(5)
#endif
#endif
  od
}

inline store(p, w, v, how) {
  atomic {
    at[p].stores < STORES ->
    at[p].to[at[p].stores] = w; at[p].what[at[p].stores] = v; at[p].kind[at[p].stores] = how;
    at[p].stores++;
    forget(p, w)
  }
}
inline put(p, w, v)         { store(p, w, v, 0) }
inline put_release(p, w, v) { store(p, w, v, with_release) }

/* Its own store, if that is on its way. */
inline forward(p, w, x) {
  x = (at[p].stores > 2 && at[p].to[2] == w -> at[p].what[2] :
      (at[p].stores > 1 && at[p].to[1] == w -> at[p].what[1] : at[p].what[0]))
}
inline get(p, w, x) {
  atomic {
    if
    :: on_its_way(p, w) -> forward(p, w, x)
    :: else ->
       if
       :: at[p].loads > 0 && at[p].from[0] == w -> x = at[p].saw[0]; drop_first(p, 1)
       :: at[p].loads > 1 && at[p].from[1] == w && at[p].from[0] != w ->
          x = at[p].saw[1]; at[p].loads = 1; at[p].from[1] = 0; at[p].saw[1] = 0
       :: x = memory[w]; forget(p, w)
       fi
    fi
  }
}
inline get_acquire(p, w, x) {
  atomic {
    if
    :: on_its_way(p, w) -> forward(p, w, x)
    :: else ->
       if
       :: at[p].loads > 0 && at[p].from[0] == w -> x = at[p].saw[0]; drop_first(p, 1)
       :: at[p].loads > 1 && at[p].from[1] == w && at[p].from[0] != w -> x = at[p].saw[1]; drop_first(p, 2)
       :: x = memory[w]; drop_first(p, LOADS)
       fi
    fi
  }
}
/* A copy whose result must be v, and is looked at later. */
inline copy_later(p, w, v) {
  atomic {
    at[p].late == 0 ->
    if
    :: at[p].loads > 0 && at[p].from[0] == w -> assert(at[p].saw[0] == v); drop_first(p, 1)
    :: at[p].loads > 1 && at[p].from[1] == w && at[p].from[0] != w -> assert(at[p].saw[1] == v)
#ifdef TSO
    :: else -> assert(memory[w] == v)
#else
    :: at[p].late = w + 1; at[p].expected = v; forget(p, w)
#endif
    fi
  }
}
inline fence(p) { atomic { at[p].stores == 0 && at[p].late == 0 -> drop_first(p, LOADS) } }

/* ok: it was `old`. The store of a pair that succeeds is on its way like others, but nobody else's pair comes in between. */
#define held_by(p, w) ((at[p].stores > 0 && at[p].to[0] == w && at[p].kind[0] >= exclusive) || \
                       (at[p].stores > 1 && at[p].to[1] == w && at[p].kind[1] >= exclusive) || \
                       (at[p].stores > 2 && at[p].to[2] == w && at[p].kind[2] >= exclusive))
#if PROCESSORS > 2
#define held(w) (held_by(0, w) || held_by(1, w) || held_by(2, w))
#else
#define held(w) (held_by(0, w) || held_by(1, w))
#endif
inline pair(p, w, old, new, ok, how) {
#ifdef TSO
  at[p].stores == 0 ->
  ok = (memory[w] == old);
  if :: ok -> memory[w] = new :: else fi
#else
  at[p].stores < STORES && !on_its_way(p, w) && !held(w) ->
  ok = (memory[w] == old);
  if
  :: ok ->
     at[p].to[at[p].stores] = w; at[p].what[at[p].stores] = new; at[p].kind[at[p].stores] = how;
     at[p].stores++
  :: else
  fi
#endif
}
inline compare_and_swap(p, w, old, new, ok) {
  atomic { pair(p, w, old, new, ok, exclusive + with_release); drop_first(p, LOADS) }
}
inline compare_and_swap_relaxed(p, w, old, new, ok) {
  atomic { pair(p, w, old, new, ok, exclusive); forget(p, w) }
}
