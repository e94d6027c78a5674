// One-sided communication (MPI §12.3): put and get, with requests and without. Accumulates:
// window_accumulates.cpp.
#include "mpi/generated/impl.hpp"
#include "mpi/layout_slice.hpp"
#include "mpi/window_operation.hpp"

namespace loadstone::mpi {

int open_epoch(call& c, window& win, int target) {
  const std::lock_guard guard(c.process().gate());
  const auto no = win.epochs.operate(target);
  return no == nullptr ? MPI_SUCCESS : wrong_epoch(c, target, no);
}

int need_passive_epoch(call& c, window& win, int target) {
  const std::lock_guard guard(c.process().gate());
  const auto no = win.epochs.operate_by_request(target);
  return no == nullptr ? MPI_SUCCESS : wrong_epoch(c, target, no);
}

int too_long(call& c, const char* from, std::int64_t bytes, const char* to, std::int64_t room) {
  const auto count_of = [&](const char* end) { return argument(c, std::string(end) + "_count"); };
  return c.fail(MPI_ERR_TRUNCATE, "the data of {} is {} bytes; expected at most {}, as of {}", count_of(from),
                bytes, room, count_of(to));
}

int no_slice(call& c, const base::status& why) {
  return c.fail(MPI_ERR_NO_MEM, "a part of a datatype cannot be made: {}", why.what);
}

namespace {

// The side that receives has room for more than is sent: a part of its layout is used.
[[gnu::cold]] int put_less(call& c, window& win, int rank, const rma::local_data& origin,
                           const rma::remote_data& where) {
  if (origin.bytes() > where.bytes()) return too_long(c, "origin", origin.bytes(), "target", where.bytes());
  layout_slice part;
  if (const base::status why = part.cut(where.count, *where.type, 0, origin.bytes()); !why.ok())
    return no_slice(c, why);
  const auto result = win.core().put(rank, origin, {where.displacement, part.count(), part.type()});
  return result.ok() ? MPI_SUCCESS : operation_failed(c, win, rank, where.displacement, result);
}

[[gnu::cold]] int get_less(call& c, window& win, int rank, const rma::local_data& origin,
                           const rma::remote_data& where) {
  if (where.bytes() > origin.bytes()) return too_long(c, "target", where.bytes(), "origin", origin.bytes());
  layout_slice part;
  if (const base::status why = part.cut(origin.count, *origin.type, 0, where.bytes()); !why.ok())
    return no_slice(c, why);
  const auto result = win.core().get(rank, {origin.address, part.count(), part.type()}, where);
  return result.ok() ? MPI_SUCCESS : operation_failed(c, win, rank, where.displacement, result);
}

int put(call& c, const void* address, std::int64_t count, const datatype& type, int rank, std::int64_t disp,
        std::int64_t target_count, const datatype& target_type, window& win) {
  const rma::local_data origin{const_cast<void*>(address), count, type.core()};
  const rma::remote_data where{disp, target_count, target_type.core()};
  if (origin.bytes() != where.bytes()) [[unlikely]]
    return put_less(c, win, rank, origin, where);
  const rma::trouble result = win.core().put(rank, origin, where);
  return result.ok() ? MPI_SUCCESS : operation_failed(c, win, rank, disp, result);
}

int get(call& c, void* address, std::int64_t count, const datatype& type, int rank, std::int64_t disp,
        std::int64_t target_count, const datatype& target_type, window& win) {
  const rma::local_data origin{address, count, type.core()};
  const rma::remote_data where{disp, target_count, target_type.core()};
  if (origin.bytes() != where.bytes()) [[unlikely]]
    return get_less(c, win, rank, origin, where);
  const rma::trouble result = win.core().get(rank, origin, where);
  return result.ok() ? MPI_SUCCESS : operation_failed(c, win, rank, disp, result);
}

}  // namespace

int impl::Put(call& c, const void* origin_addr, std::int64_t origin_count, datatype& origin_datatype,
              int target_rank, std::int64_t target_disp, std::int64_t target_count, datatype& target_datatype,
              window& win) {
  if (const int error = enter(c, win, target_rank)) return error;
  if (target_rank == MPI_PROC_NULL) return MPI_SUCCESS;
  return put(c, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, win);
}

int impl::Get(call& c, void* origin_addr, std::int64_t origin_count, datatype& origin_datatype,
              int target_rank, std::int64_t target_disp, std::int64_t target_count, datatype& target_datatype,
              window& win) {
  if (const int error = enter(c, win, target_rank)) return error;
  if (target_rank == MPI_PROC_NULL) return MPI_SUCCESS;
  return get(c, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, win);
}

int impl::Rput(call& c, const void* origin_addr, std::int64_t origin_count, datatype& origin_datatype,
               int target_rank, std::int64_t target_disp, std::int64_t target_count,
               datatype& target_datatype, window& win, MPI_Request* request) {
  return by_request(c, win, target_rank, request, [&] {
    return put(c, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
               target_datatype, win);
  });
}

int impl::Rget(call& c, void* origin_addr, std::int64_t origin_count, datatype& origin_datatype,
               int target_rank, std::int64_t target_disp, std::int64_t target_count,
               datatype& target_datatype, window& win, MPI_Request* request) {
  return by_request(c, win, target_rank, request, [&] {
    return get(c, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
               target_datatype, win);
  });
}

}  // namespace loadstone::mpi
