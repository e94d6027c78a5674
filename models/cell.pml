/* Cells that are wanted back (src/transport/cells.cpp, give_back()): a sender that finds none free marks those it waits for, looks
 * once more behind its sleep bit, and sleeps; the receiver that gives a marked one back wakes it.
 *
 * One sender, CELLS cells, MESSAGES messages; one receiver keeps each cell for some time, the first for ever if it likes. In take(): is_back(),
 * and if none is, `sent` → `wanted` by compare-and-swap for every cell. In give_back(): exchange with `free`; if it was wanted, ring.
 * A wake-up that is lost shows as an invalid end state. (Sleep bit and bell in themselves: sleep.pml; the order of memory: weak_slot.pml.)
 *
 * Mutants that must fail:
 *   STORE_BACK   the receiver looks at the state and then stores `free`, instead of the exchange     (sync: cell-return)
 *   BLIND_WISH   the sender stores `wanted` without comparing
 *   WANT_ONE     only the oldest cell is marked
 *   NO_WAKE      the receiver does not look whether the cell was wanted
 *   ONE_LOOK     the sender sleeps after the first look in vain: a cell came back between it and the mark
 */
#define CELLS 2
#define MESSAGES 4

mtype = { is_free, sent, wanted };
mtype state[CELLS] = is_free;
byte in_use[CELLS];                /* which message it holds, for the receiver */
bool sleeping = false, in_futex = false;
byte bell = 0;

inline take(c) {
  c = CELLS;
  if
  :: state[0] == is_free -> c = 0
  :: else -> if :: state[1] == is_free -> c = 1 :: else fi
  fi;
  if
  :: c < CELLS -> state[c] = sent
  :: else ->
     i = 0;
     do
     :: i < CELLS ->
#ifdef MUTANT_BLIND_WISH
        state[i] = wanted;
#else
        atomic { if :: state[i] == sent -> state[i] = wanted :: else fi };
#endif
#ifdef MUTANT_WANT_ONE
        break;
#endif
        i++
     :: else -> break
     od
  fi
}

active proctype sender() {
  byte m = 1, c, i, value;
  do
  :: m <= MESSAGES ->
     take(c);
     if
     :: c == CELLS ->
        value = bell;
        sleeping = true;
#ifndef MUTANT_ONE_LOOK
        take(c);
#endif
        if
        :: c == CELLS ->
           atomic { if :: bell == value -> in_futex = true :: else fi };
           !in_futex
        :: else
        fi;
        sleeping = false
     :: else
     fi;
     if
     :: c < CELLS -> assert(in_use[c] == 0); in_use[c] = m; m++
     :: else
     fi
  :: else -> break
  od
}

inline give_back(c) {
  in_use[c] = 0;
#ifdef MUTANT_STORE_BACK
  was = state[c];
  state[c] = is_free;
#else
  atomic { was = state[c]; state[c] = is_free };
#endif
#ifndef MUTANT_NO_WAKE
  if
  :: was == wanted && sleeping -> atomic { bell++; in_futex = false }
  :: else
  fi
#endif
}

active proctype receiver() {
  mtype was;
  bool keeps = false;              /* the first cell, for ever */
end:
  do
  :: in_use[0] != 0 && !keeps -> if :: give_back(0) :: keeps = true fi
  :: in_use[1] != 0 -> give_back(1)
  od
}
