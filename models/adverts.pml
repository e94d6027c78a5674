/* Adverts (src/p2p/protocols/adverts.cpp): which receive gets which message when the sender may match, too.
 *
 * One sender, MESSAGES messages of two tags; one receiver, RECEIVES receives of either tag or any, one of which it may cancel.
 * Messages and envelopes of deposited messages travel in order through `user`; adverts travel through `control`. The receiver
 * advertises a large receive of one tag if no wildcard is posted and the last posted one of that tag, if any, is advertised; each
 * advert brings the number of messages taken in by then. The sender uses the oldest advert of the tag that is still pending, if everything
 * it has sent from the newest of these numbers on was deposited. A compare-and-swap in the receiver's record (`record`) decides between
 * depositing, matching locally and cancelling.
 *
 * That a receive has been filled is said through `filled`, and can come before the envelope. When all its receives are over the
 * receiver may free the communicator, and forgets what it knew of its messages; what comes even then is late.
 *
 * Oracle: with one sender MPI leaves no choice. At the moment of a match no earlier receive that accepts the message may be pending, and
 * no earlier message that the receive accepts may be unmatched. At the end no message is left that a pending receive accepts. Of a
 * communicator that is not freed each message is the one that is due; of one that is, nothing is remembered.
 *
 * Mutants that must fail:
 *   UNDER_WAY        the sender uses an advert though a message may still be under way
 *   OWN_NUMBER       each advert is judged by its own number: an old one is passed over, a newer one used
 *   BEHIND_WILDCARD  a receive is advertised though a wildcard is posted
 *   BEHIND_SMALL     a receive is advertised behind one of the same tag that is not
 *   NEWEST_FIRST     the sender takes the newest advert of a tag
 *   NO_CLAIM         cancelling looks at the record and writes it in two steps
 *   NOT_LATE         an envelope of a freed communicator is taken for one that is due
 *   LATE_BY_NUMBER   what is late is told by its number alone: not the first message
 */
#define MESSAGES 3
#define RECEIVES 3
#define ANY 2
#define NOBODY 9

mtype = { none, pending, matched, withdrawn };

byte tag_of[MESSAGES];
bool is_sent[MESSAGES], is_matched[MESSAGES];
byte wants[RECEIVES];
mtype record[RECEIVES];                  /* the claim word of an advertised receive */
mtype truth[RECEIVES];                   /* for the oracle: none (not posted), pending, matched, withdrawn */

chan user = [MESSAGES] of { byte, byte } /* message; the advert it was deposited into, or NOBODY */
chan control = [RECEIVES] of { byte, byte } /* receive; messages taken in when it was posted */
chan filled = [MESSAGES] of { byte }     /* receive */
bool sender_done = false;

#if defined(MUTANT_UNDER_WAY)
#define NUMBER MESSAGES
#elif defined(MUTANT_OWN_NUMBER)
#define NUMBER since[n]
#else
#define NUMBER newest
#endif

#define accepts(r, m) (wants[r] == ANY || wants[r] == tag_of[m])

/* Part of the atomic step in which the match is decided. */
inline match(m, r) {
  assert(truth[r] == pending && is_sent[m] && !is_matched[m]);
  truth[r] = matched; is_matched[m] = true;
  n = 0;
  do
  :: n < r -> assert(!(truth[n] == pending && accepts(n, m))); n++
  :: else -> break
  od;
  n = 0;
  do
  :: n < m -> assert(!(is_sent[n] && !is_matched[n] && accepts(r, n))); n++
  :: else -> break
  od;
  n = 0
}

active proctype sender() {
  byte m = 0, n = 0, r, at, plain = 0, known[RECEIVES], since[RECEIVES], adverts = 0, newest = 0;
  bool large;
  do
  :: atomic { control ? r, at -> known[adverts] = r; since[adverts] = at; newest = at; adverts++; r = 0; at = 0 }
  :: m < MESSAGES ->
     atomic {
       if :: tag_of[m] = 0 :: tag_of[m] = 1 fi;
       if :: large = true :: large = false fi;
       at = 0; r = NOBODY
     };
     /* Looks for an advert; the claim is one atomic step, as is everything else others see. */
     do
     :: large && r == NOBODY && at < adverts ->
        atomic {
#ifdef MUTANT_NEWEST_FIRST
          n = adverts - 1 - at;
#else
          n = at;
#endif
          r = known[n];
          if
          :: r == NOBODY -> skip
          :: r != NOBODY && (wants[r] != tag_of[m] || plain > NUMBER) -> r = NOBODY
          :: r != NOBODY && wants[r] == tag_of[m] && plain <= NUMBER ->
             known[n] = NOBODY;
             if
             :: record[r] == pending -> record[r] = matched; is_sent[m] = true; match(m, r)
             :: else -> r = NOBODY
             fi
          fi;
          n = 0; at++
        }
     :: else -> break
     od;
     atomic {
       if :: r == NOBODY -> is_sent[m] = true; plain = m + 1 :: else fi;
       user ! m, r
     };
     if :: r != NOBODY -> filled ! r :: else fi;
     atomic { m++; r = 0; at = 0 }
  :: m == MESSAGES -> break
  od;
  sender_done = true;
end:
  do :: control ? _, _ od
}

/* The receiver's own view. */
bool posted[RECEIVES], advertised[RECEIVES], unexpected[MESSAGES];
bool freed = false;

#if defined(MUTANT_NOT_LATE)
#define late(m) false
#elif defined(MUTANT_LATE_BY_NUMBER)
#define late(m) (freed && m != 0 && taken_in == 0)
#else
#define late(m) freed
#endif

/* A message matches a posted receive: nobody can have claimed that. */
inline take(m, r) {
  posted[r] = false;
  if
  :: advertised[r] -> assert(record[r] == pending); record[r] = withdrawn
  :: else
  fi;
  match(m, r)
}

active proctype receiver() {
  byte i = 0, j, n = 0, m, r, taken_in = 0;
  bool may, cancelled = false, looked;
  do
  :: i < RECEIVES ->                                             /* posts */
     atomic {
       if :: wants[i] = 0 :: wants[i] = 1 :: wants[i] = ANY fi;
       truth[i] = pending; j = 0;
       do
       :: j < MESSAGES && !(unexpected[j] && accepts(i, j)) -> j++
       :: else -> break
       od;
       if
       :: j < MESSAGES -> unexpected[j] = false; match(j, i)
       :: else ->
          may = (wants[i] != ANY); j = 0;
          do
          :: j < i ->
#ifndef MUTANT_BEHIND_WILDCARD
             if :: posted[j] && wants[j] == ANY -> may = false :: else fi;
#endif
#ifndef MUTANT_BEHIND_SMALL
             if :: posted[j] && wants[j] == wants[i] -> may = may && advertised[j] :: else fi;
#endif
             j++
          :: else -> break
          od;
          posted[i] = true;
          if
          :: may -> advertised[i] = true; record[i] = pending; control ! i, taken_in
          :: skip                                                /* a small one */
          fi
       fi;
       i++; j = 0; may = false
     }
  :: atomic { user ? m, r ->                                     /* a message comes */
       if
       :: late(m) -> skip
       :: else ->
          assert(m == taken_in);
          if
          :: r != NOBODY -> assert(record[r] == matched); posted[r] = false
          :: else ->
             j = 0;
             do
             :: j < RECEIVES && !(posted[j] && accepts(j, m)) -> j++
             :: else -> break
             od;
             if :: j < RECEIVES -> take(m, j) :: else -> unexpected[m] = true fi
          fi;
          taken_in = m + 1
       fi;
       j = 0; m = 0; r = 0
     }
  :: atomic { filled ? r -> assert(record[r] == matched); posted[r] = false; r = 0 }
  :: atomic { i == RECEIVES && !freed ->                         /* frees, if nothing is pending */
       j = 0;
       do
       :: j < RECEIVES && !posted[j] -> j++
       :: else -> break
       od;
       if
       :: j == RECEIVES ->
          freed = true; taken_in = 0;
          j = 0;
          do
          :: j < MESSAGES -> unexpected[j] = false; j++
          :: else -> break
          od
       :: else
       fi;
       j = 0
     }
  :: !cancelled && i > 0 ->                                      /* cancels the last one it posted */
     cancelled = true; r = i - 1;
     if
     :: posted[r] && advertised[r] ->
#ifdef MUTANT_NO_CLAIM
        looked = (record[r] == pending);
        atomic { if :: looked -> record[r] = withdrawn; truth[r] = withdrawn; posted[r] = false :: else fi };
#else
        atomic {
          if
          :: record[r] == pending -> record[r] = withdrawn; truth[r] = withdrawn; posted[r] = false
          :: else
          fi
        };
#endif
     :: posted[r] && !advertised[r] -> atomic { truth[r] = withdrawn; posted[r] = false }
     :: else
     fi;
     r = 0
  :: i == RECEIVES && sender_done && empty(user) && empty(filled) -> break
  od;
  atomic {
    assert(!freed || taken_in == 0);
    m = 0;
    do
    :: m < MESSAGES && !is_matched[m] ->
       r = 0;
       do
       :: r < RECEIVES -> assert(!(truth[r] == pending && accepts(r, m))); r++
       :: else -> break
       od;
       m++
    :: m < MESSAGES && is_matched[m] -> m++
    :: else -> break
    od
  }
}
