/* A cell that is read while it is being written (src/transport/cell_layout.hpp): every byte that is read belongs to the message
 * that is being received, and the cell is not taken again before its receiver is done with it.
 *
 * One sender, MESSAGES messages of PARTS parts to one receiver through one cell. The sender takes the cell when it is free, writes the
 * first part and `filled`, publishes, and goes on with the other parts, each followed by `filled`. The receiver reads as far as `filled`
 * says, and gives the cell back after the last part, or at any time before (a truncated or unwanted message).
 *
 * Mutants that must fail:
 *   FILLED_EARLY  `filled` is stored before the part it stands for (a missing release)
 *   NO_RESET      `filled` is not set before the message is published: it tells of the message before
 *   TAKE_BLIND    the sender takes the cell again without having seen it given back
 *   BACK_EARLY    the receiver gives the cell back before it has read the part it is at (a missing release)
 */
#define MESSAGES 3
#define PARTS 3

bool is_back = true;               /* state of the cell */
byte filled = 0;
byte payload[PARTS];               /* number of the message each part belongs to */
byte published = 0;                /* messages the receiver may know of */

active proctype sender() {
  byte m = 1, p;
  do
  :: m <= MESSAGES ->
#ifndef MUTANT_TAKE_BLIND
     atomic { is_back -> is_back = false };
#else
     is_back = false;
#endif
     payload[0] = m;
#ifndef MUTANT_NO_RESET
     filled = 1;
#endif
     published = m;
     p = 1;
     do
     :: p < PARTS ->
#ifdef MUTANT_FILLED_EARLY
        filled = p + 1;
        payload[p] = m;
#else
        payload[p] = m;
        filled = p + 1;
#endif
        p++
     :: else -> break
     od;
     m++
  :: else -> break
  od
}

active proctype receiver() {
  byte m = 1, p;
  do
  :: m <= MESSAGES ->
     published >= m;
     p = 0;
     do
     :: p < PARTS ->
        if
        :: filled > p ->
#ifdef MUTANT_BACK_EARLY
           if :: p == PARTS - 1 -> is_back = true :: else fi;
#endif
           assert(payload[p] == m);
           p++
        :: true -> break           /* enough */
        fi
     :: else -> break
     od;
#ifdef MUTANT_BACK_EARLY
     if :: p < PARTS -> is_back = true :: else fi;
#else
     is_back = true;
#endif
     m++
  :: else -> break
  od
}
