/* A reduction that goes from member to member (src/coll/chain.hpp): the highest puts pieces into the places of a block, each
 * member below folds into what lies there, in place, and when the lowest has, all take it. The highest writes over a place when
 * all have taken what was there. Each says in a word how many pieces it has folded, and in another how many it has taken. A member
 * that cannot go on sleeps; who folds wakes the one below it, the lowest wakes all, who takes wakes the highest.
 * Stores and the looks that follow them are not exchanged (fences), and what was written before a word is seen with it.
 *
 * A piece is folded by all, one after the other, and taken as it is then, by all; nobody sleeps for ever (an invalid end state).
 *
 * Mutants that must fail:
 *   NO_PLACE       the highest does not look whether a place is free
 *   SAY_EARLY      a member says that it has folded a piece before it has
 *   TAKE_OF_ABOVE  a piece is taken when the one above has folded it
 *   TAKEN_EARLY    a member says that it has taken a piece before it has
 *   WAKE_ABOVE     who folds wakes nobody below
 *   WAKE_FEW       the lowest wakes only the highest
 *   WAKE_NO_TAKER  who takes wakes nobody
 */
#define MEMBERS 3
#define PIECES 3
#define PLACES 2

byte piece[PLACES], depth[PLACES]; /* which piece lies there, and 1, and how many have folded it; 0: it is being written */
byte word[MEMBERS], taken[MEMBERS];
bool asleep[MEMBERS];

inline place_is_free() {
  who = 0; free = true;
#ifndef MUTANT_NO_PLACE
  do
  :: who < MEMBERS -> free = free && (folded < PLACES || taken[who] > folded - PLACES); who++
  :: else -> who = 0; break
  od
#endif
}

inline say() {
  word[self] = folded + 1;
  if
  :: self == 0 ->
#ifdef MUTANT_WAKE_FEW
     asleep[MEMBERS - 1] = false
#else
     atomic { asleep[1] = false; asleep[2] = false }
#endif
  :: else ->
#ifndef MUTANT_WAKE_ABOVE
     asleep[self - 1] = false
#endif
  fi
}

inline fold() {
#ifdef MUTANT_SAY_EARLY
  say();
#endif
  if
  :: self == MEMBERS - 1 ->
     piece[folded % PLACES] = 0; depth[folded % PLACES] = 1;
     piece[folded % PLACES] = folded + 1
  :: else ->
     assert(piece[folded % PLACES] == folded + 1 && depth[folded % PLACES] == MEMBERS - 1 - self);
     piece[folded % PLACES] = 0;
     depth[folded % PLACES] = MEMBERS - self;
     piece[folded % PLACES] = folded + 1
  fi;
#ifndef MUTANT_SAY_EARLY
  say();
#endif
  folded++
}

inline say_taken() {
  taken[self] = took + 1;
#ifndef MUTANT_WAKE_NO_TAKER
  asleep[MEMBERS - 1] = false
#endif
}

inline take() {
#ifdef MUTANT_TAKEN_EARLY
  say_taken();
#endif
  assert(piece[took % PLACES] == took + 1 && depth[took % PLACES] == MEMBERS);
#ifndef MUTANT_TAKEN_EARLY
  say_taken();
#endif
  took++
}

#ifdef MUTANT_TAKE_OF_ABOVE
#define LAST (self == MEMBERS - 1 -> self : self + 1)
#else
#define LAST 0
#endif

/* One look of a member: as far as it can go. */
inline look() {
  do
  :: can = false; free = false;
     if
     :: folded < PIECES && self == MEMBERS - 1 -> place_is_free(); can = free
     :: folded < PIECES && self < MEMBERS - 1 -> can = (word[self + 1] > folded)
     :: else
     fi;
     if
     :: can -> fold()
     :: !can && took < PIECES && word[LAST] > took -> take()
     :: else -> break
     fi
  od
}

proctype member(byte self) {
  byte folded = 0, took = 0, who = 0;
  bool can = false, free = false;
  do
  :: look();
     if
     :: took == PIECES && folded == PIECES -> break
     :: else
     fi;
     asleep[self] = true; /* the bell's value is read before the last look */
     look();
     if
     :: took == PIECES && folded == PIECES -> break
     :: else -> !asleep[self]
     fi
  od
}

init {
  atomic { run member(0); run member(1); run member(2) }
}
