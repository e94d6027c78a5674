/* The passive lock of a window (src/rma/lock.cpp): one word with the holder, the number of readers and both ends of the queue, whose
 * slots are linked from the end. Every change of the word is one atomic step (compare-and-swap, subtraction); slots are not.
 *
 * Three processes take it: a writer twice, another one and a reader once. A process that does not get it queues up, and sleeps when it is not the first, or
 * when the first finds it taken; sleeping is that of models/sleep.pml: set the bit, look again, sleep until rung. A first that finds
 * it taken may lose its patience, and reserves it.
 *
 * Asserted: a writer is alone; a lock that is reserved goes to the first; the queue that is walked ends at whoever walks. A wake-up
 * that is lost shows as an invalid end state.
 *
 * -DMUTANT_READERS_MEET is not a mutant: the writer has it first, once, and each of the two readers behind it goes on only when the other
 * has it as well. It must hold.
 *
 * Mutants (-DMUTANT_…) that must fail:
 *   LINK_LATE         the slot says who was last only after the word has been changed
 *   NO_WAKE           who gives it back wakes nobody
 *   NO_SECOND_LOOK    who is about to sleep does not look again behind its sleep bit
 *   NO_NEXT_READER    a reader that takes it does not wake the next one (with READERS_MEET)
 *   PASS_RESERVED     newcomers take what is reserved
 *   FORGET_QUEUE      who takes it as the first empties the queue
 *   WALK_TO_LAST      who leaves the front takes the last for the next
 */
#define N 3
#ifdef MUTANT_READERS_MEET
#define reads(p) (p != 0)
#define rounds(p) 1
#else
#define reads(p) (p == 2)
#define rounds(p) (p == 0 -> 2 : 1)
#endif

/* the word */
byte writer = 0, readers = 0, first = 0, last = 0; bool reserved = false;
/* the slots; members are named by 1 + number */
byte before[N], behind[N];
bool asleep_bit[N], rung[N];
byte together = 0;                 /* readers that have it, or had it */
bool begun = false;                /* the writer has it, or had it */

#define free_for(p) (writer == 0 && (reads(p) || readers == 0))

/* who has locks of others shares it with readers, whoever it is reserved for; perhaps this one has */
#define joins(p) (reads(p) && writer == 0 && readers != 0)

inline wake(q) {
  if :: asleep_bit[q] -> asleep_bit[q] = false; rung[q] = true :: else fi
}

inline hold(p) {                   /* within an atomic step */
  if :: reads(p) -> readers++ :: else -> assert(readers == 0 && writer == 0); writer = p + 1 fi;
  assert(writer == 0 || readers == 0)
}

proctype member(byte p) {
  byte n = 0, next, at, seen_last, waits; bool got, is_first, patient;
  do
  :: n == rounds(p) -> break
  :: else ->
     got = false; is_first = false; next = 0;
     /* try_lock */
     atomic {
#ifdef MUTANT_READERS_MEET
       if :: reads(p) -> (begun) :: else fi;
#endif
#ifdef MUTANT_PASS_RESERVED
       if :: free_for(p) -> assert(!reserved || first == 0); hold(p); got = true :: else fi
#else
       if :: free_for(p) && !reserved -> hold(p); got = true :: joins(p) -> hold(p); got = true :: else fi
#endif
     };
     if
     :: !got ->
        /* queue up */
        behind[p] = 0;
        do
        :: seen_last = last;
#ifndef MUTANT_LINK_LATE
           before[p] = seen_last;
#endif
           atomic {
             if
             :: free_for(p) && !reserved -> hold(p); got = true; break
             :: joins(p) -> hold(p); got = true; break
             :: else ->
                if
                :: last == seen_last ->
                   last = p + 1;
                   if :: first == 0 -> first = p + 1 :: else fi;
                   break
                :: else
                fi
             fi
           }
        od;
#ifdef MUTANT_LINK_LATE
        if :: !got -> before[p] = seen_last :: else fi;
#endif
        patient = true;
        do
        :: got -> break
        :: !got ->
           /* a look */
           if
           :: before[p] != 0 && !is_first -> skip
           :: else ->
              is_first = true;
              if
              :: free_for(p) ->
                 /* who is behind us */
                 seen_last = last;
                 if
                 :: seen_last == p + 1 -> next = 0
                 :: else ->
#ifdef MUTANT_WALK_TO_LAST
                    next = seen_last;
#else
                    next = behind[p];
                    if
                    :: next == 0 ->
                       at = seen_last;
                       do
                       :: before[at - 1] == p + 1 -> behind[p] = at; next = at; break
                       :: else ->
                          assert(before[at - 1] != 0);
                          behind[before[at - 1] - 1] = at;
                          at = before[at - 1]
                       od
                    :: else
                    fi
#endif
                 fi;
                 atomic {
                   if
                   :: free_for(p) && last == seen_last ->
                      assert(first == p + 1);
                      hold(p); got = true;
                      reserved = false;
#ifdef MUTANT_FORGET_QUEUE
                      first = 0; last = 0
#else
                      first = next;
                      if :: next == 0 -> last = 0 :: else fi
#endif
                   :: else
                   fi
                 };
                 if
                 :: got && next != 0 ->
                    before[next - 1] = 0;
#ifndef MUTANT_NO_NEXT_READER
                    if :: reads(p) && reads(next - 1) -> atomic { wake(next - 1) } :: else fi
#endif
                 :: else
                 fi
              :: else ->
                 if
                 :: patient = false
                 :: skip
                 fi;
                 if
                 :: !patient -> atomic { if :: !free_for(p) -> reserved = true; assert(first == p + 1) :: else fi }
                 :: else
                 fi
              fi
           fi;
           /* sleep, unless the second look says otherwise */
           if
           :: !got ->
              atomic { rung[p] = false; asleep_bit[p] = true };
#ifndef MUTANT_NO_SECOND_LOOK
              if
              :: (before[p] == 0 || is_first) && free_for(p) -> asleep_bit[p] = false
              :: else -> (rung[p])
              fi
#else
              (rung[p])
#endif
           :: else
           fi
        od
     :: else
     fi;
     assert(reads(p) || (writer == p + 1 && readers == 0));
#ifdef MUTANT_READERS_MEET
     if :: reads(p) -> together++; (together == 2) :: else -> begun = true; (last != 0) fi;
#endif
     /* give it back */
     atomic {
       if :: reads(p) -> readers-- :: else -> writer = 0 fi;
       waits = first
     };
     /* for the so-manieth time past waiters */
     if
     :: waits != 0 ->
        reserved = true           /* perhaps for nobody: then the next one queues up, alone */
     :: skip
     fi;
#ifndef MUTANT_NO_WAKE
     if :: waits != 0 -> atomic { wake(waits - 1) } :: else fi;
#endif
     n++
  od
}

init { atomic { run member(0); run member(1); run member(2) } }
