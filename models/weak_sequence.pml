/* Words guarded by a sequence number, in AArch64's order: chunk_index (src/memory/chunk_index.hpp). The writer makes the number odd,
 * stores the words, and makes it even; a reader looks at the number, the words, and the number again. The two words of one writing
 * belong together.
 *
 * Mutants that must fail, and hold in x86's order (sync: chunk-index):
 *   STORE_RELAXED  the words are stored without release: one is there before the odd number
 *   LOAD_RELAXED   they are read without acquire: after the second look
 *   SECOND_LOOK    the same, and the second look has acquire, which does not help
 *   END_RELAXED    the even number is stored without release
 *   FIRST_LOOK     the first look has no acquire
 */
#define PROCESSORS 2
#define WORDS 3
#define sequence 0
#define base 1
#define last 2
#define reads(p, w) (p == 1)
#include "weak.pml"
#define WRITINGS 2

#ifdef MUTANT_STORE_RELAXED
#define put_word(w, v) put(0, w, v)
#else
#define put_word(w, v) put_release(0, w, v)
#endif
#if defined(MUTANT_LOAD_RELAXED) || defined(MUTANT_SECOND_LOOK)
#define get_word(w, x) get(1, w, x)
#else
#define get_word(w, x) get_acquire(1, w, x)
#endif

proctype writer() {
  byte n = 1;
  do
  :: n <= WRITINGS ->
     put(0, sequence, 2 * n - 1);
     put_word(base, n);
     put_word(last, n);
#ifdef MUTANT_END_RELAXED
     put(0, sequence, 2 * n);
#else
     put_release(0, sequence, 2 * n);
#endif
     n++
  :: else -> break
  od
}

proctype reader() {
  byte before, a, b, after;
#ifdef MUTANT_FIRST_LOOK
  get(1, sequence, before);
#else
  get_acquire(1, sequence, before);
#endif
  if
  :: before % 2 == 0 ->
     get_word(base, a);
     get_word(last, b);
#ifdef MUTANT_SECOND_LOOK
     get_acquire(1, sequence, after);
#else
     get(1, sequence, after);
#endif
     assert(before != after || (a == b && 2 * a == before))
  :: else
  fi
}

init { atomic { run hardware(0); run hardware(1); run writer(); run reader() } }
