/* Blocks between pairs of members (src/coll/edges.hpp), with fewer cores than members: nobody is woken because another one
 * has come. Members 1 and 2 give a block each to member 0, and to each other. Those of member 1 are in its slot, or its arena:
 * only their taker copies them, and member 1 does not wait for that. Those of member 2 are long: either end copies them, and
 * member 2 waits until that is done. Who comes publishes its list, does what it can, and then wakes those it gives something
 * to that wait for something and whose givers have all come. Whoever does the last of what another one waits for wakes it.
 *
 * Each block is copied once, from a giver that has published; and nobody sleeps for ever (an invalid end state).
 *
 * Mutants that must fail:
 *   LOOK_FIRST   who comes looks who is there before it publishes its list
 *   NOT_WOKEN    who comes wakes nobody
 *   WAKE_FIRST   who comes wakes those whose other givers had come when it looked first, before it published
 *   ONE_SOURCE   who comes wakes its taker only if it is the only one that gives to it
 */
#define MEMBERS 3
#define gives(m, n) ((m) != 0 && (n) != (m))
#define others_of(t, g) (3 - (g))  /* the other giver of member 0 */

bool published[MEMBERS], asleep[MEMBERS];
byte left[MEMBERS];
bool claimed[9], copied[9]; /* [3 * giver + taker] */

inline one_less(m) {
  left[m]--;
  if
  :: left[m] == 0 -> asleep[m] = false
  :: else
  fi
}

#ifdef MUTANT_LOOK_FIRST
#define is_here(m) (first -> seen[m] : published[m])
#else
#define is_here(m) published[m]
#endif

/* Who is there is looked at, a block claimed, and it is copied: a step each. */
inline try(g, t, other) {
  atomic {
    mine = g != t && gives(g, t) && is_here(other) && !claimed[3 * (g) + (t)];
    if
    :: mine -> claimed[3 * (g) + (t)] = true
    :: else
    fi
  };
  atomic {
    if
    :: mine ->
       mine = false;
       assert(published[g] && published[t] && !copied[3 * (g) + (t)]);
       copied[3 * (g) + (t)] = true;
       if
       :: g == 2 -> one_less(g)
       :: else
       fi;
       one_less(t)
    :: else
    fi
  }
}

/* Takes from whoever has come, and copies what it gives of long blocks to whoever has come. */
inline look() {
  try(1, p, 1);
  try(2, p, 2);
  if
  :: p == 2 -> try(2, 0, 0); try(2, 1, 1)
  :: else
  fi
}

/* All that `t` takes from have come. */
#define complete(t) ((t == p || published[t]) && (!gives(1, t) || 1 == p || published[1]) && (!gives(2, t) || 2 == p || published[2]))

inline announce() {
  k = 0;
  do
  :: k < MEMBERS ->
     atomic {
     if
#ifdef MUTANT_WAKE_FIRST
     :: k != p && gives(p, k) && was_complete[k] && left[k] != 0 -> asleep[k] = false
#elif defined(MUTANT_ONE_SOURCE)
     :: k != p && gives(p, k) && k != 0 && complete(k) && left[k] != 0 -> asleep[k] = false
#elif defined(MUTANT_NOT_WOKEN)
     :: false
#elif defined(MUTANT_LOOK_FIRST)
     :: k != p && gives(p, k) && was_complete[k] && left[k] != 0 -> asleep[k] = false
#else
     :: k != p && gives(p, k) && complete(k) && left[k] != 0 -> asleep[k] = false
#endif
     :: else
     fi;
     k++
     }
  :: else -> break
  od;
  k = 0
}

proctype member(byte p) {
  byte k;
  bool mine, first = true;
#if defined(MUTANT_LOOK_FIRST) || defined(MUTANT_WAKE_FIRST)
  bool seen[MEMBERS], was_complete[MEMBERS];
#endif
  /* What it takes, and what it gives of long blocks. */
  left[p] = (gives(1, p) -> 1 : 0) + (gives(2, p) -> 1 : 0) + (p == 2 -> 2 : 0);
#if defined(MUTANT_LOOK_FIRST) || defined(MUTANT_WAKE_FIRST)
  do
  :: k < MEMBERS -> atomic { seen[k] = published[k]; was_complete[k] = complete(k); k++ }
  :: else -> break
  od;
  k = 0;
#endif
  published[p] = true;
  look();
  first = false;
  announce();
  do
  :: left[p] == 0 -> break
  :: else ->
     asleep[p] = true;
     look();
     if
     :: left[p] == 0 -> break
     :: else
     fi;
     !asleep[p]
  od;
  asleep[p] = false
}

init { atomic { run member(0); run member(1); run member(2) } }
