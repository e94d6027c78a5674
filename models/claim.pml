/* A rendezvous record between the receiver that matches and the sender that cancels (src/p2p/cancel.cpp, matching.cpp: claim()), and
 * its use by the next message while an envelope of the last one is still under way.
 *
 * The sender sends MESSAGES messages with one record: new_record() (a new generation, pending), envelope; then it waits for `done`, or
 * cancels by compare-and-swap (pending → cancelled) and gives the record back. The receiver meets the envelopes in order, late if it
 * likes, and claims by compare-and-swap (pending of that generation → matched): success, it copies and answers; failure, the envelope is void.
 *
 * Asserted: a message is received or cancelled, never both, and one of the two; the data that is copied is that of its envelope.
 *
 * Mutants that must fail (sync: record-claim):
 *   CLAIM_APART     the receiver looks, then stores `matched`
 *   CANCEL_APART    the sender looks, then stores `cancelled`
 *   NO_GENERATION   the generation stays the same from message to message
 *   CLAIM_BLIND     the receiver takes any pending record for its message
 *   DONE_BLIND      `done` ends whatever the record serves now: the cancelled message was answered all the same
 *   ENVELOPE_EARLY  the envelope leaves before the record is pending
 */
#define MESSAGES 3

mtype = { is_free, pending, matched, cancelled };
mtype state = is_free;
byte generation = 0;               /* with `state`, one word */
byte data = 0;                     /* where the record points: the message it serves */
bool received[MESSAGES + 1], withdrawn[MESSAGES + 1];
chan envelopes = [MESSAGES] of { byte, byte };   /* message, generation */
chan answers = [MESSAGES] of { byte };           /* generation */

inline new_record() {
  data = m;
#ifdef MUTANT_NO_GENERATION
  atomic { generation = 1; state = pending }
#else
  atomic { generation = generation + 1; state = pending }
#endif
}

active proctype sender() {
  byte m = 1, number; bool ended, won;
  do
  :: m <= MESSAGES ->
#ifdef MUTANT_ENVELOPE_EARLY
     envelopes ! m, generation + 1;
     new_record();
#else
     new_record();
     envelopes ! m, generation;
#endif
     ended = false;
     if :: won = true :: won = false fi;                    /* cancels, once, or does not */
     do
     :: ended -> break
     :: !ended && nempty(answers) ->
        answers ? number;
#ifdef MUTANT_DONE_BLIND
        assert(state == matched); ended = true
#else
        if :: number == generation && state != is_free -> ended = true :: else fi
#endif
     :: !ended && won ->           /* cancel() */
#ifdef MUTANT_CANCEL_APART
        won = (state == pending);
        if :: won -> state = cancelled :: else fi;
#else
        atomic { won = (state == pending); if :: won -> state = cancelled :: else fi };
#endif
        if :: won -> withdrawn[m] = true; ended = true :: else fi
     od;
     assert(received[m] != withdrawn[m]);
     state = is_free;
     data = 0;                     /* the program may do with it what it likes */
     m++
  :: else -> break
  od
}

active proctype receiver() {
  byte m = 0, number; bool won;
  do
  :: m == MESSAGES -> break
  :: envelopes ? m, number ->
#ifdef MUTANT_CLAIM_APART
     won = (state == pending && generation == number);
     if :: won -> state = matched :: else fi;
#else
#ifdef MUTANT_CLAIM_BLIND
     atomic { won = (state == pending); if :: won -> state = matched :: else fi };
#else
     atomic { won = (state == pending && generation == number); if :: won -> state = matched :: else fi };
#endif
#endif
     if
     :: won ->
        assert(data == m && !withdrawn[m]);
        received[m] = true;
        answers ! number
     :: else
#ifdef MUTANT_DONE_BLIND
        -> answers ! number
#endif
     fi
  od
}
