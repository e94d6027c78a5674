// What can be asked about a communicator, and its end (MPI §7.4.1, §7.4.3, §7.4.4, §7.8).
#include <algorithm>
#include <cstring>

#include "mpi/agreement.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/memory_kinds.hpp"
#include "mpi/object_name.hpp"
#include "mpi/topology.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

int impl::Comm_size(call&, communicator& comm, int* size) {
  *size = comm.size();
  return MPI_SUCCESS;
}

int impl::Comm_rank(call&, communicator& comm, int* rank) {
  *rank = comm.rank();
  return MPI_SUCCESS;
}

int impl::Comm_remote_size(call& c, communicator& comm, int* size) {
  if (!comm.is_inter())
    return c.fail(MPI_ERR_COMM, "argument 1 (comm) is an intra-communicator; expected an inter-communicator");
  *size = comm.remote_size();
  return MPI_SUCCESS;
}

int impl::Comm_test_inter(call&, communicator& comm, int* flag) {
  *flag = comm.is_inter();
  return MPI_SUCCESS;
}

int impl::Comm_compare(call&, communicator& comm1, communicator& comm2, int* result) {
  if (&comm1 == &comm2) {
    *result = MPI_IDENT;
    return MPI_SUCCESS;
  }
  if (comm1.is_inter() != comm2.is_inter()) {
    *result = MPI_UNEQUAL;
    return MPI_SUCCESS;
  }
  const auto compare = [](const process_list& a, const process_list& b) {
    if (a == b) return MPI_CONGRUENT;
    process_list x = a, y = b;
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    return x == y ? MPI_SIMILAR : MPI_UNEQUAL;
  };
  *result = std::max(compare(*comm1.local(), *comm2.local()), compare(*comm1.remote(), *comm2.remote()));
  return MPI_SUCCESS;
}
static_assert(MPI_CONGRUENT < MPI_SIMILAR && MPI_SIMILAR < MPI_UNEQUAL);

int impl::Comm_set_name(call&, communicator& comm, const char* name) {
  comm.set_name(kept_name(name));
  return MPI_SUCCESS;
}

// The null handle has a name, too (MPI §7.8).
int impl::Comm_get_name(call& c, MPI_Comm comm, char* name, int* length) {
  communicator* found = c.handles().comms.find(comm);
  if (found == nullptr && comm != MPI_COMM_NULL) {
    return c.fail(MPI_ERR_COMM,
                  "argument 1 (comm) is {:#x}; expected a live handle of type MPI_Comm, or MPI_COMM_NULL",
                  static_cast<std::uintptr_t>(handle_bits(comm)));
  }
  const std::string text = found == nullptr ? "MPI_COMM_NULL" : found->name();
  std::memcpy(name, text.c_str(), text.size() + 1);
  *length = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

int impl::Comm_set_info(call&, communicator& comm, info* info) {
  if (info == nullptr) return MPI_SUCCESS;
  take_hints(comm, info->content());
  return MPI_SUCCESS;
}

int impl::Comm_get_info(call& c, communicator& comm, MPI_Info* info) {
  *info = new_info(c.process(), with_memory_kinds(comm.hints.content()));
  return *info == MPI_INFO_NULL ? c.fail(MPI_ERR_OTHER, "no more info handles are free") : MPI_SUCCESS;
}

namespace {

int end_communicator(call& c, communicator& comm) {
  auto& p = c.process();
  if (const int code = comm.attributes.clear(comm.handle())) {
    return c.fail(code, "a delete function of an attribute of the communicator returned {}", code);
  }
  p.handles.comms.remove(comm.handle());
  p.communicators.release(&comm);
  return MPI_SUCCESS;
}

}  // namespace

// Messages under way still complete; the object is deleted after the last of them.
int impl::Comm_free(call& c, communicator& comm) {
  return end_communicator(c, comm);
}

// Like free, but waits for everything under way first.
int impl::Comm_disconnect(call& c, communicator& comm) {
  comm.buffer.flush(c.process(), {call_number(c), -1, 0, comm.id() + 1, "buffered sends"});
  {
    const std::lock_guard guard(c.process().gate());
    c.process().core().p2p->wait_until([&] { return !comm.in_use(); },
                                       {call_number(c), -1, 0, comm.id() + 1, "messages under way"});
  }
  return end_communicator(c, comm);
}

int impl::Topo_test(call&, communicator& comm, int* status) {
  *status = comm.topology == nullptr ? MPI_UNDEFINED : comm.topology->kind;
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
