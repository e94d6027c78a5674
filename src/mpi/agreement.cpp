#include "mpi/agreement.hpp"

#include <cstring>

#include "base/fault.hpp"
#include "mpi/memory_kinds.hpp"

namespace loadstone::mpi {
namespace {

p2p::buffer bytes_at(const void* data, std::int64_t bytes) {
  return {data, bytes, loadstone::datatype::predefined_type(loadstone::datatype::basic::byte)};
}

constexpr int side_tag =
    0x7fffffff;  // above what users may give to MPI_Comm_create_group and MPI_Intercomm_create

int run(call& c, communicator& comm, coll::schedule* s) {
  if (s == nullptr) return c.fail(MPI_ERR_NO_MEM, "out of memory");
  LOADSTONE_FAULT_POINT("communicator.agreeing");
  const int error = c.process().core().coll->run(
      s, reason_for(c, comm, MPI_ANY_SOURCE, 0, "agreement on a new communicator"));
  return error == MPI_SUCCESS ? MPI_SUCCESS
                              : c.fail(error, "the processes could not agree on the new communicator");
}

int check(call& c, const p2p::outcome& result) {
  return result.error == MPI_SUCCESS
             ? MPI_SUCCESS
             : c.fail(result.error, "the leaders could not agree on the new communicator");
}

wait::reason why_setup(call& c, const p2p::scope& where, int peer, int tag) {
  return {call_number(c), static_cast<std::int32_t>(where.peers[static_cast<std::size_t>(peer)]), tag,
          (where.context >> 3) + 1, "agreement on a new communicator"};
}

}  // namespace

int gather_everywhere(call& c, communicator& comm, const coll::group_view& v, const void* mine,
                      std::int64_t bytes, void* all) {
  const std::lock_guard guard(c.process().gate());
  return run(c, comm,
             c.process().core().coll->allgather(v, bytes_at(mine, bytes), bytes_at(all, bytes), false));
}

int gather_varying(call& c, communicator& comm, const std::vector<int>& mine, std::vector<int>* all) {
  const auto n = static_cast<std::size_t>(comm.size());
  const auto length = static_cast<std::int64_t>(mine.size());
  std::vector<std::int64_t> lengths(n), places(n);
  if (const int error = gather_everywhere(c, comm, comm.view(), &length, sizeof length, lengths.data()))
    return error;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    places[i] = total;
    total += lengths[i];
  }
  all->resize(static_cast<std::size_t>(total));
  const auto* type = loadstone::datatype::predefined_type(loadstone::datatype::basic::int_);
  const std::lock_guard guard(c.process().gate());
  return run(c, comm,
             c.process().core().coll->allgatherv(
                 comm.view(), {mine.data(), length, type},
                 {all->data(), {lengths.data(), 8}, {places.data(), 8}, type, nullptr}, false));
}

void take_hints(communicator& comm, const info::pairs& hints) {
  for (const auto& [key, value] : hints) {
    const bool meaningful = key == asserted_kinds_key
                                ? are_memory_kinds(value)
                                : !key.starts_with("mpi_assert_") || value == "true" || value == "false";
    if (!meaningful) continue;
    comm.hints.set(key, value);
    // Relaxed: see no_any_source in communicator.hpp.
    if (key == "mpi_assert_no_any_source")
      comm.promises.no_any_source.store(value == "true", std::memory_order_relaxed);
    if (key == "mpi_assert_no_any_tag")
      comm.promises.no_any_tag.store(value == "true", std::memory_order_relaxed);
  }
}

int find_peers(call& c, const process_list& list, std::vector<std::uint32_t>* peers) {
  peers->clear();
  peers->reserve(list.size());
  for (const memory::process_id& who : list) {
    const auto peer = c.process().runtime().peer_of(who);
    if (!peer) {
      return c.fail(MPI_ERR_GROUP, "rank {} of a group, {}, cannot be reached: {}", peers->size(),
                    memory::name_of(who), peer.error().what);
    }
    peers->push_back(*peer);
  }
  return MPI_SUCCESS;
}

int make_communicator(call& c, std::uint64_t id, members local, members remote,
                      std::unique_ptr<communicator>* out) {
  peer_group here{std::move(local), {}}, there{std::move(remote), {}};
  if (const int error = find_peers(c, *here.list, &here.peers)) return error;
  if (there.list != nullptr) {
    if (const int error = find_peers(c, *there.list, &there.peers)) return error;
  }
  *out = std::make_unique<communicator>(c.process(), id, std::move(here), std::move(there));
  return MPI_SUCCESS;
}

int give_communicator(call& c, std::unique_ptr<communicator> made, communicator* parent, MPI_Comm* out) {
  const MPI_Comm handle = c.process().communicators.add(std::move(made), parent);
  if (handle == MPI_COMM_NULL) return c.fail(MPI_ERR_OTHER, "no more communicator handles are free");
  *out = handle;
  LOADSTONE_FAULT_POINT("communicator.made");
  return MPI_SUCCESS;
}

int broadcast_from(call& c, communicator& comm, const coll::group_view& v, int root, void* data,
                   std::int64_t bytes) {
  const std::lock_guard guard(c.process().gate());
  return run(c, comm, c.process().core().coll->bcast(v, bytes_at(data, bytes), root));
}

int send_setup(call& c, p2p::scope& where, int to, int tag, const void* data, std::int64_t bytes) {
  p2p::outcome result;
  const std::lock_guard guard(c.process().gate());
  c.process().core().p2p->send_wait(where, bytes_at(data, bytes), to, tag, p2p::send_mode::standard,
                                    why_setup(c, where, to, tag), &result);
  return check(c, result);
}

int receive_setup(call& c, p2p::scope& where, int from, int tag, void* data, std::int64_t bytes) {
  p2p::outcome result;
  const std::lock_guard guard(c.process().gate());
  c.process().core().p2p->receive_wait(where, bytes_at(data, bytes), from, tag,
                                       why_setup(c, where, from, tag), &result);
  return check(c, result);
}

int swap_setup(call& c, p2p::scope& where, int peer, int tag, const void* mine, void* theirs,
               std::int64_t bytes) {
  auto& engine = *c.process().core().p2p;
  const std::lock_guard guard(c.process().gate());
  p2p::request* receive = engine.receive(where, bytes_at(theirs, bytes), peer, tag);
  p2p::request* send = engine.send(where, bytes_at(mine, bytes), peer, tag, p2p::send_mode::standard);
  if (!engine.wait(*receive, why_setup(c, where, peer, tag)) ||
      !engine.wait(*send, why_setup(c, where, peer, tag))) {
    wait_for_the_end();
  }
  const p2p::outcome result = receive->result;
  engine.free(receive);
  engine.free(send);
  return check(c, result);
}

int swap_sides(call& c, communicator& comm, void* mine, void* theirs, std::int64_t bytes) {
  std::vector<std::byte> both(static_cast<std::size_t>(2 * bytes));
  if (comm.rank() == 0) {
    if (const int error = swap_setup(c, comm.traffic(traffic_kind::setup), 0, side_tag, mine, theirs, bytes))
      return error;
    std::memcpy(both.data(), mine, static_cast<std::size_t>(bytes));
    std::memcpy(both.data() + bytes, theirs, static_cast<std::size_t>(bytes));
  }
  if (const int error = broadcast_from(c, comm, comm.local_view(), 0, both.data(), 2 * bytes)) return error;
  std::memcpy(mine, both.data(), static_cast<std::size_t>(bytes));
  std::memcpy(theirs, both.data() + bytes, static_cast<std::size_t>(bytes));
  return MPI_SUCCESS;
}

int agree_on_id(call& c, communicator& comm, std::uint64_t* id) {
  *id = comm.rank() == 0 ? c.process().communicators.new_id(comm.across_jobs()) : 0;
  if (!comm.is_inter()) return broadcast_from(c, comm, comm.view(), 0, id, sizeof *id);
  std::uint64_t theirs = 0;
  if (const int error = swap_sides(c, comm, id, &theirs, sizeof *id)) return error;
  if (!comm.decides()) *id = theirs;
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
