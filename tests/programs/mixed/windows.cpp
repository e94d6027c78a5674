#include <cstring>

#include "mixed/schedule.hpp"

namespace mixed {
namespace {

enum { unused, got, put, summed, own_of };        // own_of + 8 r + operation: only r accesses it, atomically
enum { none, fence, active, locks, all_locked };  // epochs
enum { allocated, created, shared, dynamic, window_kinds };

}  // namespace

void schedule::window_step() {
  if (windows_.empty() || (windows_.size() < 3 && plan_.one_in(20))) return new_window();
  if (plan_.one_in(60))
    return free_window(static_cast<std::size_t>(plan_.below(static_cast<long>(windows_.size()))));
  window& w = *windows_[static_cast<std::size_t>(plan_.below(static_cast<long>(windows_.size())))];
  if (!w.epoch)
    begin_epoch(w);
  else if (plan_.one_in(5))
    end_epoch(w);
  else
    access(w);
}

void schedule::new_window() {
  communicator& c = *any(true);
  auto w = std::make_unique<window>();
  w->kind = static_cast<int>(plan_.below(window_kinds));
  w->words = 1 + plan_.size(1L << 12);
  w->c = &c;
  const std::size_t n = c.groups[0].size();
  w->holds.assign(n, std::vector<std::uint64_t>(static_cast<std::size_t>(w->words), 0));
  doing_ = "makes a window, kind " + std::to_string(w->kind);
  if (c.member()) {
    const auto bytes = static_cast<MPI_Aint>(w->words * 8);
    if (w->kind == allocated) {
      MUST(MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, c.comm, &w->memory, &w->win));
    } else if (w->kind == created) {
      w->own.assign(static_cast<std::size_t>(w->words), 0);
      w->memory = w->own.data();
      MUST(MPI_Win_create(w->memory, bytes, 8, MPI_INFO_NULL, c.comm, &w->win));
    } else if (w->kind == shared) {
      MUST(MPI_Win_allocate_shared(bytes, 8, MPI_INFO_NULL, c.comm, &w->memory, &w->win));
    } else {
      w->own.assign(static_cast<std::size_t>(w->words), 0);
      w->memory = w->own.data();
      MUST(MPI_Win_create_dynamic(MPI_INFO_NULL, c.comm, &w->win));
      MUST(MPI_Win_attach(w->win, w->memory, bytes));
      MPI_Aint mine;
      MUST(MPI_Get_address(w->memory, &mine));
      w->address.resize(n);
      MUST(MPI_Allgather(&mine, 1, MPI_AINT, w->address.data(), 1, MPI_AINT, c.comm));
    }
    MUST(MPI_Win_set_errhandler(w->win, MPI_ERRORS_RETURN));
    std::memset(w->memory, 0, static_cast<std::size_t>(bytes));
    MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, c.me, 0, w->win));
    MUST(MPI_Win_unlock(c.me, w->win));
    MUST(MPI_Barrier(c.comm));
  }
  windows_.push_back(std::move(w));
}

void schedule::free_window(std::size_t index) {
  window& w = *windows_[index];
  if (w.epoch) end_epoch(w);
  doing_ = "frees a window, kind " + std::to_string(w.kind);
  if (w.c->member()) {
    if (w.kind == dynamic) {
      MUST(MPI_Barrier(w.c->comm));
      MUST(MPI_Win_detach(w.win, w.memory));
    }
    MUST(MPI_Win_free(&w.win));
  }
  windows_.erase(windows_.begin() + static_cast<long>(index));
}

void schedule::begin_epoch(window& w) {
  w.epoch = static_cast<int>(1 + plan_.below(4));
  const int n = static_cast<int>(w.holds.size());
  w.state.assign(w.holds.size(), std::vector<int>(static_cast<std::size_t>(w.words), unused));
  w.next = w.holds;
  doing_ = "begins epoch " + std::to_string(w.epoch) + " of window kind " + std::to_string(w.kind);
  const long turn = plan_.below(n);
  const bool ended = w.was_active && w.epoch >= locks;  // nobody locks what is still exposed
  w.was_active = w.epoch < locks;
  if (!w.c->member()) return;
  if (ended) MUST(MPI_Barrier(w.c->comm));
  if (w.epoch == fence) {
    MUST(MPI_Win_fence(MPI_MODE_NOPRECEDE, w.win));
  } else if (w.epoch == active) {
    MPI_Group all;
    MUST(MPI_Comm_group(w.c->comm, &all));
    MUST(MPI_Win_post(all, 0, w.win));
    MUST(MPI_Win_start(all, 0, w.win));
    MUST(MPI_Group_free(&all));
  } else if (w.epoch == locks) {
    for (int i = 0; i < n; ++i)
      MUST(MPI_Win_lock(MPI_LOCK_SHARED, static_cast<int>((i + turn) % n), 0, w.win));
  } else {
    MUST(MPI_Win_lock_all(0, w.win));
  }
}

// Some words of one target, which nobody else accesses in this epoch in a way that would conflict.
void schedule::access(window& w) {
  const int n = static_cast<int>(w.holds.size());
  const int origin = static_cast<int>(plan_.below(n)), target = static_cast<int>(plan_.below(n));
  const long first = plan_.below(w.words), count = std::min(w.words - first, 1 + plan_.size(w.words)),
             how = plan_.below(8);
  const bool flush = plan_.one_in(3);
  auto& state = w.state[static_cast<std::size_t>(target)];
  auto& next = w.next[static_cast<std::size_t>(target)];
  const auto& holds = w.holds[static_cast<std::size_t>(target)];
  const int mine = own_of + origin * 8 + static_cast<int>(how == 6 ? 5 : how);
  const bool atomic = how >= 4;
  const int becomes = how < 2 ? put : how == 2 ? got : how == 3 ? summed : mine;
  for (long i = first; i < first + count; ++i) {
    const int is = state[static_cast<std::size_t>(i)];
    if (is != unused && !(is == becomes && is != put)) return;
  }
  const long used = how >= 6 ? 1 : count;  // fetch_and_op, compare_and_swap
  for (long i = first; i < first + used; ++i) state[static_cast<std::size_t>(i)] = becomes;
  const bool does = w.c->member() && w.c->me == origin;
  doing_ = "access " + std::to_string(how) + " to " + std::to_string(count) + " words of a window, kind " +
           std::to_string(w.kind) + ", epoch " + std::to_string(w.epoch);
  auto operand = std::make_shared<std::vector<std::uint64_t>>(),
       result = std::make_shared<std::vector<std::uint64_t>>();
  std::vector<std::uint64_t> before;
  for (long i = 0; i < used; ++i) {
    const std::uint64_t x = value(op_, origin, target, i) * 0x100000001ULL + 7;
    auto& to = next[static_cast<std::size_t>(first + i)];
    before.push_back(how == 2 ? holds[static_cast<std::size_t>(first + i)] : to);
    operand->push_back(x);
    if (how < 2 || how == 4) to = x;  // put, or get_accumulate with replace
    if (how == 3 || how == 5 || how == 6) to += x;
    if (how == 7 && i % 2 == 0) to = x;  // the comparison is right
  }
  if (!does) return;
  result->assign(static_cast<std::size_t>(used), 0);
  const MPI_Aint at = w.kind == dynamic ? w.address[static_cast<std::size_t>(target)] + first * 8 : first;
  const int k = static_cast<int>(used);
  const bool passive = w.epoch >= locks;
  MPI_Request request = MPI_REQUEST_NULL;
  const MPI_Datatype t = MPI_UINT64_T;
  std::uint64_t* o = operand->data();
  switch (how) {
    case 0:
      MUST(MPI_Put(o, k, t, target, at, k, t, w.win));
      break;
    case 1:
      if (passive)
        MUST(MPI_Rput(o, k, t, target, at, k, t, w.win, &request));
      else
        MUST(MPI_Put(o, k, t, target, at, k, t, w.win));
      break;
    case 2:
      if (passive && own_.one_in(2))
        MUST(MPI_Rget(result->data(), k, t, target, at, k, t, w.win, &request));
      else
        MUST(MPI_Get(result->data(), k, t, target, at, k, t, w.win));
      break;
    case 3:
      if (passive && own_.one_in(2))
        MUST(MPI_Raccumulate(o, k, t, target, at, k, t, MPI_SUM, w.win, &request));
      else
        MUST(MPI_Accumulate(o, k, t, target, at, k, t, MPI_SUM, w.win));
      break;
    case 4:
      MUST(MPI_Get_accumulate(o, k, t, result->data(), k, t, target, at, k, t, MPI_REPLACE, w.win));
      break;
    case 5:
      MUST(MPI_Get_accumulate(o, k, t, result->data(), k, t, target, at, k, t, MPI_SUM, w.win));
      break;
    case 6:
      MUST(MPI_Fetch_and_op(o, result->data(), t, target, at, MPI_SUM, w.win));
      break;
    default: {
      auto compare = std::make_shared<std::uint64_t>(before[0]);
      MUST(MPI_Compare_and_swap(o, compare.get(), result->data(), t, target, at, w.win));
      w.checks.push_back([compare] {});
    }
  }
  const bool fetches = how == 2 || atomic;
  const auto check = [this, operand, result, before, fetches, how, step = step_] {
    if (!fetches) return;
    for (std::size_t i = 0; i < before.size(); ++i)
      if ((*result)[i] != before[i]) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "access %ld of step %ld: word %zu of %zu was %016llx instead of %016llx", how, step, i,
                      before.size(), static_cast<unsigned long long>((*result)[i]),
                      static_cast<unsigned long long>(before[i]));
        fail(text);
      }
  };
  if (request != MPI_REQUEST_NULL) w.requests.push_back(request);
  if (passive && flush && request == MPI_REQUEST_NULL) {
    if (own_.one_in(2))
      MUST(MPI_Win_flush(target, w.win));
    else
      MUST(MPI_Win_flush_local_all(w.win));
    check();
  } else {
    w.checks.push_back(check);
  }
}

void schedule::end_epoch(window& w) {
  const int n = static_cast<int>(w.holds.size());
  const long turn = plan_.below(n);
  const bool look = w.epoch == fence || w.epoch == active ? plan_.one_in(2) : true;
  doing_ = "ends epoch " + std::to_string(w.epoch) + " of window kind " + std::to_string(w.kind);
  const int epoch = w.epoch;
  w.epoch = none;
  w.holds = w.next;
  if (!w.c->member()) return;
  if (!w.requests.empty())
    MUST(MPI_Waitall(static_cast<int>(w.requests.size()), w.requests.data(), MPI_STATUSES_IGNORE));
  w.requests.clear();
  if (epoch == fence) {
    MUST(MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win));
  } else if (epoch == active) {
    MUST(MPI_Win_complete(w.win));
    MUST(MPI_Win_wait(w.win));
  } else if (epoch == locks) {
    for (int i = 0; i < n; ++i) MUST(MPI_Win_unlock(static_cast<int>((i + turn) % n), w.win));
  } else {
    MUST(MPI_Win_unlock_all(w.win));
  }
  for (const auto& check : w.checks) check();
  w.checks.clear();
  const bool passive = epoch >= locks;
  if (passive || look) MUST(MPI_Barrier(w.c->comm));
  if (look) {
    MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, w.c->me, 0, w.win));
    const auto& wanted = w.holds[static_cast<std::size_t>(w.c->me)];
    for (long i = 0; i < w.words; ++i)
      if (w.memory[i] != wanted[static_cast<std::size_t>(i)]) {
        char text[160];
        std::snprintf(text, sizeof text, "word %ld of %ld is %016llx instead of %016llx", i, w.words,
                      static_cast<unsigned long long>(w.memory[i]),
                      static_cast<unsigned long long>(wanted[static_cast<std::size_t>(i)]));
        fail(text);
      }
    MUST(MPI_Win_unlock(w.c->me, w.win));
    MUST(MPI_Barrier(w.c->comm));
  }
}

}  // namespace mixed
