// What can be asked about a window (MPI §12.2.3, §12.2.6, §12.2.7, §7.8), and what calls on windows
// say of errors.
#include <algorithm>
#include <cstring>
#include <span>

#include "mpi/generated/impl.hpp"
#include "mpi/memory_kinds.hpp"
#include "mpi/object_name.hpp"
#include "mpi/window_call.hpp"

namespace loadstone::mpi {

int wrong_epoch(call& c, int target, epochs::objection what) {
  c.aims_at(target);
  return c.fail(MPI_ERR_RMA_SYNC, "{}", what);
}

int member_lost(call& c, int target) {
  c.aims_at(target);
  return c.fail(MPI_ERR_PROC_ABORTED,
                "{} member of the window has died, cannot be reached any more, or the job is ending",
                target >= 0 ? "it or another" : "a");
}

// All forms of a call have the same arguments, a request behind them.
std::string argument(const call& c, std::string_view name) {
  static constexpr std::string_view transfer[] = {"origin_addr",     "origin_count",
                                                  "origin_datatype", "target_rank",
                                                  "target_disp",     "target_count",
                                                  "target_datatype", "op"},
                                    fetch[] = {"origin_addr",
                                               "origin_count",
                                               "origin_datatype",
                                               "result_addr",
                                               "result_count",
                                               "result_datatype",
                                               "target_rank",
                                               "target_disp",
                                               "target_count",
                                               "target_datatype",
                                               "op"},
                                    one[] = {"origin_addr", "result_addr", "datatype",
                                             "target_rank", "target_disp", "op"},
                                    swap[] = {"origin_addr", "compare_addr", "result_addr",
                                              "datatype",    "target_rank",  "target_disp"};
  const std::string_view called = c.name();
  const auto calls = [&](std::string_view part) { return called.find(part) != called.npos; };
  std::span<const std::string_view> all = transfer;
  if (calls("et_accumulate")) all = fetch;
  if (calls("Fetch_and_op")) all = one;
  if (calls("Compare_and_swap")) all = swap;
  const auto found = std::find(all.begin(), all.end(), name);
  return fmt::format("argument {} ({})", found - all.begin() + 1, name);
}

int operation_failed(call& c, const window& win, int target, std::int64_t displacement,
                     const rma::trouble& what) {
  if (what.target >= 0) target = what.target;
  c.aims_at(target);
  switch (what.what) {
    case rma::wrong::nothing:
      return MPI_SUCCESS;
    case rma::wrong::outside:
      if (displacement < 0 && win.kind() != rma::flavor::dynamic)
        return c.fail(MPI_ERR_DISP, "{} is {}; expected at least 0", argument(c, "target_disp"),
                      displacement);
      if (what.to == rma::beyond_all)
        return c.fail(MPI_ERR_RMA_RANGE,
                      "no address reaches {}, which is {}; its part of the window is {} bytes",
                      argument(c, "target_disp"), displacement, what.has);
      return c.fail(
          MPI_ERR_RMA_RANGE,
          "the data is bytes {} to {} of its part of the window ({} is {}); expected at most {} bytes",
          what.from, what.to, argument(c, "target_disp"), displacement, what.has);
    case rma::wrong::unattached:
      return c.fail(
          MPI_ERR_RMA_RANGE,
          "the data is at addresses {:#x} to {:#x} ({} is {:#x}); expected memory that is attached there",
          static_cast<std::uint64_t>(what.from), static_cast<std::uint64_t>(what.to),
          argument(c, "target_disp"), static_cast<std::uint64_t>(displacement));
    case rma::wrong::missing:
      return c.fail(MPI_ERR_RMA_RANGE,
                    "window {}: address {:#x} is not there, or may not be used (bytes {} to {} {}); expected "
                    "memory that stays until {}",
                    win.described(), win.core().address_of(target, what.from), what.from, what.to,
                    win.kind() == rma::flavor::dynamic ? "as addresses" : "of its part of the window",
                    win.kind() == rma::flavor::dynamic ? "MPI_Win_detach" : "MPI_Win_free");
    case rma::wrong::no_buffer:
      return c.fail(MPI_ERR_BUFFER, "address {:#x} of this process's buffer is not there, or may not be used",
                    static_cast<std::uint64_t>(what.from));
    case rma::wrong::gone:
      return c.fail(MPI_ERR_PROC_ABORTED, "it has died, or the job is ending");
    case rma::wrong::holder_gone:
      return c.fail(MPI_ERR_PROC_ABORTED,
                    "process {} of the job has died while it changed this memory, whose lock it still has",
                    what.from);
    case rma::wrong::no_memory:
      return c.fail(MPI_ERR_NO_MEM, "{}", what.why.what);
    case rma::wrong::system:
      break;
  }
  if (what.why.kind == base::code::refused)
    return c.fail(MPI_ERR_RMA_SHARED, "this process may not use its memory: {} (error {})", what.why.what,
                  what.why.number);
  return c.fail(MPI_ERR_OTHER, "{} (error {})", what.why.what, what.why.number);
}

int impl::Win_get_group(call& c, window& win, MPI_Group* group) {
  *group = new_group(c.process(), win.group().list(), win.group().session_buffer());
  return *group == MPI_GROUP_NULL ? c.fail(MPI_ERR_OTHER, "no more group handles are free") : MPI_SUCCESS;
}

int impl::Win_set_name(call&, window& win, const char* name) {
  win.set_name(kept_name(name));
  return MPI_SUCCESS;
}

// The null handle has a name, too (MPI §7.8).
int impl::Win_get_name(call& c, MPI_Win win, char* name, int* length) {
  const window* found = c.handles().windows.find(win);
  if (found == nullptr && win != MPI_WIN_NULL) {
    return c.fail(MPI_ERR_WIN,
                  "argument 1 (win) is {:#x}; expected a live handle of type MPI_Win, or MPI_WIN_NULL",
                  static_cast<std::uintptr_t>(handle_bits(win)));
  }
  const std::string text = found == nullptr ? "MPI_WIN_NULL" : found->name();
  std::memcpy(name, text.c_str(), text.size() + 1);
  *length = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

int impl::Win_set_info(call&, window& win, info* info) {
  if (info != nullptr) win.hints.take(info->content(), false);
  win.core().let_accumulates_pass(win.hints.any_order());
  return MPI_SUCCESS;
}

int impl::Win_get_info(call& c, window& win, MPI_Info* info) {
  *info = new_info(c.process(), with_memory_kinds(win.hints.content()));
  return *info == MPI_INFO_NULL ? c.fail(MPI_ERR_OTHER, "no more info handles are free") : MPI_SUCCESS;
}

// Memory that is not mapped here has size 0 and no address.
int impl::Win_shared_query(call& c, window& win, int rank, std::int64_t* size, std::int64_t* disp_unit,
                           void* baseptr) {
  if (win.kind() == rma::flavor::dynamic)
    return c.fail(MPI_ERR_RMA_FLAVOR,
                  "argument 1 (win) is a window of MPI_Win_create_dynamic, which has no part of its own");
  rma::window::shared_part part{nullptr, 0, 1};
  {
    const std::lock_guard guard(c.process().gate());
    if (!win.core().query(rank == MPI_PROC_NULL ? -1 : rank, &part)) part = {nullptr, 0, 1};
  }
  *size = part.bytes;
  *disp_unit = part.unit;
  *static_cast<void**>(baseptr) = part.base;
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
