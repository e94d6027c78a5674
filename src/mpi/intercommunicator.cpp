// Inter-communicators (MPI §7.6): create and merge. Also communicators that are made of groups,
// without a parent (§7.4.2, sessions).
#include <algorithm>
#include <cstring>
#include <string>

#include "mpi/agreement.hpp"
#include "mpi/generated/impl.hpp"

namespace loadstone::mpi {
namespace {

// What the leaders of the two groups tell each other, before the lists of their processes.
struct introduction {
  std::uint64_t id;
  std::uint64_t size;
  std::int64_t flag;
};

// The id that both sides take: the larger one. So it is one for communicators across jobs if any
// side has processes of several.
std::uint64_t common_id(const introduction& mine, const introduction& theirs) {
  return std::max(mine.id, theirs.id);
}

// Leaders swap introductions and lists. `other`: who the other one is.
int introduce(call& c, p2p::scope& where, int peer, const memory::process_id& other, int tag,
              const introduction& mine, const process_list& list, introduction* theirs,
              process_list* others) {
  if (const int error = swap_setup(c, where, peer, tag, &mine, theirs, sizeof mine)) return error;
  others->resize(theirs->size);
  // The lists differ in length, so they are not swapped at once: the smaller of both processes
  // sends first.
  const auto bytes = [](const process_list& l) { return static_cast<std::int64_t>(l.size() * sizeof l[0]); };
  const bool first = c.process().id() < other;
  if (first) {
    if (const int error = send_setup(c, where, peer, tag, list.data(), bytes(list))) return error;
    return receive_setup(c, where, peer, tag, others->data(), bytes(*others));
  }
  if (const int error = receive_setup(c, where, peer, tag, others->data(), bytes(*others))) return error;
  return send_setup(c, where, peer, tag, list.data(), bytes(list));
}

// A tag for messages between processes that have no communicator in common yet, from what callers
// that belong together have in common: string and group.
int tag_of(const char* text, const process_list& list) {
  std::uint64_t h = 0xcbf29ce484222325u;
  const auto mix = [&h](std::uint64_t v) { h = (h ^ v) * 0x100000001b3u; };
  for (; *text != '\0'; ++text) mix(static_cast<unsigned char>(*text));
  for (const memory::process_id& who : list) {
    mix(who.job);
    mix(who.index);
  }
  return static_cast<int>((h ^ h >> 32) & 0x3fffffff);
}

bool overlap(const process_list& a, const process_list& b) {
  for (const memory::process_id& who : a) {
    if (rank_in(b, who) != MPI_UNDEFINED) return true;
  }
  return false;
}

}  // namespace

int impl::Intercomm_create(call& c, communicator& local_comm, int local_leader, MPI_Comm peer_handle,
                           int remote_leader, int tag, MPI_Comm* newintercomm) {
  auto& p = c.process();
  if (local_comm.is_inter()) {
    return c.fail(MPI_ERR_COMM,
                  "argument 1 (local_comm) is an inter-communicator; expected an intra-communicator");
  }
  introduction mine{0, static_cast<std::uint64_t>(local_comm.size()), 0}, theirs{};
  process_list others;
  int leader_error = MPI_SUCCESS;
  if (local_comm.rank() == local_leader) {
    communicator* peer = p.handles.comms.find(peer_handle);
    if (peer == nullptr) {
      leader_error = c.fail(
          MPI_ERR_COMM, "argument 3 (peer_comm) is {:#x}; expected a live communicator at the local leader",
          static_cast<std::uintptr_t>(handle_bits(peer_handle)));
    } else if (remote_leader < 0 || remote_leader >= peer->remote_size()) {
      leader_error = c.fail(MPI_ERR_RANK, "argument 4 (remote_leader) is {}; expected a rank from 0 to {}",
                            remote_leader, peer->remote_size() - 1);
    } else {
      mine.id = p.communicators.new_id(local_comm.across_jobs() || peer->across_jobs());
      const memory::process_id& other = (*peer->remote())[static_cast<std::size_t>(remote_leader)];
      leader_error = introduce(c, peer->traffic(traffic_kind::setup), remote_leader, other, tag, mine,
                               *local_comm.local(), &theirs, &others);
      if (leader_error == MPI_SUCCESS && overlap(*local_comm.local(), others)) {
        leader_error =
            c.fail(MPI_ERR_COMM,
                   "the local and the remote group have processes in common; expected disjoint groups");
      }
    }
  }
  // The leader tells its group what it has learnt; size 0: it failed.
  std::uint64_t known[2] = {0, 0};
  coll::group_view v = local_comm.view();
  if (local_comm.rank() == local_leader && leader_error == MPI_SUCCESS) {
    known[0] = common_id(mine, theirs);
    known[1] = others.size();
  }
  if (const int error = broadcast_from(c, local_comm, v, local_leader, known, sizeof known)) return error;
  if (known[1] == 0) {
    return leader_error != MPI_SUCCESS
               ? leader_error
               : c.fail(MPI_ERR_OTHER, "the local leader could not reach the remote one");
  }
  others.resize(known[1]);
  if (const int error = broadcast_from(c, local_comm, v, local_leader, others.data(),
                                       static_cast<std::int64_t>(others.size() * sizeof others[0]))) {
    return error;
  }
  std::unique_ptr<communicator> made;
  if (const int error = make_communicator(c, known[0], local_comm.local(),
                                          std::make_shared<const process_list>(std::move(others)), &made)) {
    return error;
  }
  return give_communicator(c, std::move(made), &local_comm, newintercomm);
}

int impl::Intercomm_merge(call& c, communicator& intercomm, int high, MPI_Comm* newintracomm) {
  if (!intercomm.is_inter()) {
    return c.fail(MPI_ERR_COMM,
                  "argument 1 (intercomm) is an intra-communicator; expected an inter-communicator");
  }
  introduction mine{0, 0, high != 0}, theirs{};
  if (intercomm.rank() == 0) mine.id = c.process().communicators.new_id(intercomm.across_jobs());
  if (const int error = swap_sides(c, intercomm, &mine, &theirs, sizeof mine)) return error;
  // If both sides gave the same flag, the side that decides comes first.
  const bool we_first = mine.flag != theirs.flag ? mine.flag == 0 : intercomm.decides();
  process_list all = we_first ? *intercomm.local() : *intercomm.remote();
  const process_list& second = we_first ? *intercomm.remote() : *intercomm.local();
  all.insert(all.end(), second.begin(), second.end());
  const std::uint64_t id = intercomm.decides() ? mine.id : theirs.id;
  std::unique_ptr<communicator> made;
  if (const int error =
          make_communicator(c, id, std::make_shared<const process_list>(std::move(all)), nullptr, &made))
    return error;
  return give_communicator(c, std::move(made), &intercomm, newintracomm);
}

int impl::Comm_create_from_group(call& c, group& group, const char* stringtag, info* info,
                                 errhandler& errhandler, MPI_Comm* newcomm) {
  *newcomm = MPI_COMM_NULL;
  auto& p = c.process();
  if (group.size() == 0) return MPI_SUCCESS;
  const int position = group.rank_of(p.id());
  if (position == MPI_UNDEFINED)
    return c.fail(MPI_ERR_GROUP, "argument 1 (group) does not contain the calling process");
  std::vector<std::uint32_t> peers;
  if (const int error = find_peers(c, *group.list(), &peers)) return error;
  const int tag = tag_of(stringtag, *group.list());
  std::uint64_t id = p.communicators.new_id(across_jobs(*group.list(), p.id()));
  if (position == 0) {
    for (std::size_t i = 1; i < peers.size(); ++i) {
      const int to = static_cast<int>(peers[i]);
      if (const int error = send_setup(c, p.communicators.bootstrap(), to, tag, &id, sizeof id)) return error;
    }
  } else if (const int error = receive_setup(c, p.communicators.bootstrap(), static_cast<int>(peers.front()),
                                             tag, &id, sizeof id)) {
    return error;
  }
  std::unique_ptr<communicator> made;
  if (const int error = make_communicator(c, id, group.list(), nullptr, &made)) return error;
  communicator* raw = made.get();
  if (info != nullptr) take_hints(*made, info->content());
  made->session_buffer = group.session_buffer();
  if (const int error = give_communicator(c, std::move(made), nullptr, newcomm)) return error;
  raw->set_error_handler(&errhandler);
  return MPI_SUCCESS;
}

// remote_group and remote_leader are significant at the local leader only: it exchanges messages
// with the other leader, and tells its group.
int impl::Intercomm_create_from_groups(call& c, group& local_group, int local_leader, group& remote_group,
                                       int remote_leader, const char* stringtag, info* info,
                                       errhandler& errhandler, MPI_Comm* newintercomm) {
  *newintercomm = MPI_COMM_NULL;
  auto& p = c.process();
  const int position = local_group.rank_of(p.id());
  if (position == MPI_UNDEFINED)
    return c.fail(MPI_ERR_GROUP, "argument 1 (local_group) does not contain the calling process");
  if (local_leader < 0 || local_leader >= local_group.size()) {
    return c.fail(MPI_ERR_ARG, "argument 2 (local_leader) is {}; expected a rank from 0 to {}", local_leader,
                  local_group.size() - 1);
  }
  std::vector<std::uint32_t> here;
  if (const int error = find_peers(c, *local_group.list(), &here)) return error;
  const int within = tag_of(stringtag, *local_group.list());
  std::uint64_t known[2] = {0, 0};
  process_list others;
  if (position == local_leader) {
    if (remote_leader < 0 || remote_leader >= remote_group.size()) {
      return c.fail(MPI_ERR_ARG, "argument 4 (remote_leader) is {}; expected a rank from 0 to {}",
                    remote_leader, remote_group.size() - 1);
    }
    if (overlap(*local_group.list(), *remote_group.list())) {
      return c.fail(MPI_ERR_GROUP,
                    "the local and the remote group have processes in common; expected disjoint groups");
    }
    std::vector<std::uint32_t> there;
    if (const int error = find_peers(c, *remote_group.list(), &there)) return error;
    const auto leader = static_cast<std::size_t>(remote_leader);
    const int between = tag_of(stringtag, {});
    const bool across = across_jobs(*local_group.list(), p.id()) || across_jobs(*remote_group.list(), p.id());
    introduction mine{p.communicators.new_id(across), here.size(), 0}, theirs{};
    if (const int error =
            introduce(c, p.communicators.bootstrap(), static_cast<int>(there[leader]),
                      (*remote_group.list())[leader], between, mine, *local_group.list(), &theirs, &others))
      return error;
    known[0] = common_id(mine, theirs);
    known[1] = others.size();
    for (const std::uint32_t to : here) {
      if (to == p.self()) continue;
      if (const int error =
              send_setup(c, p.communicators.bootstrap(), static_cast<int>(to), within, known, sizeof known))
        return error;
      if (const int error =
              send_setup(c, p.communicators.bootstrap(), static_cast<int>(to), within, others.data(),
                         static_cast<std::int64_t>(others.size() * sizeof others[0]))) {
        return error;
      }
    }
  } else {
    const int from = static_cast<int>(here[static_cast<std::size_t>(local_leader)]);
    if (const int error = receive_setup(c, p.communicators.bootstrap(), from, within, known, sizeof known))
      return error;
    others.resize(known[1]);
    if (const int error = receive_setup(c, p.communicators.bootstrap(), from, within, others.data(),
                                        static_cast<std::int64_t>(others.size() * sizeof others[0]))) {
      return error;
    }
  }
  std::unique_ptr<communicator> made;
  if (const int error = make_communicator(c, known[0], local_group.list(),
                                          std::make_shared<const process_list>(std::move(others)), &made)) {
    return error;
  }
  communicator* raw = made.get();
  if (info != nullptr) take_hints(*made, info->content());
  made->session_buffer = local_group.session_buffer();
  if (const int error = give_communicator(c, std::move(made), nullptr, newintercomm)) return error;
  raw->set_error_handler(&errhandler);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
