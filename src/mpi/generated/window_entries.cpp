// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

[[gnu::noinline]] static int otherwise_MPI_Accumulate([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] int origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] int target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Accumulate);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 9, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 8, "op", "MPI_Op", handle_bits(op));
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Accumulate(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *op_, *win_));
} catch (...) {
  return caught(function::Accumulate);
}

int PMPI_Accumulate([[maybe_unused]] const void *origin_addr, [[maybe_unused]] int origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] int target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Win win) try {
  if (quick::Accumulate(function::Accumulate, origin_addr, origin_count, origin_datatype, target_rank,
      target_disp, target_count, target_datatype, op, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Accumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, op, win);
} catch (...) {
  return caught(function::Accumulate);
}
LOADSTONE_ALIAS(MPI_Accumulate)

[[gnu::noinline]] static int otherwise_MPI_Accumulate_c([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] MPI_Count origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] MPI_Count target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Accumulate_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 9, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 8, "op", "MPI_Op", handle_bits(op));
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Accumulate(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *op_, *win_));
} catch (...) {
  return caught(function::Accumulate_c);
}

int PMPI_Accumulate_c([[maybe_unused]] const void *origin_addr, [[maybe_unused]] MPI_Count origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Count target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Win win) try {
  if (quick::Accumulate(function::Accumulate_c, origin_addr, origin_count, origin_datatype, target_rank,
      target_disp, target_count, target_datatype, op, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Accumulate_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, op, win);
} catch (...) {
  return caught(function::Accumulate_c);
}
LOADSTONE_ALIAS(MPI_Accumulate_c)

[[gnu::noinline]] static int otherwise_MPI_Compare_and_swap([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] const void *compare_addr, [[maybe_unused]] void *result_addr,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Compare_and_swap);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 7, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(4, "datatype", datatype);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 5, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : 1, *datatype_, 1,
        "origin_addr")) return wrong;
  }
  if (no_address(compare_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, compare_addr, target_rank == MPI_PROC_NULL ? 0 : 1, *datatype_, 2,
        "compare_addr")) return wrong;
  }
  if (no_address(result_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, result_addr, target_rank == MPI_PROC_NULL ? 0 : 1, *datatype_, 3,
        "result_addr")) return wrong;
  }
  return c.finish(impl::Compare_and_swap(c, origin_addr, compare_addr, result_addr, *datatype_, target_rank,
      target_disp, *win_));
} catch (...) {
  return caught(function::Compare_and_swap);
}

int PMPI_Compare_and_swap([[maybe_unused]] const void *origin_addr, [[maybe_unused]] const void *compare_addr,
    [[maybe_unused]] void *result_addr, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] MPI_Win win) try {
  if (quick::Compare_and_swap(function::Compare_and_swap, origin_addr, compare_addr, result_addr, datatype,
      target_rank, target_disp, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank,
      target_disp, win);
} catch (...) {
  return caught(function::Compare_and_swap);
}
LOADSTONE_ALIAS(MPI_Compare_and_swap)

[[gnu::noinline]] static int otherwise_MPI_Fetch_and_op([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] void *result_addr, [[maybe_unused]] MPI_Datatype datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Fetch_and_op);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 7, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  [[maybe_unused]] mpi::datatype* const datatype_ = c.handles().types.find(datatype);
  if (datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "datatype", "MPI_Datatype", handle_bits(datatype));
  if (!datatype_->committed()) [[unlikely]] return c.not_committed(3, "datatype", datatype);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 6, "op", "MPI_Op", handle_bits(op));
  if (op != MPI_NO_OP && no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : 1, *datatype_, 1,
        "origin_addr")) return wrong;
  }
  if (no_address(result_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, result_addr, target_rank == MPI_PROC_NULL ? 0 : 1, *datatype_, 2,
        "result_addr")) return wrong;
  }
  return c.finish(impl::Fetch_and_op(c, origin_addr, result_addr, *datatype_, target_rank, target_disp, *op_,
      *win_));
} catch (...) {
  return caught(function::Fetch_and_op);
}

int PMPI_Fetch_and_op([[maybe_unused]] const void *origin_addr, [[maybe_unused]] void *result_addr,
    [[maybe_unused]] MPI_Datatype datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win) try {
  if (quick::Fetch_and_op(function::Fetch_and_op, origin_addr, result_addr, datatype, target_rank,
      target_disp, op, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
} catch (...) {
  return caught(function::Fetch_and_op);
}
LOADSTONE_ALIAS(MPI_Fetch_and_op)

[[gnu::noinline]] static int otherwise_MPI_Get([[maybe_unused]] void *origin_addr,
    [[maybe_unused]] int origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] int target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Get);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 8, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Get(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *win_));
} catch (...) {
  return caught(function::Get);
}

int PMPI_Get([[maybe_unused]] void *origin_addr, [[maybe_unused]] int origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] int target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Win win) try {
  if (quick::Get(function::Get, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
      target_datatype, win);
} catch (...) {
  return caught(function::Get);
}
LOADSTONE_ALIAS(MPI_Get)

[[gnu::noinline]] static int otherwise_MPI_Get_c([[maybe_unused]] void *origin_addr,
    [[maybe_unused]] MPI_Count origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] MPI_Count target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Get_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 8, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Get(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *win_));
} catch (...) {
  return caught(function::Get_c);
}

int PMPI_Get_c([[maybe_unused]] void *origin_addr, [[maybe_unused]] MPI_Count origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Count target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Win win) try {
  if (quick::Get(function::Get_c, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Get_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win);
} catch (...) {
  return caught(function::Get_c);
}
LOADSTONE_ALIAS(MPI_Get_c)

[[gnu::noinline]] static int otherwise_MPI_Get_accumulate([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] int origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] void *result_addr, [[maybe_unused]] int result_count,
    [[maybe_unused]] MPI_Datatype result_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] int target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Get_accumulate);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_WIN, 12, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (op != MPI_NO_OP && origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  mpi::datatype* origin_datatype_ = c.handles().types.find(MPI_BYTE);
  if (op != MPI_NO_OP) origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (op != MPI_NO_OP && beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (result_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "result_count", result_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const result_datatype_ = c.handles().types.find(result_datatype);
  if (result_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "result_datatype", "MPI_Datatype", handle_bits(result_datatype));
  if (!result_datatype_->committed()) [[unlikely]]
    return c.not_committed(6, "result_datatype", result_datatype);
  if (beyond(result_count, 1, *result_datatype_)) [[unlikely]]
    return c.too_many(5, "result_count", result_count, 1, *result_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 7, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 9, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 10, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(10, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(9, "target_count", target_count, 1, *target_datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 11, "op", "MPI_Op", handle_bits(op));
  if (op != MPI_NO_OP && no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  if (no_address(result_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, result_addr, target_rank == MPI_PROC_NULL ? 0 : result_count,
        *result_datatype_, 4, "result_addr")) return wrong;
  }
  return c.finish(impl::Get_accumulate(c, origin_addr, op != MPI_NO_OP ? origin_count : 0, *origin_datatype_,
      result_addr, result_count, *result_datatype_, target_rank, target_disp, target_count, *target_datatype_,
      *op_, *win_));
} catch (...) {
  return caught(function::Get_accumulate);
}

int PMPI_Get_accumulate([[maybe_unused]] const void *origin_addr, [[maybe_unused]] int origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] void *result_addr,
    [[maybe_unused]] int result_count, [[maybe_unused]] MPI_Datatype result_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] int target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win) try {
  if (quick::Get_accumulate(function::Get_accumulate, origin_addr, origin_count, origin_datatype, result_addr,
      result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op,
      win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count,
      result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
} catch (...) {
  return caught(function::Get_accumulate);
}
LOADSTONE_ALIAS(MPI_Get_accumulate)

[[gnu::noinline]] static int otherwise_MPI_Get_accumulate_c([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] MPI_Count origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] void *result_addr, [[maybe_unused]] MPI_Count result_count,
    [[maybe_unused]] MPI_Datatype result_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Count target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Op op,
    [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Get_accumulate_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_WIN, 12, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (op != MPI_NO_OP && origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  mpi::datatype* origin_datatype_ = c.handles().types.find(MPI_BYTE);
  if (op != MPI_NO_OP) origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (op != MPI_NO_OP && beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (result_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "result_count", result_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const result_datatype_ = c.handles().types.find(result_datatype);
  if (result_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "result_datatype", "MPI_Datatype", handle_bits(result_datatype));
  if (!result_datatype_->committed()) [[unlikely]]
    return c.not_committed(6, "result_datatype", result_datatype);
  if (beyond(result_count, 1, *result_datatype_)) [[unlikely]]
    return c.too_many(5, "result_count", result_count, 1, *result_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 7, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 9, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 10, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(10, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(9, "target_count", target_count, 1, *target_datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 11, "op", "MPI_Op", handle_bits(op));
  if (op != MPI_NO_OP && no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  if (no_address(result_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, result_addr, target_rank == MPI_PROC_NULL ? 0 : result_count,
        *result_datatype_, 4, "result_addr")) return wrong;
  }
  return c.finish(impl::Get_accumulate(c, origin_addr, op != MPI_NO_OP ? origin_count : 0, *origin_datatype_,
      result_addr, result_count, *result_datatype_, target_rank, target_disp, target_count, *target_datatype_,
      *op_, *win_));
} catch (...) {
  return caught(function::Get_accumulate_c);
}

int PMPI_Get_accumulate_c([[maybe_unused]] const void *origin_addr, [[maybe_unused]] MPI_Count origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] void *result_addr,
    [[maybe_unused]] MPI_Count result_count, [[maybe_unused]] MPI_Datatype result_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] MPI_Count target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win) try {
  if (quick::Get_accumulate(function::Get_accumulate_c, origin_addr, origin_count, origin_datatype,
      result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op,
      win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Get_accumulate_c(origin_addr, origin_count, origin_datatype, result_addr, result_count,
      result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
} catch (...) {
  return caught(function::Get_accumulate_c);
}
LOADSTONE_ALIAS(MPI_Get_accumulate_c)

[[gnu::noinline]] static int otherwise_MPI_Put([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] int origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] int target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Put);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 8, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Put(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *win_));
} catch (...) {
  return caught(function::Put);
}

int PMPI_Put([[maybe_unused]] const void *origin_addr, [[maybe_unused]] int origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] int target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Win win) try {
  if (quick::Put(function::Put, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Put(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
      target_datatype, win);
} catch (...) {
  return caught(function::Put);
}
LOADSTONE_ALIAS(MPI_Put)

[[gnu::noinline]] static int otherwise_MPI_Put_c([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] MPI_Count origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] MPI_Count target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Put_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 8, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Put(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *win_));
} catch (...) {
  return caught(function::Put_c);
}

int PMPI_Put_c([[maybe_unused]] const void *origin_addr, [[maybe_unused]] MPI_Count origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Count target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Win win) try {
  if (quick::Put(function::Put_c, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Put_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win);
} catch (...) {
  return caught(function::Put_c);
}
LOADSTONE_ALIAS(MPI_Put_c)

[[gnu::noinline]] static int otherwise_MPI_Raccumulate([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] int origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] int target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win,
    [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Raccumulate);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 9, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 8, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Raccumulate(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *op_, *win_, request));
} catch (...) {
  return caught(function::Raccumulate);
}

int PMPI_Raccumulate([[maybe_unused]] const void *origin_addr, [[maybe_unused]] int origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] int target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win,
    [[maybe_unused]] MPI_Request *request) try {
  if (quick::Raccumulate(function::Raccumulate, origin_addr, origin_count, origin_datatype, target_rank,
      target_disp, target_count, target_datatype, op, win, request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Raccumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, op, win, request);
} catch (...) {
  return caught(function::Raccumulate);
}
LOADSTONE_ALIAS(MPI_Raccumulate)

[[gnu::noinline]] static int otherwise_MPI_Raccumulate_c([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] MPI_Count origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] MPI_Count target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win,
    [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Raccumulate_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 9, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 8, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Raccumulate(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *op_, *win_, request));
} catch (...) {
  return caught(function::Raccumulate_c);
}

int PMPI_Raccumulate_c([[maybe_unused]] const void *origin_addr, [[maybe_unused]] MPI_Count origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Count target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win,
    [[maybe_unused]] MPI_Request *request) try {
  if (quick::Raccumulate(function::Raccumulate_c, origin_addr, origin_count, origin_datatype, target_rank,
      target_disp, target_count, target_datatype, op, win, request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Raccumulate_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, op, win, request);
} catch (...) {
  return caught(function::Raccumulate_c);
}
LOADSTONE_ALIAS(MPI_Raccumulate_c)

[[gnu::noinline]] static int otherwise_MPI_Rget([[maybe_unused]] void *origin_addr,
    [[maybe_unused]] int origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] int target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Rget);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 8, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Rget(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *win_, request));
} catch (...) {
  return caught(function::Rget);
}

int PMPI_Rget([[maybe_unused]] void *origin_addr, [[maybe_unused]] int origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] int target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Win win,
    [[maybe_unused]] MPI_Request *request) try {
  if (quick::Rget(function::Rget, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win, request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Rget(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win, request);
} catch (...) {
  return caught(function::Rget);
}
LOADSTONE_ALIAS(MPI_Rget)

[[gnu::noinline]] static int otherwise_MPI_Rget_c([[maybe_unused]] void *origin_addr,
    [[maybe_unused]] MPI_Count origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] MPI_Count target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Rget_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 8, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Rget(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *win_, request));
} catch (...) {
  return caught(function::Rget_c);
}

int PMPI_Rget_c([[maybe_unused]] void *origin_addr, [[maybe_unused]] MPI_Count origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Count target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Win win,
    [[maybe_unused]] MPI_Request *request) try {
  if (quick::Rget(function::Rget_c, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win, request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Rget_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win, request);
} catch (...) {
  return caught(function::Rget_c);
}
LOADSTONE_ALIAS(MPI_Rget_c)

[[gnu::noinline]] static int otherwise_MPI_Rget_accumulate([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] int origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] void *result_addr, [[maybe_unused]] int result_count,
    [[maybe_unused]] MPI_Datatype result_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] int target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win,
    [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Rget_accumulate);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_WIN, 12, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (op != MPI_NO_OP && origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  mpi::datatype* origin_datatype_ = c.handles().types.find(MPI_BYTE);
  if (op != MPI_NO_OP) origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (op != MPI_NO_OP && beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (result_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "result_count", result_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const result_datatype_ = c.handles().types.find(result_datatype);
  if (result_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "result_datatype", "MPI_Datatype", handle_bits(result_datatype));
  if (!result_datatype_->committed()) [[unlikely]]
    return c.not_committed(6, "result_datatype", result_datatype);
  if (beyond(result_count, 1, *result_datatype_)) [[unlikely]]
    return c.too_many(5, "result_count", result_count, 1, *result_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 7, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 9, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 10, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(10, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(9, "target_count", target_count, 1, *target_datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 11, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(13, "request", bits_of(request));
  if (op != MPI_NO_OP && no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  if (no_address(result_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, result_addr, target_rank == MPI_PROC_NULL ? 0 : result_count,
        *result_datatype_, 4, "result_addr")) return wrong;
  }
  return c.finish(impl::Rget_accumulate(c, origin_addr, op != MPI_NO_OP ? origin_count : 0, *origin_datatype_,
      result_addr, result_count, *result_datatype_, target_rank, target_disp, target_count, *target_datatype_,
      *op_, *win_, request));
} catch (...) {
  return caught(function::Rget_accumulate);
}

int PMPI_Rget_accumulate([[maybe_unused]] const void *origin_addr, [[maybe_unused]] int origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] void *result_addr,
    [[maybe_unused]] int result_count, [[maybe_unused]] MPI_Datatype result_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] int target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Request *request) try {
  if (quick::Rget_accumulate(function::Rget_accumulate, origin_addr, origin_count, origin_datatype,
      result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op,
      win, request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Rget_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count,
      result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request);
} catch (...) {
  return caught(function::Rget_accumulate);
}
LOADSTONE_ALIAS(MPI_Rget_accumulate)

[[gnu::noinline]] static int otherwise_MPI_Rget_accumulate_c([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] MPI_Count origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] void *result_addr, [[maybe_unused]] MPI_Count result_count,
    [[maybe_unused]] MPI_Datatype result_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Count target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win,
    [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Rget_accumulate_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_WIN, 12, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (op != MPI_NO_OP && origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  mpi::datatype* origin_datatype_ = c.handles().types.find(MPI_BYTE);
  if (op != MPI_NO_OP) origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (op != MPI_NO_OP && beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (result_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "result_count", result_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const result_datatype_ = c.handles().types.find(result_datatype);
  if (result_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "result_datatype", "MPI_Datatype", handle_bits(result_datatype));
  if (!result_datatype_->committed()) [[unlikely]]
    return c.not_committed(6, "result_datatype", result_datatype);
  if (beyond(result_count, 1, *result_datatype_)) [[unlikely]]
    return c.too_many(5, "result_count", result_count, 1, *result_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 7, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 9, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 10, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(10, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(9, "target_count", target_count, 1, *target_datatype_);
  [[maybe_unused]] mpi::op* const op_ = c.handles().ops.find(op);
  if (op_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_OP, 11, "op", "MPI_Op", handle_bits(op));
  if (no_address(request)) [[unlikely]] return c.no_address(13, "request", bits_of(request));
  if (op != MPI_NO_OP && no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  if (no_address(result_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, result_addr, target_rank == MPI_PROC_NULL ? 0 : result_count,
        *result_datatype_, 4, "result_addr")) return wrong;
  }
  return c.finish(impl::Rget_accumulate(c, origin_addr, op != MPI_NO_OP ? origin_count : 0, *origin_datatype_,
      result_addr, result_count, *result_datatype_, target_rank, target_disp, target_count, *target_datatype_,
      *op_, *win_, request));
} catch (...) {
  return caught(function::Rget_accumulate_c);
}

int PMPI_Rget_accumulate_c([[maybe_unused]] const void *origin_addr, [[maybe_unused]] MPI_Count origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] void *result_addr,
    [[maybe_unused]] MPI_Count result_count, [[maybe_unused]] MPI_Datatype result_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] MPI_Count target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Op op, [[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Request *request) try {
  if (quick::Rget_accumulate(function::Rget_accumulate_c, origin_addr, origin_count, origin_datatype,
      result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op,
      win, request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Rget_accumulate_c(origin_addr, origin_count, origin_datatype, result_addr,
      result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win,
      request);
} catch (...) {
  return caught(function::Rget_accumulate_c);
}
LOADSTONE_ALIAS(MPI_Rget_accumulate_c)

[[gnu::noinline]] static int otherwise_MPI_Rput([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] int origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] int target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Rput);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 8, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Rput(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *win_, request));
} catch (...) {
  return caught(function::Rput);
}

int PMPI_Rput([[maybe_unused]] const void *origin_addr, [[maybe_unused]] int origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] int target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Win win,
    [[maybe_unused]] MPI_Request *request) try {
  if (quick::Rput(function::Rput, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win, request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Rput(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win, request);
} catch (...) {
  return caught(function::Rput);
}
LOADSTONE_ALIAS(MPI_Rput)

[[gnu::noinline]] static int otherwise_MPI_Rput_c([[maybe_unused]] const void *origin_addr,
    [[maybe_unused]] MPI_Count origin_count, [[maybe_unused]] MPI_Datatype origin_datatype,
    [[maybe_unused]] int target_rank, [[maybe_unused]] MPI_Aint target_disp,
    [[maybe_unused]] MPI_Count target_count, [[maybe_unused]] MPI_Datatype target_datatype,
    [[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Request *request) noexcept try {
  call c(function::Rput_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 8, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (origin_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "origin_count", origin_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const origin_datatype_ = c.handles().types.find(origin_datatype);
  if (origin_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "origin_datatype", "MPI_Datatype", handle_bits(origin_datatype));
  if (!origin_datatype_->committed()) [[unlikely]]
    return c.not_committed(3, "origin_datatype", origin_datatype);
  if (beyond(origin_count, 1, *origin_datatype_)) [[unlikely]]
    return c.too_many(2, "origin_count", origin_count, 1, *origin_datatype_);
  if (!is_target(target_rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 4, "target_rank", target_rank, win_->size(), " or MPI_PROC_NULL");
  if (target_count < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 6, "target_count", target_count, "at least 0");
  [[maybe_unused]] mpi::datatype* const target_datatype_ = c.handles().types.find(target_datatype);
  if (target_datatype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "target_datatype", "MPI_Datatype", handle_bits(target_datatype));
  if (!target_datatype_->committed()) [[unlikely]]
    return c.not_committed(7, "target_datatype", target_datatype);
  if (beyond(target_count, 1, *target_datatype_)) [[unlikely]]
    return c.too_many(6, "target_count", target_count, 1, *target_datatype_);
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(origin_addr)) [[unlikely]] {
    if (const int wrong = check_buffer(c, origin_addr, target_rank == MPI_PROC_NULL ? 0 : origin_count,
        *origin_datatype_, 1, "origin_addr")) return wrong;
  }
  return c.finish(impl::Rput(c, origin_addr, origin_count, *origin_datatype_, target_rank, target_disp,
      target_count, *target_datatype_, *win_, request));
} catch (...) {
  return caught(function::Rput_c);
}

int PMPI_Rput_c([[maybe_unused]] const void *origin_addr, [[maybe_unused]] MPI_Count origin_count,
    [[maybe_unused]] MPI_Datatype origin_datatype, [[maybe_unused]] int target_rank,
    [[maybe_unused]] MPI_Aint target_disp, [[maybe_unused]] MPI_Count target_count,
    [[maybe_unused]] MPI_Datatype target_datatype, [[maybe_unused]] MPI_Win win,
    [[maybe_unused]] MPI_Request *request) try {
  if (quick::Rput(function::Rput_c, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win, request)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Rput_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
      target_count, target_datatype, win, request);
} catch (...) {
  return caught(function::Rput_c);
}
LOADSTONE_ALIAS(MPI_Rput_c)

int PMPI_Win_allocate([[maybe_unused]] MPI_Aint size, [[maybe_unused]] int disp_unit,
    [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] void *baseptr,
    [[maybe_unused]] MPI_Win *win) try {
  call c(function::Win_allocate);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 4, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_SIZE, 1, "size", size, "at least 0");
  if (disp_unit <= 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_DISP, 2, "disp_unit", disp_unit, "at least 1");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 3, "info", "MPI_Info", handle_bits(info));
  if (no_address(baseptr)) [[unlikely]] return c.no_address(5, "baseptr", bits_of(baseptr));
  if (no_address(win)) [[unlikely]] return c.no_address(6, "win", bits_of(win));
  return c.finish(impl::Win_allocate(c, size, disp_unit, info_, *comm_, baseptr, win));
} catch (...) {
  return caught(function::Win_allocate);
}
LOADSTONE_ALIAS(MPI_Win_allocate)

int PMPI_Win_allocate_c([[maybe_unused]] MPI_Aint size, [[maybe_unused]] MPI_Aint disp_unit,
    [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] void *baseptr,
    [[maybe_unused]] MPI_Win *win) try {
  call c(function::Win_allocate_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 4, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_SIZE, 1, "size", size, "at least 0");
  if (disp_unit <= 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_DISP, 2, "disp_unit", disp_unit, "at least 1");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 3, "info", "MPI_Info", handle_bits(info));
  if (no_address(baseptr)) [[unlikely]] return c.no_address(5, "baseptr", bits_of(baseptr));
  if (no_address(win)) [[unlikely]] return c.no_address(6, "win", bits_of(win));
  return c.finish(impl::Win_allocate(c, size, disp_unit, info_, *comm_, baseptr, win));
} catch (...) {
  return caught(function::Win_allocate_c);
}
LOADSTONE_ALIAS(MPI_Win_allocate_c)

int PMPI_Win_allocate_shared([[maybe_unused]] MPI_Aint size, [[maybe_unused]] int disp_unit,
    [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] void *baseptr,
    [[maybe_unused]] MPI_Win *win) try {
  call c(function::Win_allocate_shared);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 4, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_SIZE, 1, "size", size, "at least 0");
  if (disp_unit <= 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_DISP, 2, "disp_unit", disp_unit, "at least 1");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 3, "info", "MPI_Info", handle_bits(info));
  if (no_address(baseptr)) [[unlikely]] return c.no_address(5, "baseptr", bits_of(baseptr));
  if (no_address(win)) [[unlikely]] return c.no_address(6, "win", bits_of(win));
  return c.finish(impl::Win_allocate_shared(c, size, disp_unit, info_, *comm_, baseptr, win));
} catch (...) {
  return caught(function::Win_allocate_shared);
}
LOADSTONE_ALIAS(MPI_Win_allocate_shared)

int PMPI_Win_allocate_shared_c([[maybe_unused]] MPI_Aint size, [[maybe_unused]] MPI_Aint disp_unit,
    [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] void *baseptr,
    [[maybe_unused]] MPI_Win *win) try {
  call c(function::Win_allocate_shared_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 4, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_SIZE, 1, "size", size, "at least 0");
  if (disp_unit <= 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_DISP, 2, "disp_unit", disp_unit, "at least 1");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 3, "info", "MPI_Info", handle_bits(info));
  if (no_address(baseptr)) [[unlikely]] return c.no_address(5, "baseptr", bits_of(baseptr));
  if (no_address(win)) [[unlikely]] return c.no_address(6, "win", bits_of(win));
  return c.finish(impl::Win_allocate_shared(c, size, disp_unit, info_, *comm_, baseptr, win));
} catch (...) {
  return caught(function::Win_allocate_shared_c);
}
LOADSTONE_ALIAS(MPI_Win_allocate_shared_c)

int PMPI_Win_attach([[maybe_unused]] MPI_Win win, [[maybe_unused]] void *base,
    [[maybe_unused]] MPI_Aint size) try {
  call c(function::Win_attach);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_SIZE, 3, "size", size, "at least 0");
  if (no_address(base)) [[unlikely]] {
    if (const int wrong = check_buffer(c, base, size, 2, "base", MPI_ERR_BASE)) return wrong;
  }
  return c.finish(impl::Win_attach(c, *win_, base, size));
} catch (...) {
  return caught(function::Win_attach);
}
LOADSTONE_ALIAS(MPI_Win_attach)

int PMPI_Win_call_errhandler([[maybe_unused]] MPI_Win win, [[maybe_unused]] int errorcode) try {
  call c(function::Win_call_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_call_errhandler(c, *win_, errorcode));
} catch (...) {
  return caught(function::Win_call_errhandler);
}
LOADSTONE_ALIAS(MPI_Win_call_errhandler)

int PMPI_Win_complete([[maybe_unused]] MPI_Win win) try {
  call c(function::Win_complete);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_complete(c, *win_));
} catch (...) {
  return caught(function::Win_complete);
}
LOADSTONE_ALIAS(MPI_Win_complete)

int PMPI_Win_create([[maybe_unused]] void *base, [[maybe_unused]] MPI_Aint size,
    [[maybe_unused]] int disp_unit, [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Win *win) try {
  call c(function::Win_create);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 5, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_SIZE, 2, "size", size, "at least 0");
  if (disp_unit <= 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_DISP, 3, "disp_unit", disp_unit, "at least 1");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 4, "info", "MPI_Info", handle_bits(info));
  if (no_address(win)) [[unlikely]] return c.no_address(6, "win", bits_of(win));
  if (no_address(base)) [[unlikely]] {
    if (const int wrong = check_buffer(c, base, size, 1, "base", MPI_ERR_BASE)) return wrong;
  }
  return c.finish(impl::Win_create(c, base, size, disp_unit, info_, *comm_, win));
} catch (...) {
  return caught(function::Win_create);
}
LOADSTONE_ALIAS(MPI_Win_create)

int PMPI_Win_create_c([[maybe_unused]] void *base, [[maybe_unused]] MPI_Aint size,
    [[maybe_unused]] MPI_Aint disp_unit, [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Win *win) try {
  call c(function::Win_create_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 5, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (size < 0) [[unlikely]] return c.wrong_number(MPI_ERR_SIZE, 2, "size", size, "at least 0");
  if (disp_unit <= 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_DISP, 3, "disp_unit", disp_unit, "at least 1");
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 4, "info", "MPI_Info", handle_bits(info));
  if (no_address(win)) [[unlikely]] return c.no_address(6, "win", bits_of(win));
  if (no_address(base)) [[unlikely]] {
    if (const int wrong = check_buffer(c, base, size, 1, "base", MPI_ERR_BASE)) return wrong;
  }
  return c.finish(impl::Win_create(c, base, size, disp_unit, info_, *comm_, win));
} catch (...) {
  return caught(function::Win_create_c);
}
LOADSTONE_ALIAS(MPI_Win_create_c)

int PMPI_Win_create_dynamic([[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Win *win) try {
  call c(function::Win_create_dynamic);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 2, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 1, "info", "MPI_Info", handle_bits(info));
  if (no_address(win)) [[unlikely]] return c.no_address(3, "win", bits_of(win));
  return c.finish(impl::Win_create_dynamic(c, info_, *comm_, win));
} catch (...) {
  return caught(function::Win_create_dynamic);
}
LOADSTONE_ALIAS(MPI_Win_create_dynamic)

int PMPI_Win_create_errhandler([[maybe_unused]] MPI_Win_errhandler_function *win_errhandler_fn,
    [[maybe_unused]] MPI_Errhandler *errhandler) try {
  call c(function::Win_create_errhandler);
  if (no_address(win_errhandler_fn)) [[unlikely]]
    return c.no_address(1, "win_errhandler_fn", bits_of(win_errhandler_fn));
  if (no_address(errhandler)) [[unlikely]] return c.no_address(2, "errhandler", bits_of(errhandler));
  return c.finish(impl::Win_create_errhandler(c, win_errhandler_fn, errhandler));
} catch (...) {
  return caught(function::Win_create_errhandler);
}
LOADSTONE_ALIAS(MPI_Win_create_errhandler)

int PMPI_Win_create_keyval([[maybe_unused]] MPI_Win_copy_attr_function *win_copy_attr_fn,
    [[maybe_unused]] MPI_Win_delete_attr_function *win_delete_attr_fn, [[maybe_unused]] int *win_keyval,
    [[maybe_unused]] void *extra_state) try {
  call c(function::Win_create_keyval);
  if (no_address(win_copy_attr_fn) && win_copy_attr_fn != nullptr
      && win_copy_attr_fn != MPI_WIN_DUP_FN) [[unlikely]]
    return c.no_address(1, "win_copy_attr_fn", bits_of(win_copy_attr_fn));
  if (no_address(win_delete_attr_fn) && win_delete_attr_fn != nullptr) [[unlikely]]
    return c.no_address(2, "win_delete_attr_fn", bits_of(win_delete_attr_fn));
  if (no_address(win_keyval)) [[unlikely]] return c.no_address(3, "win_keyval", bits_of(win_keyval));
  return c.finish(impl::Win_create_keyval(c, win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state));
} catch (...) {
  return caught(function::Win_create_keyval);
}
LOADSTONE_ALIAS(MPI_Win_create_keyval)

int PMPI_Win_delete_attr([[maybe_unused]] MPI_Win win, [[maybe_unused]] int win_keyval) try {
  call c(function::Win_delete_attr);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_delete_attr(c, *win_, win_keyval));
} catch (...) {
  return caught(function::Win_delete_attr);
}
LOADSTONE_ALIAS(MPI_Win_delete_attr)

int PMPI_Win_detach([[maybe_unused]] MPI_Win win, [[maybe_unused]] const void *base) try {
  call c(function::Win_detach);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_detach(c, *win_, base));
} catch (...) {
  return caught(function::Win_detach);
}
LOADSTONE_ALIAS(MPI_Win_detach)

int PMPI_Win_fence([[maybe_unused]] int assert, [[maybe_unused]] MPI_Win win) try {
  call c(function::Win_fence);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 2, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_fence(c, assert, *win_));
} catch (...) {
  return caught(function::Win_fence);
}
LOADSTONE_ALIAS(MPI_Win_fence)

[[gnu::noinline]] static int otherwise_MPI_Win_flush([[maybe_unused]] int rank,
    [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Win_flush);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 2, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (!is_target(rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 1, "rank", rank, win_->size(), " or MPI_PROC_NULL");
  return c.finish(impl::Win_flush(c, rank, *win_));
} catch (...) {
  return caught(function::Win_flush);
}

int PMPI_Win_flush([[maybe_unused]] int rank, [[maybe_unused]] MPI_Win win) try {
  if (quick::Win_flush(function::Win_flush, rank, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Win_flush(rank, win);
} catch (...) {
  return caught(function::Win_flush);
}
LOADSTONE_ALIAS(MPI_Win_flush)

[[gnu::noinline]] static int otherwise_MPI_Win_flush_all([[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Win_flush_all);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_flush_all(c, *win_));
} catch (...) {
  return caught(function::Win_flush_all);
}

int PMPI_Win_flush_all([[maybe_unused]] MPI_Win win) try {
  if (quick::Win_flush_all(function::Win_flush_all, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Win_flush_all(win);
} catch (...) {
  return caught(function::Win_flush_all);
}
LOADSTONE_ALIAS(MPI_Win_flush_all)

[[gnu::noinline]] static int otherwise_MPI_Win_flush_local([[maybe_unused]] int rank,
    [[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Win_flush_local);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 2, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (!is_target(rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 1, "rank", rank, win_->size(), " or MPI_PROC_NULL");
  return c.finish(impl::Win_flush_local(c, rank, *win_));
} catch (...) {
  return caught(function::Win_flush_local);
}

int PMPI_Win_flush_local([[maybe_unused]] int rank, [[maybe_unused]] MPI_Win win) try {
  if (quick::Win_flush_local(function::Win_flush_local, rank, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Win_flush_local(rank, win);
} catch (...) {
  return caught(function::Win_flush_local);
}
LOADSTONE_ALIAS(MPI_Win_flush_local)

[[gnu::noinline]] static int otherwise_MPI_Win_flush_local_all([[maybe_unused]] MPI_Win win) noexcept try {
  call c(function::Win_flush_local_all);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_flush_local_all(c, *win_));
} catch (...) {
  return caught(function::Win_flush_local_all);
}

int PMPI_Win_flush_local_all([[maybe_unused]] MPI_Win win) try {
  if (quick::Win_flush_local_all(function::Win_flush_local_all, win)) [[likely]] return MPI_SUCCESS;
  return otherwise_MPI_Win_flush_local_all(win);
} catch (...) {
  return caught(function::Win_flush_local_all);
}
LOADSTONE_ALIAS(MPI_Win_flush_local_all)

int PMPI_Win_free([[maybe_unused]] MPI_Win *win) try {
  call c(function::Win_free);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(win)) [[unlikely]] return c.no_address(1, "win", bits_of(win));
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(*win);
  if (win_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(*win));
  c.on(*win_);
  const int code = impl::Win_free(c, *win_);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *win = MPI_WIN_NULL;
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Win_free);
}
LOADSTONE_ALIAS(MPI_Win_free)

int PMPI_Win_free_keyval([[maybe_unused]] int *win_keyval) try {
  call c(function::Win_free_keyval);
  if (no_address(win_keyval)) [[unlikely]] return c.no_address(1, "win_keyval", bits_of(win_keyval));
  return c.finish(impl::Win_free_keyval(c, win_keyval));
} catch (...) {
  return caught(function::Win_free_keyval);
}
LOADSTONE_ALIAS(MPI_Win_free_keyval)

int PMPI_Win_get_attr([[maybe_unused]] MPI_Win win, [[maybe_unused]] int win_keyval,
    [[maybe_unused]] void *attribute_val, [[maybe_unused]] int *flag) try {
  call c(function::Win_get_attr);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (no_address(attribute_val)) [[unlikely]] return c.no_address(3, "attribute_val", bits_of(attribute_val));
  if (no_address(flag)) [[unlikely]] return c.no_address(4, "flag", bits_of(flag));
  return c.finish(impl::Win_get_attr(c, *win_, win_keyval, attribute_val, flag));
} catch (...) {
  return caught(function::Win_get_attr);
}
LOADSTONE_ALIAS(MPI_Win_get_attr)

int PMPI_Win_get_errhandler([[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Errhandler *errhandler) try {
  call c(function::Win_get_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (no_address(errhandler)) [[unlikely]] return c.no_address(2, "errhandler", bits_of(errhandler));
  return c.finish(impl::Win_get_errhandler(c, *win_, errhandler));
} catch (...) {
  return caught(function::Win_get_errhandler);
}
LOADSTONE_ALIAS(MPI_Win_get_errhandler)

int PMPI_Win_get_group([[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Group *group) try {
  call c(function::Win_get_group);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (no_address(group)) [[unlikely]] return c.no_address(2, "group", bits_of(group));
  return c.finish(impl::Win_get_group(c, *win_, group));
} catch (...) {
  return caught(function::Win_get_group);
}
LOADSTONE_ALIAS(MPI_Win_get_group)

int PMPI_Win_get_info([[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Info *info_used) try {
  call c(function::Win_get_info);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (no_address(info_used)) [[unlikely]] return c.no_address(2, "info_used", bits_of(info_used));
  return c.finish(impl::Win_get_info(c, *win_, info_used));
} catch (...) {
  return caught(function::Win_get_info);
}
LOADSTONE_ALIAS(MPI_Win_get_info)

int PMPI_Win_get_name([[maybe_unused]] MPI_Win win, [[maybe_unused]] char *win_name,
    [[maybe_unused]] int *resultlen) try {
  call c(function::Win_get_name);
  if (!c.running()) [[unlikely]] return c.outside();
  if (no_address(win_name)) [[unlikely]] return c.no_address(2, "win_name", bits_of(win_name));
  if (no_address(resultlen)) [[unlikely]] return c.no_address(3, "resultlen", bits_of(resultlen));
  return c.finish(impl::Win_get_name(c, win, win_name, resultlen));
} catch (...) {
  return caught(function::Win_get_name);
}
LOADSTONE_ALIAS(MPI_Win_get_name)

int PMPI_Win_lock([[maybe_unused]] int lock_type, [[maybe_unused]] int rank, [[maybe_unused]] int assert,
    [[maybe_unused]] MPI_Win win) try {
  call c(function::Win_lock);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 4, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (!is_target(rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 2, "rank", rank, win_->size(), " or MPI_PROC_NULL");
  return c.finish(impl::Win_lock(c, lock_type, rank, assert, *win_));
} catch (...) {
  return caught(function::Win_lock);
}
LOADSTONE_ALIAS(MPI_Win_lock)

int PMPI_Win_lock_all([[maybe_unused]] int assert, [[maybe_unused]] MPI_Win win) try {
  call c(function::Win_lock_all);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 2, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_lock_all(c, assert, *win_));
} catch (...) {
  return caught(function::Win_lock_all);
}
LOADSTONE_ALIAS(MPI_Win_lock_all)

int PMPI_Win_post([[maybe_unused]] MPI_Group group, [[maybe_unused]] int assert,
    [[maybe_unused]] MPI_Win win) try {
  call c(function::Win_post);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 3, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group", "MPI_Group", handle_bits(group));
  return c.finish(impl::Win_post(c, *group_, assert, *win_));
} catch (...) {
  return caught(function::Win_post);
}
LOADSTONE_ALIAS(MPI_Win_post)

int PMPI_Win_set_attr([[maybe_unused]] MPI_Win win, [[maybe_unused]] int win_keyval,
    [[maybe_unused]] void *attribute_val) try {
  call c(function::Win_set_attr);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_set_attr(c, *win_, win_keyval, attribute_val));
} catch (...) {
  return caught(function::Win_set_attr);
}
LOADSTONE_ALIAS(MPI_Win_set_attr)

int PMPI_Win_set_errhandler([[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Errhandler errhandler) try {
  call c(function::Win_set_errhandler);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  [[maybe_unused]] mpi::errhandler* const errhandler_ = c.handles().errhandlers.find(errhandler);
  if (errhandler_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_ERRHANDLER, 2, "errhandler", "MPI_Errhandler", handle_bits(errhandler));
  if (!errhandler_->fits(errhandler_kind::window)) [[unlikely]]
    return c.wrong_errhandler(2, "errhandler", "window");
  return c.finish(impl::Win_set_errhandler(c, *win_, *errhandler_));
} catch (...) {
  return caught(function::Win_set_errhandler);
}
LOADSTONE_ALIAS(MPI_Win_set_errhandler)

int PMPI_Win_set_info([[maybe_unused]] MPI_Win win, [[maybe_unused]] MPI_Info info) try {
  call c(function::Win_set_info);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 2, "info", "MPI_Info", handle_bits(info));
  return c.finish(impl::Win_set_info(c, *win_, info_));
} catch (...) {
  return caught(function::Win_set_info);
}
LOADSTONE_ALIAS(MPI_Win_set_info)

int PMPI_Win_set_name([[maybe_unused]] MPI_Win win, [[maybe_unused]] const char *win_name) try {
  call c(function::Win_set_name);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (no_address(win_name)) [[unlikely]] return c.no_address(2, "win_name", bits_of(win_name));
  return c.finish(impl::Win_set_name(c, *win_, win_name));
} catch (...) {
  return caught(function::Win_set_name);
}
LOADSTONE_ALIAS(MPI_Win_set_name)

int PMPI_Win_shared_query([[maybe_unused]] MPI_Win win, [[maybe_unused]] int rank,
    [[maybe_unused]] MPI_Aint *size, [[maybe_unused]] int *disp_unit, [[maybe_unused]] void *baseptr) try {
  call c(function::Win_shared_query);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (!is_target(rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 2, "rank", rank, win_->size(), " or MPI_PROC_NULL");
  if (no_address(size)) [[unlikely]] return c.no_address(3, "size", bits_of(size));
  if (no_address(disp_unit)) [[unlikely]] return c.no_address(4, "disp_unit", bits_of(disp_unit));
  std::int64_t disp_unit_ = 0;
  if (no_address(baseptr)) [[unlikely]] return c.no_address(5, "baseptr", bits_of(baseptr));
  const int code = impl::Win_shared_query(c, *win_, rank, size, &disp_unit_, baseptr);
  if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);
  *disp_unit = narrow_or_undefined(disp_unit_);
  return MPI_SUCCESS;
} catch (...) {
  return caught(function::Win_shared_query);
}
LOADSTONE_ALIAS(MPI_Win_shared_query)

int PMPI_Win_shared_query_c([[maybe_unused]] MPI_Win win, [[maybe_unused]] int rank,
    [[maybe_unused]] MPI_Aint *size, [[maybe_unused]] MPI_Aint *disp_unit,
    [[maybe_unused]] void *baseptr) try {
  call c(function::Win_shared_query_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (!is_target(rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 2, "rank", rank, win_->size(), " or MPI_PROC_NULL");
  if (no_address(size)) [[unlikely]] return c.no_address(3, "size", bits_of(size));
  if (no_address(disp_unit)) [[unlikely]] return c.no_address(4, "disp_unit", bits_of(disp_unit));
  if (no_address(baseptr)) [[unlikely]] return c.no_address(5, "baseptr", bits_of(baseptr));
  return c.finish(impl::Win_shared_query(c, *win_, rank, size, disp_unit, baseptr));
} catch (...) {
  return caught(function::Win_shared_query_c);
}
LOADSTONE_ALIAS(MPI_Win_shared_query_c)

int PMPI_Win_start([[maybe_unused]] MPI_Group group, [[maybe_unused]] int assert,
    [[maybe_unused]] MPI_Win win) try {
  call c(function::Win_start);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 3, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  [[maybe_unused]] mpi::group* const group_ = c.handles().groups.find(group);
  if (group_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_GROUP, 1, "group", "MPI_Group", handle_bits(group));
  return c.finish(impl::Win_start(c, *group_, assert, *win_));
} catch (...) {
  return caught(function::Win_start);
}
LOADSTONE_ALIAS(MPI_Win_start)

int PMPI_Win_sync([[maybe_unused]] MPI_Win win) try {
  call c(function::Win_sync);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_sync(c, *win_));
} catch (...) {
  return caught(function::Win_sync);
}
LOADSTONE_ALIAS(MPI_Win_sync)

int PMPI_Win_test([[maybe_unused]] MPI_Win win, [[maybe_unused]] int *flag) try {
  call c(function::Win_test);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (no_address(flag)) [[unlikely]] return c.no_address(2, "flag", bits_of(flag));
  return c.finish(impl::Win_test(c, *win_, flag));
} catch (...) {
  return caught(function::Win_test);
}
LOADSTONE_ALIAS(MPI_Win_test)

int PMPI_Win_unlock([[maybe_unused]] int rank, [[maybe_unused]] MPI_Win win) try {
  call c(function::Win_unlock);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 2, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  if (!is_target(rank, *win_)) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 1, "rank", rank, win_->size(), " or MPI_PROC_NULL");
  return c.finish(impl::Win_unlock(c, rank, *win_));
} catch (...) {
  return caught(function::Win_unlock);
}
LOADSTONE_ALIAS(MPI_Win_unlock)

int PMPI_Win_unlock_all([[maybe_unused]] MPI_Win win) try {
  call c(function::Win_unlock_all);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_unlock_all(c, *win_));
} catch (...) {
  return caught(function::Win_unlock_all);
}
LOADSTONE_ALIAS(MPI_Win_unlock_all)

int PMPI_Win_wait([[maybe_unused]] MPI_Win win) try {
  call c(function::Win_wait);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::window* const win_ = c.handles().windows.find(win);
  if (win_ == nullptr) [[unlikely]] return c.wrong_handle(MPI_ERR_WIN, 1, "win", "MPI_Win", handle_bits(win));
  c.on(*win_);
  return c.finish(impl::Win_wait(c, *win_));
} catch (...) {
  return caught(function::Win_wait);
}
LOADSTONE_ALIAS(MPI_Win_wait)

MPI_Win PMPI_Win_fromint([[maybe_unused]] int win) {
  return process::current().handles.windows.whole(win);
}
LOADSTONE_ALIAS(MPI_Win_fromint)

int PMPI_Win_toint([[maybe_unused]] MPI_Win win) {
  return static_cast<int>(handle_bits(win));
}
LOADSTONE_ALIAS(MPI_Win_toint)

}  // extern "C"
