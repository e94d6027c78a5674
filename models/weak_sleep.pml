/* Sleep and wake in AArch64's order (src/transport/attention.hpp, inbox_lane.cpp): a sender stores into a lane, fences, and looks at
 * the sleep bit; the receiver sets the bit by compare-and-swap, fences, looks into the lane again, and sleeps. The exclusive store of that
 * compare-and-swap is not in order with loads that follow, acquire or not: hence the receiver's fence.
 * A wake-up that is lost shows as an invalid end state.
 *
 * Mutants that must fail, and hold in x86's order:
 *   NO_FENCE_BEHIND_BIT  the receiver does not fence between the bit and its look
 * And in either order:
 *   NO_FENCE             the sender does not fence between its store and its look
 */
#define PROCESSORS 2
#define WORDS 2
#define line 0
#define sleep_bit 1
#define reads(p, w) (p == 1 || w == sleep_bit)
#include "weak.pml"
#define MESSAGES 2

byte bell = 0;                     /* moved, and compared, by the kernel */
bool in_futex = false;

proctype sender() {
  byte m = 1, asleep; bool mine;
  do
  :: m <= MESSAGES ->
     put_release(0, line, m);
#ifndef MUTANT_NO_FENCE
     fence(0);
#endif
     get_acquire(0, sleep_bit, asleep);
     if
     :: asleep ->
        compare_and_swap(0, sleep_bit, 1, 0, mine);
        if :: mine -> atomic { bell++; in_futex = false } :: else fi
     :: else
     fi;
     m++
  :: else -> break
  od
}

proctype receiver() {
  byte got = 0, value, seen = 0; bool set;
  do
  :: got == MESSAGES -> break
  :: else ->
     get_acquire(1, line, seen);
     if
     :: seen != got -> got = seen
     :: else ->
        value = bell;
        compare_and_swap(1, sleep_bit, 0, 1, set);
#ifndef MUTANT_NO_FENCE_BEHIND_BIT
        fence(1);
#endif
        get_acquire(1, line, seen);
        if
        :: seen == got ->
           atomic { if :: bell == value -> in_futex = true :: else fi };
           !in_futex
        :: else
        fi;
        compare_and_swap(1, sleep_bit, 1, 0, set)
     fi
  od
}

init { atomic { run hardware(0); run hardware(1); run sender(); run receiver() } }
