/* Who stays beside an open message (src/p2p/choice.cpp, wait_until(); record_store.hpp; decision 019): the wish in a sender's record.
 *
 * Two ranks send each other MESSAGES messages, one after the other by one record, and compute between calls. A call waits for something
 * else (WAITS times), which ends at any moment, or for all that is open. In the library a rank polls.
 *
 *   wish         the sender's word: nothing, for_now (it waits for something else), all (it stays until the end), away (it was for_now).
 *                A receiver that waits turns for_now into all when it begins, a sender that leaves turns it into away: by
 *                compare-and-swap, the receiver's with the generation of the record.
 *   ways         through cells by wish: both have to poll, and both stay. By the kernel: the receiver alone. By help: whoever claims it
 *                copies it all, and the record may serve another message before the receiver hears of that. Through cells without a
 *                wish, where there is no other way: the sender may be computing, so nobody stays.
 *
 * Whoever stays, though what it came for is there, stays for a message whose other end is in the library, or which is through but for
 * the answer that is on its way. Nobody waits for ever.
 *
 * Mutants that must fail:
 *   LEAVE_BLIND      the sender stores away without comparing
 *   BEGIN_BLIND      the receiver begins by wish when it has read for_now, without compare-and-swap
 *   NO_GENERATION    the receiver's compare-and-swap would keep whatever message the record serves
 *   RECEIVER_LEAVES  a receive that goes through cells by wish keeps nobody
 *   STAY_FOR_ALL     one that goes through cells without a wish keeps its owner, too
 */
#define MESSAGES 2
#define WAITS 2
#define BLOCKS 2

mtype = { nothing, for_now, all, away };                     /* wish */
mtype = { help, clear, data, done, pushed };                 /* control messages */
mtype = { none, posted, open, asked, moving };               /* a receive */
mtype = { nobody, by_receiver, by_sender };                  /* who has claimed it */

mtype wish[2] = nothing, claim[2] = nobody;                  /* the record of each rank's send */
byte generation[2] = 0;
chan offers[2] = [MESSAGES] of { byte };                     /* by the number of the record's use */
chan to[2] = [8] of { mtype, byte };

/* For the oracle. */
bool inside[2] = false, through[2] = false;                  /* in the library; the receiver has all of it */
bool kept_send[2] = false, kept_receive[2] = false;          /* a rank stays for that message of its own, or of its peer */

#define peer (1 - me)
#define fine(s) (!kept_send[s] || through[s] || claim[s] == by_sender || inside[1 - s])
#define fine_receive(r) (!kept_receive[r] || inside[1 - r])

inline receive_ends() { state = none; by_wish = false; got = 0; received++; kept_receive[me] = false }
inline says_done() { through[peer] = true; to[peer] ! done, number; receive_ends() }
inline send_ends() { is_open = false; waits_for_send = false; helps = false; blocks = 0; kept_send[me] = false }

/* The receiver decides: it has read the wish in a step before. `claims`: the peer may copy it, too. */
inline begin_by(claims) {
  if
  :: atomic { seen == for_now ->
#if defined(MUTANT_BEGIN_BLIND)
       seen = all
#else
       if
#ifdef MUTANT_NO_GENERATION
       :: wish[peer] == for_now -> wish[peer] = all; seen = all
#else
       :: wish[peer] == for_now && generation[peer] == number -> wish[peer] = all; seen = all
#endif
       :: else -> seen = nothing
       fi
#endif
     }
  :: else
  fi;
  atomic {
    if
    :: claims && !(claim[peer] == nobody && generation[peer] == number) -> skip      /* the sender has it */
    :: else ->
       if :: claims -> claim[peer] = by_receiver :: else fi;
       if
       :: seen == all -> by_wish = true; state = moving; to[peer] ! clear, number
       :: else -> says_done()                                                         /* by the kernel */
       fi
    fi;
    seen = nothing
  }
}

inline poll() {
  if
  :: atomic { state == posted && nempty(offers[me]) -> offers[me] ? number; state = open }
  :: atomic { to[me] ? what, n ->
       if
       :: what == help -> helps = (n == generation[me] && is_open)
       :: what == clear -> assert(is_open && n == generation[me]); blocks = BLOCKS
       :: what == data ->
          got++;
          if :: got == BLOCKS -> says_done() :: else fi
       :: what == done -> assert(is_open && n == generation[me]); send_ends()
       :: what == pushed -> assert(state == asked && n == number); receive_ends()
       fi;
       what = nothing; n = 0
     }
  :: atomic { state == open && waits_for_receive -> seen = wish[peer] };
     begin_by(false)
  :: atomic { state == asked && waits_for_receive && claim[peer] == nobody && generation[peer] == number -> seen = wish[peer] };
     begin_by(true)
  :: atomic { state == open && !waits_for_receive ->
       if
       :: says_done()
       :: to[peer] ! help, number; state = asked
       :: to[peer] ! clear, number; state = moving
       fi
     }
  :: atomic { state == asked && !waits_for_receive && claim[peer] == nobody && generation[peer] == number ->
       claim[peer] = by_receiver; says_done() }
  :: atomic { helps && claim[me] == nobody -> claim[me] = by_sender };
     atomic { to[peer] ! pushed, generation[me]; send_ends() }
  :: atomic { blocks > 0 -> blocks--; to[peer] ! data, generation[me] }
  fi
}

proctype rank(byte me) {
  byte sent = 0, received = 0, calls = 0, number = 0, got = 0, blocks = 0, n = 0;
  mtype state = none, seen = nothing, what = nothing;
  bool is_open = false, helps = false, waits_for_send = false, waits_for_receive = false, by_wish = false, may = false;
  do
  :: atomic { !is_open && state == none && sent < MESSAGES ->            /* MPI_Irecv, MPI_Isend */
       sent++; is_open = true; generation[me]++;
       wish[me] = nothing; claim[me] = nobody; through[me] = false;
       offers[peer] ! generation[me];
       state = posted; waits_for_receive = false
     }
  :: atomic { is_open || state != none -> inside[me] = true };           /* MPI_Waitall */
     atomic {
       if :: is_open -> waits_for_send = true; wish[me] = all :: else fi;
       if :: state != none -> waits_for_receive = true :: else fi
     };
     do
     :: is_open || state != none -> poll()
     :: else -> break
     od;
     atomic { inside[me] = false; assert(fine(peer) && fine_receive(peer)) }
  :: atomic { calls < WAITS && (is_open || state != none) -> calls++; inside[me] = true };
     if                                                                  /* come_in() */
     :: atomic { is_open && (wish[me] == nothing || wish[me] == away) -> wish[me] = for_now; waits_for_send = true }
     :: skip
     fi;
     if :: state != none -> waits_for_receive = true :: else fi;
     do
     :: poll()
     :: break                                                            /* what it waits for has come */
     od;
     do                                                                  /* may_go() */
     :: may = true;
        if
        :: waits_for_send ->
#ifdef MUTANT_LEAVE_BLIND
           atomic { wish[me] = away; waits_for_send = false }
#else
           atomic {
             if
             :: wish[me] == for_now -> wish[me] = away; waits_for_send = false
             :: else -> may = false; kept_send[me] = true; assert(fine(me))
             fi
           }
#endif
        :: else
        fi;
        atomic {
          if
#if defined(MUTANT_RECEIVER_LEAVES)
          :: false -> skip
#elif defined(MUTANT_STAY_FOR_ALL)
          :: state == moving -> may = false; kept_receive[me] = true; assert(fine_receive(me))
#else
          :: state == moving && by_wish && waits_for_receive -> may = false; kept_receive[me] = true; assert(fine_receive(me))
#endif
          :: else -> waits_for_receive = false
          fi
        };
        if :: may -> break :: else -> poll() fi
     od;
     atomic { inside[me] = false; may = false; assert(fine(peer) && fine_receive(peer)) }
  :: sent == MESSAGES && received == MESSAGES && !is_open -> break
  od
}

init { atomic { run rank(0); run rank(1) } }
