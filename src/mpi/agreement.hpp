// The exchanges by which processes make a communicator together: they gather, broadcast and swap
// what all must know, and agree on an id. All block, and take the gate themselves.
//
// Each process proposes an id along with whatever else is exchanged, and the one of the leader is
// used: so ids need no further message.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

// An allgather on the view `v`: each member contributes `bytes` bytes; `all` gets those of the
// remote group (of an intra-communicator: of all members) in rank order.
int gather_everywhere(call& c, communicator& comm, const coll::group_view& v, const void* mine,
                      std::int64_t bytes, void* all);
// The same for contributions of different lengths, one after the other; only for
// intra-communicators.
int gather_varying(call& c, communicator& comm, const std::vector<int>& mine, std::vector<int>* all);
// A broadcast from rank `root` of an intra-communicator's view.
int broadcast_from(call& c, communicator& comm, const coll::group_view& v, int root, void* data,
                   std::int64_t bytes);

// One message in the set-up traffic of a communicator, or between processes by their peer numbers
// (communicators::bootstrap).
int send_setup(call& c, p2p::scope& where, int to, int tag, const void* data, std::int64_t bytes);
int receive_setup(call& c, p2p::scope& where, int from, int tag, void* data, std::int64_t bytes);
// Sends and receives such a message at once.
int swap_setup(call& c, p2p::scope& where, int peer, int tag, const void* mine, void* theirs,
               std::int64_t bytes);

// The two leaders (rank 0 on both sides) of an inter-communicator swap `bytes` bytes; then every
// local member knows both.
int swap_sides(call& c, communicator& comm, void* mine, void* theirs, std::int64_t bytes);

// All members of `comm` agree on the id of a communicator that is made from it.
int agree_on_id(call& c, communicator& comm, std::uint64_t* id);

// The numbers by which this process reaches those of `list`. Fails if it cannot reach one of them.
int find_peers(call& c, const process_list& list, std::vector<std::uint32_t>* peers);
// A communicator of processes that this one reaches; `remote` is null for an intra-communicator.
int make_communicator(call& c, std::uint64_t id, members local, members remote,
                      std::unique_ptr<communicator>* out);
// Like MPI_Comm_split, without a handle yet; null in *out for MPI_UNDEFINED.
int split_communicator(call& c, communicator& comm, std::int64_t color, std::int64_t key,
                       std::unique_ptr<communicator>* out);
// Stores hints of the user. The standard's assertions (mpi_assert_…) are "true" or "false"; any
// other value is ignored, as the standard says of hints that are not understood (§10).
void take_hints(communicator& comm, const info::pairs& hints);
// Gives a new communicator its handle, and what it inherits from its parent (which may be null).
int give_communicator(call& c, std::unique_ptr<communicator> made, communicator* parent, MPI_Comm* out);

}  // namespace loadstone::mpi
