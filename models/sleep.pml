/* Sleep and wake of one receiver (src/wait/, src/transport/inbox*): can a wake-up be lost?
 *
 * Two senders, two ways to make the receiver look:
 *   inbox:  claim a slot by compare-and-swap on the tail word, which returns the sleep bit; publish; if it slept, clear the bit and
 *           ring, unless somebody else has cleared it. (The claim leaves the bit: its maker may die before it rings.)
 *   plain:  store into the receiver's memory (a counter), full fence, look at the sleep bit; if set, clear it by
 *           compare-and-swap and ring.
 * The receiver: looks, sets the sleep bit by compare-and-swap only if no slot is claimed, looks again at what does not
 * go through the tail word, sleeps on the bell unless it has moved since it was read.
 *
 * Store buffers are explicit: a plain store sits in the sender's buffer until a drain step, a fence or an atomic
 * read-modify-write of that process. A lost wake-up shows as an invalid end state (receiver asleep, nobody left to ring).
 *
 * Mutants (-DMUTANT_…) that must fail:
 *   NO_FENCE         the plain sender does not fence between its store and its look at the sleep bit
 *   NO_SECOND_LOOK   the receiver does not look again behind the compare-and-swap
 *   BELL_READ_LATE   the receiver reads the bell's value only after the second look
 *   SLEEP_UNCHECKED  the receiver sets the sleep bit without comparing the ticket
 *
 * A variant that must hold: -DMUTANT_RING_BEFORE_PUBLISH, the inbox sender rings before the slot's identity word is stored; the receiver
 * may find the slot unpublished, which costs it a yield but loses nothing.
 */
#define MESSAGES 2                 /* by the inbox sender */
#define SIGNALS  2                 /* by the plain sender */

byte ticket = 0;                   /* the tail word: ticket ... */
bool sleeping = false;             /* ... and sleep bit; always touched together in one atomic step */
bool published[MESSAGES];
byte counter = 0;                  /* the plain word, as memory has it */
byte counter_buffered = 0;         /* value in the plain sender's store buffer; 0 = buffer empty */
byte bell = 0;
bool in_futex = false;

inline drain() { if :: counter_buffered != 0 -> counter = counter_buffered; counter_buffered = 0 :: else fi }
inline ring()  { atomic { bell = bell + 1 }; atomic { in_futex = false } }   /* increment, then FUTEX_WAKE: two steps */

inline clear_and_ring() {
  atomic { slept = sleeping; sleeping = false };
  if :: slept -> ring() :: else fi
}

/* The hardware may empty the store buffer at any time, or late. */
active proctype store_buffer() {
end:
  do
  :: atomic { counter_buffered != 0 -> counter = counter_buffered; counter_buffered = 0 }
  od
}

active proctype inbox_sender() {
  byte i = 0, mine; bool slept;
  do
  :: i < MESSAGES ->
     atomic { mine = ticket; ticket = ticket + 1; slept = sleeping };    /* the claim */
#ifdef MUTANT_RING_BEFORE_PUBLISH
     if :: slept -> clear_and_ring() :: else fi;
     published[mine] = true;
#else
     published[mine] = true;
     if :: slept -> clear_and_ring() :: else fi;
#endif
     i = i + 1
  :: else -> break
  od
}

active proctype plain_sender() {
  byte i = 0; bool seen;
  do
  :: i < SIGNALS ->
     atomic { drain(); counter_buffered = i + 1 };          /* store: into the buffer (older one leaves first) */
#ifndef MUTANT_NO_FENCE
     atomic { drain() };                                    /* full fence */
#endif
     seen = sleeping;
     if
     :: seen ->
        atomic { drain(); if :: sleeping -> sleeping = false :: else -> seen = false fi };   /* CAS; drains too */
        if :: seen -> ring() :: else fi
     :: else
     fi;
     i = i + 1
  :: else -> break
  od
}

active proctype receiver() {
  byte head = 0, got = 0, value; bool asleep;
  do
  :: head == MESSAGES && got == SIGNALS -> break
  :: else ->
     /* look */
     if
     :: head < MESSAGES && published[head] -> head = head + 1
     :: else ->
        if
        :: counter != got -> got = counter
        :: else ->
#ifndef MUTANT_BELL_READ_LATE
           value = bell;
#endif
           atomic {
#ifdef MUTANT_SLEEP_UNCHECKED
             sleeping = true; asleep = true
#else
             if :: ticket == head -> sleeping = true; asleep = true :: else -> asleep = false fi
#endif
           };
           if
           :: asleep ->
#ifndef MUTANT_NO_SECOND_LOOK
              if :: counter != got -> asleep = false :: else fi;
#endif
#ifdef MUTANT_BELL_READ_LATE
              value = bell;
#endif
              if
              :: asleep ->
                 atomic { if :: bell == value -> in_futex = true :: else fi };   /* FUTEX_WAIT compares and sleeps at once */
                 !in_futex
              :: else
              fi;
              atomic { sleeping = false }
           :: else                                        /* claimed, not published: yield and look again */
           fi
        fi
     fi
  od
}
