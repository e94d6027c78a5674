// What the processes that make a communicator have to tell each other. Blocking; each takes the
// gate.
//
// Ids are proposed by everyone along with whatever else is exchanged, and the leader's proposal is
// used: no extra round.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

// Each member of the group of `v` contributes `bytes` bytes; `all` receives those of the remote
// group in rank order.
int gather_everywhere(call& c, communicator& comm, const coll::group_view& v, const void* mine,
                      std::int64_t bytes, void* all);
// Contributions of different lengths, one after the other; intra-communicators.
int gather_varying(call& c, communicator& comm, const std::vector<int>& mine, std::vector<int>* all);
// From rank `root` of the group of an intra-communicator's view to the others.
int broadcast_from(call& c, communicator& comm, const coll::group_view& v, int root, void* data,
                   std::int64_t bytes);

// One message on a communicator's set-up traffic, or between processes by their numbers
// (communicators::bootstrap).
int send_setup(call& c, p2p::scope& where, int to, int tag, const void* data, std::int64_t bytes);
int receive_setup(call& c, p2p::scope& where, int from, int tag, void* data, std::int64_t bytes);
// Both directions at once.
int swap_setup(call& c, p2p::scope& where, int peer, int tag, const void* mine, void* theirs,
               std::int64_t bytes);

// The two leaders (rank 0 on both sides) of an inter-communicator swap `bytes` bytes; then every
// local member knows both.
int swap_sides(call& c, communicator& comm, void* mine, void* theirs, std::int64_t bytes);

// The id of a communicator made from this one, agreed by all its members.
int agree_on_id(call& c, communicator& comm, std::uint64_t* id);

// Like MPI_Comm_split, without a handle yet; null in *out for MPI_UNDEFINED.
int split_communicator(call& c, communicator& comm, std::int64_t color, std::int64_t key,
                       std::unique_ptr<communicator>* out);
// Takes hints of the user. The assertions of the standard (mpi_assert_…) are true or false; another
// value is ignored, as the standard wants of what is not understood (§10).
void take_hints(communicator& comm, const info::pairs& hints);
// Gives a new communicator its handle, and what it takes over from its parent (may be null).
int give_communicator(call& c, std::unique_ptr<communicator> made, communicator* parent, MPI_Comm* out);

}  // namespace loadstone::mpi
