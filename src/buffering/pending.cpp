#include "buffering/pending.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

#include "base/clock.hpp"
#include "copy/kernels.hpp"
#include "memory/address.hpp"
#include "memory/liveness.hpp"
#include "memory/wait_note.hpp"
#include "wait/futex.hpp"

namespace loadstone::buffering {

using memory::io_extent;

namespace {

constexpr std::chrono::milliseconds look_again(200);

// One extent of a ring that its owner goes on filling. Relaxed: either it was read as published, or
// it has been overwritten, and then it is written, and whatever we see of it does no harm.
io_extent look_at(const io_extent* ring, std::uint64_t n) {
  auto& e = const_cast<io_extent&>(ring[n % memory::io_extents]);  // atomic_ref takes no constants
  const auto get = [](std::uint64_t& word) { return std::atomic_ref(word).load(std::memory_order_relaxed); };
  return {get(e.file), get(e.offset), get(e.length), get(e.data)};
}

// The ring of a process: pinned while it is looked at. Nothing if it has none.
struct seen_ring {
  memory::pin pinned;
  const io_extent* extents = nullptr;
};

seen_ring ring_of(memory::job& job, memory::mappings& maps, std::uint32_t p) {
  seen_ring seen;
  const memory::local_address where{job.io(p).ring.load(std::memory_order_acquire)};  // sync: io-publish
  if (!where) return seen;
  auto pinned = maps.acquire(where.in(p).region);
  if (!pinned) return seen;
  seen.pinned = std::move(*pinned);
  seen.extents = reinterpret_cast<const memory::io_ring*>(seen.pinned.at(where.in(p).offset))->extents;
  return seen;
}

// Both ends may be at the end of all numbers: no sums.
bool overlaps(const io_extent& e, std::uint64_t offset, std::uint64_t bytes) {
  const bool behind = e.offset >= offset && e.offset - offset >= bytes;
  const bool before = offset >= e.offset && offset - e.offset >= e.length;
  return !behind && !before;
}

}  // namespace

std::uint64_t last_overlap(const io_extent* ring, std::uint64_t from, std::uint64_t to, std::uint64_t file,
                           std::uint64_t offset, std::uint64_t bytes) {
  for (std::uint64_t n = to; n > from; --n) {
    const io_extent e = look_at(ring, n - 1);
    if (e.file == file && overlaps(e, offset, bytes)) return n;
  }
  return 0;
}

void wait_for_written(memory::job& job, std::uint32_t p, std::uint64_t number) {
  memory::io_writer& writer = job.io(p);
  const wait::reason why{.peer = -2, .detail = "buffered data to be written"};
  const std::uint32_t self = job.self();
  std::optional<memory::wait_note> note;
  if (self != UINT32_MAX) note.emplace(job.process(self));
  for (;;) {
    const std::uint32_t moved = writer.moved.load(std::memory_order_acquire);  // sync: bell
    // Either the carrier sees that we wait, or we see what it has written (sync: io-waiting).
    writer.waiting.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (writer.written.load(std::memory_order_acquire) >= number) return;  // sync: io-written
    if (note) note->sleeps(why);
    wait::sleep_on(writer.moved, moved, look_again);
    if (note) note->wakes();
  }
}

namespace {

// look(process, its ring, first, end) for each process that has extents on their way, but
// `skipped`. Who has ended has none, and all of its written.
template <class Look>
void each_ring(memory::job& job, memory::mappings& maps, std::uint32_t skipped, Look look) {
  for (std::uint32_t p = 0; p < job.header().capacity; ++p) {
    const memory::io_writer& writer = job.io(p);
    const std::uint64_t to = writer.published.load(std::memory_order_acquire);  // sync: io-publish
    const std::uint64_t from = writer.written.load(std::memory_order_acquire);  // sync: io-written
    if (p == skipped || from >= to) continue;
    if (const seen_ring ring = ring_of(job, maps, p); ring.extents != nullptr)
      look(p, ring.extents, from, to);
  }
}
constexpr std::uint32_t nobody = UINT32_MAX;

// Waits for the last extent of each ring that `meets`; the time that took.
// An extent that is written while we look may be overwritten by a later one: what we find in its
// place was accepted behind our call, and waiting for it does no harm.
template <class Meets>
std::uint64_t settle(memory::job& job, memory::mappings& maps, std::uint32_t skipped, Meets meets) {
  std::uint64_t began = 0;
  each_ring(job, maps, skipped,
            [&](std::uint32_t p, const io_extent* ring, std::uint64_t from, std::uint64_t to) {
              while (to > from && !meets(look_at(ring, to - 1))) --to;
              if (to == from) return;
              if (began == 0) began = base::now_ns();
              wait_for_written(job, p, to);
            });
  return began == 0 ? 0 : base::now_ns() - began;
}

template <class Look>
void each_pending(memory::job& job, memory::mappings& maps, std::uint64_t file, Look look) {
  each_ring(job, maps, nobody,
            [&](std::uint32_t p, const io_extent* ring, std::uint64_t from, std::uint64_t to) {
              for (std::uint64_t n = from; n < to; ++n)
                if (const io_extent e = look_at(ring, n); file == 0 || e.file == file) look(p, n, e);
            });
}

}  // namespace

std::uint64_t settle_all(memory::job& job, memory::mappings& maps, std::uint64_t file, std::uint64_t offset,
                         std::uint64_t bytes) {
  return settle(job, maps, nobody,
                [&](const io_extent& e) { return e.file == file && overlaps(e, offset, bytes); });
}

bool others_pending(memory::job& job, std::uint32_t self) {
  for (std::uint32_t p = 0; p < job.header().capacity; ++p) {
    const memory::io_writer& writer = job.io(p);
    const std::uint64_t to = writer.published.load(std::memory_order_acquire);          // sync: io-publish
    if (p != self && writer.written.load(std::memory_order_acquire) < to) return true;  // sync: io-written
  }
  return false;
}

std::uint64_t settle_others(memory::job& job, memory::mappings& maps, std::uint32_t self, std::uint64_t file,
                            std::span<const range> ranges) {
  return settle(job, maps, self, [&](const io_extent& e) {
    if (e.file != file) return false;
    // The first range that ends behind where the extent begins is the only one to look at.
    const auto at = std::partition_point(ranges.begin(), ranges.end(),
                                         [&](const range& r) { return r.offset + r.bytes <= e.offset; });
    return at != ranges.end() && at->offset < e.offset + e.length;
  });
}

std::vector<held> find_held(memory::job& job, memory::mappings& maps, std::uint64_t file,
                            std::uint64_t offset, std::uint64_t bytes) {
  std::vector<held> found;
  each_pending(job, maps, file, [&](std::uint32_t p, std::uint64_t n, const io_extent& e) {
    if (overlaps(e, offset, bytes)) found.push_back({p, n, e});
  });
  return found;
}

bool copy_held(memory::job& job, memory::mappings& maps, const held& from, std::uint64_t offset,
               std::byte* to, std::uint64_t bytes) {
  const io_extent& e = from.what;
  const memory::io_writer& writer = job.io(from.process);
  // First, as what was overwritten says nothing of where its data lie.
  if (writer.written.load(std::memory_order_acquire) > from.number) return false;  // sync: io-written
  const memory::address where = memory::local_address{e.data}.in(from.process);
  auto pinned = maps.acquire(where.region);
  if (!pinned) return false;
  const std::uint64_t begin = std::max(offset, e.offset), end = std::min(offset + bytes, e.offset + e.length);
  copy::ordinary(to + (begin - offset), pinned->at(where.offset) + (begin - e.offset), end - begin);
  // The owner fills memory again only behind `written`: if that has not moved, neither has the
  // data.
  std::atomic_thread_fence(std::memory_order_acquire);
  return writer.written.load(std::memory_order_relaxed) <= from.number;
}

std::uint64_t pending_end(memory::job& job, memory::mappings& maps, std::uint64_t file) {
  std::uint64_t end = 0;
  each_pending(job, maps, file, [&](std::uint32_t, std::uint64_t, const io_extent& e) {
    end = std::max(end, e.offset + e.length);
  });
  return end;
}

amount pending(memory::job& job, memory::mappings& maps, std::uint64_t file) {
  amount sum;
  each_pending(job, maps, file, [&](std::uint32_t, std::uint64_t, const io_extent& e) {
    ++sum.extents;
    sum.bytes += e.length;
  });
  return sum;
}

}  // namespace loadstone::buffering
