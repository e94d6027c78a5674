// Neighbourhood collectives (MPI §8.6 – §8.8): on the topology of the communicator.
#include "mpi/collective_request.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/topology.hpp"

namespace loadstone::mpi {

namespace {

coll::engine::neighbours neighbours_of(const communicator& comm) {
  const topology& t = *comm.topology;
  return {t.sources, t.destinations, t.kind == MPI_CART, t.most_neighbours};
}

int no_topology(call& c) {
  return c.fail(MPI_ERR_TOPOLOGY,
                "the communicator has no topology; expected a Cartesian, graph or distributed graph one");
}

}  // namespace

namespace {
auto build_neighbor_allgather(const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                              void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                              mpi::communicator& comm) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=, &comm](coll::engine& e, const coll::group_view& v) {
    return e.neighbor_allgather(v, neighbours_of(comm), {sendbuf, sendcount, sendtype_core},
                                {recvbuf, recvcount, recvtype_core});
  };
}
}  // namespace

int impl::Neighbor_allgather(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                             void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                             mpi::communicator& comm) {
  if (comm.topology == nullptr) return no_topology(c);
  return run_collective(
      c, comm, build_neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

int impl::Ineighbor_allgather(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                              void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                              mpi::communicator& comm, MPI_Request* request) {
  if (comm.topology == nullptr) return no_topology(c);
  return begin_collective(
      c, comm, request,
      build_neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

int impl::Neighbor_allgather_init(call& c, const void* sendbuf, std::int64_t sendcount,
                                  mpi::datatype& sendtype, void* recvbuf, std::int64_t recvcount,
                                  mpi::datatype& recvtype, mpi::communicator& comm, info*,
                                  MPI_Request* request) {
  if (comm.topology == nullptr) return no_topology(c);
  return keep_collective(
      c, comm, request,
      build_neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

namespace {
auto build_neighbor_allgatherv(const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                               void* recvbuf, base::integers recvcounts, base::integers displs,
                               mpi::datatype& recvtype, mpi::communicator& comm) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=, &comm](coll::engine& e, const coll::group_view& v) {
    return e.neighbor_allgatherv(v, neighbours_of(comm), {sendbuf, sendcount, sendtype_core},
                                 {recvbuf, recvcounts, displs, recvtype_core, nullptr});
  };
}
}  // namespace

int impl::Neighbor_allgatherv(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                              void* recvbuf, base::integers recvcounts, base::integers displs,
                              mpi::datatype& recvtype, mpi::communicator& comm) {
  if (comm.topology == nullptr) return no_topology(c);
  return run_collective(
      c, comm,
      build_neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
}

int impl::Ineighbor_allgatherv(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                               void* recvbuf, base::integers recvcounts, base::integers displs,
                               mpi::datatype& recvtype, mpi::communicator& comm, MPI_Request* request) {
  if (comm.topology == nullptr) return no_topology(c);
  return begin_collective(
      c, comm, request,
      build_neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
}

int impl::Neighbor_allgatherv_init(call& c, const void* sendbuf, std::int64_t sendcount,
                                   mpi::datatype& sendtype, void* recvbuf, base::integers recvcounts,
                                   base::integers displs, mpi::datatype& recvtype, mpi::communicator& comm,
                                   info*, MPI_Request* request) {
  if (comm.topology == nullptr) return no_topology(c);
  return keep_collective(
      c, comm, request,
      build_neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
}

namespace {
auto build_neighbor_alltoall(const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                             void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                             mpi::communicator& comm) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=, &comm](coll::engine& e, const coll::group_view& v) {
    return e.neighbor_alltoall(v, neighbours_of(comm), {sendbuf, sendcount, sendtype_core},
                               {recvbuf, recvcount, recvtype_core});
  };
}
}  // namespace

int impl::Neighbor_alltoall(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                            void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                            mpi::communicator& comm) {
  if (comm.topology == nullptr) return no_topology(c);
  return run_collective(
      c, comm, build_neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

int impl::Ineighbor_alltoall(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                             void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                             mpi::communicator& comm, MPI_Request* request) {
  if (comm.topology == nullptr) return no_topology(c);
  return begin_collective(
      c, comm, request,
      build_neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

int impl::Neighbor_alltoall_init(call& c, const void* sendbuf, std::int64_t sendcount,
                                 mpi::datatype& sendtype, void* recvbuf, std::int64_t recvcount,
                                 mpi::datatype& recvtype, mpi::communicator& comm, info*,
                                 MPI_Request* request) {
  if (comm.topology == nullptr) return no_topology(c);
  return keep_collective(
      c, comm, request,
      build_neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

namespace {
auto build_neighbor_alltoallv(const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                              mpi::datatype& sendtype, void* recvbuf, base::integers recvcounts,
                              base::integers rdispls, mpi::datatype& recvtype, mpi::communicator& comm) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=, &comm](coll::engine& e, const coll::group_view& v) {
    return e.neighbor_alltoallv(v, neighbours_of(comm),
                                {sendbuf, sendcounts, sdispls, sendtype_core, nullptr},
                                {recvbuf, recvcounts, rdispls, recvtype_core, nullptr});
  };
}
}  // namespace

int impl::Neighbor_alltoallv(call& c, const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                             mpi::datatype& sendtype, void* recvbuf, base::integers recvcounts,
                             base::integers rdispls, mpi::datatype& recvtype, mpi::communicator& comm) {
  if (comm.topology == nullptr) return no_topology(c);
  return run_collective(c, comm,
                        build_neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                                 rdispls, recvtype, comm));
}

int impl::Ineighbor_alltoallv(call& c, const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                              mpi::datatype& sendtype, void* recvbuf, base::integers recvcounts,
                              base::integers rdispls, mpi::datatype& recvtype, mpi::communicator& comm,
                              MPI_Request* request) {
  if (comm.topology == nullptr) return no_topology(c);
  return begin_collective(c, comm, request,
                          build_neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                   recvcounts, rdispls, recvtype, comm));
}

int impl::Neighbor_alltoallv_init(call& c, const void* sendbuf, base::integers sendcounts,
                                  base::integers sdispls, mpi::datatype& sendtype, void* recvbuf,
                                  base::integers recvcounts, base::integers rdispls, mpi::datatype& recvtype,
                                  mpi::communicator& comm, info*, MPI_Request* request) {
  if (comm.topology == nullptr) return no_topology(c);
  return keep_collective(c, comm, request,
                         build_neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                                  rdispls, recvtype, comm));
}

namespace {
auto build_neighbor_alltoallw(const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                              const MPI_Datatype sendtypes[], void* recvbuf, base::integers recvcounts,
                              base::integers rdispls, const MPI_Datatype recvtypes[],
                              mpi::communicator& comm) {
  return [=, &comm](coll::engine& e, const coll::group_view& v) {
    const auto send = core_types(comm.owner(), sendtypes, comm.topology->destinations.size());
    const auto receive = core_types(comm.owner(), recvtypes, comm.topology->sources.size());
    return e.neighbor_alltoallw(v, neighbours_of(comm), {sendbuf, sendcounts, sdispls, nullptr, send.data()},
                                {recvbuf, recvcounts, rdispls, nullptr, receive.data()});
  };
}
}  // namespace

int impl::Neighbor_alltoallw(call& c, const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                             const MPI_Datatype sendtypes[], void* recvbuf, base::integers recvcounts,
                             base::integers rdispls, const MPI_Datatype recvtypes[],
                             mpi::communicator& comm) {
  if (comm.topology == nullptr) return no_topology(c);
  return run_collective(c, comm,
                        build_neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                                 rdispls, recvtypes, comm));
}

int impl::Ineighbor_alltoallw(call& c, const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                              const MPI_Datatype sendtypes[], void* recvbuf, base::integers recvcounts,
                              base::integers rdispls, const MPI_Datatype recvtypes[], mpi::communicator& comm,
                              MPI_Request* request) {
  if (comm.topology == nullptr) return no_topology(c);
  return begin_collective(c, comm, request,
                          build_neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                                   recvcounts, rdispls, recvtypes, comm));
}

int impl::Neighbor_alltoallw_init(call& c, const void* sendbuf, base::integers sendcounts,
                                  base::integers sdispls, const MPI_Datatype sendtypes[], void* recvbuf,
                                  base::integers recvcounts, base::integers rdispls,
                                  const MPI_Datatype recvtypes[], mpi::communicator& comm, info*,
                                  MPI_Request* request) {
  if (comm.topology == nullptr) return no_topology(c);
  return keep_collective(c, comm, request,
                         build_neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                                  recvcounts, rdispls, recvtypes, comm));
}

}  // namespace loadstone::mpi
