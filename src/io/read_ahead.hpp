// Fetches what a program will read next, while it computes: when it reads at equal distances (a
// visualisation that walks through snapshots), the next access is expected there, and the system is
// asked to have its bytes in the page cache.
//
// There and nowhere else: so whoever writes the file meanwhile, in this job or not, changes what is
// read as if nothing had been fetched, the memory is the system's to take back, and all that a
// wrong guess costs is reading. A thread asks, as that takes a third of the time of reading.
//
// Any thread; one for each open file.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "io/service_thread.hpp"
#include "io/storage.hpp"
#include "io/view.hpp"

namespace loadstone::io {

class read_ahead {
 public:
  static constexpr std::int64_t least = 64 << 10;  // bytes of an access that it is worth for

  // `all`: where what is read is counted for all files of the process; nullptr: nowhere.
  explicit read_ahead(memory::io_read_figures* all) : all_(all) {}
  read_ahead(const read_ahead&) = delete;
  read_ahead& operator=(const read_ahead&) = delete;

  // An access of `bytes` from position `at` of the view begins: what is being fetched is left to
  // it.
  void begins(const view& v, std::int64_t at, std::int64_t bytes);
  // It has ended, and took so long. Up to `limit` bytes of the next one may be fetched.
  void ended(stored_file& file, std::shared_ptr<const view> v, std::int64_t at, std::int64_t bytes,
             std::uint64_t ns, std::int64_t limit);
  void stop();  // and nothing is fetched until the next access

  const memory::io_read_figures& figures() const { return figures_; }

 private:
  // An access, or one that is expected. Its view may lie `shift` bytes further on in the file.
  struct access {
    std::shared_ptr<const view> through;
    std::int64_t at = 0, bytes = 0, shift = 0;
  };
  struct step {
    std::int64_t at = 0, offset = 0;
    bool operator==(const step&) const = default;
  };
  static bool alike(const access& a, const access& b);
  static step between(const access& a, const access& b);
  static bool next(const access& last, step by, access* expected);
  static void work(void* context);
  void fetch();

  memory::io_read_figures* all_;
  memory::io_read_figures figures_{};
  std::mutex lock_;
  access last_;  // under the lock, as what follows
  step step_{};  // from the one before to the last
  bool stepped_ = false;
  access expected_;           // nothing, if there is no view
  int descriptor_ = -1;       // of the file
  std::int64_t limit_ = 0;    // of what is expected
  std::int64_t fetched_ = 0;  // of what is expected
  // Moves, under the lock, when nobody is to fetch any more for what was expected before.
  std::atomic<std::uint32_t> turn_{0};
  service_thread thread_;  // the last: it ends first
};

}  // namespace loadstone::io
