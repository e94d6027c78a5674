// The fast path (quick.hpp) of one-sided communication: one block of few bytes, or one number, in
// memory that is mapped here, and flushes that have nothing to wait for. Everything else goes the
// ordinary way, which also finds out what is wrong.
#pragma once

#include "mpi/checks.hpp"
#include "mpi/quick.hpp"
#include "mpi/window_operation.hpp"
#include "rma/single.hpp"

namespace loadstone::mpi::quick {

// Null: not the fast path.
[[gnu::always_inline]] inline window* find(function f, MPI_Win win) {
  process* const p = undisturbed();
  if (p == nullptr) return nullptr;
  window* const w = p->handles.windows.find(win);
  if (w != nullptr) p->activity.note_call(f);
  return w;
}

// The same, where an operation on this target may begin at once.
[[gnu::always_inline]] inline window* find(function f, MPI_Win win, int target) {
  window* const w = find(f, win);
  return w != nullptr && is_rank(target, w->size()) && w->epochs.allows(target) ? w : nullptr;
}

// Bytes of so many elements, if they are few and one block; else -1. A type that is not committed
// is not contiguous.
[[gnu::always_inline]] inline std::int64_t few_bytes(const window& w, MPI_Datatype datatype,
                                                     std::int64_t count) {
  constexpr auto few = static_cast<std::uint64_t>(rma::window::few);
  const mpi::datatype* const type = w.owner().handles.types.find(datatype);
  if (type == nullptr || !type->core()->contiguous()) return -1;
  const auto elements = static_cast<std::uint64_t>(count),
             size = static_cast<std::uint64_t>(type->core()->size());
  return elements <= few && size <= few ? static_cast<std::int64_t>(elements * size) : -1;
}

// A predefined type; null if it is none.
[[gnu::always_inline]] inline const loadstone::datatype::type* predefined(const window& w,
                                                                          MPI_Datatype datatype) {
  const mpi::datatype* const type = w.owner().handles.types.find(datatype);
  return type != nullptr && type->predefined() ? type->core() : nullptr;
}

[[gnu::always_inline]] inline bool Put(function f, const void* origin_addr, std::int64_t origin_count,
                                       MPI_Datatype origin_datatype, int target_rank,
                                       std::int64_t target_disp, std::int64_t target_count,
                                       MPI_Datatype target_datatype, MPI_Win win) {
  window* const w = find(f, win, target_rank);
  if (w == nullptr || origin_datatype != target_datatype || origin_count != target_count ||
      no_address(origin_addr))
    return false;
  const std::int64_t bytes = few_bytes(*w, origin_datatype, origin_count);
  return bytes >= 0 && w->core().put_few(target_rank, origin_addr, bytes, target_disp);
}

[[gnu::always_inline]] inline bool Get(function f, void* origin_addr, std::int64_t origin_count,
                                       MPI_Datatype origin_datatype, int target_rank,
                                       std::int64_t target_disp, std::int64_t target_count,
                                       MPI_Datatype target_datatype, MPI_Win win) {
  window* const w = find(f, win, target_rank);
  if (w == nullptr || origin_datatype != target_datatype || origin_count != target_count ||
      no_address(origin_addr))
    return false;
  const std::int64_t bytes = few_bytes(*w, origin_datatype, origin_count);
  return bytes >= 0 && w->core().get_few(target_rank, origin_addr, bytes, target_disp);
}

// Is no byte of the one also one of the other? Both have `bytes`.
[[gnu::always_inline]] inline bool apart(const void* a, const void* b, std::int64_t bytes) {
  const auto size = static_cast<std::uintptr_t>(bytes);
  return bits_of(a) - bits_of(b) + size - 1 >= 2 * size - 1;
}

// One number, changed by an instruction. `result_addr` null: nobody asks for what was there.
[[gnu::always_inline]] inline bool change(const window& w, const void* origin_addr, void* result_addr,
                                          MPI_Datatype datatype, int target_rank, std::int64_t target_disp,
                                          MPI_Op op) {
  const loadstone::datatype::type* const type = predefined(w, datatype);
  const mpi::op* const o = w.owner().handles.ops.find(op);
  return type != nullptr && o != nullptr &&
         (result_addr == nullptr || op == MPI_NO_OP || apart(origin_addr, result_addr, type->size())) &&
         (rma::change_single(w.core(), target_rank, target_disp, *type, o->core()->kind(), origin_addr,
                             result_addr) ||
          rma::change_ordinary_single(w.core(), target_rank, target_disp, *type, *o->core(), origin_addr,
                                      result_addr));
}

[[gnu::always_inline]] inline bool Fetch_and_op(function f, const void* origin_addr, void* result_addr,
                                                MPI_Datatype datatype, int target_rank,
                                                std::int64_t target_disp, MPI_Op op, MPI_Win win) {
  window* const w = find(f, win, target_rank);
  const bool reads = op != MPI_NO_OP;
  if (w == nullptr || no_address(result_addr) || (reads && no_address(origin_addr))) return false;
  return change(*w, origin_addr, result_addr, datatype, target_rank, target_disp, op);
}

[[gnu::always_inline]] inline bool Accumulate(function f, const void* origin_addr, std::int64_t origin_count,
                                              MPI_Datatype origin_datatype, int target_rank,
                                              std::int64_t target_disp, std::int64_t target_count,
                                              MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  window* const w = find(f, win, target_rank);
  if (w == nullptr || origin_count != 1 || target_count != 1 || origin_datatype != target_datatype ||
      op == MPI_NO_OP || no_address(origin_addr))
    return false;
  return change(*w, origin_addr, nullptr, origin_datatype, target_rank, target_disp, op);
}

[[gnu::always_inline]] inline bool Get_accumulate(function f, const void* origin_addr,
                                                  std::int64_t origin_count, MPI_Datatype origin_datatype,
                                                  void* result_addr, std::int64_t result_count,
                                                  MPI_Datatype result_datatype, int target_rank,
                                                  std::int64_t target_disp, std::int64_t target_count,
                                                  MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  const bool reads = op != MPI_NO_OP;  // otherwise the origin's arguments are not looked at
  if (result_count != 1 || target_count != 1 || result_datatype != target_datatype ||
      (reads && (origin_count != 1 || origin_datatype != target_datatype)))
    return false;
  return Fetch_and_op(f, origin_addr, result_addr, target_datatype, target_rank, target_disp, op, win);
}

[[gnu::always_inline]] inline bool Compare_and_swap(function f, const void* origin_addr,
                                                    const void* compare_addr, void* result_addr,
                                                    MPI_Datatype datatype, int target_rank,
                                                    std::int64_t target_disp, MPI_Win win) {
  window* const w = find(f, win, target_rank);
  if (w == nullptr || no_address(origin_addr) || no_address(compare_addr) || no_address(result_addr))
    return false;
  const mpi::datatype* const type = w->owner().handles.types.find(datatype);
  return type != nullptr && type->compares() && apart(origin_addr, result_addr, type->core()->size()) &&
         (rma::swap_single(w->core(), target_rank, target_disp, *type->core(), origin_addr, compare_addr,
                           result_addr) ||
          rma::swap_ordinary_single(w->core(), target_rank, target_disp, *type->core(), origin_addr,
                                    compare_addr, result_addr));
}

// For an operation with a request, of which there is a quick form without one: the window if it may
// begin at once.
[[gnu::always_inline]] inline window* find(function f, MPI_Win win, int target_rank,
                                           const MPI_Request* request) {
  window* const w = find(f, win);
  return w != nullptr && !no_address(request) && is_rank(target_rank, w->size()) &&
                 w->epochs.passive(target_rank) && w->count_unless_it_polls()
             ? w
             : nullptr;
}
// The request of all that have ended when their calls return (window_operation.hpp).
[[gnu::always_inline]] inline bool give(const window& w, MPI_Request* request) {
  *request = w.owner().message_requests.sent.handle();
  return true;
}

[[gnu::always_inline]] inline bool Rput(function f, const void* origin_addr, std::int64_t origin_count,
                                        MPI_Datatype origin_datatype, int target_rank,
                                        std::int64_t target_disp, std::int64_t target_count,
                                        MPI_Datatype target_datatype, MPI_Win win, MPI_Request* request) {
  window* const w = find(f, win, target_rank, request);
  return w != nullptr &&
         Put(f, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, win) &&
         give(*w, request);
}

[[gnu::always_inline]] inline bool Rget(function f, void* origin_addr, std::int64_t origin_count,
                                        MPI_Datatype origin_datatype, int target_rank,
                                        std::int64_t target_disp, std::int64_t target_count,
                                        MPI_Datatype target_datatype, MPI_Win win, MPI_Request* request) {
  window* const w = find(f, win, target_rank, request);
  return w != nullptr &&
         Get(f, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, win) &&
         give(*w, request);
}

[[gnu::always_inline]] inline bool Raccumulate(function f, const void* origin_addr, std::int64_t origin_count,
                                               MPI_Datatype origin_datatype, int target_rank,
                                               std::int64_t target_disp, std::int64_t target_count,
                                               MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                                               MPI_Request* request) {
  window* const w = find(f, win, target_rank, request);
  return w != nullptr &&
         Accumulate(f, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                    target_datatype, op, win) &&
         give(*w, request);
}

[[gnu::always_inline]] inline bool Rget_accumulate(function f, const void* origin_addr,
                                                   std::int64_t origin_count, MPI_Datatype origin_datatype,
                                                   void* result_addr, std::int64_t result_count,
                                                   MPI_Datatype result_datatype, int target_rank,
                                                   std::int64_t target_disp, std::int64_t target_count,
                                                   MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                                                   MPI_Request* request) {
  window* const w = find(f, win, target_rank, request);
  return w != nullptr &&
         Get_accumulate(f, origin_addr, origin_count, origin_datatype, result_addr, result_count,
                        result_datatype, target_rank, target_disp, target_count, target_datatype, op, win) &&
         give(*w, request);
}

[[gnu::always_inline]] inline bool Win_flush(function f, int rank, MPI_Win win) {
  window* const w = find(f, win);
  return w != nullptr && is_rank(rank, w->size()) && w->epochs.passive(rank) && w->count_unless_it_polls() &&
         w->core().flush_now();
}

[[gnu::always_inline]] inline bool Win_flush_all(function f, MPI_Win win) {
  window* const w = find(f, win);
  return w != nullptr && w->epochs.passive() && w->count_unless_it_polls() && w->core().flush_now();
}

// Every operation is complete at its origin when its call returns.
[[gnu::always_inline]] inline bool Win_flush_local(function f, int rank, MPI_Win win) {
  window* const w = find(f, win);
  return w != nullptr && is_rank(rank, w->size()) && w->epochs.passive(rank) && w->count_unless_it_polls();
}

[[gnu::always_inline]] inline bool Win_flush_local_all(function f, MPI_Win win) {
  window* const w = find(f, win);
  return w != nullptr && w->epochs.passive() && w->count_unless_it_polls();
}

}  // namespace loadstone::mpi::quick
