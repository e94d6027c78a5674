// Collectives in their three forms: run_collective() is the blocking one, begin_collective() the
// non-blocking one, and keep_collective() the persistent one. All build the same schedule
// (coll/engine.hpp).
#pragma once

#include <string>
#include <vector>

#include "coll/schedule.hpp"
#include "mpi/request_object.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

class collective_request final : public request {
 public:
  collective_request(process& p, communicator& comm, coll::schedule* s, bool persistent)
      : request(p, &comm, persistent ? lifetime::persistent : lifetime::owned) {
    operation_ = s;
    active_ = !persistent;
  }
  int start() override {
    active_ = true;
    owner_.core().coll->start(static_cast<coll::schedule*>(operation_));
    return MPI_SUCCESS;
  }
  void deactivate() override { active_ = false; }  // keeps its schedule
};

// A root argument as coll::engine takes it, which has numbers of its own for MPI_ROOT and
// MPI_PROC_NULL.
constexpr std::int32_t core_root(int root) {
  return root == MPI_ROOT ? -2 : root == MPI_PROC_NULL ? -1 : root;
}

std::vector<const loadstone::datatype::type*> core_types(process& p, const MPI_Datatype* types,
                                                         std::size_t n);

// What went wrong with one that has failed. Under the gate, both.
std::string collective_problem(process& p, int error);
int collective_error(call& c, int error);

// `build` makes the schedule, from the engine and the view of the communicator; null: out of
// memory.
template <class Build>
int run_collective(call& c, communicator& comm, Build build) {
  const std::lock_guard guard(c.process().gate());
  coll::engine& engine = *c.process().core().coll;
  coll::schedule* s = build(engine, comm.view());
  const std::int32_t at_once = engine.run_at_once(s);
  const int error = at_once != coll::engine::not_yet
                        ? at_once
                        : engine.run_on(*s, reason_for(c, comm, MPI_ANY_SOURCE, 0, "collective"));
  return error == MPI_SUCCESS ? MPI_SUCCESS : collective_error(c, error);
}

template <class Build>
int begin_collective(call& c, communicator& comm, MPI_Request* handle, Build build) {
  coll::schedule* s;
  {
    const std::lock_guard guard(c.process().gate());
    coll::engine& engine = *c.process().core().coll;
    s = build(engine, comm.background_view());
    if (s != nullptr) engine.start(s);
  }
  if (s == nullptr) return collective_error(c, MPI_ERR_NO_MEM);
  return publish(c.process(), new collective_request(c.process(), comm, s, false), handle);
}

template <class Build>
int keep_collective(call& c, communicator& comm, MPI_Request* handle, Build build) {
  coll::schedule* s;
  {
    const std::lock_guard guard(c.process().gate());
    coll::group_view v = comm.background_view();
    v.persistent = true;
    s = build(*c.process().core().coll, v);
  }
  if (s == nullptr) return collective_error(c, MPI_ERR_NO_MEM);
  return publish(c.process(), new collective_request(c.process(), comm, s, true), handle);
}

}  // namespace loadstone::mpi
