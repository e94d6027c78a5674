// Large blocks in a few spans of shared memory: where each lies, which space is free, which of that
// still holds pages. Descriptions lie beside the spans in private memory: nothing here calls
// malloc, a block has no header, and who overwrites the end of one does not damage the rest.
//
// A span is cut into units of a page. A *run* is a row of units that is one block or is free; two
// free runs never lie side by side. Its first and its last unit describe it, so that neighbours are
// found without a search. Free runs hang in lists by size. A free unit that may hold a page is
// *dirty*: it costs memory and no page fault, and is not zero. Dirty memory is bounded; what is
// above goes back to the system.
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
  std::uint32_t next,
      previous;  // in its first unit: of a free run its list, by unit; `no_unit` at the ends; of a
                 // block that is put off `next` alone
};
inline constexpr std::uint32_t no_unit = UINT32_MAX;
inline constexpr std::uint32_t list_count = 240;  // eight for each power of two up to 2^31 units

class span_runs {
 public:
  // Describes `memory`, all of it free and clean. False: no memory for the description.
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

  // A free run where `units` fit at the alignment (bytes), and the unit where they begin; false:
  // there is none.
  bool find(std::uint32_t units, std::size_t alignment, std::uint32_t* first, std::uint32_t* begin) const;
  void take(std::uint32_t first, std::uint32_t begin, std::uint32_t units);  // as find() said
  std::uint32_t length(std::uint32_t first) const { return runs_[first].units; }
  void give(std::uint32_t first);  // a block becomes free and dirty
  // The same later: the block stays as it is until then. Returns how many units have become free.
  void put_off(std::uint32_t first);
  std::uint32_t give_what_was_put_off();
  void shorten(std::uint32_t first, std::uint32_t units);  // the rest becomes free and dirty
  std::uint32_t free_after(std::uint32_t first) const;     // units right behind this block
  void lengthen(std::uint32_t first, std::uint32_t more);  // more <= free_after

  std::uint32_t dirty_in(std::uint32_t first, std::uint32_t units) const;
  // The first and the last dirty unit; precondition: there is one.
  void dirty_bounds(std::uint32_t first, std::uint32_t units, std::uint32_t* low, std::uint32_t* high) const;
  // Gives pages of free units back, largest runs first, until so many have been; returns how many.
  std::uint32_t clean(std::uint32_t wanted);

  // fork: a private copy of what lives, made before it; the parent drops it, the child puts it in
  // the place of the shared memory.
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

// All spans of a process. Thread safety: everything but the three calls for fork may come from any
// thread.
class block_store {
 public:
  static constexpr std::size_t most_spans = 64;
  static constexpr std::size_t first_span = std::size_t{64} << 20;  // then twice as much each time
  static constexpr std::size_t largest_span = std::size_t{1} << 30;
  static constexpr std::size_t most_alignment = std::size_t{64} << 20;
  static constexpr std::size_t charge_step = std::size_t{16} << 20;
  static constexpr std::size_t kept_at_least = std::size_t{128}
                                               << 20;  // dirty memory, or a quarter of what lives

  bool attach(const source& from);
  void detach(void* context);
  bool attached() const {
    return attached_.load(std::memory_order_relaxed);
  }  // a hint: allocate() looks again

  // nullptr: not to be had here. `zero`: bytes are zero.
  void* allocate(std::size_t bytes, std::size_t alignment, bool zero);
  bool holds(const void* p) const;
  void release(void* block);                    // precondition: a block from here
  std::size_t usable(const void* block) const;  // bytes; precondition: a block from here
  bool resize(void* block, std::size_t bytes);  // in place; false: does not fit there

  // Until one of the next two allocate() has nothing, release() is done later, and no block changes
  // its length.
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
  std::uint32_t spans_then_ = 0;                       // at the fork
  pthread_mutex_t forks_ = PTHREAD_MUTEX_INITIALIZER;  // one at a time; taken before the other

  std::atomic<bool> attached_{false};
  std::atomic<std::uint32_t> within_{0};  // threads that use the source
  std::atomic<std::uint32_t> count_{0};   // of spans: they only become more
  std::atomic<std::uintptr_t> low_{UINTPTR_MAX}, high_{0};
  span_runs spans_[most_spans];
};

}  // namespace loadstone::heap
