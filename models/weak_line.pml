/* The line that two processes use by turns (src/transport/pair_line.hpp), in AArch64's order: word, the buffer of the pair, and the last part
 * of a long payload, told by `filled`. The answer is written where the message was read.
 *
 * Mutants that must fail, and hold in x86's order (sync: pair-line):
 *   WORD_RELAXED         the word is stored without release
 *   READ_RELAXED         it is read without acquire
 *   FILLED_RELAXED       `filled` is stored without release
 *   FILLED_READ_RELAXED  it is read without acquire
 */
#define PROCESSORS 2
#define WORDS 4
#define word 0
#define room 1
#define rest 2
#define filled 3
#define reads(p, w) true
#include "weak.pml"
#define MESSAGES 3

inline write_line(p, m) {
  put(p, room, m);
#ifdef MUTANT_WORD_RELAXED
  put(p, word, m);
#else
  put_release(p, word, m);
#endif
  put(p, rest, m);
#ifdef MUTANT_FILLED_RELAXED
  put(p, filled, m)
#else
  put_release(p, filled, m)
#endif
}

inline read_line(p, m) {
  do
  :: seen == m -> break
  :: else ->
#ifdef MUTANT_READ_RELAXED
     get(p, word, seen)
#else
     get_acquire(p, word, seen)
#endif
  od;
  copy_later(p, room, m);
  do
  :: there == m -> break
  :: else ->
#ifdef MUTANT_FILLED_READ_RELAXED
     get(p, filled, there)
#else
     get_acquire(p, filled, there)
#endif
  od;
  copy_later(p, rest, m)
}

proctype end_of_line(byte p) {
  byte m = 1, seen = 0, there = 0;
  do
  :: m <= MESSAGES && m % 2 != p -> write_line(p, m); m++
  :: m <= MESSAGES && m % 2 == p -> read_line(p, m); m++
  :: else -> break
  od
}

init { atomic { run hardware(0); run hardware(1); run end_of_line(0); run end_of_line(1) } }
