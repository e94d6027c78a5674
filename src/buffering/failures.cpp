#include "buffering/failures.hpp"

namespace loadstone::buffering {

using memory::io_failure;
using memory::io_failure_state;

namespace {

constexpr auto word(io_failure_state s) {
  return static_cast<std::uint32_t>(s);
}

// Only the carrier calls this, and there is one at a time. One that died while it wrote a record
// leaves it `writing`: nobody reads that, and its extent is written again by the next.
io_failure* place_for(memory::io_area& area) {
  for (io_failure& f : area.failures) {
    // Acquire: behind the reading of whoever was told (sync: io-failure).
    const auto now = f.state.load(std::memory_order_acquire);
    if (now == word(io_failure_state::free) || now == word(io_failure_state::told)) return &f;
  }
  return nullptr;
}

failure copy_of(const io_failure& f) {
  // relaxed: behind the acquire of the state
  return {f.number,  f.file,
          f.offset,  f.bytes.load(std::memory_order_relaxed),
          f.process, f.times.load(std::memory_order_relaxed)};
}

}  // namespace

void note_failure(memory::job& job, std::uint32_t process, std::uint64_t file, std::uint64_t offset,
                  std::uint64_t bytes, int number) {
  memory::io_area& area = job.io();
  memory::io_writer& writer = job.io(process);
  for (io_failure& f : area.failures) {
    if (f.state.load(std::memory_order_acquire) != word(io_failure_state::untold)) continue;
    if (f.process != process || f.file != file || f.number != number) continue;
    // To be added under the record's own state, so that who is told just now has all or the sum
    // before: it is told anew then.
    std::uint32_t untold = word(io_failure_state::untold);
    if (!f.state.compare_exchange_strong(untold, word(io_failure_state::writing), std::memory_order_acq_rel))
      break;
    f.bytes.fetch_add(bytes, std::memory_order_relaxed);
    f.times.fetch_add(1, std::memory_order_relaxed);
    f.state.store(word(io_failure_state::untold), std::memory_order_release);  // sync: io-failure
    writer.failures.fetch_add(1, std::memory_order_relaxed);  // relaxed: published by io-written
    return;
  }
  io_failure* f = place_for(area);
  if (f == nullptr) {
    area.unlisted.fetch_add(bytes, std::memory_order_relaxed);  // relaxed: read at the end of the job
    return;
  }
  f->state.store(word(io_failure_state::writing), std::memory_order_relaxed);
  f->number = number;
  f->file = file;
  f->offset = offset;
  f->bytes.store(bytes, std::memory_order_relaxed);
  f->times.store(1, std::memory_order_relaxed);
  f->process = process;
  f->state.store(word(io_failure_state::untold), std::memory_order_release);  // sync: io-failure
  writer.failures.fetch_add(1, std::memory_order_relaxed);  // relaxed: published by io-written
}

failure take_failure(memory::job& job, std::uint32_t process, std::uint64_t file) {
  for (io_failure& f : job.io().failures) {
    if (f.state.load(std::memory_order_acquire) != word(io_failure_state::untold)) continue;
    if (f.process != process || f.file != file) continue;
    std::uint32_t untold = word(io_failure_state::untold);
    // Taken for the time of the copy: the carrier would add to it.
    if (!f.state.compare_exchange_strong(untold, word(io_failure_state::writing), std::memory_order_acq_rel))
      continue;
    const failure told = copy_of(f);
    f.state.store(word(io_failure_state::told), std::memory_order_release);  // sync: io-failure
    return told;
  }
  return {};
}

void each_untold(memory::job& job, const std::function<void(const failure&)>& tell) {
  for (const io_failure& f : job.io().failures)
    if (f.state.load(std::memory_order_acquire) == word(io_failure_state::untold)) tell(copy_of(f));
}

}  // namespace loadstone::buffering
