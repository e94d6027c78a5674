// The pages of a file as memory of this process, to store into: what is stored is written, for
// every process that reads the file, and no other byte is touched.
//
// The mapping is kept, as making it costs much more than using it (measured on a Zen 4, tmpfs, per
// page: 0.7 µs to map, 0.12 to unmap, 0.15 to copy it). It moves to where the next access is, and
// is gone with this object.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace loadstone::io {

class file_pages {
 public:
  // The most that is mapped at a time: tables of the system's for as much take 2 MiB for 1 GiB.
  static constexpr std::int64_t most = std::int64_t{256} << 20;

  // `descriptor` is open for reading and writing, on a system that `possible` is said of.
  file_pages(int descriptor, bool possible) : descriptor_(descriptor), possible_(possible) {}

  bool possible() const { return possible_.load(std::memory_order_relaxed); }  // relaxed: a hint

  // Calls use(memory), where `memory` is that of byte `from`; [from, to) may be stored into, and is
  // part of the file. False: not to be had (the file is shorter, the disk is full, the program
  // itself handles the signal of a page that is gone), or a page went away meanwhile (somebody has
  // cut the file): part of it may have been done, and whoever writes by a call learns why. `use`
  // holds nothing that would have to be given back. Any thread.
  using user = std::function<void(std::byte*)>;
  bool store(std::int64_t from, std::int64_t to, const user& use);

  // Is [from, to) part of the file, with all of its pages in memory? Then to store is quick. A
  // guess: pages may go at any time.
  bool in_memory(std::int64_t from, std::int64_t to);

  void forget();  // pages may have gone: the file was cut

 private:
  struct mapping;
  mapping* cover(std::int64_t from, std::int64_t to);  // under the lock; null: there is none
  // The mapping of [from, to), with pages that are there; null: there is none.
  std::shared_ptr<mapping> reach(std::int64_t from, std::int64_t to);

  const int descriptor_;
  std::atomic<bool> possible_;
  std::mutex lock_;  // guards what follows
  std::shared_ptr<mapping> now_;
};

}  // namespace loadstone::io
