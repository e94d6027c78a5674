/* A pair line in front of an inbox (src/transport/pair_line*.hpp): order of messages that use both, and nobody asleep for ever.
 *
 * One sender, MESSAGES numbered messages to one receiver. The sender writes into the line when it knows that it has the turn, and
 * into the inbox (claim, then publish; long enough never to be full) otherwise. The receiver has the turn once it has read the
 * line, and gives it back at some time or never (its own message, of no interest here). It looks into line and inbox in either order; it
 * leaves a message of the line that is not due, and looks into the line when the inbox is ahead of what is due. Before it sleeps it gives up
 * attending, sets the sleep bit (in the tail word: only if no slot is claimed), then looks into the line again, and sleeps for a moment only when it
 * attended a moment ago (ring.pml has more of that). The sender looks whether the receiver attends after its store to the line; if not, it
 * fences, looks at the sleep bit, and rings.
 *
 * A longer payload lies in the buffer of the pair, written before the line, and read before the turn is given back: the next payload is written
 * there, and so is that of the answer. A long payload is written in parts, some of them after the line; what is there is then told by
 * `filled`, stored and announced like the line. A receiver that follows takes the message as soon as it is in the line, and waits for the rest
 * of it; for one that does not, the message has come only with all of it: no earlier it is taken, or stays awake for it.
 *
 * The store buffer of the sender is explicit for the line's word, and for `filled` behind it.
 *
 * Mutants that must fail:
 *   NO_FENCE      the sender does not fence before it looks at the sleep bit
 *   NO_SETTLE     the receiver sleeps without an end though it attended a moment ago
 *   NO_LOOK       the sender does not look whether the receiver attends
 *   NO_LINE_LOOK  the receiver does not look into the line between the sleep bit and the sleep
 *   NO_DUE        the receiver takes a message of the line whether it is due or not
 *   NO_CATCH_UP   the receiver takes a message of the inbox without looking whether the line has an earlier one
 *   EARLY_TURN    the receiver gives the turn back before it has read the buffer
 *   UNFILLED      the receiver takes a message of the line whether all of its payload is there or not, and does not wait for it
 *   LOOK_EARLY    the sender looks at the sleep bit after the line, and not after the last part
 *   BLIND_TURN    the sender writes into the line without having seen that its last message there was read
 */
#define MESSAGES 5

byte line = 0;                     /* message in the line, as memory has it; 0 = read */
byte line_buffered = 0;            /* in the sender's store buffer; 0 = empty */
byte filled_buffered = 0;          /* the same of `filled`, stored later */
#define buffer_empty (line_buffered == 0 && filled_buffered == 0)
byte in_buffer = 0, rest = 0;      /* whose payload is in the buffer; and whose last part */
byte filled = 0;                   /* the message that is there with all its parts */
bool returned = true;              /* the turn is the sender's: visible to it when it looks */
byte tail = 0;                     /* claimed slots of the inbox */
byte slot[MESSAGES];               /* 0 = not published */
bool sleeping = false;
byte bell = 0;
bool in_futex = false, momentary = false;
bool attends = true, settle = false;   /* the receiver's; no moment has passed since it gave that up */
byte got = 0;                      /* messages taken: they must come as 1, 2, 3 … */

inline drain() {
  if :: line_buffered != 0 -> line = line_buffered; line_buffered = 0 :: else fi;
  if :: filled_buffered != 0 -> filled = filled_buffered; filled_buffered = 0 :: else fi
}
inline clear_and_ring() {
  atomic { drain(); slept = sleeping; sleeping = false };
  if :: slept -> atomic { bell = bell + 1; in_futex = false } :: else fi
}

active proctype store_buffer() {
end:
  do
  :: atomic { line_buffered != 0 -> line = line_buffered; line_buffered = 0 }
  :: atomic { line_buffered == 0 && filled_buffered != 0 -> filled = filled_buffered; filled_buffered = 0 }
  od
}

/* Time. */
active proctype moment() {
end:
  do
  :: atomic { settle && buffer_empty -> settle = false }
  :: atomic { in_futex && momentary && buffer_empty -> settle = false; in_futex = false }
  od
}

inline announce() {
#ifndef MUTANT_NO_LOOK
  if
  :: attends
  :: !attends ->
#ifndef MUTANT_NO_FENCE
     atomic { drain() };
#endif
     slept = sleeping;
     if :: slept -> clear_and_ring() :: else fi
  fi
#else
  skip
#endif
}

active proctype sender() {
  byte i = 1, mine; bool slept, in_parts, turn = false;
  do
  :: i <= MESSAGES ->
     if                            /* looks into the line now and then */
     :: !turn && returned -> turn = true; returned = false
#ifdef MUTANT_BLIND_TURN
     :: !turn -> turn = true
#endif
     :: skip
     fi;
     if
     :: turn ->
        turn = false;
        in_buffer = i;                                     /* its stores leave the buffer before that of the line */
        if :: rest = i; in_parts = false :: in_parts = true fi;
        atomic { drain(); line_buffered = i; if :: !in_parts -> filled = i :: else fi };
        announce();
        if
        :: in_parts ->
           rest = i;
           atomic { filled_buffered = i };
#ifndef MUTANT_LOOK_EARLY
           announce()
#endif
        :: else
        fi
     :: else ->
        atomic { drain(); mine = tail; tail = tail + 1; slept = sleeping };      /* compare-and-swap: a full fence */
        slot[mine] = i;
        if :: slept -> clear_and_ring() :: else fi
     fi;
     i = i + 1
  :: else -> break
  od
}

#ifdef MUTANT_UNFILLED
#define come (line != 0)
#define all_there(m) true
#else
#define come (line != 0 && (follows || filled == line))
#define all_there(m) (filled == m)
#endif
#define ANSWER 255
bool follows = false;
inline take(m) { got = got + 1; assert(m == got) }
inline read_line() {
  m = line; line = 0;
#ifdef MUTANT_EARLY_TURN
  returned = true;
#endif
  all_there(m);
  assert(in_buffer == m && rest == m); take(m);
  if :: in_buffer = ANSWER; rest = ANSWER; returned = true :: skip fi   /* answers there, or never */
}

active proctype receiver() {
  byte head = 0, value, m; bool asleep, limited;
  if :: follows = true :: skip fi;
  do
  :: got == MESSAGES -> break
  :: got < MESSAGES ->
     if
#ifdef MUTANT_NO_DUE
     :: come -> read_line()
#else
     :: come && line == got + 1 -> read_line()
#endif
     :: head < MESSAGES && slot[head] != 0 ->
#ifndef MUTANT_NO_CATCH_UP
        if :: slot[head] != got + 1 && come && line == got + 1 -> read_line() :: else fi;
#endif
        take(slot[head]); head = head + 1
     :: else ->
        value = bell;
        atomic { settle = settle || attends; attends = false; limited = settle };
#ifdef MUTANT_NO_SETTLE
        limited = false;
#endif
        atomic { if :: tail == head -> sleeping = true; asleep = true :: else -> asleep = false fi };
#ifndef MUTANT_NO_LINE_LOOK
        if :: asleep && line != 0 && all_there(line) -> asleep = false :: else fi;
#endif
        if
        :: asleep ->
           atomic { if :: bell == value -> momentary = limited; in_futex = true :: else fi };
           !in_futex
        :: else
        fi;
        atomic { sleeping = false };
        if :: attends = true :: skip fi
     fi
  od
}
