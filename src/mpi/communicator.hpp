// A communicator: its two groups (the same one, unless it is an inter-communicator), its contexts,
// and what the user has attached to it: error handler, name, attributes, hints, buffer, topology.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "coll/engine.hpp"
#include "mpi.h"
#include "mpi/attributes.hpp"
#include "mpi/bsend_buffer.hpp"
#include "mpi/errhandler.hpp"
#include "mpi/group.hpp"
#include "mpi/info.hpp"
#include "p2p/engine.hpp"

namespace loadstone::mpi {

class process;
struct topology;

// The id of a communicator is (the process that leads its making, a counter of that process): 61
// bits, which never run out. A context is the id with the kind of traffic in its lowest bits.
//
// Within a job, ids are distinct. Communicators across jobs meet those of other leaders with the
// same index: their ids have bit 60 set, and below it a mix of both with the number of the leader's
// job. Among a million of them in one process, two are equal with probability 10^-6.
enum class traffic_kind : std::uint8_t { messages, collective, local, setup, partitioned };
constexpr std::uint64_t context_of(std::uint64_t id, traffic_kind kind) {
  return id << 3 | static_cast<std::uint64_t>(kind);
}
constexpr std::uint64_t communicator_id(std::uint32_t creator, std::uint32_t counter) {
  return static_cast<std::uint64_t>(creator) << 32 | counter;
}
constexpr std::uint64_t communicator_id_across_jobs(const memory::process_id& creator,
                                                    std::uint32_t counter) {
  return std::uint64_t{1} << 60 | memory::mix(creator, counter) >> 5;
}

// A group all of whose processes this one reaches, and the numbers by which it does.
struct peer_group {
  members list;
  std::vector<std::uint32_t> peers;
};

class communicator {
 public:
  // `remote` is empty for an intra-communicator. The calling process is a member of `local`.
  // make_communicator() in agreement.hpp finds the peers.
  communicator(process& owner, std::uint64_t id, peer_group local, peer_group remote = {});
  ~communicator();
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;

  MPI_Comm handle() const { return handle_; }
  void set_handle(MPI_Comm handle) { handle_ = handle; }
  int rank() const { return view_.rank; }
  int size() const { return view_.local_size; }  // of the local group
  // Of the group messages go to; = size() for intra-communicators.
  int remote_size() const { return view_.remote_size; }
  bool is_inter() const { return view_.inter; }
  process& owner() const { return owner_; }
  std::uint64_t id() const { return id_; }
  const members& local() const { return local_; }
  const members& remote() const { return remote_; }  // = local() for intra-communicators
  std::uint32_t peer(int rank) const { return scopes_.messages.peers[static_cast<std::size_t>(rank)]; }
  const std::vector<std::uint32_t>& peers() const { return scopes_.messages.peers; }  // of the remote group
  bool across_jobs() const;  // are some of its processes of other jobs?
  // Does the local group decide where the two groups of an inter-communicator have to agree (ids,
  // order in a merge)? One group decides, and both sides know which.
  bool decides() const { return !is_inter() || local_->front() < remote_->front(); }

  // --- traffic ---
  p2p::scope& messages() { return scopes_.messages; }
  p2p::scope& traffic(traffic_kind kind);                 // setup and partitioned: made at first use
  const coll::group_view& view() const { return view_; }  // for blocking collectives
  coll::group_view background_view();                     // for non-blocking and persistent ones
  // The local group alone, as an intra-communicator. It shares the counter of collectives with
  // view(). All members of both groups make the same calls, so it stays equal.
  coll::group_view local_view() const { return coll::within_local_group(view_); }
  bool in_use() const;  // do requests still need it?
  void for_each_scope(void (*visit)(void* context, p2p::scope&), void* context);
  // Sets an id that was not known at construction (MPI_Comm_idup), before any message.
  void set_id(std::uint64_t id);
  std::atomic<int> references{1};  // the user's handle, and each MPI request on it

  // --- what the user has attached ---
  errhandler* error_handler() const { return error_handler_.get(); }
  void set_error_handler(errhandler* handler);  // takes a reference of its own, releases the old one
  std::string name() const;
  void set_name(std::string_view name);
  attribute_set attributes;
  std::unique_ptr<mpi::topology> topology;
  info hints;  // as set by the user; what MPI_Comm_get_info returns
  // What the user has promised by the hints of these names (mpi_assert_…); checked when a wildcard
  // is used. Relaxed: a thread that does not know of a promise yet need not keep it.
  struct {
    std::atomic<bool> no_any_source{false}, no_any_tag{false};
  } promises;
  bsend_buffer buffer;                           // MPI_Comm_attach_buffer
  std::shared_ptr<bsend_buffer> session_buffer;  // of the session it comes from; null: the world model

 private:
  process& owner_;
  std::uint64_t id_;
  MPI_Comm handle_ = MPI_COMM_NULL;
  // Counters of collectives: even numbers for blocking ones, odd for others, as the two never match
  // (MPI §6.12).
  std::uint32_t next_tags_[2] = {0, 1};
  coll::shared_areas areas_[2];  // likewise
  coll::group_view view_;        // of the above, and the groups
  errhandler_slot error_handler_;
  members local_, remote_;
  struct {
    p2p::scope messages, collective;
    std::unique_ptr<p2p::scope> local, setup, partitioned;
  } scopes_;
  mutable std::mutex lock_;  // guards the name, and the scopes that are made at first use
  std::string name_;
};

}  // namespace loadstone::mpi
