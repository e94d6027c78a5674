/* What one member has for all others, or each for each, through a block of its giver (src/coll/streams.hpp): the giver puts pieces
 * into places, the others take them, and the giver writes over a place when all have taken what was there. Each says in a word how
 * many pieces it has put, and in another the least that it has taken of any giver. A member that cannot go on sleeps; who has put
 * something wakes all, who has taken something wakes all givers. Nobody takes anything before all givers have come.
 * Stores and the looks that follow them are not exchanged (fences), and what was written before a word is seen with it.
 *
 * A piece is taken as it was put, by all; nobody sleeps for ever (an invalid end state).
 *
 * Variants that must hold: -DMUTANT_ALL, all members give; -DMUTANT_FITS, all pieces have places, and who takes says nothing.
 * Mutants that must fail:
 *   NO_PLACE       a giver does not look whether a place is free
 *   PUT_EARLY      it says that it has put a piece before it has
 *   TAKEN_EARLY    a member says that it has taken a piece before it has
 *   MOST_TAKEN     (of ALL) it says how many it has taken of the giver that is ahead
 *   WAKE_NO_TAKER  who puts wakes nobody
 *   WAKE_NO_GIVER  who takes wakes nobody
 */
#define MEMBERS 3
#ifdef MUTANT_ALL
#define GIVERS 3
#define PLACES 1
#define PIECES 2
#else
#define GIVERS 1
#define PLACES 2
#ifdef MUTANT_FITS
#define PIECES 2
#else
#define PIECES 3
#endif
#endif
#define FEW (PIECES <= PLACES)

byte place[6];     /* of MEMBERS: which piece lies there, and 1; 0: it is being written */
byte words[MEMBERS], least[MEMBERS];
bool come[GIVERS], asleep[MEMBERS];

inline wake_all() {
  atomic { asleep[0] = false; asleep[1] = false; asleep[2] = false }
}

inline place_is_free() {
  free = true;
#ifndef MUTANT_NO_PLACE
  d_step {
    who = 0;
    do
    :: who < MEMBERS -> free = free && (who == self || put < PLACES || least[who] > put - PLACES); who++
    :: else -> who = 0; break
    od
  }
#endif
}

inline put_piece() {
#ifdef MUTANT_PUT_EARLY
  words[self] = put + 1;
#endif
  place[self * PLACES + put % PLACES] = 0;
  place[self * PLACES + put % PLACES] = put + 1;
  words[self] = put + 1;
  put++;
  untold = true
}

inline say_taken() {
  d_step {
    who = 0; low = PIECES;
    do
    :: who < GIVERS ->
       if
#ifdef MUTANT_MOST_TAKEN
       :: who != self && (low == PIECES || took[who] > low) -> low = took[who]
#else
       :: who != self && took[who] < low -> low = took[who]
#endif
       :: else
       fi;
       who++
    :: else -> who = 0; break
    od
  }
  least[self] = low
}

inline take_of(g) {
#ifdef MUTANT_TAKEN_EARLY
  took[g]++; say_taken();
  assert(place[g * PLACES + (took[g] - 1) % PLACES] == took[g]);
#else
  assert(place[g * PLACES + took[g] % PLACES] == took[g] + 1);
  took[g]++;
  if
  :: !FEW -> say_taken()
  :: else
  fi;
#endif
#ifndef MUTANT_WAKE_NO_GIVER
  if
  :: !FEW -> wake_all()
  :: else
  fi
#endif
}

inline all_have_come() {
  d_step {
    who = 0; here = true;
    do
    :: who < GIVERS -> here = here && (who == self || come[who]); who++
    :: else -> who = 0; break
    od
  }
}

/* One look of a member: as far as it can go. */
inline look() {
  do
  :: all_have_come();
     free = false;
     if
     :: here && self < GIVERS && put < PIECES -> place_is_free()
     :: else
     fi;
     if
     :: untold -> untold = false;
#ifndef MUTANT_WAKE_NO_TAKER
        if
        :: GIVERS == 1 || !FEW -> wake_all()
        :: else
        fi
#else
        skip
#endif
     :: !untold && free -> put_piece()
     :: !untold && !free && here && self != 0 && took[0] < words[0] -> take_of(0)
#if GIVERS == 3
     :: !untold && !free && here && self != 1 && took[1] < words[1] -> take_of(1)
     :: !untold && !free && here && self != 2 && took[2] < words[2] -> take_of(2)
#endif
     :: else -> break
     fi
  od
}

#if GIVERS == 3
#define ALL_TAKEN ((self == 0 || took[0] == PIECES) && (self == 1 || took[1] == PIECES) && (self == 2 || took[2] == PIECES))
#else
#define ALL_TAKEN (self == 0 || took[0] == PIECES)
#endif
#define OVER (!untold && (self >= GIVERS || put == PIECES) && ALL_TAKEN)

proctype member(byte self) {
  byte took[MEMBERS], put = 0, who = 0, low = 0;
  bool here = false, free = false, untold = false;
  if
  :: self < GIVERS -> put_piece(); come[self] = true /* its slot */
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
