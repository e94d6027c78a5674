/* A ring that one sender alone writes, in front of an inbox (src/transport/ring*): order of messages that use both, and nobody
 * asleep for ever.
 *
 * One sender, MESSAGES numbered messages to one receiver. It writes into the ring while it has a free slot there, and into the
 * inbox (claim, which sees the sleep bit; publish) otherwise, or now and then. A store to the ring is not fenced: it sits in the sender's store
 * buffer until that is emptied, at any time, or by an atomic operation of the sender. After it the sender looks whether the receiver
 * attends; if not, it fences, looks at the sleep bit, and rings.
 *
 * The receiver looks into ring and inbox in either order; it leaves an entry of the ring that is not due, and looks into the
 * ring when the inbox is ahead of what is due. Before it sleeps it gives up attending, sets the sleep bit (in the tail word: only if no slot is
 * claimed), looks into the ring again, and sleeps: for a moment, after which it looks again, if it attended a moment ago; until it is
 * rung, if not. It attends again, or does not. A moment is longer than any store takes: when one has passed since it gave up, what was
 * stored before is there.
 *
 * Mutants that must fail:
 *   NO_SETTLE     the first sleep after giving up has no end
 *   SETTLE_ONCE   only that one has an end, even if it was ended by a message
 *   TIME_LATE     the receiver asks whether a moment has passed only after its look into the ring
 *   NO_LOOK       the sender does not look whether the receiver attends
 *   NO_FENCE      it does not fence before it looks at the sleep bit
 *   NO_RING_LOOK  the receiver does not look into the ring between the sleep bit and the sleep
 *   GIVE_UP_LATE  the receiver gives up attending only after that look
 *   NO_DUE        the receiver takes an entry of the ring whether it is due or not
 *   NO_CATCH_UP   the receiver takes a message of the inbox without looking whether the ring has an earlier one
 *   BLIND_SLOT    the sender writes into a slot without having seen that it was read
 */
#define MESSAGES 5
#define SLOTS 2

byte ring[SLOTS];                  /* the message in each slot, as memory has it; 0 = none yet */
byte buffered = 0, buffered_at;    /* in the sender's store buffer; 0 = empty */
byte head = 0;                     /* entries read, as the receiver tells */
bool attends = true;
byte tail = 0;                     /* claimed slots of the inbox */
byte slot[MESSAGES];               /* 0 = not published */
bool sleeping = false;
byte bell = 0;
bool in_futex = false, momentary = false;
bool settle = false;               /* no moment has passed since it gave up */
byte got = 0;                      /* messages taken: they must come as 1, 2, 3 … */

inline drain() { if :: buffered != 0 -> ring[buffered_at] = buffered; buffered = 0 :: else fi }
inline clear_and_ring() {
  atomic { drain(); slept = sleeping; sleeping = false };
  if :: slept -> atomic { bell = bell + 1; in_futex = false } :: else fi
}

active proctype store_buffer() {
end:
  do
  :: atomic { buffered != 0 -> drain() }
  od
}

/* Time. */
active proctype moment() {
end:
  do
  :: atomic { settle && buffered == 0 -> settle = false }
  :: atomic { in_futex && momentary && buffered == 0 -> settle = false; in_futex = false }
  od
}

active proctype sender() {
  byte i = 1, mine, number = 0; bool slept;
  do
  :: i <= MESSAGES ->
     if
#ifdef MUTANT_BLIND_SLOT
     :: true ->
#else
     :: number - head < SLOTS ->
#endif
        atomic { drain(); buffered = i; buffered_at = number % SLOTS };   /* an older store leaves first */
        number = number + 1;
#ifndef MUTANT_NO_LOOK
        if
        :: attends
        :: !attends ->
#ifndef MUTANT_NO_FENCE
           atomic { drain() };
#endif
           if :: sleeping -> clear_and_ring() :: else fi
        fi
#endif
     :: true ->
        atomic { drain(); mine = tail; tail = tail + 1; slept = sleeping };   /* the claim */
        slot[mine] = i;
        if :: slept -> clear_and_ring() :: else fi
     fi;
     i = i + 1
  :: else -> break
  od
}

inline read_ring() {
  if
#ifdef MUTANT_NO_DUE
  :: ring[number % SLOTS] != 0 && ring[number % SLOTS] != last[number % SLOTS] ->
     assert(ring[number % SLOTS] == got + 1);
#else
  :: ring[number % SLOTS] == got + 1 ->
#endif
     atomic {
       last[number % SLOTS] = ring[number % SLOTS];
       got = got + 1;
       number = number + 1;
       head = number
     }
  :: else
  fi
}

inline read_inbox() {
  if
  :: taken < MESSAGES && slot[taken] != 0 ->
#ifndef MUTANT_NO_CATCH_UP
     do
     :: slot[taken] != got + 1 ->
        before = got;
        read_ring();
        assert(got != before)                     /* what is due is at the head of the ring */
     :: else -> break
     od;
#endif
     atomic {
       assert(slot[taken] == got + 1);
       got = got + 1;
       taken = taken + 1
     }
  :: else
  fi
}

active proctype receiver() {
  byte number = 0, taken = 0, before, value; bool asleep, limited;
  byte last[SLOTS];
  do
  :: got == MESSAGES -> break
  :: got < MESSAGES ->
     before = got;
     if :: true -> read_ring(); read_inbox() :: true -> read_inbox(); read_ring() fi;
     if
     :: got != before
     :: got == before ->
        value = bell;
#ifndef MUTANT_GIVE_UP_LATE
#ifdef MUTANT_SETTLE_ONCE
        atomic { settle = attends; attends = false; limited = settle };
#else
        atomic { settle = settle || attends; attends = false; limited = settle };
#endif
#endif
        atomic { if :: tail == taken -> sleeping = true; asleep = true :: else -> asleep = false fi };
        if
        :: asleep ->
#ifndef MUTANT_NO_RING_LOOK
           if
           :: ring[number % SLOTS] != 0 && ring[number % SLOTS] != last[number % SLOTS] -> asleep = false
           :: else
           fi;
#endif
#ifdef MUTANT_GIVE_UP_LATE
           atomic { settle = settle || attends; attends = false; limited = settle };
#endif
           if
           :: asleep ->
#ifdef MUTANT_NO_SETTLE
              limited = false;
#endif
#ifdef MUTANT_TIME_LATE
              limited = settle;
#endif
              atomic { if :: bell == value -> momentary = limited; in_futex = true :: else fi };
              !in_futex
           :: else
           fi;
           atomic { sleeping = false }
        :: else
        fi;
        if :: attends = true :: true fi
     fi
  od
}
