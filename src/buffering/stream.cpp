#include "buffering/stream.hpp"

#include <algorithm>
#include <cstring>

#include "base/clock.hpp"
#include "base/fault.hpp"
#include "base/round_up.hpp"
#include "buffering/figures.hpp"
#include "buffering/past_cache.hpp"
#include "buffering/pending.hpp"
#include "wait/futex.hpp"

namespace loadstone::buffering {

using memory::io_carrier;
using memory::io_extent;

namespace {

constexpr std::uint64_t largest_segment = 32 << 20;
constexpr std::uint64_t alignment = 64, page = past_cache::page;
constexpr std::uint64_t apart = 64 << 10;  // shorter writes are not divided where pages begin
constexpr std::uint64_t look_at_memory_again = 100'000'000;  // ns, for memory that gets short
constexpr std::uint64_t margin = 256 << 20;                  // what a buffer always leaves to the machine

// Relaxed: published behind it; readers of an older extent may look on (pending.cpp).
void fill(io_extent& slot, const io_extent& with) {
  const auto put = [](std::uint64_t& word, std::uint64_t value) {
    std::atomic_ref(word).store(value, std::memory_order_relaxed);
  };
  put(slot.file, with.file);
  put(slot.offset, with.offset);
  put(slot.length, with.length);
  put(slot.data, with.data);
}

}  // namespace

stream::stream(memory::job& job, memory::arena& arena, const config& wanted)
    : job_(job),
      arena_(arena),
      config_(wanted),
      headroom_(memory::headroom::of_this_process(wanted.root)),
      mine_(job.io(job.self())),
      worth_(std::max<std::uint32_t>(job.header().world_size, 1),
             std::max<std::uint32_t>(job.header().cpus, 1)) {}

stream::~stream() {
  if (ring_ == nullptr) return;
  wait_until(mine_.published.load(std::memory_order_relaxed), 0);  // relaxed: our own store
  std::lock_guard lock(mutex_);
  for (const segment& s : segments_) arena_.release(s.base);
  segments_.clear();
  mine_.ring.store(0, std::memory_order_release);  // sync: io-publish
  arena_.release(ring_);
}

std::uint64_t stream::written() const {
  return mine_.written.load(std::memory_order_acquire);  // sync: io-written
}

std::uint64_t stream::held() const {
  std::lock_guard lock(mutex_);
  return held_;
}

// A quarter of what the machine has left when the first file is written, shared among all
// processes; what the program says it will need is not counted as left.
std::uint64_t stream::limit() {
  std::lock_guard lock(mutex_);
  if (limit_ != config::automatic) return limit_;
  limit_ = config_.bytes;
  if (limit_ == config::automatic) {
    const std::uint64_t processes = std::max<std::uint32_t>(job_.header().world_size, 1);
    const std::uint64_t left = headroom_.left();
    const std::uint64_t theirs = config_.program_bytes * processes;
    limit_ = (left > theirs ? left - theirs : 0) / 4 / processes;
  }
  mine_.limit_bytes.store(limit_, std::memory_order_relaxed);  // relaxed: a figure
  return limit_;
}

bool stream::begin() {
  if (ring_ != nullptr) return true;
  if (refused_) return false;
  auto made = arena_.allocate(std::uint64_t{memory::io_extents} * sizeof(io_extent));
  if (!made) {
    refused_ = true;
    return false;
  }
  ring_ = static_cast<io_extent*>(*made);
  mine_.ring.store(memory::local_address::of(arena_.address_of(ring_)).bits,
                   std::memory_order_release);  // sync: io-publish
  return true;
}

// A new segment, if the limit and the memory of the machine allow it.
bool stream::grow(std::uint64_t limit) {
  if (held_ >= limit) return false;
  std::uint64_t bytes = std::clamp(held_, std::min(config_.segment, largest_segment), largest_segment);
  bytes = std::min(bytes, limit - held_) / alignment * alignment;
  if (bytes == 0) return false;
  if (headroom_.left() < bytes + margin) {
    shrink();
    return false;
  }
  auto made = arena_.allocate(bytes, page);
  if (!made) return false;
  auto* base = static_cast<std::byte*>(*made);
  segments_.push_back({base, memory::local_address::of(arena_.address_of(base)).bits, bytes, 0, 0});
  held_ += bytes;
  mine_.held_bytes.store(held_, std::memory_order_relaxed);  // relaxed: a figure
  return true;
}

// Under pressure: what is empty is given back.
void stream::shrink() {
  const std::uint64_t done = written();
  std::erase_if(segments_, [&](const segment& s) {
    if (s.last > done) return false;
    held_ -= s.bytes;
    arena_.release(s.base);
    return true;
  });
  mine_.held_bytes.store(held_, std::memory_order_relaxed);  // relaxed: a figure
}

// A buffer that does not grow is memory all the same. Asked now and then, as the answer takes some
// ten microseconds; then what is empty is given back, and the caller writes by itself.
bool stream::short_of_memory() {
  const std::uint64_t now = base::now_ns();
  if (held_ == 0 || now - looked_ < look_at_memory_again) return false;
  looked_ = now;
  if (headroom_.left() >= margin) return false;
  looked_ = 0;  // and at once the next time: it may have helped
  shrink();
  return true;
}

// Where the next bytes go; nullptr: there is no room. The segment that is filled is the last; the
// first is the one that is empty first. Of one that has been filled before there is a unit at
// least.
stream::segment* stream::room(std::uint64_t limit, std::uint64_t unit) {
  if (!segments_.empty() && base::round_up(segments_.back().used, unit) + unit <= segments_.back().bytes)
    return &segments_.back();
  if (!segments_.empty() && segments_.front().last <= written()) {
    segment again = segments_.front();
    again.used = 0;
    segments_.pop_front();
    segments_.push_back(again);
    return &segments_.back();
  }
  return grow(limit) ? &segments_.back() : nullptr;
}

std::uint64_t stream::accept(std::uint64_t file, std::uint64_t offset, const std::byte* memory,
                             std::uint64_t bytes, std::uint64_t limit) {
  memory::io_area& area = job_.io();
  // relaxed: who finds an old value writes by itself, or publishes what is carried at the end
  if (area.carrier.load(std::memory_order_relaxed) != static_cast<std::uint32_t>(io_carrier::process))
    return 0;
  if (limit == config::automatic) limit = this->limit();
  memory::io_file& figures = area.files[memory::io_file_place(file)];
  const std::uint64_t began = base::now_ns();
  std::lock_guard lock(mutex_);
  if (limit == 0 || !begin() || short_of_memory()) return 0;
  std::uint64_t accepted = 0, held_before = held_;
  std::uint64_t number = mine_.published.load(std::memory_order_relaxed);  // relaxed: our own store
  while (accepted < bytes) {
    // Acquire, in written(): the carrier has read what lay here before (sync: io-written).
    if (number - written() >= config_.extents) break;
    const std::uint64_t left = bytes - accepted, into = (offset + accepted) % page;
    const bool pages = left >= apart && into == 0;
    segment* s = room(limit, pages ? page : alignment);
    if (s == nullptr) break;
    std::uint64_t n = left;
    if (pages && s->bytes >= page) {
      s->used = base::round_up(s->used, page);
      n = std::min(left, s->bytes - s->used) / page * page;
    } else if (left >= apart && into != 0) {
      n = page - into;
    }
    n = std::min(n, s->bytes - s->used);
    LOADSTONE_FAULT_POINT("io.claimed");
    std::memcpy(s->base + s->used, memory + accepted, n);
    fill(ring_[number % memory::io_extents], {file, offset + accepted, n, s->address + s->used / alignment});
    LOADSTONE_FAULT_POINT("io.filled");
    s->used = base::round_up(s->used + n, alignment);
    s->last = ++number;
    mine_.published.store(number, std::memory_order_release);  // sync: io-publish
    LOADSTONE_FAULT_POINT("io.published");
    accepted += n;
  }
  if (accepted != 0) {
    // Rung once, at the end: a carrier that wrote meanwhile would take memory bandwidth from our
    // copy. Either we see that it is about to sleep, or it sees our extents (sync: io-asleep).
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (area.asleep.load(std::memory_order_relaxed) != 0 &&
        area.asleep.exchange(0, std::memory_order_relaxed) != 0)
      wait::ring(area.called);
    add(figures.accepted, 1);
    add(figures.accepted_bytes, accepted);
    const std::uint64_t took = base::now_ns() - began;
    add(figures.copy_ns, took);
    add(mine_.accepted_bytes, accepted);
    add(mine_.copy_ns, took);
    // Memory that is touched for the first time says nothing about later copies.
    if (held_ == held_before) worth_.copied(accepted, took);
  }
  return accepted;
}

void stream::wait_until(std::uint64_t number, std::uint64_t file) {
  if (written() >= number) return;
  const std::uint64_t began = base::now_ns();
  wait_for_written(job_, job_.self(), number);
  if (file != 0) note_stall(file, base::now_ns() - began);
}

bool stream::overlaps(std::uint64_t file, std::uint64_t offset, std::uint64_t bytes) const {
  // relaxed: a thread's own writes; those of others at the same time have no order with this one
  if (written() == mine_.published.load(std::memory_order_relaxed)) return false;
  std::lock_guard lock(mutex_);
  return ring_ != nullptr && last_overlap(ring_, written(), mine_.published.load(std::memory_order_relaxed),
                                          file, offset, bytes) != 0;
}

void stream::note_direct(std::uint64_t file, std::uint64_t bytes, std::uint64_t ns) {
  memory::io_file& figures = job_.io().files[memory::io_file_place(file)];
  add(figures.direct, 1);
  add(figures.direct_bytes, bytes);
  add(figures.direct_ns, ns);
  add(mine_.direct_bytes, bytes);
  add(mine_.direct_ns, ns);
  const std::uint64_t wanted = held() + bytes;
  std::uint64_t before = figures.wanted_bytes.load(std::memory_order_relaxed);
  while (before < wanted &&
         !figures.wanted_bytes.compare_exchange_weak(before, wanted, std::memory_order_relaxed))
    continue;
}

std::uint64_t stream::at_once(std::uint64_t file, std::uint64_t device, bool past_cache,
                              std::uint64_t bytes) {
  // relaxed: nobody carries yet, or no more: then it is not a matter of cost
  if (config_.always ||
      job_.io().carrier.load(std::memory_order_relaxed) != static_cast<std::uint32_t>(io_carrier::process))
    return 0;
  const memory::io_file& figures = job_.io().files[memory::io_file_place(file)];
  std::lock_guard lock(mutex_);
  worth_.carried(device, figures.carried_bytes.load(std::memory_order_relaxed),
                 figures.carry_cpu_ns.load(std::memory_order_relaxed));
  return worth_.at_once(device, past_cache, bytes);
}

void stream::note_at_once(std::uint64_t file, std::uint64_t device, std::uint64_t bytes, std::uint64_t ns) {
  memory::io_file& figures = job_.io().files[memory::io_file_place(file)];
  add(figures.at_once_bytes, bytes);
  add(figures.at_once_ns, ns);
  add(mine_.at_once_bytes, bytes);
  add(mine_.at_once_ns, ns);
  std::lock_guard lock(mutex_);
  worth_.written(device, bytes, ns);
}

void stream::note_stall(std::uint64_t file, std::uint64_t ns) {
  add(job_.io().files[memory::io_file_place(file)].stall_ns, ns);
  add(mine_.stall_ns, ns);
}

void stream::settle(std::uint64_t file) {
  settle_range(file, 0, ~std::uint64_t{});
}

void stream::settle_range(std::uint64_t file, std::uint64_t offset, std::uint64_t bytes) {
  // relaxed: as overlaps()
  if (written() == mine_.published.load(std::memory_order_relaxed)) return;
  std::uint64_t last = 0;
  {
    std::lock_guard lock(mutex_);
    if (ring_ == nullptr) return;
    const std::uint64_t end = mine_.published.load(std::memory_order_relaxed);  // relaxed: our own store
    last = last_overlap(ring_, written(), end, file, offset, bytes);
  }
  wait_until(last, file);
}

}  // namespace loadstone::buffering
