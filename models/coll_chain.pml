/* A reduction that goes from member to member (src/coll/chain.hpp): the highest puts pieces into the places of a block, each
 * member below folds into what lies there, in place, and when the lowest has, all take it. The highest writes over a place when
 * all have taken what was there. Each says in a word how many pieces it has folded, and in another how many it has taken. A member
 * that cannot go on sleeps; who folds wakes the one below it, the lowest wakes all, who takes wakes the highest.
 * The first word of each says that it and all above it agree and have a block, or that nothing will be done, which goes down to
 * the lowest, and is the end of all. The highest's comes with its slot, which wakes nobody; where none follows, it wakes the one
 * below it.
 * Stores and the looks that follow them are not exchanged (fences), and what was written before a word is seen with it.
 *
 * A piece is folded by all, one after the other, and taken as it is then, by all; nobody sleeps for ever (an invalid end state).
 *
 * Variants that must hold: -DMUTANT_REFUSED, the highest has no block; -DMUTANT_NOTHING, there is no piece.
 * Mutants that must fail:
 *   NO_PLACE       the highest does not look whether a place is free
 *   SAY_EARLY      a member says that it has folded a piece before it has
 *   TAKE_OF_ABOVE  a piece is taken when the one above has folded it
 *   TAKEN_EARLY    a member says that it has taken a piece before it has
 *   WAKE_ABOVE     who folds wakes nobody below
 *   WAKE_FEW       the lowest wakes only the highest
 *   WAKE_NO_TAKER  who takes wakes nobody
 *   FIRST_QUIET    (of both variants) the highest wakes nobody, though its first word is its last
 */
#define MEMBERS 3
#ifdef MUTANT_NOTHING
#define PIECES 0
#else
#define PIECES 3
#endif
#define PLACES 2

byte piece[PLACES], depth[PLACES]; /* which piece lies there, and 1, and how many have folded it; 0: it is being written */
byte word[MEMBERS], taken[MEMBERS]; /* the word: 0, nothing yet; so many folded, and 1; or STOPPED */
#define STOPPED 100
#define FOLDED(n) ((n) + 1)
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

inline say(what) {
  word[self] = what;
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
  say(FOLDED(folded + 1));
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
  say(FOLDED(folded + 1));
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

/* With the one above, whose word is there. */
inline agree() {
  if
  :: word[self + 1] == STOPPED -> agreed = true; stopped = true; say(STOPPED)
  :: else -> agreed = true; say(FOLDED(0))
  fi
}

/* One look of a member: as far as it can go. */
inline look() {
  do
  :: can = false; free = false;
     if
     :: agreed && !stopped && folded < PIECES && self == MEMBERS - 1 -> place_is_free(); can = free
     :: agreed && !stopped && folded < PIECES && self < MEMBERS - 1 -> can = (word[self + 1] >= FOLDED(folded + 1))
     :: else
     fi;
     if
     :: !agreed && word[self + 1] != 0 -> agree()
     :: can -> fold()
     :: agreed && !stopped && !can && took < PIECES && word[LAST] != STOPPED && word[LAST] >= FOLDED(took + 1) -> take()
     :: else -> break
     fi
  od
}

#define OVER (word[0] == STOPPED || (word[0] != 0 && took == PIECES && folded == PIECES))

proctype member(byte self) {
  byte folded = 0, took = 0, who = 0;
  bool can = false, free = false, agreed = false, stopped = false;
  if
  :: self == MEMBERS - 1 -> /* its slot */
     agreed = true;
#ifdef MUTANT_REFUSED
     stopped = true;
     word[self] = STOPPED;
#else
     word[self] = FOLDED(0);
#endif
#ifndef MUTANT_FIRST_QUIET
     if
     :: stopped || PIECES == 0 -> asleep[self - 1] = false
     :: else
     fi
#endif
  :: else
  fi;
  do
  :: look();
     if
     :: OVER -> break
     :: else
     fi;
     asleep[self] = true; /* the bell's value is read before the last look */
     look();
     if
     :: OVER -> break
     :: else -> !asleep[self]
     fi
  od
}

init {
  atomic { run member(0); run member(1); run member(2) }
}
