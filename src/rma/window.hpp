// A window as one member sees it: its own record, and the targets it has been in contact with.
//
// It is made in two steps, as the members have to tell each other where their records are:
//
//   result<unique_ptr<window>> w = window::prepare(engine, part, members);
//   … the members exchange w->record_address() …
//   w->join(id, rank, processes, addresses);                        // from here on it can be used
//
// and is destroyed when all members are past a barrier.
//
// Threads: any may start operations at any time, and holds no gate. The gate is held in flush(),
// reach(), join(), and what sync.hpp has. prepare() and the destructor are without it: the latter
// takes it.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "copy/kernels.hpp"
#include "memory/address.hpp"
#include "memory/mappings.hpp"
#include "rma/choice.hpp"
#include "rma/lock.hpp"
#include "rma/operation.hpp"
#include "rma/record_layout.hpp"
#include "rma/synchronisation.hpp"

namespace loadstone::rma {

class engine;
class asked;
class asked_owner;
struct asked_run;
class attachments;      // of a target, and
class attached_memory;  // our own, in dynamic windows (attached.hpp)
class collection;       // small puts (collected.hpp)
struct hand_end;        // what its owner is to copy (handed.hpp)
struct decision;
struct copy_desk;  // of its copying thread (copy_thread.hpp)

// The desk of a target's copying thread, for us. Under the gate, but for `at`.
struct desk_use {
  memory::pin pin;
  copy_desk* at = nullptr;   // null: none
  std::uint32_t passes = 0;  // transfers that do without it,
  std::uint32_t missed = 0;  // as nobody has come to so many in a row
};

// What a member knows of another, or of itself, from the first contact on.
struct target : partner {
  target();
  ~target();
  std::atomic<rma::way> way{way::asked};  // of the window's memory there; may turn from system to asked
  std::byte* memory = nullptr;            // direct: the target's part, mapped here; null for dynamic windows
  std::int64_t bytes = 0, unit = 1;
  std::uint64_t displacements = 0;  // the largest one that is within the part: bytes / unit
  std::uint64_t base = 0;           // its address there
  bool in_job_memory = false;
  flavor kind = flavor::created;
  member_line* line = nullptr;  // ours in its record
  bool alone = false;           // plain stores do there (bulk.hpp)
  memory::pin record_pin, memory_pin;
  std::unique_ptr<attachments> attached;  // dynamic
  // Messages to the owner that it answers when it has done what they say (asked.hpp), and what it
  // said was wrong. Under the gate.
  std::uint64_t asked = 0, answered = 0;
  bool lost = false;  // some never were: the owner has died
  trouble failed;
  std::optional<lock_holder> holder;  // it has to wait for this one's lock of memory, it says
  // Ordinary memory (ordinary.cpp). Under the gate.
  std::unique_ptr<collection> collected;  // puts that nobody has sent yet
  std::uint32_t sending = 0;              // threads that send some
  std::unique_ptr<hand_end> hand;
  desk_use desk;
};

struct part {  // what the calling process brings in
  flavor kind = flavor::created;
  void* base = nullptr;  // created windows; what others need lies in our arena
  std::int64_t bytes = 0, unit = 1;
  std::size_t alignment = 64;  // of what is allocated
  // Shared windows in one segment: all parts lie one behind the other, in the arena of member 0.
  bool in_segment = false;
  std::int64_t before = 0;   // bytes of the members before us
  std::int64_t segment = 0;  // bytes of all, at member 0; elsewhere 0
};

// Where data of a target is, and how one gets there.
struct place {
  target* to;
  rma::way way;
  // Do all processes change elements here by atomic instructions, where these have them? If not,
  // they all take locks. (It is the same for every origin, whatever its way.)
  bool atomic;
  std::int64_t offset;    // where the displacement points, from the start of the part; dynamic: an address
  std::byte* memory;      // direct: the same, mapped here
  std::uint64_t address;  // in the target's process (of a segment: in member 0's): a name for it
};

// Who has a part in a window, and whom of them this one has been in contact with.
class membership {
 public:
  std::uint64_t id() const { return id_; }
  std::int32_t rank() const { return rank_; }
  std::int32_t size() const { return static_cast<std::int32_t>(processes_.size()); }
  std::uint32_t process_of(std::int32_t rank) const { return processes_[static_cast<std::size_t>(rank)]; }
  memory::address record_of(std::int32_t rank) const { return records_[static_cast<std::size_t>(rank)]; }
  // Null: there has been no contact yet.
  target* known(std::int32_t rank) const {
    return targets_[static_cast<std::size_t>(rank)].load(std::memory_order_acquire);  // sync: rma-target
  }
  // In that process; of a target that has been accessed.
  std::uint64_t address_of(std::int32_t rank, std::int64_t offset) const {
    const target* const t = known(rank);
    return static_cast<std::uint64_t>(offset) + (t == nullptr || t->attached != nullptr ? 0 : t->base);
  }

 protected:
  std::uint64_t id_ = 0;
  std::int32_t rank_ = -1;
  std::vector<std::uint32_t> processes_;
  std::vector<memory::address> records_;
  std::unique_ptr<std::atomic<target*>[]> targets_;  // made at first contact
};

// What of a window's operations is not complete yet, and which order they need.
class completion {
 public:
  // A flush, where nothing is outstanding; else false. Without the gate.
  bool flush_now() {
    if (outstanding()) return false;
    order_stores();
    return true;
  }
  // What is stored by now is seen before what follows is read. If no store of ours is later than a
  // full fence, only what was read has to stay in front. (Another thread may have cleared our note,
  // and not made its fence yet. Our stores are visible then: the note was released behind them, and
  // came first. sync: rma-stored, models/weak_rma_flush.pml)
  void order_stores() {
    if (!stored_.load(std::memory_order_acquire)) {
      std::atomic_thread_fence(std::memory_order_acq_rel);
      return;
    }
    stored_.store(false, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  // To be called behind every store into a target's memory that no full fence follows, the system's
  // as well. (What an owner has stored for us it has said behind its stores: all see them before we
  // go on.)
  void note_stores() { stored_.store(true, std::memory_order_release); }  // sync: rma-stored
  // Relaxed: a thread knows of what it has begun itself.
  bool outstanding() const { return outstanding_.load(std::memory_order_relaxed) != 0; }

  // The program needs no order among accumulates of one origin on one location. Relaxed: it says so
  // where none is under way, or does not mind.
  void let_accumulates_pass(bool yes) { in_any_order_.store(yes, std::memory_order_relaxed); }
  bool accumulates_in_any_order() const { return in_any_order_.load(std::memory_order_relaxed); }

 protected:
  void count_asked(target& t) {
    ++t.asked;
    outstanding_.fetch_add(1, std::memory_order_relaxed);  // relaxed: as outstanding()
  }
  void count_answered(target& t, std::uint64_t n) {
    t.answered += n;
    outstanding_.fetch_sub(n, std::memory_order_relaxed);
  }

  // Operations that were asked for and not answered, or that have failed, which nobody knows yet;
  // and targets for which puts are collected.
  std::atomic<std::uint64_t> outstanding_{0};
  std::atomic<bool> stored_{false};  // since the last full fence of a flush (sync: rma-stored)
  std::atomic<bool> in_any_order_{false};
};

// Of at most window::few bytes.
inline void copy_few(void* to, const void* from, std::int64_t bytes) {
  if (bytes == 8) [[likely]]
    std::memcpy(to, from, 8);
  else if (bytes > 64)
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  else
    copy::small(static_cast<std::byte*>(to), from, static_cast<std::size_t>(bytes));
}

class window : public membership, public completion {
 public:
  static base::result<std::unique_ptr<window>> prepare(engine& e, const part& mine, std::uint32_t members);
  ~window();
  window(const window&) = delete;
  window& operator=(const window&) = delete;

  memory::address record_address() const;
  // `id`: the same at all members, and of no other window that a member has. code::refused: memory
  // that all are to share cannot be mapped here.
  base::status join(std::uint64_t id, std::int32_t rank, std::span<const std::uint32_t> processes,
                    std::span<const memory::address> records);

  // Of our own part, as an owner who is asked checks it: is it attached, and still there? What is
  // gone by then would end the process.
  trouble check_own(const asked_run& run, bool written);
  trouble check_attached(const asked_run& run);  // only that
  rma::engine& engine() const { return engine_; }
  window_record& own() const { return *own_; }
  std::byte* memory() const { return memory_; }  // our own part; null for dynamic windows

  // The target, with its record mapped and its way decided. Null: `why` says what is wrong.
  target* reach(std::int32_t rank, base::status* why) {
    target* const met = known(rank);
    return met != nullptr ? met : contact(rank, why);
  }
  // Where the target's data is: inside the window, and attached. Of 0 bytes nothing is checked.
  trouble locate(std::int32_t rank, const remote_data& where, place* found);

  // Each returns when the origin may be reused, or the data has arrived. At the target it is there
  // when flush() returns (by direct: at once).
  trouble put(std::int32_t rank, const local_data& origin, const remote_data& where) {
    if (origin.type->contiguous() && where.type->contiguous() &&
        put_few(rank, origin.address, where.bytes(), where.displacement))
      return {};
    return put_anywhere(rank, origin, where);
  }
  trouble get(std::int32_t rank, const local_data& result, const remote_data& where) {
    if (result.type->contiguous() && where.type->contiguous() &&
        get_few(rank, result.address, where.bytes(), where.displacement))
      return {};
    return get_anywhere(rank, result, where);
  }
  // The same for a few bytes in one block at both ends. False: not this way, and nothing has
  // happened.
  static constexpr std::int64_t few = 2048;  // from there on there are better copies than memcpy
  bool put_few(std::int32_t rank, const void* origin, std::int64_t bytes, std::int64_t displacement) {
    std::int64_t offset = 0;
    const target* const t = bytes <= few ? in_line(rank, displacement, bytes, &offset) : nullptr;
    if (t == nullptr) return false;
    copy_few(t->memory + offset, origin, bytes);
    note_stores();
    return true;
  }
  bool get_few(std::int32_t rank, void* result, std::int64_t bytes, std::int64_t displacement) const {
    std::int64_t offset = 0;
    const target* const t = bytes <= few ? in_line(rank, displacement, bytes, &offset) : nullptr;
    if (t == nullptr) return false;
    copy_few(result, t->memory + offset, bytes);
    return true;
  }
  // The target, if these bytes of its part are mapped here, at t->memory + *offset: there has been
  // contact, they are inside, and no lock has to be waited for. Otherwise null.
  target* in_line(std::int32_t rank, std::int64_t displacement, std::int64_t bytes,
                  std::int64_t* offset) const {
    target* const t = known(rank);
    if (t == nullptr || t->memory == nullptr || !sync_->entered(*t) ||
        static_cast<std::uint64_t>(displacement) > t->displacements)
      return nullptr;
    *offset = displacement * t->unit;
    return *offset <= t->bytes - bytes ? t : nullptr;
  }

  // Of all operations on this target, or on all: complete at the target.
  // `comes`: the target does, into the fence that this is a part of.
  trouble flush(std::int32_t rank, bool comes = false);
  trouble flush_all(bool comes = false);

  // Puts to the same bytes that are collected go first. Under the gate.
  void send_what_touches(const place& at, const remote_data& where);

  // Does an operation on it wait for no lock?
  bool may_begin(const target& t) const { return sync_->entered(t); }

  // Dynamic windows. code::invalid: it overlaps what is attached.
  base::status attach(void* base, std::int64_t bytes);
  bool detach(const void* base);  // false: nothing is attached there

  // What MPI_Win_shared_query says, of shared and allocated windows. False: that part is not mapped
  // here. `rank` -1: the lowest with a part that is not empty, or 0. The gate is held.
  struct shared_part {
    std::byte* base;
    std::int64_t bytes, unit;
  };
  bool query(std::int32_t rank, shared_part* found);

  synchronisation& sync() { return *sync_; }  // for sync.hpp

 private:
  friend class rma::asked;
  friend class rma::asked_owner;
  explicit window(rma::engine& e);
  target* contact(std::int32_t rank, base::status* why);
  base::status describe(std::int32_t rank, target* t);
  base::status give_memory(const part& mine);
  bool may_be_asked() const;
  void want_progress();
  trouble put_anywhere(std::int32_t rank, const local_data& origin, const remote_data& where);
  trouble get_anywhere(std::int32_t rank, const local_data& result, const remote_data& where);
  // The way `system` (ordinary.cpp). code::refused: not any more.
  base::status put_ordinary(const place& at, const local_data& origin, const remote_data& where);
  base::status get_ordinary(const place& at, const local_data& result, const remote_data& where);
  void keep(target& t, const trouble& failed);
  trouble collect(target& t, std::int64_t offset, const void* data, std::int64_t bytes);
  trouble send_collected(target& t, bool comes = false);
  trouble send(target& t, const collection& all, bool comes);

  rma::engine& engine_;
  std::optional<synchronisation> sync_;  // from join() on
  window_record* own_ = nullptr;
  std::byte* memory_ = nullptr;
  void* allocated_ = nullptr;  // in our arena, besides the record
  std::unique_ptr<attached_memory> attached_;
  bool wants_progress_ = false;
};

}  // namespace loadstone::rma
