// Groups: set operations, inclusion and exclusion, translation, comparison (MPI §7.3).
#include "mpi/group.hpp"

#include <algorithm>
#include <unordered_map>

#include "mpi/call.hpp"
#include "mpi/generated/impl.hpp"

namespace loadstone::mpi {

int rank_in(const process_list& list, const memory::process_id& who) {
  const auto found = std::find(list.begin(), list.end(), who);
  return found == list.end() ? MPI_UNDEFINED : static_cast<int>(found - list.begin());
}

bool across_jobs(const process_list& list, const memory::process_id& self) {
  return std::any_of(list.begin(), list.end(), [&](const auto& who) { return who.job != self.job; });
}

MPI_Group new_group(process& p, members list, std::shared_ptr<bsend_buffer> session) {
  if (list->empty()) return MPI_GROUP_EMPTY;
  auto* g = new group(std::move(list), std::move(session));
  g->set_handle(p.handles.groups.insert(g));
  return g->handle();
}

namespace {

// The rank of each process of a list, so that operations that ask for every member take linear
// time.
class rank_map {
 public:
  explicit rank_map(const process_list& list) {
    ranks_.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) ranks_.emplace(list[i], static_cast<int>(i));
  }
  int operator[](const memory::process_id& who) const {
    const auto found = ranks_.find(who);
    return found == ranks_.end() ? MPI_UNDEFINED : found->second;
  }
  bool has(const memory::process_id& who) const { return ranks_.count(who) != 0; }

 private:
  std::unordered_map<memory::process_id, int> ranks_;
};

// Gives a new group its handle. `from`: a group that it is made of; the new one belongs to the same
// session.
int give(call& c, const group& from, process_list list, MPI_Group* newgroup) {
  const MPI_Group handle =
      new_group(c.process(), std::make_shared<const process_list>(std::move(list)), from.session_buffer());
  if (handle == MPI_GROUP_NULL) return c.fail(MPI_ERR_OTHER, "no more group handles are free");
  *newgroup = handle;
  return MPI_SUCCESS;
}

// The ranks named by triplets (first, last, stride), in order; an error class if one is out of
// range or named twice.
int expand(call& c, const group& g, int n, int ranges[][3], std::vector<int>* ranks) {
  std::vector<bool> seen(static_cast<std::size_t>(g.size()), false);
  for (int i = 0; i < n; ++i) {
    const int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
    if (stride == 0) return c.fail(MPI_ERR_ARG, "ranges[{}] has stride 0; expected any other number", i);
    for (std::int64_t rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) {
      if (rank < 0 || rank >= g.size()) {
        return c.fail(MPI_ERR_RANK, "ranges[{}] = ({}, {}, {}) names rank {}; expected 0 to {} of this group",
                      i, first, last, stride, rank, g.size() - 1);
      }
      if (seen[static_cast<std::size_t>(rank)]) {
        return c.fail(MPI_ERR_RANK, "ranges[{}] = ({}, {}, {}) names rank {} again; expected distinct ranks",
                      i, first, last, stride, rank);
      }
      seen[static_cast<std::size_t>(rank)] = true;
      ranks->push_back(static_cast<int>(rank));
    }
  }
  return MPI_SUCCESS;
}

int check_ranks(call& c, const group& g, int n, const int ranks[]) {
  std::vector<bool> seen(static_cast<std::size_t>(g.size()), false);
  for (int i = 0; i < n; ++i) {
    if (ranks[i] < 0 || ranks[i] >= g.size()) {
      return c.fail(MPI_ERR_RANK, "ranks[{}] is {}; expected 0 to {} of this group", i, ranks[i],
                    g.size() - 1);
    }
    if (seen[static_cast<std::size_t>(ranks[i])]) {
      return c.fail(MPI_ERR_RANK, "ranks[{}] is {} again; expected distinct ranks", i, ranks[i]);
    }
    seen[static_cast<std::size_t>(ranks[i])] = true;
  }
  return MPI_SUCCESS;
}

process_list including(const group& g, const int* ranks, std::size_t n) {
  process_list list;
  list.reserve(n);
  for (std::size_t i = 0; i < n; ++i) list.push_back((*g.list())[static_cast<std::size_t>(ranks[i])]);
  return list;
}

process_list excluding(const group& g, const int* ranks, std::size_t n) {
  std::vector<bool> out(static_cast<std::size_t>(g.size()), false);
  for (std::size_t i = 0; i < n; ++i) out[static_cast<std::size_t>(ranks[i])] = true;
  process_list list;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i]) list.push_back((*g.list())[i]);
  }
  return list;
}

}  // namespace

int impl::Group_size(call&, group& group, int* size) {
  *size = group.size();
  return MPI_SUCCESS;
}

int impl::Group_rank(call& c, group& group, int* rank) {
  *rank = group.rank_of(c.process().id());
  return MPI_SUCCESS;
}

int impl::Group_translate_ranks(call& c, group& group1, int n, const int ranks1[], group& group2,
                                int ranks2[]) {
  if (n > 0 && (ranks1 == nullptr || ranks2 == nullptr)) {
    return c.fail(MPI_ERR_ARG, "ranks1 or ranks2 is a null pointer; expected arrays of {} ranks", n);
  }
  const rank_map target(*group2.list());
  for (int i = 0; i < n; ++i) {
    if (ranks1[i] == MPI_PROC_NULL) {
      ranks2[i] = MPI_PROC_NULL;
    } else if (ranks1[i] < 0 || ranks1[i] >= group1.size()) {
      return c.fail(MPI_ERR_RANK, "ranks1[{}] is {}; expected 0 to {} of group1, or MPI_PROC_NULL", i,
                    ranks1[i], group1.size() - 1);
    } else {
      ranks2[i] = target[(*group1.list())[static_cast<std::size_t>(ranks1[i])]];
    }
  }
  return MPI_SUCCESS;
}

int impl::Group_compare(call&, group& group1, group& group2, int* result) {
  const process_list &a = *group1.list(), &b = *group2.list();
  if (a == b) {
    *result = MPI_IDENT;
  } else {
    process_list x = a, y = b;
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    *result = x == y ? MPI_SIMILAR : MPI_UNEQUAL;
  }
  return MPI_SUCCESS;
}

int impl::Group_union(call& c, group& group1, group& group2, MPI_Group* newgroup) {
  process_list list = *group1.list();
  const rank_map first(list);
  for (const memory::process_id& who : *group2.list()) {
    if (!first.has(who)) list.push_back(who);
  }
  return give(c, group1, std::move(list), newgroup);
}

int impl::Group_intersection(call& c, group& group1, group& group2, MPI_Group* newgroup) {
  process_list list;
  const rank_map second(*group2.list());
  for (const memory::process_id& who : *group1.list()) {
    if (second.has(who)) list.push_back(who);
  }
  return give(c, group1, std::move(list), newgroup);
}

int impl::Group_difference(call& c, group& group1, group& group2, MPI_Group* newgroup) {
  process_list list;
  const rank_map second(*group2.list());
  for (const memory::process_id& who : *group1.list()) {
    if (!second.has(who)) list.push_back(who);
  }
  return give(c, group1, std::move(list), newgroup);
}

int impl::Group_incl(call& c, group& group, int n, const int ranks[], MPI_Group* newgroup) {
  if (const int error = check_ranks(c, group, n, ranks)) return error;
  return give(c, group, including(group, ranks, static_cast<std::size_t>(n)), newgroup);
}

int impl::Group_excl(call& c, group& group, int n, const int ranks[], MPI_Group* newgroup) {
  if (const int error = check_ranks(c, group, n, ranks)) return error;
  return give(c, group, excluding(group, ranks, static_cast<std::size_t>(n)), newgroup);
}

int impl::Group_range_incl(call& c, group& group, int n, int ranges[][3], MPI_Group* newgroup) {
  std::vector<int> ranks;
  if (const int error = expand(c, group, n, ranges, &ranks)) return error;
  return give(c, group, including(group, ranks.data(), ranks.size()), newgroup);
}

int impl::Group_range_excl(call& c, group& group, int n, int ranges[][3], MPI_Group* newgroup) {
  std::vector<int> ranks;
  if (const int error = expand(c, group, n, ranges, &ranks)) return error;
  return give(c, group, excluding(group, ranks.data(), ranks.size()), newgroup);
}

int impl::Group_free(call& c, group& group) {
  if (group.handle() == MPI_GROUP_EMPTY)
    return MPI_SUCCESS;  // predefined: only the caller's variable changes
  c.handles().groups.remove(group.handle());
  delete &group;
  return MPI_SUCCESS;
}

int impl::Comm_group(call& c, communicator& comm, MPI_Group* group) {
  *group = new_group(c.process(), comm.local(), comm.session_buffer);
  return *group == MPI_GROUP_NULL ? c.fail(MPI_ERR_OTHER, "no more group handles are free") : MPI_SUCCESS;
}

int impl::Comm_remote_group(call& c, communicator& comm, MPI_Group* group) {
  if (!comm.is_inter())
    return c.fail(MPI_ERR_COMM, "comm is an intra-communicator; expected an inter-communicator");
  *group = new_group(c.process(), comm.remote(), comm.session_buffer);
  return *group == MPI_GROUP_NULL ? c.fail(MPI_ERR_OTHER, "no more group handles are free") : MPI_SUCCESS;
}

}  // namespace loadstone::mpi
