#include "buffering/apart.hpp"

#include <chrono>
#include <optional>

#include "buffering/servers.hpp"
#include "memory/wait_note.hpp"
#include "wait/futex.hpp"

namespace loadstone::buffering {

namespace {

constexpr std::chrono::milliseconds look_again_for_writes(200);

constexpr bool goes_on(std::uint32_t past_cache) {
  return (past_cache & 1) != 0;
}

}  // namespace

void through_cache::begin(memory::job& job, std::atomic<std::uint32_t>& mine) {
  mine_ = &mine;
  mine.fetch_add(1, std::memory_order_relaxed);  // relaxed: before the fence
  // Either a carrier sees that we write, or we see that it does (sync: io-apart).
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (std::uint32_t s = 0, all = server_count(job.io()); s < all; ++s) {
    std::atomic<std::uint32_t>& word = job.io().servers[s].past_cache;
    const std::uint32_t seen = word.load(std::memory_order_acquire);  // sync: io-apart
    if (!goes_on(seen)) continue;
    std::optional<memory::wait_note> note;
    if (job.self() != UINT32_MAX) note.emplace(job.process(job.self()));
    if (note) note->sleeps({.peer = -2, .detail = "buffered data to be written"});
    // It is this one write: the next sees us.
    while (word.load(std::memory_order_acquire) == seen)  // sync: io-apart
      wait::sleep_on(word, seen, look_again_for_writes);
    if (note) note->wakes();
  }
}

bool begin_past_cache(memory::job& job, std::uint32_t server) {
  memory::io_area& area = job.io();
  area.servers[server].past_cache.fetch_add(1, std::memory_order_relaxed);  // relaxed: before the fence
  std::atomic_thread_fence(std::memory_order_seq_cst);                      // sync: io-apart
  bool alone = true;
  // Acquire: what has ended is in the cache, and is taken out of it.
  for (std::uint32_t p = 0; alone && p < job.header().capacity; ++p)
    alone = job.io(p).through_cache.load(std::memory_order_acquire) == 0;  // sync: io-apart
  for (std::uint32_t s = 0, all = server_count(area); alone && s < all; ++s)
    alone = area.servers[s].through_cache.load(std::memory_order_acquire) == 0;  // sync: io-apart
  if (!alone) end_past_cache(job, server);
  return alone;
}

void end_past_cache(memory::job& job, std::uint32_t server) {
  wait::ring(job.io().servers[server].past_cache);  // sync: io-apart
}

void end_writes_of_dead(memory::io_server& server) {
  server.through_cache.store(0, std::memory_order_release);  // sync: io-apart
  // relaxed: nobody else changes it
  if (goes_on(server.past_cache.load(std::memory_order_relaxed))) wait::ring(server.past_cache);
}

}  // namespace loadstone::buffering
