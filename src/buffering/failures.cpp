#include "buffering/failures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "base/fault.hpp"

namespace loadstone::buffering {

using memory::io_failure;

namespace {

io_failure& place_of(memory::job& job, std::uint32_t process, std::uint64_t file) {
  return job.failures(process)
      .of[std::min(file == 0 ? memory::io_files : memory::io_file_place(file), memory::io_files)];
}

// Who has never published has no failures, and no memory for them. Acquire: the memory was reserved
// before that (sync: io-publish).
bool may_have(memory::job& job, std::uint32_t process) {
  return job.io(process).published.load(std::memory_order_acquire) != 0;
}

struct noted {
  failure what;
  std::uint64_t through = 0;
};

constexpr bool is_untold(std::uint64_t state) {
  return (state & 1) != 0;
}

// Whole if the state is the same behind it.
noted read(const io_failure& f, std::uint64_t state) {
  const io_failure::note& n = f.notes[state / 2 % 2];
  // relaxed: behind the acquire of the state, which is looked at again
  noted is;
  is.what = {n.number.load(std::memory_order_relaxed), n.last.load(std::memory_order_relaxed),
             n.file.load(std::memory_order_relaxed),   n.offset.load(std::memory_order_relaxed),
             n.bytes.load(std::memory_order_relaxed),  n.times.load(std::memory_order_relaxed)};
  is.through = n.through.load(std::memory_order_relaxed);
  // What is read is read before the state is (sync: io-failure-again).
  std::atomic_thread_fence(std::memory_order_acquire);
  return is;
}

void write(io_failure::note& n, const noted& is) {
  // Who reads some of this finds another state than before (sync: io-failure-again).
  std::atomic_thread_fence(std::memory_order_release);
  // relaxed: published by the state
  n.number.store(is.what.number, std::memory_order_relaxed);
  n.last.store(is.what.last, std::memory_order_relaxed);
  n.file.store(is.what.file, std::memory_order_relaxed);
  n.offset.store(is.what.offset, std::memory_order_relaxed);
  n.bytes.store(is.what.bytes, std::memory_order_relaxed);
  n.times.store(is.what.times, std::memory_order_relaxed);
  n.through.store(is.through, std::memory_order_relaxed);
}

}  // namespace

std::string failure::why() const {
  if (last == number) return std::strerror(number);
  return fmt::format("{}, and at last {}", std::strerror(number), std::strerror(last));
}

void note_failure(memory::job& job, std::uint32_t process, std::uint64_t n, std::uint64_t file,
                  std::uint64_t offset, std::uint64_t bytes, int number) {
  io_failure& f = place_of(job, process, file);
  std::uint64_t state = f.state.load(std::memory_order_acquire);  // sync: io-failure
  for (;;) {
    noted is = read(f, state);   // whole: we alone write it
    if (n < is.through) return;  // by a carrier that has died behind that
    if (is_untold(state)) {
      is.what.bytes += bytes;
      ++is.what.times;
    } else {
      is.what = {number, number, file, offset, bytes, 1};
    }
    is.what.last = number;
    is.through = n + 1;
    const std::uint64_t next = state / 2 + 1;
    write(f.notes[next % 2], is);
    LOADSTONE_FAULT_POINT("io.noting");
    // If the process has been told meanwhile, it is told this one anew (sync: io-failure).
    if (f.state.compare_exchange_strong(state, 2 * next + 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire))
      break;
  }
  LOADSTONE_FAULT_POINT("io.noted");
}

failure take_failure(memory::job& job, std::uint32_t process, std::uint64_t file) {
  if (!may_have(job, process)) return {};
  io_failure& f = place_of(job, process, file);
  std::uint64_t state = f.state.load(std::memory_order_acquire);  // sync: io-failure
  while (is_untold(state)) {
    const noted is = read(f, state);
    // If the carrier adds to it, all of that is told (sync: io-failure).
    if (f.state.compare_exchange_strong(state, state - 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire))
      return is.what;
  }
  return {};
}

bool has_failure(memory::job& job, std::uint32_t process, std::uint64_t file) {
  // relaxed: whoever takes it looks again
  return may_have(job, process) &&
         is_untold(place_of(job, process, file).state.load(std::memory_order_relaxed));
}

void each_untold(memory::job& job, const std::function<void(std::uint32_t process, const failure&)>& tell) {
  for (std::uint32_t p = 0; p < job.header().capacity; ++p) {
    if (!may_have(job, p)) continue;
    for (const io_failure& f : job.failures(p).of) {
      std::uint64_t state = 0;
      noted is;
      do {
        state = f.state.load(std::memory_order_acquire);  // sync: io-failure
        is = read(f, state);
      } while (f.state.load(std::memory_order_relaxed) != state);  // relaxed: behind the fence of read()
      if (is_untold(state)) tell(p, is.what);
    }
  }
}

bool has_untold(memory::job& job, std::uint32_t place) {
  for (std::uint32_t p = 0; p < job.header().capacity; ++p)
    // relaxed: all who have had the file have closed it, or are dead and keep it
    if (may_have(job, p) && is_untold(job.failures(p).of[place].state.load(std::memory_order_relaxed)))
      return true;
  return false;
}

}  // namespace loadstone::buffering
