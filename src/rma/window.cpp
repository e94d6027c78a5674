#include "rma/window.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

#include "base/fault.hpp"
#include "base/guarded.hpp"
#include "rma/asked.hpp"
#include "rma/asked_request.hpp"
#include "rma/attached.hpp"
#include "rma/bulk.hpp"
#include "rma/copy_thread.hpp"
#include "rma/engine.hpp"
#include "rma/handed.hpp"
#include "rma/ways.hpp"

namespace loadstone::rma {

using base::code;
using base::status;

namespace {

constexpr std::size_t page = 4096;

std::byte* aligned(void* block, std::size_t alignment) {
  return reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(block) + alignment - 1) &
                                      ~(static_cast<std::uintptr_t>(alignment) - 1));
}

// Where a displacement points need not be in the object itself: the data may begin behind it.
std::byte* at_offset(std::byte* memory, std::int64_t offset) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(memory) +
                                      static_cast<std::uintptr_t>(offset));
}

}  // namespace

target::target() = default;
target::~target() = default;

window::window(rma::engine& e) : engine_(e) {}

base::result<std::unique_ptr<window>> window::prepare(rma::engine& e, const part& mine,
                                                      std::uint32_t members) try {
  std::unique_ptr<window> made(new window(e));
  auto room = e.arena().allocate(record_bytes(members), memory::isolation);
  if (!room) return room.error();
  std::memset(*room, 0, record_bytes(members));
  made->own_ = static_cast<window_record*>(*room);
  if (const status given = made->give_memory(mine); !given.ok()) return given;
  if (mine.kind == flavor::dynamic)
    made->attached_ = std::make_unique<attached_memory>(e.arena(), *made->own_);
  window_record& own = *made->own_;
  own.magic = record_magic;
  own.base = reinterpret_cast<std::uint64_t>(made->memory_);
  own.bytes = mine.bytes;
  own.unit = mine.unit;
  own.kind = mine.kind;
  own.owner = e.self();
  own.members = members;
  own.in_segment = mine.in_segment;
  own.before = mine.before;
  if (mine.kind == flavor::created && own.in_job_memory == 0 && mine.bytes != 0 && members > 1 &&
      !e.endpoint().background().is_for_all())
    own.has_desk = e.for_others().prepare(&own.desk) ? 1 : 0;
  LOADSTONE_FAULT_POINT("rma.prepared");
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, 0, "no memory to describe a window"};
}

// Finds or makes the memory of our part, and says in the record where in job memory it is.
status window::give_memory(const part& mine) {
  window_record& own = *own_;
  if (mine.kind == flavor::dynamic) return status::success();
  if (mine.kind == flavor::created) {
    memory_ = static_cast<std::byte*>(mine.base);
    own.in_job_memory =
        engine_.arena().find(mine.base, static_cast<std::size_t>(mine.bytes), &own.where) ? 1 : 0;
    return status::success();
  }
  own.in_job_memory = 1;
  const std::int64_t wanted = mine.in_segment ? mine.segment : mine.bytes;
  if (mine.in_segment && mine.segment == 0 && mine.before != 0)
    return status::success();                 // member 0 gives it
  if (wanted == 0) return status::success();  // no memory, and no address
  // Blocks begin at a multiple of a cache line, and of more than a page only by chance.
  auto bytes = static_cast<std::size_t>(wanted);
  const std::size_t alignment = std::max(mine.alignment, bytes >= 16 * page ? page : std::size_t{64});
  if (alignment > page) bytes += alignment;
  auto block = engine_.arena().allocate(bytes, std::min(alignment, page));
  if (!block) return block.error();
  allocated_ = *block;
  memory_ = aligned(*block, alignment);
  own.where = engine_.arena().address_of(memory_);
  LOADSTONE_FAULT_POINT("rma.allocated");
  return status::success();
}

window::~window() {
  {
    // Others may be asked for, or wait, at the same time: the window goes from what they look at.
    const std::lock_guard hold(engine_.endpoint().gate());
    engine_.by_message().remove(*this);
    engine_.for_others().remove(*this);
    if (wants_progress_) engine_.endpoint().background().want(false);
  }
  for (std::size_t i = 0; i < processes_.size(); ++i)
    delete targets_[i].load(std::memory_order_relaxed);  // relaxed: no other thread uses the window now
  engine_.arena().release(allocated_);
  engine_.arena().release(own_);
}

memory::address window::record_address() const {
  return engine_.arena().address_of(own_);
}

status window::join(std::uint64_t id, std::int32_t rank, std::span<const std::uint32_t> processes,
                    std::span<const memory::address> records) try {
  processes_.assign(processes.begin(), processes.end());
  records_.assign(records.begin(), records.end());
  targets_ = std::make_unique<std::atomic<target*>[]>(processes.size());
  id_ = id;
  rank_ = rank;
  sync_.emplace(engine_.endpoint(), engine_.job(), *own_, rank, processes_,
                surroundings{[](void* self, std::int32_t other) -> partner* {
                               status why;
                               return static_cast<window*>(self)->reach(other, &why);
                             },
                             [](void* self, partner& p, bool exclusive, bool joins, const wait::reason& why) {
                               auto& w = *static_cast<window*>(self);
                               return w.engine_.by_message().lock(w, p, exclusive, joins, why);
                             },
                             [](void* self, partner& p, bool exclusive) {
                               auto& w = *static_cast<window*>(self);
                               return w.engine_.by_message().unlock(w, p, exclusive);
                             },
                             this});
  if (own_->kind == flavor::shared)
    for (const std::uint32_t process : processes)
      if (!engine_.endpoint().route_to(process).mapped)
        return {code::refused, 0, "the memory of a member cannot be mapped here"};
  // Where there is a progress thread anyway, it copies what is handed to us while we compute.
  const bool may_help = own_->kind != flavor::shared && own_->in_job_memory == 0 && size() > 1;
  if (may_be_asked() || (may_help && engine_.endpoint().background().is_for_all())) want_progress();
  // Now, as others may ask us for operations on it.
  status why;
  const target* const mine = reach(rank, &why);
  if (mine == nullptr) return why;
  if (own_->in_segment != 0) memory_ = mine->memory;
  // Whoever we may write to by the system's calls may write to us.
  if (own_->has_desk != 0 && std::any_of(processes_.begin(), processes_.end(), [&](std::uint32_t process) {
        return process != engine_.self() && engine_.endpoint().user().reaches(process);
      }))
    engine_.for_others().add(*this);
  engine_.by_message().add(*this);
  return status::success();
} catch (const std::bad_alloc&) {
  processes_.clear();
  return {code::no_memory, 0, "no memory to describe a window"};
}

// Whoever asks does not wait for our next call.
void window::want_progress() {
  if (wants_progress_) return;
  wants_progress_ = true;
  engine_.by_message().admit_progress_thread();
  engine_.endpoint().background().want(true);
}

// Is there a member whose operations on our part come by message, as far as we can know? What the
// system allows is the same in both directions.
bool window::may_be_asked() const {
  deposit::endpoint& endpoint = engine_.endpoint();
  return std::any_of(processes_.begin(), processes_.end(), [&](std::uint32_t process) {
    if (process == engine_.self()) return false;
    return !endpoint.route_to(process).mapped ||
           (own_->in_job_memory == 0 && !endpoint.user().reaches(process));
  });
}

// The only place that allocates. Of several threads that come at once one stays.
target* window::contact(std::int32_t rank, status* why) try {
  auto made = std::make_unique<target>();
  if (*why = describe(rank, made.get()); !why->ok()) return nullptr;
  target* known = nullptr;
  if (!targets_[static_cast<std::size_t>(rank)].compare_exchange_strong(
          known, made.get(), std::memory_order_release, std::memory_order_acquire))  // sync: rma-target
    return known;
  return made.release();
} catch (const std::bad_alloc&) {
  *why = {code::no_memory, 0, "no memory to describe a target"};
  return nullptr;
}

status window::describe(std::int32_t rank, target* t) {
  deposit::endpoint& endpoint = engine_.endpoint();
  const memory::address at = record_of(rank);
  t->rank = rank;
  t->process = process_of(rank);
  t->where = at;
  const bool self = rank == rank_;
  if (self) {
    t->record = own_;
  } else if ((t->record_pin = endpoint.map(at.region))) {
    t->record = reinterpret_cast<window_record*>(t->record_pin.at(at.offset));
  }
  alignas(window_record) std::byte copy[sizeof(window_record)];
  const auto* identity = t->record;
  if (identity == nullptr) {
    if (const status got = endpoint.deposits().get(copy, at, identity_bytes); !got.ok()) return got;
    identity = reinterpret_cast<const window_record*>(copy);
  }
  if (identity->magic != record_magic || identity->owner != t->process)
    return {code::gone, 0, "the target's part of the window is not there any more"};
  t->bytes = identity->bytes;
  t->unit = identity->unit;
  t->displacements = static_cast<std::uint64_t>(t->bytes / t->unit);
  t->base = identity->base;
  t->kind = identity->kind;
  t->in_job_memory = identity->in_job_memory != 0;
  memory::address memory = identity->where;
  if (identity->in_segment != 0 && rank != 0) {
    status why;
    const target* const first = reach(0, &why);
    if (first == nullptr) return why;
    // One mapping of it for all parts, so that their addresses are in order here too.
    if (first->memory == nullptr)
      return {code::refused, 0, "the memory that all share cannot be mapped here"};
    t->memory = first->memory + identity->before;
    t->base = first->base + static_cast<std::uint64_t>(identity->before);
  } else if (t->kind == flavor::dynamic) {
    t->attached = std::make_unique<attachments>(*this, *t, self);
  } else if (self) {
    t->memory = memory_;
  } else if (t->in_job_memory && (t->bytes != 0 || identity->in_segment != 0) &&
             (t->memory_pin = endpoint.map(memory.region))) {
    t->memory = t->memory_pin.at(memory.offset);
  }
  if (t->record != nullptr) {
    t->line = &t->record->line_of(static_cast<std::uint32_t>(rank_));
    t->alone = !endpoint.gate().threads() && processes_.size() <= most_lines && reached_by_barriers();
  }
  t->way = choose({.self = self,
                   .record_here = t->record != nullptr,
                   .in_job_memory = t->in_job_memory,
                   .memory_here = t->memory != nullptr,
                   .system_allows = !t->in_job_memory && !self && endpoint.user().reaches(t->process)});
  if (t->way != way::direct) t->memory = nullptr;
  if (t->way == way::system && identity->has_desk != 0 && (t->desk.pin = endpoint.map(identity->desk.region)))
    t->desk.at = reinterpret_cast<copy_desk*>(t->desk.pin.at(identity->desk.offset));
  return status::success();
}

// Any thread, without the gate, which only the first contact takes.
trouble window::locate(std::int32_t rank, const remote_data& where, place* found) {
  target* t = known(rank);
  if (t == nullptr) {
    std::lock_guard hold(engine_.endpoint().gate());
    status why;
    t = reach(rank, &why);
    if (t == nullptr) return trouble::of(why);
  }
  if (!sync_->entered(*t)) [[unlikely]] {
    std::lock_guard hold(engine_.endpoint().gate());
    if (!sync_->enter(*t)) return {.what = wrong::gone};
  }
  std::int64_t start = 0, from = 0, to = 0;
  bool beyond = __builtin_mul_overflow(where.displacement, t->unit, &start);
  const bool any = where.bytes() != 0;
  if (any) {
    beyond |= __builtin_add_overflow(start, where.lowest(), &from);
    beyond |= __builtin_add_overflow(start, where.highest(), &to);
  }
  // relaxed: what it was before is as good, and found out again
  *found = {t,       t->way.load(std::memory_order_relaxed),     t->in_job_memory, start,
            nullptr, t->base + static_cast<std::uint64_t>(start)};
  if (!any) return {};
  if (t->attached != nullptr) {
    if (beyond) return {.what = wrong::unattached, .from = from, .to = to};
    return t->attached->find(where, from, to, found);
  }
  if (beyond || from < 0 || to > t->bytes)
    return {.what = wrong::outside, .from = from, .to = beyond ? beyond_all : to, .has = t->bytes};
  if (t->memory != nullptr) found->memory = at_offset(t->memory, start);
  return {};
}

trouble window::put_anywhere(std::int32_t rank, const local_data& origin, const remote_data& where) {
  place at;
  if (trouble t = locate(rank, where, &at); !t.ok() || where.bytes() == 0) return t;
  if (at.way == way::direct) {
    direct_put(at.memory, origin, where);
    note_stores();
    return {};
  }
  if (at.way == way::system) {
    const status done = put_ordinary(at, origin, where);
    if (done.kind == code::bad_address) return missing_memory(*this, at, &origin, nullptr, where);
    if (done.kind != code::refused) return trouble::of(done);
    at.to->way.store(way::asked, std::memory_order_relaxed);  // relaxed: each finds out for itself
  }
  return engine_.by_message().put(*this, rank, at, origin, where);
}

trouble window::get_anywhere(std::int32_t rank, const local_data& result, const remote_data& where) {
  place at;
  if (trouble t = locate(rank, where, &at); !t.ok() || where.bytes() == 0) return t;
  if (at.way == way::direct) return direct_get(at.memory, result, where), trouble{};
  if (at.way == way::system) {
    const status done = get_ordinary(at, result, where);
    if (done.kind == code::bad_address) return missing_memory(*this, at, nullptr, &result, where);
    if (done.kind != code::refused) return trouble::of(done);
    at.to->way.store(way::asked, std::memory_order_relaxed);  // relaxed: as above
  }
  return engine_.by_message().get(*this, rank, at, result, where);
}

status window::attach(void* base, std::int64_t bytes) {
  return attached_->attach(base, bytes);
}

bool window::detach(const void* base) {
  return attached_->detach(base);
}

bool window::query(std::int32_t rank, shared_part* found) {
  status why;
  target* t = nullptr;
  for (std::int32_t i = rank < 0 ? 0 : rank; i < size(); ++i) {
    t = reach(i, &why);
    if (t == nullptr || rank >= 0 || t->bytes > 0) break;
  }
  if (t != nullptr && rank < 0 && t->bytes == 0) t = reach(0, &why);
  if (t == nullptr) return false;
  if (t->bytes != 0 && (t->memory == nullptr || !sync_->keep_in_step(*t))) return false;
  *found = {t->memory, t->bytes, t->unit};
  return true;
}

trouble window::check_own(const asked_run& run, bool written) {
  if (const trouble t = check_attached(run); !t.ok() || own_->in_job_memory != 0) return t;
  const std::byte* const first = asked_place(memory_, run.offset);
  const void* const none = base::first_missing(first, static_cast<std::size_t>(run.length), run.stride,
                                               static_cast<std::size_t>(run.count), written);
  if (none == nullptr) return {};
  const auto from = reinterpret_cast<std::int64_t>(none) - reinterpret_cast<std::int64_t>(memory_);
  return {.what = wrong::missing,
          .from = from,
          .to = from + run.length,
          .why = {base::code::bad_address, 0, "memory of the window is not there any more"}};
}

trouble window::check_attached(const asked_run& run) {
  if (attached_ == nullptr) return {};
  status why;
  target* const self = reach(rank_, &why);
  if (self == nullptr) return trouble::of(why);
  const std::int64_t last = run.offset + (run.count - 1) * run.stride;
  place found{};
  trouble t =
      self->attached->find(std::min(run.offset, last), std::max(run.offset, last) + run.length, &found);
  if (t.ok() || run.count == 1) return t;
  for (std::int64_t i = 0; i < run.count; ++i) {
    const std::int64_t from = run.offset + i * run.stride;
    if (trouble one = self->attached->find(from, from + run.length, &found); !one.ok()) return one;
  }
  return {};
}

trouble window::flush(std::int32_t rank, bool comes) {
  target* const t = outstanding() ? known(rank) : nullptr;
  trouble collected;
  if (t != nullptr) collected = send_collected(*t, comes);
  order_stores();
  if (t == nullptr) return {};
  const trouble asked = engine_.by_message().flush(*this, *t);
  return asked.ok() ? collected : asked;
}

trouble window::flush_all(bool comes) {
  order_stores();
  trouble first;
  for (std::int32_t rank = 0; rank < size() && outstanding(); ++rank) {
    trouble t = flush(rank, comes);
    if (t.ok() || !first.ok()) continue;
    first = t;
    first.target = rank;
  }
  return first;
}

}  // namespace loadstone::rma
