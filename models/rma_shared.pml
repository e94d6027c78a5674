/* An accumulate of which both ends change blocks (src/rma/handed_change.cpp, handed_owner.cpp).
 *
 * The origin takes the locks of all of it, offers it, and sends a message. It takes blocks from the front and changes them; an owner that
 * comes claims the offer and takes blocks from the back, without the locks, as the origin has them. It may be unable to read the data of a
 * block: then it ends, and that block is still to be changed. When there is none left to take, the origin takes back an offer that nobody has
 * claimed, or waits until the owner is done; then it gives the locks back. Another process changes single elements under them.
 *
 * To change a block is a load and a store. Each is changed once in each accumulate.
 *
 * Mutants that must fail:
 *   TAKE_APART     a block is looked for and taken in two steps
 *   BLIND_BACK     the offer is taken back by a plain store
 *   RELEASE_EARLY  the locks are given back before the owner is done
 *   DONE_EARLY     the owner is done before it has changed its block
 *   NO_LOCKS       the origin works without the locks
 *   UNREAD_LOST    what the owner could not read stays unchanged
 */
#define ROUNDS 2
#define BLOCKS 3
#define FREE 0
#define OFFERED 1
#define CLAIMED 2
#define DONE 3

byte state = FREE;
byte front = 0, back = 0;          /* one word */
bool unread = false, locked = false;
chan messages = [ROUNDS] of { bit };
byte element[BLOCKS], wanted[BLOCKS];
byte finished = 0;

inline take() { atomic { !locked -> locked = true } }
inline give() { locked = false }
inline change(b) { read = element[b]; element[b] = read + 1 }

active proctype origin() {
  byte round = 0, block, read;
  bool mine;
  do
  :: round == ROUNDS -> break
  :: else ->
    round++;
#ifndef MUTANT_NO_LOCKS
    take();
#endif
    atomic { front = 0; back = 0; unread = false; wanted[0]++; wanted[1]++; wanted[2]++ };
    state = OFFERED;
    messages!1;
again:
    do
    ::
#ifdef MUTANT_TAKE_APART
       mine = (front + back < BLOCKS);
       if :: mine -> block = front; front = block + 1 :: else -> break fi;
#else
       atomic { mine = (front + back < BLOCKS); if :: mine -> block = front; front++ :: else fi };
       if :: !mine -> break :: else fi;
#endif
       change(block)
    od;
#ifdef MUTANT_RELEASE_EARLY
    give();
#endif
#ifdef MUTANT_BLIND_BACK
    mine = (state == OFFERED);
    if :: mine -> state = FREE :: else fi;
#else
    atomic { mine = (state == OFFERED); if :: mine -> state = FREE :: else fi };
#endif
    if
    :: mine
    :: else -> state == DONE || state == FREE
    fi;
#ifndef MUTANT_UNREAD_LOST
    if
    :: atomic { unread -> unread = false; back--; state = FREE }; goto again
    :: else
    fi;
#endif
#ifndef MUTANT_RELEASE_EARLY
#ifndef MUTANT_NO_LOCKS
    give();
#endif
#endif
    skip
  od;
  finished++
}

active proctype owner() {
  byte block, read;
  bool mine;
end:
  do
  :: messages?1 ->
    atomic { mine = (state == OFFERED); if :: mine -> state = CLAIMED :: else fi };
    if
    :: mine ->
      do
      ::
#ifdef MUTANT_TAKE_APART
         mine = (front + back < BLOCKS);
         if :: mine -> block = BLOCKS - 1 - back; back++ :: else -> break fi;
#else
         atomic { mine = (front + back < BLOCKS); if :: mine -> block = BLOCKS - 1 - back; back++ :: else fi };
         if :: !mine -> break :: else fi;
#endif
         if
         :: unread = true; break
         :: skip
         fi;
#ifdef MUTANT_DONE_EARLY
         state = DONE;
#endif
         change(block)
      od;
      state = DONE
    :: else
    fi
  od
}

active proctype other() {
  byte round = 0, block, read;
  do
  :: round == ROUNDS -> break
  :: else ->
    round++;
    select(block : 0 .. BLOCKS - 1);
    take();
    atomic { wanted[block]++ };
    change(block);
    give()
  od;
  finished++
}

active proctype check_all() {
  finished == 2;
  assert(element[0] == wanted[0] && element[1] == wanted[1] && element[2] == wanted[2])
}
