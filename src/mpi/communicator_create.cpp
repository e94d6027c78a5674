// New communicators from existing ones (MPI §7.4.2): dup, create, split. Making
// inter-communicators: intercommunicator.cpp.
#include <algorithm>
#include <array>

#include "mpi/agreement.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/hardware.hpp"
#include "mpi/topology.hpp"

namespace loadstone::mpi {
namespace {

members list_of(process_list list) {
  return std::make_shared<const process_list>(std::move(list));
}

// Copies to a duplicate what it takes over from its original.
int copy_cached(call& c, communicator& from, communicator& to) {
  if (from.topology != nullptr) to.topology = std::make_unique<mpi::topology>(*from.topology);
  if (const int code = to.attributes.copy_from(from.attributes, from.handle())) {
    return c.fail(code, "a copy function of an attribute of the communicator returned {}", code);
  }
  return MPI_SUCCESS;
}

int duplicate(call& c, communicator& comm, info::pairs hints, MPI_Comm* out) {
  std::uint64_t id;
  if (const int error = agree_on_id(c, comm, &id)) return error;
  std::unique_ptr<communicator> made;
  if (const int error =
          make_communicator(c, id, comm.local(), comm.is_inter() ? comm.remote() : nullptr, &made))
    return error;
  if (const int error = copy_cached(c, comm, *made)) return error;
  take_hints(*made, hints);
  return give_communicator(c, std::move(made), &comm, out);
}

// --- split and create ---

// What each process tells the others: which new communicator it will be in, its key there, and an
// id in case it leads.
struct proposal {
  std::int64_t color;  // MPI_UNDEFINED: none
  std::int64_t key;
  std::uint64_t id;
};

// The members of one colour, by key and then by rank in the old communicator.
struct chosen {
  process_list list;
  std::uint64_t id = 0;  // proposed by the first
};

chosen choose(const std::vector<proposal>& all, const process_list& processes, std::int64_t color) {
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].color == color) ranks.push_back(i);
  }
  std::stable_sort(ranks.begin(), ranks.end(),
                   [&](std::size_t a, std::size_t b) { return all[a].key < all[b].key; });
  chosen result;
  for (const std::size_t i : ranks) result.list.push_back(processes[i]);
  if (!ranks.empty()) result.id = all[ranks.front()].id;
  return result;
}

}  // namespace

int split_communicator(call& c, communicator& comm, std::int64_t color, std::int64_t key,
                       std::unique_ptr<communicator>* out) {
  const proposal mine{color, key, c.process().communicators.new_id(comm.across_jobs())};
  std::vector<proposal> local(static_cast<std::size_t>(comm.size()));
  if (const int error = gather_everywhere(c, comm, comm.local_view(), &mine, sizeof mine, local.data()))
    return error;
  std::vector<proposal> remote;
  if (comm.is_inter()) {
    remote.resize(static_cast<std::size_t>(comm.remote_size()));
    if (const int error = gather_everywhere(c, comm, comm.view(), &mine, sizeof mine, remote.data()))
      return error;
  }
  if (color == MPI_UNDEFINED) return MPI_SUCCESS;
  chosen here = choose(local, *comm.local(), color);
  if (!comm.is_inter()) return make_communicator(c, here.id, list_of(std::move(here.list)), nullptr, out);
  chosen there = choose(remote, *comm.remote(), color);
  if (there.list.empty()) return MPI_SUCCESS;  // the remote group would be empty: MPI_COMM_NULL
  const std::uint64_t id = comm.decides() ? here.id : there.id;
  return make_communicator(c, id, list_of(std::move(here.list)), list_of(std::move(there.list)), out);
}

namespace {

int split_into(call& c, communicator& comm, std::int64_t color, std::int64_t key, MPI_Comm* out) {
  *out = MPI_COMM_NULL;
  std::unique_ptr<communicator> made;
  if (const int error = split_communicator(c, comm, color, key, &made)) return error;
  return made == nullptr ? MPI_SUCCESS : give_communicator(c, std::move(made), &comm, out);
}

int check_subgroup(call& c, const communicator& comm, const group& part) {
  for (int rank = 0; rank < part.size(); ++rank) {
    const memory::process_id& who = (*part.list())[static_cast<std::size_t>(rank)];
    if (rank_in(*comm.local(), who) == MPI_UNDEFINED) {
      return c.fail(MPI_ERR_GROUP,
                    "rank {} of argument 2 (group), {}, is not in the communicator's group; expected a part "
                    "of that",
                    rank, memory::name_of(who));
    }
  }
  return MPI_SUCCESS;
}

}  // namespace

// Since MPI-4.0 hints are not inherited: a library that gets a duplicate does not have to keep the
// promises of its caller.
int impl::Comm_dup(call& c, communicator& comm, MPI_Comm* newcomm) {
  return duplicate(c, comm, {}, newcomm);
}

int impl::Comm_dup_with_info(call& c, communicator& comm, info* info, MPI_Comm* newcomm) {
  return duplicate(c, comm, info == nullptr ? info::pairs{} : info->content(), newcomm);
}

int impl::Comm_split(call& c, communicator& comm, int color, int key, MPI_Comm* newcomm) {
  if (color < 0 && color != MPI_UNDEFINED) {
    return c.fail(MPI_ERR_ARG, "argument 2 (color) is {}; expected at least 0, or MPI_UNDEFINED", color);
  }
  return split_into(c, comm, color, key, newcomm);
}

// The groups that callers name are equal or disjoint; rank 0 of each leads. In an
// inter-communicator all processes of a side name the same group.
int impl::Comm_create(call& c, communicator& comm, group& group, MPI_Comm* newcomm) {
  if (const int error = check_subgroup(c, comm, group)) return error;
  const int position = group.rank_of(c.process().id());
  // The colour: the first member's place in the communicator (0 on both sides of an
  // inter-communicator).
  std::int64_t color = MPI_UNDEFINED;
  if (position != MPI_UNDEFINED) color = comm.is_inter() ? 0 : rank_in(*comm.local(), group.list()->front());
  return split_into(c, comm, color, position, newcomm);
}

int impl::Comm_split_type(call& c, communicator& comm, int split_type, int key, info* info,
                          MPI_Comm* newcomm) {
  // All processes are on one machine and share memory. Smaller parts of it are known if mpiexec has
  // bound the ranks.
  int color = MPI_UNDEFINED, level = -1;
  const auto own_domain = [&](const hardware& h) {
    return level < 0 ? MPI_UNDEFINED : h.domains(level)[static_cast<std::size_t>(comm.rank())];
  };
  switch (split_type) {
    case MPI_COMM_TYPE_SHARED:
      color = 0;
      break;
    case MPI_UNDEFINED:
      break;
    case MPI_COMM_TYPE_HW_UNGUIDED: {
      const hardware h(c.process(), *comm.local());
      level = h.dividing_level();
      color = own_domain(h);
      break;
    }
    case MPI_COMM_TYPE_HW_GUIDED:
    case MPI_COMM_TYPE_RESOURCE_GUIDED: {
      const auto wanted = info == nullptr ? std::nullopt : info->find("mpi_hw_resource_type");
      const auto set = info == nullptr ? std::nullopt : info->find("mpi_pset_name");
      if (wanted && (*wanted == "mpi_shared_memory" || *wanted == "mpi://SHARED")) color = 0;
      if (wanted && color == MPI_UNDEFINED && (level = hardware::level_named(*wanted)) >= 0)
        color = own_domain(hardware(c.process(), *comm.local()));
      if (set && split_type == MPI_COMM_TYPE_RESOURCE_GUIDED &&
          (*set == "mpi://WORLD" || *set == "mpi://SHARED"))
        color = 0;
      if (set && split_type == MPI_COMM_TYPE_RESOURCE_GUIDED && *set == "mpi://SELF") color = comm.rank();
      break;
    }
    default:
      return c.fail(
          MPI_ERR_ARG,
          "argument 2 (split_type) is {}; expected one of MPI_COMM_TYPE_SHARED, _HW_GUIDED, _HW_UNGUIDED, "
          "_RESOURCE_GUIDED, or MPI_UNDEFINED",
          split_type);
  }
  if (const int error = split_into(c, comm, color, key, newcomm)) return error;
  if (level >= 0 && *newcomm != MPI_COMM_NULL) {
    const std::string resource = fmt::format("hwloc://{}", hardware::name(level));
    c.handles().comms.find(*newcomm)->hints.set("mpi_hw_resource_type", resource);
    // MPI-4.0, 7.4.2: for MPI_COMM_TYPE_HW_UNGUIDED, `info` gets the kind of resource as well.
    if (info != nullptr && split_type == MPI_COMM_TYPE_HW_UNGUIDED)
      info->set("mpi_hw_resource_type", resource);
  }
  return MPI_SUCCESS;
}

// Only members of the group take part: the leader sends the id to the others, in the set-up
// traffic, with the user's tag.
int impl::Comm_create_group(call& c, communicator& comm, group& group, int tag, MPI_Comm* newcomm) {
  *newcomm = MPI_COMM_NULL;
  if (comm.is_inter())
    return c.fail(MPI_ERR_COMM, "argument 1 (comm) is an inter-communicator; expected an intra-communicator");
  if (const int error = check_subgroup(c, comm, group)) return error;
  const int position = group.rank_of(c.process().id());
  if (position == MPI_UNDEFINED) return MPI_SUCCESS;
  p2p::scope& setup = comm.traffic(traffic_kind::setup);
  std::uint64_t id = c.process().communicators.new_id(comm.across_jobs());
  if (position == 0) {
    for (std::size_t i = 1; i < group.list()->size(); ++i) {
      const int to = rank_in(*comm.local(), (*group.list())[i]);
      if (const int error = send_setup(c, setup, to, tag, &id, sizeof id)) return error;
    }
  } else {
    const int from = rank_in(*comm.local(), group.list()->front());
    if (const int error = receive_setup(c, setup, from, tag, &id, sizeof id)) return error;
  }
  std::unique_ptr<communicator> made;
  if (const int error = make_communicator(c, id, group.list(), nullptr, &made)) return error;
  return give_communicator(c, std::move(made), &comm, newcomm);
}

}  // namespace loadstone::mpi
