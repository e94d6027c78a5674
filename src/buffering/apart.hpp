// Writes past the page cache and writes through it do not go on at the same time in a job.
//
// The kernel takes a page out of its cache before a direct write and once more behind it, and lets
// it stay if somebody has made it dirty meanwhile. Then readers see what the file had before, and
// the next write-back puts that over the direct write. Such a page may be large, or lie between
// two pieces that are stored into a mapping: two writes that have no byte in common meet there.
// Seen on ext4 (Linux 6.18): pages of a mapping made writable beside direct writes, and small
// writes with a reader beside direct writes by io_uring.
//
// A carrier says that it writes past the cache, and does not if somebody is writing through it. Who
// writes through it says so, and waits for what is being written past it. Both look after they have
// said it (sync: io-apart; models/apart.pml). What other programs write is not known here.
#pragma once

#include <atomic>
#include <cstdint>

#include "memory/job.hpp"

namespace loadstone::buffering {

// A write through the cache, from before it begins to behind its end; any number at a time.
class through_cache {
 public:
  // By this process, or by the I/O process of this number. Waits for writes past the cache. Without
  // a job: there is nobody to say it to.
  explicit through_cache(memory::job* job) {
    if (job != nullptr) begin(*job, job->io(job->self()).through_cache);
  }
  through_cache(memory::job& job, std::uint32_t server) {
    begin(job, job.io().servers[server].through_cache);
  }
  // Of a rank that dies here it stays: then nothing is written past the cache any more.
  ~through_cache() {
    if (mine_ != nullptr) mine_->fetch_sub(1, std::memory_order_release);  // sync: io-apart
  }
  through_cache(const through_cache&) = delete;
  through_cache& operator=(const through_cache&) = delete;

 private:
  void begin(memory::job& job, std::atomic<std::uint32_t>& mine);
  std::atomic<std::uint32_t>* mine_ = nullptr;
};

// For one I/O process at a time.
bool begin_past_cache(memory::job& job, std::uint32_t server);  // false: somebody writes through it
void end_past_cache(memory::job& job, std::uint32_t server);
// It is dead: what it was writing either way has ended.
void end_writes_of_dead(memory::io_server& server);

}  // namespace loadstone::buffering
