// Windows are made and freed (MPI §12.2).
#include <algorithm>

#include "base/fault.hpp"
#include "mpi/agreement.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/window_call.hpp"
#include "rma/sync.hpp"

namespace loadstone::mpi {
namespace {

// What the members tell each other.
struct introduction {
  std::uint64_t id;  // proposed; that of member 0 is used
  memory::address record;
  std::int64_t bytes, unit;
  std::int32_t error;          // an error class, if this member cannot take part
  bool same_bytes, same_unit;  // promised by its hints
};

int error_of(const base::status& why) {
  switch (why.kind) {
    case base::code::ok:
      return MPI_SUCCESS;
    case base::code::no_memory:
      return MPI_ERR_NO_MEM;
    case base::code::refused:
      return MPI_ERR_RMA_SHARED;
    default:
      return MPI_ERR_OTHER;
  }
}

// All members fail together: the one that says why itself, and the others, which name it.
int refuse(call& c, const base::status& mine, int rank, int error) {
  if (!mine.ok()) return c.fail(error_of(mine), "the window cannot be made: {}", mine.what);
  return c.fail(error, "the window cannot be made, as rank {} of the communicator {}", rank,
                error == MPI_ERR_NO_MEM       ? "has no memory for its part"
                : error == MPI_ERR_RMA_SHARED ? "cannot map memory of another"
                                              : "has failed");
}

// What hints promise of all parts. All members find the same here.
int check_promises(call& c, const std::vector<introduction>& all) {
  const auto promised = [&](bool introduction::*what) {
    return std::any_of(all.begin(), all.end(), [&](const introduction& i) { return i.*what; });
  };
  const bool bytes = promised(&introduction::same_bytes), units = promised(&introduction::same_unit);
  const introduction& first = all.front();
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (bytes && all[i].bytes != first.bytes)
      return c.fail(
          MPI_ERR_SIZE,
          "argument (size) is {} at rank 0 of the communicator and {} at rank {}; expected one size, "
          "by the info hint same_size",
          first.bytes, all[i].bytes, i);
    if (units && all[i].unit != first.unit)
      return c.fail(
          MPI_ERR_DISP,
          "argument (disp_unit) is {} at rank 0 of the communicator and {} at rank {}; expected one "
          "unit, by the info hint same_disp_unit",
          first.unit, all[i].unit, i);
  }
  return MPI_SUCCESS;
}

// Records name members by their number in the job, in few bits. All members find the same here.
int check_members(call& c, communicator& comm) {
  if (comm.across_jobs())
    return c.fail(MPI_ERR_COMM, "argument (comm) has processes of several jobs; expected those of one");
  const auto last = std::max_element(comm.peers().begin(), comm.peers().end());
  if (static_cast<std::uint32_t>(comm.size()) > rma::most_members || *last >= rma::most_members)
    return c.fail(MPI_ERR_COMM,
                  "argument (comm) has {} members, the last of them process {} of the job; expected at most "
                  "{} processes",
                  comm.size(), *last, rma::most_members);
  return MPI_SUCCESS;
}

// The sizes of all parts decide where each lies in the segment of a shared window.
int lay_out(call& c, communicator& comm, bool noncontiguous, rma::part* part) {
  struct wish {
    std::int64_t bytes;
    bool noncontiguous;  // that of member 0 counts
  };
  const wish mine{part->bytes, noncontiguous};
  std::vector<wish> all(static_cast<std::size_t>(comm.size()));
  if (const int error = gather_everywhere(c, comm, comm.view(), &mine, sizeof mine, all.data())) return error;
  if (all.front().noncontiguous) return MPI_SUCCESS;
  std::int64_t sum = 0;
  for (int i = 0; i < comm.size(); ++i) {
    if (i == comm.rank()) part->before = sum;
    if (__builtin_add_overflow(sum, all[static_cast<std::size_t>(i)].bytes, &sum))
      return c.fail(MPI_ERR_SIZE, "argument 1 (size): the parts of all members are more than 64 bits count");
  }
  part->in_segment = sum != 0;
  part->segment = comm.rank() == 0 ? sum : 0;
  return MPI_SUCCESS;
}

// The members exchange where their records are; from then on they need no message to synchronise.
int introduce(call& c, communicator& comm, window& win, const rma::part& part) {
  process& p = c.process();
  base::status mine;
  auto prepared = rma::window::prepare(*p.core().rma, part, static_cast<std::uint32_t>(comm.size()));
  introduction me{.id = p.communicators.new_id(comm.across_jobs()),
                  .record = {},
                  .bytes = part.bytes,
                  .unit = part.unit,
                  .error = MPI_SUCCESS,
                  .same_bytes = win.hints.promises("same_size"),
                  .same_unit = win.hints.promises("same_disp_unit")};
  if (!prepared)
    mine = prepared.error();
  else if (win.handle() == MPI_WIN_NULL)
    mine = {base::code::invalid, 0, "no more window handles are free"};
  else
    me.record = (*prepared)->record_address();
  me.error = error_of(mine);
  std::vector<introduction> all(static_cast<std::size_t>(comm.size()));
  if (const int error = gather_everywhere(c, comm, comm.view(), &me, sizeof me, all.data())) return error;
  for (int i = 0; i < comm.size(); ++i) {
    if (const int error = all[static_cast<std::size_t>(i)].error) return refuse(c, mine, i, error);
  }
  if (const int error = check_promises(c, all)) return error;
  std::vector<memory::address> records;
  for (const introduction& i : all) records.push_back(i.record);
  win.set_core(std::move(*prepared));
  win.core().let_accumulates_pass(win.hints.any_order());
  {
    const std::lock_guard guard(p.gate());
    mine = win.core().join(all.front().id, comm.rank(), comm.peers(), records);
  }
  // Only each of them knows whether it has joined, and mapped what is shared. Until all know, every
  // record stays, and nobody uses another's.
  const std::int32_t error = error_of(mine);
  std::vector<std::int32_t> errors(static_cast<std::size_t>(comm.size()));
  if (const int e = gather_everywhere(c, comm, comm.view(), &error, sizeof error, errors.data())) return e;
  for (int i = 0; i < comm.size(); ++i) {
    if (const int e = errors[static_cast<std::size_t>(i)]) return refuse(c, mine, i, e);
  }
  return MPI_SUCCESS;
}

int create(call& c, communicator& comm, info* info, rma::part part, void* baseptr, MPI_Win* out) {
  process& p = c.process();
  if (comm.is_inter())
    return c.fail(MPI_ERR_COMM, "argument (comm) is an inter-communicator; expected an intra-communicator");
  if (const int error = check_members(c, comm)) return error;
  auto made = std::make_unique<window>(p, comm, part.kind);
  window& win = *made;
  if (info != nullptr) win.hints.take(info->content(), true);
  part.alignment = win.hints.alignment();
  if (part.kind == rma::flavor::shared) {
    if (const int error = lay_out(c, comm, win.hints.promises("alloc_shared_noncontig"), &part)) return error;
  }
  const MPI_Win handle = p.handles.windows.insert(&win);
  win.set_handle(handle);
  if (const int error = introduce(c, comm, win, part); error != MPI_SUCCESS) {
    if (handle != MPI_WIN_NULL) p.handles.windows.remove(handle);
    return error;
  }
  if (part.kind != rma::flavor::dynamic) {
    win.shape.base = part.kind == rma::flavor::created ? part.base : win.core().memory();
    win.shape.size = part.bytes;
    win.shape.unit = narrow_or_undefined(part.unit);
  }
  if (baseptr != nullptr) *static_cast<void**>(baseptr) = win.shape.base;
  *out = handle;
  made.release();
  LOADSTONE_FAULT_POINT("window.made");
  return MPI_SUCCESS;
}

}  // namespace

int impl::Win_create(call& c, void* base, std::int64_t size, std::int64_t disp_unit, info* info,
                     communicator& comm, MPI_Win* win) {
  rma::part part;
  part.base = base;
  part.bytes = size;
  part.unit = disp_unit;
  return create(c, comm, info, part, nullptr, win);
}

int impl::Win_allocate(call& c, std::int64_t size, std::int64_t disp_unit, info* info, communicator& comm,
                       void* baseptr, MPI_Win* win) {
  rma::part part;
  part.kind = rma::flavor::allocated;
  part.bytes = size;
  part.unit = disp_unit;
  return create(c, comm, info, part, baseptr, win);
}

int impl::Win_allocate_shared(call& c, std::int64_t size, std::int64_t disp_unit, info* info,
                              communicator& comm, void* baseptr, MPI_Win* win) {
  rma::part part;
  part.kind = rma::flavor::shared;
  part.bytes = size;
  part.unit = disp_unit;
  return create(c, comm, info, part, baseptr, win);
}

int impl::Win_create_dynamic(call& c, info* info, communicator& comm, MPI_Win* win) {
  rma::part part;
  part.kind = rma::flavor::dynamic;
  return create(c, comm, info, part, nullptr, win);
}

// A barrier, as afterwards the memory of every member may be gone, and what others would read of
// it. Attributes go before, while the window still works.
int impl::Win_free(call& c, window& win) {
  process& p = c.process();
  {
    const std::lock_guard guard(p.gate());
    if (const auto no = win.epochs.free()) return wrong_epoch(c, MPI_ANY_SOURCE, no);
  }
  if (const int code = win.attributes.clear(win.handle()))
    return c.fail(code, "a delete function of an attribute of the window returned {}", code);
  LOADSTONE_FAULT_POINT("window.freeing");
  {
    const std::lock_guard guard(p.gate());
    if (!rma::leave(win.core(), reason_for(c, win, MPI_ANY_SOURCE, "the other members of the window")))
      return member_lost(c, MPI_ANY_SOURCE);
  }
  p.handles.windows.remove(win.handle());
  delete &win;
  return MPI_SUCCESS;
}

int impl::Win_attach(call& c, window& win, void* base, std::int64_t size) {
  if (win.kind() != rma::flavor::dynamic)
    return c.fail(MPI_ERR_RMA_FLAVOR,
                  "argument 1 (win) has memory of its own; expected a window of MPI_Win_create_dynamic");
  const base::status done = win.core().attach(base, size);
  if (done.ok()) return MPI_SUCCESS;
  return c.fail(MPI_ERR_RMA_ATTACH, "{} bytes from address {} on cannot be attached: {}", size,
                static_cast<const void*>(base), done.what);
}

int impl::Win_detach(call& c, window& win, const void* base) {
  if (win.kind() != rma::flavor::dynamic)
    return c.fail(MPI_ERR_RMA_FLAVOR,
                  "argument 1 (win) has memory of its own; expected a window of MPI_Win_create_dynamic");
  if (win.core().detach(base)) return MPI_SUCCESS;
  return c.fail(MPI_ERR_BASE,
                "argument 2 (base) is {}; expected an address that has been given to MPI_Win_attach", base);
}

}  // namespace loadstone::mpi
