/* Refusal and the sender's own queue (src/transport/queue_layout.hpp, docs/architecture.md): order, and nobody asleep for ever.
 *
 * One sender, MESSAGES numbered messages to one receiver, an inbox of one slot. A message is refused when the slot is full; it then
 * goes to the queue in the sender's memory, and so does everything later while the queue is not empty as its sender sees it (head,
 * stored by the receiver, differs from tail). After each append the sender sets its bit in the receiver's bitmap and looks at the
 * sleep bit. The receiver that finds the bit clears it, observes the tail, drains its inbox, and only then takes what it had
 * observed. There is no handshake to close the queue: storing head is all.
 *
 * Checked: messages are taken in order (assertion), all of them (end state). What is shared here is changed by atomic steps; the
 * store buffers that matter are those of models/sleep.pml.
 *
 * Mutants that must fail:
 *   OBSERVE_LATE     the receiver drains its inbox before it observes the tail
 *   TAKE_UNSEEN      the receiver takes what was appended after it drained its inbox
 *   INBOX_WHILE_OPEN the sender tries the inbox although its queue is not empty
 *   NO_RING          the sender appends without looking at the sleep bit (inbox full, both sides asleep)
 *   NO_QUEUE_LOOK    the receiver does not look at the bitmap again before it sleeps
 *   NO_REGISTER      the sender sets its bit only when the queue was empty, looked at before the append
 */
#define MESSAGES 6

byte slot = 0;                     /* the inbox: 0 = free, else the message */
bool sleeping = false;
bool bit_set = false;              /* the sender's bit in the receiver's bitmap */
byte tail = 0, head = 0;           /* of the queue: W sender, W receiver */
byte queue[MESSAGES + 1];
byte bell = 0;
bool in_futex = false;

inline ring_if_asleep() {
  atomic { slept = sleeping; sleeping = false };
  if :: slept -> atomic { bell = bell + 1; in_futex = false } :: else fi
}

active proctype sender() {
  byte i = 1; bool slept, placed, was_empty;
  do
  :: i <= MESSAGES ->
     placed = false;
     was_empty = (head == tail);
#ifndef MUTANT_INBOX_WHILE_OPEN
     if
     :: was_empty ->
#endif
        atomic { slept = false; if :: slot == 0 -> slot = i; placed = true; slept = sleeping :: else fi };
        if :: slept -> ring_if_asleep() :: else fi
#ifndef MUTANT_INBOX_WHILE_OPEN
     :: else
     fi
#endif
     ;
     if
     :: !placed ->
        queue[tail] = i;
        tail = tail + 1;
#ifdef MUTANT_NO_REGISTER
        if :: was_empty -> bit_set = true :: else fi;
#else
        bit_set = true;
#endif
#ifndef MUTANT_NO_RING
        ring_if_asleep()
#else
        skip
#endif
     :: else
     fi;
     i = i + 1
  :: else -> break
  od
}

byte expected = 1;
inline take(m) { assert(m == expected); expected = expected + 1 }

active proctype receiver() {
  byte seen = 0, value, m; bool known, asleep;
  do
  :: expected > MESSAGES -> break
  :: else ->
     known = false;
     if
     :: bit_set -> bit_set = false; known = true
     :: else
     fi;
#ifndef MUTANT_OBSERVE_LATE
     if :: known -> seen = tail :: else fi;
#endif
     atomic { m = slot; slot = 0 };                      /* drain the inbox */
     if :: m != 0 -> take(m) :: else fi;
#ifdef MUTANT_OBSERVE_LATE
     if :: known -> seen = tail :: else fi;
#endif
     do
#ifdef MUTANT_TAKE_UNSEEN
     :: known && head < tail -> take(queue[head]); head = head + 1
#else
     :: head < seen -> take(queue[head]); head = head + 1
#endif
     :: else -> break
     od;
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
