/* Two members that give each other something again and again write where they have read last: their own block and that of the
 * other one by turns (src/coll/area_blocks.hpp, next_of_exchange). Other operations come between, which both do in the same order:
 * broadcasts of member 0 through a block of its own, after which nobody waits for anybody, and such as need no block.
 * A block of a member belongs to operations of one parity; it is used again when the other is past the last one of that parity, by
 * the slot that it publishes, or goes over to the other parity when the other is past the last operation that had a block of its own.
 *
 * What is read is what the other has written for this operation, and stays so while it is read. Both come to the same block.
 *
 * Mutants that must fail:
 *   NO_TURN    each goes on to write the block of the other one
 *   NO_END     a broadcast does not end it
 *   NO_LENT    writing our own again does not count as its last use
 *   NO_PARITY  nor does it become the block of that operation's parity
 */
#define OPERATIONS 5
#define OTHER (1 - self)

mtype = { exchange, broadcast, nothing };
mtype does[6];                /* by number */
byte block[4];                /* two of each member: number of the operation and writer; 0: it is being written */
byte kept[4];                 /* by member and parity: the block, and 1; 0: none */
byte published[2], finished[2];
byte where[4];                /* by member and parity of the operation: the block that its offer names */

#define WHAT(number, who) ((number) * 2 + (who))

/* One of our own; a new one takes the memory that is left. */
inline own_block() {
  if
  :: kept[self * 2 + n % 2] == 0 && kept[self * 2 + (n + 1) % 2] != 0 && finished[OTHER] >= lent ->
     d_step { kept[self * 2 + n % 2] = kept[self * 2 + (n + 1) % 2]; kept[self * 2 + (n + 1) % 2] = 0 }
  :: else
  fi;
  lent = n;
  if
  :: kept[self * 2 + n % 2] == 0 -> kept[self * 2 + n % 2] = (kept[self * 2 + (n + 1) % 2] == self * 2 + 1 -> self * 2 + 2 : self * 2 + 1)
  :: else
  fi;
  at = kept[self * 2 + n % 2] - 1
}

inline write_it() {
  block[at] = 0;
  block[at] = WHAT(n, self);
  where[self * 2 + n % 2] = at;
  used[n % 2] = n;
  published[self] = n
}

inline read_it() {
  at = where[OTHER * 2 + n % 2];
  assert(block[at] == WHAT(n, OTHER));
  assert(block[at] == WHAT(n, OTHER)) /* still */
}

proctype member(byte self) {
  byte n = 1, at = 0, lent = 0, own = 0, others = 0, i = 0;
  byte used[2]; /* the last operation that our slot of a parity was written for */
  bool passed = false, home = true;
  do
  :: n > OPERATIONS -> break
  :: n <= OPERATIONS && does[n] == nothing -> finished[self] = n; n++
  :: n <= OPERATIONS && does[n] == broadcast ->
#ifndef MUTANT_NO_END
     passed = false;
#endif
     if
     :: self == 0 -> finished[OTHER] >= used[n % 2]; own_block(); write_it()
     :: else -> published[OTHER] >= n; read_it()
     fi;
     finished[self] = n; n++
  :: n <= OPERATIONS && does[n] == exchange ->
     finished[OTHER] >= used[n % 2];
     if
     :: !passed -> own_block(); home = true
     :: else ->
#ifndef MUTANT_NO_TURN
        home = !home;
#else
        home = false;
#endif
        if
        :: home ->
           at = own;
#ifndef MUTANT_NO_PARITY
           if
           :: kept[self * 2 + n % 2] != own + 1 ->
              d_step { i = kept[self * 2]; kept[self * 2] = kept[self * 2 + 1]; kept[self * 2 + 1] = i }
           :: else
           fi;
#endif
#ifndef MUTANT_NO_LENT
           lent = n
#endif
        :: else -> at = others
        fi
     fi;
     i = at;
     write_it();
     published[OTHER] >= n;
     read_it();
     if
     :: !passed -> own = i; others = at; passed = true
     :: else -> assert(home || at == own)
     fi;
     finished[self] = n; n++
  od
}

init {
  byte k = 1;
  do
  :: k > OPERATIONS -> break
  :: k <= OPERATIONS -> does[k] = exchange; k++
  :: k <= OPERATIONS -> does[k] = broadcast; k++
  :: k <= OPERATIONS -> does[k] = nothing; k++
  od;
  atomic { run member(0); run member(1) }
}
