/* Refusal and the sender's own queue (src/transport/, design of docs/architecture.md): order, and nobody asleep for ever.
 *
 * One sender, MESSAGES numbered messages to one receiver, an inbox of one slot. A message is refused when the slot is full;
 * it then goes to the queue in the sender's memory, and so does everything later until the receiver has closed the queue. The
 * queue's word holds (open, number appended): the sender appends by compare-and-swap open,n -> open,n+1 and reopens
 * closed,n -> open,n+1; only the receiver closes, by compare-and-swap open,consumed -> closed.
 * Opening sets the sender's bit in the receiver's bitmap; then, and after each append, the sender looks at the sleep bit.
 * The receiver that finds the bit clears it, drains its inbox first, then takes from the queue, then closes.
 *
 * Checked: messages are taken in order (assertion), all of them (end state). Everything here that is shared is changed by atomic
 * read-modify-write; the store buffers that matter are those of models/sleep.pml.
 *
 * Mutants that must fail:
 *   CLOSE_UNCHECKED  closing is a plain store: an append in between is lost
 *   PULL_FIRST       the receiver takes from the queue without draining its inbox behind the bit
 *   INBOX_WHILE_OPEN the sender tries the inbox although its queue is open
 *   NO_RING          the sender appends without looking at the sleep bit (inbox full, both sides asleep)
 *   NO_QUEUE_LOOK    the receiver does not look at the bitmap again before it sleeps
 */
#define MESSAGES 5

byte slot = 0;                     /* the inbox: 0 = free, else the message */
bool sleeping = false;
bool bit_set = false;              /* the sender's bit in the receiver's bitmap */
bool open_queue = false;           /* the queue's word ... */
byte appended = 0;                 /* ... */
byte queue[MESSAGES + 1];
byte bell = 0;
bool in_futex = false;

inline ring_if_asleep() {
  atomic { slept = sleeping; sleeping = false };
  if :: slept -> atomic { bell = bell + 1; in_futex = false } :: else fi
}

active proctype sender() {
  byte i = 1; bool slept, placed;
  do
  :: i <= MESSAGES ->
     placed = false;
#ifndef MUTANT_INBOX_WHILE_OPEN
     if
     :: open_queue ->
        queue[appended] = i;
        atomic { if :: open_queue -> appended = appended + 1; placed = true :: else fi };
        if :: placed ->
#ifndef MUTANT_NO_RING
          ring_if_asleep()
#else
          skip
#endif
        :: else fi
     :: else
     fi;
#endif
     if
     :: !placed ->
        atomic { if :: slot == 0 -> slot = i; placed = true; slept = sleeping; sleeping = false :: else -> slept = false fi };
        if
        :: placed -> if :: slept -> atomic { bell = bell + 1; in_futex = false } :: else fi
        :: else ->                                      /* refused: open the queue */
           queue[appended] = i;
           atomic { appended = appended + 1; open_queue = true };
           atomic { bit_set = true };
#ifndef MUTANT_NO_RING
           ring_if_asleep()
#endif
        fi
     :: else
     fi;
     i = i + 1
  :: else -> break
  od
}

byte expected = 1;
inline take(m) { assert(m == expected); expected = expected + 1 }

active proctype receiver() {
  byte consumed = 0, value, m; bool known = false, asleep;
  do
  :: expected > MESSAGES -> break
  :: else ->
     m = 0;
     if
     :: bit_set ->
        atomic { bit_set = false }; known = true
     :: else
     fi;
#ifdef MUTANT_PULL_FIRST
     if :: known && consumed < appended -> take(queue[consumed]); consumed = consumed + 1 :: else fi;
#endif
     atomic { m = slot; slot = 0 };                      /* drain the inbox: behind the look at the bit */
     if :: m != 0 -> take(m) :: else fi;
     if
     :: known ->
        do
        :: consumed < appended -> take(queue[consumed]); consumed = consumed + 1
        :: else -> break
        od;
#ifdef MUTANT_CLOSE_UNCHECKED
        open_queue = false; known = false
#else
        atomic { if :: appended == consumed -> open_queue = false; known = false :: else fi }
#endif
     :: else
     fi;
     if
     :: expected <= MESSAGES && m == 0 && !known ->
        value = bell;
        atomic { if :: slot == 0 -> sleeping = true; asleep = true :: else -> asleep = false fi };
        if
        :: asleep ->
#ifndef MUTANT_NO_QUEUE_LOOK
           if :: bit_set -> asleep = false :: else fi;
#endif
           if
           :: asleep -> atomic { if :: bell == value -> in_futex = true :: else fi }; !in_futex
           :: else
           fi;
           atomic { sleeping = false }
        :: else
        fi
     :: else
     fi
  od
}
