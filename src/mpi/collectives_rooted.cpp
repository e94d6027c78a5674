// Barrier, broadcast, gather and scatter (MPI §6.3 – §6.6).
#include "mpi/collective_request.hpp"
#include "mpi/generated/impl.hpp"

namespace loadstone::mpi {

namespace {
auto build_barrier() {
  return [](coll::engine& e, const coll::group_view& v) { return e.barrier(v); };
}
}  // namespace

int impl::Barrier(call& c, mpi::communicator& comm) {
  return run_collective(c, comm, build_barrier());
}

int impl::Ibarrier(call& c, mpi::communicator& comm, MPI_Request* request) {
  return begin_collective(c, comm, request, build_barrier());
}

int impl::Barrier_init(call& c, mpi::communicator& comm, info*, MPI_Request* request) {
  return keep_collective(c, comm, request, build_barrier());
}

namespace {
auto build_bcast(void* buffer, std::int64_t count, mpi::datatype& datatype, int root) {
  const auto* datatype_core = datatype.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.bcast(v, {buffer, count, datatype_core}, core_root(root));
  };
}
}  // namespace

int impl::Bcast(call& c, void* buffer, std::int64_t count, mpi::datatype& datatype, int root,
                mpi::communicator& comm) {
  return run_collective(c, comm, build_bcast(buffer, count, datatype, root));
}

int impl::Ibcast(call& c, void* buffer, std::int64_t count, mpi::datatype& datatype, int root,
                 mpi::communicator& comm, MPI_Request* request) {
  return begin_collective(c, comm, request, build_bcast(buffer, count, datatype, root));
}

int impl::Bcast_init(call& c, void* buffer, std::int64_t count, mpi::datatype& datatype, int root,
                     mpi::communicator& comm, info*, MPI_Request* request) {
  return keep_collective(c, comm, request, build_bcast(buffer, count, datatype, root));
}

namespace {
auto build_gather(const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void* recvbuf,
                  std::int64_t recvcount, mpi::datatype& recvtype, int root) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.gather(v, {sendbuf, sendcount, sendtype_core}, {recvbuf, recvcount, recvtype_core},
                    core_root(root), sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Gather(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void* recvbuf,
                 std::int64_t recvcount, mpi::datatype& recvtype, int root, mpi::communicator& comm) {
  return run_collective(c, comm,
                        build_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}

int impl::Igather(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                  void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, int root,
                  mpi::communicator& comm, MPI_Request* request) {
  return begin_collective(c, comm, request,
                          build_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}

int impl::Gather_init(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                      void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, int root,
                      mpi::communicator& comm, info*, MPI_Request* request) {
  return keep_collective(c, comm, request,
                         build_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}

namespace {
auto build_gatherv(const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void* recvbuf,
                   base::integers recvcounts, base::integers displs, mpi::datatype& recvtype, int root) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.gatherv(v, {sendbuf, sendcount, sendtype_core},
                     {recvbuf, recvcounts, displs, recvtype_core, nullptr}, core_root(root),
                     sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Gatherv(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                  void* recvbuf, base::integers recvcounts, base::integers displs, mpi::datatype& recvtype,
                  int root, mpi::communicator& comm) {
  return run_collective(
      c, comm, build_gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root));
}

int impl::Igatherv(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                   void* recvbuf, base::integers recvcounts, base::integers displs, mpi::datatype& recvtype,
                   int root, mpi::communicator& comm, MPI_Request* request) {
  return begin_collective(
      c, comm, request,
      build_gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root));
}

int impl::Gatherv_init(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                       void* recvbuf, base::integers recvcounts, base::integers displs,
                       mpi::datatype& recvtype, int root, mpi::communicator& comm, info*,
                       MPI_Request* request) {
  return keep_collective(
      c, comm, request,
      build_gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root));
}

namespace {
auto build_scatter(const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void* recvbuf,
                   std::int64_t recvcount, mpi::datatype& recvtype, int root) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.scatter(v, {sendbuf, sendcount, sendtype_core}, {recvbuf, recvcount, recvtype_core},
                     core_root(root), recvbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Scatter(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                  void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, int root,
                  mpi::communicator& comm) {
  return run_collective(c, comm,
                        build_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}

int impl::Iscatter(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                   void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, int root,
                   mpi::communicator& comm, MPI_Request* request) {
  return begin_collective(c, comm, request,
                          build_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}

int impl::Scatter_init(call& c, const void* sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
                       void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, int root,
                       mpi::communicator& comm, info*, MPI_Request* request) {
  return keep_collective(c, comm, request,
                         build_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}

namespace {
auto build_scatterv(const void* sendbuf, base::integers sendcounts, base::integers displs,
                    mpi::datatype& sendtype, void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                    int root) {
  const auto* sendtype_core = sendtype.core();
  const auto* recvtype_core = recvtype.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.scatterv(v, {sendbuf, sendcounts, displs, sendtype_core, nullptr},
                      {recvbuf, recvcount, recvtype_core}, core_root(root), recvbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Scatterv(call& c, const void* sendbuf, base::integers sendcounts, base::integers displs,
                   mpi::datatype& sendtype, void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                   int root, mpi::communicator& comm) {
  return run_collective(
      c, comm, build_scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root));
}

int impl::Iscatterv(call& c, const void* sendbuf, base::integers sendcounts, base::integers displs,
                    mpi::datatype& sendtype, void* recvbuf, std::int64_t recvcount, mpi::datatype& recvtype,
                    int root, mpi::communicator& comm, MPI_Request* request) {
  return begin_collective(
      c, comm, request,
      build_scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root));
}

int impl::Scatterv_init(call& c, const void* sendbuf, base::integers sendcounts, base::integers displs,
                        mpi::datatype& sendtype, void* recvbuf, std::int64_t recvcount,
                        mpi::datatype& recvtype, int root, mpi::communicator& comm, info*,
                        MPI_Request* request) {
  return keep_collective(
      c, comm, request,
      build_scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root));
}

}  // namespace loadstone::mpi
