// Allgather and alltoall (MPI §6.7, §6.8).
#include "mpi/collective_request.hpp"
#include "mpi/generated/impl.hpp"

namespace loadstone::mpi {

namespace {
auto build_allgather(const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void* recvbuf,
                     std::int64_t recvcount, mpi::datatype& recvtype) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.allgather(v, {sendbuf, sendcount, sendtype_core}, {recvbuf, recvcount, recvtype_core},
                       sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Allgather(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                    void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm) {
  return run_collective(c, comm, build_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}

int impl::Iallgather(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                     void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm,
                     MPI_Request* request) {
  return begin_collective(c, comm, request,
                          build_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}

int impl::Allgather_init(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                         void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                         mpi::communicator& comm, info*, MPI_Request* request) {
  return keep_collective(c, comm, request,
                         build_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}

namespace {
auto build_allgatherv(const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void* recvbuf,
                      base::integers recvcounts, base::integers displs, mpi::datatype& recvtype) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.allgatherv(v, {sendbuf, sendcount, sendtype_core},
                        {recvbuf, recvcounts, displs, recvtype_core, nullptr}, sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Allgatherv(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                     void* recvbuf, base::integers recvcounts, base::integers displs, mpi::datatype& recvtype,
                     mpi::communicator& comm) {
  return run_collective(
      c, comm, build_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype));
}

int impl::Iallgatherv(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                      void* recvbuf, base::integers recvcounts, base::integers displs,
                      mpi::datatype& recvtype, mpi::communicator& comm, MPI_Request* request) {
  return begin_collective(
      c, comm, request,
      build_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype));
}

int impl::Allgatherv_init(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                          void* recvbuf, base::integers recvcounts, base::integers displs,
                          mpi::datatype& recvtype, mpi::communicator& comm, info*, MPI_Request* request) {
  return keep_collective(
      c, comm, request,
      build_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype));
}

namespace {
auto build_alltoall(const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void* recvbuf,
                    std::int64_t recvcount, mpi::datatype& recvtype) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.alltoall(v, {sendbuf, sendcount, sendtype_core}, {recvbuf, recvcount, recvtype_core},
                      sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Alltoall(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                   void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm) {
  return run_collective(c, comm, build_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}

int impl::Ialltoall(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                    void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm,
                    MPI_Request* request) {
  return begin_collective(c, comm, request,
                          build_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}

int impl::Alltoall_init(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                        void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                        mpi::communicator& comm, info*, MPI_Request* request) {
  return keep_collective(c, comm, request,
                         build_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}

namespace {
auto build_alltoallv(const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                     mpi::datatype& sendtype, void* recvbuf, base::integers recvcounts,
                     base::integers rdispls, mpi::datatype& recvtype) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.alltoallv(v, {sendbuf, sendcounts, sdispls, sendtype_core, nullptr},
                       {recvbuf, recvcounts, rdispls, recvtype_core, nullptr}, sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Alltoallv(call& c, const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                    mpi::datatype& sendtype, void* recvbuf, base::integers recvcounts, base::integers rdispls,
                    mpi::datatype& recvtype, mpi::communicator& comm) {
  return run_collective(
      c, comm,
      build_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype));
}

int impl::Ialltoallv(call& c, const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                     mpi::datatype& sendtype, void* recvbuf, base::integers recvcounts,
                     base::integers rdispls, mpi::datatype& recvtype, mpi::communicator& comm,
                     MPI_Request* request) {
  return begin_collective(
      c, comm, request,
      build_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype));
}

int impl::Alltoallv_init(call& c, const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                         mpi::datatype& sendtype, void* recvbuf, base::integers recvcounts,
                         base::integers rdispls, mpi::datatype& recvtype, mpi::communicator& comm, info*,
                         MPI_Request* request) {
  return keep_collective(
      c, comm, request,
      build_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype));
}

namespace {
auto build_alltoallw(const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                     const MPI_Datatype sendtypes[], void* recvbuf, base::integers recvcounts,
                     base::integers rdispls, const MPI_Datatype recvtypes[], mpi::communicator& comm) {
  return [=, &comm](coll::engine& e, const coll::group_view& v) {
    const auto n = static_cast<std::size_t>(comm.remote_size());
    const bool in_place = sendbuf == MPI_IN_PLACE;
    const auto receive = core_types(comm.owner(), recvtypes, n);
    const auto send = in_place ? receive : core_types(comm.owner(), sendtypes, n);
    return e.alltoallw(v, {sendbuf, sendcounts, sdispls, nullptr, send.data()},
                       {recvbuf, recvcounts, rdispls, nullptr, receive.data()}, in_place);
  };
}
}  // namespace

int impl::Alltoallw(call& c, const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                    const MPI_Datatype sendtypes[], void* recvbuf, base::integers recvcounts,
                    base::integers rdispls, const MPI_Datatype recvtypes[], mpi::communicator& comm) {
  return run_collective(c, comm,
                        build_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                        recvtypes, comm));
}

int impl::Ialltoallw(call& c, const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                     const MPI_Datatype sendtypes[], void* recvbuf, base::integers recvcounts,
                     base::integers rdispls, const MPI_Datatype recvtypes[], mpi::communicator& comm,
                     MPI_Request* request) {
  return begin_collective(c, comm, request,
                          build_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                          rdispls, recvtypes, comm));
}

int impl::Alltoallw_init(call& c, const void* sendbuf, base::integers sendcounts, base::integers sdispls,
                         const MPI_Datatype sendtypes[], void* recvbuf, base::integers recvcounts,
                         base::integers rdispls, const MPI_Datatype recvtypes[], mpi::communicator& comm,
                         info*, MPI_Request* request) {
  return keep_collective(c, comm, request,
                         build_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                         rdispls, recvtypes, comm));
}

}  // namespace loadstone::mpi
