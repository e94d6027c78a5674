// The allocator of large blocks, in a few spans of shared memory: `block_store` serves the process,
// and has a `span_runs` for each span. They know where each block lies, which space is free, and
// which free space still holds pages. This bookkeeping lies in private memory: nothing here calls
// malloc, a block has no header, and a program that writes beyond the end of a block does not
// damage it.
//
// A span is cut into units of a page. A *run* is a row of units that is one block, or free; two
// free runs never lie side by side. It is described at its first and at its last unit, so that
// neighbours are found without a search. Free runs are in lists by size. A free unit that may still
// hold a page is *dirty*: it takes memory, it may not be zero, and using it again causes no page
// fault. Dirty memory is bounded; what is above the bound goes back to the system.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "heap/interface.hpp"

namespace loadstone::heap {

struct run {
  std::uint32_t units;
  std::uint32_t free;  // 1: free
  // Valid at the first unit of a run: its neighbours (their first units) in the list that it is in;
  // `no_unit` at the ends. A free run is in a list by size; a block that is put off has `next`
  // alone.
  std::uint32_t next, previous;
};
inline constexpr std::uint32_t no_unit = UINT32_MAX;
inline constexpr std::uint32_t list_count = 240;  // eight for each power of two up to 2^31 units

class span_runs {
 public:
  // Takes over `memory`, all of it free and clean. False: there is no memory for the bookkeeping.
  bool open(const span& memory, void* owner, std::size_t unit_bytes);

  std::byte* base() const { return base_; }
  std::size_t bytes() const { return std::size_t{units_} * unit_bytes_; }
  bool holds(const void* p) const {
    const auto at = reinterpret_cast<std::uintptr_t>(p);
    return at >= start_ && at < end_;
  }
  void* owner() const { return owner_; }
  std::uint32_t unit_of(const void* p) const {
    return static_cast<std::uint32_t>((reinterpret_cast<std::uintptr_t>(p) - start_) / unit_bytes_);
  }
  std::byte* at(std::uint32_t unit) const { return base_ + std::size_t{unit} * unit_bytes_; }

  // Finds a free run in which `units` fit at the alignment (bytes): its first unit, and the unit
  // where the block would begin. False: there is none.
  bool find(std::uint32_t units, std::size_t alignment, std::uint32_t* first, std::uint32_t* begin) const;
  void take(std::uint32_t first, std::uint32_t begin, std::uint32_t units);  // with what find() gave
  std::uint32_t length(std::uint32_t first) const { return runs_[first].units; }
  void give(std::uint32_t first);  // a block becomes free and dirty
  // The same in two steps: put_off() notes the block, which stays as it is; give_what_was_put_off()
  // frees all blocks noted, and returns how many units that are.
  void put_off(std::uint32_t first);
  std::uint32_t give_what_was_put_off();
  void shorten(std::uint32_t first, std::uint32_t units);  // the rest becomes free and dirty
  std::uint32_t free_after(std::uint32_t first) const;     // free units right behind this block
  void lengthen(std::uint32_t first, std::uint32_t more);  // more <= free_after

  std::uint32_t dirty_in(std::uint32_t first, std::uint32_t units) const;
  // The first and the last dirty unit; precondition: there is one.
  void dirty_bounds(std::uint32_t first, std::uint32_t units, std::uint32_t* low, std::uint32_t* high) const;
  // Gives pages of dirty units back to the system, those of the largest runs first, until `wanted`
  // units are clean or none is dirty. Returns how many.
  std::uint32_t clean(std::uint32_t wanted);

  // For fork: a private copy of all blocks is made before it. The parent drops the copy; the child
  // maps it in the place of the shared memory.
  bool copy_for_child();
  void drop_copy();
  bool become_private();

 private:
  void insert(std::uint32_t first, std::uint32_t units);
  void remove(std::uint32_t first);
  void describe(std::uint32_t first, std::uint32_t units, std::uint32_t free);
  void mark(std::uint32_t first, std::uint32_t units, bool dirty);
  std::uint32_t clean_run(std::uint32_t first);
  std::uint32_t fit(std::uint32_t first, std::uint32_t units, std::size_t alignment) const;
  std::uint32_t next_list(std::uint32_t from) const;
  bool knows_data() const;
  void copy_range(std::size_t from, std::size_t to, bool only_data);

  std::byte* base_ = nullptr;
  std::uintptr_t start_ = 0, end_ = 0;
  std::uint32_t units_ = 0;
  std::size_t unit_bytes_ = 0;
  void* owner_ = nullptr;
  int descriptor_ = -1;  // ours; -1: not known where data lies
  std::uint64_t device_ = 0, inode_ = 0;
  std::int64_t place_ = 0;
  bool private_ = false;  // after fork, in the child: ordinary memory
  std::byte* copy_ = nullptr;
  run* runs_ = nullptr;
  std::uint64_t* dirty_ = nullptr;
  std::uint32_t heads_[list_count]{};
  std::uint32_t put_off_ = no_unit;
  std::uint64_t filled_[(list_count + 63) / 64]{};  // which lists are not empty
};

// All spans of a process, and the source (interface.hpp) that they come from. Any thread may call,
// but for the three functions for fork.
class block_store {
 public:
  static constexpr std::size_t most_spans = 64;
  static constexpr std::size_t first_span = std::size_t{64} << 20;  // then twice as much each time
  static constexpr std::size_t largest_span = std::size_t{1} << 30;
  static constexpr std::size_t most_alignment = std::size_t{64} << 20;
  static constexpr std::size_t charge_step = std::size_t{16} << 20;
  // So much dirty memory is kept, or a quarter of what is in use if that is more.
  static constexpr std::size_t kept_at_least = std::size_t{128} << 20;

  bool attach(const source& from);
  void detach(void* context);
  // A hint, for which relaxed is enough: allocate() checks again under the lock.
  bool attached() const { return attached_.load(std::memory_order_relaxed); }

  // nullptr: there is no memory here, take libc's. `zero`: the block is to be zero.
  void* allocate(std::size_t bytes, std::size_t alignment, bool zero);
  bool holds(const void* p) const;
  void release(void* block);                    // precondition: a block from here
  std::size_t usable(const void* block) const;  // bytes; precondition: a block from here
  bool resize(void* block, std::size_t bytes);  // in place; false: does not fit there

  // From before_fork() until one of the next two, allocate() has nothing, release() only notes the
  // block, and no block changes its length.
  void before_fork();
  void after_fork_in_parent();
  bool after_fork_in_child();  // false: there was no memory for the copy

  std::size_t live_bytes() const;
  std::size_t dirty_bytes() const;

 private:
  class guard;
  span_runs* span_of(const void* p) const;
  void* place(std::uint32_t units, std::size_t alignment, bool zero, std::uint32_t* short_of);
  bool enter(source* use);  // false: detached
  void leave();
  bool resize(void* block, std::uint32_t units, std::uint32_t* short_of);
  bool grow(const source& from, std::size_t bytes);
  bool charge(const source& from, std::uint32_t units);
  void clean();
  void discharge_rest();
  std::uint32_t committed() const { return live_ + dirty_; }

  mutable pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // guards what follows; no malloc under it
  source source_{};
  std::size_t unit_ = 4096;
  std::uint32_t live_ = 0, dirty_ = 0;  // units
  std::uint32_t charged_ = 0;           // units that the source has allowed
  std::size_t next_span_ = first_span;
  bool forking_ = false, copied_ = false;
  std::uint32_t spans_then_ = 0;                       // how many there were at the fork
  pthread_mutex_t forks_ = PTHREAD_MUTEX_INITIALIZER;  // one fork at a time; taken before mutex_

  std::atomic<bool> attached_{false};
  std::atomic<std::uint32_t> within_{0};  // threads that use the source
  std::atomic<std::uint32_t> count_{0};   // of spans; never falls
  std::atomic<std::uintptr_t> low_{UINTPTR_MAX}, high_{0};
  span_runs spans_[most_spans];
};

}  // namespace loadstone::heap
