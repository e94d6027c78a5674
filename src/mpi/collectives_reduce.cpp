// Reductions and scans (MPI §6.9 – §6.12).
#include "mpi/collective_request.hpp"
#include "mpi/generated/impl.hpp"

namespace loadstone::mpi {

namespace {
auto build_reduce(const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                  mpi::op& op, int root) {
  const auto* datatype_core = datatype.core();
  const auto* op_core = op.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.reduce(v, sendbuf, recvbuf, count, datatype_core, op_core, core_root(root),
                    sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Reduce(call& c, const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                 mpi::op& op, int root, mpi::communicator& comm) {
  return run_collective(c, comm, build_reduce(sendbuf, recvbuf, count, datatype, op, root));
}

int impl::Ireduce(call& c, const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                  mpi::op& op, int root, mpi::communicator& comm, MPI_Request* request) {
  return begin_collective(c, comm, request, build_reduce(sendbuf, recvbuf, count, datatype, op, root));
}

int impl::Reduce_init(call& c, const void* sendbuf, void* recvbuf, std::int64_t count,
                      mpi::datatype& datatype, mpi::op& op, int root, mpi::communicator& comm, info*,
                      MPI_Request* request) {
  return keep_collective(c, comm, request, build_reduce(sendbuf, recvbuf, count, datatype, op, root));
}

namespace {
auto build_allreduce(const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                     mpi::op& op) {
  const auto* datatype_core = datatype.core();
  const auto* op_core = op.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.allreduce(v, sendbuf, recvbuf, count, datatype_core, op_core, sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Allreduce(call& c, const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                    mpi::op& op, mpi::communicator& comm) {
  return run_collective(c, comm, build_allreduce(sendbuf, recvbuf, count, datatype, op));
}

int impl::Iallreduce(call& c, const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                     mpi::op& op, mpi::communicator& comm, MPI_Request* request) {
  return begin_collective(c, comm, request, build_allreduce(sendbuf, recvbuf, count, datatype, op));
}

int impl::Allreduce_init(call& c, const void* sendbuf, void* recvbuf, std::int64_t count,
                         mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm, info*,
                         MPI_Request* request) {
  return keep_collective(c, comm, request, build_allreduce(sendbuf, recvbuf, count, datatype, op));
}

namespace {

// Scans need one order of all processes, so they are for intra-communicators only (MPI §6.11).
int refuse_inter(call& c) {
  return c.fail(MPI_ERR_COMM, "argument 6 (comm) is an inter-communicator; expected an intra-communicator");
}

auto build_scan(const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                mpi::op& op) {
  const auto* datatype_core = datatype.core();
  const auto* op_core = op.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.scan(v, sendbuf, recvbuf, count, datatype_core, op_core, sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Scan(call& c, const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
               mpi::op& op, mpi::communicator& comm) {
  if (comm.is_inter()) return refuse_inter(c);
  return run_collective(c, comm, build_scan(sendbuf, recvbuf, count, datatype, op));
}

int impl::Iscan(call& c, const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                mpi::op& op, mpi::communicator& comm, MPI_Request* request) {
  if (comm.is_inter()) return refuse_inter(c);
  return begin_collective(c, comm, request, build_scan(sendbuf, recvbuf, count, datatype, op));
}

int impl::Scan_init(call& c, const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                    mpi::op& op, mpi::communicator& comm, info*, MPI_Request* request) {
  if (comm.is_inter()) return refuse_inter(c);
  return keep_collective(c, comm, request, build_scan(sendbuf, recvbuf, count, datatype, op));
}

namespace {
auto build_exscan(const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                  mpi::op& op) {
  const auto* datatype_core = datatype.core();
  const auto* op_core = op.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.exscan(v, sendbuf, recvbuf, count, datatype_core, op_core, sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Exscan(call& c, const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                 mpi::op& op, mpi::communicator& comm) {
  if (comm.is_inter()) return refuse_inter(c);
  return run_collective(c, comm, build_exscan(sendbuf, recvbuf, count, datatype, op));
}

int impl::Iexscan(call& c, const void* sendbuf, void* recvbuf, std::int64_t count, mpi::datatype& datatype,
                  mpi::op& op, mpi::communicator& comm, MPI_Request* request) {
  if (comm.is_inter()) return refuse_inter(c);
  return begin_collective(c, comm, request, build_exscan(sendbuf, recvbuf, count, datatype, op));
}

int impl::Exscan_init(call& c, const void* sendbuf, void* recvbuf, std::int64_t count,
                      mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm, info*,
                      MPI_Request* request) {
  if (comm.is_inter()) return refuse_inter(c);
  return keep_collective(c, comm, request, build_exscan(sendbuf, recvbuf, count, datatype, op));
}

namespace {
auto build_reduce_scatter(const void* sendbuf, void* recvbuf, base::integers recvcounts,
                          mpi::datatype& datatype, mpi::op& op) {
  const auto* datatype_core = datatype.core();
  const auto* op_core = op.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.reduce_scatter(v, sendbuf, recvbuf, recvcounts, datatype_core, op_core, sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Reduce_scatter(call& c, const void* sendbuf, void* recvbuf, base::integers recvcounts,
                         mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm) {
  return run_collective(c, comm, build_reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op));
}

int impl::Ireduce_scatter(call& c, const void* sendbuf, void* recvbuf, base::integers recvcounts,
                          mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm,
                          MPI_Request* request) {
  return begin_collective(c, comm, request, build_reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op));
}

int impl::Reduce_scatter_init(call& c, const void* sendbuf, void* recvbuf, base::integers recvcounts,
                              mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm, info*,
                              MPI_Request* request) {
  return keep_collective(c, comm, request, build_reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op));
}

namespace {
auto build_reduce_scatter_block(const void* sendbuf, void* recvbuf, std::int64_t recvcount,
                                mpi::datatype& datatype, mpi::op& op) {
  const auto* datatype_core = datatype.core();
  const auto* op_core = op.core();
  return [=](coll::engine& e, const coll::group_view& v) {
    return e.reduce_scatter_block(v, sendbuf, recvbuf, recvcount, datatype_core, op_core,
                                  sendbuf == MPI_IN_PLACE);
  };
}
}  // namespace

int impl::Reduce_scatter_block(call& c, const void* sendbuf, void* recvbuf, std::int64_t recvcount,
                               mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm) {
  return run_collective(c, comm, build_reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op));
}

int impl::Ireduce_scatter_block(call& c, const void* sendbuf, void* recvbuf, std::int64_t recvcount,
                                mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm,
                                MPI_Request* request) {
  return begin_collective(c, comm, request,
                          build_reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op));
}

int impl::Reduce_scatter_block_init(call& c, const void* sendbuf, void* recvbuf, std::int64_t recvcount,
                                    mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm, info*,
                                    MPI_Request* request) {
  return keep_collective(c, comm, request,
                         build_reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op));
}

}  // namespace loadstone::mpi
