// What one-sided operations have to cost on a machine: the equations of Worringer (5.7 to 5.16) for
// the ways of `src/rma`. There R operations of D bytes in an epoch take
//
//   direct   R (copy of D) + synchronisation                                            (5.7)
//   system   R (call, copy of D by the kernel, a look-up for each further piece) + …
//   asked    R (message of D, a hand-over for its answer [, waking its owner]) + …      (5.9, 5.10)
//
// `piece`: the kernel looks up the pages of each piece of the other process's memory anew.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/machine.hpp"

namespace loadstone::model {

enum class access : std::uint8_t { direct, system, asked };
inline constexpr std::array accesses = {access::direct, access::system, access::asked};

struct operation {
  bool get = false;         // or a put
  std::int64_t bytes = 8;   // of all blocks together
  std::int64_t blocks = 1;  // of the target's layout
  bool asleep = false;      // an owner that has to be woken if it is asked
};

// Microseconds until it is complete at the target (put), or here (get). 0: not known.
double predict(access by, const operation& what, const machine& here);

// Ordinary memory, whose owner waits in a call (src/rma/choice.hpp):
//   collected   R small puts are kept, and sent together by one call of the system      (5.2.1.4 d)
//   handed      what its owner copies: offered, noticed and done by a hand-over each, and two
//               copies
// The first: microseconds of all of them.
double collected(std::int64_t puts, const operation& each, const machine& here);
double handed(std::int64_t bytes, const machine& here);

// An accumulate of doubles to such memory. By the system: read, added, written back. By its owner:
// as handed, and it adds where it would copy, while the next pieces are copied in. Both ends: the
// origin by the system, the owner reads and adds, each the part that it can do in the same time.
enum class changed_by : std::uint8_t { system, owner, both };
double accumulate(changed_by whom, std::int64_t bytes, const machine& here);

// Synchronisation with nothing inside, when nobody is late. A fence is a barrier of flags: a
// hand-over for each of its rounds. Post and start, complete and wait: a hand-over to and from a
// partner, and another line for each further partner. A lock: its word is handed over from whoever
// had it last, if that was another process.
double fence(std::int32_t ranks, const machine& here);
double post(std::int32_t partners, const machine& here);
double lock(bool of_another, const machine& here);

// From so many blocks on it is quicker to ask; -1: never.
std::int64_t blocks_to_ask(const operation& what, const machine& here);

}  // namespace loadstone::model
