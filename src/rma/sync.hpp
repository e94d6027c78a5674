// Synchronisation of windows by words in the members' records, without messages. All are called
// under the gate, and release it while asleep. False: the job is being stopped, or the peer is
// dead. Those that complete operations synchronise in any case, and say what has failed (`failed`):
// of operations by message the target may have refused one.
//
// Whether a call is allowed in the present epoch is the caller's business (mpi/epochs).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rma/window.hpp"
#include "wait/record.hpp"

namespace loadstone::rma {

// MPI_Win_fence: completes what we have begun, then a barrier of all members.
bool fence(window& w, const wait::reason& why, trouble* failed = nullptr);
// MPI_Win_free: the same, and when it returns no other member looks into our record any more.
bool leave(window& w, const wait::reason& why, trouble* failed = nullptr);

// Who has a lock that stands against such a one, as far as can be seen from here.
std::optional<lock_holder> holder_against(window& w, std::int32_t rank, bool exclusive);
// Passive locks. `nocheck`: the caller promises that nobody holds or wants a conflicting lock.
bool lock(window& w, std::int32_t rank, bool exclusive, bool nocheck, const wait::reason& why);
// Completes what we have begun there.
bool unlock(window& w, std::int32_t rank, trouble* failed = nullptr);
// A shared lock of every member: at once where it is free, else at the first operation there. For
// our own part, and for those that the program loads and stores by itself (all of a shared window,
// and what MPI_Win_shared_query has been asked for), it is waited for.
bool lock_all(window& w, bool nocheck, const wait::reason& why);
bool unlock_all(window& w, trouble* failed = nullptr);

// Post, start, complete, wait. `ranks`: of the window.
bool post(window& w, std::span<const std::int32_t> ranks);
bool start(window& w, std::span<const std::int32_t> ranks, const wait::reason& why);  // waits for the posts
bool complete(window& w, std::span<const std::int32_t> ranks, trouble* failed = nullptr);
// MPI_Win_test: have all those we posted to completed? And if not, has one died that had not?
bool exposure_is_over(window& w);
bool exposure_is_lost(window& w);
bool wait_exposure(window& w, const wait::reason& why);

}  // namespace loadstone::rma
