/* Counts the words of a sequence with nothing but one-sided operations: a queue of work and a hash table that no rank serves.
 *
 *   mpiexec -n 4 kmers [BASES [WORD]]
 *
 * The queue is a counter on rank 0: whoever has nothing to do takes the next piece of the sequence by MPI_Fetch_and_op. The table is
 * spread over all ranks. A word (WORD letters of four, at most 31) belongs into a slot of one rank; MPI_Compare_and_swap claims the slot
 * for the word if it is empty, and tells who has it otherwise; MPI_Accumulate counts. No rank ever waits for another one, or
 * knows who does what. At the end rank 0 reads the table by MPI_Get and compares it with its own count.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { piece = 2048 }; /* positions taken from the queue at once */

typedef struct {
  uint64_t word; /* 0: empty */
  uint64_t count;
} slot;

static int rank, size;

static void fail(const char* what) {
  fprintf(stderr, "kmers: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

static void* memory_of(size_t bytes) {
  void* memory = calloc(1, bytes);
  if (!memory) fail("out of memory");
  return memory;
}

/* Letters 0 to 3; of every three blocks one repeats what stood somewhere before it, so that words come again. */
static void make_sequence(unsigned char* letters, long n) {
  enum { block = 256 };
  uint64_t state = 42;
  long back = 0;
  for (long i = 0; i < n; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    if (i % block == 0)
      back = i >= block && i / block % 3 == 0 ? block + (long)((state >> 33) % (uint64_t)(i - block + 1)) : 0;
    letters[i] = back ? letters[i - back] : (unsigned char)(state >> 62);
  }
}

/* Never 0. */
static uint64_t word_at(const unsigned char* letters, int length) {
  uint64_t word = 1;
  for (int i = 0; i < length; i++) word = word << 2 | letters[i];
  return word;
}

static uint64_t hash(uint64_t word) {
  word ^= word >> 31;
  word *= 0x9e3779b97f4a7c15u;
  return word ^ word >> 29;
}

/* --- the table of all ranks --- */

typedef struct {
  MPI_Win win;
  uint64_t slots; /* of each rank */
} table;

/* Slot i of the whole table: first those of rank 0, and so on. */
static int owner_of(const table* t, uint64_t i) {
  return (int)(i / t->slots);
}

static MPI_Aint place_of(const table* t, uint64_t i) {
  return (MPI_Aint)(i % t->slots * sizeof(slot));
}

static void count_word(const table* t, uint64_t word) {
  static const uint64_t empty = 0, one = 1;
  const uint64_t all = t->slots * (uint64_t)size;
  for (uint64_t i = hash(word) % all, tries = 0; tries < all; i = (i + 1) % all, tries++) {
    const int owner = owner_of(t, i);
    const MPI_Aint at = place_of(t, i);
    uint64_t there;
    MPI_Compare_and_swap(&word, &empty, &there, MPI_UINT64_T, owner, at, t->win);
    MPI_Win_flush(owner, t->win);
    if (there != empty && there != word) continue; /* of another word: the next slot */
    MPI_Accumulate(&one, 1, MPI_UINT64_T, owner, at + (MPI_Aint)offsetof(slot, count), 1, MPI_UINT64_T,
                   MPI_SUM, t->win);
    return;
  }
  fail("the table is full");
}

/* --- the queue --- */

/* The first position of the next piece that nobody has taken. */
static long take_piece(MPI_Win queue) {
  static const long step = piece;
  long first;
  MPI_Fetch_and_op(&step, &first, MPI_LONG, 0, 0, MPI_SUM, queue);
  MPI_Win_flush(0, queue);
  return first;
}

/* --- the same by one rank, to compare with --- */

static slot* count_alone(const unsigned char* letters, long words, int length, uint64_t slots) {
  slot* own = memory_of(slots * sizeof *own);
  for (long p = 0; p < words; p++) {
    const uint64_t word = word_at(letters + p, length);
    uint64_t i = hash(word) % slots;
    while (own[i].word && own[i].word != word) i = (i + 1) % slots;
    own[i].word = word;
    own[i].count++;
  }
  return own;
}

static void compare(const table* t, const slot* own, uint64_t slots, long* different) {
  slot* part = memory_of(t->slots * sizeof *part);
  uint64_t found = 0, wanted = 0;
  for (uint64_t i = 0; i < slots; i++) wanted += own[i].word != 0;
  for (int of = 0; of < size; of++) {
    MPI_Get(part, (int)(t->slots * sizeof *part), MPI_BYTE, of, 0, (int)(t->slots * sizeof *part), MPI_BYTE,
            t->win);
    MPI_Win_flush(of, t->win);
    for (uint64_t s = 0; s < t->slots; s++) {
      if (!part[s].word) continue;
      found++;
      uint64_t i = hash(part[s].word) % slots;
      while (own[i].word && own[i].word != part[s].word) i = (i + 1) % slots;
      if (own[i].count != part[s].count) fail("WRONG RESULT: a word was counted another number of times");
    }
  }
  if (found != wanted) fail("WRONG RESULT: another number of words");
  *different = (long)found;
  free(part);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long bases = argc > 1 ? atol(argv[1]) : 400000;
  const int length = argc > 2 ? atoi(argv[2]) : 16;
  if (length < 1 || length > 31 || bases < length || bases > 1 << 28)
    fail("usage: kmers [BASES [WORD]], WORD of 1 to 31");
  const long words = bases - length + 1;
  unsigned char* letters = memory_of((size_t)bases);
  make_sequence(letters, bases);

  table t = {.slots = (uint64_t)(2 * words / size + 64)};
  slot* own_slots;
  long* counter;
  MPI_Win queue;
  MPI_Win_allocate((MPI_Aint)(t.slots * sizeof(slot)), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own_slots, &t.win);
  MPI_Win_allocate(rank == 0 ? sizeof(long) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &queue);
  memset(own_slots, 0, t.slots * sizeof(slot));
  if (rank == 0) *counter = 0;
  MPI_Win_lock_all(0, t.win);
  MPI_Win_lock_all(0, queue);
  MPI_Win_sync(t.win);
  MPI_Win_sync(queue);
  MPI_Barrier(MPI_COMM_WORLD);

  const double begin = MPI_Wtime();
  long counted = 0;
  for (long first; (first = take_piece(queue)) < words;)
    for (long p = first; p < first + piece && p < words; p++, counted++)
      count_word(&t, word_at(letters + p, length));
  MPI_Win_flush_all(t.win);
  MPI_Barrier(MPI_COMM_WORLD);
  const double took = MPI_Wtime() - begin;

  long all = 0, least = 0, most = 0, different = 0;
  MPI_Reduce(&counted, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&counted, &least, 1, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Reduce(&counted, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    if (all != words) fail("WRONG RESULT: pieces were lost, or taken twice");
    const uint64_t slots = 2 * (uint64_t)words + 64;
    slot* alone = count_alone(letters, words, length, slots);
    compare(&t, alone, slots, &different);
    free(alone);
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int n;
    MPI_Get_library_version(version, &n);
    version[strcspn(version, "\r\n")] = '\0';
    printf("library: %s\nranks: %d\n", version, size);
    printf("%ld words of %d letters, %ld different, in %.3f s: %.2f million a second\n", words, length,
           different, took, 1e-6 * (double)words / took);
    printf("counted by a rank: %ld to %ld words\n", least, most);
    printf("the table holds what one rank has counted alone\n");
  }
  MPI_Win_unlock_all(queue);
  MPI_Win_unlock_all(t.win);
  MPI_Win_free(&queue);
  MPI_Win_free(&t.win);
  free(letters);
  MPI_Finalize();
  return 0;
}
