#include "heap/block_store.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace loadstone::heap {

class block_store::guard {
 public:
  explicit guard(const block_store& s) : store_(s) { pthread_mutex_lock(&store_.mutex_); }
  ~guard() { pthread_mutex_unlock(&store_.mutex_); }
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;

 private:
  const block_store& store_;
};

// --- the source ---

bool block_store::attach(const source& from) {
  if (from.version != source_version) return false;
  const guard held(*this);
  // Relaxed: written under the lock; a reader without the lock checks again under it.
  if (attached_.load(std::memory_order_relaxed)) return false;
  if (from.context != source_.context) charged_ = committed();
  const long page = sysconf(_SC_PAGESIZE);
  if (count_.load(std::memory_order_relaxed) == 0)
    unit_ = std::max<std::size_t>(unit_, static_cast<std::size_t>(page));
  source_ = from;
  attached_.store(true, std::memory_order_relaxed);
  return true;
}

void block_store::detach(void* context) {
  {
    const guard held(*this);
    if (!attached() || source_.context != context) return;
    attached_.store(false, std::memory_order_relaxed);  // under the lock, as in attach()
  }
  while (within_.load(std::memory_order_acquire) != 0) sched_yield();  // sync: source-left
  const guard held(*this);
  clean();  // nothing is kept for the next block any more, as there will be none
}

// Between enter() and leave() the source may be called: detach() waits for leave(). No lock of ours
// is held meanwhile, because what the source calls may allocate.
bool block_store::enter(source* use) {
  const guard held(*this);
  if (!attached() || forking_) return false;
  *use = source_;
  within_.fetch_add(1, std::memory_order_relaxed);  // relaxed: under the lock, which detach() takes first
  return true;
}

void block_store::leave() {
  within_.fetch_sub(1, std::memory_order_release);  // sync: source-left
}

bool block_store::grow(const source& from, std::size_t bytes) {
  std::size_t wanted = bytes;
  {
    const guard held(*this);
    // relaxed: spans are added under the lock
    if (count_.load(std::memory_order_relaxed) == most_spans) return false;
    wanted = std::max(wanted, next_span_);
  }
  span made{};
  if (!from.grow(from.context, wanted, &made) &&
      (wanted == bytes || !from.grow(from.context, bytes, &made)))  // close to a limit: only what is needed
    return false;
  const guard held(*this);
  const std::uint32_t n = count_.load(std::memory_order_relaxed);  // relaxed: under the lock
  if (n == most_spans || !spans_[n].open(made, from.context, unit_)) return false;
  if (made.bytes >= next_span_) next_span_ = std::min(next_span_ * 2, largest_span);
  const auto start = reinterpret_cast<std::uintptr_t>(made.base);
  // relaxed: no pointer into the span is known to anybody before count_ is published
  low_.store(std::min(low_.load(std::memory_order_relaxed), start), std::memory_order_relaxed);
  high_.store(std::max(high_.load(std::memory_order_relaxed), start + made.bytes), std::memory_order_relaxed);
  count_.store(n + 1, std::memory_order_release);  // sync: span-added
  return true;
}

// Asks the source for at least charge_step at a time, because it then reads limits of the system,
// which is slow.
bool block_store::charge(const source& from, std::uint32_t units) {
  const auto step = static_cast<std::uint32_t>(charge_step / unit_);
  std::uint32_t got = std::max(units, step);
  if (!from.charge(from.context, std::size_t{got} * unit_)) {
    if (got == units || !from.charge(from.context, std::size_t{units} * unit_)) return false;
    got = units;
  }
  const guard held(*this);
  charged_ += got;
  return true;
}

// Under the lock.
void block_store::discharge_rest() {
  const auto step = static_cast<std::uint32_t>(charge_step / unit_);
  if (!attached() || charged_ < committed() + 3 * step) return;
  const std::uint32_t rest = charged_ - committed() - step;
  charged_ -= rest;
  source_.discharge(source_.context, std::size_t{rest} * unit_);
}

// --- blocks ---

bool block_store::holds(const void* p) const {
  // relaxed: a thread that has a pointer into a span learned of it after the span was added
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  if (at < low_.load(std::memory_order_relaxed) || at >= high_.load(std::memory_order_relaxed)) return false;
  return span_of(p) != nullptr;
}

span_runs* block_store::span_of(const void* p) const {
  const std::uint32_t n = count_.load(std::memory_order_acquire);  // sync: span-added
  for (std::uint32_t i = 0; i < n; ++i)
    if (spans_[i].holds(p)) return const_cast<span_runs*>(&spans_[i]);
  return nullptr;
}

// One attempt to allocate. If it returns nullptr: with *short_of = 0 no span has space; otherwise
// so many more units have to be charged first.
void* block_store::place(std::uint32_t units, std::size_t alignment, bool zero, std::uint32_t* short_of) {
  *short_of = 0;
  std::byte* block = nullptr;
  std::uint32_t low = no_unit, high = 0;
  span_runs* in = nullptr;
  {
    const guard held(*this);
    if (forking_) return nullptr;
    std::uint32_t first = 0, begin = 0;
    const std::uint32_t n = count_.load(std::memory_order_relaxed);  // relaxed: under the lock
    for (std::uint32_t i = 0; i < n && in == nullptr; ++i)
      if (spans_[i].owner() == source_.context && spans_[i].find(units, alignment, &first, &begin))
        in = &spans_[i];
    if (in == nullptr) return nullptr;
    const std::uint32_t recycled = in->dirty_in(begin, units), after = committed() + units - recycled;
    if (after > charged_) {
      *short_of = after - charged_;
      return nullptr;
    }
    if (zero && recycled != 0) in->dirty_bounds(begin, units, &low, &high);
    in->take(first, begin, units);
    live_ += units;
    dirty_ -= recycled;
    block = in->at(begin);
  }
  if (low != no_unit) std::memset(in->at(low), 0, std::size_t{high - low + 1} * unit_);
  return block;
}

void* block_store::allocate(std::size_t bytes, std::size_t alignment, bool zero) {
  if (bytes > std::size_t{1} << 42 || alignment > most_alignment) return nullptr;
  const auto units = static_cast<std::uint32_t>((bytes + unit_ - 1) / unit_);
  source from;
  if (!enter(&from)) return nullptr;
  void* block = nullptr;
  // Other threads may take what was grown or charged for this one. So a few attempts; after them,
  // libc serves it.
  for (int attempt = 0; attempt < 4 && block == nullptr; ++attempt) {
    std::uint32_t short_of = 0;
    block = place(units, alignment, zero, &short_of);
    if (block != nullptr) break;
    const std::size_t needed = std::size_t{units} * unit_ + (alignment > unit_ ? alignment : 0);
    if (!(short_of != 0 ? charge(from, short_of) : grow(from, needed))) break;
  }
  leave();
  return block;
}

void block_store::release(void* block) {
  span_runs* in = span_of(block);
  const guard held(*this);
  const std::uint32_t first = in->unit_of(block);
  if (forking_) {
    in->put_off(first);
    return;
  }
  const std::uint32_t units = in->length(first);
  in->give(first);
  live_ -= units;
  dirty_ += units;
  clean();
}

// Under the lock. Bounds the dirty memory: if there is too much, a quarter more than necessary goes
// back to the system, so that not every release has to do this.
void block_store::clean() {
  const auto kept = attached() ? std::max(static_cast<std::uint32_t>(kept_at_least / unit_), live_ / 4) : 0;
  if (dirty_ <= kept) return;
  const std::uint32_t goal = kept / 4 * 3;
  const std::uint32_t n = count_.load(std::memory_order_relaxed);  // relaxed: under the lock
  for (std::uint32_t i = 0; i < n && dirty_ > goal; ++i) dirty_ -= spans_[i].clean(dirty_ - goal);
  discharge_rest();
}

std::size_t block_store::usable(const void* block) const {
  const span_runs* in = span_of(block);
  const guard held(*this);
  return std::size_t{in->length(in->unit_of(block))} * unit_;
}

bool block_store::resize(void* block, std::size_t bytes) {
  if (bytes > std::size_t{1} << 42) return false;
  const auto units = static_cast<std::uint32_t>((bytes + unit_ - 1) / unit_);
  std::uint32_t short_of = 0;
  if (resize(block, units, &short_of)) return true;
  source from;
  if (short_of == 0 || !enter(&from)) return false;
  const bool charged = charge(from, short_of);
  leave();
  return charged && resize(block, units, &short_of);
}

// One attempt to resize. False with *short_of != 0: so many more units have to be charged first.
bool block_store::resize(void* block, std::uint32_t units, std::uint32_t* short_of) {
  *short_of = 0;
  span_runs* in = span_of(block);
  const guard held(*this);
  const std::uint32_t first = in->unit_of(block), now = in->length(first);
  if (units == now) return true;
  if (forking_) return false;
  if (units < now) {
    in->shorten(first, units);
    live_ -= now - units;
    dirty_ += now - units;
    clean();
    return true;
  }
  const std::uint32_t more = units - now;
  if (!attached() || in->owner() != source_.context || in->free_after(first) < more) return false;
  const std::uint32_t recycled = in->dirty_in(first + now, more);
  const std::uint32_t after = committed() + more - recycled;
  if (after > charged_) {
    *short_of = after - charged_;
    return false;
  }
  in->lengthen(first, more);
  live_ += more;
  dirty_ -= recycled;
  return true;
}

std::size_t block_store::live_bytes() const {
  const guard held(*this);
  return std::size_t{live_} * unit_;
}

std::size_t block_store::dirty_bytes() const {
  const guard held(*this);
  return std::size_t{dirty_} * unit_;
}

// --- fork ---
//
// From the copy to the fork nothing may change here, and yet no thread may wait for the fork. For
// in between, other handlers and fork itself take locks, and a thread that calls malloc may hold
// one of them. So new blocks come from libc meanwhile, and blocks that are freed are given back
// afterwards.

void block_store::before_fork() {
  pthread_mutex_lock(&forks_);
  const guard held(*this);
  forking_ = true;
  spans_then_ = count_.load(std::memory_order_relaxed);  // relaxed: under the lock
  copied_ = true;
  for (std::uint32_t i = 0; i < spans_then_ && copied_; ++i) copied_ = spans_[i].copy_for_child();
}

void block_store::after_fork_in_parent() {
  {
    const guard held(*this);
    forking_ = false;
    for (std::uint32_t i = 0; i < spans_then_; ++i) {
      spans_[i].drop_copy();
      const std::uint32_t freed = spans_[i].give_what_was_put_off();
      live_ -= freed;
      dirty_ += freed;
    }
    clean();
  }
  pthread_mutex_unlock(&forks_);
}

// The child is no rank: its new blocks come from libc. Free units that were dirty stay so, though
// most are zero now; blocks that the parent's threads have freed since the copy stay allocated.
// Another thread may have held the lock at the fork, but only to read or to note a block: so the
// locks are made anew.
bool block_store::after_fork_in_child() {
  bool good = copied_;
  for (std::uint32_t i = 0; i < spans_then_ && good; ++i) good = spans_[i].become_private();
  // relaxed: the only thread
  attached_.store(false, std::memory_order_relaxed);
  within_.store(0, std::memory_order_relaxed);
  forking_ = false;
  pthread_mutex_init(&mutex_, nullptr);
  pthread_mutex_init(&forks_, nullptr);
  return good;
}

}  // namespace loadstone::heap
