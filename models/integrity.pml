/* Messages through a region that loses, damages and repeats lines (docs/decisions/007, tests/transport/poor/poor_checks.cpp): each is taken
 * once, in order, and none is waited for in vain.
 *
 * One sender, MESSAGES numbered messages, a ring of SLOTS slots in the receiver's memory. The sender keeps what it sends, sealed, in its own
 * memory until it is answered for; when the ring is full, and while its queue is not empty as it sees it, messages go into the queue in
 * its own memory, whose length it announces (in its own memory, and by a store into the receiver's). The receiver's answers, head and
 * taken, are its own words.
 *
 * What crosses: stores of the sender into the receiver's memory (slots, the announced length) and loads of either from the other's.
 * FAULTS of them go wrong. A store is lost, or arrives damaged, or an older one arrives once more; a load brings an old value. A
 * checksum tells a damaged line from a whole one: here, a flag. A load of something sealed that brings an old value is a load that
 * does not fit, which is as if there were nothing.
 *
 * The receiver polls for ever; it looks into the sender's memory when something damaged has arrived, when a message from the queue is not
 * due, and otherwise now and then. A look that meets no fault and finds nothing, when all has been sent and not all been taken, would be repeated for
 * ever: that is an error (HANG). So are a message that is not due, and one that is not what was sent.
 *
 * Mutants that must fail:
 *   NO_LOOK          the receiver never looks for a slot that has not arrived
 *   NO_LENGTH_LOOK   the receiver never looks for the announced length
 *   NO_CHECK         a damaged slot is taken
 *   NO_PLACE         a slot that says only that it is full, and not of which message: an old one passes
 *   NO_DUE           a message from the queue is taken although an earlier one is missing
 *   RING_WHILE_OPEN  the sender uses the ring although its queue is not empty
 *   KEEP_SHORT       the sender reuses a slot, and what it kept for it, before the receiver has answered
 */
#define MESSAGES 5
#define SLOTS 2
#define FAULTS 2
#ifdef MUTANT_KEEP_SHORT
#define ROOM SLOTS + 1
#else
#define ROOM SLOTS
#endif
#ifdef MUTANT_RING_WHILE_OPEN
#define QUEUE_IS_EMPTY true
#else
#define QUEUE_IS_EMPTY emptied == length
#endif

/* the receiver's memory; a slot is 1 + its place, 0: empty */
#ifdef MUTANT_NO_LOOK
#define LOOKS false
#else
#define LOOKS look
#endif
#ifdef MUTANT_NO_DUE
#define IS_DUE true
#else
#define IS_DUE m == due
#endif
#ifdef MUTANT_NO_PLACE
#define EMPTY(s) slot[s] = 0
#else
#define EMPTY(s) skip
#endif

byte slot[SLOTS], slot_message[SLOTS];
bool slot_damaged[SLOTS];
byte told = 0;                       /* length of the queue, as stored here */
byte head = 0, taken = 0;            /* W: receiver */
/* the sender's memory */
byte kept[SLOTS], kept_message[SLOTS];
byte queue[MESSAGES + 1];
byte length = 0;                     /* of the queue, as announced */
bool sent_all = false;
byte faults = FAULTS;
/* what may come once more: the last but one of each place */
byte old_slot[SLOTS], old_message[SLOTS], old_told = 0;

/* A repeated line comes at any time, from wherever it was. */
active proctype region() {
  byte i;
end:
  do
  :: atomic { faults > 0 && old_slot[0] != 0 -> faults--; slot[0] = old_slot[0]; slot_message[0] = old_message[0]; slot_damaged[0] = false }
  :: atomic { faults > 0 && old_slot[1] != 0 -> faults--; slot[1] = old_slot[1]; slot_message[1] = old_message[1]; slot_damaged[1] = false }
  :: atomic { faults > 0 && old_told < told -> faults--; told = old_told }
  od
}

active proctype sender() {
  byte i = 1, next = 0, answered = 0, emptied = 0, s;
  do
  :: i <= MESSAGES ->
     /* An old answer is a smaller one: what is known stays. */
     atomic {
       if :: answered = head :: faults > 0 -> faults-- fi;
       if :: emptied = taken :: faults > 0 -> faults-- fi
     };
     if
     :: atomic { next - answered < ROOM && QUEUE_IS_EMPTY ->
          s = next % SLOTS;
          kept[s] = next + 1; kept_message[s] = i
        };
        atomic {
          if :: slot[s] != 0 -> old_slot[s] = slot[s]; old_message[s] = slot_message[s] :: else fi;
          if
          :: slot[s] = next + 1; slot_message[s] = i; slot_damaged[s] = false
          :: faults > 0 -> faults--                                                            /* lost */
          :: faults > 0 -> faults--; slot[s] = next + 1; slot_message[s] = 0; slot_damaged[s] = true
          fi;
          next++; i++
        }
     :: else ->
        atomic { queue[length] = i; length++ };
        atomic {
          old_told = told;
          if :: told = length :: faults > 0 -> faults-- fi;
          i++
        }
     fi
  :: else -> break
  od;
  sent_all = true
}

#ifdef MUTANT_NO_PLACE
#define PLACE_FITS != 0
#else
#define PLACE_FITS == head + 1
#endif
#ifdef MUTANT_NO_CHECK
#define INTACT true
#else
#define INTACT !slot_damaged[s]
#endif

byte due = 1;
bool any, look, look_soon, met_fault;

inline take(m) { assert(m == due); due++; any = true }

/* Takes from the ring what there is. Each turn: a copy of the slot; if that does not do, a load of what the sender kept. */
inline drain() {
  more = true;
  do
  :: more ->
     atomic {
       s = head % SLOTS; need = false;
       here = (slot[s] PLACE_FITS);
       m = slot_message[s];
       if
       :: here && INTACT -> EMPTY(s); take(m); head++
       :: else ->
          if :: here -> look_soon = true :: else fi;
          need = (here || LOOKS);
          more = need
       fi
     };
     if
     :: need ->
        atomic {
          if
          :: faults > 0 -> faults--; met_fault = true; more = false
          :: kept[s] == head + 1 -> EMPTY(s); take(kept_message[s]); head++
          :: kept[s] != head + 1 -> more = false
          fi
        }
     :: else
     fi
  :: else -> break
  od
}

active proctype receiver() {
  byte s, m, seen = 0, value; bool here, need, more, complete;
  do
  :: due > MESSAGES -> break
  :: else ->
     atomic {
       any = false; met_fault = false;
       complete = sent_all;
       if :: look = true :: look = look_soon fi;
       look_soon = false
     };
     drain();
     atomic { value = told; if :: value > seen -> seen = value :: else fi };
#ifndef MUTANT_NO_LENGTH_LOOK
     if
     :: look ->
        atomic {
          if :: value = length :: faults > 0 -> faults--; met_fault = true; value = 0 fi;
          if :: value > seen -> seen = value :: else fi
        }
     :: else
     fi;
#endif
     drain();
     atomic {
       do
       :: taken < seen ->
          m = queue[taken];
          if :: IS_DUE -> take(m); taken++ :: else -> look_soon = true; break fi
       :: else -> break
       od;
       assert(!(complete && look && !met_fault && !any && due <= MESSAGES && faults == 0))  /* HANG */
     }
  od
}
